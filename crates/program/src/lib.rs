//! A program as data: from bitcode to a model that the rest of Parallax can reason about.
//!
//! [`Module`] is the whole program in LLVM's own form, put together from the bitcode of what was
//! linked ([`Image`]). [`Program`] is what everybody else sees: functions, blocks and instructions
//! with ids and source locations, and nothing of LLVM. Only this crate and the one that instruments
//! know LLVM.

mod image;
mod module;

mod bind;
mod start;
mod symbol;
mod words;
mod wrap;

mod model;
mod read;

pub use image::{Binding, Image};
pub use model::{
    Block, BlockId, Function, FunctionId, Global, GlobalId, Instruction, Location, Opcode, Program,
    SiteId,
};
pub use module::{Module, ModuleError};
pub use read::place_of;
