//! Operators on floats.

use super::{integer::bit, literal};
use crate::{Binary, Unary, float::machine_width};

/// A bit pattern as a float.
pub(super) fn read(width: u32, bits: &str) -> String {
    format!("((_ to_fp {}) {bits})", format_of(width))
}

/// An operation on a float whose result is bits.
pub(super) fn unary(operator: Unary, from: u32, to: u32, a: &str) -> String {
    let sign = literal(from, 1 << (from - 1));
    match operator {
        Unary::FNeg => format!("(bvxor {a} {sign})"),
        Unary::FAbs => format!("(bvand {a} (bvnot {sign}))"),
        Unary::FToSigned => cut(to, machine_width(to), &to_signed(from, machine_width(to), a)),
        // A float of its own width stays what it is.
        Unary::FResize => a.into(),
        _ => to_unsigned(from, to, a),
    }
}

/// A predicate, or an operation that only selects bits.
pub(super) fn binary(operator: Binary, width: u32, a: &str, b: &str) -> String {
    let sign = literal(width, 1 << (width - 1));
    let (x, y) = (read(width, a), read(width, b));
    match operator {
        Binary::FCopySign => {
            format!("(bvor (bvand {a} (bvnot {sign})) (bvand {b} {sign}))")
        }
        Binary::FMin => format!("(ite (or (fp.isNaN {x}) (fp.lt {y} {x})) {b} {a})"),
        Binary::FMax => format!("(ite (or (fp.isNaN {x}) (fp.lt {x} {y})) {b} {a})"),
        _ => bit(&condition(operator, &x, &y)),
    }
}

/// The float result of an operation, if bits cannot express it.
pub(super) fn unary_result(operator: Unary, from: u32, to: u32, a: &str) -> Option<String> {
    let rounded = |mode: &str| Some(format!("(fp.roundToIntegral {mode} {})", read(from, a)));
    match operator {
        Unary::FSqrt => Some(format!("(fp.sqrt RNE {})", read(from, a))),
        Unary::FFloor => rounded("RTN"),
        Unary::FCeil => rounded("RTP"),
        Unary::FTrunc => rounded("RTZ"),
        Unary::FRoundEven => rounded("RNE"),
        Unary::FRound => rounded("RNA"),
        Unary::FResize if from != to => {
            Some(format!("((_ to_fp {}) RNE {})", format_of(to), read(from, a)))
        }
        Unary::FFromSigned => Some(format!("((_ to_fp {}) RNE {a})", format_of(to))),
        Unary::FFromUnsigned => Some(format!("((_ to_fp_unsigned {}) RNE {a})", format_of(to))),
        _ => None,
    }
}

/// The same for two operands.
pub(super) fn binary_result(operator: Binary, width: u32, a: &str, b: &str) -> Option<String> {
    let function = match operator {
        Binary::FAdd => "fp.add",
        Binary::FSub => "fp.sub",
        Binary::FMul => "fp.mul",
        Binary::FDiv => "fp.div",
        _ => return None,
    };
    Some(format!("({function} RNE {} {})", read(width, a), read(width, b)))
}

fn format_of(width: u32) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

fn condition(operator: Binary, x: &str, y: &str) -> String {
    use Binary::*;
    match operator {
        FOEq => format!("(fp.eq {x} {y})"),
        FUNe => format!("(not (fp.eq {x} {y}))"),
        FOLt => format!("(fp.lt {x} {y})"),
        FOLe => format!("(fp.leq {x} {y})"),
        FULt => format!("(not (fp.leq {y} {x}))"),
        FULe => format!("(not (fp.lt {y} {x}))"),
        FONe => format!("(or (fp.lt {x} {y}) (fp.lt {y} {x}))"),
        FUEq => format!("(not (or (fp.lt {x} {y}) (fp.lt {y} {x})))"),
        FUno => format!("(or (fp.isNaN {x}) (fp.isNaN {y}))"),
        _ => format!("(not (or (fp.isNaN {x}) (fp.isNaN {y})))"),
    }
}

/// A power of two, or its negation, as a float.
fn power(width: u32, exponent: u32, negative: Sign) -> String {
    let bias = if width == 32 { 127 } else { 1023 };
    let fraction = if width == 32 { 23 } else { 52 };
    let sign = if negative == Sign::Minus { 1 << (width - 1) } else { 0 };
    read(width, &literal(width, sign | u128::from(bias + exponent) << fraction))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

/// The processor's conversion: a value that does not fit becomes the least number.
fn to_signed(from: u32, to: u32, a: &str) -> String {
    convert_signed(from, to, &read(from, a))
}

fn convert_signed(from: u32, to: u32, x: &str) -> String {
    let whole = format!("(fp.roundToIntegral RTZ {x})");
    let above = format!("(fp.leq {} {whole})", power(from, to - 1, Sign::Minus));
    let below = format!("(fp.lt {whole} {})", power(from, to - 1, Sign::Plus));
    let misfit = literal(to, 1 << (to - 1));
    format!("(ite (and {above} {below}) ((_ fp.to_sbv {to}) RTZ {x}) {misfit})")
}

fn to_unsigned(from: u32, to: u32, a: &str) -> String {
    match to {
        0..=16 => cut(to, 32, &to_signed(from, 32, a)),
        17..=32 => cut(to, 64, &to_signed(from, 64, a)),
        33..=64 => cut(to, 64, &to_unsigned_64(from, a)),
        _ => cut(to, 128, &to_unsigned_128(from, a)),
    }
}

/// The two conversions of the evaluation.
fn to_unsigned_64(from: u32, a: &str) -> String {
    let x = read(from, a);
    let first = convert_signed(from, 64, &x);
    let rest = format!("(fp.sub RNE {x} {})", power(from, 63, Sign::Plus));
    let second = convert_signed(from, 64, &rest);
    let zero = literal(64, 0);
    format!("(bvor {first} (ite (bvslt {first} {zero}) {second} {zero}))")
}

fn to_unsigned_128(from: u32, a: &str) -> String {
    let x = read(from, a);
    let above = format!("(fp.lt {} {x})", power(from, 0, Sign::Minus));
    // A single below infinity does not reach 2^128; the formula gives the pattern of infinity.
    let below = format!("(fp.lt {x} {})", power(from, 128, Sign::Plus));
    let misfit = literal(128, 1 << 127);
    format!("(ite (and {above} {below}) ((_ fp.to_ubv 128) RTZ {x}) {misfit})")
}

fn cut(to: u32, from: u32, term: &str) -> String {
    if to == from { term.into() } else { format!("((_ extract {} 0) {term})", to - 1) }
}
