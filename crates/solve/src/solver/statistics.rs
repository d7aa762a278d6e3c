//! Who answered what.

use std::{collections::BTreeMap, time::Duration};

use super::Solution;

/// Who can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answerer {
    /// Sets of bytes.
    Bytes,
    /// The same question was asked before.
    Cache,
    /// The model of another question.
    Models,
    /// The guided search.
    Search,
    /// An SMT solver.
    Smt,
}

/// Answers, and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// A solution was found.
    pub found: u64,
    /// There is none.
    pub impossible: u64,
    /// It is not known.
    pub unknown: u64,
    /// The time that all of these took.
    pub time: Duration,
}

/// Answers by who gave them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// What each has answered.
    pub tallies: BTreeMap<Answerer, Tally>,
    /// Models of an SMT solver that turned out to be none.
    pub wrong_models: u64,
}

impl Statistics {
    pub(super) fn count(&mut self, by: Answerer, solution: &Solution, time: Duration) {
        let tally = self.tallies.entry(by).or_default();
        match solution {
            Solution::Found(_) => tally.found += 1,
            Solution::Impossible => tally.impossible += 1,
            Solution::Unknown => tally.unknown += 1,
        }
        tally.time += time;
    }

    /// All of them together.
    pub fn total(&self) -> Tally {
        self.tallies.values().fold(Tally::default(), |sum, tally| sum + *tally)
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            found: self.found + other.found,
            impossible: self.impossible + other.impossible,
            unknown: self.unknown + other.unknown,
            time: self.time + other.time,
        }
    }
}

impl std::ops::AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, other: &Statistics) {
        for (by, tally) in &other.tallies {
            let sum = self.tallies.entry(*by).or_default();
            *sum = *sum + *tally;
        }
        self.wrong_models += other.wrong_models;
    }
}

impl std::fmt::Display for Answerer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Answerer::Bytes => "sets of bytes",
            Answerer::Cache => "cache",
            Answerer::Models => "models again",
            Answerer::Search => "search",
            Answerer::Smt => "smt",
        })
    }
}
