//! How the time that the user gives is shared out.
//!
//! One budget pays for all that a verb does but the builds that it begins with, which are told apart. A
//! search ends a little before its budget does if something is left to find out about what it has brought:
//! memory errors, where effects end, which change a finding belongs to. What is then still under way may
//! take a little longer than the budget, and not more.

use std::time::{Duration, Instant};

use parallax_deadline::Deadline;

use crate::{Message, Sink};

/// What there is in any case after the budget, to finish and to tell the result.
const AFTER: Duration = Duration::from_millis(1500);
/// How much later than that the process is ended if something is stuck.
const STUCK: Duration = Duration::from_millis(1000);
/// The least that one part of the work gets.
const LEAST: Duration = Duration::from_millis(500);
/// The same where something has to be built first.
const LEAST_BUILDING: Duration = Duration::from_secs(4);
/// The most that is kept back for what follows a search.
const MOST_KEPT: Duration = Duration::from_secs(20);
/// Where there is no budget: longer than anything takes.
const NO_BUDGET: Duration = Duration::from_secs(1 << 30);

/// A budget, from when its clock was started.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    start: Instant,
    budget: Duration,
    /// What builds have taken.
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

    /// Builds something, which the budget does not cover: that is told if it takes long.
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

    /// What the user gives.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// What builds have taken so far.
    pub fn builds(&self) -> Duration {
        self.builds
    }

    fn most(&self) -> Duration {
        self.budget + self.budget / 20 + AFTER
    }

    /// When the budget is used up: verbs that have no more to do than to tell the result end then.
    pub fn used_up(&self) -> Deadline {
        Deadline::NEVER.within(self.search())
    }

    /// When everything has to end.
    pub fn end(&self) -> Deadline {
        Deadline::NEVER.within(self.most().saturating_sub(self.start.elapsed()))
    }

    /// When one part of the work has to end that is not the search.
    pub(crate) fn share(&self) -> Deadline {
        self.end().within((self.budget / 10).max(LEAST))
    }

    /// The same for what needs builds of its own, of which so much was spent before.
    pub(crate) fn share_of_builds(&self, spent: Duration) -> Deadline {
        self.end().within((self.budget / 3).max(LEAST_BUILDING).saturating_sub(spent))
    }

    /// When no more is found out about the code before anything runs.
    pub(crate) fn analysis(&self) -> Deadline {
        self.end().within(self.budget / 5)
    }

    /// How long a search may take from now on.
    pub fn search(&self) -> Duration {
        self.budget.saturating_sub(self.start.elapsed())
    }

    /// Whether only so much is left as what follows a search should have.
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
