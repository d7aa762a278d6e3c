//! Deadlines: an instant, or the user's interrupt, at which work has to end.
//!
//! One small value for both, passed down to everything that can take long, so that a budget and ^C
//! are obeyed by the same line of code. It is copied, never shared: a part of the work gets an
//! earlier deadline of its own ([`Deadline::within`]), and an interrupt reaches all of them at
//! once. The interrupt is one flag for the process, as the signal is.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Interval at which a sleep checks the interrupt flag.
const NAP: Duration = Duration::from_millis(20);

/// Interrupts everything that has a deadline. Safe to call in a signal handler.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether [`interrupt`] was called.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// An instant, or the user's interrupt, at which work has to end.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Option<Instant>,
    interrupted: &'static AtomicBool,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::NEVER
    }
}

impl Deadline {
    /// A deadline without an instant: only an interrupt ends it.
    pub const NEVER: Deadline = Deadline { at: None, interrupted: &INTERRUPTED };

    /// A deadline at this instant.
    pub fn at(instant: Instant) -> Deadline {
        Deadline { at: Some(instant), ..Deadline::NEVER }
    }

    /// This deadline with another interrupt flag.
    pub fn with_flag(self, interrupted: &'static AtomicBool) -> Deadline {
        Deadline { interrupted, ..self }
    }

    /// The earlier of this deadline and an instant.
    #[must_use]
    pub fn until(self, instant: Instant) -> Deadline {
        let at = self.at.map_or(instant, |at| at.min(instant));
        Deadline { at: Some(at), ..self }
    }

    /// The earlier of this deadline and the end of a time that begins now.
    #[must_use]
    pub fn within(self, time: Duration) -> Deadline {
        match Instant::now().checked_add(time) {
            Some(instant) => self.until(instant),
            None => self,
        }
    }

    /// This deadline, postponed; the interrupt flag stays the same.
    #[must_use]
    pub fn and_for(self, time: Duration) -> Deadline {
        Deadline { at: self.at.and_then(|at| at.checked_add(time)), ..self }
    }

    /// Whether the deadline has passed or the user has interrupted.
    pub fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// An error if the deadline is over.
    pub fn check(&self) -> Result<(), OutOfTime> {
        if self.is_over() { Err(OutOfTime) } else { Ok(()) }
    }

    /// A pace that checks this deadline once in many steps.
    pub fn pace(self) -> Pace {
        Pace { deadline: self, steps: 0 }
    }

    /// The time left; longer than any run takes if there is no instant.
    pub fn left(&self) -> Duration {
        if self.interrupted.load(Ordering::Relaxed) {
            return Duration::ZERO;
        }
        self.at.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
    }

    /// Whether the user has interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Sleeps; false if the deadline ended the sleep early.
    pub fn sleep(&self, time: Duration) -> bool {
        let start = Instant::now();
        loop {
            let rest = time.saturating_sub(start.elapsed());
            if rest.is_zero() {
                return true;
            }
            let pause = rest.min(NAP).min(self.left());
            if pause.is_zero() {
                return false;
            }
            thread::sleep(pause);
        }
    }
}

/// The error of work that had no time left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime;

impl fmt::Display for OutOfTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("finish in time")
    }
}

impl std::error::Error for OutOfTime {}

/// Checks a deadline once in many steps: cheap enough for the inside of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    deadline: Deadline,
    steps: u32,
}

impl Pace {
    /// Steps between two checks.
    const STRIDE: u32 = 1 << 12;

    /// Takes a step; an error if a check finds the deadline over.
    pub fn step(&mut self) -> Result<(), OutOfTime> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(Pace::STRIDE) { self.deadline.check() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sooner_deadline_counts() {
        static NO: AtomicBool = AtomicBool::new(false);
        let never = Deadline::NEVER.with_flag(&NO);
        assert!(!never.is_over() && never.left() == Duration::MAX);
        let soon = never.within(Duration::from_secs(5));
        assert!(soon.left() <= Duration::from_secs(5) && !soon.is_over());
        assert!(soon.within(Duration::from_secs(50)).left() <= Duration::from_secs(5));
        assert!(soon.within(Duration::ZERO).is_over());
        assert!(!never.within(Duration::MAX).is_over(), "a time without end is no deadline");
    }

    #[test]
    fn an_interruption_ends_a_sleep() {
        static YES: AtomicBool = AtomicBool::new(false);
        let deadline = Deadline::NEVER.with_flag(&YES);
        assert!(deadline.sleep(Duration::from_millis(1)));
        YES.store(true, Ordering::Relaxed);
        assert!(deadline.is_over() && deadline.left().is_zero());
        let start = Instant::now();
        assert!(!deadline.sleep(Duration::from_secs(60)));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_deadline_ends_a_sleep() {
        static NO: AtomicBool = AtomicBool::new(false);
        let deadline = Deadline::NEVER.with_flag(&NO).within(Duration::from_millis(30));
        assert!(!deadline.sleep(Duration::from_secs(60)));
        assert_eq!(deadline.check(), Err(OutOfTime));
        let mut pace = deadline.pace();
        assert!((0..Pace::STRIDE).any(|_| pace.step().is_err()));
    }
}
