//! Counts of answers by answerer.

use std::{collections::BTreeMap, time::Duration};

use super::Solution;

/// A source of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answerer {
    /// Sets of bytes.
    Bytes,
    /// An earlier answer to the same query.
    Cache,
    /// The model of another query.
    Models,
    /// The guided search.
    Search,
    /// An SMT solver.
    Smt,
}

/// Answers, and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sat.
    pub found: u64,
    /// Unsat.
    pub impossible: u64,
    /// Unknown.
    pub unknown: u64,
    /// The time that all of these took.
    pub time: Duration,
}

/// Tallies by answerer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The answers of each.
    pub tallies: BTreeMap<Answerer, Tally>,
    /// Models of an SMT solver that evaluation refuted.
    pub wrong_models: u64,
    /// Operations that the guided search has evaluated, and units of work of the SMT solver:
    /// deterministic estimates.
    pub operations: u64,
    /// See `operations`.
    pub smt: u64,
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

impl Tally {
    /// How many answers there were.
    pub fn count(&self) -> u64 {
        self.found + self.impossible + self.unknown
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
        self.operations += other.operations;
        self.smt += other.smt;
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
