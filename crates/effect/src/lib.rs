//! The effect of a change on one test, followed step by step.
//!
//! Both versions have run the test, and both runs were recorded ([`Record`]). A [`Run`] holds the
//! recorded instances of instructions and their dependences. Instances of the two runs correspond
//! if they are of the same instruction, in the same place of the structure of the run: the same
//! call, under the same decisions, in the same round of a loop ([`Alignment`]). Traces are not
//! compared as sequences: the first difference in the number of rounds would shift all that
//! follows.
//!
//! An instance is infected if it computes, decides or stores something else than its counterpart
//! *and* something that it depends on is infected, or it is changed itself, or if it has no
//! counterpart. Values that differ although their dependences do not are addresses, times and other
//! noise. The infected instances and their dependences are the [`Effects`]; where they end, a
//! [`Stop`] gives the reason, and the condition under which the effect would live on.

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
