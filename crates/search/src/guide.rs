//! Static knowledge of two versions: where the changes are, how far each flip is from them, and which places
//! correspond.

use crate::Target;

/// Where a change is in both versions, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// In the new version.
    pub new: Mark,
    /// In the old one.
    pub old: Mark,
}

/// Where a change is in one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The places one of which is covered if the change was executed.
    pub before: Vec<u32>,
    /// The places one of which is covered if it was executed and the program went on. There are none unless
    /// something comes between the places before the change and the change that may end the program.
    pub after: Vec<u32>,
}

/// The relation of a flip to a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// So many decisions lie between it and the change.
    Steps(u32),
    /// The change may be executed after it, whether it is taken or not.
    Before,
    /// It may come after the change, which is not executed again.
    After,
    /// Neither depends on the other.
    Nothing,
}

/// What is known of two versions before they are run.
pub trait Guide: Send + Sync {
    /// Where the changes are.
    fn changes(&self) -> &[Marks];

    /// The relation of a flip of the new version to a change.
    fn nearness(&self, target: &Target, change: usize) -> Nearness;

    /// How many decisions lie between a place of the new version and a change, if they lead to it.
    fn distance(&self, place: u32, change: usize) -> Option<u32>;

    /// What a place of the old version is in the new one.
    fn counterpart(&self, old: u32) -> Option<u32>;
}
