//! How long to wait for a run: programs that do not end must not use up all the time there is.

use std::{collections::HashSet, time::Duration};

use parallax_run::{Ending, Limits};

/// How many times as long as usual a run may take, and what it may take in any case.
const TIMES: u32 = 50;
const AT_LEAST: Duration = Duration::from_millis(250);
/// How many runs the usual time is an average of.
const RUNS: u32 = 16;

/// How long runs of a program take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patience {
    usual: Duration,
    /// The longest that a run took that ended when it was given all its time.
    slowest: Duration,
    /// Places at which runs were stuck.
    stuck: HashSet<u32>,
}

impl Patience {
    /// The limits of a run with a time that is enough in all likelihood.
    pub(crate) fn limits(&self, limits: &Limits) -> Limits {
        let time = (self.usual * TIMES).max(self.slowest * 2).max(AT_LEAST).min(limits.time);
        Limits { time, ..limits.clone() }
    }

    /// Says how long a run took that has ended.
    pub(crate) fn learn(&mut self, time: Duration) {
        self.usual = match self.usual {
            Duration::ZERO => time,
            usual => (usual * (RUNS - 1) + time) / RUNS,
        };
    }

    /// Whether runs that are stopped at this place are known to be stuck there.
    pub(crate) fn is_stuck(&self, place: u32) -> bool {
        self.stuck.contains(&place)
    }

    /// Says how a run ended, and when, that was stopped at this place and then given all its time.
    pub(crate) fn judge(&mut self, place: u32, ending: Ending, time: Duration) {
        match ending {
            Ending::TimeLimit => drop(self.stuck.insert(place)),
            _ => self.slowest = self.slowest.max(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_a_multiple_of_what_is_usual_within_the_limit() {
        let limits = Limits { time: Duration::from_secs(10), ..Limits::default() };
        let mut patience = Patience::default();
        assert_eq!(patience.limits(&limits).time, AT_LEAST);
        patience.learn(Duration::from_millis(20));
        assert_eq!(patience.limits(&limits).time, Duration::from_secs(1));
        patience.learn(Duration::from_secs(60));
        assert_eq!(patience.limits(&limits).time, limits.time);
    }

    #[test]
    fn a_slow_run_that_ends_makes_for_more_patience_and_a_stuck_one_does_not() {
        let limits = Limits::default();
        let mut patience = Patience::default();
        assert!(!patience.is_stuck(7));
        patience.judge(7, Ending::TimeLimit, Duration::from_secs(10));
        assert!(patience.is_stuck(7));
        assert_eq!(patience.limits(&limits).time, AT_LEAST);
        patience.judge(8, Ending::Exit(0), Duration::from_secs(1));
        assert_eq!(patience.limits(&limits).time, Duration::from_secs(2));
    }
}
