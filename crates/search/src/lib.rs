//! The search: a campaign of rounds, in which generators propose inputs and workers run them.
//!
//! A run leaves a list of decisions. Each could have gone another way: that is a [`Flip`], and the
//! [`Frontier`](frontier::Frontier) keeps all pending flips, by what they would
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
mod expense;
mod filler;
mod flip;
mod frontier;
mod generator;
mod guide;
mod knowledge;
mod mutation;
mod obstacle;
mod options;
mod outcome;
mod pairs;
mod pool;
mod recent;
mod relational;
mod scheduler;
mod splice;
mod strategy;
mod summary;
mod time_limit;
mod trimming;
mod witness;
mod worker;

pub use bounds::Bounds;
pub use campaign::Campaign;
pub use counterpart::{Counterpart, Probe, Relation};
pub use coverage::Coverage;
pub use directive::{Directive, Known};
pub use event::{Event, Observer, SearchError};
pub use expense::Expense;
pub use flip::{Context, Flip, Target, Way};
pub use guide::{Guide, Mark, Marks, Nearness};
pub use obstacle::{Doubt, Obstacle};
pub use options::{Aim, Budget, Options};
pub use outcome::{Outcome, Promise};
pub use strategy::{Policy, Strategy, UnknownPart, parts};
pub use summary::{Share, Summary};
pub use trimming::shrunk;
pub use witness::Suspect;
pub use worker::{Cases, Code};
