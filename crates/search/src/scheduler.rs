//! How much of each round every generator gets.
//!
//! A generator's share follows what its inputs have brought for their cost, compared with those of all others.
//! Costs are counted, not measured in time, so that a campaign goes the same way each time.

use std::collections::BTreeMap;

use crate::{
    Expense,
    generator::{Quota, Room},
};

/// Rounds after which what they brought counts half.
const MEMORY: u64 = 32;
/// Of inputs that are made without solving, a generator has room for one for so many flips as long as those lead
/// on; after so many rounds that have brought nothing the number does not double any more.
const UNSOLVED: usize = 16;
const MOST_STALLED: u32 = 10;

/// What a few tries cost.
const FEW_RUNS: u64 = 100 * Expense::RUN;

/// What generators have brought lately.
#[derive(Default)]
pub(crate) struct Scheduler {
    yields: BTreeMap<&'static str, Yield>,
    rounds: u64,
}

impl Scheduler {
    /// Takes note of what the inputs of a generator have cost and brought.
    pub(crate) fn learn(&mut self, generator: &'static str, cost: u64, worth: u64) {
        self.yields.entry(generator).or_default().add(cost, worth);
    }

    /// Ends a round.
    pub(crate) fn end_round(&mut self) {
        self.rounds += 1;
        if self.rounds.is_multiple_of(MEMORY) {
            self.yields.values_mut().for_each(Yield::fade);
        }
    }

    /// How many inputs a generator may make in a round of which this is left.
    pub(crate) fn grant(&self, generator: &'static str, quota: &Quota, left: &mut Left) -> usize {
        let share = self.share(generator, quota).min(left.runs);
        match quota.room {
            Room::Solved => share,
            Room::Unsolved(times) => share.min(left.unsolved.saturating_mul(times)),
            Room::Chance => {
                let granted = share.min(left.chance);
                left.chance -= granted;
                granted
            }
        }
    }

    /// How many inputs a generator should make by what it has brought.
    fn share(&self, generator: &'static str, quota: &Quota) -> usize {
        let all = self.yields.values().fold(Yield::default(), |mut all, own| {
            all.add(own.cost, own.worth);
            all
        });
        let own = self.yields.get(generator).copied().unwrap_or_default();
        let count = quota.even * own.rate() / all.rate();
        (count.round() as usize).clamp(*quota.bounds.start(), *quota.bounds.end())
    }
}

/// What is left of a round.
pub(crate) struct Left {
    /// Runs until the campaign has to end.
    pub(crate) runs: usize,
    /// Inputs that a generator may make without solving, and those that may be made by chance altogether.
    unsolved: usize,
    chance: usize,
}

impl Left {
    /// Of a round that has only solved so far.
    pub(crate) fn of(runs: usize) -> Left {
        Left { runs, unsolved: 0, chance: 0 }
    }

    /// Makes room for inputs that are not solved for. Where it is known which way to go, going there is worth more
    /// than all that chance may bring: as long as that leads on, and the less, the longer it has not.
    pub(crate) fn make_room(&mut self, flips: usize, is_guided: bool, stalled: u32) {
        let doubled = flips.saturating_mul(1 << stalled.min(MOST_STALLED));
        let is_free = flips == 0 || !is_guided;
        self.unsolved = if is_free { usize::MAX } else { (doubled / UNSOLVED).max(1) };
        self.chance = self.unsolved;
    }

    /// Takes off the inputs that were made.
    pub(crate) fn take(&mut self, inputs: usize) {
        self.runs = self.runs.saturating_sub(inputs);
    }
}

/// What the inputs of a generator have brought.
#[derive(Clone, Copy, Debug, Default)]
struct Yield {
    cost: u64,
    worth: u64,
}

impl Yield {
    fn add(&mut self, cost: u64, worth: u64) {
        self.cost += cost;
        self.worth += worth;
    }

    fn fade(&mut self) {
        self.cost /= 2;
        self.worth /= 2;
    }

    /// What they have brought for their cost; without any, as much as could be expected of a few tries.
    fn rate(&self) -> f64 {
        (self.worth as f64 + 1.0) / (self.cost as f64 + FEW_RUNS as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota = Quota { even: 24.0, bounds: 8..=128, room: Room::Unsolved(1) };

    fn left(runs: usize, flips: usize, stalled: u32) -> Left {
        let mut left = Left::of(runs);
        left.make_room(flips, true, stalled);
        left
    }

    #[test]
    fn a_generator_that_brings_more_for_its_cost_gets_more_within_its_bounds() {
        let mut scheduler = Scheduler::default();
        scheduler.learn("rich", 10 * FEW_RUNS, 500);
        scheduler.learn("poor", 10 * FEW_RUNS, 0);
        let grant = |name| scheduler.grant(name, &QUOTA, &mut left(1000, 0, 0));
        assert!(grant("rich") > 24 && grant("poor") == 8, "{} {}", grant("rich"), grant("poor"));
    }

    #[test]
    fn what_was_long_ago_counts_little() {
        let mut scheduler = Scheduler::default();
        scheduler.learn("rich", 10 * FEW_RUNS, 500);
        scheduler.learn("poor", 10 * FEW_RUNS, 0);
        let grant = |scheduler: &Scheduler| scheduler.grant("rich", &QUOTA, &mut left(1000, 0, 0));
        let before = grant(&scheduler);
        (0..20 * MEMORY).for_each(|_| scheduler.end_round());
        assert!(grant(&scheduler) < before);
    }

    #[test]
    fn inputs_without_solving_wait_as_long_as_flips_lead_on() {
        let scheduler = Scheduler::default();
        assert_eq!(scheduler.grant("one", &QUOTA, &mut left(1000, 32, 0)), 2);
        assert_eq!(scheduler.grant("one", &QUOTA, &mut left(1000, 32, 3)), 16);
        assert_eq!(scheduler.grant("one", &QUOTA, &mut left(1000, 0, 0)), 24);
        assert_eq!(scheduler.grant("one", &QUOTA, &mut left(5, 0, 0)), 5);
    }

    #[test]
    fn what_is_made_by_chance_shares_one_room() {
        let scheduler = Scheduler::default();
        let quota = Quota { room: Room::Chance, ..QUOTA };
        let mut left = left(1000, 16 * 30, 0);
        assert_eq!(scheduler.grant("one", &quota, &mut left), 24);
        assert_eq!(scheduler.grant("other", &quota, &mut left), 6);
    }
}
