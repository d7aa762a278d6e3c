//! The symbolic build: the program with a label beside every value.
//!
//! The steps for a module: library functions that have models are replaced by them; relatives of
//! `mem2reg` clean up the front end's output, without touching the program's branches; the result
//! is the normal form that all other parts refer to, and is kept; it is split into groups of
//! functions; in each group labels are woven in, function by function; only then is it optimised.

mod aliasing;
mod build;
mod call;
mod coverage;
mod effects;
mod entry;
mod executed;
mod function;
mod groups;
mod instruction;
mod intrinsic;
mod leaf;
mod locals;
mod loops;
mod models;
mod normal;
mod objects;
mod part;
mod pass;
mod places;
mod proof;
mod reach;
mod record;
mod sites;
mod standing;
mod toolkit;
mod weave;
mod weaver;
mod workshop;

pub use build::{
    SymbolicBuild, proof_build_cached, recording_build, recording_build_cached, symbolic_build,
    symbolic_build_cached,
};
pub use executed::{Fork, Line};
pub use places::{Place, Places};
pub use record::Recording;
pub use toolkit::ToolkitError;
pub use workshop::Effort;
