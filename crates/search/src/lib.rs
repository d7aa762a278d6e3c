//! The campaign: which path to leave where, and what came of it.
//!
//! A run leaves a list of decisions. Each could have gone another way: that is a [`Turn`], and the
//! [`Frontier`](frontier::Frontier) keeps all turns that nobody has taken yet, by what they would
//! lead to. The campaign takes the most promising ones, has workers solve for inputs that take
//! them, and adds what these runs leave.

mod bounds;
mod campaign;
mod cost;
mod coverage;
mod crossing;
mod decision;
mod directive;
mod filler;
mod frontier;
mod gains;
mod growth;
mod guide;
mod joint;
mod mutation;
mod obstacle;
mod options;
mod outcome;
mod pairs;
mod patience;
mod recent;
mod rival;
mod strategy;
mod summary;
mod trimming;
mod turn;
mod witness;
mod wording;
mod worker;

pub use bounds::Bounds;
pub use campaign::{Campaign, Event, Observer, SearchError};
pub use coverage::Coverage;
pub use directive::{Directive, Known};
pub use guide::{Guide, Mark, Marks, Nearness};
pub use obstacle::{Doubt, Obstacle};
pub use options::{Aim, Budget, Options};
pub use outcome::{Outcome, Promise};
pub use rival::{Contrast, Probe, Rival};
pub use strategy::Strategy;
pub use summary::{Kind, Summary};
pub use trimming::shrunk;
pub use turn::{Context, Target, Turn, Way};
pub use witness::Suspect;
pub use worker::{Cases, Code};
