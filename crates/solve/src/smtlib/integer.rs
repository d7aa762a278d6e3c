//! Operators on integers.

use super::literal;
use crate::{
    Binary, Ternary, Unary,
    arithmetic::{mask, sign_bit},
};

pub(super) fn unary(operator: Unary, from: u32, to: u32, a: &str) -> String {
    match operator {
        Unary::ZeroExtend => format!("((_ zero_extend {}) {a})", to - from),
        Unary::SignExtend => format!("((_ sign_extend {}) {a})", to - from),
        Unary::PopCount => pop_count(from, a),
        Unary::LeadingZeros => count_zeros(from, a, (0..from).collect()),
        Unary::TrailingZeros => count_zeros(from, a, (0..from).rev().collect()),
        Unary::ByteSwap => reversed(from, a, 8),
        Unary::BitReverse => reversed(from, a, 1),
        _ => {
            let negative = format!("(bvslt {a} {})", literal(from, 0));
            format!("(ite {negative} (bvneg {a}) {a})")
        }
    }
}

pub(super) fn binary(operator: Binary, width: u32, a: &str, b: &str) -> String {
    match (operator, function(operator)) {
        (_, Some(function)) if operator.is_predicate() => bit(&format!("({function} {a} {b})")),
        (_, Some(function)) => format!("({function} {a} {b})"),
        (Binary::Ne, _) => bit(&format!("(distinct {a} {b})")),
        (Binary::UMin | Binary::UMax | Binary::SMin | Binary::SMax, _) => {
            let function = extreme(operator);
            format!("(ite ({function} {a} {b}) {a} {b})")
        }
        _ if operator.is_predicate() => bit(&misfits(operator, width, a, b)),
        _ => saturating(operator, width, a, b),
    }
}

pub(super) fn ternary(operator: Ternary, width: u32, a: &str, b: &str, c: &str) -> String {
    let by = format!("(bvurem {c} {})", literal(width, width.into()));
    let both = format!("(concat {a} {b})");
    match operator {
        Ternary::Ite => format!("(ite (= {a} #b1) {b} {c})"),
        Ternary::FunnelLeft => {
            let shifted = format!("(bvshl {both} ((_ zero_extend {width}) {by}))");
            format!("((_ extract {} {width}) {shifted})", 2 * width - 1)
        }
        _ => {
            let shifted = format!("(bvlshr {both} ((_ zero_extend {width}) {by}))");
            format!("((_ extract {} 0) {shifted})", width - 1)
        }
    }
}

/// A condition as a bit.
pub(super) fn bit(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

/// The function of SMT-LIB that is the operator.
fn function(operator: Binary) -> Option<&'static str> {
    use Binary::*;
    Some(match operator {
        Add => "bvadd",
        Sub => "bvsub",
        Mul => "bvmul",
        UDiv => "bvudiv",
        SDiv => "bvsdiv",
        URem => "bvurem",
        SRem => "bvsrem",
        Shl => "bvshl",
        LShr => "bvlshr",
        AShr => "bvashr",
        And => "bvand",
        Or => "bvor",
        Xor => "bvxor",
        Concat => "concat",
        Eq => "=",
        ULt | USubOverflow => "bvult",
        ULe => "bvule",
        SLt => "bvslt",
        SLe => "bvsle",
        _ => return None,
    })
}

fn extreme(operator: Binary) -> &'static str {
    match operator {
        Binary::UMin => "bvult",
        Binary::UMax => "bvugt",
        Binary::SMin => "bvslt",
        _ => "bvsgt",
    }
}

/// Whether a result computed at twice the width is not the extension of its lower half.
fn misfits(operator: Binary, width: u32, a: &str, b: &str) -> String {
    use Binary::*;
    let extend = match operator {
        UAddOverflow | UMulOverflow => format!("(_ zero_extend {width})"),
        _ => format!("(_ sign_extend {width})"),
    };
    let function = match operator {
        UAddOverflow | SAddOverflow => "bvadd",
        SSubOverflow => "bvsub",
        _ => "bvmul",
    };
    let wide = format!("({function} ({extend} {a}) ({extend} {b}))");
    format!("(distinct {wide} ({extend} ((_ extract {} 0) {wide})))", width - 1)
}

fn saturating(operator: Binary, width: u32, a: &str, b: &str) -> String {
    use Binary::*;
    let (function, overflow) = match operator {
        UAddSat => ("bvadd", misfits(UAddOverflow, width, a, b)),
        SAddSat => ("bvadd", misfits(SAddOverflow, width, a, b)),
        USubSat => ("bvsub", format!("(bvult {a} {b})")),
        _ => ("bvsub", misfits(SSubOverflow, width, a, b)),
    };
    // A signed result that does not fit lies beyond the end on the side of the left operand.
    let limit = match operator {
        UAddSat => literal(width, mask(width)),
        USubSat => literal(width, 0),
        _ => {
            let (least, most) = (sign_bit(width), sign_bit(width) - 1);
            let negative = format!("(bvslt {a} {})", literal(width, 0));
            format!("(ite {negative} {} {})", literal(width, least), literal(width, most))
        }
    };
    format!("(ite {overflow} {limit} ({function} {a} {b}))")
}

fn pop_count(width: u32, a: &str) -> String {
    let bits = (0..width).map(|bit| match width {
        1 => a.into(),
        _ => format!("((_ zero_extend {}) ((_ extract {bit} {bit}) {a}))", width - 1),
    });
    bits.reduce(|sum, bit: String| format!("(bvadd {sum} {bit})")).unwrap_or_default()
}

/// Nested choices; the last bit in `order` is the outermost.
fn count_zeros(width: u32, a: &str, order: Vec<u32>) -> String {
    let all = literal(width, u128::from(width) & mask(width));
    order.iter().enumerate().fold(all, |rest, (index, bit)| {
        let count = width - 1 - index as u32;
        let is_set = format!("(= ((_ extract {bit} {bit}) {a}) #b1)");
        format!("(ite {is_set} {} {rest})", literal(width, u128::from(count) & mask(width)))
    })
}

fn reversed(width: u32, a: &str, unit: u32) -> String {
    let parts = (0..width / unit)
        .map(|index| format!("((_ extract {} {}) {a})", unit * (index + 1) - 1, unit * index));
    parts.reduce(|high, low| format!("(concat {high} {low})")).unwrap_or_default()
}
