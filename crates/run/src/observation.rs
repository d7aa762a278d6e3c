//! The observation: all that a user could have seen of one run.

mod capture;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use capture::Capture;

/// All that is visible of one run of one test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The ending of the run.
    pub ending: Ending,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// The files that it created, changed or removed in its working directory, by relative path,
    /// and in its own `/tmp` and `/dev/shm`, by absolute path.
    pub files: BTreeMap<Vec<u8>, FileChange>,
}

/// Every ending of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It exited with this status.
    Exit(i32),
    /// This signal ended it.
    Signal(i32),
    /// It was still running when its time was up.
    TimeLimit,
    /// It was ended because it, with all it started, held too much memory.
    MemoryLimit,
    /// It was ended because it printed too much.
    OutputLimit,
}

/// The first bytes of an output or a file that may have been longer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// The bytes that were kept.
    pub bytes: Vec<u8>,
    /// The number of all bytes; more than `bytes.len()` if the cap was reached.
    pub total: u64,
    /// A digest of the bytes beyond those that were kept; 0 if there are none. It distinguishes
    /// rests, and is no secret and no proof: two rests with the same digest can be made on purpose.
    pub rest: u64,
}

impl Captured {
    /// A capture of which all was kept.
    pub fn whole(bytes: impl Into<Vec<u8>>) -> Captured {
        let bytes = bytes.into();
        Captured { total: bytes.len() as u64, bytes, rest: 0 }
    }
}

/// The change of one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileChange {
    /// It was not there before.
    Created(FileState),
    /// It was there and is different now.
    Changed(FileState),
    /// It was there and is gone.
    Removed,
}

impl FileChange {
    /// The new state of the path.
    pub fn state(&self) -> Option<&FileState> {
        match self {
            FileChange::Created(state) | FileChange::Changed(state) => Some(state),
            FileChange::Removed => None,
        }
    }

    /// The contents of a file that is there now.
    pub fn captured(&self) -> Option<&Captured> {
        match &self.state()?.contents {
            Contents::File(captured) => Some(captured),
            Contents::Symlink(_) | Contents::Directory | Contents::Special => None,
        }
    }
}

/// The state of a path after a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// Its kind and its contents.
    pub contents: Contents,
    /// Its permission bits, as `chmod` takes them.
    pub mode: u32,
}

/// The kinds of contents at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contents {
    /// A regular file and its contents.
    File(Captured),
    /// A symbolic link and its target.
    Symlink(Vec<u8>),
    /// A directory.
    Directory,
    /// A fifo, a socket, a device.
    Special,
}
