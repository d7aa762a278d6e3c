//! Solvers for queries that a search cannot answer: libz3 in this process, or a program.
//!
//! Both translate every operation exactly or as an overapproximation: operations that the theory
//! lacks, and loads outside of a snapshot, can have any value. So every assignment for which all
//! conditions evaluate to true satisfies the solver's formula as well, and *unsatisfiable* is an
//! answer to the query itself. A model need not satisfy the query; callers evaluate it.

mod context;
mod effort;
mod ffi;
mod float;
mod integer;
mod program;
mod reply;
mod span;
mod table;
mod terms;
mod translation;
mod watch;
mod z3;

pub(crate) use effort::gates;
pub use program::SolverProgram;
pub use z3::{Failures, Z3};

use parallax_deadline::Deadline;

use crate::{Answer, Graph, Query};

/// A solver for queries.
pub trait Backend: Send {
    /// Its display name.
    fn name(&self) -> &str;

    /// Answers a query with a limited amount of work. Models are to be verified.
    fn solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Answer;

    /// Makes queries unknown once this deadline is over. Backends that answer at once may ignore
    /// it.
    fn set_deadline(&mut self, _: Deadline) {}
}

/// Units of work: a deterministic limit that does not depend on the load of the machine. Z3 calls
/// them `rlimit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(pub u64);
