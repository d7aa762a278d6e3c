//! Interruption: results so far are printed within a second.
//!
//! The first ^C or SIGTERM ends everything that has a deadline (`parallax_deadline`), and the verb
//! then prints its results. A second one ends the program at once. Some long work cannot check a
//! deadline: a pass of LLVM or an analysis runs to its end. So one thread watches, and if the verb
//! has not returned in time, it prints the last known result and ends the process. It does the same
//! when a budget is over and nothing has happened for long.

use std::{
    io::Write,
    sync::{
        Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The time that a verb has to return after a signal before the process is ended.
const GRACE: Duration = Duration::from_millis(600);
/// The interval at which the thread looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The signal that asked the program to end.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static WATCH: Mutex<Watch> =
    Mutex::new(Watch { end: None, builds: false, words: None, is_told: false });

/// A text to print and the exit status that goes with it.
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) status: u8,
}

/// The state of the watching thread.
struct Watch {
    /// The end of the budget, if there is one.
    end: Option<Instant>,
    /// Whether something is being built: there is no result yet.
    builds: bool,
    /// The last known result.
    words: Option<Box<dyn FnOnce() -> Words + Send>>,
    /// Whether the verb prints its result itself.
    is_told: bool,
}

extern "C" fn note(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::Relaxed);
    parallax_deadline::interrupt();
}

/// Makes ^C and SIGTERM end the verb's work instead of the program; a second one ends the program.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler: extern "C" fn(libc::c_int) = note;
        // SAFETY: the handler only stores to atomic variables. The structure is plain data, of which
        // all zeros is a value.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_RESTART | libc::SA_RESETHAND;
            libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut());
            libc::sigaction(libc::SIGTERM, &action, std::ptr::null_mut());
        }
        thread::spawn(watch);
    });
}

/// Whether the user asked for an end.
pub(crate) fn is_wanted() -> bool {
    parallax_deadline::is_interrupted()
}

/// The exit status of a program that a signal ended without a result, as a shell has it.
pub(crate) fn status() -> u8 {
    128_u8.saturating_add(u8::try_from(SIGNAL.load(Ordering::Relaxed)).unwrap_or_default())
}

/// Ends the process at this instant if it is still running.
pub(crate) fn end_at(end: Instant) {
    let mut watched = watched();
    (watched.end, watched.builds) = (Some(end), false);
}

/// Marks the start of a build, until [`end_at`]: a signal ends the process at once, and nothing
/// else does.
pub(crate) fn building() {
    let mut watched = watched();
    (watched.end, watched.builds) = (None, true);
}

/// Stores the result to print if the verb does not return in time.
pub(crate) fn remember(words: impl FnOnce() -> Words + Send + 'static) {
    watched().words = Some(Box::new(words));
}

/// Marks that the verb is about to print its result: from here on it has no time limit.
pub(crate) fn is_told() {
    watched().is_told = true;
}

fn watched() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    let mut asked = None;
    loop {
        thread::sleep(PAUSE);
        if is_wanted() {
            asked.get_or_insert_with(Instant::now);
        }
        let mut watched = watched();
        let grace = if watched.builds { Duration::ZERO } else { GRACE };
        let is_late = asked.is_some_and(|asked: Instant| asked.elapsed() >= grace);
        if watched.is_told {
            return;
        }
        if is_late || watched.end.is_some_and(|end| Instant::now() >= end) {
            end_now(watched.words.take());
        }
    }
}

/// Ends the process with the last known result. No destructors run: other threads go on using what
/// they would destroy.
fn end_now(words: Option<Box<dyn FnOnce() -> Words + Send>>) -> ! {
    let status = match words.map(|words| words()) {
        Some(Words { text, status }) => {
            let note =
                "\nnote: part of the work did not end in time; this is the last known result\n";
            // With stderr closed the message cannot be delivered.
            let _ = std::io::stderr().write_all(note.as_bytes());
            let mut stdout = std::io::stdout().lock();
            // A closed stdout wants no more.
            let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
            status
        }
        None if is_wanted() => status(),
        None => {
            let note = "\nparallax: failed to finish in time: the budget is used up\n";
            let _ = std::io::stderr().write_all(note.as_bytes());
            2
        }
    };
    // SAFETY: it does not return.
    unsafe { libc::_exit(status.into()) }
}
