//! A program as data, and its static analyses.
//!
//! [`Program`] is the input of all analyses: functions, blocks and instructions with ids and source
//! locations, and nothing of LLVM (`parallax-module` reads it from there). Its graphs are here:
//! flow, control dependence, calls, points-to, dependence.

mod library;
mod model;
mod words;

pub mod graph;
mod points_to;

pub mod dependence;
mod statement;
mod version;

pub use library::{is_known_function, is_known_variable};
pub use model::{
    Block, BlockId, Constant, ConstantId, Detail, Frame, Function, FunctionId, Global, GlobalId,
    HeldAddress, Instruction, Location, Opcode, Operand, Program, SiteId, Type, TypeId,
};
pub use points_to::{Cell, CellId, Object, PointsTo};
pub use statement::{Statement, StatementId, Statements};
pub use version::Version;
