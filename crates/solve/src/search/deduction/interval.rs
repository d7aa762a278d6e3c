//! Intervals of numbers.

use crate::arithmetic::{cut, mask, sign_bit, signed};

/// The numbers from the first to the last, which is not less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: u128,
    pub(super) high: u128,
}

/// The numbers from the first upwards to the last, past the greatest and zero if need be: an
/// interval after a subtraction, or all numbers but one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    start: u128,
    end: u128,
}

impl Interval {
    pub(super) fn new(low: u128, high: u128) -> Interval {
        Interval { low, high }
    }

    pub(super) fn one(number: u128) -> Interval {
        Interval { low: number, high: number }
    }

    pub(super) fn all(width: u32) -> Interval {
        Interval { low: 0, high: mask(width) }
    }

    /// The number, if it is only one.
    pub(super) fn single(self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many numbers there are, less one.
    pub(super) fn extent(self) -> u128 {
        self.high - self.low
    }

    /// The numbers of both and those between them.
    pub(super) fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection.
    pub(super) fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    /// The least interval around the intersection with a stretch.
    pub(super) fn within(self, stretch: Stretch, width: u32) -> Option<Interval> {
        let parts = stretch.parts(width).map(|part| part.and_then(|part| self.meet(part)));
        match parts {
            [Some(one), Some(other)] => Some(one.hull(other)),
            [one, other] => one.or(other),
        }
    }

    /// Bounds of the numbers taken as signed ones.
    pub(super) fn signed(self, width: u32) -> (i128, i128) {
        let sign = sign_bit(width);
        if self.low < sign && self.high >= sign {
            let least = signed(sign, width);
            return (least, !least);
        }
        (signed(self.low, width), signed(self.high, width))
    }

    /// Whether none of them is negative as a signed number.
    pub(super) fn is_positive(self, width: u32) -> bool {
        self.high < sign_bit(width)
    }
}

impl Stretch {
    /// From one number to another, wrapping around if it is less.
    pub(super) fn new(start: u128, end: u128) -> Stretch {
        Stretch { start, end }
    }

    /// The numbers between two signed ones.
    pub(super) fn of_signed(low: i128, high: i128, width: u32) -> Stretch {
        Stretch { start: cut(low as u128, width), end: cut(high as u128, width) }
    }

    /// All numbers but one.
    pub(super) fn except(number: u128, width: u32) -> Stretch {
        let next = cut(number.wrapping_add(1), width);
        Stretch { start: next, end: cut(number.wrapping_sub(1), width) }
    }

    /// `extent + 1` numbers from a start on, unless these are all numbers.
    pub(super) fn of_extent(start: u128, extent: Option<u128>, width: u32) -> Option<Stretch> {
        let extent = extent.filter(|extent| *extent < mask(width))?;
        let start = cut(start, width);
        Some(Stretch { start, end: cut(start.wrapping_add(extent), width) })
    }

    /// Its intervals, the lower one first.
    pub(super) fn parts(self, width: u32) -> [Option<Interval>; 2] {
        if self.start <= self.end {
            return [Some(Interval::new(self.start, self.end)), None];
        }
        [Some(Interval::new(0, self.end)), Some(Interval::new(self.start, mask(width)))]
    }
}

impl From<Interval> for Stretch {
    fn from(interval: Interval) -> Stretch {
        Stretch { start: interval.low, end: interval.high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_left_out() {
        let bytes = Interval::all(8);
        assert_eq!(bytes.within(Stretch::except(0, 8), 8), Some(Interval::new(1, 255)));
        assert_eq!(bytes.within(Stretch::except(255, 8), 8), Some(Interval::new(0, 254)));
        assert_eq!(bytes.within(Stretch::except(7, 8), 8), Some(bytes));
        assert_eq!(Interval::one(7).within(Stretch::except(7, 8), 8), None);
        assert_eq!(Interval::all(1).within(Stretch::except(1, 1), 1), Some(Interval::one(0)));
    }

    #[test]
    fn signed_numbers_wrap_at_zero() {
        let around = Stretch::of_signed(-2, 3, 8);
        assert_eq!(Interval::new(3, 200).within(around, 8), Some(Interval::one(3)));
        assert_eq!(Interval::new(4, 253).within(around, 8), None);
        assert_eq!(Interval::new(0, 127).signed(8), (0, 127));
        assert_eq!(Interval::new(128, 255).signed(8), (-128, -1));
        assert_eq!(Interval::new(127, 128).signed(8), (-128, 127));
    }
}
