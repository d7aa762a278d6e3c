//! What is the same in two versions of a program, and what is not.
//!
//! [`changes`] pairs the functions of the two versions, then the instructions of each pair, and
//! gathers what found no partner, or a partner that does something else, into [`Change`]s. It looks
//! at the code alone: the source is not needed, so a change in a macro or a header shows wherever
//! it reaches, and an edit of comments or white space shows nowhere. Lines only say which
//! instructions belong together and what to tell the reader; without debug information everything
//! works, with instructions in place of lines.
//!
//! Names are evidence, not identity. A function, global or local that is called otherwise but used
//! in the same way everywhere is the same one: as long as pairs are one to one and everything else
//! agrees, the two versions do the same.

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
