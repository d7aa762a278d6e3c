//! IEEE arithmetic on bit patterns, as x86-64 does it.
//!
//! Rust says nothing about the bits of a NaN, and a compiler that folds constants may choose other
//! ones than the processor. Programs print the sign of a NaN, so the rule of SSE is spelled out: of
//! several NaNs the first operand's survives and becomes quiet, and a NaN out of nothing has its
//! sign set. `fmin` and `fmax` of two zeros give the first, as what clang emits for them does.

use crate::{
    Binary, Unary,
    arithmetic::{sign_bit, signed},
};

/// The parts of a float's pattern.
#[derive(Clone, Copy)]
struct Format {
    sign: u128,
    infinity: u128,
    quiet: u128,
}

const SINGLE: Format = Format { sign: 1 << 31, infinity: 0xff << 23, quiet: 1 << 22 };
const DOUBLE: Format = Format { sign: 1 << 63, infinity: 0x7ff << 52, quiet: 1 << 51 };

impl Format {
    fn of(width: u32) -> Format {
        if width == 32 { SINGLE } else { DOUBLE }
    }

    fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign > self.infinity
    }

    /// The pattern for an operation with operands `inputs` and the numeric result `result`.
    fn settle(self, inputs: &[u128], result: u128) -> u128 {
        match inputs.iter().find(|bits| self.is_nan(**bits)) {
            Some(nan) => nan | self.quiet,
            None if self.is_nan(result) => self.sign | self.infinity | self.quiet,
            None => result,
        }
    }
}

/// An operation with one operand on or to a float.
pub(crate) fn unary(operator: Unary, from: u32, to: u32, a: u128) -> u128 {
    use Unary::*;
    let format = Format::of(from);
    match operator {
        FNeg => a ^ format.sign,
        FAbs => a & !format.sign,
        FResize => resize(from, to, a),
        FToSigned => to_signed(from, to, a),
        FToUnsigned => to_unsigned(from, to, a),
        FFromSigned => from_signed(to, signed(a, from)),
        FFromUnsigned => from_unsigned(to, a),
        _ if from == 32 => format.settle(&[a], f32::unary(operator, a)),
        _ => format.settle(&[a], f64::unary(operator, a)),
    }
}

/// An operation on two floats.
pub(crate) fn binary(operator: Binary, width: u32, a: u128, b: u128) -> u128 {
    let format = Format::of(width);
    match operator {
        Binary::FCopySign => a & !format.sign | b & format.sign,
        _ if operator.is_predicate() => compare(operator, width, a, b).into(),
        Binary::FMin if format.is_nan(a) || less(width, b, a) => b,
        Binary::FMax if format.is_nan(a) || less(width, a, b) => b,
        Binary::FMin | Binary::FMax => a,
        _ if width == 32 => format.settle(&[a, b], f32::binary(operator, a, b)),
        _ => format.settle(&[a, b], f64::binary(operator, a, b)),
    }
}

/// `a * b + c`, rounded once.
pub(crate) fn multiply_add(width: u32, a: u128, b: u128, c: u128) -> u128 {
    let result = if width == 32 {
        let product = f32::from_bits(a as u32).mul_add(f32::read(b), f32::read(c));
        product.to_bits().into()
    } else {
        f64::read(a).mul_add(f64::read(b), f64::read(c)).to_bits().into()
    };
    Format::of(width).settle(&[a, b, c], result)
}

fn compare(operator: Binary, width: u32, a: u128, b: u128) -> bool {
    use Binary::*;
    // A single is exact as a double, so one comparison does for both.
    let (x, y) = (as_double(width, a), as_double(width, b));
    let unordered = x.is_nan() || y.is_nan();
    match operator {
        FOEq => x == y,
        FOLt => x < y,
        FOLe => x <= y,
        FONe => !unordered && x != y,
        FUno => unordered,
        FUNe => x != y,
        FULt => unordered || x < y,
        FULe => unordered || x <= y,
        FUEq => unordered || x == y,
        _ => !unordered,
    }
}

fn less(width: u32, a: u128, b: u128) -> bool {
    as_double(width, a) < as_double(width, b)
}

fn as_double(width: u32, bits: u128) -> f64 {
    if width == 32 { f32::read(bits).into() } else { f64::read(bits) }
}

fn resize(from: u32, to: u32, a: u128) -> u128 {
    let (source, target) = (Format::of(from), Format::of(to));
    match (from, to) {
        _ if from == to => a,
        _ if source.is_nan(a) => {
            // The sign and the upper bits of the payload are kept.
            let negative = if a & source.sign == 0 { 0 } else { target.sign };
            let payload = a & (source.quiet - 1);
            let payload = if from < to { payload << 29 } else { payload >> 29 };
            negative | target.infinity | target.quiet | payload
        }
        (32, _) => f64::from(f32::read(a)).to_bits().into(),
        _ => (f64::read(a) as f32).to_bits().into(),
    }
}

/// The processor converts to 32 or 64 bits and says "the least number" for what does not fit;
/// narrower results are the low part of that.
fn to_signed(from: u32, to: u32, a: u128) -> u128 {
    machine_signed(as_double(from, a), machine_width(to))
}

/// Unsigned conversions are made of wider signed ones, up to the one that is as wide as the
/// processor goes.
fn to_unsigned(from: u32, to: u32, a: u128) -> u128 {
    let value = as_double(from, a);
    match to {
        0..=16 => machine_signed(value, 32),
        17..=32 => machine_signed(value, 64),
        33..=64 => machine_unsigned(value),
        _ if value > -1.0 && value < 2_f64.powi(128) => value as u128,
        _ => sign_bit(128),
    }
}

/// The width that a conversion to a signed integer is done in.
pub(crate) fn machine_width(to: u32) -> u32 {
    [32, 64, 128].into_iter().find(|width| to <= *width).unwrap_or(128)
}

fn machine_signed(value: f64, width: u32) -> u128 {
    let limit = 2_f64.powi(width as i32 - 1);
    let whole = value.trunc();
    if -limit <= whole && whole < limit { whole as i128 as u128 } else { sign_bit(width) }
}

/// LLVM's sequence without a branch: the second conversion counts where the first says "does not
/// fit".
fn machine_unsigned(value: f64) -> u128 {
    let first = machine_signed(value, 64) as u64;
    let second = machine_signed(value - 2_f64.powi(63), 64) as u64;
    (first | second & ((first as i64) >> 63) as u64).into()
}

fn from_signed(to: u32, value: i128) -> u128 {
    if to == 32 { (value as f32).to_bits().into() } else { (value as f64).to_bits().into() }
}

fn from_unsigned(to: u32, value: u128) -> u128 {
    if to == 32 { (value as f32).to_bits().into() } else { (value as f64).to_bits().into() }
}

/// The operations that read the same for both formats.
trait Float: Sized {
    fn read(bits: u128) -> Self;
    fn unary(operator: Unary, a: u128) -> u128;
    fn binary(operator: Binary, a: u128, b: u128) -> u128;
}

macro_rules! float {
    ($type:ident $bits:ident) => {
        impl Float for $type {
            fn read(bits: u128) -> $type {
                $type::from_bits(bits as $bits)
            }

            fn unary(operator: Unary, a: u128) -> u128 {
                let a = $type::read(a);
                let result = match operator {
                    Unary::FSqrt => a.sqrt(),
                    Unary::FFloor => a.floor(),
                    Unary::FCeil => a.ceil(),
                    Unary::FTrunc => a.trunc(),
                    Unary::FRoundEven => a.round_ties_even(),
                    Unary::FRound => a.round(),
                    _ => unreachable!("the other operators have functions of their own"),
                };
                result.to_bits().into()
            }

            fn binary(operator: Binary, a: u128, b: u128) -> u128 {
                let (a, b) = ($type::read(a), $type::read(b));
                let result = match operator {
                    Binary::FAdd => a + b,
                    Binary::FSub => a - b,
                    Binary::FMul => a * b,
                    Binary::FDiv => a / b,
                    Binary::FRem => a % b,
                    _ => unreachable!("the other operators have functions of their own"),
                };
                result.to_bits().into()
            }
        }
    };
}

float!(f32 u32);
float!(f64 u64);

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> u128 {
        value.to_bits().into()
    }

    #[test]
    fn a_nan_out_of_nothing_has_its_sign_set() {
        let zero = double(0.0);
        assert_eq!(binary(Binary::FDiv, 64, zero, zero), 0xfff8 << 48);
        assert_eq!(unary(Unary::FSqrt, 64, 64, double(-1.0)), 0xfff8 << 48);
        assert_eq!(binary(Binary::FSub, 32, 0x7f80_0000, 0x7f80_0000), 0xffc0_0000);
    }

    #[test]
    fn the_first_nan_survives_and_becomes_quiet() {
        assert_eq!(binary(Binary::FAdd, 32, 0x3f80_0000, 0x7f80_0001), 0x7fc0_0001);
        assert_eq!(binary(Binary::FAdd, 32, 0xff80_0002, 0x7f80_0001), 0xffc0_0002);
        assert_eq!(resize(32, 64, 0xff80_0001), 0xfff8_0000_2000_0000);
        assert_eq!(resize(64, 32, 0xfff8_0000_2000_0000), 0xffc0_0001);
    }

    #[test]
    fn minimum_and_maximum_ignore_nan() {
        let (nan, one) = (double(f64::NAN), double(1.0));
        assert_eq!(binary(Binary::FMin, 64, nan, one), one);
        assert_eq!(binary(Binary::FMax, 64, one, nan), one);
        assert_eq!(binary(Binary::FMin, 64, double(-0.0), double(0.0)), double(-0.0));
    }

    #[test]
    fn what_does_not_fit_is_the_least_number() {
        assert_eq!(to_signed(64, 32, double(2_147_483_648.0)), 1 << 31);
        assert_eq!(to_signed(64, 32, double(-2_147_483_648.9)) as u32, 1 << 31);
        assert_eq!(to_signed(64, 64, double(f64::NAN)), 1 << 63);
        assert_eq!(to_unsigned(64, 64, double(1.8e19)), 18_000_000_000_000_000_000);
        assert_eq!(to_unsigned(64, 32, double(4e9)), 4_000_000_000);
        assert_eq!(to_unsigned(64, 64, double(-1.0)) as u64, u64::MAX);
    }

    #[test]
    fn halves_round_as_they_should() {
        assert_eq!(unary(Unary::FRoundEven, 64, 64, double(2.5)), double(2.0));
        assert_eq!(unary(Unary::FRound, 64, 64, double(2.5)), double(3.0));
        assert_eq!(unary(Unary::FRoundEven, 64, 64, double(-0.5)), double(-0.0));
        assert_eq!(binary(Binary::FRem, 64, double(-5.5), double(2.0)), double(-1.5));
    }
}
