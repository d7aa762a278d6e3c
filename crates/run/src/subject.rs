//! The program that a test case runs on, and its limits.

use std::{path::PathBuf, time::Duration};

/// A program to run, as the user built it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The executable.
    pub program: PathBuf,
    /// Its `argv[0]`: the same for both versions, so that messages compare.
    pub name: Vec<u8>,
    /// Directories with shared libraries of the program's own build, for `LD_LIBRARY_PATH`.
    pub library_path: Vec<PathBuf>,
    /// Environment that the build needs, below that of the test (sanitizer options, say).
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// The kind of its memory limit.
    pub memory: MemoryLimit,
    /// The choice of its addresses.
    pub addresses: Addresses,
    /// Whether it can wait to be forked for each run, as symbolic builds do.
    pub forks: bool,
}

/// The choice of addresses for the parts of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// The same addresses in every run.
    #[default]
    Fixed,
    /// Other addresses in each run, as for users: printed addresses are noise. The numbers of
    /// processes vary as well.
    Random,
}

/// The kind of a subject's memory limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// Limits address space (an allocation fails) and resident memory.
    AddressSpace(u64),
    /// Limits resident memory only: a directly mapped shadow needs terabytes of addresses.
    Resident(u64),
}

/// The limits of one run.
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
