//! Loads from snapshots.
//!
//! A snapshot is not an array for the solver but a tree of choices by the bits of the offset, over
//! the entries that the address can reach. One look-up in 256 numbers took milliseconds so; the
//! script with stores and selects got no answer from the program in fifty million units. Entries
//! that are a sum without carries of contributions of the index bits, as those of a CRC are, need
//! no tree.

use super::{span::Span, terms::Term, translation::Translator};
use crate::{ExprId, Snapshot, SnapshotId, snapshot::Cell};

/// Limit on entries; a larger table is not translated.
const MOST_ENTRIES: usize = 1 << 14;

/// The offsets that a load can read at.
struct Reach {
    /// Ascending.
    offsets: Vec<u32>,
    /// Whether it can also read elsewhere.
    leaves: bool,
}

impl<'t> Translator<'t, '_> {
    /// `width` bits at an address, or any value outside of the snapshot.
    pub(super) fn load(&mut self, id: SnapshotId, address: ExprId, width: u32) -> Term<'t> {
        let (terms, snapshot) = (self.terms, self.graph.snapshot(id));
        let reach = Reach::of(snapshot, width.div_ceil(8), self.span(address));
        let (Some(&first), Some(&last)) = (reach.offsets.first(), reach.offsets.last()) else {
            return terms.unknown(width);
        };
        if reach.offsets.len() > MOST_ENTRIES {
            return terms.unknown(width);
        }
        let start = terms.number(64, snapshot.address().wrapping_add(first.into()).into());
        // Relative to the first entry, so that of an index the bits are as they are.
        let offset = terms.sub(self.bits(address), start);
        let entry = self.entry(snapshot, &reach.offsets, offset, width);
        if !reach.leaves {
            return entry;
        }
        let inside = terms.ule(offset, terms.number(64, (last - first).into()));
        self.inside.push(inside);
        terms.ite(inside, entry, terms.unknown(width))
    }

    /// The entry at `offset`, which is relative to the first of `offsets` and one of them.
    fn entry(
        &mut self,
        snapshot: &Snapshot,
        offsets: &[u32],
        offset: Term<'t>,
        width: u32,
    ) -> Term<'t> {
        let first = offsets[0];
        let numbers: Option<Vec<(u32, u128)>> =
            offsets.iter().map(|at| Some((at - first, number_at(snapshot, *at, width)?))).collect();
        match numbers {
            Some(numbers) => match Sum::of(&numbers) {
                Some(sum) => self.sum(&sum, offset, width),
                None => {
                    let leaf =
                        |(at, number): &(u32, u128)| (*at, self.terms.number(width, *number));
                    let leaves: Vec<_> = numbers.iter().map(leaf).collect();
                    self.tree(&leaves, offset)
                }
            },
            None => {
                let leaf = |at: &u32| (at - first, self.cells_at(snapshot, *at, width));
                let leaves: Vec<_> = offsets.iter().map(leaf).collect();
                self.tree(&leaves, offset)
            }
        }
    }

    /// Bytes, some of them symbolic, as one number.
    fn cells_at(&mut self, snapshot: &Snapshot, offset: u32, width: u32) -> Term<'t> {
        let terms = self.terms;
        let mut cell = |index: u32| match snapshot.cell(offset + index) {
            Cell::Concrete(byte) => terms.number(8, byte.into()),
            Cell::Symbolic(id) => self.bits(id),
        };
        let lowest = cell(0);
        let count = width.div_ceil(8);
        let whole = (1..count).fold(lowest, |low, index| terms.concat(cell(index), low));
        if width.is_multiple_of(8) { whole } else { terms.extract(whole, 0, width) }
    }

    /// A choice by each bit in which the offsets differ, the highest first.
    fn tree(&self, leaves: &[(u32, Term<'t>)], offset: Term<'t>) -> Term<'t> {
        let (first, last) = (leaves[0], leaves[leaves.len() - 1]);
        let differing = first.0 ^ last.0;
        if differing == 0 {
            return first.1;
        }
        // Ascending numbers share the highest differing bit from some position on.
        let bit = differing.ilog2();
        let middle = leaves.partition_point(|(at, _)| at >> bit & 1 == 0);
        // One level for each bit of an offset: the depth is small.
        let (low, high) = leaves.split_at(middle);
        let (low, high) = (self.tree(low, offset), self.tree(high, offset));
        if low.raw() == high.raw() {
            return low;
        }
        self.terms.ite(self.is_set(offset, bit), high, low)
    }

    fn sum(&self, sum: &Sum, offset: Term<'t>, width: u32) -> Term<'t> {
        let (terms, none) = (self.terms, self.terms.number(width, 0));
        sum.parts.iter().fold(terms.number(width, sum.start), |rest, (bit, part)| {
            let part = terms.ite(self.is_set(offset, *bit), terms.number(width, *part), none);
            terms.bit_xor(rest, part)
        })
    }

    fn is_set(&self, offset: Term<'t>, bit: u32) -> Term<'t> {
        self.terms.eq(self.terms.extract(offset, bit, 1), self.terms.number(1, 1))
    }
}

impl Reach {
    fn of(snapshot: &Snapshot, count: u32, span: Span) -> Reach {
        let start = span.start.wrapping_sub(snapshot.address());
        let Some(last) = (snapshot.bytes().len() as u64).checked_sub(count.into()) else {
            return Reach { offsets: Vec::new(), leaves: true };
        };
        if span.count <= last {
            let all = (0..=span.count).map(|step| start.wrapping_add(span.step.wrapping_mul(step)));
            let mut offsets: Vec<u32> =
                all.filter(|offset| *offset <= last).map(|offset| offset as u32).collect();
            let leaves = (offsets.len() as u64) <= span.count;
            offsets.sort_unstable();
            offsets.dedup();
            return Reach { offsets, leaves };
        }
        // However often the progression wraps around, it keeps its distance modulo a power of two.
        let distance = 1_u64 << span.step.trailing_zeros().min(63);
        let offsets = (0..=last).filter(|offset| start.wrapping_sub(*offset) % distance == 0);
        Reach { offsets: offsets.map(|offset| offset as u32).collect(), leaves: true }
    }
}

/// A table of which each entry is the exclusive disjunction of the contributions of the bits of its
/// offset.
struct Sum {
    start: u128,
    /// Bits of the offset and their contributions.
    parts: Vec<(u32, u128)>,
}

impl Sum {
    /// Takes entries by offset, ascending from zero.
    fn of(entries: &[(u32, u128)]) -> Option<Sum> {
        let used = entries.iter().fold(0, |bits, (offset, _)| bits | offset);
        // All combinations of those bits must be there, in ascending order.
        if entries.len() != 1_usize.checked_shl(used.count_ones())? {
            return None;
        }
        let start = entries[0].1;
        let bits = (0..32).filter(|bit| used >> bit & 1 == 1);
        // The entry whose offset is one bit is at the power of two that says which one it is.
        let parts: Vec<(u32, u128)> =
            bits.enumerate().map(|(index, bit)| (bit, start ^ entries[1 << index].1)).collect();
        let is_sum = |(offset, number): &(u32, u128)| {
            let contributing = parts.iter().filter(|(bit, _)| offset >> bit & 1 == 1);
            contributing.fold(start, |sum, (_, part)| sum ^ part) == *number
        };
        entries.iter().all(is_sum).then_some(Sum { start, parts })
    }
}

/// The number at an offset if none of its bytes is symbolic.
fn number_at(snapshot: &Snapshot, offset: u32, width: u32) -> Option<u128> {
    let mut number = 0;
    for index in 0..width.div_ceil(8) {
        match snapshot.cell(offset + index) {
            Cell::Concrete(byte) => number |= u128::from(byte) << (8 * index),
            Cell::Symbolic(_) => return None,
        }
    }
    Some(crate::arithmetic::cut(number, width))
}
