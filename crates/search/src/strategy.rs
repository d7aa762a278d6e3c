//! What a search goes by. All but the first leave out an idea, so that its worth can be measured.

/// What a search for a difference goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By all that is known.
    #[default]
    Full,
    /// By the way to the changes; once they are executed, by what is covered.
    ReachOnly,
    /// As `Full`, but flips that cannot help are taken as well, last.
    NoPrune,
    /// By chance: any decision of any run is flipped.
    Random,
    /// By depth: the last decision of the last run that can be flipped is.
    Dfs,
    /// By what is covered, as if nothing had changed.
    Coverage,
    /// By nothing: all paths are gone through, of both versions, and no input is made without solving.
    Exhaustive,
}

/// In which order flips are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The most promising first.
    #[default]
    Ranked,
    /// Any.
    Random,
    /// The deepest of the last run first.
    Deepest,
}

impl Strategy {
    /// Whether flips cost what they are away from a change.
    pub(crate) fn is_guided(self) -> bool {
        matches!(self, Strategy::Full | Strategy::ReachOnly | Strategy::NoPrune)
    }

    /// Whether flips that cannot help are left out.
    pub(crate) fn prunes(self) -> bool {
        matches!(self, Strategy::Full | Strategy::ReachOnly)
    }

    /// Whether what becomes of a change is looked at: where the versions may part, and what is done beside
    /// it.
    pub(crate) fn follows_effects(self) -> bool {
        matches!(self, Strategy::Full | Strategy::NoPrune | Strategy::Exhaustive)
    }

    /// Whether tests are also made without solving.
    pub(crate) fn mixes(self) -> bool {
        !matches!(self, Strategy::Random | Strategy::Dfs | Strategy::Exhaustive)
    }

    pub(crate) fn order(self) -> Order {
        match self {
            Strategy::Random => Order::Random,
            Strategy::Dfs => Order::Deepest,
            Strategy::Full
            | Strategy::ReachOnly
            | Strategy::NoPrune
            | Strategy::Coverage
            | Strategy::Exhaustive => Order::Ranked,
        }
    }
}
