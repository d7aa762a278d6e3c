//! System calls that the lab decides on while a run waits: rare ones, of which seccomp tells.
//!
//! * System V shared memory, semaphores and message queues outlive the process that made them, and even
//!   where all of them are removed again, the numbers of the next ones tell that there were some. A
//!   lab has an IPC namespace of its own, and gets a new one after each run that has asked for any of
//!   them. A namespace for each run would take a twentieth of a short one.
//! * A lock on a file outside, which `flock` gives to all that can read the file, would be seen by runs
//!   in other labs. So it is granted without any effect. Between processes of one run it
//!   has none either, which is the price.

use std::{
    io,
    mem::MaybeUninit,
    os::fd::{AsRawFd, OwnedFd, RawFd},
};

use libc::{c_int, c_long};

use super::sys;

/// Calls that are decided on.
pub(super) const CALLS: [c_long; 4] =
    [libc::SYS_shmget, libc::SYS_semget, libc::SYS_msgget, libc::SYS_flock];

/// What decides, in a lab with namespaces.
pub(super) struct Arbiter {
    /// Readable when a process has made such a call. Without, nothing is known of them.
    calls: Option<OwnedFd>,
    has_used_ipc: bool,
}

/// What becomes of a call.
enum Decision {
    /// The kernel does what it would have done.
    GoOn,
    /// It succeeds and does nothing.
    Pretend,
}

impl Arbiter {
    /// One that hears of `calls`.
    pub(super) fn new(calls: Option<OwnedFd>) -> Arbiter {
        Arbiter { calls, has_used_ipc: false }
    }

    /// What to wait on; -1 if there is nothing.
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
                libc::SYS_flock => lock(call.pid, call.data.args[0] as c_int),
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

    /// Gives this process an empty IPC namespace if a run has used the old one, and tells whether
    /// that was so.
    pub(super) fn renew_ipc(&mut self) -> io::Result<bool> {
        if self.calls.is_some() && !self.has_used_ipc {
            return Ok(false);
        }
        self.has_used_ipc = false;
        // SAFETY: no memory is passed.
        sys::check(unsafe { libc::unshare(libc::CLONE_NEWIPC) }).map(|_| true)
    }
}

/// Whether a process locks what is its run's own. All else is mounted read-only.
fn lock(process: u32, descriptor: c_int) -> Decision {
    let path = sys::c_string(format!("/proc/{process}/fd/{descriptor}").as_bytes());
    match path.and_then(|path| sys::is_read_only(&path)) {
        Ok(true) => Decision::Pretend,
        // If it is not open, the kernel says so.
        Ok(false) | Err(_) => Decision::GoOn,
    }
}

fn answer(calls: RawFd, call: u64, decision: &Decision) -> io::Result<()> {
    let go_on = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
    // SAFETY: it is valid as zeros, and laid out as the kernel has it.
    sys::check(unsafe {
        let mut answer = MaybeUninit::<libc::seccomp_notif_resp>::zeroed().assume_init();
        answer.id = call;
        answer.flags = if let Decision::GoOn = decision { go_on } else { 0 };
        libc::ioctl(calls, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer)
    })
    .map(drop)
}
