//! The program that a test case runs on, and what it may use up.

use std::{path::PathBuf, time::Duration};

/// A program to run, as the user built it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The executable.
    pub program: PathBuf,
    /// What it is told its name is: the same for both versions, so that messages compare.
    pub name: Vec<u8>,
    /// Directories with shared libraries of the program's own build, for `LD_LIBRARY_PATH`.
    pub library_path: Vec<PathBuf>,
    /// Environment that the build needs, below that of the test (sanitizer options, say).
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// How its memory is limited.
    pub memory: MemoryLimit,
    /// Where it is put in memory.
    pub addresses: Addresses,
    /// Whether it waits to be forked for each run where it is asked to, as symbolic builds do.
    pub forks: bool,
}

/// Where the parts of a program are in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// In every run at the same place.
    #[default]
    Fixed,
    /// Somewhere else in each run, as they are for users: what is printed of them is noise. The numbers of processes
    /// vary as well.
    Random,
}

/// How the memory of a subject is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// By address space (an allocation fails) and by what is resident.
    AddressSpace(u64),
    /// Only by what is resident: a directly mapped shadow needs terabytes of addresses.
    Resident(u64),
}

/// What one run may use up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time; processor time is limited to the same, rounded up to seconds.
    pub time: Duration,
    /// Bytes kept of stdout, of stderr and of each file.
    pub keep: u64,
    /// Bytes printed on one stream after which the run is ended.
    pub output: u64,
    /// Bytes of all files together in the working directory.
    pub disk: u64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// Open files per process.
    pub open_files: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(10),
            keep: 1 << 20,
            output: 64 << 20,
            disk: 256 << 20,
            processes: 128,
            open_files: 256,
        }
    }
}
