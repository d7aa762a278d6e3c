//! Sums, differences and products.

use crate::{
    Binary, ExprId, Graph,
    arithmetic::{cut, mask},
};

impl Graph {
    pub(super) fn simpler_add(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if let Some(constant) = self.as_constant(b) {
            if constant == 0 {
                return Some(a);
            }
            if let Some((x, y)) = self.as_binary(Binary::Sub, a)
                && let Some(other) = self.as_constant(x)
            {
                let both = self.constant(width, constant.wrapping_add(other));
                return Some(self.binary(Binary::Sub, both, y));
            }
            let (x, other) = self.with_constant(Binary::Add, a)?;
            let both = self.constant(width, constant.wrapping_add(other));
            return Some(self.binary(Binary::Add, x, both));
        }
        if let Some(pulled) = self.pull_constant(Binary::Add, a, b) {
            return Some(pulled);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.as_binary(Binary::Sub, x) {
                Some((whole, part)) if part == y => return Some(whole),
                Some((zero, part)) if self.as_constant(zero) == Some(0) => {
                    return Some(self.binary(Binary::Sub, y, part));
                }
                _ => {}
            }
        }
        self.join_disjoint(a, b)
    }

    pub(super) fn simpler_sub(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        if a == b {
            return Some(self.constant(width, 0));
        }
        if let Some(constant) = self.as_constant(b) {
            let minus = self.constant(width, constant.wrapping_neg());
            return Some(self.binary(Binary::Add, a, minus));
        }
        if let Some(pulled) = self.pull_constant(Binary::Sub, a, b) {
            return Some(pulled);
        }
        if self.as_constant(a) == Some(0) {
            let (x, y) = self.as_binary(Binary::Sub, b)?;
            return Some(self.binary(Binary::Sub, y, x));
        }
        let (x, y) = self.as_binary(Binary::Add, a)?;
        if x == b { Some(y) } else { (y == b).then_some(x) }
    }

    /// `(x + 1) - (y + 2)` as `(x - y) - 1`: the constants of a sum combine outside of it.
    fn pull_constant(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (left, right) =
            (self.with_constant(Binary::Add, a), self.with_constant(Binary::Add, b));
        let (x, first) = left.unwrap_or((a, 0));
        let (y, second) = right.unwrap_or((b, 0));
        if left.is_none() && right.is_none() {
            return None;
        }
        let constant = match operator {
            Binary::Add => first.wrapping_add(second),
            _ => first.wrapping_sub(second),
        };
        let constant = self.constant(self.width(a), constant);
        let rest = self.binary(operator, x, y);
        Some(self.binary(Binary::Add, rest, constant))
    }

    pub(super) fn simpler_mul(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a);
        let constant = self.as_constant(b)?;
        if constant == 0 || constant == 1 {
            return Some(if constant == 0 { b } else { a });
        }
        if constant.is_power_of_two() {
            return Some(self.shifted(a, constant.trailing_zeros()));
        }
        if constant == mask(width) {
            let zero = self.constant(width, 0);
            return Some(self.binary(Binary::Sub, zero, a));
        }
        let (x, other) = self.with_constant(Binary::Mul, a)?;
        let both = self.constant(width, cut(constant.wrapping_mul(other), width));
        Some(self.binary(Binary::Mul, x, both))
    }
}
