//! Arithmetic on floats, inverted up to rounding.

use super::Inversion;
use crate::{
    Binary, Unary, arithmetic,
    arithmetic::{mask, sign_bit},
    search::random::Random,
};

impl Inversion<'_> {
    pub(super) fn float_unary(&mut self, operator: Unary, a: u32, full: u128, width: u32) {
        use Unary::*;
        let from = self.program.width(a);
        let back = |operator, bits| arithmetic::unary(operator, width, from, bits);
        let wanted = match operator {
            FNeg => back(FNeg, full),
            FResize => back(FResize, full),
            FToSigned => back(FFromSigned, full),
            FToUnsigned => back(FFromUnsigned, full),
            FFromSigned => back(FToSigned, full),
            FFromUnsigned => back(FToUnsigned, full),
            FSqrt => arithmetic::binary(Binary::FMul, width, full, full),
            _ => full,
        };
        self.wish_all(a, wanted);
    }

    pub(super) fn float_binary(
        &mut self,
        operator: Binary,
        a: u32,
        b: u32,
        full: u128,
        random: &mut Random,
    ) {
        use Binary::*;
        let width = self.program.width(a);
        let (x, y) = (self.value(a), self.value(b));
        let (side, other) = self.side(a, b, random);
        let do_it = |operator, x, y| arithmetic::binary(operator, width, x, y);
        let wanted = match operator {
            FAdd => do_it(FSub, full, self.value(other)),
            FSub if side == a => do_it(FAdd, full, y),
            FSub => do_it(FSub, x, full),
            FMul => do_it(FDiv, full, self.value(other)),
            FDiv if side == a => do_it(FMul, full, y),
            FDiv => do_it(FDiv, x, full),
            _ => full,
        };
        self.wish_all(side, wanted);
    }

    pub(super) fn multiply_add(
        &mut self,
        (a, b, c): (u32, u32, u32),
        full: u128,
        random: &mut Random,
    ) {
        let width = self.program.width(a);
        let do_it = |operator, x, y| arithmetic::binary(operator, width, x, y);
        if random.once_in(2) && !self.is_constant(c) {
            let product = do_it(Binary::FMul, self.value(a), self.value(b));
            return self.wish_all(c, do_it(Binary::FSub, full, product));
        }
        let (side, other) = self.side(a, b, random);
        let product = do_it(Binary::FSub, full, self.value(c));
        self.wish_all(side, do_it(Binary::FDiv, product, self.value(other)));
    }

    pub(super) fn float_predicate(
        &mut self,
        operator: Binary,
        a: u32,
        b: u32,
        holds: bool,
        random: &mut Random,
    ) {
        use Binary::*;
        let width = self.program.width(a);
        let (side, other) = self.side(a, b, random);
        let bound = self.value(other);
        // The wanted relation of the changed operand: less, equal or more than the other.
        let lower = (side == a) == holds;
        let wanted = match operator {
            FOLt | FULt if !holds && random.once_in(2) => bound,
            FOLt | FULt => beside(width, bound, lower, random),
            FOLe | FULe if holds => bound,
            FOLe | FULe => beside(width, bound, lower, random),
            FOEq | FUEq if holds => bound,
            FONe | FUNe if !holds => bound,
            FUno | FOrd if (operator == FUno) == holds => mask(width) & !sign_bit(width),
            FUno | FOrd => 0,
            _ => beside(width, bound, random.once_in(2), random),
        };
        self.wish_all(side, wanted);
    }
}

/// A float that is less, or greater, than another: the next one, or one that is a whole number or
/// a factor away.
fn beside(width: u32, bits: u128, lower: bool, random: &mut Random) -> u128 {
    let value = arithmetic::unary(Unary::FResize, width, 64, bits);
    let value = f64::from_bits(value as u64);
    let step = match random.below(4) {
        0 => 1.0,
        1 => value.abs() + 1.0,
        2 => random.below(1000) as f64,
        _ => 0.0,
    };
    if step > 0.0 {
        let moved = if lower { value - step } else { value + step };
        return arithmetic::unary(Unary::FResize, 64, width, moved.to_bits().into());
    }
    let next = if width == 32 {
        let value = f32::from_bits(bits as u32);
        u128::from(if lower { value.next_down() } else { value.next_up() }.to_bits())
    } else {
        u128::from(if lower { value.next_down() } else { value.next_up() }.to_bits())
    };
    arithmetic::cut(next, width)
}
