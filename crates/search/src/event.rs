//! What a campaign tells while it runs.

use std::{collections::BTreeSet, time::Duration};

use parallax_compare::Explanation;
use parallax_run::{Ending, TestCase, lab::RunError, trace::TraceError};

use crate::{Directive, Summary, witness::Suspect};

/// Something worth telling.
pub enum Event<'e> {
    /// A test covers what no test before it did.
    Kept {
        /// The test.
        test: &'e TestCase,
        /// How many ways of branches it is the first to go.
        new: usize,
    },
    /// A test ends with a signal.
    Crash {
        /// The test.
        test: &'e TestCase,
        /// How it ended.
        ending: Ending,
    },
    /// A test does not end, or not within its limits.
    Hang {
        /// The test.
        test: &'e TestCase,
        /// The limit.
        ending: Ending,
    },
    /// The versions look different on a test, also if only in what was learnt to be noise.
    Differs {
        /// The test.
        test: &'e TestCase,
        /// The changes that were executed.
        executed: &'e [usize],
        /// What could be noise about it, if all of it could.
        explanation: Option<&'e Explanation>,
    },
    /// A campaign that is to prove something has run the first test of a pair of paths, or another one
    /// that takes the same paths and prints something else.
    Path {
        /// The test.
        test: &'e TestCase,
    },
    /// A test executes changes that no test before it did.
    Executes {
        /// The test.
        test: &'e TestCase,
        /// The changes.
        changes: &'e [usize],
    },
    /// Given tests tried to start programs that are not there.
    Absent {
        /// Their paths or names.
        programs: &'e BTreeSet<Vec<u8>>,
    },
    /// A round is over.
    Progress(&'e Summary),
    /// The search takes long: others may find what it does not look for. Told once.
    Midway {
        /// Tests that may access memory that is not the program's own, the most suspicious first.
        suspects: &'e [Suspect],
        /// How long they may be looked at.
        time: Duration,
    },
}

/// What is told what happens, and says how to go on.
pub type Observer<'o> = &'o mut dyn FnMut(Event<'_>) -> Directive;

/// Why a campaign ended early.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The memory for traces could not be made.
    #[error(transparent)]
    Memory(#[from] TraceError),
    /// A run could not be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The program is no symbolic build, or cannot map its shadow.
    #[error("trace the program: {0}")]
    Untraced(String),
}
