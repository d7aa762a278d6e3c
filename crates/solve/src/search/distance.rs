//! How far a condition is from holding, as instructions.
//!
//! The distance of a comparison is the logarithm of by how much it fails: the pattern of a float
//! is one, to within a tenth. So a condition on 64 bits does not drown one on eight, while even
//! the least step towards a value is seen. It is zero where the condition holds and only there.
//! Negation is pushed down to the comparisons; both parts of a conjunction count, of a
//! disjunction the nearer one.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_codegen::ir::{condcodes::IntCC, types};

use super::{compiler::Emitter, program::Shape};
use crate::Binary;

/// The distance of a comparison that fails by one.
pub(super) const UNIT: u64 = 1 << 40;

/// More than the distance of any comparison. Sums of twenty thousand of them still fit.
pub(super) const FAR: u64 = 1 << 48;

/// Bits of the pattern of a float that are not kept.
const DROPPED: u32 = 12;

/// Whether a condition is to hold, or to fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Hold,
    Fail,
}

use Aim::{Fail, Hold};

impl Aim {
    fn opposite(self) -> Aim {
        if self == Hold { Fail } else { Hold }
    }
}

/// The distances of all conditions that are needed.
struct Distances {
    needed: Vec<[bool; 2]>,
    known: Vec<[Option<Value>; 2]>,
}

impl Distances {
    fn need(&mut self, at: u32, aim: Aim) {
        self.needed[at as usize][aim as usize] = true;
    }

    fn needs(&self, at: u32, aim: Aim) -> bool {
        self.needed[at as usize][aim as usize]
    }
}

impl Emitter<'_> {
    /// Writes the distance of each condition down and returns their sum.
    pub(super) fn distances(&mut self, place: Value) -> Value {
        let program = self.program;
        let count = program.operations.len();
        let mut distances =
            Distances { needed: vec![[false; 2]; count], known: vec![[None; 2]; count] };
        for condition in &program.conditions {
            distances.need(*condition, Hold);
        }
        for at in (0..count as u32).rev() {
            for aim in [Hold, Fail] {
                if distances.needs(at, aim) {
                    self.need_parts(&mut distances, at, aim);
                }
            }
        }
        for at in 0..count as u32 {
            for aim in [Hold, Fail] {
                if distances.needs(at, aim) {
                    let value = self.distance(&distances, at, aim);
                    distances.known[at as usize][aim as usize] = Some(value);
                }
            }
        }
        let mut total = self.word(0);
        for (index, condition) in program.conditions.iter().enumerate() {
            let mut value = self.known(&distances, *condition, Hold);
            if let Some(flaw) = self.flaws[*condition as usize] {
                let far = self.word(FAR);
                value = self.build.ins().select(flaw, far, value);
            }
            let flags = MemFlagsData::trusted();
            self.build.ins().store(flags, value, place, 8 * index as i32);
            total = self.build.ins().iadd(total, value);
        }
        total
    }

    fn need_parts(&self, distances: &mut Distances, at: u32, aim: Aim) {
        match self.program.shape(at) {
            Shape::Not(a) => distances.need(a, aim.opposite()),
            Shape::And(a, b) | Shape::Or(a, b) => {
                distances.need(a, aim);
                distances.need(b, aim);
            }
            Shape::Xor(a, b) | Shape::Same(a, b) => {
                for part in [a, b] {
                    distances.need(part, Hold);
                    distances.need(part, Fail);
                }
            }
            Shape::Choice(a, b, c) => {
                distances.need(a, Hold);
                distances.need(a, Fail);
                distances.need(b, aim);
                distances.need(c, aim);
            }
            Shape::Compare(..) | Shape::Truth(_) | Shape::Bit => {}
        }
    }

    fn known(&mut self, distances: &Distances, at: u32, aim: Aim) -> Value {
        match distances.known[at as usize][aim as usize] {
            Some(value) => value,
            // Operands come first, so this does not happen; far is always sound.
            None => self.word(FAR),
        }
    }

    fn distance(&mut self, distances: &Distances, at: u32, aim: Aim) -> Value {
        match (self.program.shape(at), aim) {
            (Shape::Not(a), _) => self.known(distances, a, aim.opposite()),
            (Shape::And(a, b), Hold) | (Shape::Or(a, b), Fail) => {
                self.both(distances, (a, aim), (b, aim))
            }
            (Shape::And(a, b) | Shape::Or(a, b), _) => {
                let (a, b) = (self.known(distances, a, aim), self.known(distances, b, aim));
                self.build.ins().umin(a, b)
            }
            (Shape::Xor(a, b), Hold) | (Shape::Same(a, b), Fail) => {
                let one = self.both(distances, (a, Hold), (b, Fail));
                let other = self.both(distances, (a, Fail), (b, Hold));
                self.build.ins().umin(one, other)
            }
            (Shape::Xor(a, b) | Shape::Same(a, b), _) => {
                let one = self.both(distances, (a, Hold), (b, Hold));
                let other = self.both(distances, (a, Fail), (b, Fail));
                self.build.ins().umin(one, other)
            }
            (Shape::Choice(a, b, c), _) => {
                let one = self.both(distances, (a, Hold), (b, aim));
                let other = self.both(distances, (a, Fail), (c, aim));
                self.build.ins().umin(one, other)
            }
            (Shape::Truth(truth), _) => self.word(if truth == (aim == Hold) { 0 } else { FAR }),
            (Shape::Compare(operator, a, b), _) => self.comparison(operator, a, b, at, aim),
            (Shape::Bit, _) => {
                let unit = self.word(UNIT);
                self.unless(at, aim, unit)
            }
        }
    }

    fn both(&mut self, distances: &Distances, one: (u32, Aim), other: (u32, Aim)) -> Value {
        let one = self.known(distances, one.0, one.1);
        let other = self.known(distances, other.0, other.1);
        let (sum, far) = (self.build.ins().iadd(one, other), self.word(FAR));
        self.build.ins().umin(sum, far)
    }

    /// A distance where a condition is not as wanted, else zero.
    fn unless(&mut self, at: u32, aim: Aim, distance: Value) -> Value {
        let (truth, zero) = (self.truth(at), self.word(0));
        match aim {
            Hold => self.build.ins().select(truth, zero, distance),
            Fail => self.build.ins().select(truth, distance, zero),
        }
    }

    fn comparison(&mut self, operator: Binary, a: u32, b: u32, at: u32, aim: Aim) -> Value {
        use Binary::*;
        let distance = match (operator, aim) {
            (Eq, Hold) | (Ne, Fail) => self.gap(a, b, 1.0),
            (Eq, Fail) | (Ne, Hold) => self.word(UNIT),
            // A failing `less` is at least as far as equal values are.
            (ULt | USubOverflow, _) | (ULe, _) => self.gap(a, b, 2.0),
            (SLt | SLe, _) => {
                let (x, y) = self.biased(a, b);
                self.gap_between(x, y, self.width(a), 2.0)
            }
            (FUno | FOrd, _) => self.word(UNIT),
            (FONe | FUNe, Hold) | (FOEq | FUEq, Fail) => self.word(UNIT),
            _ if operator.takes_floats() => self.float_gap(a, b),
            _ => self.word(UNIT),
        };
        self.unless(at, aim, distance)
    }

    fn gap(&mut self, a: u32, b: u32, beyond: f64) -> Value {
        let (x, y) = (self.value(a), self.value(b));
        self.gap_between(x, y, self.width(a), beyond)
    }

    /// The logarithm of the difference of two numbers plus `beyond`.
    fn gap_between(&mut self, x: Value, y: Value, width: u32, beyond: f64) -> Value {
        let (one, other) = (self.build.ins().isub(x, y), self.build.ins().isub(y, x));
        let less = self.build.ins().icmp(IntCC::UnsignedLessThan, x, y);
        let gap = self.build.ins().select(less, other, one);
        let float = if width < 64 {
            self.build.ins().fcvt_from_sint(types::F64, gap)
        } else if width == 64 {
            self.build.ins().fcvt_from_uint(types::F64, gap)
        } else {
            let (low, high) = self.build.ins().isplit(gap);
            let low = self.build.ins().fcvt_from_uint(types::F64, low);
            let high = self.build.ins().fcvt_from_uint(types::F64, high);
            let scale = self.build.ins().f64const(2_f64.powi(64));
            let high = self.build.ins().fmul(high, scale);
            self.build.ins().fadd(high, low)
        };
        let beyond = self.build.ins().f64const(beyond);
        let float = self.build.ins().fadd(float, beyond);
        let pattern = self.build.ins().bitcast(types::I64, MemFlagsData::new(), float);
        let one = self.word(1_f64.to_bits());
        let logarithm = self.build.ins().isub(pattern, one);
        self.shift_right(logarithm, DROPPED)
    }

    /// How many floats lie between two of them. A NaN is far from everything.
    fn float_gap(&mut self, a: u32, b: u32) -> Value {
        let width = self.width(a);
        let (x, y) = (self.ordered(a), self.ordered(b));
        let gap = self.gap_between(x, y, width, 2.0);
        let ordered = self.float_compare(Binary::FOrd, a, b);
        let far = self.word(FAR);
        self.build.ins().select(ordered, gap, far)
    }

    /// The pattern of a float as an unsigned number in the order of the floats.
    fn ordered(&mut self, at: u32) -> Value {
        let width = self.width(at);
        let (value, sign) = (self.value(at), self.word(1 << (width - 1)));
        let ones = self.word(crate::arithmetic::mask(width) as u64);
        let negative = self.build.ins().band(value, sign);
        let flipped = self.build.ins().bxor(value, ones);
        let raised = self.build.ins().bor(value, sign);
        self.build.ins().select(negative, flipped, raised)
    }
}
