//! The recorder, which runs in the program's place: note the invocation, start a monitor, become
//! the program.
//!
//! After any failure on the way, the program still runs; a recording may lose a test, a suite may
//! not lose a run. The recorder of a recording that was killed puts the program back and steps
//! aside.
//!
//! A copy of the recorder is none: a suite that installs the program or copies its directory gets a
//! stand-in that runs the program, unrecorded, and touches nothing.

use std::ffi::CString;
use std::fs::Metadata;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::draft::Draft;
use crate::install::{self, Names};
use crate::journal::{self, Event, Journal, SkipReason};
use crate::monitor::{self, Observing};
use crate::sidecar::{self, Sidecar};
use crate::stdin::Stdin;
use crate::{environment, notify, startup, sys, trailer};

/// The exit status of a shell for a command that does not exist.
const NOT_RUN: i32 = 127;

/// Becomes the recorded program if this executable stands in for one, and does not return then.
///
/// Otherwise returns `None`, after one look at the end of its own file. An exit status is returned
/// if this is a recorder and the program cannot be run. Call it first in `main`, before any thread.
pub fn recorder_main_if_recorder() -> Option<i32> {
    let this = Path::new("/proc/self/exe");
    let names = Names::of(&trailer::program_of(this)?);
    // A recorder that has been replaced since it was started has another name here.
    let exe = std::fs::read_link(this).unwrap_or_default();
    if exe != names.path {
        return Some(become_first_of(&programs_for_copy(&exe, names)));
    }
    if let Ok(sidecar) = Sidecar::read(&names.sidecar)
        && sidecar.program == names.path
    {
        match sidecar::take_over(&names.sidecar, Duration::ZERO) {
            Ok(Some(_lock)) if !journal::is_alive(&sidecar.state) => drop(install::abandon(&names)),
            _ => record(&names, &sidecar),
        }
    }
    Some(become_first_of(&[names.real, names.path]))
}

/// The programs that a copy at `exe` of the recorder may run: its own copy of the program is best.
fn programs_for_copy(exe: &Path, original: Names) -> Vec<PathBuf> {
    let copy = Names::of(exe);
    // The files beside the copy were copied with it only if the sidecar says so.
    let of_original = |sidecar: Sidecar| sidecar.program == original.path;
    let copied = Sidecar::read(&copy.sidecar).is_ok_and(of_original).then_some(copy.real);
    copied.into_iter().chain([original.real, original.path]).collect()
}

/// Starts a monitor for this invocation.
fn record(names: &Names, sidecar: &Sidecar) {
    let Ok(journal) = Journal::join(&sidecar.state) else { return };
    journal.note(&Event::Seen);
    let Ok(draft) = draft_of_this_process(names, sidecar) else {
        return journal.note(&Event::Skipped(SkipReason::NotMonitored));
    };
    let observing = match can_be_observed(&names.real) {
        true => Observing::Opens,
        false => Observing::Arguments,
    };
    match Stdin::of_this_process() {
        Err(reason) => journal.note(&Event::Skipped(reason)),
        Ok(stdin) => {
            if monitor::start(draft, stdin, observing, &journal, &sidecar.out).is_err() {
                journal.note(&Event::Skipped(SkipReason::NotMonitored));
            }
        }
    }
}

fn draft_of_this_process(names: &Names, sidecar: &Sidecar) -> io::Result<Draft> {
    let args = std::env::args_os().skip(1).map(OsStringExt::into_vec).collect();
    let env = environment::set_by_caller(&sidecar.baseline, environment::of_this_process());
    let not_inputs =
        vec![names.path.clone(), names.real.clone(), names.sidecar.clone(), sidecar.out.clone()];
    Ok(Draft::new(args, env, std::env::current_dir()?, not_inputs))
}

/// Whether a filter can see the program's opens and leaves it the powers it has.
fn can_be_observed(program: &Path) -> bool {
    let privileged = program.metadata().map_or(true, |metadata| has_set_id(&metadata))
        || sys::c_path(program).map_or(true, |path| sys::has_capabilities(&path));
    !privileged && notify::speaks_native_calls(program)
}

fn has_set_id(metadata: &Metadata) -> bool {
    metadata.mode() & (libc::S_ISUID | libc::S_ISGID) != 0
}

/// Becomes the first of `programs` that can be run; returns an exit status if there is none.
fn become_first_of(programs: &[PathBuf]) -> i32 {
    startup::restore();
    let mut reason = io::Error::from(io::ErrorKind::NotFound);
    for program in programs {
        // A recorder would only start this over again.
        if trailer::program_of(program).is_none() {
            let error = become_program(program);
            if reason.kind() == io::ErrorKind::NotFound {
                reason = error;
            }
        }
    }
    let program = programs.last().map(|program| program.display().to_string()).unwrap_or_default();
    // Only this message reports it: the program's caller is a suite that does not know of a
    // recorder.
    let _ =
        writeln!(io::stderr(), "parallax: failed to run the recorded program {program}: {reason}");
    NOT_RUN
}

fn become_program(program: &Path) -> io::Error {
    let arguments = std::env::args_os().map(|text| CString::new(text.into_vec()));
    let (path, arguments) = match (sys::c_path(program), arguments.collect::<Result<Vec<_>, _>>()) {
        (Ok(path), Ok(arguments)) => (path, arguments),
        _ => return io::ErrorKind::InvalidInput.into(),
    };
    let error = sys::become_program(&path, &arguments);
    if error.raw_os_error() != Some(libc::ENOEXEC) {
        return error;
    }
    // A script without an interpreter line, which the calling shell would have read itself.
    let operands = arguments.into_iter().skip(1);
    let arguments: Vec<_> = [c"sh".to_owned(), path].into_iter().chain(operands).collect();
    sys::become_program(c"/bin/sh", &arguments)
}
