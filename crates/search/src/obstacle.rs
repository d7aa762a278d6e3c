//! What stands against a proof that two versions do the same.

use parallax_abi::{Counter, Undefined};
use parallax_compare::Version;

/// Something in one version that a proof cannot be made with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// The version.
    pub version: Version,
    /// Where, as a number of the places of its build.
    pub site: u32,
    /// What.
    pub what: Doubt,
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Some input brings about something that a plain build may do anything about.
    Undefined(Undefined),
    /// The symbolic view is not exact.
    Approximated {
        /// In which way.
        counter: Counter,
        /// What was called, if that is known.
        name: String,
    },
}
