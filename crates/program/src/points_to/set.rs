//! Sets of small, sparse numbers, like most sets of cells.
//!
//! A sorted list of words of 64 bits: a union of two of them is one walk over both, and a set of
//! three cells takes three entries at most. A bit vector over all cells would take a thousand times
//! as much, a hash set could not say cheaply what a union added.

use std::hash::{BuildHasherDefault, Hasher};

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    /// The words that are not zero, by their number.
    words: Vec<(u32, u64)>,
}

impl Set {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// The number of words.
    pub(super) fn width(&self) -> usize {
        self.words.len()
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        let word = self.words.binary_search_by_key(&(number / 64), |(word, _)| *word);
        word.is_ok_and(|at| self.words[at].1 & (1 << (number % 64)) != 0)
    }

    pub(super) fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        match self.words.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => {
                let known = self.words[at].1 & bit != 0;
                self.words[at].1 |= bit;
                !known
            }
            Err(at) => {
                self.words.insert(at, (word, bit));
                true
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(word, bits)| {
            let rest = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)));
            rest.take_while(|bits| *bits != 0).map(move |bits| word * 64 + bits.trailing_zeros())
        })
    }

    /// Adds the members of `other` and returns the new ones.
    pub(super) fn add(&mut self, other: &Set) -> Set {
        let mut fresh = Vec::new();
        let mut has_gaps = false;
        let mut at = 0;
        for &(word, bits) in &other.words {
            at += self.distance(at, word);
            match self.words.get_mut(at).filter(|known| known.0 == word) {
                Some(known) => {
                    let new = bits & !known.1;
                    known.1 |= new;
                    if new != 0 {
                        fresh.push((word, new));
                    }
                }
                None => {
                    has_gaps = true;
                    fresh.push((word, bits));
                }
            }
        }
        if has_gaps {
            self.fill(&fresh);
        }
        Set { words: fresh }
    }

    /// The difference.
    pub(super) fn minus(&self, other: &Set) -> Set {
        let mut at = 0;
        let rest = self.words.iter().map(|&(word, bits)| {
            at += other.distance(at, word);
            let known = other.words.get(at).filter(|known| known.0 == word);
            (word, bits & !known.map_or(0, |known| known.1))
        });
        Set { words: rest.filter(|(_, bits)| *bits != 0).collect() }
    }

    /// Adds the members of `other`.
    pub(super) fn unite(&mut self, other: Set) {
        match self.is_empty() {
            true => *self = other,
            false => _ = self.add(&other),
        }
    }

    /// Removes the members in a mask and returns them.
    pub(super) fn take(&mut self, mask: &Mask) -> Set {
        let taken = self.common(mask);
        if !taken.is_empty() {
            self.words.retain_mut(|(word, bits)| {
                *bits &= !mask.word(*word);
                *bits != 0
            });
        }
        taken
    }

    /// The members that are in a mask.
    pub(super) fn common(&self, mask: &Mask) -> Set {
        let common = self.words.iter().map(|&(word, bits)| (word, bits & mask.word(word)));
        Set { words: common.filter(|(_, bits)| *bits != 0).collect() }
    }

    /// How many members are in a mask.
    pub(super) fn count(&self, mask: &Mask) -> usize {
        let common = self.words.iter().map(|&(word, bits)| bits & mask.word(word));
        common.map(|bits| bits.count_ones() as usize).sum()
    }

    /// Whether there are members in a mask.
    pub(super) fn meets(&self, mask: &Mask) -> bool {
        self.words.iter().any(|&(word, bits)| bits & mask.word(word) != 0)
    }

    /// How many words from `at` on come before `word`.
    fn distance(&self, at: usize, word: u32) -> usize {
        let rest = &self.words[at..];
        match rest.first() {
            Some(first) if first.0 >= word => 0,
            // Mostly it is the next one; otherwise a search pays.
            _ => match rest.get(1) {
                Some(second) if second.0 >= word => 1,
                _ => rest.partition_point(|known| known.0 < word),
            },
        }
    }

    /// Merges sorted words in, new ones and existing ones.
    fn fill(&mut self, fresh: &[(u32, u64)]) {
        let mut merged = Vec::with_capacity(self.words.len() + fresh.len());
        let mut old = self.words.iter().copied().peekable();
        for &(word, bits) in fresh {
            while let Some(before) = old.next_if(|known| known.0 < word) {
                merged.push(before);
            }
            let known = old.next_if(|known| known.0 == word);
            merged.push((word, bits | known.map_or(0, |known| known.1)));
        }
        merged.extend(old);
        self.words = merged;
    }
}

impl FromIterator<u32> for Set {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Set {
        let mut set = Set::default();
        for number in numbers {
            match set.words.last_mut().filter(|last| last.0 == number / 64) {
                Some(last) => last.1 |= 1 << (number % 64),
                None => {
                    set.insert(number);
                }
            }
        }
        set
    }
}

/// A set with a bit for each number; there are few of these.
#[derive(Default)]
pub(super) struct Mask(Vec<u64>);

impl Mask {
    pub(super) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: u32) {
        if let Some(word) = self.0.get_mut(number as usize / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.word(number / 64) & (1 << (number % 64)) != 0
    }

    fn word(&self, word: u32) -> u64 {
        self.0.get(word as usize).copied().unwrap_or(0)
    }
}

/// A fast hash for tables of numbers that no adversary chooses.
pub(crate) type Quick = BuildHasherDefault<Mixer>;

/// One multiplication per number.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_says_what_it_added() {
        let mut set: Set = [1, 70, 700].into_iter().collect();
        let fresh = set.add(&[2, 70, 300, 9000].into_iter().collect());
        assert_eq!(fresh.iter().collect::<Vec<_>>(), [2, 300, 9000]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 2, 70, 300, 700, 9000]);
        assert_eq!(set.len(), 6);
        assert!(set.add(&fresh).is_empty());
    }

    #[test]
    fn what_is_in_a_mask_can_be_taken_out() {
        let mut mask = Mask::default();
        [3, 64, 200].into_iter().for_each(|number| mask.insert(number));
        mask.remove(3);
        let mut set: Set = [3, 64, 65, 200, 9000].into_iter().collect();
        assert_eq!(set.count(&mask), 2);
        assert_eq!(set.take(&mask).iter().collect::<Vec<_>>(), [64, 200]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 65, 9000]);
        assert!(set.take(&mask).is_empty());
    }

    #[test]
    fn a_difference_leaves_what_the_other_lacks() {
        let set: Set = [1, 64, 65, 500].into_iter().collect();
        let other: Set = [64, 90, 500].into_iter().collect();
        assert_eq!(set.minus(&other).iter().collect::<Vec<_>>(), [1, 65]);
    }
}
