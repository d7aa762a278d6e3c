//! Splices: tests with parts of two others. One test may leave behind what another one needs.
//!
//! Pairs that may lead to a change, or show what it does, come first, then pairs of any two tests one after the
//! other, then random parts of any two.

use super::{Generator, Quota, Room, Round};
use crate::{
    knowledge::{Knowledge, Observed},
    mutation::{Material, crossed},
    pairs::{Pairs, Urgent},
    splice::{joined, named_alike},
    worker::{Depth, Diverged, Job},
};

/// Tests of two of which one came near to a change, or shows nothing of one, in each round.
const URGENT: usize = 16;
/// Those of them whose seam is flipped.
const MEETING: usize = 4;

/// Makes one test of two.
#[derive(Default)]
pub(crate) struct Splice {
    pairs: Pairs,
}

impl Generator for Splice {
    fn name(&self) -> &'static str {
        "splice"
    }

    fn purpose(&self) -> &'static str {
        "makes one test of two"
    }

    fn quota(&self) -> Quota {
        Quota { even: 24.0, bounds: 8..=128, room: Room::Chance }
    }

    fn observe(&mut self, observed: &Observed<'_>, knowledge: &Knowledge) {
        let Observed { ran, test, discovery } = observed;
        let kept = knowledge.corpus.kept();
        let before = &kept[..kept.len() - usize::from(discovery.is_kept())];
        let follows_effects = knowledge.policy.follows_effects();
        if discovery.is_new_path && follows_effects {
            self.pairs.add_executing(test, before);
        }
        if discovery.is_kept() {
            for approach in &discovery.approaches {
                self.pairs.add_near(test, *approach, before);
            }
            self.pairs.add(test, true, before);
            if follows_effects && !ran.relation.alone.is_empty() {
                self.pairs.add_divergent(test, kept);
            } else if follows_effects && !ran.relation.executed.is_empty() {
                self.pairs.add_executing(test, kept);
            }
        } else if discovery.is_first && (discovery.says_new || discovery.novelty.words > 0) {
            self.pairs.add(test, false, kept);
        }
        if discovery.is_notable() {
            self.pairs.add_notable(test);
        }
    }

    fn observe_divergence(&mut self, diverged: &Diverged, knowledge: &Knowledge) {
        if let Some(near) = diverged.near.as_ref().filter(|_| diverged.diverges) {
            self.pairs.add_divergent(&near.test, knowledge.corpus.kept());
        }
    }

    fn propose(&mut self, quota: usize, round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let mut urgent = Vec::new();
        while quota > 0 && urgent.len() < URGENT {
            let Some(Urgent { pair: (one, other), is_divergent }) = self.pairs.next_urgent() else {
                break;
            };
            urgent.extend(joined(&one, &other).into_iter().map(|made| (made, is_divergent)));
        }
        let mut joins = Vec::new();
        while urgent.len() + joins.len() < quota {
            let Some((one, other)) = self.pairs.next() else { break };
            joins.extend(joined(&one, &other).into_iter().map(|(test, _)| test));
        }
        let crosses = quota.saturating_sub(urgent.len() + joins.len());
        let mut chance = knowledge.chance.clone();
        let material = Material::of(knowledge, round);
        let crosses: Vec<_> =
            (0..crosses).filter_map(|_| crossed(&mut chance, &material)).collect();
        knowledge.chance = chance;
        let corpus = &knowledge.corpus;
        let crosses = joins.into_iter().chain(crosses);
        let crosses = crosses.filter(|test| corpus.is_wanted(test)).map(Job::Run);
        let is_word = |word: &[u8]| knowledge.tokens.program.iter().any(|known| known == word);
        let alike = urgent.iter().flat_map(|((test, seam), _)| named_alike(test, seam, &is_word));
        let alike: Vec<_> = alike.filter(|test| corpus.is_wanted(test)).map(Job::Run).collect();
        urgent.retain(|((test, _), is_divergent)| {
            corpus.is_wanted(test) || (*is_divergent && corpus.is_allowed(test))
        });
        let urgent = urgent.into_iter().enumerate();
        let urgent = urgent.map(|(number, ((test, seam), is_divergent))| match () {
            // Only the consequences of the first part are missing.
            () if is_divergent => Job::splice(test, seam, Depth::All),
            () if number < MEETING => Job::splice(test, seam, Depth::Some),
            () => Job::Run(test),
        });
        urgent.chain(alike).chain(crosses).collect()
    }
}
