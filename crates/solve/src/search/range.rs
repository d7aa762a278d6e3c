//! Possible values of operations, as bounds and a step.

use super::program::{Kind, Program};
use crate::{
    Binary, Ternary, Unary,
    arithmetic::{mask, sign_bit},
};

/// The numbers `low`, `low + step` and so on up to `high`. The step of a single number is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: u128,
    pub(super) high: u128,
    pub(super) step: u128,
}

impl Range {
    pub(super) fn new(low: u128, high: u128) -> Range {
        Range { low, high, step: u128::from(low != high) }
    }

    fn all(width: u32) -> Range {
        Range::new(0, mask(width))
    }

    /// Ranges of all operations, given those of the variables.
    pub(super) fn of_program(program: &Program, variables: &[Range]) -> Vec<Range> {
        let mut ranges: Vec<Range> = Vec::with_capacity(program.operations.len());
        for operation in &program.operations {
            let at = |position: u32| ranges[position as usize];
            let range = match operation.kind {
                Kind::Constant(value) => Some(Range::new(value, value)),
                Kind::Variable(index) => Some(variables[index as usize]),
                Kind::Unary { operator: Unary::ZeroExtend, a } => Some(at(a)),
                Kind::Unary { operator: Unary::SignExtend, a } => {
                    let range = at(a);
                    (range.high < sign_bit(program.width(a))).then_some(range)
                }
                Kind::Extract { low: 0, a } => {
                    let range = at(a);
                    (range.high <= mask(operation.width)).then_some(range)
                }
                Kind::Binary { operator, a, b } => match operator {
                    Binary::Add => at(a).plus(at(b), operation.width),
                    Binary::Mul => at(a).times(at(b), operation.width),
                    Binary::Concat => {
                        let scale = Range::new(1 << program.width(b), 1 << program.width(b));
                        let high = at(a).times(scale, operation.width);
                        high.and_then(|high| high.plus(at(b), operation.width))
                    }
                    _ => None,
                },
                Kind::Ternary { operator: Ternary::Ite, b, c, .. } => Some(at(b).or(at(c))),
                _ => None,
            };
            let range = range.unwrap_or_else(|| Range::all(operation.width));
            ranges.push(range);
        }
        ranges
    }

    /// Sums, if either all or none of them overflow the width.
    fn plus(self, other: Range, width: u32) -> Option<Range> {
        let step = gcd(self.step, other.step);
        let (low, high) = (self.low.checked_add(other.low)?, self.high.checked_add(other.high)?);
        match (low > mask(width), high > mask(width)) {
            (false, false) => Some(Range { low, high, step }),
            (true, true) => Some(Range { low: low & mask(width), high: high & mask(width), step }),
            _ => None,
        }
    }

    fn times(self, other: Range, width: u32) -> Option<Range> {
        let high = self.high.checked_mul(other.high).filter(|high| *high <= mask(width))?;
        let step = match (self.step, other.step) {
            (step, 0) => step * other.low,
            (0, step) => step * self.low,
            _ => 1,
        };
        Some(Range { low: self.low * other.low, high, step })
    }

    fn or(self, other: Range) -> Range {
        let apart = self.low.abs_diff(other.low);
        let step = gcd(gcd(self.step, other.step), apart);
        Range { low: self.low.min(other.low), high: self.high.max(other.high), step }
    }

    /// A number of another range, near `current`, that this range can complete to a sum.
    pub(super) fn complement(
        self,
        other: Range,
        sum: u128,
        current: u128,
        up: bool,
    ) -> Option<u128> {
        let low = other.low.max(sum.saturating_sub(self.high));
        let high = other.high.min(sum.checked_sub(self.low)?);
        if low > high {
            return None;
        }
        let near = current.clamp(low, high);
        let step = self.step.max(1);
        // Both are at most as large as the sum, so this does not overflow.
        let beyond = (near % step + step - (sum - self.low) % step) % step;
        let below = near.checked_sub(beyond).filter(|number| *number >= low);
        let above = if beyond == 0 { Some(near) } else { near.checked_add(step - beyond) };
        let above = above.filter(|number| *number <= high);
        if up { above.or(below) } else { below.or(above) }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_is_what_the_others_leave() {
        let tens = Range { low: 480, high: 570, step: 10 };
        let digit = Range::new(48, 57);
        assert_eq!(tens.complement(digit, 555, 57, false), Some(55));
        assert_eq!(tens.complement(digit, 549, 48, true), Some(49));
        assert_eq!(tens.complement(digit, 10, 48, true), None);
    }

    #[test]
    fn sums_wrap_all_or_not_at_all() {
        let bytes = Range::new(48, 57);
        let minus = Range::new(mask(32) - 47, mask(32) - 47);
        assert_eq!(bytes.plus(minus, 32), Some(Range::new(0, 9)));
        assert_eq!(Range::new(0, 57).plus(minus, 32), None);
    }
}
