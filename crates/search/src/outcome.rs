//! What became of one flip.

use std::collections::BTreeMap;

use parallax_abi::Counter;
use parallax_run::{Ending, TestCase};

use crate::{Flip, Relation, Target, decision::Decisions};

/// How much is known of an input before it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// It meets all conditions up to the flip.
    Exact,
    /// It meets the flip's own condition only.
    Optimistic,
    /// It meets all conditions up to the flip but those on the digits of numbers, which were written anew.
    Rewritten,
    /// A text in it was exchanged.
    Spliced,
    /// It has parts of two others.
    Crossed,
    /// It was given.
    Given,
}

/// What a worker has to say about a flip of a test.
#[derive(Debug)]
pub enum Outcome {
    /// An input was made and run.
    Ran(Box<Ran>),
    /// The flip to a target cannot be taken on this path.
    Infeasible(Target),
    /// The solvers gave up, or the decision was not met again: the run does not repeat itself.
    Unknown(Target),
    /// The token that was put in says nothing about the flip.
    Gone,
}

/// A way of a branch that a run has gone, together with a change that it has executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Beside {
    pub(crate) change: usize,
    /// The place of the way.
    pub(crate) place: u32,
    /// Whether only one of the versions has gone it.
    pub(crate) is_alone: bool,
}

/// A run of a new test.
#[derive(Debug)]
pub struct Ran {
    pub(crate) test: TestCase,
    pub(crate) flip: Option<Flip>,
    pub(crate) promise: Promise,
    /// Whether it went where it was meant to go.
    pub(crate) as_meant: bool,
    pub(crate) ending: Ending,
    pub(crate) decisions: Decisions,
    /// Places that no run has covered before, as far as its worker knew.
    pub(crate) places: Vec<u32>,
    /// Ways of branches that no run has gone before together with a change, as far as its worker knew.
    pub(crate) beside: Vec<Beside>,
    /// How many decisions were left to each change, if something new was covered.
    pub(crate) distances: Vec<Option<u32>>,
    pub(crate) counters: BTreeMap<Counter, u64>,
    pub(crate) unmodelled: Vec<String>,
    /// The run that this one is a smaller one of: its flips are others.
    pub(crate) whole: Option<Box<Ran>>,
    /// What the other version did, if there is one.
    pub(crate) relation: Relation,
}

impl Ran {
    /// What tells the paths of both versions from others.
    pub(crate) fn both(&self) -> (u64, u64) {
        (self.relation.old_path, self.decisions.path)
    }
}
