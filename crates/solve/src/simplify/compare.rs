//! Comparisons, brought as close to the inputs as they go.
//!
//! A comparison with a constant says that a value lies in an interval. Invertible operations on the
//! value are undone on the constant: extensions, sums, products.

use crate::{
    Binary, Expr, ExprId, Graph, Ternary,
    arithmetic::{self, cut, mask, sign_bit, signed},
};

/// On which side of a comparison the constant is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A comparison of a value with a constant.
#[derive(Clone, Copy)]
struct Bound {
    operator: Binary,
    value: ExprId,
    constant: u128,
    side: Side,
}

impl Graph {
    pub(super) fn simpler_comparison(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
    ) -> Option<ExprId> {
        use Binary::*;
        if a == b {
            return Some(self.truth(matches!(operator, Eq | ULe | SLe)));
        }
        let (value, constant, side) = match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(constant)) => (a, constant, Side::Right),
            (Some(constant), _) => (b, constant, Side::Left),
            _ => return self.compare_values(operator, a, b),
        };
        if let Some(choice) = self.compare_choice(Bound { operator, value, constant, side }) {
            return Some(choice);
        }
        match operator {
            Eq => self.equals_constant(value, constant),
            Ne => {
                let equal = self.equals_constant(value, constant)?;
                Some(self.not(equal))
            }
            _ => self.compare_constant(Bound { operator, value, constant, side }),
        }
    }

    fn truth(&mut self, value: bool) -> ExprId {
        self.constant(1, value.into())
    }

    fn compare_values(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        let sign = sign_bit(self.width(a));
        if let (Some(x), Some(y)) = (self.zero_extended(a), self.zero_extended(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.binary(unsigned(operator), x, y));
        }
        if let (Some(x), Some(y)) = (self.sign_extended(a), self.sign_extended(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.binary(operator, x, y));
        }
        let is_signed = unsigned(operator) != operator;
        if is_signed && (self.possible_bits(a) | self.possible_bits(b)) & sign == 0 {
            return Some(self.binary(unsigned(operator), a, b));
        }
        if matches!(operator, Binary::Eq | Binary::Ne) { self.cancel(operator, a, b) } else { None }
    }

    /// Equality of two values after the same invertible operation, such as the addresses of two
    /// elements of an array.
    fn cancel(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        for outer in INVERTIBLE {
            let (Some((x, first)), Some((y, second))) =
                (self.with_constant(outer, a), self.with_constant(outer, b))
            else {
                continue;
            };
            let undoable = outer != Binary::Mul || first % 2 == 1;
            if first == second && undoable && self.width(x) == self.width(y) {
                return Some(self.binary(operator, x, y));
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            let offset = self.with_constant(Binary::Add, x).filter(|(base, _)| *base == y);
            if let Some((_, constant)) = offset {
                return Some(self.truth((constant == 0) == (operator == Binary::Eq)));
            }
        }
        None
    }

    /// A comparison of a choice between constants.
    fn compare_choice(&mut self, bound: Bound) -> Option<ExprId> {
        let Expr::Ternary { operator: Ternary::Ite, a, b, c, .. } = self.expr(bound.value) else {
            return None;
        };
        let (then, otherwise) = (self.as_constant(b)?, self.as_constant(c)?);
        let width = self.width(bound.value);
        let holds = |value| match bound.side {
            Side::Left => arithmetic::binary(bound.operator, width, bound.constant, value),
            Side::Right => arithmetic::binary(bound.operator, width, value, bound.constant),
        };
        let (then, otherwise) = (holds(then), holds(otherwise));
        let then = self.constant(1, then);
        let otherwise = self.constant(1, otherwise);
        Some(self.ternary(Ternary::Ite, a, then, otherwise))
    }

    fn equals_constant(&mut self, value: ExprId, constant: u128) -> Option<ExprId> {
        let width = self.width(value);
        if constant & !self.possible_bits(value) != 0 {
            return Some(self.truth(false));
        }
        if width == 1 {
            return Some(if constant == 1 { value } else { self.not(value) });
        }
        if let Some(inner) = self.sign_extended(value) {
            let narrow = self.width(inner);
            let fits = cut(signed(cut(constant, narrow), narrow) as u128, width) == constant;
            return Some(if fits { self.equals(inner, constant) } else { self.truth(false) });
        }
        if let Some(inner) = self.zero_extended(value) {
            return Some(self.equals(inner, constant));
        }
        let Expr::Binary { operator, a, b, .. } = self.expr(value) else { return None };
        self.equals_undone(operator, a, b, constant)
    }

    /// `a operator b == constant` with the operator inverted.
    fn equals_undone(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
        constant: u128,
    ) -> Option<ExprId> {
        let (left, right) = (self.as_constant(a), self.as_constant(b));
        match (operator, left, right) {
            (Binary::Add, _, Some(other)) => Some(self.equals(a, constant.wrapping_sub(other))),
            (Binary::Sub, Some(other), _) => Some(self.equals(b, other.wrapping_sub(constant))),
            (Binary::Sub, None, None) if constant == 0 => Some(self.binary(Binary::Eq, a, b)),
            (Binary::Xor, _, Some(other)) => Some(self.equals(a, constant ^ other)),
            (Binary::Xor, None, None) if constant == 0 => Some(self.binary(Binary::Eq, a, b)),
            (Binary::Mul, _, Some(factor)) => Some(self.equals_product(a, factor, constant)),
            (Binary::Concat, _, Some(low)) => {
                let border = self.width(b);
                let fits = cut(constant, border) == low;
                Some(if fits { self.equals(a, constant >> border) } else { self.truth(false) })
            }
            (Binary::Concat, Some(high), _) => {
                let border = self.width(b);
                let fits = constant >> border == high;
                Some(if fits { self.equals(b, constant) } else { self.truth(false) })
            }
            _ => None,
        }
    }

    /// `a * factor == product`. The odd part of the factor has an inverse; the even part must
    /// divide the product, and leaves the bits of `a` that it shifts out open.
    fn equals_product(&mut self, a: ExprId, factor: u128, product: u128) -> ExprId {
        let shift = factor.trailing_zeros();
        if product & mask(shift) != 0 {
            return self.truth(false);
        }
        let rest = self.extract(a, 0, self.width(a) - shift);
        let quotient = (product >> shift).wrapping_mul(inverse(factor >> shift));
        self.equals(rest, quotient)
    }

    fn equals(&mut self, value: ExprId, constant: u128) -> ExprId {
        let constant = self.constant(self.width(value), constant);
        self.binary(Binary::Eq, value, constant)
    }

    fn compare_constant(&mut self, bound: Bound) -> Option<ExprId> {
        let width = self.width(bound.value);
        let sign = sign_bit(width);
        let is_signed = unsigned(bound.operator) != bound.operator;
        let most = self.possible_bits(bound.value);
        if is_signed && most & sign == 0 {
            if bound.constant & sign != 0 {
                return Some(self.truth(bound.side == Side::Left));
            }
            let operator = unsigned(bound.operator);
            return Some(self.rebuild(Bound { operator, ..bound }));
        }
        if let Some(decided) = self.decide(bound, is_signed, most) {
            return Some(decided);
        }
        if is_signed { self.narrow_signed(bound) } else { self.narrow_unsigned(bound) }
    }

    /// An interval that is empty, everything, or one value less or more than that.
    fn decide(&mut self, bound: Bound, is_signed: bool, most: u128) -> Option<ExprId> {
        let width = self.width(bound.value);
        let flip = if is_signed { sign_bit(width) } else { 0 };
        let most = if is_signed { mask(width) } else { most };
        let rank = bound.constant ^ flip;
        let strict = matches!(bound.operator, Binary::ULt | Binary::SLt);
        // The comparison holds for ranks from `first` to `last`; there are none if `last` is none.
        // Ranks of a signed comparison begin with the least number.
        let (first, last) = match (bound.side, strict) {
            (Side::Right, true) => (0, rank.checked_sub(1)),
            (Side::Right, false) => (0, Some(rank)),
            (Side::Left, true) if rank == mask(width) => (0, None),
            (Side::Left, true) => (rank + 1, Some(most)),
            (Side::Left, false) => (rank, Some(most)),
        };
        match last.map(|last| last.min(most)) {
            None => Some(self.truth(false)),
            Some(last) if first > last => Some(self.truth(false)),
            Some(last) if first == 0 && last == most => Some(self.truth(true)),
            Some(last) if first == last => Some(self.equals(bound.value, first ^ flip)),
            Some(last) if first == 1 && last == most => {
                let least = self.equals(bound.value, flip);
                Some(self.not(least))
            }
            Some(last) if first == 0 && last == most - 1 => {
                let greatest = self.equals(bound.value, most ^ flip);
                Some(self.not(greatest))
            }
            _ => None,
        }
    }

    fn narrow_unsigned(&mut self, bound: Bound) -> Option<ExprId> {
        if let Some(inner) = self.zero_extended(bound.value) {
            // The constant fits, or the comparison would have been decided.
            return Some(self.rebuild(Bound { value: inner, ..bound }));
        }
        if let Some((high, 0)) = self.with_constant(Binary::Concat, bound.value) {
            let border = self.width(bound.value) - self.width(high);
            return Some(self.divided(bound, high, 1 << border));
        }
        let (a, factor) = self.with_constant(Binary::Mul, bound.value)?;
        let most = self.possible_bits(a).checked_mul(factor)?;
        (most <= mask(self.width(a))).then(|| self.divided(bound, a, factor))
    }

    /// A comparison of `value * factor`, which does not overflow, as one of `value`.
    fn divided(&mut self, bound: Bound, value: ExprId, factor: u128) -> ExprId {
        let strict = bound.operator == Binary::ULt;
        let round_up = strict == (bound.side == Side::Right);
        let (constant, rest) = (bound.constant / factor, bound.constant % factor);
        let constant = if round_up && rest != 0 { constant + 1 } else { constant };
        if constant > mask(self.width(value)) {
            return self.truth(bound.side == Side::Right);
        }
        self.rebuild(Bound { value, constant, ..bound })
    }

    fn narrow_signed(&mut self, bound: Bound) -> Option<ExprId> {
        let inner = self.sign_extended(bound.value)?;
        let (width, narrow) = (self.width(bound.value), self.width(inner));
        let constant = signed(bound.constant, width);
        let least = signed(sign_bit(narrow), narrow);
        if constant < least {
            return Some(self.truth(bound.side == Side::Left));
        }
        if constant > !least {
            return Some(self.truth(bound.side == Side::Right));
        }
        Some(self.rebuild(Bound { value: inner, ..bound }))
    }

    fn rebuild(&mut self, bound: Bound) -> ExprId {
        let constant = self.constant(self.width(bound.value), bound.constant);
        match bound.side {
            Side::Left => self.binary(bound.operator, constant, bound.value),
            Side::Right => self.binary(bound.operator, bound.value, constant),
        }
    }
}

/// Operators that can be cancelled on both sides of an equation; a product only if its factor is
/// odd.
const INVERTIBLE: [Binary; 4] = [Binary::Add, Binary::Xor, Binary::Mul, Binary::Concat];

fn unsigned(operator: Binary) -> Binary {
    match operator {
        Binary::SLt => Binary::ULt,
        Binary::SLe => Binary::ULe,
        other => other,
    }
}

/// The multiplicative inverse of an odd number modulo 2^128. Each step doubles the correct bits, of
/// which there are three to begin with.
fn inverse(odd: u128) -> u128 {
    (0..6).fold(odd, |guess, _| guess.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(guess))))
}
