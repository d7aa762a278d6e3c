//! What each kind of tries has brought lately, and how many of them there should be.

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::{Kind, Outcome};

#[derive(Default)]
pub(crate) struct Yields(BTreeMap<Kind, Yield>);

impl Yields {
    pub(crate) fn add(&mut self, kind: Kind, cost: u64, worth: u64) {
        self.0.entry(kind).or_default().add(cost, worth);
    }

    /// What was before counts half from now on.
    pub(crate) fn fade(&mut self) {
        self.0.values_mut().for_each(Yield::fade);
    }

    /// How many tries of a kind a round should have: `even` if they pay as well as all do.
    pub(crate) fn share(&self, kind: Kind, even: f64, bounds: RangeInclusive<usize>) -> usize {
        let all = self.0.values().fold(Yield::default(), |mut all, own| {
            all.add(own.cost, own.worth);
            all
        });
        let own = self.0.get(&kind).copied().unwrap_or_default();
        let count = even * own.rate() / all.rate();
        (count as usize).clamp(*bounds.start(), *bounds.end())
    }
}

/// What a try costs, in runs that are not traced: solvers take their time, the most where they find nothing.
pub(crate) fn cost_of(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Ran(ran) if ran.flip.is_some() => 4,
        Outcome::Ran(_) | Outcome::Gone => 2,
        Outcome::Impossible(_) => 2,
        Outcome::Unknown(_) => 40,
    }
}

/// What tries of a kind have brought.
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

    /// What it has brought for its cost; without any, as much as could be expected of a few tries.
    fn rate(&self) -> f64 {
        (self.worth as f64 + 1.0) / (self.cost as f64 + 100.0)
    }
}
