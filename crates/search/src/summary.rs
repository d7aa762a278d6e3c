//! What a campaign has done.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use parallax_abi::Counter;
use parallax_solve::Statistics;

use crate::{Expense, Obstacle, Promise};

/// What a generator has brought and cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// Jobs that it has proposed.
    pub jobs: u64,
    /// Inputs that were tried.
    pub tried: u64,
    /// Ways of branches that these were the first to go.
    pub new: u64,
    /// What its jobs cost.
    pub expense: Expense,
}

/// What a campaign has done so far.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs of the program with new inputs.
    pub runs: u64,
    /// Given tests that were not run, as there was no time.
    pub left_out: u64,
    /// Ways of branches that were gone.
    pub covered: usize,
    /// Ways of branches that there are.
    pub branches: usize,
    /// Tests that cover something new.
    pub kept: u64,
    /// Tests that end with a signal, each in another way.
    pub crashes: u64,
    /// Tests that do not end within their limits.
    pub hangs: u64,
    /// Inputs that were run and those that went where they were meant to, by what was known of them.
    pub promises: BTreeMap<Promise, (u64, u64)>,
    /// What each generator has brought and cost.
    pub generators: BTreeMap<&'static str, Share>,
    /// Flips that wait.
    pub waiting: usize,
    /// Flips that were dropped because others lead to the same place.
    pub forgotten: u64,
    /// Flips that are infeasible, and those that the solvers gave up.
    pub infeasible: u64,
    /// See `infeasible`.
    pub unknown: u64,
    /// Answers of the solvers.
    pub answers: Statistics,
    /// What given tests cost.
    pub given: Expense,
    /// The time that workers had nothing to do in, while others ended the last jobs of a round.
    pub waiting_time: Duration,
    /// Since the start.
    pub elapsed: Duration,
    /// What made traces less than exact, summed over all runs.
    pub approximations: BTreeMap<Counter, u64>,
    /// Functions without a model, by the number of runs that called them.
    pub unmodelled: BTreeMap<String, u64>,
    /// Whether there is nothing left to try.
    pub finished: bool,
    /// Whether it has paused and can go on.
    pub paused: bool,
    /// Runs of the other version.
    pub counterpart_runs: u64,
    /// Comparisons of both versions that looked different in nothing but noise that was learnt.
    pub learnt_noise: u64,
    /// The changes that were executed, with the number of the run that did so first.
    pub executed: BTreeMap<usize, u64>,
    /// Those of them after which the versions diverged.
    pub diverged: BTreeSet<usize>,
    /// Tests that were given and of which not all may be changed.
    pub fixed: u64,
    /// Divergences that are unsat, and those that the solvers gave up.
    pub divergences: (u64, u64),
    /// Tests of which not all divergences are known, or not how they end.
    pub unclear: u64,
    /// What stands against a proof, of proof builds.
    pub obstacles: BTreeSet<Obstacle>,
    /// What the versions asked of the world around them, of proof builds.
    pub world: BTreeSet<String>,
    /// Flips that were not noted because one run had too many like them.
    pub skipped: u64,
}

impl Summary {
    /// What all runs and queries cost.
    pub fn expense(&self) -> Expense {
        self.generators.values().fold(self.given, |sum, share| sum + share.expense)
    }
}
