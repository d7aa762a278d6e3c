//! The whole program as LLVM has it, and the way from there to the model.
//!
//! [`Module`] is put together from the bitcode of the linked images ([`Image`]), with symbols bound
//! as the loader binds them. [`Module::program`] reads it: functions, blocks and instructions with
//! ids and source locations. All analyses use that model (`parallax-program`) and not LLVM.

mod image;
mod module;

mod bind;
mod start;
mod symbol;
mod wrap;

mod origin;
mod read;

pub use image::{Binding, Image};
pub use module::{Module, ModuleError};
pub use origin::MARK;
pub use read::place_of;
