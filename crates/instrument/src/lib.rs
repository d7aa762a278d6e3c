//! Instrumentation of a whole-program module.

mod build;
mod hazard;
mod llvm;
mod sanitize;
mod symbolic;

pub use build::{InstrumentError, memory_build, sanitizer_build, whole_program};
pub use sanitize::sanitize;
pub use symbolic::{
    Effort, Fork, Line, Place, Places, Recording, SymbolicBuild, ToolkitError, proof_build_cached,
    recording_build, recording_build_cached, symbolic_build, symbolic_build_cached,
};
