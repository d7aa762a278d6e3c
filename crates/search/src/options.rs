//! How to explore.

use std::time::Duration;

use parallax_run::{Limits, trace::TraceOptions};

use crate::{Bounds, Policy};

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// After this time.
    pub time: Option<Duration>,
    /// After this many runs.
    pub runs: Option<u64>,
}

/// What a campaign is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// To find what there is to find.
    #[default]
    Find,
    /// To show that there is nothing to find: every path counts, whatever it executes.
    Prove,
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it is for.
    pub aim: Aim,
    /// When to stop.
    pub budget: Budget,
    /// How far inputs may grow.
    pub bounds: Bounds,
    /// What it goes by.
    pub policy: Policy,
    /// Limits of each run.
    pub limits: Limits,
    /// Room for each trace.
    pub trace: TraceOptions,
}
