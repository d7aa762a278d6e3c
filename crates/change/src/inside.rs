//! Matching of the instructions of a function.

pub(crate) mod align;
pub(crate) mod body;
pub(crate) mod diff;
pub(crate) mod flow;
pub(crate) mod slot;
pub(crate) mod token;
