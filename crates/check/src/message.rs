//! What a check tells while it runs.
//!
//! The library prints nothing. Everything that happens is a message to a sink: the command line shows it,
//! an editor or a worker on another machine may do something else with it.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use parallax_report::check::Check;
use parallax_search::Summary;

/// How a search is going.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    /// What the search has told of itself last.
    pub summary: &'p Summary,
    /// How long it has gone on.
    pub elapsed: Duration,
    /// How long it may.
    pub budget: Duration,
    /// How long ago the last difference was found.
    pub since_find: Option<Duration>,
    /// All changes.
    pub changes: usize,
    /// Those that were executed.
    pub reached: usize,
    /// Those that had an effect.
    pub infected: usize,
    /// Those with a finding.
    pub propagated: usize,
}

/// Something that happens while a check runs.
pub enum Message<'m> {
    /// What is done now.
    Phase(&'m str),
    /// What was done last is over.
    Idle,
    /// Something that the user should read.
    Note(&'m str),
    /// Runs have tried to start programs that are not there.
    Absent(&'m BTreeSet<Vec<u8>>),
    /// A build begins, which no budget covers.
    Building,
    /// A build is over.
    Built {
        /// What was done, such as "building both versions".
        what: &'m str,
        /// How long it took.
        time: Duration,
        /// Whether a budget goes on from here.
        has_budget: bool,
    },
    /// Everything has to be over by this instant.
    EndsAt(Instant),
    /// How the search is going.
    Progress(&'m Progress<'m>),
    /// The result as it is known now: what is left if nothing else comes.
    Result(&'m Check),
}

/// Where messages go.
pub trait Sink {
    /// Takes one.
    fn take(&self, message: Message<'_>);

    /// Tells what is done now.
    fn phase(&self, what: &str) {
        self.take(Message::Phase(what));
    }

    /// Tells that it is done.
    fn idle(&self) {
        self.take(Message::Idle);
    }

    /// Tells something that the user should read.
    fn note(&self, text: &str) {
        self.take(Message::Note(text));
    }
}

/// A sink for those who want to know nothing but the result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Sink for Silent {
    fn take(&self, _: Message<'_>) {}
}
