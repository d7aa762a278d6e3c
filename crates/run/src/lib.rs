//! Running a test case on a program and observing its behaviour.
//!
//! A [`TestCase`] is data, a [`Subject`] is a program to run it on, a `Lab` is the place where that
//! can do no harm, and an [`Observation`] is all that a user could have seen of the run. A
//! [`trace`] is the further record that an instrumented build leaves of a run. Nothing here knows
//! about symbolic search: the replay that confirms a finding must share no code with the engine
//! that proposed it.

pub mod lab;
mod observation;
pub mod regular_file;
mod subject;
pub mod suite;
mod test_case;
pub mod trace;

pub use observation::{Captured, Contents, Ending, FileChange, FileState, Observation};
pub use subject::{Addresses, Limits, MemoryLimit, Subject};
pub use test_case::{Entry, Fixed, Problem, TestCase, TestCaseError};
