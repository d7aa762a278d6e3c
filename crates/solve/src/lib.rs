//! Expressions over the inputs of a program, and what can be asked of them.
//!
//! A traced program writes its operations down as fast as it can and simplifies little. Here they
//! become a [`Graph`] in which equal expressions are one expression and variables are named by
//! where their bytes come from, so that two runs, and two versions, speak of the same things.
//!
//! Expressions can be a million operations deep. Nothing in this crate recurses into operands; the
//! rules of `simplify`, which do call each other, count how deep they are and stop.

mod arithmetic;
mod assumptions;
mod domain;
mod evaluate;
mod expr;
mod float;
mod graph;
mod hash;
mod import;
mod print;
mod query;
mod search;
mod simplify;
mod smt;
mod smtlib;
mod snapshot;
mod solver;
mod support;
mod variable;

pub use assumptions::Assumptions;
pub use domain::Domain;
pub use evaluate::{Assignment, EvaluateError, Evaluation, Values};
pub use expr::{Binary, Expr, ExprId, Ternary, Unary};
pub use graph::Graph;
pub use import::{BlobView, ImportError, Importer, Memory};
pub use print::Printer;
pub use query::{Answer, Key, Model, Query};
pub use search::{GuidedSearch, SearchCounters};
pub use smt::{Backend, Failures, SolverProgram, Work, Z3};
pub use smtlib::{Script, export};
pub use snapshot::{Snapshot, SnapshotId};
pub use solver::{Answerer, Effort, Solution, Solver, Statistics, Tally, Watcher};
pub use support::{Supports, VariableSet};
pub use variable::{Origin, Part, Variable, VariableId};
