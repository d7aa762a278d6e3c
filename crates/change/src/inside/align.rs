//! Matching of the instructions of a function.
//!
//! Equal lines are matched first, whatever their numbers are; between them, instructions that
//! compute the same from the same operands; between those, instructions that are alike. Locals are
//! first distinguished by name. Where that fails, for a renamed one or one of many called `i`, the
//! first alignment shows which locals are used in the same places, and a second alignment uses
//! that.

use std::collections::HashMap;

use crate::{
    inside::body::{Body, Value},
    inside::diff::{Common, anchored, between, shortest},
    inside::token::Tokens,
    whole::hash::hash_of,
    whole::pairing::Pairing,
};

/// The common parts of two bodies.
pub(crate) struct Alignment {
    /// The items, in the same order on both sides.
    pub(crate) items: Pairing,
    pub(crate) locals: Pairing,
    /// The tokens that were aligned, of the old body and of the new.
    pub(crate) tokens: (Tokens, Tokens),
}

impl Alignment {
    /// Aligns two bodies.
    pub(crate) fn of(old: &Body<'_>, new: &Body<'_>) -> Alignment {
        let mut locals = Pairing::empty(old.locals.len(), new.locals.len());
        join_unique_names(old, new, &mut locals);
        let mut tokens = tokens(old, new, &classes_by_name(old, new));
        let mut items = align(old, new, &tokens);
        vote(old, new, &items, &mut locals);
        if !are_alike(&tokens) {
            tokens = self::tokens(old, new, &classes_by_pair(old, new, &locals));
            items = align(old, new, &tokens);
            vote(old, new, &items, &mut locals);
        }
        join_idle(old, new, &mut locals);
        Alignment { items, locals, tokens }
    }
}

/// Pairs locals that no aligned item uses, such as those of the compiler, by size and name.
fn join_idle(old: &Body<'_>, new: &Body<'_>, locals: &mut Pairing) {
    let looks = |body: &Body<'_>, local: usize| {
        let local = &body.locals[local];
        Some((local.size, local.name.map(str::to_owned)))
    };
    locals.join_by_key(|local| looks(old, local), |local| looks(new, local));
}

type Classes = (Vec<u64>, Vec<u64>);

fn tokens(old: &Body<'_>, new: &Body<'_>, classes: &Classes) -> (Tokens, Tokens) {
    (Tokens::of(old, &classes.0), Tokens::of(new, &classes.1))
}

fn are_alike((old, new): &(Tokens, Tokens)) -> bool {
    old.deep == new.deep
}

/// How many locals of each name there are.
fn names<'b>(body: &'b Body<'_>) -> HashMap<&'b str, usize> {
    let mut names = HashMap::new();
    for name in body.locals.iter().filter_map(|local| local.name) {
        *names.entry(name).or_default() += 1;
    }
    names
}

/// Pairs locals that are the only ones of their name in both versions, used or not.
fn join_unique_names(old: &Body<'_>, new: &Body<'_>, locals: &mut Pairing) {
    let (left, right) = (names(old), names(new));
    let unique = |body: &Body<'_>, local: usize| {
        let name = body.locals[local].name?;
        (left.get(name) == Some(&1) && right.get(name) == Some(&1)).then(|| name.to_owned())
    };
    locals.join_by_key(|local| unique(old, local), |local| unique(new, local));
}

/// Locals of a name that both versions have are in one class; others are in one class with all of
/// their size without such a name.
fn classes_by_name(old: &Body<'_>, new: &Body<'_>) -> Classes {
    let (left, right) = (names(old), names(new));
    let class = |body: &Body<'_>, local: usize| {
        let local = &body.locals[local];
        let name = local.name.filter(|it| left.contains_key(it) && right.contains_key(it));
        name.map_or_else(|| any_of_size(local.size), |name| hash_of(("name", name)))
    };
    (
        (0..old.locals.len()).map(|local| class(old, local)).collect(),
        (0..new.locals.len()).map(|local| class(new, local)).collect(),
    )
}

/// Paired locals are in a class of their own.
fn classes_by_pair(old: &Body<'_>, new: &Body<'_>, locals: &Pairing) -> Classes {
    let of_pair = |old: usize| hash_of(("pair", old));
    let left = old.locals.iter().enumerate().map(|(old, local)| match locals.new_of(old) {
        Some(_) => of_pair(old),
        None => any_of_size(local.size),
    });
    let right =
        new.locals.iter().enumerate().map(|(new, local)| {
            locals.old_of(new).map_or_else(|| any_of_size(local.size), of_pair)
        });
    (left.collect(), right.collect())
}

fn any_of_size(size: u64) -> u64 {
    hash_of(("size", size))
}

fn align(old: &Body<'_>, new: &Body<'_>, (left, right): &(Tokens, Tokens)) -> Pairing {
    let mut items = Pairing::empty(old.items.len(), new.items.len());
    if left.deep == right.deep {
        (0..left.deep.len()).for_each(|item| items.join(item, item));
        return items;
    }
    let mut common = by_units(old, new, left, right);
    for (left, right) in [(&left.deep, &right.deep), (&left.plain, &right.plain)] {
        let mut found = Common::new();
        for (x, y) in between(&common, 0..left.len(), 0..right.len()) {
            let inside = shortest(&left[x.clone()], &right[y.clone()]);
            found.extend(inside.into_iter().map(|(a, b)| (x.start + a, y.start + b)));
        }
        common.extend(found);
        common.sort_unstable();
    }
    for (x, y) in common {
        items.join(x, y);
    }
    items
}

/// The items on equal lines.
fn by_units(old: &Body<'_>, new: &Body<'_>, left: &Tokens, right: &Tokens) -> Common {
    let (left, right) = (units(old, left), units(new, right));
    let hashes = |units: &[Unit]| units.iter().map(|unit| unit.hash).collect::<Vec<_>>();
    let common = anchored(&hashes(&left), &hashes(&right));
    let items = common.into_iter().flat_map(|(x, y)| {
        let (x, y) = (&left[x], &right[y]);
        (x.first..).zip(y.first..).take(x.count)
    });
    items.collect()
}

/// Items of one line without others between them.
pub(crate) struct Unit {
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) hash: u64,
}

/// The lines of a body, in the order of its code.
pub(crate) fn units(body: &Body<'_>, tokens: &Tokens) -> Vec<Unit> {
    let mut first = 0;
    let runs = body.items.chunk_by(|one, other| one.unit == other.unit).map(|run| {
        let deep = &tokens.deep[first..first + run.len()];
        let unit = Unit { first, count: run.len(), hash: hash_of(deep) };
        first += run.len();
        unit
    });
    runs.collect()
}

/// Pairs the locals that aligned items use in the same role, the most used ones first.
fn vote(old: &Body<'_>, new: &Body<'_>, items: &Pairing, locals: &mut Pairing) {
    let mut votes: HashMap<(usize, usize), u32> = HashMap::new();
    for (x, y) in items.pairs() {
        let values = old.items[x].values.iter().zip(&new.items[y].values);
        for (x, y) in values {
            if let (Value::Local(x), Value::Local(y)) = (x, y) {
                *votes.entry((*x, *y)).or_default() += 1;
            }
        }
    }
    let same_name = |(x, y): (usize, usize)| old.locals[x].name == new.locals[y].name;
    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_by_key(|&(pair, count)| (std::cmp::Reverse((same_name(pair), count)), pair));
    for ((x, y), _) in votes {
        locals.join(x, y);
    }
}
