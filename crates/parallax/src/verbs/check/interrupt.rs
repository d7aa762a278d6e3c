//! Being asked to stop: what was found is still told.

use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_: libc::c_int) {
    WANTED.store(true, Ordering::Relaxed);
}

/// From now on ^C ends the search and not the program; a second one ends the program.
pub(super) fn listen() {
    let handler: extern "C" fn(libc::c_int) = note;
    // SAFETY: the handler only stores to an atomic variable. The structure is plain data, of which
    // all zeros is a value.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_RESETHAND;
        libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut());
        libc::sigaction(libc::SIGTERM, &action, std::ptr::null_mut());
    }
}

/// Whether somebody asked for an end.
pub(super) fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
