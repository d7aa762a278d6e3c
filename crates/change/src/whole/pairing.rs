//! One-to-one pairs between positions in the old version and in the new one.
//!
//! Functions, globals, locals and instructions are all paired by their positions, so one type does.

use std::{collections::HashMap, hash::Hash};

/// A set of pairs of old and new positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairing {
    new: Vec<Option<u32>>,
    old: Vec<Option<u32>>,
}

impl Pairing {
    /// No pairs among so many old and new things.
    pub(crate) fn empty(old: usize, new: usize) -> Pairing {
        Pairing { new: vec![None; old], old: vec![None; new] }
    }

    /// The counterpart of an old position.
    pub(crate) fn new_of(&self, old: usize) -> Option<usize> {
        self.new.get(old).copied().flatten().map(|it| it as usize)
    }

    /// The counterpart of a new position.
    pub(crate) fn old_of(&self, new: usize) -> Option<usize> {
        self.old.get(new).copied().flatten().map(|it| it as usize)
    }

    /// Pairs two positions, unless one of them has a counterpart already.
    pub(crate) fn join(&mut self, old: usize, new: usize) {
        let (Some(to), Some(from)) = (self.new.get_mut(old), self.old.get_mut(new)) else {
            return;
        };
        if to.is_none() && from.is_none() {
            (*to, *from) = (Some(new as u32), Some(old as u32));
        }
    }

    /// The pairs, in the order of the old positions.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = self.new.iter().enumerate();
        all.filter_map(|(old, new)| new.map(|new| (old, new as usize)))
    }

    /// The old positions without a counterpart.
    pub(crate) fn lonely_old(&self) -> Vec<usize> {
        (0..self.new.len()).filter(|&old| self.new[old].is_none()).collect()
    }

    /// The new positions without a counterpart.
    pub(crate) fn lonely_new(&self) -> Vec<usize> {
        (0..self.old.len()).filter(|&new| self.old[new].is_none()).collect()
    }

    /// Pairs unpaired positions with the same key, in order where several have it.
    pub(crate) fn join_by_key<K: Hash + Eq>(
        &mut self,
        old_key: impl Fn(usize) -> Option<K>,
        new_key: impl Fn(usize) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
        for new in self.lonely_new().into_iter().rev() {
            if let Some(key) = new_key(new) {
                waiting.entry(key).or_default().push(new);
            }
        }
        for old in self.lonely_old() {
            let partners = old_key(old).and_then(|key| waiting.get_mut(&key));
            if let Some(new) = partners.and_then(Vec::pop) {
                self.join(old, new);
            }
        }
    }
}
