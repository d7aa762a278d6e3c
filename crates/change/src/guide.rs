//! Guidance for the search: distances of branches to a change, irrelevant branches, where the
//! effect of a change can propagate, and in which order several changes can be executed and
//! interact.

mod chains;
mod definition;
mod distance;
mod diversion;
mod impact;
mod relevance;
mod sequence;
mod walk;

pub use chains::{Chain, ChainFinder, Chains, Link, LinkKind};
pub use definition::Definitions;
pub use distance::Distances;
pub use diversion::diverted;
pub use impact::{Before, Impact, sites};
pub use relevance::{Relevance, ways};
pub use sequence::{ChangeSequenceGraph, Material, Stop};
