//! Rewriting a whole-program module so that its runs tell more.

mod build;
mod sanitize;

pub use build::{InstrumentError, sanitizer_build, whole_program};
pub use sanitize::sanitize;
