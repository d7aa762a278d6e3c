//! How to explore, and what others tell a campaign while it runs.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use parallax_compare::Noise;
use parallax_run::{Limits, trace::TraceOptions};

use crate::{Bounds, Strategy};

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// After this time.
    pub time: Option<Duration>,
    /// After this many runs.
    pub runs: Option<u64>,
}

/// What others tell a campaign while it runs.
#[derive(Debug, Default)]
pub struct Control {
    /// Whether it is to end.
    pub stop: AtomicBool,
    /// Whether the program looks different each time that it runs.
    pub noisy: AtomicBool,
    /// What was learnt of that. It only changes between rounds, so that it is the same for all workers.
    pub noise: Mutex<Noise>,
    /// The changes that nothing more is to be found out about.
    pub done: Mutex<BTreeSet<usize>>,
}

impl Control {
    /// What was learnt of the noise of the program.
    pub fn noise(&self) -> MutexGuard<'_, Noise> {
        // Each change of it is whole.
        self.noise.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn done(&self) -> BTreeSet<usize> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
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
    pub strategy: Strategy,
    /// Limits of each run.
    pub limits: Limits,
    /// Room for each trace.
    pub trace: TraceOptions,
    /// What others tell it while it runs.
    pub control: Arc<Control>,
}
