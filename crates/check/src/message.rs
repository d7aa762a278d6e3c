//! Messages of a check while it runs.
//!
//! The library prints nothing. Everything that happens is a message to a sink: the command line
//! shows it, an editor or a worker on another machine may do something else with it.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use parallax_report::check::Check;
use parallax_search::Summary;

/// The progress of a search.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    /// The latest summary of the search.
    pub summary: &'p Summary,
    /// Elapsed time.
    pub elapsed: Duration,
    /// The time budget.
    pub budget: Duration,
    /// Time since the last finding.
    pub since_find: Option<Duration>,
    /// The number of changes.
    pub changes: usize,
    /// Changes that were executed.
    pub reached: usize,
    /// Changes that had an effect.
    pub infected: usize,
    /// Changes with a finding.
    pub propagated: usize,
}

/// An event while a check runs.
pub enum Message<'m> {
    /// A phase begins.
    Phase(&'m str),
    /// A phase is over.
    Idle,
    /// A note for the user.
    Note(&'m str),
    /// Programs that runs tried to start and that do not exist.
    Absent(&'m BTreeSet<Vec<u8>>),
    /// A build begins, which no budget covers.
    Building,
    /// A build is over.
    Built {
        /// The name of the build, such as "building both versions".
        what: &'m str,
        /// The time that it took.
        time: Duration,
        /// Whether a budget applies from here on.
        has_budget: bool,
    },
    /// The command ends at this instant.
    EndsAt(Instant),
    /// The progress of the search.
    Progress(&'m Progress<'m>),
    /// The current result: what remains if the command is ended now.
    Result(&'m Check),
}

/// A receiver of messages.
pub trait Sink {
    /// Takes a message.
    fn take(&self, message: Message<'_>);

    /// Tells that a phase begins.
    fn phase(&self, what: &str) {
        self.take(Message::Phase(what));
    }

    /// Tells that a phase is over.
    fn idle(&self) {
        self.take(Message::Idle);
    }

    /// Tells a note for the user.
    fn note(&self, text: &str) {
        self.take(Message::Note(text));
    }
}

/// A sink that ignores all messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Sink for Silent {
    fn take(&self, _: Message<'_>) {}
}
