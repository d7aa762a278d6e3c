//! What runs in the program's place: note the invocation, start a monitor, become the program.
//!
//! Whatever goes wrong on the way, the program runs; a recording may lose a test, a suite may not
//! lose a run. The recorder of a recording that was killed puts the program back and steps aside.

use std::ffi::CString;
use std::fs::Metadata;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::draft::Draft;
use crate::install::{self, Names};
use crate::journal::{Event, Journal, SkipReason};
use crate::monitor::{self, Observing};
use crate::sidecar::{self, Sidecar};
use crate::stdin::Stdin;
use crate::{environment, notify, startup, sys};

/// Becomes the recorded program if this executable stands in for one, and does not return then.
///
/// Otherwise returns `None`, after one `readlink` and one `access`. An exit status is returned if
/// this is a recorder and the program cannot be run. Call it first in `main`, before any thread.
pub fn recorder_main_if_recorder() -> Option<i32> {
    let exe = std::fs::read_link("/proc/self/exe").ok()?;
    if let Some(path) = replaced(&exe) {
        return Some(become_first_of(&[path]));
    }
    let names = Names::of(&exe);
    if !sys::exists(&sys::c_path(&names.sidecar).ok()?) {
        return None;
    }
    if let Ok(sidecar) = Sidecar::read(&names.sidecar) {
        match sidecar::take_over(&names.sidecar, Duration::ZERO) {
            Ok(Some(_lock)) => drop(install::abandon(&names)),
            _ => record(&names, &sidecar),
        }
    }
    Some(become_first_of(&[names.real, names.path]))
}

/// Where this executable was, if something else has taken its place since it was started.
fn replaced(exe: &Path) -> Option<PathBuf> {
    let path = exe.as_os_str().as_bytes().strip_suffix(b" (deleted)")?;
    let path = PathBuf::from(std::ffi::OsString::from_vec(path.to_vec()));
    (!exe.exists() && path.exists()).then_some(path)
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

/// Becomes the first of `programs` that is there; returns an exit status if none can be run.
fn become_first_of(programs: &[PathBuf]) -> i32 {
    startup::restore();
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for program in programs.iter().filter(|program| !is_this_executable(program)) {
        last = become_program(program);
        if last.kind() != io::ErrorKind::NotFound {
            break;
        }
    }
    // Nobody else knows: the caller of the program is a suite that has never heard of a recorder.
    let _ = writeln!(io::stderr(), "parallax: failed to run the recorded program: {last}");
    if last.kind() == io::ErrorKind::NotFound { 127 } else { 126 }
}

/// Whether running `program` would only start this recorder over again.
fn is_this_executable(program: &Path) -> bool {
    let identity = |path: &Path| path.metadata().map(|metadata| (metadata.dev(), metadata.ino()));
    match (identity(program), identity(Path::new("/proc/self/exe"))) {
        (Ok(program), Ok(this)) => program == this,
        _ => false,
    }
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
