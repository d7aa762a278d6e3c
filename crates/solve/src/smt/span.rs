//! Superset of the values of an expression: a progression, modulo its width.
//!
//! Addresses are a start and a multiple of an index of few bits. The progression of an address
//! gives the entries of a table that can be read; nothing else can.

use crate::{
    Binary, Expr, ExprId, Graph, Ternary, Unary,
    arithmetic::{mask, sign_bit},
};

/// `start`, `start + step` and so on, `count` steps, all of it modulo two to the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    /// Zero if there is one value only.
    pub(super) step: u64,
    pub(super) count: u64,
}

impl Span {
    fn one(value: u64) -> Span {
        Span { start: value, step: 0, count: 0 }
    }

    /// All numbers of a width. Wider ones than 64 bits are never asked for.
    fn all(width: u32) -> Span {
        Span { start: 0, step: 1, count: low(width) }
    }

    fn new(width: u32, start: u64, step: u64, count: u64) -> Span {
        let (start, step) = (start & low(width), step & low(width));
        if step == 0 || count == 0 { Span::one(start) } else { Span { start, step, count } }
    }

    /// The greatest value, if the progression does not wrap around.
    fn end(&self, width: u32) -> Option<u64> {
        let end = self.count.checked_mul(self.step)?.checked_add(self.start)?;
        (end <= low(width)).then_some(end)
    }

    /// From zero to `end` in steps.
    fn up_to(end: u64, step: u64) -> Span {
        if step == 0 { Span::one(0) } else { Span { start: 0, step, count: end / step } }
    }

    /// The span of an expression, given those of its operands.
    pub(super) fn of(graph: &Graph, id: ExprId, span: impl Fn(ExprId) -> Span) -> Span {
        let expr = graph.expr(id);
        let width = expr.width();
        let narrow = width <= 64 && expr.operands().all(|operand| graph.width(operand) <= 64);
        let constant = |id: ExprId| graph.as_constant(id).map(|value| value as u64);
        let found = match expr {
            _ if !narrow => None,
            Expr::Constant { .. } => constant(id).map(Span::one),
            Expr::Extract { low: 0, a, .. } => {
                let a = span(a);
                Some(Span::new(width, a.start, a.step, a.count))
            }
            Expr::Extract { low: lowest, a, .. } => {
                let end = span(a).end(graph.width(a));
                end.map(|end| Span::up_to((end >> lowest).min(low(width)), 1))
            }
            Expr::Unary { operator, a, .. } => unary(operator, graph.width(a), width, span(a)),
            Expr::Binary { operator: Binary::Concat, a, b, .. } => {
                let (high, below) = (span(a), span(b));
                let below_width = graph.width(b);
                let factor = 1 << below_width;
                let high = Span::new(width, high.start * factor, high.step * factor, high.count);
                below.end(below_width).and_then(|_| sum(width, high, below))
            }
            Expr::Binary { operator, a, b, .. } => {
                binary(operator, width, (span(a), constant(a)), (span(b), constant(b)))
            }
            Expr::Ternary { operator: Ternary::Ite, b, c, .. } => either(width, span(b), span(c)),
            _ => None,
        };
        // A progression that wraps around more than once says nothing.
        found.filter(|found| found.count <= low(width)).unwrap_or(Span::all(width))
    }
}

fn low(width: u32) -> u64 {
    mask(width.min(64)) as u64
}

fn unary(operator: Unary, from: u32, to: u32, a: Span) -> Option<Span> {
    match operator {
        Unary::ZeroExtend => a.end(from).map(|_| a),
        Unary::SignExtend => {
            // Moved up by half of the range, signed numbers are in the order of unsigned ones.
            let half = sign_bit(from) as u64;
            let moved = Span { start: a.start.wrapping_add(half) & low(from), ..a };
            moved.end(from)?;
            Some(Span::new(to, moved.start.wrapping_sub(half), a.step, a.count))
        }
        _ => None,
    }
}

type Operand = (Span, Option<u64>);

fn binary(operator: Binary, width: u32, a: Operand, b: Operand) -> Option<Span> {
    use Binary::*;
    match (operator, a, b) {
        (Add, (a, _), (b, _)) => sum(width, a, b),
        (Sub, (a, _), (b, _)) => sum(width, a, times(width, b, u64::MAX)),
        (Mul, (a, _), (_, Some(b))) | (Mul, (_, Some(b)), (a, _)) => Some(times(width, a, b)),
        (Shl, (a, _), (_, Some(b))) if b < u64::from(width) => Some(times(width, a, 1 << b)),
        (And, (a, _), (_, Some(bits))) | (And, (_, Some(bits)), (a, _)) => {
            let end = a.end(width).map_or(bits, |end| end.min(bits));
            Some(Span::up_to(end, bits & bits.wrapping_neg()))
        }
        (URem, _, (_, Some(b))) if b != 0 => Some(Span::up_to(b - 1, 1)),
        (LShr, (a, _), (_, Some(b))) if b < u64::from(width) => {
            Some(Span::up_to(a.end(width)? >> b, 1))
        }
        (UDiv, (a, _), (_, Some(b))) if b != 0 => Some(Span::up_to(a.end(width)? / b, 1)),
        (Or, (a, _), (b, _)) => disjoint(width, a, b),
        _ => None,
    }
}

/// A disjunction of numbers without common bits is their sum.
fn disjoint(width: u32, a: Span, b: Span) -> Option<Span> {
    let bits = |span: Span| {
        let end = span.end(width)?;
        let above = low(64 - end.leading_zeros()).max(end);
        // Only the common trailing zeros of start and step stay zero.
        let lowest = (span.start | span.step).trailing_zeros().min(63);
        Some(above & !low(lowest))
    };
    if bits(a)? & bits(b)? == 0 { sum(width, a, b) } else { None }
}

fn times(width: u32, a: Span, factor: u64) -> Span {
    Span::new(width, a.start.wrapping_mul(factor), a.step.wrapping_mul(factor), a.count)
}

fn sum(width: u32, a: Span, b: Span) -> Option<Span> {
    let start = a.start.wrapping_add(b.start);
    if a.count == 0 || b.count == 0 {
        let moving = if a.count == 0 { b } else { a };
        return Some(Span::new(width, start, moving.step, moving.count));
    }
    // A step backwards is a large one; the sum of such spans is found forwards.
    let (a, b) = (forwards(width, a), forwards(width, b));
    let start = a.start.wrapping_add(b.start);
    let step = divisor(a.step, b.step);
    let far = u128::from(a.step) * u128::from(a.count) + u128::from(b.step) * u128::from(b.count);
    let far = u64::try_from(far).ok().filter(|far| *far <= low(width))?;
    Some(Span::new(width, start, step, far / step))
}

fn forwards(width: u32, span: Span) -> Span {
    let back = span.step.wrapping_neg() & low(width);
    if back < span.step {
        let start = span.start.wrapping_add(span.step.wrapping_mul(span.count));
        Span { start: start & low(width), step: back, count: span.count }
    } else {
        span
    }
}

fn either(width: u32, a: Span, b: Span) -> Option<Span> {
    let (first, last) = (a.start.min(b.start), a.end(width)?.max(b.end(width)?));
    let step = [a.step, b.step, a.start.abs_diff(b.start)].into_iter().fold(0, divisor);
    Some(Span::new(width, first, step, (last - first).checked_div(step).unwrap_or(0)))
}

fn divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
