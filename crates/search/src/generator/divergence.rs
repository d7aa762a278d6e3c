//! Inputs near a test on which the versions diverge, by relational queries over the paths of both.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
};

use super::{Generator, Quota, Room, Round};
use crate::{
    knowledge::{Knowledge, Observed},
    outcome::Ran,
    worker::{Diverged, Job, NearDivergence},
};

/// Looks for divergences near tests that execute a change.
#[derive(Default)]
pub(crate) struct Divergence {
    /// The tests that are looked at next.
    queue: VecDeque<NearDivergence>,
    /// The queries that were made, hashed.
    asked: Arc<HashSet<u64>>,
}

impl Generator for Divergence {
    fn name(&self) -> &'static str {
        "divergence"
    }

    fn purpose(&self) -> &'static str {
        "solves for inputs near a test on which the versions diverge"
    }

    fn quota(&self) -> Quota {
        Quota { even: 4.0, bounds: 2..=8, room: Room::Solved }
    }

    /// A test on which the versions were meant to diverge is looked at whatever path it takes: the
    /// other version takes one of its own.
    fn receive(&mut self, ran: &Ran, knowledge: &mut Knowledge) {
        if !ran.relation.executed.is_empty() {
            knowledge.corpus.add_path(ran.decisions.path);
            self.queue.push_front(NearDivergence::of(ran));
        }
    }

    fn observe(&mut self, Observed { ran, test, discovery }: &Observed<'_>, _: &Knowledge) {
        if discovery.is_new_path {
            self.queue.push_back(NearDivergence::of(ran));
        }
        // What is new beside a change is looked at before all that is like what was there.
        if discovery.is_kept()
            && let Some(at) = self.queue.iter().rposition(|near| near.test == **test)
            && let Some(near) = self.queue.remove(at)
        {
            self.queue.push_front(near);
        }
    }

    fn observe_divergence(&mut self, diverged: &Diverged, _: &Knowledge) {
        if !diverged.asked.is_empty() {
            Arc::make_mut(&mut self.asked).extend(&diverged.asked);
        }
        self.queue.extend(diverged.near.iter().filter(|_| diverged.has_more).cloned());
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        if !knowledge.policy.follows_effects() {
            self.queue.clear();
        }
        let count = self.queue.len().min(quota);
        let tests = self.queue.drain(..count);
        tests.map(|test| Job::diverge(test, Arc::clone(&self.asked))).collect()
    }
}
