//! Two builds, and how their programs are run.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    time::UNIX_EPOCH,
};

use parallax_capture::Build;
use parallax_compare::Ignore;
use parallax_instrument::SymbolicBuild;
use parallax_run::{
    Addresses, Limits, MemoryLimit, Subject,
    lab::{Isolation, Lab},
};

use crate::{CheckError, Sink};

/// Numbers from here on are unlikely to match by chance.
const TELLING: u64 = 10_000;

/// The two sides of a comparison.
#[derive(Debug)]
pub struct Pair {
    /// The old version.
    pub old: Build,
    /// The new version.
    pub new: Build,
    /// The name that both run under.
    pub name: OsString,
}

impl Pair {
    /// The native programs, the old one first.
    pub fn subjects(&self, memory: u64) -> Result<[Subject; 2], CheckError> {
        Ok([subject(&self.old, &self.name, memory)?, subject(&self.new, &self.name, memory)?])
    }

    /// Adds properties of the builds to the ignored parts: a program may print the path of the tree
    /// it was built in, and the inodes and times of its file and of the directories above it.
    pub fn ignoring_place(&self, ignore: Ignore) -> Ignore {
        let programs = [&self.old.program, &self.new.program];
        let places = programs.into_iter().filter_map(|program| parallax_capture::slot_of(program));
        let ignore = places.fold(ignore, |ignore, place| ignore.and_text(&place.to_string_lossy()));
        let files = programs.into_iter().flat_map(|program| program.ancestors().take(3));
        let numbers = files.filter_map(|file| fs::metadata(file).ok()).flat_map(|file| {
            let made = file.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let made = made.map(|time| [time.as_secs(), u64::from(time.subsec_nanos())]);
            let [read, written, changed] = [
                [file.atime(), file.atime_nsec()],
                [file.mtime(), file.mtime_nsec()],
                [file.ctime(), file.ctime_nsec()],
            ];
            let times = [read, written, changed].into_iter().flatten();
            let times = times.filter_map(|number| u64::try_from(number).ok());
            times.chain(made.into_iter().flatten()).chain([file.ino()])
        });
        let telling: BTreeSet<_> = numbers.filter(|number| *number >= TELLING).collect();
        ignore.and_numbers(&Vec::from_iter(telling))
    }
}

/// The settings of runs.
#[derive(Clone, Debug)]
pub struct Running {
    /// The isolation of runs.
    pub isolation: Isolation,
    /// Limits of each run.
    pub limits: Limits,
    /// The most memory of a run, in bytes.
    pub memory: u64,
}

impl Default for Running {
    fn default() -> Running {
        Running { isolation: Isolation::Sandboxed, limits: Limits::default(), memory: 2 << 30 }
    }
}

impl Running {
    /// Starts labs, each on its processor if it has one, and notes once which parts of the sandbox
    /// are missing.
    pub fn start_labs(
        &self,
        count: usize,
        processors: &[usize],
        sink: &dyn Sink,
    ) -> Result<Vec<Lab>, CheckError> {
        let start = |number| match processors.get(number) {
            Some(processor) => Lab::start_on(self.isolation, *processor),
            None => Lab::start(self.isolation),
        };
        let labs: Result<Vec<_>, _> = (0..count).map(start).collect();
        let labs = labs.map_err(CheckError::of)?;
        if self.isolation == Isolation::Sandboxed {
            for lacking in labs.first().map(Lab::missing).unwrap_or_default() {
                sink.note(&format!("note: {lacking}"));
            }
        }
        Ok(labs)
    }

    /// Starts one lab.
    pub fn start_lab(&self, sink: &dyn Sink) -> Result<Lab, CheckError> {
        let mut labs = self.start_labs(1, &[], sink)?;
        labs.pop().ok_or_else(|| CheckError::failed("start a lab"))
    }
}

/// The native program of a build, to be run under `name`.
pub fn subject(build: &Build, name: &OsStr, memory: u64) -> Result<Subject, CheckError> {
    build.starts_anywhere().map_err(CheckError::of)?;
    // Sanitizers map terabytes of addresses that hold nothing.
    let (memory, env) = match build.has_shadow() {
        true => (MemoryLimit::Resident(memory), vec![sanitizer_options("detect_leaks=0")]),
        false => (MemoryLimit::AddressSpace(memory), Vec::new()),
    };
    Ok(Subject {
        program: build.program.clone(),
        name: name.as_bytes().to_vec(),
        library_path: build.library_path.clone(),
        env,
        memory,
        addresses: Addresses::Fixed,
        forks: false,
    })
}

/// A symbolic build as a subject with the settings of its native program.
pub fn traced(build: &SymbolicBuild, native: &Subject) -> Subject {
    let (MemoryLimit::AddressSpace(memory) | MemoryLimit::Resident(memory)) = native.memory;
    Subject {
        program: build.program.clone(),
        memory: MemoryLimit::Resident(memory),
        forks: true,
        ..native.clone()
    }
}

/// Settings of AddressSanitizer. Its search for leaks needs ptrace, which the sandbox forbids.
pub fn sanitizer_options(options: &str) -> (Vec<u8>, Vec<u8>) {
    (b"ASAN_OPTIONS".to_vec(), options.as_bytes().to_vec())
}
