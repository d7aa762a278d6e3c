//! Interrupts libz3 when the user stops the run, or the time is over.
//!
//! Z3 checks its own time limit only where it counts work, and ignores signals. It can be
//! interrupted from another thread, which is the purpose of this one thread of the process.

use std::{
    sync::{Mutex, MutexGuard, Once, PoisonError},
    thread,
    time::Duration,
};

use parallax_deadline::Deadline;

use super::ffi::{self, RawContext};

/// Interval between looks at the deadlines.
const PAUSE: Duration = Duration::from_millis(25);

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// A context that is working.
struct Watched {
    raw: RawContext,
    deadline: Deadline,
}

// SAFETY: the pointer is only given to `Z3_interrupt`, which is meant to be called by other threads.
unsafe impl Send for Watched {}

/// Watches a context for as long as it lives.
pub(super) struct Watch(RawContext);

impl Watch {
    pub(super) fn over(raw: RawContext, deadline: Deadline) -> Watch {
        static THREAD: Once = Once::new();
        THREAD.call_once(|| drop(thread::spawn(interrupt_all)));
        watched().push(Watched { raw, deadline });
        Watch(raw)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        watched().retain(|watched| watched.raw != self.0);
    }
}

fn watched() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn interrupt_all() {
    loop {
        thread::sleep(PAUSE);
        for watched in watched().iter().filter(|watched| watched.deadline.is_over()) {
            // SAFETY: a context that is in the list is valid, and leaves it under the lock that is held.
            unsafe { ffi::Z3_interrupt(watched.raw) };
        }
    }
}
