//! A condition that compares something with a constant.
//!
//! A loop that counts up to a symbolic number leaves a bound for each round; the last one implies
//! all others.

use crate::{Binary, Expr, ExprId, Graph};

/// Bounds of one kind are comparable: one of them implies all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    operator: Binary,
    /// The expression that is compared.
    compared: ExprId,
    /// Whether the constant is the left operand, so that it is a lower bound.
    is_lower: bool,
}

/// One bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) kind: Kind,
    pub(super) limit: i128,
}

impl Bound {
    /// The bound that a condition is, if it is one.
    pub(super) fn of(graph: &Graph, condition: ExprId) -> Option<Bound> {
        let Expr::Binary { operator, a, b, .. } = graph.expr(condition) else { return None };
        let is_signed = match operator {
            Binary::ULt | Binary::ULe => false,
            Binary::SLt | Binary::SLe => true,
            _ => return None,
        };
        let width = graph.width(a);
        // Values of all 128 bits do not fit beside their sign.
        if width > 64 {
            return None;
        }
        let (constant, compared, is_lower) = match (graph.as_constant(a), graph.as_constant(b)) {
            (Some(constant), None) => (constant, b, true),
            (None, Some(constant)) => (constant, a, false),
            _ => return None,
        };
        let is_negative = is_signed && constant >> (width - 1) & 1 == 1;
        let limit = constant as i128 - if is_negative { 1 << width } else { 0 };
        Some(Bound { kind: Kind { operator, compared, is_lower }, limit })
    }

    /// Whether it strictly implies the bound of the same kind at this limit.
    pub(super) fn is_stronger(&self, limit: i128) -> bool {
        if self.kind.is_lower { self.limit > limit } else { self.limit < limit }
    }
}
