//! Whether aligned instructions do the same.
//!
//! Their tokens agree, so their operands, their targets and the initial values of their globals
//! remain. An existing difference, such as an instruction without a counterpart, is not reported
//! again at its dependents.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use parallax_program::{Opcode, Program};

use crate::{
    change::Cause,
    inside::align::Alignment,
    inside::body::{Body, Value},
    inside::flow::{Flow, Target},
    judgement::draft::Draft,
    judgement::moved::Move,
    whole::global::ChangedGlobals,
};

/// Two bodies of one function.
pub(crate) struct Pair<'b, 'p> {
    pub(crate) old: &'b Body<'p>,
    pub(crate) new: &'b Body<'p>,
    pub(crate) alignment: &'b Alignment,
    pub(crate) program: &'p Program,
    pub(crate) globals: &'b ChangedGlobals,
    pub(crate) moves: &'b [Move],
    /// Whether the function type is the same in both versions.
    pub(crate) same_signature: bool,
}

/// Differences of aligned instructions.
#[derive(Default)]
pub(crate) struct Judgement {
    /// The old items that differ from their counterparts.
    pub(crate) changed: BTreeMap<usize, Cause>,
    /// Changes in scaffolding.
    pub(crate) drafts: Vec<Draft>,
}

impl Judgement {
    /// Judges all aligned instructions.
    pub(crate) fn of(pair: &Pair<'_, '_>) -> Judgement {
        let mut judgement = Judgement::default();
        let resized = judgement.compare_locals(pair);
        for (x, y) in pair.alignment.items.pairs() {
            if let Some(cause) = pair.difference(x, y, &resized) {
                judgement.changed.insert(x, cause);
            }
        }
        judgement.compare_ways(pair);
        if !pair.same_signature && !pair.old.code.is_empty() && !pair.new.code.is_empty() {
            judgement.drafts.push(Draft::of(vec![0], vec![0], Cause::Signature));
        }
        judgement
    }

    /// Reports a local of another size where it is declared. Returns those without such a place.
    fn compare_locals(&mut self, pair: &Pair<'_, '_>) -> HashSet<usize> {
        let mut resized = HashSet::new();
        for (x, y) in pair.alignment.locals.pairs() {
            let (old, new) = (&pair.old.locals[x], &pair.new.locals[y]);
            if old.size == new.size {
                continue;
            }
            if old.births.is_empty() || new.births.is_empty() {
                resized.insert(x);
                continue;
            }
            self.drafts.push(Draft::of(old.births.clone(), new.births.clone(), Cause::Layout));
        }
        resized
    }

    fn compare_ways(&mut self, pair: &Pair<'_, '_>) {
        let mut blame = Blame { pair, lines: None };
        let (old, new) = (pair.old.entry(), pair.new.entry());
        if !pair.leads_to_same(&old, &new) {
            blame.ways(None, 0, (&old, &new), self);
        }
        for (x, y) in pair.alignment.items.pairs() {
            let (olds, news) = pair.ways(x, y);
            if pair.are_crossed(&olds, &news) {
                self.changed.insert(x, Cause::Code);
                continue;
            }
            for (way, (old, new)) in olds.iter().zip(&news).enumerate() {
                if !pair.leads_to_same(old, new) {
                    blame.ways(Some((x, y)), way, (old, new), self);
                }
            }
        }
    }
}

impl Pair<'_, '_> {
    /// Why an item itself differs from its counterpart.
    fn difference(&self, x: usize, y: usize, resized: &HashSet<usize>) -> Option<Cause> {
        let values = || self.old.items[x].values.iter().zip(&self.new.items[y].values);
        if values().any(|(x, y)| self.are_other_values(*x, *y)) {
            return Some(Cause::Code);
        }
        let instruction = self.new.instruction(y);
        let operands = instruction.operands.iter().enumerate();
        let mut globals = operands.filter_map(|(place, it)| {
            // A store that replaces all of a variable does not depend on its initial value.
            let is_replaced = instruction.opcode == Opcode::Store && place == 1;
            self.globals.behind(self.program, *it, is_replaced)
        });
        if let Some(global) = globals.next() {
            return Some(Cause::Global(global.to_owned()));
        }
        let is_resized = |value: &Value| matches!(value, Value::Local(it) if resized.contains(it));
        values().any(|(x, _)| is_resized(x)).then_some(Cause::Layout)
    }

    /// Whether two values are known to differ.
    fn are_other_values(&self, x: Value, y: Value) -> bool {
        let items = &self.alignment.items;
        match (x, y) {
            (Value::Local(x), Value::Local(y)) => self.alignment.locals.new_of(x) != Some(y),
            (Value::Item(x), Value::Item(y)) => {
                let partner = items.new_of(x);
                partner.is_some() && items.old_of(y).is_some() && partner != Some(y)
            }
            (x, y) => std::mem::discriminant(&x) != std::mem::discriminant(&y),
        }
    }

    /// The ways on from an item and its counterpart, in the same order: those of a switch by value.
    fn ways(&self, x: usize, y: usize) -> (Vec<Flow>, Vec<Flow>) {
        let (olds, news) = (self.old.flows(x), self.new.flows(y));
        let (left, right) = (cases(self.old, x), cases(self.new, y));
        if left == right {
            return (olds, news);
        }
        let pick = |flows: &[Flow], cases: &[u64], value: &u64| {
            let case = cases.iter().position(|it| it == value).map_or(0, |it| it + 1);
            flows.get(case).cloned()
        };
        let values: Vec<_> =
            left.iter().chain(right.iter().filter(|it| !left.contains(it))).collect();
        let rest = |flows: &[Flow]| flows.first().cloned();
        let side = |flows: &[Flow], cases: &[u64]| {
            let picked = values.iter().filter_map(|value| pick(flows, cases, value));
            rest(flows).into_iter().chain(picked).collect()
        };
        (side(&olds, left), side(&news, right))
    }

    /// Whether two ways end in the same place, or in code that is reported anyhow.
    fn leads_to_same(&self, old: &Flow, new: &Flow) -> bool {
        match (self.place(old), self.place_of_new(new)) {
            (Some(x), Some(y)) => x == y,
            _ => true,
        }
    }

    /// Where an old way ends, as an item of the new version.
    fn place(&self, flow: &Flow) -> Option<Target> {
        match flow.target {
            Target::Item(item) => {
                let item = self.past_moves(self.old, item, |it| it.old.clone());
                self.alignment.items.new_of(item).map(Target::Item)
            }
            Target::End => Some(Target::End),
            Target::Unknown => None,
        }
    }

    /// Where a new way ends, if that is in both versions.
    fn place_of_new(&self, flow: &Flow) -> Option<Target> {
        match flow.target {
            Target::Item(item) => {
                let item = self.past_moves(self.new, item, |it| it.new.clone());
                self.alignment.items.old_of(item).map(|_| Target::Item(item))
            }
            Target::End => Some(Target::End),
            Target::Unknown => None,
        }
    }

    /// The first item from here on that is not part of a harmless move; such moves stay in their
    /// block, so a way to them leads to the next item left in their place.
    fn past_moves(&self, body: &Body<'_>, item: usize, side: fn(&Move) -> Range<usize>) -> usize {
        let block = body.code[body.items[item].code].block;
        let end = body.parts[block].items.end;
        let is_moved =
            |item: &usize| self.moves.iter().any(|it| it.harmless && side(it).contains(item));
        (item..end).find(|item| !is_moved(item)).unwrap_or(item)
    }

    /// Whether a decision is negated: a way leads where only another one led before.
    fn are_crossed(&self, olds: &[Flow], news: &[Flow]) -> bool {
        let ([a, b], [c, d]) = (olds, news) else { return false };
        let (a, b) = (self.place(a), self.place(b));
        let (c, d) = (self.place_of_new(c), self.place_of_new(d));
        let swapped = |from, to: Option<Target>| from != to && to.is_some();
        a != b && c != d && (a == d && swapped(c, a) || b == c && swapped(d, b))
    }
}

fn cases<'b>(body: &'b Body<'_>, item: usize) -> &'b [u64] {
    let code = body.items[item].code;
    let block = body.code[code].block;
    let last = code + 1 == body.parts[block].code.end;
    if last { &body.function.blocks[block].cases } else { &[] }
}

/// Finds the jump that makes two ways lead to different places: one that stands alone on a line and
/// skips something, as `break` and `return` do, or else the first one.
struct Blame<'a, 'b, 'p> {
    pair: &'a Pair<'b, 'p>,
    /// The lines, old and new, that have an aligned instruction.
    lines: Option<(HashSet<u64>, HashSet<u64>)>,
}

impl Blame<'_, '_, '_> {
    fn ways(
        &mut self,
        from: Option<(usize, usize)>,
        way: usize,
        (old, new): (&Flow, &Flow),
        judgement: &mut Judgement,
    ) {
        let pair = self.pair;
        let (olds, news) = self.lines();
        let own = |body: &Body<'_>, lines: &HashSet<u64>, flow: &Flow| {
            let alone = |code| body.line(code).is_none_or(|line| !lines.contains(&line));
            let told = flow.jumps.iter().filter(|&&code| alone(code) && !body.falls_through(code));
            told.copied().collect::<Vec<_>>()
        };
        let (mut left, mut right) = (own(pair.old, olds, old), own(pair.new, news, new));
        let is_told = !left.is_empty() || !right.is_empty();
        if let Some(header) =
            from.filter(|_| !is_told).and_then(|from| self.lost_loop(from, old, new))
        {
            judgement.changed.insert(header, Cause::Code);
            return;
        }
        if !is_told {
            (left, right) = (old.jumps.clone(), new.jumps.clone());
        }
        if left.is_empty() && right.is_empty() {
            let item = from.map(|(x, _)| x).or(old.item());
            judgement.changed.extend(item.map(|item| (item, Cause::Code)));
            return;
        }
        let mut draft = Draft::of(first(left), first(right), Cause::Code);
        draft.old.after = Some((from.map(|(x, _)| x), way));
        draft.new.after = Some((from.map(|(_, y)| y), way));
        judgement.drafts.push(draft);
    }

    /// The start of a loop that only one version has, if that makes the ways differ.
    fn lost_loop(&mut self, (x, y): (usize, usize), old: &Flow, new: &Flow) -> Option<usize> {
        let back = |item: usize, flow: &Flow| flow.item().filter(|&target| target <= item);
        let pair = self.pair;
        let (olds, news) = self.lines();
        let on_line = |body: &Body<'_>, lines: &HashSet<u64>, flow: &Flow| {
            let line = flow.jumps.last().and_then(|&jump| body.line(jump));
            line.is_some_and(|line| lines.contains(&line))
        };
        match (back(x, old), back(y, new)) {
            (Some(header), None) if on_line(pair.old, olds, old) => Some(header),
            (None, Some(header)) if on_line(pair.new, news, new) => {
                pair.alignment.items.old_of(header)
            }
            _ => None,
        }
    }

    fn lines(&mut self) -> (&HashSet<u64>, &HashSet<u64>) {
        let pair = self.pair;
        let (olds, news) = self.lines.get_or_insert_with(|| {
            let items = &pair.alignment.items;
            let olds = items.pairs().map(|(x, _)| pair.old.items[x].unit).collect();
            let news = items.pairs().map(|(_, y)| pair.new.items[y].unit).collect();
            (olds, news)
        });
        (olds, news)
    }
}

/// The first jump decides; later ones follow from it.
fn first(jumps: Vec<usize>) -> Vec<usize> {
    jumps.into_iter().take(1).collect()
}
