//! Choices between values, and negated conditions.

use crate::{Binary, Expr, ExprId, Graph, Ternary, arithmetic::mask};

impl Graph {
    pub(super) fn simpler_choice(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Option<ExprId> {
        if let Some(value) = self.as_constant(condition) {
            return Some(if value == 1 { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        if let Some((opposite, _)) = self.with_constant(Binary::Xor, condition) {
            return Some(self.ternary(Ternary::Ite, opposite, otherwise, then));
        }
        match (self.width(then), self.as_constant(then), self.as_constant(otherwise)) {
            (1, Some(1), Some(0)) => return Some(condition),
            (1, Some(0), Some(1)) => return Some(self.not(condition)),
            _ => {}
        }
        let inner_then = self.arm(then, condition, Arm::Then);
        let inner_otherwise = self.arm(otherwise, condition, Arm::Otherwise);
        if (inner_then, inner_otherwise) == (then, otherwise) {
            return None;
        }
        Some(self.ternary(Ternary::Ite, condition, inner_then, inner_otherwise))
    }

    /// Applies a function to a choice between constants.
    pub(super) fn map_choice(
        &mut self,
        choice: ExprId,
        width: u32,
        function: impl Fn(u128) -> u128,
    ) -> Option<ExprId> {
        let alternatives = self.alternatives(choice)?;
        let then = self.constant(width, function(alternatives.then));
        let otherwise = self.constant(width, function(alternatives.otherwise));
        Some(self.ternary(Ternary::Ite, alternatives.condition?, then, otherwise))
    }

    /// Two constants, or choices between constants by one condition, above each other.
    pub(super) fn merge_choices(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let (upper, lower) = (self.alternatives(high)?, self.alternatives(low)?);
        let below = self.width(low);
        let width = self.width(high) + below;
        let then = self.constant(width, upper.then << below | lower.then);
        let otherwise = self.constant(width, upper.otherwise << below | lower.otherwise);
        match (upper.condition, lower.condition) {
            (Some(one), Some(other)) if one != other => None,
            (None, None) => Some(then),
            (Some(condition), _) | (None, Some(condition)) => {
                Some(self.ternary(Ternary::Ite, condition, then, otherwise))
            }
        }
    }

    fn alternatives(&self, id: ExprId) -> Option<Alternatives> {
        if let Some(value) = self.as_constant(id) {
            return Some(Alternatives { condition: None, then: value, otherwise: value });
        }
        let Expr::Ternary { operator: Ternary::Ite, a, b, c, .. } = self.expr(id) else {
            return None;
        };
        let (then, otherwise) = (self.as_constant(b)?, self.as_constant(c)?);
        Some(Alternatives { condition: Some(a), then, otherwise })
    }

    /// The opposite of a condition, unless it just becomes a negation.
    pub(super) fn opposite(&mut self, condition: ExprId) -> Option<ExprId> {
        use Binary::*;
        let Expr::Binary { operator, a, b, .. } = self.expr(condition) else { return None };
        match operator {
            Xor if self.as_constant(b) == Some(mask(1)) => Some(a),
            Eq => Some(self.binary(Ne, a, b)),
            Ne => Some(self.binary(Eq, a, b)),
            ULt => Some(self.binary(ULe, b, a)),
            ULe => Some(self.binary(ULt, b, a)),
            SLt => Some(self.binary(SLe, b, a)),
            SLe => Some(self.binary(SLt, b, a)),
            FOEq => Some(self.binary(FUNe, a, b)),
            FUNe => Some(self.binary(FOEq, a, b)),
            FONe => Some(self.binary(FUEq, a, b)),
            FUEq => Some(self.binary(FONe, a, b)),
            FOLt => Some(self.binary(FULe, b, a)),
            FULe => Some(self.binary(FOLt, b, a)),
            FOLe => Some(self.binary(FULt, b, a)),
            FULt => Some(self.binary(FOLe, b, a)),
            FUno => Some(self.binary(FOrd, a, b)),
            FOrd => Some(self.binary(FUno, a, b)),
            _ => None,
        }
    }

    /// An arm of a choice, simplified under the condition of the choice.
    fn arm(&self, value: ExprId, condition: ExprId, arm: Arm) -> ExprId {
        match (self.expr(value), arm) {
            (Expr::Ternary { operator: Ternary::Ite, a, b, .. }, Arm::Then) if a == condition => b,
            (Expr::Ternary { operator: Ternary::Ite, a, c, .. }, Arm::Otherwise)
                if a == condition =>
            {
                c
            }
            _ => value,
        }
    }
}

#[derive(Clone, Copy)]
enum Arm {
    Then,
    Otherwise,
}

/// The possible constants of a value.
struct Alternatives {
    /// The deciding condition, if they differ.
    condition: Option<ExprId>,
    then: u128,
    otherwise: u128,
}
