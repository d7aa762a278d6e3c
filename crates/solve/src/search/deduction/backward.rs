//! Narrows operands, given the values of the result.

use super::{
    super::program::{Kind, Operation},
    Contradiction, Deduction,
    forward::{self, PLACES, Plain, shift},
    interval::{Interval, Stretch},
};
use crate::{
    Binary, Ternary, Unary,
    arithmetic::{cut, mask, sign_bit},
};

impl Deduction<'_> {
    /// Narrows the operands of an operation whose value matters.
    pub(super) fn narrow_operands(
        &mut self,
        at: u32,
        operation: Operation,
    ) -> Result<(), Contradiction> {
        let result = self.of(at);
        match operation.kind {
            Kind::Constant(_) | Kind::Variable(_) => Ok(()),
            Kind::Extract { low, a } => self.narrow_extracted(low, a, operation.width, result),
            Kind::Unary { operator, a } => self.narrow_unary(operator, a, operation.width, result),
            Kind::Binary { operator, a, b } if operator.is_predicate() => match result.single() {
                Some(value) => self.narrow_compared(operator, a, b, value == 1),
                None => Ok(()),
            },
            Kind::Binary { operator, a, b } => {
                self.narrow_binary(operator, (a, b), operation.width, result)
            }
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => match self.of(a).single() {
                Some(1) => self.narrow(b, result.into()),
                Some(_) => self.narrow(c, result.into()),
                None if self.of(b).meet(result).is_none() => self.decide(a, false),
                None if self.of(c).meet(result).is_none() => self.decide(a, true),
                None => Ok(()),
            },
            Kind::Ternary { .. } => Ok(()),
            Kind::Load { address, .. } => self.narrow_address(operation, address, result),
        }
    }

    fn decide(&mut self, at: u32, holds: bool) -> Result<(), Contradiction> {
        self.narrow(at, Interval::one(holds.into()).into())
    }

    fn narrow_extracted(
        &mut self,
        low: u32,
        a: u32,
        width: u32,
        result: Interval,
    ) -> Result<(), Contradiction> {
        let operand = self.of(a);
        let above = |value: u128| value >> low & !mask(width);
        if above(operand.low) != above(operand.high) {
            return Ok(());
        }
        let place = |value: u128| (above(operand.low) | value) << low;
        self.narrow(a, Stretch::new(place(result.low), place(result.high) | mask(low)))
    }

    fn narrow_unary(
        &mut self,
        operator: Unary,
        a: u32,
        to: u32,
        result: Interval,
    ) -> Result<(), Contradiction> {
        let from = self.program.width(a);
        match operator {
            Unary::ZeroExtend => self.narrow(a, result.into()),
            Unary::SignExtend => {
                // The part of the result that is an extension at all.
                let sign = sign_bit(from);
                let positive = result.meet(Interval::new(0, sign - 1));
                let extended = mask(to) - mask(from) + sign;
                let negative = result.meet(Interval::new(extended, mask(to)));
                let negative = negative.map(|negative| {
                    Interval::new(cut(negative.low, from), cut(negative.high, from))
                });
                match (positive, negative) {
                    (None, None) => Err(Contradiction),
                    (Some(one), None) | (None, Some(one)) => self.narrow(a, one.into()),
                    (Some(one), Some(other)) => self.narrow(a, one.hull(other).into()),
                }
            }
            _ => Ok(()),
        }
    }

    fn narrow_binary(
        &mut self,
        operator: Binary,
        (a, b): (u32, u32),
        width: u32,
        result: Interval,
    ) -> Result<(), Contradiction> {
        let (left, right) = (self.of(a), self.of(b));
        match operator {
            Binary::Add => {
                self.narrow_difference(a, result, right, width)?;
                self.narrow_difference(b, result, self.of(a), width)
            }
            Binary::Sub => {
                let start = result.low.wrapping_add(right.low);
                let extent = result.extent().checked_add(right.extent());
                self.narrow_some(a, Stretch::of_extent(start, extent, width))?;
                self.narrow_difference(b, self.of(a), result, width)
            }
            Binary::Mul => {
                self.narrow_factor(a, result, right, width)?;
                self.narrow_factor(b, result, self.of(a), width)
            }
            Binary::Concat => self.narrow_parts(a, b, result),
            Binary::And if width == 1 => self.narrow_gate(a, b, result, 1),
            Binary::Or if width == 1 => self.narrow_gate(a, b, result, 0),
            // A conjunction is not more than its parts, a disjunction not less.
            Binary::And => {
                let more = Stretch::new(result.low, mask(width));
                self.narrow(a, more)?;
                self.narrow(b, more)
            }
            Binary::Or => {
                let less = Stretch::new(0, result.high);
                self.narrow(a, less)?;
                self.narrow(b, less)
            }
            Binary::Xor => self.narrow_turned(a, b, result),
            Binary::UDiv => self.narrow_dividend(a, result, right, width),
            Binary::SDiv if left.is_positive(width) && right.is_positive(width) => {
                self.narrow_dividend(a, result, right, width)
            }
            Binary::URem => self.narrow_divided(a, result, right),
            Binary::SRem if left.is_positive(width) && right.is_positive(width) => {
                self.narrow_divided(a, result, right)
            }
            Binary::Shl => match shift(right, width) {
                Some(by) => self.narrow_factor(a, result, Interval::one(1 << by), width),
                None => Ok(()),
            },
            Binary::LShr => match shift(right, width) {
                Some(by) => self.narrow_dividend(a, result, Interval::one(1 << by), width),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn narrow_some(&mut self, at: u32, to: Option<Stretch>) -> Result<(), Contradiction> {
        to.map_or(Ok(()), |stretch| self.narrow(at, stretch))
    }

    /// Narrows an operand to the difference of two intervals.
    fn narrow_difference(
        &mut self,
        at: u32,
        more: Interval,
        less: Interval,
        width: u32,
    ) -> Result<(), Contradiction> {
        let start = more.low.wrapping_sub(less.high);
        let extent = more.extent().checked_add(less.extent());
        self.narrow_some(at, Stretch::of_extent(start, extent, width))
    }

    /// Narrows a factor of a product that does not wrap.
    fn narrow_factor(
        &mut self,
        at: u32,
        product: Interval,
        other: Interval,
        width: u32,
    ) -> Result<(), Contradiction> {
        let most = self.of(at).high.checked_mul(other.high);
        if other.low == 0 || most.is_none_or(|most| most > mask(width)) {
            return Ok(());
        }
        let (low, high) = (product.low.div_ceil(other.high), product.high / other.low);
        if low > high { Err(Contradiction) } else { self.narrow(at, Stretch::new(low, high)) }
    }

    fn narrow_dividend(
        &mut self,
        at: u32,
        quotient: Interval,
        by: Interval,
        width: u32,
    ) -> Result<(), Contradiction> {
        if by.low == 0 {
            return Ok(());
        }
        // The forward pass rejects quotients that are too large for any dividend.
        let Some(low) = quotient.low.checked_mul(by.low) else { return Ok(()) };
        let next = quotient.high.checked_add(1).and_then(|next| next.checked_mul(by.high));
        let high = next.map_or(mask(width), |next| (next - 1).min(mask(width)));
        if low > high { Err(Contradiction) } else { self.narrow(at, Stretch::new(low, high)) }
    }

    /// Narrows a dividend to ends with a possible remainder.
    fn narrow_divided(
        &mut self,
        at: u32,
        remainder: Interval,
        by: Interval,
    ) -> Result<(), Contradiction> {
        let Some(by) = by.single().filter(|by| *by > 0) else { return Ok(()) };
        let operand = self.of(at);
        if remainder.low >= by {
            return Err(Contradiction);
        }
        let last = remainder.high.min(by - 1);
        let (start, rest) = (operand.low - operand.low % by, operand.low % by);
        let low = match rest {
            _ if rest < remainder.low => start.checked_add(remainder.low).ok_or(Contradiction)?,
            _ if rest > last => match start.checked_add(by) {
                Some(next) => next.checked_add(remainder.low).ok_or(Contradiction)?,
                None => return Err(Contradiction),
            },
            _ => operand.low,
        };
        let (start, rest) = (operand.high - operand.high % by, operand.high % by);
        let high = match rest {
            _ if rest > last => start + last,
            _ if rest < remainder.low => match start.checked_sub(by) {
                Some(before) => before + last,
                None => return Err(Contradiction),
            },
            _ => operand.high,
        };
        if low > high { Err(Contradiction) } else { self.narrow(at, Stretch::new(low, high)) }
    }

    fn narrow_parts(&mut self, a: u32, b: u32, result: Interval) -> Result<(), Contradiction> {
        let by = self.program.width(b);
        self.narrow(a, Stretch::new(result.low >> by, result.high >> by))?;
        let Some(high) = self.of(a).single() else { return Ok(()) };
        let range = Interval::new(high << by, high << by | mask(by));
        let inside = result.meet(range).ok_or(Contradiction)?;
        self.narrow(b, Stretch::new(cut(inside.low, by), cut(inside.high, by)))
    }

    /// Conjunction for 1, disjunction for 0, on single bits: both operands must have the value of
    /// the result.
    fn narrow_gate(
        &mut self,
        a: u32,
        b: u32,
        result: Interval,
        both: u128,
    ) -> Result<(), Contradiction> {
        let Some(value) = result.single() else { return Ok(()) };
        if value == both {
            self.narrow(a, result.into())?;
            return self.narrow(b, result.into());
        }
        if self.of(a).single() == Some(both) {
            self.narrow(b, result.into())?;
        }
        if self.of(b).single() == Some(both) {
            self.narrow(a, result.into())?;
        }
        Ok(())
    }

    fn narrow_turned(&mut self, a: u32, b: u32, result: Interval) -> Result<(), Contradiction> {
        let Some(value) = result.single() else { return Ok(()) };
        if let Some(by) = self.of(b).single() {
            self.narrow(a, Interval::one(value ^ by).into())?;
        }
        if let Some(by) = self.of(a).single() {
            self.narrow(b, Interval::one(value ^ by).into())?;
        }
        Ok(())
    }

    fn narrow_compared(
        &mut self,
        operator: Binary,
        a: u32,
        b: u32,
        holds: bool,
    ) -> Result<(), Contradiction> {
        use Binary::*;
        match (operator, holds) {
            (Eq, true) | (Ne, false) => self.narrow_equal(a, b),
            (Eq, false) | (Ne, true) => {
                self.narrow_unequal(a, b)?;
                self.narrow_unequal(b, a)
            }
            (ULt | USubOverflow, true) => self.narrow_less(a, b, 1),
            (ULt | USubOverflow, false) => self.narrow_less(b, a, 0),
            (ULe, true) => self.narrow_less(a, b, 0),
            (ULe, false) => self.narrow_less(b, a, 1),
            (SLt, true) => self.narrow_less_signed(a, b, 1),
            (SLt, false) => self.narrow_less_signed(b, a, 0),
            (SLe, true) => self.narrow_less_signed(a, b, 0),
            (SLe, false) => self.narrow_less_signed(b, a, 1),
            _ => Ok(()),
        }
    }

    fn narrow_equal(&mut self, a: u32, b: u32) -> Result<(), Contradiction> {
        self.narrow(a, self.of(b).into())?;
        self.narrow(b, self.of(a).into())?;
        self.narrow_variables(a, b)
    }

    fn narrow_unequal(&mut self, a: u32, b: u32) -> Result<(), Contradiction> {
        match self.of(b).single() {
            Some(value) => self.narrow(a, Stretch::except(value, self.program.width(a))),
            None => Ok(()),
        }
    }

    /// Narrows to where the first is less than the second by a gap of zero or one.
    fn narrow_less(&mut self, a: u32, b: u32, gap: u128) -> Result<(), Contradiction> {
        let most = self.of(b).high.checked_sub(gap).ok_or(Contradiction)?;
        self.narrow(a, Stretch::new(0, most))?;
        let all = mask(self.program.width(b));
        let least = self.of(a).low.checked_add(gap).filter(|least| *least <= all);
        self.narrow(b, Stretch::new(least.ok_or(Contradiction)?, all))
    }

    fn narrow_less_signed(&mut self, a: u32, b: u32, gap: i128) -> Result<(), Contradiction> {
        let width = self.program.width(a);
        let least = crate::arithmetic::signed(sign_bit(width), width);
        let most = self.of(b).signed(width).1.checked_sub(gap).filter(|most| *most >= least);
        self.narrow(a, Stretch::of_signed(least, most.ok_or(Contradiction)?, width))?;
        let from = self.of(a).signed(width).0.checked_add(gap).filter(|from| *from <= !least);
        self.narrow(b, Stretch::of_signed(from.ok_or(Contradiction)?, !least, width))
    }

    /// Narrows an address to places of its table that hold a wanted value.
    fn narrow_address(
        &mut self,
        operation: Operation,
        address: u32,
        result: Interval,
    ) -> Result<(), Contradiction> {
        let Kind::Load { table, .. } = operation.kind else { return Ok(()) };
        let program = self.program;
        let offsets = forward::offsets(program, &self.known, operation);
        if offsets.count == 0 {
            return Err(Contradiction);
        }
        let base = u128::from(program.tables[table as usize].address);
        let last = offsets.count - 1;
        let (mut low, mut high) = (0, last);
        if offsets.count <= PLACES {
            let plain = Plain::of(program, operation);
            let fits = |number: &u64| {
                let offset = offsets.at(*number);
                match &plain {
                    Some(plain) => (result.low..=result.high).contains(&plain.at(offset)),
                    None => {
                        let read = forward::read(program, &self.known, operation, offset);
                        read.meet(result).is_some()
                    }
                }
            };
            low = (0..=last).find(fits).ok_or(Contradiction)?;
            high = (low..=last).rev().find(fits).unwrap_or(low);
        }
        let place = |number| base + u128::from(offsets.at(number));
        self.narrow(address, Stretch::new(place(low), place(high)))
    }
}
