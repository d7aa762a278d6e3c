//! Flips of branches that may lead to something new.

use super::{Generator, Quota, Room, Round};
use crate::{cost::LONG, knowledge::Knowledge, strategy::Order, worker::Job};

/// Tests whose flips are taken before what came of them is looked at. It does not depend on the
/// number of workers, so that what is found does not either.
pub(super) const TESTS: usize = 4;
/// Flips to where other runs have been that are near to a change, in each round; and if rounds have brought nothing
/// for long.
const NEAR: usize = 8;
const MORE_NEAR: usize = 128;

/// Takes the most promising flips of the frontier.
pub(crate) struct Flips;

impl Generator for Flips {
    fn name(&self) -> &'static str {
        "flips"
    }

    fn purpose(&self) -> &'static str {
        "flips branches to where no run has been"
    }

    fn quota(&self) -> Quota {
        Quota { even: 0.0, bounds: usize::MAX..=usize::MAX, room: Room::Solved }
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        // Deepest first means one after the other.
        let (tests, most) = match knowledge.policy.order() {
            Order::Ranked => (TESTS, quota),
            Order::Random => (TESTS, quota.min(TESTS)),
            Order::Deepest => (1, quota.min(1)),
        };
        let near = if knowledge.stalled < LONG { NEAR } else { MORE_NEAR };
        let batches = knowledge
            .with_judge(|frontier, judge| frontier.take_promising(tests, (most, near), judge));
        batches.into_iter().map(Job::Flips).collect()
    }
}
