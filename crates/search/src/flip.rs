//! A way that a run could have gone.

/// What a flip leads to: a way out of a place, which a run has gone or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The place, as a number of the symbolic build's places.
    pub site: u32,
    /// The place inside the model of the library function that `site` calls; 0 if not in one.
    pub model_site: u32,
    /// The way.
    pub way: Way,
}

/// A way out of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A branch whose condition holds, or does not.
    Branch(bool),
    /// A switch on this value.
    Case(u64),
    /// A switch on none of its values.
    Default,
    /// A text that is equal to another one, told by a hash.
    Equal(u64),
    /// An access that leaves its object, or a division by zero.
    Fault,
    /// A concretised value that is another one.
    Other,
    /// A value that is gone on with, in a proof build.
    Value(u64),
    /// A value that no run has had there that came to it by the decisions with this hash.
    NewValue(u64),
}

/// How a run has come to a place. One decision is made for many reasons when it is made in a helper
/// function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Context {
    /// A hash of the functions that have called the one that decides.
    pub callers: u16,
    /// How often it was here, roughly.
    pub rounds: u8,
    /// A hash of the places it decided at before, and of how often it was here.
    pub before: u32,
}

impl Context {
    pub(crate) const FIRST: Context = Context { callers: 0, rounds: 0, before: 0 };
    pub(crate) const LAST: Context =
        Context { callers: u16::MAX, rounds: u8::MAX, before: u32::MAX };
}

/// One decision of one run, to be made otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// What it leads to.
    pub target: Target,
    /// Where the run came from.
    pub context: Context,
    /// The number of the event in the trace of the run.
    pub event: u32,
    /// All decisions up to and with this flip, hashed: the same flip of another run has the same.
    pub path: u64,
}

impl Flip {
    /// Whether the program itself decides, and not a library function for it.
    pub(crate) fn is_own_decision(&self) -> bool {
        let is_decision = matches!(self.target.way, Way::Branch(_) | Way::Case(_) | Way::Default);
        is_decision && self.target.model_site == 0
    }
}
