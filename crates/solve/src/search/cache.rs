//! A cache of prepared queries of bounded size.

use std::collections::VecDeque;

use super::{code::Code, program::Program};
use crate::{Key, hash::QuickMap};

/// How many queries are kept.
const ENTRIES: usize = 4096;

/// How much memory they may take.
const BYTES: usize = 64 << 20;

/// A query in prepared form.
pub(super) struct Entry {
    pub(super) program: Program,
    /// Made on first use.
    pub(super) code: Option<Code>,
}

/// An entry, and whether it was used since the last pass of the eviction.
struct Slot {
    entry: Entry,
    used: bool,
}

/// Entries by key. Eviction approximates least recently used.
#[derive(Default)]
pub(super) struct Cache {
    slots: QuickMap<Key, Slot>,
    order: VecDeque<Key>,
    bytes: usize,
}

impl Cache {
    pub(super) fn contains(&self, key: Key) -> bool {
        self.slots.contains_key(&key)
    }

    /// Adds code to an entry that was found without.
    pub(super) fn add_code(&mut self, key: Key, code: Code) {
        if let Some(slot) = self.slots.get_mut(&key) {
            self.bytes += code.size();
            slot.entry.code = Some(code);
        }
    }

    pub(super) fn get(&mut self, key: Key) -> Option<&mut Entry> {
        let slot = self.slots.get_mut(&key)?;
        slot.used = true;
        Some(&mut slot.entry)
    }

    /// Adds an entry that is not there yet.
    pub(super) fn insert(&mut self, key: Key, entry: Entry) {
        self.bytes += entry.size();
        while self.slots.len() >= ENTRIES || self.bytes > BYTES {
            if !self.give_up_one() {
                break;
            }
        }
        self.slots.insert(key, Slot { entry, used: false });
        self.order.push_back(key);
    }

    /// Drops an entry that was not used since the last time round.
    fn give_up_one(&mut self) -> bool {
        while let Some(key) = self.order.pop_front() {
            match self.slots.get_mut(&key) {
                Some(slot) if slot.used => {
                    slot.used = false;
                    self.order.push_back(key);
                }
                _ => {
                    let size = self.slots.remove(&key).map_or(0, |slot| slot.entry.size());
                    self.bytes -= size;
                    return true;
                }
            }
        }
        false
    }
}

impl Entry {
    fn size(&self) -> usize {
        let program = &self.program;
        let operations = size_of_val(&*program.operations) + size_of_val(&*program.ranges);
        let code = self.code.as_ref().map_or(0, Code::size);
        // Sets of variables are not made yet, and not much larger than that.
        code + operations + program.table_size()
    }
}
