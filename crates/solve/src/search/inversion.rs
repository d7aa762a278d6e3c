//! Carries wanted values back through operations to the variables.
//!
//! For a condition to hold, its operands should have certain values, for these theirs, and so on.
//! Where several operands or values would do, one is drawn at random; where none fits exactly, a
//! near one. The values that reach the variables are a proposal that may break another condition,
//! and is tried like any other.

mod comparison;
mod float;
mod integer;

use std::borrow::Cow;

use super::{
    program::{Kind, Program, Table},
    random::Random,
    range::Range,
};
use crate::{
    Binary, Ternary, Unary,
    arithmetic::{self, cut, mask},
};

/// The values of a program's operations, and wishes for other ones.
pub(super) struct Inversion<'a> {
    program: &'a Program,
    /// Possible values of operations, disregarding most conditions.
    ranges: Cow<'a, [Range]>,
    values: Vec<u128>,
    wishes: Vec<Wish>,
    proposal: Vec<u64>,
    /// Entries of tables inspected for the last proposal.
    looked_at: u64,
}

/// Wanted bits of an operation, where `care` is set.
#[derive(Clone, Copy)]
struct Wish {
    at: u32,
    want: u128,
    care: u128,
}

/// Limit on wishes for one proposal.
const WISHES: usize = 2000;

/// Limit on entries of a table to inspect for a wanted value, and of all tables for a proposal.
const PLACES: u64 = 1 << 16;

impl<'a> Inversion<'a> {
    pub(super) fn new(program: &'a Program) -> Inversion<'a> {
        Inversion {
            program,
            ranges: Cow::Borrowed(&program.ranges),
            values: Vec::new(),
            wishes: Vec::new(),
            proposal: Vec::new(),
            looked_at: 0,
        }
    }

    /// The cost of the last proposal, in evaluations of all operations.
    pub(super) fn effort(&self) -> u64 {
        self.looked_at / self.program.operations.len().max(1) as u64
    }

    /// Restricts variables to their listed values, if any.
    pub(super) fn narrow(&mut self, choices: &[Vec<u64>]) {
        let widths = self.program.variables.iter();
        let variables: Vec<Range> = widths
            .zip(choices)
            .map(|(width, choices)| match (choices.first(), choices.last()) {
                (Some(first), Some(last)) => Range::new((*first).into(), (*last).into()),
                _ => Range::new(0, mask(*width)),
            })
            .collect();
        self.ranges = Range::of_program(self.program, &variables).into();
    }

    /// Other inputs, under which the condition at a position is more likely to hold.
    pub(super) fn propose(
        &mut self,
        inputs: &[u64],
        condition: u32,
        random: &mut Random,
    ) -> &[u64] {
        let program = self.program;
        program.values(inputs, &mut self.values);
        self.proposal.clear();
        self.proposal.extend_from_slice(inputs);
        self.wishes.clear();
        self.looked_at = 0;
        self.wish(condition, 1, 1);
        for _ in 0..WISHES {
            let Some(wish) = self.wishes.pop() else { break };
            if self.looked_at > PLACES {
                break;
            }
            self.grant(wish, random);
        }
        &self.proposal
    }

    fn wish(&mut self, at: u32, want: u128, care: u128) {
        self.wishes.push(Wish { at, want, care });
    }

    /// Wishes for all bits of a value.
    fn wish_all(&mut self, at: u32, want: u128) {
        let all = mask(self.program.width(at));
        self.wish(at, want & all, all);
    }

    fn value(&self, at: u32) -> u128 {
        self.values[at as usize]
    }

    fn is_constant(&self, at: u32) -> bool {
        self.program.constant(at).is_some()
    }

    /// One of two operands, preferably not a constant, and the other.
    fn side(&self, a: u32, b: u32, random: &mut Random) -> (u32, u32) {
        let second = if self.is_constant(a) || self.is_constant(b) {
            self.is_constant(a)
        } else {
            random.once_in(2)
        };
        if second { (b, a) } else { (a, b) }
    }

    fn grant(&mut self, Wish { at, want, care }: Wish, random: &mut Random) {
        let operation = self.program.operation(at);
        let current = self.value(at);
        if (current ^ want) & care == 0 {
            return;
        }
        // Arithmetic cannot leave bits open.
        let full = current & !care | want & care;
        match operation.kind {
            Kind::Constant(_) => {}
            Kind::Variable(index) => {
                let input = &mut self.proposal[index as usize];
                *input = *input & !(care as u64) | (want & care) as u64;
            }
            Kind::Extract { low, a } => self.wish(a, want << low, care << low),
            Kind::Unary { operator, a } if operator.takes_float() || operator.gives_float() => {
                self.float_unary(operator, a, full, operation.width);
            }
            Kind::Unary { operator, a } => self.unary(operator, a, Wish { at, want, care }, random),
            Kind::Binary { operator, a, b } if operator.is_predicate() => {
                self.predicate(operator, a, b, want & 1 == 1, random);
            }
            Kind::Binary { operator, a, b } if operator.takes_floats() => {
                self.float_binary(operator, a, b, full, random);
            }
            Kind::Binary { operator, a, b } => match operator {
                Binary::Concat => {
                    let by = self.program.width(b);
                    self.wish(a, want >> by, care >> by);
                    self.wish(b, cut(want, by), cut(care, by));
                }
                Binary::And | Binary::Or => {
                    self.bits(operator, (a, b), want, care, random);
                }
                Binary::Xor => {
                    let (side, other) = self.side(a, b, random);
                    self.wish(side, (want ^ self.value(other)) & care, care);
                }
                _ => self.integer(operator, (a, b), Wish { at, want, care }, full, random),
            },
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => {
                self.choice((a, b, c), want, care, random);
            }
            Kind::Ternary { operator: Ternary::FMulAdd, a, b, c } => {
                self.multiply_add((a, b, c), full, random);
            }
            Kind::Ternary { operator, a, b, c } => self.funnel(operator, (a, b, c), want, care),
            Kind::Load { table, address } => {
                self.load(table, address, Wish { at, want, care }, random);
            }
        }
    }

    fn unary(&mut self, operator: Unary, a: u32, wish: Wish, random: &mut Random) {
        let (from, to) = (self.program.width(a), self.program.width(wish.at));
        let Wish { want, care, .. } = wish;
        match operator {
            Unary::ZeroExtend | Unary::SignExtend => self.wish(a, cut(want, from), cut(care, from)),
            Unary::ByteSwap | Unary::BitReverse => {
                let turn = |bits| arithmetic::unary(operator, to, from, bits);
                self.wish(a, turn(want), turn(care));
            }
            Unary::Abs => {
                let negate = random.once_in(2);
                self.wish_all(a, if negate { want.wrapping_neg() } else { want });
            }
            Unary::PopCount => self.wish_all(a, mask((want as u32).min(from))),
            Unary::LeadingZeros => {
                let zeros = (want as u32).min(from);
                let keep = cut(self.value(a), from - zeros);
                self.wish_all(a, if zeros < from { keep | 1 << (from - 1 - zeros) } else { 0 });
            }
            Unary::TrailingZeros => {
                let zeros = want as u32;
                self.wish_all(a, if zeros < from { 1 << zeros } else { 0 });
            }
            _ => {}
        }
    }

    /// Both operands must have the bits that decide nothing, one of them those that do.
    fn bits(
        &mut self,
        operator: Binary,
        (a, b): (u32, u32),
        want: u128,
        care: u128,
        random: &mut Random,
    ) {
        let (side, other) = self.side(a, b, random);
        let is_and = operator == Binary::And;
        let both = if is_and { want & care } else { !want & care };
        let pattern = if is_and { both } else { 0 };
        self.wish(other, pattern, both);
        // A bit that the other operand decides can stay.
        let open = if is_and { self.value(other) } else { !self.value(other) };
        let one = care & !both & open;
        self.wish(side, pattern | if is_and { 0 } else { one }, both | one);
    }

    fn choice(&mut self, (a, b, c): (u32, u32, u32), want: u128, care: u128, random: &mut Random) {
        let holds = self.value(a) == 1;
        let (taken, other) = if holds { (b, c) } else { (c, b) };
        let fits = (self.value(other) ^ want) & care == 0;
        let turns = self.is_constant(taken) || fits || random.once_in(4);
        if turns && !self.is_constant(a) {
            self.wish(a, (!holds).into(), 1);
            self.wish(other, want, care);
        } else {
            self.wish(taken, want, care);
        }
    }

    fn funnel(&mut self, operator: Ternary, (a, b, c): (u32, u32, u32), want: u128, care: u128) {
        let width = self.program.width(a);
        let by = (self.value(c) % u128::from(width)) as u32;
        // A shift to the right is one to the left by the rest.
        let left = match operator {
            Ternary::FunnelLeft => by,
            _ if by == 0 => return self.wish(b, want, care),
            _ => width - by,
        };
        self.wish(a, want >> left, care >> left);
        if left > 0 {
            let up = |bits: u128| cut(bits << (width - left), width);
            self.wish(b, up(want), up(care));
        }
    }

    fn load(&mut self, number: u32, address: u32, wish: Wish, random: &mut Random) {
        let (program, width) = (self.program, self.program.width(wish.at));
        let table = &program.tables[number as usize];
        let count = width.div_ceil(8);
        let offset = (self.value(address) as u64).wrapping_sub(table.address);
        let inside = offset < table.places(count);
        let cells: Vec<(u32, u32)> =
            if inside { table.cells(offset as u32, count).collect() } else { Vec::new() };
        if !cells.is_empty() && random.once_in(2) {
            for (index, cell) in cells {
                self.wish(cell, cut(wish.want >> (8 * index), 8), cut(wish.care >> (8 * index), 8));
            }
            return;
        }
        let places = self.reach(table, address, count);
        let step = u64::from(count);
        // Where nothing is known, the other elements at the offset of this one are most likely.
        let likely = Places { first: offset % step, step, ..places };
        let likely = (places.step == 1).then(|| self.place(table, wish, likely, random)).flatten();
        let found = likely.or_else(|| self.place(table, wish, places, random));
        let found = found.or_else(|| places.any(random));
        if let Some(found) = found {
            self.wish_all(address, table.address.wrapping_add(found).into());
        }
    }

    /// The possible offsets of an address.
    fn reach(&self, table: &Table, address: u32, count: u32) -> Places {
        let range = self.ranges[address as usize];
        let offset = |bound: u128| (bound as u64).saturating_sub(table.address);
        let end = table.places(count);
        let (low, high) = (offset(range.low), offset(range.high).saturating_add(1).min(end));
        let (low, high) = if low < high { (low, high) } else { (0, end) };
        let step = u64::try_from(range.step).unwrap_or(1).max(1);
        let first = (range.low as u64).wrapping_sub(table.address) % step;
        Places { low, high, first, step }
    }

    /// An offset at which a table holds the wanted value.
    fn place(
        &mut self,
        table: &Table,
        wish: Wish,
        places: Places,
        random: &mut Random,
    ) -> Option<u64> {
        let width = self.program.width(wish.at);
        let mut found = None;
        let mut count = 0;
        for offset in places.all() {
            self.looked_at += 1;
            let address = table.address.wrapping_add(offset);
            let value = table.read(address, width, &self.values);
            if value.is_some_and(|value| (value ^ wish.want) & wish.care == 0) {
                count += 1;
                if random.once_in(count) {
                    found = Some(offset);
                }
            }
        }
        found
    }
}

/// Offsets between two bounds, the upper one excluded, at multiples of a step from the first one.
#[derive(Clone, Copy)]
struct Places {
    low: u64,
    high: u64,
    first: u64,
    step: u64,
}

impl Places {
    /// Those to inspect.
    fn all(self) -> impl ExactSizeIterator<Item = u64> {
        let start = self.low.saturating_sub(self.first).next_multiple_of(self.step) + self.first;
        let end = self.high.min(start.saturating_add(PLACES));
        let count = end.saturating_sub(start).div_ceil(self.step) as usize;
        (0..count).map(move |number| start + number as u64 * self.step)
    }

    fn any(self, random: &mut Random) -> Option<u64> {
        let mut all = self.all();
        let count = all.len();
        (count > 0).then(|| all.nth(random.below(count))).flatten()
    }
}
