//! Operations that compiled code delegates to the one definition of the operators.

use crate::{Binary, Ternary, Unary, arithmetic};

/// An operation as a number that fits into an instruction.
#[derive(Clone, Copy)]
pub(super) enum Request {
    Unary(Unary, u32, u32),
    Binary(Binary, u32),
    Ternary(Ternary, u32),
}

impl Request {
    /// Operator, number of operands and the two widths as one number.
    pub(super) fn encode(self) -> u64 {
        let (count, operator, from, to) = match self {
            Request::Unary(operator, from, to) => (1, operator as u64, from, to),
            Request::Binary(operator, width) => (2, operator as u64, width, 0),
            Request::Ternary(operator, width) => (3, operator as u64, width, 0),
        };
        count | operator << 8 | u64::from(from) << 16 | u64::from(to) << 32
    }
}

/// Performs the requested operation on operands of 128 bits each, and writes the result over the
/// first of them.
///
/// # Safety
///
/// `operands` must point to six words, and `request` must come from [`Request::encode`].
pub(super) unsafe extern "C" fn operate(request: u64, operands: *mut u64) {
    // SAFETY: there are six words, as the caller guarantees.
    let words = unsafe { std::slice::from_raw_parts_mut(operands, 6) };
    let operand =
        |index: usize| u128::from(words[2 * index + 1]) << 64 | u128::from(words[2 * index]);
    let operator = (request >> 8) as u8 as usize;
    let (from, to) = (u32::from((request >> 16) as u16), u32::from((request >> 32) as u16));
    let result = match request as u8 {
        1 => arithmetic::unary(Unary::ALL[operator], from, to, operand(0)),
        2 => arithmetic::binary(Binary::ALL[operator], from, operand(0), operand(1)),
        _ => arithmetic::ternary(Ternary::ALL[operator], from, operand(0), operand(1), operand(2)),
    };
    words[0] = result as u64;
    words[1] = (result >> 64) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_where_their_numbers_say() {
        assert!(Unary::ALL.iter().enumerate().all(|(index, operator)| *operator as usize == index));
        assert!(Binary::ALL.iter().enumerate().all(|(index, op)| *op as usize == index));
        assert!(Ternary::ALL.iter().enumerate().all(|(index, op)| *op as usize == index));
    }
}
