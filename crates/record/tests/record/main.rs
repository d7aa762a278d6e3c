//! Recording a project of our own, as a user would.

#![allow(clippy::unwrap_used, reason = "the panic of a test is its report")]

mod copies;
mod inputs;
mod lifecycle;
mod project;
mod suite;
