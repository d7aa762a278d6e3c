//! What an observer of a campaign answers to what it is told.
//!
//! A campaign proposes; whether a candidate is a finding is found out elsewhere, and that steers
//! the rest of the search. It comes back as the answer to an event, so that it takes effect between rounds and
//! every worker knows the same.

use std::{collections::BTreeSet, sync::Arc};

use parallax_compare::Noise;

/// What an observer wants of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Directive {
    /// Whether to end.
    pub stop: bool,
    /// What it knows by now.
    pub known: Arc<Known>,
}

/// What an observer has found out about both versions.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The changes that nothing more is to be found out about.
    pub done: BTreeSet<usize>,
    /// Whether the program looks different each time that it runs.
    pub is_noisy: bool,
    /// What was learnt of that.
    pub noise: Noise,
}
