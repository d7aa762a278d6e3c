//! Bounds of variables from conditions that compare them with a constant.

use super::{
    program::{Kind, Program, Shape},
    range::Range,
};
use crate::{
    Binary, Unary,
    arithmetic::{cut, mask},
};

/// The numbers from the first to the second.
type Interval = (u128, u128);

/// Bounds of all variables. They are sound, but may be wider than necessary.
pub(super) fn of_variables(program: &Program) -> Vec<Range> {
    let all = |width: &u32| (0, mask(*width));
    let mut bounds: Vec<Interval> = program.variables.iter().map(all).collect();
    for condition in &program.conditions {
        let Some((at, interval)) = compared(program, *condition) else { continue };
        let Some((variable, (low, high))) = of_variable(program, at, interval) else { continue };
        let (least, most) = &mut bounds[variable as usize];
        let (low, high) = (low.max(*least), high.min(*most));
        // Contradictions are found elsewhere.
        if low <= high {
            (*least, *most) = (low, high);
        }
    }
    bounds.into_iter().map(|(low, high)| Range::new(low, high)).collect()
}

/// The operation that a condition compares with a constant, and its interval.
fn compared(program: &Program, condition: u32) -> Option<(u32, Interval)> {
    let (at, holds) = match program.shape(condition) {
        Shape::Not(at) => (at, false),
        _ => (condition, true),
    };
    let Shape::Compare(operator, a, b) = program.shape(at) else { return None };
    let most = mask(program.width(a));
    use Binary::*;
    let (at, interval) = match (program.constant(a), program.constant(b)) {
        (_, Some(bound)) => match (operator, holds) {
            (Eq, true) | (Ne, false) => (a, (bound, bound)),
            (ULt, true) => (a, (0, bound.checked_sub(1)?)),
            (ULt, false) => (a, (bound, most)),
            (ULe, true) => (a, (0, bound)),
            (ULe, false) => (a, (bound.checked_add(1)?, most)),
            _ => return None,
        },
        (Some(bound), _) => match (operator, holds) {
            (Eq, true) | (Ne, false) => (b, (bound, bound)),
            (ULt, true) => (b, (bound.checked_add(1)?, most)),
            (ULt, false) => (b, (0, bound)),
            (ULe, true) => (b, (bound, most)),
            (ULe, false) => (b, (0, bound.checked_sub(1)?)),
            _ => return None,
        },
        _ => return None,
    };
    Some((at, interval))
}

/// The same for the variable, if the operation is one apart from extensions and added constants.
fn of_variable(program: &Program, mut at: u32, interval: Interval) -> Option<(u32, Interval)> {
    let (mut low, mut high) = interval;
    while low <= high {
        let operation = program.operation(at);
        match operation.kind {
            Kind::Variable(index) => return Some((index, (low, high))),
            Kind::Unary { operator: Unary::ZeroExtend, a } => {
                (at, high) = (a, high.min(mask(program.width(a))));
            }
            Kind::Binary { operator: operator @ (Binary::Add | Binary::Sub), a, b } => {
                let number = program.constant(b)?;
                let number = if operator == Binary::Add { number.wrapping_neg() } else { number };
                let moved = |bound: u128| cut(bound.wrapping_add(number), operation.width);
                (at, low, high) = (a, moved(low), moved(high));
            }
            _ => return None,
        }
    }
    None
}
