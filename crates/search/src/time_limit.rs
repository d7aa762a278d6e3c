//! How long a run may take: programs that do not end must not use up all the time there is.

use std::{collections::HashSet, time::Duration};

use parallax_run::{Ending, Limits};

/// How many times as long as usual a run may take, and what it may take in any case.
const TIMES: u32 = 50;
const AT_LEAST: Duration = Duration::from_millis(250);
/// How many runs the usual time is an average of.
const RUNS: u32 = 16;

/// The limits of runs of a program, with a time that follows how long its runs take.
#[derive(Clone, Debug)]
pub(crate) struct TimeLimit {
    full: Limits,
    /// Whether the time follows the clock: a campaign of a number of runs is the same each time.
    adapts: bool,
    usual: Duration,
    /// The longest time of a run that ended when it was given all its time.
    slowest: Duration,
    /// Places at which runs were stuck.
    stuck: HashSet<u32>,
}

impl TimeLimit {
    pub(crate) fn new(full: Limits, adapts: bool) -> TimeLimit {
        let (usual, slowest) = (Duration::ZERO, Duration::ZERO);
        TimeLimit { full, adapts, usual, slowest, stuck: HashSet::new() }
    }

    /// The limits of a run with a time that is enough in all likelihood.
    pub(crate) fn limits(&self) -> Limits {
        if !self.adapts {
            return self.full.clone();
        }
        let time = (self.usual * TIMES).max(self.slowest * 2).max(AT_LEAST).min(self.full.time);
        Limits { time, ..self.full.clone() }
    }

    /// The limits of a run that is given all its time.
    pub(crate) fn full(&self) -> Limits {
        self.full.clone()
    }

    /// Notes how long a run took that has ended.
    pub(crate) fn learn(&mut self, time: Duration) {
        self.usual = match self.usual {
            Duration::ZERO => time,
            usual => (usual * (RUNS - 1) + time) / RUNS,
        };
    }

    /// Whether runs that are stopped at this place are known to be stuck there.
    pub(crate) fn is_stuck(&self, place: u32) -> bool {
        !self.adapts || self.stuck.contains(&place)
    }

    /// Notes how a run ended, and when, that was stopped at this place and then given all its time.
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

    fn limit(adapts: bool) -> TimeLimit {
        let time = Duration::from_secs(10);
        TimeLimit::new(Limits { time, ..Limits::default() }, adapts)
    }

    #[test]
    fn the_limit_is_a_multiple_of_the_usual_time_within_the_full_one() {
        let mut limit = limit(true);
        assert_eq!(limit.limits().time, AT_LEAST);
        limit.learn(Duration::from_millis(20));
        assert_eq!(limit.limits().time, Duration::from_secs(1));
        limit.learn(Duration::from_secs(60));
        assert_eq!(limit.limits().time, limit.full().time);
    }

    #[test]
    fn a_slow_run_that_ends_raises_the_limit_and_a_stuck_one_does_not() {
        let mut limit = limit(true);
        assert!(!limit.is_stuck(7));
        limit.judge(7, Ending::TimeLimit, Duration::from_secs(10));
        assert!(limit.is_stuck(7));
        assert_eq!(limit.limits().time, AT_LEAST);
        limit.judge(8, Ending::Exit(0), Duration::from_secs(1));
        assert_eq!(limit.limits().time, Duration::from_secs(2));
    }

    #[test]
    fn a_limit_that_does_not_adapt_is_the_full_one_whatever_runs_take() {
        let mut limit = limit(false);
        limit.learn(Duration::from_millis(1));
        assert_eq!(limit.limits().time, limit.full().time);
        assert!(limit.is_stuck(7), "no run is given more time");
    }
}
