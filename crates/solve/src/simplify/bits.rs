//! Splitting and assembling values.

use crate::{
    Binary, Expr, ExprId, Graph, Ternary, Unary,
    arithmetic::{self, cut, mask},
};

/// Disjoint values with more pieces than this stay a disjunction: it reads better.
const PIECES: usize = 16;

impl Graph {
    /// The bits of a value that are not known to be zero. Looks through operations that only
    /// arrange bits, which ends at the width.
    pub(crate) fn possible_bits(&self, id: ExprId) -> u128 {
        let mut bits = 0;
        let mut pending = vec![(id, 0)];
        while let Some((id, shift)) = pending.pop() {
            match self.expr(id) {
                Expr::Unary { operator: Unary::ZeroExtend, a, .. } => pending.push((a, shift)),
                Expr::Binary { operator: Binary::Concat, a, b, .. } => {
                    pending.push((a, shift + self.width(b)));
                    pending.push((b, shift));
                }
                expr => bits |= self.own_bits(id, &expr) << shift,
            }
        }
        bits
    }

    fn own_bits(&self, id: ExprId, expr: &Expr) -> u128 {
        let constant = match *expr {
            Expr::Constant { .. } => self.as_constant(id),
            Expr::Binary { operator: Binary::And, b, .. } => self.as_constant(b),
            _ => None,
        };
        constant.unwrap_or(mask(expr.width()))
    }

    /// Whether a value is assembled from parts that extraction reaches.
    pub(super) fn is_assembled(&self, id: ExprId) -> bool {
        self.zero_extended(id).is_some() || self.as_binary(Binary::Concat, id).is_some()
    }

    pub(super) fn swapped(&mut self, a: ExprId) -> ExprId {
        let count = self.width(a) / 8;
        let lowest = self.extract(a, 0, 8);
        (1..count).fold(lowest, |high, index| {
            let low = self.extract(a, 8 * index, 8);
            self.concat(high, low)
        })
    }

    pub(super) fn simpler_extend(
        &mut self,
        operator: Unary,
        width: u32,
        a: ExprId,
    ) -> Option<ExprId> {
        if width == self.width(a) {
            return Some(a);
        }
        match self.as_unary(a) {
            // A value with zeros above it is not negative.
            Some((Unary::ZeroExtend, x)) => Some(self.unary(Unary::ZeroExtend, width, x)),
            Some((Unary::SignExtend, x)) if operator == Unary::SignExtend => {
                Some(self.unary(operator, width, x))
            }
            _ => {
                let from = self.width(a);
                self.map_choice(a, width, |value| arithmetic::unary(operator, from, width, value))
            }
        }
    }

    pub(super) fn simpler_extract(&mut self, a: ExprId, low: u32, width: u32) -> Option<ExprId> {
        if let Some(value) = self.as_constant(a) {
            return Some(self.constant(width, value >> low));
        }
        match self.expr(a) {
            Expr::Extract { low: inner, a, .. } => {
                Some(self.extract(a, low + u32::from(inner), width))
            }
            Expr::Unary { operator, a, .. } => self.extract_extended(operator, a, low, width),
            Expr::Binary { operator: Binary::Concat, a, b, .. } => {
                Some(self.extract_concat(a, b, low, width))
            }
            Expr::Binary { operator, a, b, .. } => {
                self.extract_operation(operator, a, b, low, width)
            }
            Expr::Ternary { operator: Ternary::Ite, .. } => {
                self.map_choice(a, width, |value| cut(value >> low, width))
            }
            _ => None,
        }
    }

    fn extract_extended(
        &mut self,
        operator: Unary,
        a: ExprId,
        low: u32,
        width: u32,
    ) -> Option<ExprId> {
        let inner = self.width(a);
        match operator {
            Unary::ZeroExtend if low >= inner => Some(self.constant(width, 0)),
            Unary::ZeroExtend | Unary::SignExtend if low < inner => {
                let part = self.extract(a, low, width.min(inner - low));
                let same = self.width(part) == width;
                Some(if same { part } else { self.unary(operator, width, part) })
            }
            _ => None,
        }
    }

    fn extract_concat(&mut self, high: ExprId, low: ExprId, first: u32, width: u32) -> ExprId {
        let border = self.width(low);
        if first >= border {
            return self.extract(high, first - border, width);
        }
        if first + width <= border {
            return self.extract(low, first, width);
        }
        let upper = self.extract(high, 0, first + width - border);
        let lower = self.extract(low, first, border - first);
        self.concat(upper, lower)
    }

    /// Low bits of a result depend on low bits of the operands. This is followed only where both
    /// become simpler by it, so that a chain of sums is not walked again for each use, and only to
    /// widths that a program would have computed in.
    fn extract_operation(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
        low: u32,
        width: u32,
    ) -> Option<ExprId> {
        use Binary::*;
        let upwards = matches!(operator, Add | Sub | Mul | And | Or | Xor);
        let narrows = upwards && low == 0 && matches!(width, 8 | 16 | 32 | 64);
        if !narrows || !self.cuts_easily(a) || !self.cuts_easily(b) {
            return None;
        }
        let a = self.extract(a, 0, width);
        let b = self.extract(b, 0, width);
        Some(self.binary(operator, a, b))
    }

    fn cuts_easily(&self, id: ExprId) -> bool {
        let extended = self.zero_extended(id).or(self.sign_extended(id));
        extended.is_some() || self.as_constant(id).is_some()
    }

    pub(super) fn simpler_concat(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let width = self.width(high) + self.width(low);
        if self.as_constant(high) == Some(0) {
            return Some(self.unary(Unary::ZeroExtend, width, low));
        }
        if let Some(trimmed) = self.trim(high) {
            let rest = self.concat(trimmed, low);
            return Some(self.unary(Unary::ZeroExtend, width, rest));
        }
        if let Some(merged) = self.merge(high, low) {
            return Some(merged);
        }
        if let Some((upper, middle)) = self.as_binary(Binary::Concat, high)
            && let Some(merged) = self.merge(middle, low)
        {
            return Some(self.concat(upper, merged));
        }
        if let Some((upper, lower)) = self.as_binary(Binary::Concat, low) {
            let high = self.concat(high, upper);
            return Some(self.concat(high, lower));
        }
        if let Some(inner) = self.zero_extended(low) {
            let zeros = self.constant(self.width(low) - self.width(inner), 0);
            let high = self.concat(high, zeros);
            return Some(self.concat(high, inner));
        }
        if let Some((operator @ (Unary::ZeroExtend | Unary::SignExtend), inner)) =
            self.as_unary(high)
        {
            let rest = self.concat(inner, low);
            return Some(self.unary(operator, width, rest));
        }
        None
    }

    /// A constant without its leading zeros, if it has any.
    fn trim(&mut self, id: ExprId) -> Option<ExprId> {
        let value = self.as_constant(id)?;
        let needed = 128 - value.leading_zeros();
        (needed < self.width(id)).then(|| self.constant(needed, value))
    }

    /// Neighbouring parts of one value as one part of it, also if a part only becomes one by
    /// extraction.
    fn merge(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let (above, below) = (self.width(high), self.width(low));
        if let Expr::Extract { low: first, a, .. } = self.expr(high)
            && let Some(first) = u32::from(first).checked_sub(below)
            && self.extract(a, first, below) == low
        {
            return Some(self.extract(a, first, above + below));
        }
        if let Expr::Extract { low: first, a, .. } = self.expr(low)
            && let first = u32::from(first)
            && first + below + above <= self.width(a)
            && self.extract(a, first + below, above) == high
        {
            return Some(self.extract(a, first, above + below));
        }
        self.merge_choices(high, low)
    }

    pub(super) fn simpler_shift(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
    ) -> Option<ExprId> {
        let width = self.width(a);
        if self.as_constant(a) == Some(0) {
            return Some(a);
        }
        let by = u32::try_from(self.as_constant(b)?).unwrap_or(u32::MAX).min(width);
        match operator {
            _ if by == 0 => Some(a),
            Binary::AShr => {
                let by = by.min(width - 1);
                let rest = self.extract(a, by, width - by);
                Some(self.unary(Unary::SignExtend, width, rest))
            }
            _ if by == width => Some(self.constant(width, 0)),
            Binary::Shl => Some(self.shifted(a, by)),
            _ => {
                let rest = self.extract(a, by, width - by);
                Some(self.unary(Unary::ZeroExtend, width, rest))
            }
        }
    }

    /// A value shifted left by less than its width.
    pub(super) fn shifted(&mut self, a: ExprId, by: u32) -> ExprId {
        let rest = self.extract(a, 0, self.width(a) - by);
        let zeros = self.constant(by, 0);
        self.concat(rest, zeros)
    }

    pub(super) fn funnel_left(&mut self, a: ExprId, b: ExprId, by: u128) -> ExprId {
        let width = self.width(a);
        match (by % u128::from(width)) as u32 {
            0 => a,
            by => self.joined(a, b, by),
        }
    }

    pub(super) fn funnel_right(&mut self, a: ExprId, b: ExprId, by: u128) -> ExprId {
        let width = self.width(a);
        match (by % u128::from(width)) as u32 {
            0 => b,
            by => self.joined(a, b, width - by),
        }
    }

    /// The high half of `a:b` after a left shift by more than zero.
    fn joined(&mut self, a: ExprId, b: ExprId, by: u32) -> ExprId {
        let width = self.width(a);
        let upper = self.extract(a, 0, width - by);
        let lower = self.extract(b, width - by, by);
        self.concat(upper, lower)
    }

    pub(super) fn simpler_logic(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
    ) -> Option<ExprId> {
        if let Some(constant) = self.as_constant(b) {
            return self.logic_with_constant(operator, a, constant);
        }
        let width = self.width(a);
        if a == b {
            return Some(if operator == Binary::Xor { self.constant(width, 0) } else { a });
        }
        if self.are_opposite(a, b) {
            let value = if operator == Binary::And { 0 } else { u128::MAX };
            return Some(self.constant(width, value));
        }
        if operator != Binary::And
            && let Some(joined) = self.join_disjoint(a, b)
        {
            return Some(joined);
        }
        let (inner, other) = (self.zero_extended(a)?, self.zero_extended(b)?);
        if self.width(inner) != self.width(other) {
            return None;
        }
        let narrow = self.binary(operator, inner, other);
        Some(self.unary(Unary::ZeroExtend, width, narrow))
    }

    fn are_opposite(&self, a: ExprId, b: ExprId) -> bool {
        let ones = mask(self.width(a));
        let turned = |id, of| self.with_constant(Binary::Xor, id) == Some((of, ones));
        turned(a, b) || turned(b, a)
    }

    fn logic_with_constant(
        &mut self,
        operator: Binary,
        a: ExprId,
        constant: u128,
    ) -> Option<ExprId> {
        let width = self.width(a);
        let ones = mask(width);
        match operator {
            Binary::And if constant == 0 => return Some(self.constant(width, 0)),
            Binary::And if self.possible_bits(a) & !constant == 0 => return Some(a),
            Binary::Or if constant == ones => return Some(self.constant(width, ones)),
            Binary::Or | Binary::Xor if constant == 0 => return Some(a),
            Binary::Xor if width == 1 => {
                if let Some(opposite) = self.opposite(a) {
                    return Some(opposite);
                }
            }
            _ => {}
        }
        if let Some((x, other)) = self.with_constant(operator, a) {
            let both = arithmetic::binary(operator, width, other, constant);
            let both = self.constant(width, both);
            return Some(self.binary(operator, x, both));
        }
        if operator == Binary::And { self.masked(a, constant) } else { None }
    }

    /// A value under a mask.
    fn masked(&mut self, a: ExprId, constant: u128) -> Option<ExprId> {
        let width = self.width(a);
        if self.possible_bits(a) & constant == 0 {
            return Some(self.constant(width, 0));
        }
        let (low, count) = (constant.trailing_zeros(), constant.count_ones());
        if constant >> low == mask(count) {
            let run = self.extract(a, low, count);
            let run = if low == 0 { run } else { self.with_zeros_below(run, low) };
            return Some(self.unary(Unary::ZeroExtend, width, run));
        }
        let inner = self.zero_extended(a)?;
        let constant = self.constant(self.width(inner), constant);
        let narrow = self.binary(Binary::And, inner, constant);
        Some(self.unary(Unary::ZeroExtend, width, narrow))
    }

    fn with_zeros_below(&mut self, a: ExprId, count: u32) -> ExprId {
        let zeros = self.constant(count, 0);
        self.concat(a, zeros)
    }

    /// The sum or disjunction of values that have no bit in common, as one assembled value:
    /// `high << 8 | low` is `high` above `low`.
    pub(super) fn join_disjoint(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if !self.is_assembled(a) || !self.is_assembled(b) {
            return None;
        }
        let (left, right) = (self.possible_bits(a), self.possible_bits(b));
        if left & right != 0 {
            return None;
        }
        let pieces = runs(left, right, self.width(a));
        if pieces.len() > PIECES {
            return None;
        }
        let parts = pieces.into_iter().map(|(owner, low, count)| match owner {
            Owner::Left => self.extract(a, low, count),
            Owner::Right => self.extract(b, low, count),
            Owner::None => self.constant(count, 0),
        });
        let parts: Vec<ExprId> = parts.collect();
        parts.into_iter().reduce(|low, high| self.concat(high, low))
    }
}

/// The operand that a run of bits belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Left,
    Right,
    None,
}

/// Runs of bits with one owner, lowest first: owner, lowest bit, count.
fn runs(left: u128, right: u128, width: u32) -> Vec<(Owner, u32, u32)> {
    let owner = |bit: u32| match (left >> bit & 1, right >> bit & 1) {
        (1, _) => Owner::Left,
        (_, 1) => Owner::Right,
        _ => Owner::None,
    };
    let mut runs: Vec<(Owner, u32, u32)> = Vec::new();
    for bit in 0..width {
        match runs.last_mut() {
            Some((last, _, count)) if *last == owner(bit) => *count += 1,
            _ => runs.push((owner(bit), bit, 1)),
        }
    }
    runs
}
