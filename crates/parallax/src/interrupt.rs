//! Being asked to stop: what was found is still told, and within a second.
//!
//! The first ^C or SIGTERM ends everything that has a deadline (`parallax_deadline`), and the verb then
//! tells what there is. A second one ends the program at once. Not all that takes long can look at a
//! deadline: a pass of LLVM or an analysis runs to its end. So one thread watches, and if the verb has not
//! come back in time, it tells what was known last and ends the process. It does the same when a budget is
//! over and nothing has happened for long.

use std::{
    io::Write,
    sync::{
        Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long a verb has to come back after a signal before the process is ended without it.
const GRACE: Duration = Duration::from_millis(600);
/// How often the thread looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The signal that has asked for an end.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static WATCH: Mutex<Watch> =
    Mutex::new(Watch { end: None, builds: false, words: None, is_told: false });

/// A text to print and the exit status that goes with it.
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) status: u8,
}

/// What the thread goes by.
struct Watch {
    /// When it is all over, if there is a budget.
    end: Option<Instant>,
    /// Whether something is being built: there is nothing to come back with, and nothing to tell yet.
    builds: bool,
    /// What was known last.
    words: Option<Box<dyn FnOnce() -> Words + Send>>,
    /// Whether the verb tells its result itself.
    is_told: bool,
}

extern "C" fn note(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::Relaxed);
    parallax_deadline::interrupt();
}

/// From now on ^C and SIGTERM end what the verb does and not the program; a second one ends the program.
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

/// The exit status of a program that a signal has ended with nothing to tell, as a shell has it.
pub(crate) fn status() -> u8 {
    128_u8.saturating_add(u8::try_from(SIGNAL.load(Ordering::Relaxed)).unwrap_or_default())
}

/// Ends the process at this instant if it is still there.
pub(crate) fn end_at(end: Instant) {
    let mut watched = watched();
    (watched.end, watched.builds) = (Some(end), false);
}

/// Something is being built until [`end_at`] says otherwise: a signal ends the process at once, and nothing else
/// does.
pub(crate) fn building() {
    let mut watched = watched();
    (watched.end, watched.builds) = (None, true);
}

/// Remembers what is to be told if the verb itself does not come to it.
pub(crate) fn remember(words: impl FnOnce() -> Words + Send + 'static) {
    watched().words = Some(Box::new(words));
}

/// The verb is about to tell its result: from here on it takes as long as it takes.
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

/// Ends the process with what was known last. No destructors run: other threads go on using what they
/// would destroy.
fn end_now(words: Option<Box<dyn FnOnce() -> Words + Send>>) -> ! {
    let status = match words.map(|words| words()) {
        Some(Words { text, status }) => {
            let note = "\nnote: a part of the work did not end in time; this is what was known\n";
            // With stderr closed the message cannot be delivered.
            let _ = std::io::stderr().write_all(note.as_bytes());
            let mut stdout = std::io::stdout().lock();
            // Whoever has closed it wants no more.
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
