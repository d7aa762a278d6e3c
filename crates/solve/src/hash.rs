//! Looking up records that no adversary chooses and that are a few small numbers.
//!
//! Every expression is looked up once when it is built, which is most of the work of importing a
//! trace: memory touched is the cost. So expressions are found by an index of eight bytes each
//! instead of a map that holds them a second time.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hash, Hasher},
};

/// A map with that hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// A set with that hash.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<QuickHasher>>;

/// Multiplies and folds each number into the state.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

/// An odd number without pattern: the golden ratio as a fraction of 2^64.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl QuickHasher {
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(u128::from(FACTOR));
        self.0 = (product as u64).rotate_left(29) ^ (product >> 64) as u64;
    }
}

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(FACTOR)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word) ^ chunk.len() as u64);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}

/// A hash wide enough that two different things never share one in practice.
pub(crate) struct WideHasher(QuickHasher, QuickHasher);

impl Default for WideHasher {
    fn default() -> WideHasher {
        WideHasher(QuickHasher(1), QuickHasher(FACTOR))
    }
}

impl WideHasher {
    pub(crate) fn add(&mut self, word: u64) {
        self.0.add(word);
        self.1.add(word.rotate_left(32));
    }

    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
        self.1.write(bytes);
        self.add(bytes.len() as u64);
    }

    pub(crate) fn finish(&self) -> u128 {
        u128::from(self.0.finish()) << 64 | u128::from(self.1.finish())
    }
}

/// Numbers of records that are kept elsewhere, found by the records' hashes.
///
/// A slot holds a number plus one below 32 bits of the hash, or zero if it is empty. Those bits
/// tell nearly all records apart, and serve again when the table grows.
#[derive(Default)]
pub(crate) struct Index {
    slots: Vec<u64>,
    used: usize,
}

/// The bits of a hash that an [`Index`] keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u32);

impl Fingerprint {
    pub(crate) fn of(record: &impl Hash) -> Fingerprint {
        let mut hasher = QuickHasher::default();
        record.hash(&mut hasher);
        Fingerprint((hasher.finish() >> 32) as u32)
    }
}

impl Index {
    /// The number of the record that has the fingerprint and for which `is_it` holds.
    pub(crate) fn find(
        &self,
        fingerprint: Fingerprint,
        is_it: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut place = self.first_place(fingerprint);
        while let Some(slot @ 1..) = self.slots.get(place).copied() {
            let number = (slot as u32).wrapping_sub(1);
            if (slot >> 32) as u32 == fingerprint.0 && is_it(number) {
                return Some(number);
            }
            place = self.next_place(place);
        }
        None
    }

    /// Adds a record that is not there yet.
    pub(crate) fn insert(&mut self, fingerprint: Fingerprint, number: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.used += 1;
        self.place(u64::from(fingerprint.0) << 32 | (u64::from(number) + 1));
    }

    fn place(&mut self, slot: u64) {
        let mut place = self.first_place(Fingerprint((slot >> 32) as u32));
        while self.slots[place] != 0 {
            place = self.next_place(place);
        }
        self.slots[place] = slot;
    }

    fn grow(&mut self) {
        let larger = vec![0; (self.slots.len() * 2).max(16)];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot != 0 {
                self.place(slot);
            }
        }
    }

    fn first_place(&self, fingerprint: Fingerprint) -> usize {
        fingerprint.0 as usize & self.slots.len().wrapping_sub(1)
    }

    fn next_place(&self, place: usize) -> usize {
        (place + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_again() {
        let mut index = Index::default();
        let record = |number: u32| number / 3 * 7;
        for number in (0..3000).step_by(3) {
            let fingerprint = Fingerprint::of(&record(number));
            assert_eq!(index.find(fingerprint, |found| record(found) == record(number)), None);
            index.insert(fingerprint, number);
        }
        for number in 0..3000 {
            let fingerprint = Fingerprint::of(&record(number));
            let found = index.find(fingerprint, |found| record(found) == record(number));
            assert_eq!(found, Some(number / 3 * 3));
        }
    }

    #[test]
    fn equal_fingerprints_are_told_apart() {
        let mut index = Index::default();
        let fingerprint = Fingerprint::of(&1_u32);
        for number in 0..20 {
            index.insert(fingerprint, number);
        }
        assert_eq!(index.find(fingerprint, |number| number == 13), Some(13));
        assert_eq!(index.find(fingerprint, |_| false), None);
    }
}
