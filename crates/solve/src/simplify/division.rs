//! Quotients and remainders by constants.

use crate::{
    Binary, ExprId, Graph, Unary,
    arithmetic::{mask, sign_bit},
};

impl Graph {
    pub(super) fn simpler_division(
        &mut self,
        operator: Binary,
        a: ExprId,
        b: ExprId,
    ) -> Option<ExprId> {
        let constant = self.as_constant(b)?;
        let width = self.width(a);
        let most = self.possible_bits(a);
        let sign = sign_bit(width);
        match operator {
            // SMT-LIB's result of division by zero holds for no smaller width.
            _ if constant == 0 => None,
            Binary::UDiv if constant == 1 => Some(a),
            Binary::URem if constant == 1 => Some(self.constant(width, 0)),
            Binary::UDiv if most < constant => Some(self.constant(width, 0)),
            Binary::URem if most < constant => Some(a),
            Binary::UDiv if constant.is_power_of_two() => {
                let by = self.constant(width, constant.trailing_zeros().into());
                Some(self.binary(Binary::LShr, a, by))
            }
            Binary::URem if constant.is_power_of_two() => {
                let bits = self.constant(width, constant - 1);
                Some(self.binary(Binary::And, a, bits))
            }
            Binary::SDiv if most < sign && constant < sign => Some(self.binary(Binary::UDiv, a, b)),
            Binary::SRem if most < sign && constant < sign => Some(self.binary(Binary::URem, a, b)),
            Binary::UDiv | Binary::URem => self.narrow_division(operator, a, constant),
            _ if constant == 1 => {
                Some(if operator == Binary::SDiv { a } else { self.constant(width, 0) })
            }
            _ => None,
        }
    }

    fn narrow_division(&mut self, operator: Binary, a: ExprId, constant: u128) -> Option<ExprId> {
        let inner = self.zero_extended(a)?;
        let narrow = self.width(inner);
        if constant > mask(narrow) {
            return None;
        }
        let constant = self.constant(narrow, constant);
        let result = self.binary(operator, inner, constant);
        Some(self.unary(Unary::ZeroExtend, self.width(a), result))
    }
}
