//! Solvers for questions that a search cannot answer: libz3 in this process, or a program.
//!
//! Both say of every operation either exactly what it computes or less: what the theory lacks, and
//! what a load reads outside of its snapshot, can be anything. So an assignment for which all
//! conditions evaluate to true satisfies what the solver is given as well, and *unsatisfiable* is
//! an answer to the question itself. A model need not be, and whoever gets one evaluates it.

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

pub use program::SolverProgram;
pub use z3::{Failures, Z3};

use parallax_deadline::Deadline;

use crate::{Answer, Graph, Query};

/// Somebody who answers queries.
pub trait Backend: Send {
    /// What it is called, for people.
    fn name(&self) -> &str;

    /// Answers a query with a limited amount of work. Models are to be verified.
    fn solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Answer;

    /// Says that queries are unknown when this is over, from now on. Backends that answer at once need not
    /// look at it.
    fn set_deadline(&mut self, _: Deadline) {}
}

/// Units of work, of which a solver does the same for the same query however busy the machine is.
/// They are what Z3 calls `rlimit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(pub u64);
