//! A program as data: from bitcode to a model that the rest of Parallax can reason about.
//!
//! [`Module`] is the whole program in LLVM's own form, put together from the bitcode of what was
//! linked ([`Image`]). [`Program`] is what everybody else sees: functions, blocks and instructions
//! with ids and source locations, and nothing of LLVM. Only this crate and the one that instruments
//! know LLVM.

mod image;
mod library;
mod module;

mod bind;
mod start;
mod symbol;
mod words;
mod wrap;

mod model;
mod origin;
mod read;

pub mod graph;
mod points_to;

pub mod dependence;
mod statement;
mod version;

pub use image::{Binding, Image};
pub use library::{is_known_function, is_known_variable};
pub use model::{
    Block, BlockId, Constant, ConstantId, Detail, Frame, Function, FunctionId, Global, GlobalId,
    HeldAddress, Instruction, Location, Opcode, Operand, Program, SiteId, Type, TypeId,
};
pub use module::{Module, ModuleError};
pub use origin::MARK;
pub use points_to::{Cell, CellId, Object, PointsTo};
pub use read::place_of;
pub use statement::{Statement, StatementId, Statements};
pub use version::Version;
