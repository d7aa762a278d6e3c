//! The meaning of a system call under the filter, for the monitor.

use std::io;
use std::path::{Path, PathBuf};

use libc::c_int;

use crate::notify::{Call, Directory};

/// A call, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A file is opened.
    Open {
        /// Absolute.
        path: PathBuf,
        /// As `open` takes them.
        flags: c_int,
    },
    /// A file gets another name.
    Rename {
        /// Absolute.
        from: PathBuf,
        /// Absolute.
        to: PathBuf,
    },
    /// Up to so many bytes are read from descriptor 0.
    Read {
        /// The number of bytes.
        wanted: usize,
    },
    /// Descriptor 0 may be waited for or read from in a way the filter does not see.
    OtherUse,
    /// The state of descriptor 0 is queried.
    NoUse,
}

impl Question {
    /// Reads the meaning of the call from its arguments and the memory of its caller.
    pub(crate) fn of(call: &Call) -> io::Result<Question> {
        #[cfg(target_arch = "x86_64")]
        if let Some(question) = legacy(call) {
            return question;
        }
        match call.number {
            libc::SYS_openat => open(call, Directory::Argument(0), 1, call.args[2]),
            libc::SYS_openat2 => {
                let [flags] = call.numbers(call.args[2])?;
                open(call, Directory::Argument(0), 1, flags)
            }
            libc::SYS_renameat | libc::SYS_renameat2 => Ok(Question::Rename {
                from: call.path(Directory::Argument(0), 1)?,
                to: call.path(Directory::Argument(2), 3)?,
            }),
            libc::SYS_read => Ok(Question::Read { wanted: call.args[2] as usize }),
            libc::SYS_readv => wanted_by_parts(call).map(|wanted| Question::Read { wanted }),
            libc::SYS_fcntl => {
                Ok(by_command(call, &[libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_SETFL]))
            }
            libc::SYS_ioctl => Ok(by_command(call, &[libc::FIONREAD as c_int])),
            _ => Ok(Question::OtherUse),
        }
    }
}

/// Whether opening the path opens descriptor 0 once more.
pub(crate) fn is_stdin(path: &Path) -> bool {
    let of_a_process = path.starts_with("/proc") && path.ends_with("fd/0");
    of_a_process || path == Path::new("/dev/stdin") || path == Path::new("/dev/fd/0")
}

#[cfg(target_arch = "x86_64")]
fn legacy(call: &Call) -> Option<io::Result<Question>> {
    let created = (libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC) as u64;
    match call.number {
        libc::SYS_open => Some(open(call, Directory::Working, 0, call.args[1])),
        libc::SYS_creat => Some(open(call, Directory::Working, 0, created)),
        libc::SYS_rename => Some(rename_in_working_directory(call)),
        _ => None,
    }
}

#[cfg(target_arch = "x86_64")]
fn rename_in_working_directory(call: &Call) -> io::Result<Question> {
    let (from, to) = (call.path(Directory::Working, 0)?, call.path(Directory::Working, 1)?);
    Ok(Question::Rename { from, to })
}

fn open(call: &Call, directory: Directory, argument: usize, flags: u64) -> io::Result<Question> {
    Ok(Question::Open { path: call.path(directory, argument)?, flags: flags as c_int })
}

fn by_command(call: &Call, uses: &[c_int]) -> Question {
    match uses.contains(&(call.args[1] as c_int)) {
        true => Question::OtherUse,
        false => Question::NoUse,
    }
}

/// The sum over the parts of a `readv`; the first sixteen are enough to feed it.
fn wanted_by_parts(call: &Call) -> io::Result<usize> {
    let mut wanted = 0_usize;
    for part in 0..call.args[2].min(16) {
        let [_, length] = call.numbers(call.args[1] + 16 * part)?;
        wanted = wanted.saturating_add(length as usize);
    }
    Ok(wanted)
}
