//! Arithmetic on integers, inverted.

use super::{Inversion, Wish};
use crate::{
    Binary,
    arithmetic::{cut, mask, signed},
    search::random::Random,
};

impl Inversion<'_> {
    /// Wishes for operands with the result `full`; shifts leave the bits open that the wish leaves
    /// open.
    pub(super) fn integer(
        &mut self,
        operator: Binary,
        (a, b): (u32, u32),
        wish: Wish,
        full: u128,
        random: &mut Random,
    ) {
        use Binary::*;
        let (x, y) = (self.value(a), self.value(b));
        match operator {
            Add | UAddSat | SAddSat if a == b => self.wish_all(a, full >> 1),
            Add if !self.is_constant(b) => self.addends(a, b, full, random),
            Add | UAddSat | SAddSat => {
                let (side, other) = self.side(a, b, random);
                self.wish_all(side, full.wrapping_sub(self.value(other)));
            }
            Sub | USubSat | SSubSat => {
                let (side, _) = self.side(a, b, random);
                let want = if side == a { full.wrapping_add(y) } else { x.wrapping_sub(full) };
                self.wish_all(side, want);
            }
            Mul => self.factor(a, b, full, random),
            UDiv | SDiv | URem | SRem => self.division(operator, (a, b), full, random),
            Shl | LShr | AShr => self.shift(operator, (a, b), wish, random),
            UMin | UMax | SMin | SMax => {
                let (side, other) = self.side(a, b, random);
                self.wish_all(side, full);
                if random.once_in(2) {
                    self.wish_all(other, full);
                }
            }
            _ => {}
        }
    }

    /// Changes one addend, both by the same, or both so that they come as near as they can: in
    /// `10 * x + y` the last digit decides what `y` is.
    fn addends(&mut self, a: u32, b: u32, full: u128, random: &mut Random) {
        let width = self.program.width(a);
        let (x, y) = (self.value(a), self.value(b));
        if random.once_in(4) {
            let missing = signed(cut(full.wrapping_sub(x).wrapping_sub(y), width), width);
            let half = missing / 2;
            self.wish_all(a, x.wrapping_add(half as u128));
            return self.wish_all(b, y.wrapping_add((missing - half) as u128));
        }
        let step = |at: u32| self.ranges[at as usize].step;
        let (side, other) = match step(a).cmp(&step(b)) {
            std::cmp::Ordering::Greater => (a, b),
            std::cmp::Ordering::Less => (b, a),
            std::cmp::Ordering::Equal => self.side(a, b, random),
        };
        let (range, rest) = (self.ranges[side as usize], self.ranges[other as usize]);
        let up = random.once_in(2);
        let found = range.complement(rest, full, self.value(other), up);
        match found.filter(|_| !random.once_in(8)) {
            Some(found) => {
                self.wish_all(side, full.wrapping_sub(found));
                self.wish_all(other, found);
            }
            None => {
                let (side, other) = self.side(a, b, random);
                self.wish_all(side, full.wrapping_sub(self.value(other)));
            }
        }
    }

    fn factor(&mut self, a: u32, b: u32, full: u128, random: &mut Random) {
        let width = self.program.width(a);
        if a == b {
            let root = full.isqrt();
            return self.wish_all(a, if random.once_in(4) { root + 1 } else { root });
        }
        let (side, other) = self.side(a, b, random);
        let by = self.value(other);
        if by == 0 {
            self.wish_all(other, 1);
            return self.wish_all(side, full);
        }
        let (signed_full, signed_by) = (signed(full, width), signed(by, width));
        let want = if full.is_multiple_of(by) {
            full / by
        } else if signed_full.checked_rem(signed_by) == Some(0) {
            signed_full.wrapping_div(signed_by) as u128
        } else if by & 1 == 1 && random.once_in(2) {
            full.wrapping_mul(inverse(by))
        } else if random.once_in(2) {
            signed_full.wrapping_div(signed_by).wrapping_add(random.below(2) as i128) as u128
        } else {
            full / by + random.below(2) as u128
        };
        self.wish_all(side, want);
    }

    fn division(&mut self, operator: Binary, (a, b): (u32, u32), full: u128, random: &mut Random) {
        use Binary::*;
        let width = self.program.width(a);
        let (x, y) = (self.value(a), self.value(b));
        let (side, _) = self.side(a, b, random);
        let is_signed = matches!(operator, SDiv | SRem);
        let number = |bits: u128| if is_signed { signed(bits, width) } else { bits as i128 };
        let (n, d, want) = (number(x), number(y), number(full));
        let wanted = match (operator, side == a) {
            (UDiv | SDiv, true) => {
                let most = d.unsigned_abs().saturating_sub(1).min(1 << 60);
                let rest = match random.below(3) {
                    0 => 0,
                    1 => most,
                    _ => random.below(most as usize + 1) as u128,
                };
                let exact = want.wrapping_mul(d);
                exact.wrapping_add(if exact < 0 { -(rest as i128) } else { rest as i128 })
            }
            (UDiv | SDiv, false) => match n.checked_div(want) {
                Some(quotient) => quotient,
                None => n.wrapping_add(1),
            },
            (_, true) if random.once_in(4) => want,
            (_, true) => {
                let steps = random.below(3) as i128;
                let base = n.wrapping_sub(n.checked_rem(d).unwrap_or(0));
                base.wrapping_add(want).wrapping_add(steps.wrapping_mul(d))
            }
            (_, false) => n.wrapping_sub(want),
        };
        self.wish_all(side, wanted as u128);
    }

    fn shift(
        &mut self,
        operator: Binary,
        (a, b): (u32, u32),
        Wish { want, care, .. }: Wish,
        random: &mut Random,
    ) {
        let width = self.program.width(a);
        let (x, y) = (self.value(a), self.value(b));
        let (side, _) = self.side(a, b, random);
        if side == a && y < u128::from(width) {
            let by = y as u32;
            return match operator {
                Binary::Shl => self.wish(a, want >> by, care >> by),
                _ => self.wish(a, cut(want << by, width), cut(care << by, width)),
            };
        }
        let fits = |by: &u32| {
            let moved = if operator == Binary::Shl { cut(x << by, width) } else { x >> by };
            (moved ^ want) & care & mask(width) == 0
        };
        let by = (0..width).find(fits).unwrap_or_else(|| random.below(width as usize) as u32);
        self.wish_all(b, by.into());
    }
}

/// The multiplicative inverse of an odd number modulo 2^128, and so of fewer bits.
fn inverse(odd: u128) -> u128 {
    // Each step doubles the number of correct bits, of which there are three at first.
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 100_000_007, u128::MAX, u128::MAX / 3] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }
}
