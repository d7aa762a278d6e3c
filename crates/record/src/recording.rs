//! One whole recording: put the recorder in place, run the suite, put the program back, count.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use crate::command::Signals;
use crate::environment;
use crate::install::{self, Installation, Restoration};
use crate::journal::{Journal, SkipReason};
use crate::sidecar::{Digest, Sidecar};
use crate::trailer;

/// The time for which programs that the command left running may delay the end.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The options of a recording.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The program whose invocations become tests; it may be a symbolic link or a script.
    pub bin: PathBuf,
    /// The directory the tests go to; made if it is not there.
    pub out: PathBuf,
    /// The command that runs the suite, and its arguments.
    pub command: Vec<OsString>,
    /// An executable whose `main` calls [`crate::recorder_main_if_recorder`] first.
    pub recorder: PathBuf,
}

/// The result of a recording. How the command ended is a fact, not an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordSummary {
    /// Distinct tests written, or written again.
    pub tests: usize,
    /// Times the program was started.
    pub invocations: usize,
    /// Invocations that did not become tests, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// Invocations whose opened files could not be seen; their tests hold the files that the
    /// arguments name.
    pub unobserved: usize,
    /// Invocations that had not ended a few seconds after the command had.
    pub unfinished: usize,
    /// The state in which the program was left.
    pub restoration: Restoration,
    /// Whether, and how, the program was first restored from a recording that had been killed.
    pub recovered: Option<Restoration>,
    /// The signal that asked the recording to end and was passed on to the command.
    pub interrupted: Option<i32>,
    /// The ending of the command.
    pub status: ExitStatus,
}

/// The reason why a recording was not possible.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The program does not exist, or is not a program.
    #[error("find the program {}", path.display())]
    Program {
        /// As the user named it.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another recording has replaced the program.
    #[error("record {}: another recording of it is running", path.display())]
    Busy {
        /// The program.
        path: PathBuf,
    },
    /// The executable that stands in for the program cannot be read.
    #[error("read the recorder {}", path.display())]
    Recorder {
        /// The executable.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The output directory cannot be used.
    #[error("use the output directory {}", path.display())]
    Output {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The program cannot be replaced.
    #[error("put the recorder in the place of {}", path.display())]
    Install {
        /// The program.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The program cannot be put back; it is beside its place, as `….parallax-real`.
    #[error("put the program {} back in its place", path.display())]
    Restore {
        /// The program.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The command that runs the suite cannot be started.
    #[error("run {}", command.display())]
    Command {
        /// The command without its arguments.
        command: OsString,
        /// The error of the system.
        source: io::Error,
    },
}

/// A recording that is under way: the recorder is in place and the journal open.
#[derive(Debug)]
pub struct Recording {
    installation: Installation,
    journal: Journal,
    recovered: Option<Restoration>,
}

impl Recording {
    /// Records every invocation of the program while the command runs, and restores the program.
    ///
    /// `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` to this process are passed on to the command meanwhile. One
    /// recording at a time in one process.
    ///
    /// # Errors
    /// If the program cannot be replaced or restored, or the command cannot be started. A command
    /// that fails is no error.
    pub fn run(options: &RecordOptions) -> Result<RecordSummary, RecordError> {
        let signals = Signals::catch();
        let recording = Recording::begin(options)?;
        let status = signals.run(&options.command);
        let summary = recording.end(status, options);
        Ok(RecordSummary { interrupted: signals.caught(), ..summary? })
    }

    fn begin(options: &RecordOptions) -> Result<Recording, RecordError> {
        let path = install::resolve(&options.bin)?;
        let recovered = install::recover(&path)?;
        require_program(&path)?;
        let recorder = std::fs::read(&options.recorder)
            .map_err(|source| RecordError::Recorder { path: options.recorder.clone(), source })?;
        let recorder = trailer::append(recorder, &path);
        let (out, journal) = open_output(&options.out)?;
        let sidecar = Sidecar {
            program: path.clone(),
            recorder: Digest::of(&recorder),
            state: journal.directory().to_path_buf(),
            out,
            baseline: environment::of_this_process(),
        };
        match Installation::install(&path, &recorder, &sidecar) {
            Ok(installation) => Ok(Recording { installation, journal, recovered }),
            Err(source) => {
                let _ = journal.remove();
                Err(RecordError::Install { path, source })
            }
        }
    }

    fn end(
        self,
        status: io::Result<ExitStatus>,
        options: &RecordOptions,
    ) -> Result<RecordSummary, RecordError> {
        let restoration = self.installation.restore();
        let settled = self.journal.settle(LONGEST_WAIT);
        let tally = self.journal.tally();
        let removed = self.journal.remove();
        let in_output = |source| RecordError::Output { path: options.out.clone(), source };
        let (restoration, status) =
            (restoration?, status.map_err(|source| not_started(options, source))?);
        let tally =
            settled.and(tally).and_then(|tally| removed.map(|()| tally)).map_err(in_output)?;
        Ok(RecordSummary {
            tests: tally.names.len(),
            invocations: tally.seen,
            skipped: tally.skipped,
            unobserved: tally.unobserved,
            unfinished: tally.seen.saturating_sub(tally.ended),
            restoration,
            recovered: self.recovered,
            interrupted: None,
            status,
        })
    }
}

fn not_started(options: &RecordOptions, source: io::Error) -> RecordError {
    RecordError::Command { command: options.command.first().cloned().unwrap_or_default(), source }
}

fn require_program(path: &Path) -> Result<(), RecordError> {
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => refuse("not a regular file"),
        Ok(_) => trailer::program_of(path).map_or(Ok(()), |original| {
            let original = original.display();
            refuse(&format!("a copy made while {original} was recorded, to be made again"))
        }),
        Err(source) => Err(source),
    }
    .map_err(|source| RecordError::Program { path: path.to_path_buf(), source })
}

fn open_output(out: &Path) -> Result<(PathBuf, Journal), RecordError> {
    let open = || {
        std::fs::create_dir_all(out)?;
        let out = out.canonicalize()?;
        let journal = Journal::create(&out)?;
        Ok((out, journal))
    };
    open().map_err(|source| RecordError::Output { path: out.to_path_buf(), source })
}
