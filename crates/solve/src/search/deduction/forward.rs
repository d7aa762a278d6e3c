//! Possible values of an operation, given those of its operands.

use super::{
    super::{
        program::{Kind, Operation, Program},
        range::Range,
    },
    interval::Interval,
};
use crate::{
    Binary, Ternary, Unary,
    arithmetic::{self, cut, mask},
};

/// Limit on the entries of a table to inspect for one load.
pub(super) const PLACES: u64 = 4096;

/// The offsets inside of its table that a load can have, given the interval of its address.
pub(super) fn offsets(program: &Program, known: &[Interval], operation: Operation) -> Offsets {
    let (Kind::Load { table, address: at }, width) = (operation.kind, operation.width) else {
        return Offsets::NONE;
    };
    let (table, address) = (&program.tables[table as usize], known[at as usize]);
    let places = table.places(width.div_ceil(8));
    let start = u128::from(table.address);
    // An address that wraps around is outside; tables do not.
    let end = start + u128::from(places);
    let (low, high) = (address.low.max(start), (address.high + 1).min(end));
    // The fields of the elements of an array are not everywhere in it.
    let Range { low: from, step, .. } = program.ranges[at as usize];
    let step = step.max(1);
    let low = low + (from % step + step - low % step) % step;
    Offsets {
        first: low.saturating_sub(start) as u64,
        count: high.saturating_sub(low).div_ceil(step) as u64,
        step: step as u64,
        is_inside: address.low >= start && address.high < end,
    }
}

/// Offsets in an arithmetic progression.
pub(super) struct Offsets {
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) step: u64,
    /// Whether there are no offsets outside.
    pub(super) is_inside: bool,
}

impl Offsets {
    /// One of them.
    pub(super) fn at(&self, number: u64) -> u64 {
        self.first + number * self.step
    }

    const NONE: Offsets = Offsets { first: 0, count: 0, step: 1, is_inside: false };
}

/// The interval of an operation that is not a variable.
pub(super) fn values(program: &Program, known: &[Interval], operation: Operation) -> Interval {
    let width = operation.width;
    let of = |at: u32| known[at as usize];
    let found = match operation.kind {
        Kind::Constant(value) => Some(Interval::one(value)),
        Kind::Variable(_) => None,
        Kind::Extract { low, a } => extract(of(a), low, width),
        Kind::Unary { operator, a } => unary(operator, program.width(a), width, of(a)),
        Kind::Binary { operator, a, b } => binary(operator, program.width(b), width, of(a), of(b)),
        Kind::Ternary { operator: Ternary::Ite, a, b, c } => Some(match of(a).single() {
            Some(1) => of(b),
            Some(_) => of(c),
            None => of(b).hull(of(c)),
        }),
        Kind::Ternary { operator, a, b, c } => {
            let values = (of(a).single(), of(b).single(), of(c).single());
            if let (Some(a), Some(b), Some(c)) = values {
                Some(Interval::one(arithmetic::ternary(operator, width, a, b, c)))
            } else {
                None
            }
        }
        Kind::Load { .. } => load(program, known, operation),
    };
    found.unwrap_or_else(|| Interval::all(width))
}

fn load(program: &Program, known: &[Interval], operation: Operation) -> Option<Interval> {
    let offsets = offsets(program, known, operation);
    if offsets.count == 0 || offsets.count > PLACES {
        return None;
    }
    if let Some(plain) = Plain::of(program, operation) {
        return Some(plain.hull(&offsets));
    }
    let all = Interval::all(operation.width);
    let mut found: Option<Interval> = None;
    for number in 0..offsets.count {
        let read = read(program, known, operation, offsets.at(number));
        let joined = found.map_or(read, |found| found.hull(read));
        if joined == all {
            return None;
        }
        found = Some(joined);
    }
    found
}

/// A table of constants, as a load reads it. Generated scanners and parsers do little else than
/// look-ups in such tables, so all entries are read often.
pub(super) struct Plain<'p> {
    bytes: &'p [u8],
    size: usize,
}

impl Plain<'_> {
    /// The table of a load, if all its bytes are constant and whole numbers of a usual size are
    /// read.
    pub(super) fn of(program: &Program, operation: Operation) -> Option<Plain<'_>> {
        let Kind::Load { table, .. } = operation.kind else { return None };
        let table = &program.tables[table as usize];
        let is_plain = table.symbolic.is_empty() && matches!(operation.width, 8 | 16 | 32 | 64);
        is_plain.then_some(Plain { bytes: &table.bytes, size: operation.width as usize / 8 })
    }

    /// The least interval around the entries at some offsets, of which there is at least one.
    fn hull(&self, offsets: &Offsets) -> Interval {
        let (low, high) = match self.size {
            1 => self.least_and_most::<1>(offsets),
            2 => self.least_and_most::<2>(offsets),
            4 => self.least_and_most::<4>(offsets),
            _ => self.least_and_most::<8>(offsets),
        };
        Interval::new(low.into(), high.into())
    }

    fn least_and_most<const SIZE: usize>(&self, offsets: &Offsets) -> (u64, u64) {
        let (first, count) = (offsets.first as usize, offsets.count as usize);
        let around = |(low, high): (u64, u64), it: u64| (low.min(it), high.max(it));
        // The usual case is compiled to instructions for many numbers at once.
        if offsets.step == SIZE as u64 {
            let (elements, _) = self.bytes[first..].as_chunks::<SIZE>();
            let elements = elements[..count].iter().map(|element| number(element));
            return elements.fold((u64::MAX, 0), around);
        }
        let read =
            (0..offsets.count).map(|at| number(&self.bytes[offsets.at(at) as usize..][..SIZE]));
        read.fold((u64::MAX, 0), around)
    }

    /// The entry at an offset.
    pub(super) fn at(&self, offset: u64) -> u128 {
        number(&self.bytes[offset as usize..][..self.size]).into()
    }
}

/// Up to eight bytes as a number.
#[inline(always)]
fn number(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}

/// The computed bytes that a load may read.
pub(super) fn cells<'p>(
    program: &'p Program,
    operation: Operation,
    offsets: &Offsets,
) -> impl Iterator<Item = u32> + 'p {
    let Offsets { first, count, step, .. } = *offsets;
    let bytes = u64::from(operation.width.div_ceil(8));
    let table = match operation.kind {
        Kind::Load { table, .. } => Some(&program.tables[table as usize]),
        _ => None,
    };
    // Overlapping ones are read as one.
    let (count, step, bytes) = match step < bytes {
        true => (count.min(1), 1, count.saturating_sub(1) * step + bytes),
        false => (count, step, bytes),
    };
    let offsets = (0..count).map(move |number| first + number * step);
    let read = offsets.flat_map(move |at| {
        table.into_iter().flat_map(move |table| table.cells(at as u32, bytes as u32))
    });
    read.map(|(_, cell)| cell)
}

/// Possible values of a load at an offset.
pub(super) fn read(
    program: &Program,
    known: &[Interval],
    operation: Operation,
    offset: u64,
) -> Interval {
    let Kind::Load { table, .. } = operation.kind else { return Interval::all(operation.width) };
    let (table, count) = (&program.tables[table as usize], operation.width.div_ceil(8));
    let bytes = &table.bytes[offset as usize..][..count as usize];
    let whole = bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
    let (mut low, mut high) = (whole, whole);
    for (index, cell) in table.cells(offset as u32, count) {
        let cell = known[cell as usize];
        low |= cell.low << (8 * index);
        high |= cell.high << (8 * index);
    }
    if high > mask(operation.width) {
        // Bits of the last byte that the load does not read.
        return if low == high {
            Interval::one(cut(low, operation.width))
        } else {
            Interval::all(operation.width)
        };
    }
    Interval::new(low, high)
}

fn extract(a: Interval, low: u32, width: u32) -> Option<Interval> {
    let (least, most) = (a.low >> low, a.high >> low);
    let above = |value: u128| value & !mask(width);
    (above(least) == above(most)).then(|| Interval::new(cut(least, width), cut(most, width)))
}

fn unary(operator: Unary, from: u32, to: u32, a: Interval) -> Option<Interval> {
    if let Some(value) = a.single() {
        return Some(Interval::one(arithmetic::unary(operator, from, to, value)));
    }
    match operator {
        Unary::ZeroExtend => Some(a),
        Unary::SignExtend => {
            let (low, high) = a.signed(from);
            let is_one_sign = low >= 0 || high < 0;
            is_one_sign.then(|| Interval::new(cut(low as u128, to), cut(high as u128, to)))
        }
        Unary::Abs => a.is_positive(from).then_some(a),
        Unary::PopCount | Unary::LeadingZeros | Unary::TrailingZeros => {
            Some(Interval::new(0, u128::from(from).min(mask(to))))
        }
        _ => None,
    }
}

fn binary(operator: Binary, from: u32, to: u32, a: Interval, b: Interval) -> Option<Interval> {
    use Binary::*;
    if let (Some(a), Some(b)) = (a.single(), b.single()) {
        return Some(Interval::one(arithmetic::binary(operator, from, a, b)));
    }
    if operator.is_predicate() {
        return compare(operator, from, a, b).map(|holds| Interval::one(holds.into()));
    }
    let are_positive = a.is_positive(to) && b.is_positive(to);
    match operator {
        Add => {
            let (low, high) = (a.low.checked_add(b.low)?, a.high.checked_add(b.high)?);
            wrapped(low, high, to)
        }
        Sub => {
            if a.low >= b.high {
                return Some(Interval::new(a.low - b.high, a.high - b.low));
            }
            // Either all of them wrap around, or the result can be any value.
            let wrap = |value: u128| cut(value, to);
            (a.high < b.low).then(|| {
                let (low, high) = (a.low.wrapping_sub(b.high), a.high.wrapping_sub(b.low));
                Interval::new(wrap(low), wrap(high))
            })
        }
        Mul => {
            let high = a.high.checked_mul(b.high).filter(|high| *high <= mask(to))?;
            Some(Interval::new(a.low * b.low, high))
        }
        UDiv => quotient(a, b),
        URem => remainder(a, b),
        SDiv if are_positive => quotient(a, b),
        SRem if are_positive => remainder(a, b),
        Shl => {
            let by = shift(b, to)?;
            let high = a.high.checked_mul(1 << by).filter(|high| *high <= mask(to))?;
            Some(Interval::new(a.low << by, high))
        }
        LShr => {
            let by = shift(b, to)?;
            Some(Interval::new(a.low >> by, a.high >> by))
        }
        AShr if a.is_positive(to) => {
            let by = shift(b, to)?;
            Some(Interval::new(a.low >> by, a.high >> by))
        }
        And => Some(Interval::new(0, a.high.min(b.high))),
        Or => Some(Interval::new(a.low.max(b.low), covered(a.high | b.high))),
        Xor => Some(Interval::new(0, covered(a.high | b.high))),
        UMin => Some(Interval::new(a.low.min(b.low), a.high.min(b.high))),
        UMax => Some(Interval::new(a.low.max(b.low), a.high.max(b.high))),
        SMin if are_positive => Some(Interval::new(a.low.min(b.low), a.high.min(b.high))),
        SMax if are_positive => Some(Interval::new(a.low.max(b.low), a.high.max(b.high))),
        USubSat => Some(Interval::new(a.low.saturating_sub(b.high), a.high.saturating_sub(b.low))),
        Concat => Some(Interval::new(a.low << from | b.low, a.high << from | b.high)),
        _ => None,
    }
}

/// The rest of an interval whose numbers are too large by less than they could be.
fn wrapped(low: u128, high: u128, width: u32) -> Option<Interval> {
    let (below, above) = (low & !mask(width), high & !mask(width));
    (below == above).then(|| Interval::new(cut(low, width), cut(high, width)))
}

/// All bits up to the highest set one.
fn covered(value: u128) -> u128 {
    mask(128 - value.leading_zeros())
}

/// The shift distance, if it is one number below the width.
pub(super) fn shift(by: Interval, width: u32) -> Option<u32> {
    by.single().and_then(|by| u32::try_from(by).ok()).filter(|by| *by < width)
}

fn quotient(a: Interval, b: Interval) -> Option<Interval> {
    (b.low > 0).then(|| Interval::new(a.low / b.high, a.high / b.low))
}

fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    if b.low == 0 {
        return Some(Interval::new(0, a.high));
    }
    if a.high < b.low {
        return Some(a);
    }
    match b.single() {
        Some(by) if a.low / by == a.high / by => Some(Interval::new(a.low % by, a.high % by)),
        _ => Some(Interval::new(0, a.high.min(b.high - 1))),
    }
}

/// The outcome of a comparison, if it is the same for all values.
fn compare(operator: Binary, width: u32, a: Interval, b: Interval) -> Option<bool> {
    use Binary::*;
    match operator {
        Eq => a.meet(b).is_none().then_some(false),
        Ne => a.meet(b).is_none().then_some(true),
        ULt | USubOverflow => less((a.low, a.high), (b.low, b.high)),
        ULe => less((b.low, b.high), (a.low, a.high)).map(|holds| !holds),
        SLt => less(a.signed(width), b.signed(width)),
        SLe => less(b.signed(width), a.signed(width)).map(|holds| !holds),
        UAddOverflow => {
            let fits = |sum: Option<u128>| sum.is_some_and(|sum| sum <= mask(width));
            match (fits(a.low.checked_add(b.low)), fits(a.high.checked_add(b.high))) {
                (_, true) => Some(false),
                (false, _) => Some(true),
                _ => None,
            }
        }
        UMulOverflow => {
            let fits = |product: Option<u128>| product.is_some_and(|value| value <= mask(width));
            match (fits(a.low.checked_mul(b.low)), fits(a.high.checked_mul(b.high))) {
                (_, true) => Some(false),
                (false, _) => Some(true),
                _ => None,
            }
        }
        _ => None,
    }
}

fn less<T: PartialOrd>(a: (T, T), b: (T, T)) -> Option<bool> {
    if a.1 < b.0 {
        return Some(true);
    }
    (a.0 >= b.1).then_some(false)
}
