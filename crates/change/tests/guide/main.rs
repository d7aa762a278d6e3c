//! Guidance of the search, on small programs with hand-derived answers; among them the examples of
//! the four papers, rebuilt.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod chains;
mod distance;
mod diversion;
mod interaction;
mod random;
mod relevance;
mod slices;
mod subject;
#[path = "../support/mod.rs"]
mod support;
