//! Moved lines.
//!
//! A moved line is one change, not a deletion here and an addition there; and none at all if
//! running it earlier or later makes no difference ([`crate::judgement::commute`]).

use std::{collections::HashMap, ops::Range};

use crate::{
    inside::align::{Alignment, Unit, units},
    inside::body::Body,
    judgement::commute::Crossing,
};

/// Moved items, equally many in both versions.
pub(crate) struct Move {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
    /// Whether the move has no effect.
    pub(crate) harmless: bool,
}

impl Move {
    /// The items, old and new.
    pub(crate) fn items(&self) -> impl Iterator<Item = (usize, usize)> {
        self.old.clone().zip(self.new.clone())
    }
}

/// Finds the whole lines that have a counterpart only in another place.
pub(crate) fn find(old: &Body<'_>, new: &Body<'_>, alignment: &Alignment) -> Vec<Move> {
    let items = &alignment.items;
    let lonely = |unit: &Unit, partner: &dyn Fn(usize) -> Option<usize>| {
        (unit.first..unit.first + unit.count).all(|item| partner(item).is_none())
    };
    let mut waiting: HashMap<u64, Vec<Unit>> = HashMap::new();
    for unit in units(new, &alignment.tokens.1).into_iter().rev() {
        if lonely(&unit, &|item| items.old_of(item)) {
            waiting.entry(unit.hash).or_default().push(unit);
        }
    }
    let mut moves = Vec::new();
    for unit in units(old, &alignment.tokens.0) {
        if waiting.is_empty() || !lonely(&unit, &|item| items.new_of(item)) {
            continue;
        }
        if let Some(partner) = waiting.get_mut(&unit.hash).and_then(Vec::pop) {
            moves.push(Move {
                old: unit.first..unit.first + unit.count,
                new: partner.first..partner.first + partner.count,
                harmless: false,
            });
        }
    }
    judge(old, new, alignment, &mut moves);
    moves
}

fn judge(old: &Body<'_>, new: &Body<'_>, alignment: &Alignment, moves: &mut [Move]) {
    if moves.is_empty() {
        return;
    }
    let crossing = Crossing::new(old, new, alignment, moves);
    let harmless: Vec<_> = moves.iter().map(|it| crossing.is_harmless(it)).collect();
    // A move is only judged together with those it crosses, so all are harmless or none is.
    let all = harmless.iter().all(|&harmless| harmless);
    for it in moves {
        it.harmless = all;
    }
}
