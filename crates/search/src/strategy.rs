//! What a search goes by, and what of it is left out so that its worth can be measured.

use std::collections::BTreeSet;

use crate::generator;

/// What orders a search for a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// All that is known.
    #[default]
    Full,
    /// Chance: any decision of any run is flipped.
    Random,
    /// Depth: the last decision of the last run that can be flipped is.
    Dfs,
    /// What is covered, as if nothing had changed.
    Coverage,
    /// Nothing: all paths are gone through, of both versions, and no input is made without solving.
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

/// Parts of a search that are no generators, and what each does.
const IDEAS: [(&str, &str); 5] = [
    (PRUNING, "leaves out flips that cannot help"),
    (EFFECTS, "follows the effects of executed changes"),
    (REPAIR, "leads a run back that a token has led astray"),
    (NUMBERS, "writes numbers anew, with as many digits as they need"),
    (OPTIMISM, "solves the condition of a flip without its path"),
];
pub(crate) const PRUNING: &str = "pruning";
pub(crate) const EFFECTS: &str = "effects";
pub(crate) const REPAIR: &str = "repair";
pub(crate) const NUMBERS: &str = "numbers";
pub(crate) const OPTIMISM: &str = "optimism";

/// The parts of a search that can be left out, each with what it does: generators first.
pub fn parts() -> Vec<(&'static str, &'static str)> {
    let generators = generator::all();
    let generators = generators.iter().map(|generator| (generator.name(), generator.purpose()));
    generators.chain(IDEAS).collect()
}

/// What a search goes by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    strategy: Strategy,
    without: BTreeSet<&'static str>,
}

/// A search has no part of this name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the search has no part `{name}`; it has {}", parts().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))]
pub struct UnknownPart {
    name: String,
}

impl From<Strategy> for Policy {
    fn from(strategy: Strategy) -> Policy {
        Policy { strategy, without: BTreeSet::new() }
    }
}

impl Policy {
    /// Leaves a part out.
    pub fn without(mut self, name: &str) -> Result<Policy, UnknownPart> {
        let part = parts().into_iter().find(|(part, _)| *part == name);
        let (part, _) = part.ok_or_else(|| UnknownPart { name: name.to_owned() })?;
        self.without.insert(part);
        Ok(self)
    }

    /// Whether a part is there.
    pub(crate) fn has(&self, part: &str) -> bool {
        !self.without.contains(part)
    }

    /// Whether all that can be solved for is: what is left out may be what is missing.
    pub(crate) fn is_thorough(&self) -> bool {
        self.without.is_empty()
    }

    /// Whether flips cost what they are away from a change.
    pub(crate) fn is_guided(&self) -> bool {
        self.strategy == Strategy::Full
    }

    /// Whether flips that cannot help are left out.
    pub(crate) fn prunes(&self) -> bool {
        self.is_guided() && self.has(PRUNING)
    }

    /// Whether the effects of a change are followed: where the versions may diverge, and what is done beside
    /// it.
    pub(crate) fn follows_effects(&self) -> bool {
        matches!(self.strategy, Strategy::Full | Strategy::Exhaustive) && self.has(EFFECTS)
    }

    /// Whether inputs are also made without solving.
    pub(crate) fn mixes(&self) -> bool {
        matches!(self.strategy, Strategy::Full | Strategy::Coverage)
    }

    pub(crate) fn order(&self) -> Order {
        match self.strategy {
            Strategy::Random => Order::Random,
            Strategy::Dfs => Order::Deepest,
            Strategy::Full | Strategy::Coverage | Strategy::Exhaustive => Order::Ranked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_one_name_and_can_be_left_out() {
        let names: BTreeSet<_> = parts().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), parts().len());
        for (name, _) in parts() {
            let policy = Policy::default().without(name).expect("it is a part");
            assert!(!policy.has(name) && Policy::default().has(name) && !policy.is_thorough());
        }
        let error = Policy::default().without("flip").expect_err("there is no such part");
        assert!(error.to_string().contains("flips, "), "{error}");
    }

    #[test]
    fn effects_and_pruning_are_parts_of_the_full_strategy_only() {
        let full = Policy::default();
        assert!(full.follows_effects() && full.prunes());
        let without = |name| full.clone().without(name).expect("it is a part");
        assert!(!without(EFFECTS).follows_effects() && without(EFFECTS).prunes());
        assert!(!without(PRUNING).prunes() && without(PRUNING).follows_effects());
        assert!(!Policy::from(Strategy::Coverage).prunes());
    }
}
