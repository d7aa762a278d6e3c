//! The state in which this process was started, before Rust's runtime changed it.
//!
//! The runtime ignores `SIGPIPE` and opens `/dev/null` on closed standard descriptors before `main`.
//! An `exec` would hand both on to the program, so a constructor notes how things were, and
//! [`restore`] puts them back.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::sys;

static PIPE_WAS_IGNORED: AtomicBool = AtomicBool::new(false);
static WAS_CLOSED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Restores the state that the program must find as the caller left it.
pub(crate) fn restore() {
    if !PIPE_WAS_IGNORED.load(Ordering::Relaxed) {
        // SAFETY: sets a default action.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    }
    for (fd, closed) in (0..).zip(&WAS_CLOSED) {
        if closed.load(Ordering::Relaxed) {
            sys::close_standard(fd);
        }
    }
}

// SAFETY: the loader calls each entry of this section once, before `main`, as a C function.
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE_AT_START: extern "C" fn() = note;

extern "C" fn note() {
    // SAFETY: only asks; both structures may be all zeroes, and no runtime is needed.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGPIPE, std::ptr::null(), &mut action);
        PIPE_WAS_IGNORED.store(action.sa_sigaction == libc::SIG_IGN, Ordering::Relaxed);
        for (fd, closed) in (0..).zip(&WAS_CLOSED) {
            closed.store(libc::fcntl(fd, libc::F_GETFD) < 0, Ordering::Relaxed);
        }
    }
}
