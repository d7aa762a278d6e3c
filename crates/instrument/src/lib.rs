//! Rewriting a whole-program module so that its runs tell more.

mod sanitize;

pub use sanitize::sanitize;
