//! What a flip costs on the way to a difference.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Guide, Nearness, Policy, Target};

/// Cost of flips that do not decide about a change that no run has executed; and the lower costs after so many rounds
/// without a new test.
const INDIRECT: u32 = 14;
const STALLED: [(u32, u32); 2] = [(32, 4), (LONG, 8)];
/// Rounds that have brought nothing after which something else should be tried.
pub(crate) const LONG: u32 = 8;
/// Of flips that may have to do with what becomes of a change that was executed.
const EXECUTED: u32 = 2;
/// Of flips that cannot help, where they are taken at all.
const USELESS: u32 = 24;
/// Decisions more than the nearest ones that are near as well: what gives those their values.
const A_LITTLE: u32 = 3;
/// Decisions more than that are not told apart.
const FARTHEST: u32 = 12;

/// What flips cost now.
pub(crate) struct Costs<'g> {
    guide: Option<&'g dyn Guide>,
    policy: &'g Policy,
    /// The changes that no run has executed, and those whose effect was not observed.
    unreached: BTreeSet<usize>,
    reached: BTreeSet<usize>,
    indirect: u32,
}

/// Whether flips cost less after so many rounds that have brought nothing than they did.
pub(crate) fn is_turning_point(stalled: u32) -> bool {
    STALLED.iter().any(|(rounds, _)| *rounds == stalled)
}

impl<'g> Costs<'g> {
    pub(crate) fn new(
        guide: Option<&'g dyn Guide>,
        policy: &'g Policy,
        executed: &BTreeMap<usize, u64>,
        stalled: u32,
        done: &BTreeSet<usize>,
    ) -> Costs<'g> {
        let guide = guide.filter(|_| policy.is_guided());
        let changes = guide.map_or(0, |guide| guide.changes().len());
        let open = (0..changes).filter(|change| !done.contains(change));
        let (reached, unreached) = open.partition(|change| executed.contains_key(change));
        let indirect = STALLED.iter().find(|(rounds, _)| *rounds <= stalled);
        let indirect = indirect.map_or(INDIRECT, |(_, cost)| *cost);
        Costs { guide, policy, unreached, reached, indirect }
    }

    /// Whether a flip leads as near, or almost as near, to a change that no run has executed as the nearest run
    /// came.
    pub(crate) fn is_near(&self, target: &Target, nearest: &BTreeMap<usize, u32>) -> bool {
        let Some(guide) = self.guide else { return false };
        self.unreached.iter().any(|change| match guide.nearness(target, *change) {
            Nearness::Steps(steps) => {
                nearest.get(change).is_some_and(|least| steps <= least + A_LITTLE)
            }
            Nearness::Before | Nearness::After | Nearness::Nothing => false,
        })
    }

    /// What a flip costs; `None` if it cannot help.
    pub(crate) fn of(&self, target: &Target) -> Option<u32> {
        let Some(guide) = self.guide else { return Some(0) };
        let towards = |change: &usize| match guide.nearness(target, *change) {
            Nearness::Steps(steps) => Some(steps.min(FARTHEST)),
            // What happens inside a library function seldom leads to where nothing else does.
            Nearness::Before if target.model_site == 0 => Some(self.indirect),
            Nearness::Before => Some(INDIRECT),
            Nearness::After | Nearness::Nothing => None,
        };
        let beyond = |change: &usize| match guide.nearness(target, *change) {
            Nearness::Nothing if self.policy.follows_effects() => None,
            _ => Some(EXECUTED),
        };
        let unreached = self.unreached.iter().filter_map(towards);
        let least = unreached.chain(self.reached.iter().filter_map(beyond)).min();
        least.or((!self.policy.prunes()).then_some(USELESS))
    }
}
