//! System V shared memory, semaphores and message queues.
//!
//! They outlive the process that made them, and even where all of them are removed again, the numbers
//! of the next ones tell that there were some. A lab has an IPC namespace of its own, and gets a new
//! one after each run that has asked for any of them. Seccomp tells: the calls that give access
//! to such things are let through by the server. That costs runs that do not make them nothing,
//! whereas a namespace for each run would take a twentieth of a short one.

use std::{
    io,
    mem::MaybeUninit,
    os::fd::{AsRawFd, OwnedFd, RawFd},
};

use super::sys;

/// The IPC namespace of a lab.
pub(super) struct Ipc {
    /// Readable when a process asks for something in it. Without, each run is taken to do that.
    requests: Option<OwnedFd>,
    is_used: bool,
}

impl Ipc {
    /// The namespace of this process, of whose `requests` seccomp tells.
    pub(super) fn new(requests: Option<OwnedFd>) -> Ipc {
        Ipc { requests, is_used: false }
    }

    /// What to wait on; -1 if there is nothing.
    pub(super) fn descriptor(&self) -> RawFd {
        self.requests.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Lets a process go on that has asked for something.
    pub(super) fn let_through(&mut self) -> io::Result<()> {
        let Some(requests) = &self.requests else { return Ok(()) };
        self.is_used = true;
        // SAFETY: both structures are valid as zeros, and the kernel wants the first one to be so;
        // they are laid out as it has them.
        let result = sys::check(unsafe {
            let mut request = MaybeUninit::<libc::seccomp_notif>::zeroed().assume_init();
            let mut answer = MaybeUninit::<libc::seccomp_notif_resp>::zeroed().assume_init();
            let requests = requests.as_raw_fd();
            match libc::ioctl(requests, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut request) {
                0 => {
                    answer.id = request.id;
                    answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
                    libc::ioctl(requests, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer)
                }
                failed => failed,
            }
        });
        match result {
            // The process has died in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result.map(drop),
        }
    }

    /// Gives this process an empty namespace if a run has used the old one, and tells whether that
    /// was so.
    pub(super) fn renew_if_used(&mut self) -> io::Result<bool> {
        if self.requests.is_some() && !self.is_used {
            return Ok(false);
        }
        self.is_used = false;
        // SAFETY: no memory is passed.
        sys::check(unsafe { libc::unshare(libc::CLONE_NEWIPC) }).map(|_| true)
    }
}
