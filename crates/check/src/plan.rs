//! Shares out the time budget of a command.
//!
//! One budget pays for everything in a verb but its initial builds, which are counted separately. A
//! search ends a little before its budget does if its results need more work: memory errors, where
//! effects end, which change a finding belongs to. Work in progress at the end may take a little
//! longer than the budget, and not more.

use std::time::{Duration, Instant};

use parallax_deadline::Deadline;

use crate::{Message, Sink};

/// The time after the budget to finish and to print the result.
const AFTER: Duration = Duration::from_millis(1500);
/// The time after that until a stuck process is ended.
const STUCK: Duration = Duration::from_millis(1000);
/// The least time for one part of the work.
const LEAST: Duration = Duration::from_millis(500);
/// The same for parts that have to build first.
const LEAST_BUILDING: Duration = Duration::from_secs(4);
/// The most time that is reserved for the work after a search.
const MOST_KEPT: Duration = Duration::from_secs(20);
/// The budget if there is none: longer than anything takes.
const NO_BUDGET: Duration = Duration::from_secs(1 << 30);

/// A budget and the start of its clock.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    start: Instant,
    budget: Duration,
    /// The time of builds.
    builds: Duration,
}

impl Plan {
    /// A budget whose clock starts now.
    pub fn new(budget: Duration, sink: &dyn Sink) -> Plan {
        let plan = Plan { start: Instant::now(), budget, builds: Duration::ZERO };
        plan.announce(sink);
        plan
    }

    /// The same for verbs that need not have a budget.
    pub fn optional(budget: Option<Duration>, sink: &dyn Sink) -> Plan {
        Plan::new(budget.unwrap_or(NO_BUDGET), sink)
    }

    /// Runs a build, which the budget does not cover.
    pub fn build<T>(&mut self, what: &str, sink: &dyn Sink, make: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        sink.take(Message::Building);
        let made = make();
        let time = start.elapsed();
        self.start += time;
        self.builds += time;
        self.announce(sink);
        sink.take(Message::Built { what, time, has_budget: self.budget < NO_BUDGET });
        made
    }

    fn announce(&self, sink: &dyn Sink) {
        if let Some(end) = self.start.checked_add(self.most() + STUCK) {
            sink.take(Message::EndsAt(end));
        }
    }

    /// The budget that the user gave.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// The time of builds so far.
    pub fn builds(&self) -> Duration {
        self.builds
    }

    fn most(&self) -> Duration {
        self.budget + self.budget / 20 + AFTER
    }

    /// The end of the budget, for verbs that only have to print the result after it.
    pub fn used_up(&self) -> Deadline {
        Deadline::NEVER.within(self.search())
    }

    /// The end of everything.
    pub fn end(&self) -> Deadline {
        Deadline::NEVER.within(self.most().saturating_sub(self.start.elapsed()))
    }

    /// The deadline for one part of the work besides the search.
    pub(crate) fn share(&self) -> Deadline {
        self.end().within((self.budget / 10).max(LEAST))
    }

    /// The same for parts that need builds of their own, of which so much was spent before.
    pub(crate) fn share_of_builds(&self, spent: Duration) -> Deadline {
        self.end().within((self.budget / 3).max(LEAST_BUILDING).saturating_sub(spent))
    }

    /// The deadline for the static analysis.
    pub(crate) fn analysis(&self) -> Deadline {
        self.end().within(self.budget / 5)
    }

    /// The time left for a search.
    pub fn search(&self) -> Duration {
        self.budget.saturating_sub(self.start.elapsed())
    }

    /// Whether only the time for the work after a search is left.
    pub(crate) fn is_for_the_rest(&self) -> bool {
        let kept = (self.budget / 8).max(2 * LEAST).min(MOST_KEPT).min(self.budget / 2);
        self.search() <= kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn no_plan_promises_more_than_there_is() {
        for seconds in [1, 5, 20, 60, 3600] {
            let budget = Duration::from_secs(seconds);
            let plan = Plan { start: Instant::now(), budget, builds: Duration::ZERO };
            let promised = budget.mul_f64(1.1) + Duration::from_secs(3);
            assert!(plan.most() + STUCK < promised, "{seconds}");
            assert!(plan.share().left() <= plan.end().left() && plan.search() <= budget);
            assert!(!plan.is_for_the_rest());
        }
    }

    #[test]
    fn builds_are_not_paid_for() {
        let mut plan = Plan::new(Duration::from_secs(3600), &Silent);
        let before = plan.search();
        plan.build("it", &Silent, || std::thread::sleep(Duration::from_millis(60)));
        assert!(plan.builds() >= Duration::from_millis(60));
        assert!(before - plan.search() < Duration::from_millis(50));
    }
}
