//! The symbolic build: the program with a label beside every value.
//!
//! The way of a module: library functions that have models are replaced by them; `mem2reg`'s kin
//! clean up what the front end left, without touching the program's branches; what is there then is
//! the program that everybody talks about, and is kept; labels are woven in, function by function;
//! only then is it optimised.

mod build;
mod call;
mod coverage;
mod effects;
mod entry;
mod function;
mod instruction;
mod intrinsic;
mod leaf;
mod loops;
mod models;
mod normal;
mod objects;
mod pass;
mod places;
mod reach;
mod record;
mod sites;
mod toolkit;
mod weaver;

pub use build::{SymbolicBuild, symbolic_build};
pub use places::{Place, Places};
pub use record::Recording;
pub use toolkit::ToolkitError;
