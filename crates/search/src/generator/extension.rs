//! Tests that go on a little longer: a program that has seen the end of its input asks no more questions about
//! what could have come.

use std::{collections::VecDeque, sync::Arc};

use parallax_run::TestCase;

use super::{Generator, Quota, Room, Round};
use crate::{
    knowledge::{Knowledge, Observed},
    splice::{longer, roomy, with_longer_lines},
    worker::Job,
};

/// How many of the less urgent ones wait.
const MOST_LATER: usize = 2000;

/// Extends tests.
#[derive(Default)]
pub(crate) struct Extension {
    /// Extensions of tests that have covered something.
    pending: VecDeque<TestCase>,
    /// Extensions of tests that only got on inside a library function, or did something in a new way.
    later: Vec<TestCase>,
}

impl Generator for Extension {
    fn name(&self) -> &'static str {
        "extension"
    }

    fn purpose(&self) -> &'static str {
        "has tests go on a little longer"
    }

    fn quota(&self) -> Quota {
        Quota { even: 0.0, bounds: 8..=8, room: Room::Unsolved(1) }
    }

    fn observe(&mut self, Observed { test, discovery, .. }: &Observed<'_>, _: &Knowledge) {
        let test: &Arc<TestCase> = test;
        if discovery.is_kept() {
            if let Some(roomy) = roomy(test) {
                self.pending.push_front(roomy);
            }
            self.pending.extend(longer(test));
        } else if discovery.is_first && discovery.novelty.targets > 0 {
            self.later.extend(longer(test));
            self.later.drain(..self.later.len().saturating_sub(MOST_LATER));
        }
        if discovery.is_notable() {
            self.later.extend(with_longer_lines(test));
        }
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let Extension { pending, later } = self;
        let mut made: Vec<_> = pending.drain(..pending.len().min(quota)).collect();
        let rest = later.len().saturating_sub(quota - made.len());
        made.extend(later.drain(rest..));
        made.retain(|test| knowledge.corpus.is_wanted(test));
        made.into_iter().map(Job::Run).collect()
    }
}
