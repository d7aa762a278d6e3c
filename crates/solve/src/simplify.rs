//! The constructors of expressions, which simplify what they build.
//!
//! A rule inspects an expression's operands and theirs, never further, and calls constructors for
//! its result; step by step, rules reassemble values that were split into bytes, and move
//! comparisons down to the input. That may go on for as long as a program's own chain of
//! operations, so constructors count their nesting and beyond a limit build without simplification.
//! A simpler expression has the value of the original wherever the original has one.
//!
//! Canonical forms, which the rules rely on and keep:
//! - the constant of a commutative operation is on the right, and sums carry theirs outermost;
//! - shifts by constants, masks of one run of bits and multiplications by powers of two are
//!   extractions and concatenations, in which bytes are recognised again;
//! - concatenations lean to the left, and zeros above everything are a zero extension;
//! - `~x` is `x ^ -1`, and `-x` is `0 - x`.

mod bits;
mod choice;
mod compare;
mod division;
mod sum;

use crate::{Binary, Expr, ExprId, Graph, SnapshotId, Ternary, Unary, arithmetic, snapshot::Cell};

/// Whether a graph simplifies.
#[derive(Clone, Copy)]
pub(crate) enum Simplification {
    Off,
    /// How many rules are nested at the moment.
    On {
        depth: u32,
    },
}

/// How deep rules may call each other. Far more than any idiom needs, and little stack.
const DEPTH: u32 = 48;

impl Default for Simplification {
    fn default() -> Simplification {
        Simplification::On { depth: 0 }
    }
}

impl Graph {
    /// An operation on one value, with a result of `width` bits.
    pub fn unary(&mut self, operator: Unary, width: u32, a: ExprId) -> ExprId {
        let simple = self.attempt(|graph| graph.simpler_unary(operator, width, a));
        simple.unwrap_or_else(|| self.intern(Expr::Unary { operator, width: width as u8, a }))
    }

    /// An operation on two values, of one width unless it is a concatenation.
    pub fn binary(&mut self, operator: Binary, a: ExprId, b: ExprId) -> ExprId {
        let simple = self.attempt(|graph| graph.simpler_binary(operator, a, b));
        simple.unwrap_or_else(|| self.plain_binary(operator, a, b))
    }

    /// An operation on three values, of one width unless the first is a condition.
    pub fn ternary(&mut self, operator: Ternary, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let simple = self.attempt(|graph| graph.simpler_ternary(operator, a, b, c));
        let width = self.width(b) as u8;
        simple.unwrap_or_else(|| self.intern(Expr::Ternary { operator, width, a, b, c }))
    }

    /// `width` bits of a value, beginning with bit `low`. All of them must exist.
    pub fn extract(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        if low == 0 && width == self.width(a) {
            return a;
        }
        let simple = self.attempt(|graph| graph.simpler_extract(a, low, width));
        let (low, width) = (low as u8, width as u8);
        simple.unwrap_or_else(|| self.intern(Expr::Extract { width, low, a }))
    }

    /// The contents of a snapshot at an address of 64 bits.
    pub fn load(&mut self, snapshot: SnapshotId, address: ExprId, width: u32) -> ExprId {
        let simple = self.attempt(|graph| graph.simpler_load(snapshot, address, width));
        let width = width as u8;
        simple.unwrap_or_else(|| self.intern(Expr::Load { width, snapshot, address }))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        self.binary(Binary::Concat, high, low)
    }

    /// A value cut, or extended with zeros, to a width.
    pub fn resize(&mut self, a: ExprId, width: u32) -> ExprId {
        match width.cmp(&self.width(a)) {
            std::cmp::Ordering::Less => self.extract(a, 0, width),
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.unary(Unary::ZeroExtend, width, a),
        }
    }

    /// All bits of a value inverted; of a condition, its opposite.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        let ones = self.constant(self.width(a), u128::MAX);
        self.binary(Binary::Xor, a, ones)
    }

    fn attempt(&mut self, rules: impl FnOnce(&mut Graph) -> Option<ExprId>) -> Option<ExprId> {
        let Simplification::On { depth } = self.simplification else { return None };
        if depth == DEPTH {
            return None;
        }
        self.simplification = Simplification::On { depth: depth + 1 };
        let simple = rules(self);
        self.simplification = Simplification::On { depth };
        simple
    }

    /// The operation as it is, or the same with its operands exchanged if that exists already.
    fn plain_binary(&mut self, operator: Binary, a: ExprId, b: ExprId) -> ExprId {
        let width = self.binary_width(operator, a, b) as u8;
        let simplifies = matches!(self.simplification, Simplification::On { .. });
        // Constants are on the right already, so there is nothing to look for.
        let flips = simplifies && operator.is_commutative() && self.as_constant(b).is_none();
        let flipped = Expr::Binary { operator, width, a: b, b: a };
        match if flips { self.find(&flipped) } else { None } {
            Some(id) => id,
            None => self.intern(Expr::Binary { operator, width, a, b }),
        }
    }

    fn binary_width(&self, operator: Binary, a: ExprId, b: ExprId) -> u32 {
        match operator {
            Binary::Concat => self.width(a) + self.width(b),
            _ if operator.is_predicate() => 1,
            _ => self.width(a),
        }
    }

    fn simpler_unary(&mut self, operator: Unary, width: u32, a: ExprId) -> Option<ExprId> {
        if let Some(value) = self.as_constant(a) {
            let value = arithmetic::unary(operator, self.width(a), width, value);
            return Some(self.constant(width, value));
        }
        let inner = self.as_unary(a);
        match (operator, inner) {
            (Unary::ZeroExtend | Unary::SignExtend, _) => self.simpler_extend(operator, width, a),
            (Unary::FResize, _) if width == self.width(a) => Some(a),
            (Unary::FNeg, Some((Unary::FNeg, x))) => Some(x),
            (Unary::BitReverse, Some((Unary::BitReverse, x))) => Some(x),
            (Unary::ByteSwap, Some((Unary::ByteSwap, x))) => Some(x),
            (Unary::FAbs, Some((Unary::FAbs | Unary::FNeg, x))) => {
                Some(self.unary(Unary::FAbs, width, x))
            }
            (Unary::ByteSwap, _) if self.is_assembled(a) => Some(self.swapped(a)),
            _ => None,
        }
    }

    fn simpler_binary(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        use Binary::*;
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => {
                let value = arithmetic::binary(operator, self.width(b), x, y);
                return Some(self.constant(self.binary_width(operator, a, b), value));
            }
            (Some(_), None) if operator.is_commutative() => {
                return Some(self.binary(operator, b, a));
            }
            _ => {}
        }
        match operator {
            Concat => self.simpler_concat(a, b),
            Add => self.simpler_add(a, b),
            Sub => self.simpler_sub(a, b),
            Mul => self.simpler_mul(a, b),
            And | Or | Xor => self.simpler_logic(operator, a, b),
            Shl | LShr | AShr => self.simpler_shift(operator, a, b),
            UDiv | URem | SDiv | SRem => self.simpler_division(operator, a, b),
            UMin | UMax | SMin | SMax if a == b => Some(a),
            UAddSat | SAddSat | USubSat | SSubSat if self.as_constant(b) == Some(0) => Some(a),
            Eq | Ne | ULt | ULe | SLt | SLe => self.simpler_comparison(operator, a, b),
            UAddOverflow | SAddOverflow | USubOverflow | SSubOverflow | UMulOverflow
                if self.as_constant(b) == Some(0) =>
            {
                Some(self.constant(1, 0))
            }
            _ => None,
        }
    }

    fn simpler_ternary(
        &mut self,
        operator: Ternary,
        a: ExprId,
        b: ExprId,
        c: ExprId,
    ) -> Option<ExprId> {
        let values = (self.as_constant(a), self.as_constant(b), self.as_constant(c));
        match (operator, values) {
            (Ternary::Ite, _) => self.simpler_choice(a, b, c),
            (_, (Some(x), Some(y), Some(z))) => {
                let width = self.width(a);
                Some(self.constant(width, arithmetic::ternary(operator, width, x, y, z)))
            }
            (Ternary::FunnelLeft, (_, _, Some(by))) => Some(self.funnel_left(a, b, by)),
            (Ternary::FunnelRight, (_, _, Some(by))) => Some(self.funnel_right(a, b, by)),
            _ => None,
        }
    }

    /// Replaces a load at a known address by the bytes there.
    fn simpler_load(
        &mut self,
        snapshot: SnapshotId,
        address: ExprId,
        width: u32,
    ) -> Option<ExprId> {
        let address = self.as_constant(address)? as u64;
        let contents = self.snapshot(snapshot);
        let count = width.div_ceil(8);
        let offset = contents.locate(address, count)?;
        let cells: Vec<Cell> = (0..count).map(|index| contents.cell(offset + index)).collect();
        let mut bytes = cells.into_iter().map(|cell| match cell {
            Cell::Concrete(byte) => self.constant(8, byte.into()),
            Cell::Symbolic(cell) => cell,
        });
        let bytes = bytes.by_ref().collect::<Vec<_>>();
        let whole = bytes.into_iter().reduce(|low, high| self.concat(high, low))?;
        Some(self.resize(whole, width))
    }

    pub(crate) fn as_unary(&self, id: ExprId) -> Option<(Unary, ExprId)> {
        match self.expr(id) {
            Expr::Unary { operator, a, .. } => Some((operator, a)),
            _ => None,
        }
    }

    /// The operand of a zero extension.
    pub(crate) fn zero_extended(&self, id: ExprId) -> Option<ExprId> {
        self.as_unary(id).filter(|(operator, _)| *operator == Unary::ZeroExtend).map(|(_, a)| a)
    }

    /// The operand of a sign extension.
    pub(crate) fn sign_extended(&self, id: ExprId) -> Option<ExprId> {
        self.as_unary(id).filter(|(operator, _)| *operator == Unary::SignExtend).map(|(_, a)| a)
    }

    /// The operands of a certain operation on two values.
    pub(crate) fn as_binary(&self, wanted: Binary, id: ExprId) -> Option<(ExprId, ExprId)> {
        match self.expr(id) {
            Expr::Binary { operator, a, b, .. } if operator == wanted => Some((a, b)),
            _ => None,
        }
    }

    /// The operand and the constant of a certain operation with a constant on its right.
    pub(crate) fn with_constant(&self, wanted: Binary, id: ExprId) -> Option<(ExprId, u128)> {
        let (a, b) = self.as_binary(wanted, id)?;
        Some((a, self.as_constant(b)?))
    }
}
