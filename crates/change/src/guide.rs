//! What guides the search: how far branches are from a change, which cannot matter, where its effect
//! can go, and in which order several changes can be executed and meet.

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
