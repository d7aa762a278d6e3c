//! Which unmatched or differing code counts as a change.

pub(crate) mod commute;
pub(crate) mod draft;
pub(crate) mod judge;
pub(crate) mod moved;
pub(crate) mod run;
