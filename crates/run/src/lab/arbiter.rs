//! System calls that the lab decides on while a run waits: rare ones, reported by seccomp.
//!
//! * System V shared memory, semaphores and message queues outlive the process that made them, and
//!   even where all of them are removed again, the numbers of the next ones tell that there were
//!   some. A lab has an IPC namespace of its own, and gets a new one after each run that has asked
//!   for any of them. A namespace for each run would take a twentieth of a short one.
//! * A lock on a file outside, which `flock` and `fcntl` give to all that can read the file, would
//!   be seen by runs in other labs, and by later ones: a file in a queue of a socket which only
//!   that queue holds is closed some time after its process has ended. So such a lock is granted
//!   without any effect. Between processes of one run it has none either, which is the price.
//! * A program that a run tries to start and that does not exist may be one that the sandbox hides:
//!   it is noted and reported, unless a search along a path finds it in the end.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    mem::MaybeUninit,
    os::{
        fd::{AsRawFd, OwnedFd, RawFd},
        unix::fs::FileExt,
    },
};

use libc::{c_int, c_long};

use super::sys;

/// Calls that are decided on, whatever their arguments are. Of `fcntl`, only
/// [`LOCKING`] commands are.
pub(super) const CALLS: [c_long; 4] =
    [libc::SYS_shmget, libc::SYS_semget, libc::SYS_msgget, libc::SYS_flock];

/// Commands of `fcntl` that are decided on.
pub(super) const LOCKING: [c_int; 4] =
    [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// The arbiter of system calls, in a lab with namespaces.
pub(super) struct Arbiter {
    /// Readable when a process has made such a call. Without it, calls go unnoticed.
    calls: Option<OwnedFd>,
    has_used_ipc: bool,
    /// Programs that the run tried to start: the absent ones with the paths that were tried, and
    /// the present ones.
    absent: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
    present: BTreeSet<Vec<u8>>,
}

/// The decision on a call.
enum Decision {
    /// The kernel goes on with the call.
    GoOn,
    /// The call succeeds without effect.
    Pretend,
    /// The call fails with this error.
    Refuse(c_int),
}

impl Arbiter {
    /// An arbiter that receives `calls`.
    pub(super) fn new(calls: Option<OwnedFd>) -> Arbiter {
        let (absent, present) = Default::default();
        Arbiter { calls, has_used_ipc: false, absent, present }
    }

    /// The descriptor to wait on; -1 if there is none.
    pub(super) fn descriptor(&self) -> RawFd {
        self.calls.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Decides on a call that waits.
    pub(super) fn decide(&mut self) -> io::Result<()> {
        let Some(calls) = self.calls.as_ref().map(AsRawFd::as_raw_fd) else { return Ok(()) };
        // SAFETY: it is valid as zeros, which the kernel wants it to be, and laid out as it has it.
        let call = unsafe {
            let mut call = MaybeUninit::<libc::seccomp_notif>::zeroed().assume_init();
            sys::check(libc::ioctl(calls, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call))
                .map(|_| call)
        };
        let answered = call.and_then(|call| {
            let decision = match c_long::from(call.data.nr) {
                libc::SYS_flock => match is_outside(call.pid, call.data.args[0] as c_int) {
                    true => Decision::Pretend,
                    false => Decision::GoOn,
                },
                libc::SYS_fcntl => lock_range(call.pid, call.data.args),
                libc::SYS_execve => {
                    self.notice(call.pid, call.data.args[0]);
                    Decision::GoOn
                }
                _ => {
                    self.has_used_ipc = true;
                    Decision::GoOn
                }
            };
            answer(calls, call.id, &decision)
        });
        match answered {
            // The process has died in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            answered => answered,
        }
    }

    /// Notes a program that a process tries to start, and whether it exists.
    fn notice(&mut self, process: u32, name: u64) {
        let Some(path) = text_of(process, name).filter(|path| !path.is_empty()) else { return };
        let own = path.rsplit(|byte| *byte == b'/').next().unwrap_or(&path).to_vec();
        let found = match path.starts_with(b"/") {
            true => path.clone(),
            false => [format!("/proc/{process}/cwd/").as_bytes(), &path].concat(),
        };
        let Ok(found) = sys::c_string(&found) else { return };
        match sys::is_executable(&found) {
            Ok(()) => {
                self.present.insert(own);
            }
            Err(error) if is_absence(&error) && self.absent.len() < MOST_ABSENT => {
                self.absent.entry(own).or_default().insert(path);
            }
            Err(_) => {}
        }
    }

    /// The absent programs that a run tried to start: by their paths, or by their names if several
    /// paths were tried.
    pub(super) fn take_absent(&mut self) -> Vec<Vec<u8>> {
        let present = std::mem::take(&mut self.present);
        let absent = std::mem::take(&mut self.absent).into_iter();
        let absent = absent.filter(|(name, _)| !present.contains(name));
        let named = absent.map(|(name, mut paths)| match paths.len() {
            1 => paths.pop_first().unwrap_or(name),
            _ => name,
        });
        named.collect()
    }

    /// Gives this process an empty IPC namespace if a run has used the old one; tells whether it
    /// did.
    pub(super) fn renew_ipc(&mut self) -> io::Result<bool> {
        if self.calls.is_some() && !self.has_used_ipc {
            return Ok(false);
        }
        self.has_used_ipc = false;
        // SAFETY: no memory is passed.
        sys::check(unsafe { libc::unshare(libc::CLONE_NEWIPC) }).map(|_| true)
    }
}

/// The most absent programs that are reported.
const MOST_ABSENT: usize = 16;
/// The most bytes of a path.
const LONGEST_PATH: usize = libc::PATH_MAX as usize;

/// Whether a program cannot be executed because it does not exist, or is not executable for all.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR | libc::EACCES))
}

/// A text in the memory of a process.
fn text_of(process: u32, address: u64) -> Option<Vec<u8>> {
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    let (mut text, mut piece) = (Vec::new(), [0; 256]);
    while text.len() < LONGEST_PATH {
        let count = memory.read_at(&mut piece, address.checked_add(text.len() as u64)?).ok()?;
        match piece[..count].iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend_from_slice(&piece[..end]);
                return Some(text);
            }
            None if count == 0 => return None,
            None => text.extend_from_slice(&piece[..count]),
        }
    }
    None
}

/// Whether a file that a process has open is outside its run: everything outside is mounted
/// read-only. If it is not open, the kernel says so.
fn is_outside(process: u32, descriptor: c_int) -> bool {
    let path = sys::c_string(format!("/proc/{process}/fd/{descriptor}").as_bytes());
    path.and_then(|path| sys::is_read_only(&path)).unwrap_or(false)
}

/// Decides on a lock of a part of a file. The kernel must not go on with a lock on an outside file,
/// as the process may change its mind meanwhile: the kind of the lock is in its memory. So its
/// errors are returned here.
fn lock_range(process: u32, arguments: [u64; 6]) -> Decision {
    let descriptor = arguments[0] as c_int;
    if !is_outside(process, descriptor) {
        return Decision::GoOn;
    }
    let Some(kind) = short_at(process, arguments[2]) else {
        return Decision::Refuse(libc::EFAULT);
    };
    let access = open_flags(process, descriptor) & libc::O_ACCMODE;
    match c_int::from(kind) {
        libc::F_UNLCK => Decision::Pretend,
        libc::F_RDLCK if access == libc::O_WRONLY => Decision::Refuse(libc::EBADF),
        libc::F_WRLCK if access == libc::O_RDONLY => Decision::Refuse(libc::EBADF),
        libc::F_RDLCK | libc::F_WRLCK => Decision::Pretend,
        _ => Decision::Refuse(libc::EINVAL),
    }
}

/// A number in the memory of a process.
fn short_at(process: u32, address: u64) -> Option<i16> {
    let mut bytes = [0; 2];
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    memory.read_exact_at(&mut bytes, address).ok()?;
    Some(i16::from_ne_bytes(bytes))
}

/// The flags that a process has opened a file with.
fn open_flags(process: u32, descriptor: c_int) -> c_int {
    let info = fs::read_to_string(format!("/proc/{process}/fdinfo/{descriptor}"));
    let flags = info.ok().and_then(|info| {
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        c_int::from_str_radix(flags.trim(), 8).ok()
    });
    flags.unwrap_or_default()
}

fn answer(calls: RawFd, call: u64, decision: &Decision) -> io::Result<()> {
    let go_on = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
    // SAFETY: it is valid as zeros, and laid out as the kernel has it.
    sys::check(unsafe {
        let mut answer = MaybeUninit::<libc::seccomp_notif_resp>::zeroed().assume_init();
        answer.id = call;
        match decision {
            Decision::GoOn => answer.flags = go_on,
            Decision::Pretend => {}
            Decision::Refuse(error) => answer.error = -error,
        }
        libc::ioctl(calls, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer)
    })
    .map(drop)
}
