//! What a campaign has done.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use parallax_abi::Counter;
use parallax_solve::Statistics;

use crate::{Obstacle, Promise};

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
    /// Inputs that were run and those that went where they were meant to, by what was known.
    pub promises: BTreeMap<Promise, (u64, u64)>,
    /// How many inputs of each generator were tried, and how many ways they were the first to go.
    pub found_by: BTreeMap<&'static str, (u64, u64)>,
    /// Flips that wait.
    pub waiting: usize,
    /// Flips that were dropped because others lead to the same place.
    pub forgotten: u64,
    /// Flips that turned out to be impossible, and those that nobody can tell about.
    pub impossible: u64,
    /// See `impossible`.
    pub unknown: u64,
    /// Answers of the solvers.
    pub answers: Statistics,
    /// Time of all workers together: solving, and running with reading traces.
    pub solving: Duration,
    /// See `solving`.
    pub running: Duration,
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
    /// Those of them after which the versions went different ways.
    pub diverged: BTreeSet<usize>,
    /// Tests that were given and of which not all may be changed.
    pub fixed: u64,
    /// Ways to part that are impossible, and those that nobody can tell about.
    pub divergences: (u64, u64),
    /// Tests of which not all ways to part are known, or not how they end.
    pub unclear: u64,
    /// What stands against a proof, of proof builds.
    pub obstacles: BTreeSet<Obstacle>,
    /// What the versions asked of the world around them, of proof builds.
    pub world: BTreeSet<String>,
    /// Flips that were not noted because one run had too many like them.
    pub skipped: u64,
}
