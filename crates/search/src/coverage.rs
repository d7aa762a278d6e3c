//! Which places of a program were reached.

use std::collections::BTreeSet;

/// The ways of a program's own branches, and those that some run has gone.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    branches: BTreeSet<u32>,
    seen: BTreeSet<u32>,
}

impl Coverage {
    /// Nothing is covered. `branches` are the places of all ways of all branches.
    pub fn new(branches: impl IntoIterator<Item = u32>) -> Coverage {
        Coverage { branches: branches.into_iter().collect(), seen: BTreeSet::new() }
    }

    /// Adds what a run has covered, and says how many ways of branches are new.
    pub fn add(&mut self, places: &[u32]) -> usize {
        let new = places.iter().filter(|place| self.branches.contains(place));
        new.filter(|place| self.seen.insert(**place)).count()
    }

    /// Whether a way was gone.
    pub fn has(&self, place: u32) -> bool {
        self.seen.contains(&place)
    }

    /// How many ways there are.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// How many of them were gone.
    pub fn covered(&self) -> usize {
        self.seen.len()
    }

    /// The ways that were gone.
    pub fn seen(&self) -> impl Iterator<Item = u32> + '_ {
        self.seen.iter().copied()
    }
}
