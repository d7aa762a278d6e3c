//! How the effect of a change travels through one test.
//!
//! Both versions have run the test, and both runs were recorded ([`Record`]). A [`Run`] is what was
//! recorded as instances of instructions that depend on each other. Instances of the two runs
//! correspond if they are of the same instruction, in the same place of the structure of the run: the
//! same call, under the same decisions, in the same round of a loop ([`Alignment`]). How alike two
//! traces look as sequences is never asked: the first difference in the number of rounds would shift
//! all that follows.
//!
//! An instance is infected if it computes, decides or stores something else than its counterpart *and*
//! something that it depends on is infected, or it is changed itself, or if it has no counterpart.
//! Values that differ although nothing that they depend on does are addresses, times and other noise.
//! The infected instances and their dependences are the [`Effects`]; where they end, a [`Stop`] says
//! why, and what would have to be true for the effect to live on.

mod code;
mod needed;
mod record;

mod run;

mod align;
mod infect;

mod stop;
mod value;

mod effects;
mod lines;

pub use align::Alignment;
pub use code::{Code, Home};
pub use effects::{ChangeEffect, Effects, Side, Sight};
pub use lines::{Fact, Line, Lines};
pub use record::Record;
pub use run::{Print, Run, Step, StepId, Use, UseKind};
pub use stop::{Stop, Why};

#[cfg(test)]
mod tests;
