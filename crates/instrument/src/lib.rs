//! Rewriting a whole-program module so that its runs tell more.

mod build;
mod llvm;
mod sanitize;
mod symbolic;

pub use build::{InstrumentError, sanitizer_build, whole_program};
pub use sanitize::sanitize;
pub use symbolic::{Recording, Place, Places, SymbolicBuild, ToolkitError, symbolic_build};
