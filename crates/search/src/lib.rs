//! The campaign: which path to leave where, and what came of it.
//!
//! A run leaves a list of decisions. Each could have gone another way: that is a [`Flip`], and the
//! [`Frontier`](frontier::Frontier) keeps all flips that nobody has taken yet, by what they would
//! lead to. The campaign takes the most promising ones, has workers solve for inputs that take
//! them, and adds what these runs leave.

mod bounds;
mod campaign;
mod cost;
mod counterpart;
mod coverage;
mod decision;
mod directive;
mod event;
mod filler;
mod flip;
mod frontier;
mod generator;
mod guide;
mod joint;
mod knowledge;
mod mutation;
mod obstacle;
mod options;
mod outcome;
mod pairs;
mod patience;
mod pool;
mod recent;
mod scheduler;
mod splice;
mod strategy;
mod summary;
mod trimming;
mod witness;
mod worker;

pub use bounds::Bounds;
pub use campaign::Campaign;
pub use counterpart::{Counterpart, Probe, Relation};
pub use coverage::Coverage;
pub use directive::{Directive, Known};
pub use event::{Event, Observer, SearchError};
pub use flip::{Context, Flip, Target, Way};
pub use guide::{Guide, Mark, Marks, Nearness};
pub use obstacle::{Doubt, Obstacle};
pub use options::{Aim, Budget, Options};
pub use outcome::{Outcome, Promise};
pub use strategy::{Policy, Strategy, UnknownPart, parts};
pub use summary::Summary;
pub use trimming::shrunk;
pub use witness::Suspect;
pub use worker::{Cases, Code};
