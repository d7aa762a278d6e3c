//! Ways of making inputs.
//!
//! Each is one file and one line in [`all`]. A generator observes what runs have brought, and proposes jobs
//! within a quota that the [scheduler](crate::scheduler) gives it. What it remembers between rounds is its own;
//! what several need is [knowledge](crate::knowledge).

mod dictionary;
mod divergence;
mod extension;
mod flips;
mod growth;
mod mutation;
mod repeats;
mod splice;

use std::ops::RangeInclusive;

use parallax_run::TestCase;

use crate::{
    knowledge::{Knowledge, Observed},
    outcome::Ran,
    worker::{Diverged, Job},
};

/// All generators, in the order in which they propose.
pub(crate) fn all() -> Vec<Box<dyn Generator>> {
    vec![
        Box::<divergence::Divergence>::default(),
        Box::new(flips::Flips),
        Box::new(repeats::Repeats),
        Box::<extension::Extension>::default(),
        Box::<dictionary::Dictionary>::default(),
        Box::<growth::Growth>::default(),
        Box::<splice::Splice>::default(),
        Box::new(mutation::Mutation),
    ]
}

/// A way of making inputs.
pub(crate) trait Generator: Send {
    /// What it is called on the command line and in statistics.
    fn name(&self) -> &'static str;

    /// What it does, as what follows its name.
    fn purpose(&self) -> &'static str;

    /// How many inputs it may make in a round.
    fn quota(&self) -> Quota;

    /// Takes note of a run of an input that it has made itself, before that is added to what is known.
    fn receive(&mut self, _ran: &Ran, _knowledge: &mut Knowledge) {}

    /// Takes note of any run that was added to what is known.
    fn observe(&mut self, _observed: &Observed<'_>, _knowledge: &Knowledge) {}

    /// Takes note of what came of looking for divergences near a test.
    fn observe_divergence(&mut self, _diverged: &Diverged, _knowledge: &Knowledge) {}

    /// The next jobs. Those that solve have no limit but the quota's on the inputs that may come of them.
    fn propose(&mut self, quota: usize, round: &Round, knowledge: &mut Knowledge) -> Vec<Job>;
}

/// What generators are told of the round that they propose for.
pub(crate) struct Round {
    /// Whether random changes use tokens that were learnt, and not those of the program.
    pub(crate) uses_learnt: bool,
}

/// How many inputs a generator may make in a round.
#[derive(Clone, Debug)]
pub(crate) struct Quota {
    /// If they bring as much for their cost as those of all generators do.
    pub(crate) even: f64,
    /// At least and at most, whatever they bring.
    pub(crate) bounds: RangeInclusive<usize>,
    /// The room that it takes them from.
    pub(crate) room: Room,
}

/// What limits the inputs of some generators together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Nothing but their quotas: they solve.
    Solved,
    /// As long as flips lead on, so many inputs for each that the round has room for.
    Unsolved(usize),
    /// The same, one for each, shared by all that change tests by chance.
    Chance,
}

/// Tests in jobs of some each.
fn together(tests: &[TestCase]) -> Vec<Job> {
    /// Those that a worker takes at a time.
    const TOGETHER: usize = 16;
    tests.chunks(TOGETHER).map(|tests| Job::Mutants(tests.to_vec())).collect()
}
