//! Whether moving a line has an effect.
//!
//! It has none if the line only computes with local variables whose address does not escape, and
//! the code it swaps places with, in the same straight-line code, neither writes variables that it
//! reads or writes nor reads those that it writes. That is enough for declarations with initial
//! values, which people do reorder; anything else that was moved is reported.

use std::{collections::BTreeSet, ops::Range};

use parallax_program::{Detail, Opcode};

use crate::{
    inside::align::Alignment,
    inside::body::{Body, Value},
    judgement::moved::Move,
    whole::pairing::Pairing,
};

/// Data for checking what a moved line has crossed.
pub(crate) struct Crossing<'b, 'p> {
    old: &'b Body<'p>,
    new: &'b Body<'p>,
    locals: &'b Pairing,
    /// Aligned and moved items.
    items: Pairing,
    /// The locals of the old body whose address is used by their own loads and stores alone, in
    /// both versions.
    private: BTreeSet<usize>,
}

/// The locals that some code reads and writes.
#[derive(Default)]
struct Effects {
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
}

impl<'b, 'p> Crossing<'b, 'p> {
    /// Prepares to judge the moves between two bodies.
    pub(crate) fn new(
        old: &'b Body<'p>,
        new: &'b Body<'p>,
        alignment: &'b Alignment,
        moves: &[Move],
    ) -> Crossing<'b, 'p> {
        let mut items = alignment.items.clone();
        for (x, y) in moves.iter().flat_map(Move::items) {
            items.join(x, y);
        }
        let locals = &alignment.locals;
        let (left, right) = (private(old), private(new));
        let both = |&local: &usize| locals.new_of(local).is_some_and(|it| right.contains(&it));
        let private = left.into_iter().filter(both).collect();
        Crossing { old, new, locals, items, private }
    }

    /// Whether a moved line does the same in its new place.
    pub(crate) fn is_harmless(&self, it: &Move) -> bool {
        let Some(effects) = self.effects(it.old.clone()) else { return false };
        let Some(crossed) = self.crossed(it) else { return false };
        self.has_same_values(it)
            && crossed.into_iter().all(|item| !effects.conflict(&self.effect(item)))
    }

    /// The reads and writes of a line, if they are only of private locals.
    fn effects(&self, items: Range<usize>) -> Option<Effects> {
        let mut effects = Effects::default();
        for item in items {
            let own = self.effect(item);
            let accesses = !own.reads.is_empty() || !own.writes.is_empty();
            if !accesses && !is_pure(self.old.instruction(item).opcode) {
                return None;
            }
            effects.reads.extend(own.reads);
            effects.writes.extend(own.writes);
        }
        Some(effects)
    }

    /// The private locals that an item reads and writes; no other item can touch them.
    fn effect(&self, item: usize) -> Effects {
        let instruction = self.old.instruction(item);
        let mut effects = Effects::default();
        let quiet = matches!(instruction.detail, Detail::Access { volatile: false, .. });
        let local = instruction.operands.last().and_then(|operand| self.old.local(*operand));
        let local = local.filter(|local| quiet && self.private.contains(local));
        match instruction.opcode {
            Opcode::Load => effects.reads.extend(local),
            Opcode::Store => effects.writes.extend(local),
            _ => {}
        }
        effects
    }

    /// The old items that are on the other side of a moved line now; `None` if some code there is
    /// not in both versions or not straight-line.
    fn crossed(&self, it: &Move) -> Option<Vec<usize>> {
        let block = |body: &Body<'_>, item: usize| body.code[body.items[item].code].block;
        let left = &self.old.parts[block(self.old, it.old.start)];
        let right = &self.new.parts[block(self.new, it.new.start)];
        let known = left.items.clone().all(|item| self.items.new_of(item).is_some())
            && right.items.clone().all(|item| self.items.old_of(item).is_some());
        let stays = |item: usize| {
            self.items.new_of(item).is_some_and(|partner| right.items.contains(&partner))
        };
        if !known || left.items.len() != right.items.len() || !left.items.clone().all(stays) {
            return None;
        }
        let others = left.items.clone().filter(|item| !it.old.contains(item));
        let crossed = others.filter(|&item| {
            let partner = self.items.new_of(item);
            (item < it.old.start) != (partner < Some(it.new.start))
        });
        Some(crossed.collect())
    }

    /// Whether a moved line only uses its own values and paired locals.
    fn has_same_values(&self, it: &Move) -> bool {
        let mut pairs = it
            .items()
            .flat_map(|(x, y)| self.old.items[x].values.iter().zip(&self.new.items[y].values));
        pairs.all(|(x, y)| match (x, y) {
            (Value::Local(x), Value::Local(y)) => self.locals.new_of(*x) == Some(*y),
            (Value::Item(x), Value::Item(y)) => {
                it.old.contains(x) && self.items.new_of(*x) == Some(*y)
            }
            _ => false,
        })
    }
}

impl Effects {
    fn conflict(&self, other: &Effects) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }
}

/// The locals whose address is used only by loads and stores.
fn private(body: &Body<'_>) -> BTreeSet<usize> {
    let mut shared = BTreeSet::new();
    for item in 0..body.items.len() {
        let instruction = body.instruction(item);
        let pointer = match instruction.opcode {
            Opcode::Load | Opcode::Store => instruction.operands.len().checked_sub(1),
            _ => None,
        };
        let others = instruction.operands.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != pointer);
        shared.extend(others.filter_map(|(_, operand)| body.local(*operand)));
    }
    (0..body.locals.len()).filter(|local| !shared.contains(local)).collect()
}

/// Operations that only compute and cannot fail.
fn is_pure(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::Add
            | O::Sub
            | O::Mul
            | O::Shl
            | O::LShr
            | O::AShr
            | O::And
            | O::Or
            | O::Xor
            | O::FAdd
            | O::FSub
            | O::FMul
            | O::FNeg
            | O::Trunc
            | O::ZExt
            | O::SExt
            | O::SiToFp
            | O::UiToFp
            | O::FpTrunc
            | O::FpExt
            | O::PtrToInt
            | O::IntToPtr
            | O::BitCast
            | O::GetElementPtr
            | O::ICmp
            | O::FCmp
            | O::Select
    )
}
