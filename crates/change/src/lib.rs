//! Matching of two versions of a program, and the changes between them.
//!
//! [`changes`] pairs the functions of the two versions, then the instructions of each pair, and
//! collects unmatched and differing instructions into [`Change`]s. It compares the code alone: the
//! source is not needed, so a change in a macro or a header shows in all code it affects, and an
//! edit of comments or white space shows nowhere. Lines only group instructions and inform the
//! reader; without debug information everything works, with instructions in place of lines.
//!
//! Names are evidence, not identity. A renamed function, global or local that is used in the same
//! way everywhere is the same one: as long as pairs are one to one and everything else agrees, the
//! two versions do the same.

mod change;
mod matching;
mod versions;

mod inside;
mod judgement;
mod whole;

mod guide;

pub use change::{Cause, Change, Changes, Kind, Lines};
pub use guide::{
    Before, Chain, ChainFinder, Chains, ChangeSequenceGraph, Definitions, Distances, Impact, Link,
    LinkKind, Material, Relevance, Stop, diverted, sites, ways,
};
pub use matching::Matching;
pub use versions::changes;
