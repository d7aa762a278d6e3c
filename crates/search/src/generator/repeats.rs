//! Flips of branches to where other runs have been: another path there may lead on.

use super::{Generator, Quota, Room, Round, flips::TESTS};
use crate::{knowledge::Knowledge, worker::Job};

/// Takes flips of the frontier that are unlikely to lead to something new.
pub(crate) struct Repeats;

impl Generator for Repeats {
    fn name(&self) -> &'static str {
        "repeats"
    }

    fn purpose(&self) -> &'static str {
        "flips branches to where runs have been, on other paths"
    }

    fn quota(&self) -> Quota {
        Quota { even: 16.0, bounds: 4..=32, room: Room::Solved }
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let batches =
            knowledge.with_judge(|frontier, judge| frontier.take_repeated(TESTS, quota, judge));
        batches.into_iter().map(Job::Flips).collect()
    }
}
