//! The graphs of a program: flow, control dependence and calls.
//!
//! Everything here is a plain data structure over small numbers and is computed by algorithms that
//! are linear or nearly so: programs have a million instructions.

mod bits;
mod calls;
mod control;
mod digraph;
mod dominators;
mod flow;
mod whole;

pub use bits::Bits;
pub use calls::{Call, CallGraph, Ending, FanId};
pub use control::{Control, Controller};
pub use digraph::Digraph;
pub use dominators::Dominators;
pub use flow::{Edge, EdgeKind, Flow, Segment};
pub use whole::{Direction, NodeId, Reached, WholeFlow};
