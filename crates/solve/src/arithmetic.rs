//! The semantics of each operator, on numbers of up to 128 bits.
//!
//! This is the one definition of the operators: evaluation, folding of constants and the tests of
//! simplification use it, and the translation to SMT-LIB is tested against it. Where C leaves
//! something undefined it follows SMT-LIB (division by zero) or the machine (`INT_MIN / -1`
//! wraps), so that no input of a solver can make the host panic.

use crate::{Binary, Ternary, Unary, float};

/// The lowest `width` bits.
pub(crate) fn cut(value: u128, width: u32) -> u128 {
    value & mask(width)
}

/// The greatest number of `width` bits.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A number of `width` bits taken as a signed one.
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    (value << unused) as i128 >> unused
}

/// The least signed number of `width` bits, as a pattern.
pub(crate) fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// An operation on a value of `from` bits, with a result of `to` bits.
pub(crate) fn unary(operator: Unary, from: u32, to: u32, a: u128) -> u128 {
    use Unary::*;
    let result = match operator {
        ZeroExtend => a,
        SignExtend => signed(a, from) as u128,
        PopCount => a.count_ones().into(),
        LeadingZeros => (a.leading_zeros() - (128 - from)).into(),
        TrailingZeros => a.trailing_zeros().min(from).into(),
        ByteSwap => a.swap_bytes() >> (128 - from),
        BitReverse => a.reverse_bits() >> (128 - from),
        Abs => signed(a, from).unsigned_abs(),
        _ => float::unary(operator, from, to, a),
    };
    cut(result, to)
}

/// An operation on two values; `width` is that of the right one.
pub(crate) fn binary(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    use Binary::*;
    match operator {
        Concat => a << width | b,
        _ if operator.takes_floats() => float::binary(operator, width, a, b),
        _ if operator.is_predicate() => predicate(operator, width, a, b).into(),
        UDiv | SDiv | URem | SRem => cut(division(operator, width, a, b), width),
        Shl | LShr | AShr => cut(shift(operator, width, a, b), width),
        UAddSat | SAddSat | USubSat | SSubSat => saturating(operator, width, a, b),
        _ => cut(simple(operator, width, a, b), width),
    }
}

/// An operation on three values of `width` bits.
pub(crate) fn ternary(operator: Ternary, width: u32, a: u128, b: u128, c: u128) -> u128 {
    match operator {
        Ternary::Ite if a == 1 => b,
        Ternary::Ite => c,
        Ternary::FunnelLeft => funnel_left(width, a, b, cut(c, width) % u128::from(width)),
        Ternary::FunnelRight => funnel_right(width, a, b, cut(c, width) % u128::from(width)),
        Ternary::FMulAdd => float::multiply_add(width, a, b, c),
    }
}

fn funnel_left(width: u32, a: u128, b: u128, by: u128) -> u128 {
    if by == 0 { a } else { cut(a << by | b >> (u128::from(width) - by), width) }
}

fn funnel_right(width: u32, a: u128, b: u128, by: u128) -> u128 {
    if by == 0 { b } else { cut(b >> by | a << (u128::from(width) - by), width) }
}

fn simple(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    use Binary::*;
    match operator {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        UMin => a.min(b),
        UMax => a.max(b),
        SMin => signed(a, width).min(signed(b, width)) as u128,
        SMax => signed(a, width).max(signed(b, width)) as u128,
        _ => unreachable!("the other operators have functions of their own"),
    }
}

fn division(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    let (signed_a, signed_b) = (signed(a, width), signed(b, width));
    match operator {
        Binary::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Binary::URem => a.checked_rem(b).unwrap_or(a),
        Binary::SDiv if b == 0 => (if signed_a < 0 { 1_i128 } else { -1 }) as u128,
        Binary::SDiv => signed_a.wrapping_div(signed_b) as u128,
        _ if b == 0 => a,
        _ => signed_a.wrapping_rem(signed_b) as u128,
    }
}

fn shift(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    let by = u32::try_from(b).unwrap_or(u32::MAX).min(width);
    match operator {
        Binary::Shl => a.checked_shl(by).unwrap_or(0),
        Binary::LShr => a.checked_shr(by).unwrap_or(0),
        _ => (signed(a, width) >> by.min(width - 1)) as u128,
    }
}

fn saturating(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    let (signed_a, signed_b) = (signed(a, width), signed(b, width));
    match operator {
        Binary::UAddSat => a.saturating_add(b).min(mask(width)),
        Binary::USubSat => a.saturating_sub(b),
        Binary::SAddSat => clamp(signed_a.saturating_add(signed_b), width),
        _ => clamp(signed_a.saturating_sub(signed_b), width),
    }
}

fn clamp(value: i128, width: u32) -> u128 {
    let least = signed(sign_bit(width), width);
    cut(value.clamp(least, !least) as u128, width)
}

fn predicate(operator: Binary, width: u32, a: u128, b: u128) -> bool {
    use Binary::*;
    let (signed_a, signed_b) = (signed(a, width), signed(b, width));
    match operator {
        Eq => a == b,
        Ne => a != b,
        ULt => a < b,
        ULe => a <= b,
        SLt => signed_a < signed_b,
        SLe => signed_a <= signed_b,
        UAddOverflow => unsigned_misfit(a.checked_add(b), width),
        USubOverflow => a < b,
        UMulOverflow => unsigned_misfit(a.checked_mul(b), width),
        SAddOverflow => signed_misfit(signed_a.checked_add(signed_b), width),
        SSubOverflow => signed_misfit(signed_a.checked_sub(signed_b), width),
        _ => signed_misfit(signed_a.checked_mul(signed_b), width),
    }
}

fn unsigned_misfit(result: Option<u128>, width: u32) -> bool {
    result.is_none_or(|value| value > mask(width))
}

fn signed_misfit(result: Option<i128>, width: u32) -> bool {
    result.is_none_or(|value| signed(value as u128, width) != value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_divides_by_zero() {
        let minus_seven = cut(-7_i128 as u128, 8);
        assert_eq!(binary(Binary::UDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(Binary::URem, 8, 7, 0), 7);
        assert_eq!(binary(Binary::SDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(Binary::SDiv, 8, minus_seven, 0), 1);
        assert_eq!(binary(Binary::SRem, 8, minus_seven, 0), minus_seven);
    }

    #[test]
    fn the_least_number_wraps() {
        for width in [1, 8, 64, 127, 128] {
            let least = sign_bit(width);
            assert_eq!(binary(Binary::SDiv, width, least, mask(width)), least);
            assert_eq!(binary(Binary::SRem, width, least, mask(width)), 0);
            assert_eq!(unary(Unary::Abs, width, width, least), least);
        }
    }

    #[test]
    fn shifts_by_too_much_leave_the_sign_or_nothing() {
        assert_eq!(binary(Binary::Shl, 128, 1, 128), 0);
        assert_eq!(binary(Binary::LShr, 32, 1 << 31, u128::MAX), 0);
        assert_eq!(binary(Binary::AShr, 32, 1 << 31, 32), mask(32));
        assert_eq!(ternary(Ternary::FunnelLeft, 8, 0x81, 0x81, 9), 0x03);
        assert_eq!(ternary(Ternary::FunnelRight, 128, 1, 2, 1), 1 << 127 | 1);
    }

    #[test]
    fn small_widths_agree_with_the_machine() {
        for (a, b) in (0..=255_u8).flat_map(|a| (0..=255_u8).map(move |b| (a, b))) {
            let (x, y) = (a as i8, b as i8);
            let expect = |operator, value: u8| {
                let result = binary(operator, 8, a.into(), b.into());
                assert_eq!(result, value.into(), "{operator:?} {a} {b}");
            };
            expect(Binary::Mul, a.wrapping_mul(b));
            expect(Binary::SMulOverflow, x.checked_mul(y).is_none().into());
            expect(Binary::UMulOverflow, a.checked_mul(b).is_none().into());
            expect(Binary::SAddOverflow, x.checked_add(y).is_none().into());
            expect(Binary::SSubOverflow, x.checked_sub(y).is_none().into());
            expect(Binary::UAddOverflow, a.checked_add(b).is_none().into());
            expect(Binary::USubOverflow, a.checked_sub(b).is_none().into());
            expect(Binary::SAddSat, x.saturating_add(y) as u8);
            expect(Binary::SSubSat, x.saturating_sub(y) as u8);
            expect(Binary::UAddSat, a.saturating_add(b));
            expect(Binary::USubSat, a.saturating_sub(b));
            expect(Binary::SLt, (x < y).into());
            expect(Binary::SMax, x.max(y) as u8);
            if b != 0 {
                expect(Binary::SDiv, x.wrapping_div(y) as u8);
                expect(Binary::SRem, x.wrapping_rem(y) as u8);
                expect(Binary::URem, a % b);
            }
        }
    }
}
