//! Random expressions, as lists of steps that can be applied to any graph.

#![allow(dead_code, reason = "each test that includes this module uses a part of it")]

use parallax_solve::{Binary, ExprId, Graph, Origin, Snapshot, Ternary, Unary, Variable};
use proptest::prelude::*;

/// The numbers that determine one step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    kind: u8,
    operator: u8,
    picks: [u16; 3],
    width: u8,
    value: u64,
}

/// Which operators may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Floats {
    Without,
    With,
}

pub(crate) fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u8>(), any::<[u16; 3]>(), any::<u8>(), any::<u64>()).prop_map(
        |(kind, operator, picks, width, value)| Step { kind, operator, picks, width, value },
    );
    proptest::collection::vec(step, 1..count)
}

/// Bytes for the five variables that expressions are made of.
pub(crate) fn inputs() -> impl Strategy<Value = [u8; 5]> {
    let byte = prop_oneof![any::<u8>(), Just(0), Just(255), Just(127), Just(128), 0..4_u8];
    proptest::array::uniform5(byte)
}

/// The value that a variable has.
pub(crate) fn value(inputs: &[u8; 5], variable: &Variable) -> Option<u128> {
    match variable.part {
        parallax_solve::Part::Byte(offset) => Some(inputs[offset as usize].into()),
        parallax_solve::Part::Length => Some(inputs[4].into()),
        parallax_solve::Part::Exists => Some((inputs[3] & 1).into()),
        parallax_solve::Part::Number(_) => None,
    }
}

/// Applies the steps and returns the result of each.
pub(crate) fn follow(graph: &mut Graph, steps: &[Step], floats: Floats) -> Vec<ExprId> {
    let mut built: Vec<ExprId> = (0..4).map(|offset| byte(graph, offset)).collect();
    for step in steps {
        let next = build(graph, &built, step, floats);
        built.push(next);
    }
    built
}

pub(crate) fn byte(graph: &mut Graph, offset: u32) -> ExprId {
    graph.variable_expr(&Variable::byte(Origin::Stdin, offset))
}

const WIDTHS: [u32; 12] = [1, 8, 8, 16, 24, 32, 32, 32, 64, 64, 5, 128];

fn build(graph: &mut Graph, built: &[ExprId], step: &Step, floats: Floats) -> ExprId {
    let width = WIDTHS[usize::from(step.width) % WIDTHS.len()];
    // Recent expressions are used more, so that the result is deep.
    let pick = |index: usize| {
        let number = usize::from(step.picks[index]);
        let recent = if number.is_multiple_of(3) { built.len() } else { built.len().min(4) };
        built[built.len() - 1 - number / 3 % recent]
    };
    let (a, b, c) = (pick(0), pick(1), pick(2));
    match step.kind % 16 {
        0 => constant(graph, width, step.value),
        1 => graph.resize(a, width),
        2 => extended(graph, a, width, Unary::SignExtend),
        3 => part(graph, a, step),
        4 => joined(graph, a, b),
        5 => choice(graph, a, b, c),
        6 => funnel(graph, a, b, c, step, floats),
        7 if floats == Floats::With => float_unary(graph, a, step, width),
        8 if floats == Floats::With => float_binary(graph, a, b, step),
        7 | 8 => unary(graph, a, step),
        9 => load(graph, a, b, width, step),
        10 if step.value.is_multiple_of(3) => reassembled(graph, a),
        10 => assembled(graph, a, b, step),
        11 | 12 => binary(graph, a, b, step),
        _ => with_constant(graph, a, step),
    }
}

fn constant(graph: &mut Graph, width: u32, value: u64) -> ExprId {
    let ones = u128::MAX;
    let number = u128::from(value >> 8);
    let value = match value % 12 {
        0 => 0,
        1 => 1,
        2 => ones,
        3 => 1 << (width - 1),
        4 => !(1 << (width - 1)),
        5 => number % u128::from(width + 2),
        6 => 1 << (number % u128::from(width)),
        7 => (1 << (number % u128::from(width))) - 1,
        8 => ones << (number % u128::from(width)),
        9 => number % 256,
        10 => 3 << (number % u128::from(width)),
        _ => number,
    };
    graph.constant(width, value)
}

fn extended(graph: &mut Graph, a: ExprId, width: u32, operator: Unary) -> ExprId {
    if width <= graph.width(a) { graph.resize(a, width) } else { graph.unary(operator, width, a) }
}

fn part(graph: &mut Graph, a: ExprId, step: &Step) -> ExprId {
    let all = graph.width(a);
    let low = u32::from(step.operator) % all;
    let width = 1 + u32::from(step.width) % (all - low);
    graph.extract(a, low, width)
}

fn joined(graph: &mut Graph, a: ExprId, b: ExprId) -> ExprId {
    let fits = graph.width(a) + graph.width(b) <= 128;
    let a = if fits { a } else { graph.resize(a, 8) };
    let b = if fits { b } else { graph.resize(b, 32) };
    graph.concat(a, b)
}

fn choice(graph: &mut Graph, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
    let condition = graph.resize(a, 1);
    let c = graph.resize(c, graph.width(b));
    graph.ternary(Ternary::Ite, condition, b, c)
}

fn funnel(
    graph: &mut Graph,
    a: ExprId,
    b: ExprId,
    c: ExprId,
    step: &Step,
    floats: Floats,
) -> ExprId {
    let operator = match step.operator % 4 {
        0 => Ternary::FunnelLeft,
        1 if floats == Floats::With => Ternary::FMulAdd,
        2 => return constant_choice(graph, a, step),
        _ => Ternary::FunnelRight,
    };
    let width = if operator == Ternary::FMulAdd { float_width(step) } else { graph.width(a) };
    let a = graph.resize(a, width);
    let b = graph.resize(b, width);
    let c = if step.value.is_multiple_of(2) {
        constant(graph, width, step.value >> 1)
    } else {
        graph.resize(c, width)
    };
    graph.ternary(operator, a, b, c)
}

fn constant_choice(graph: &mut Graph, a: ExprId, step: &Step) -> ExprId {
    let condition = graph.resize(a, 1);
    let width = WIDTHS[usize::from(step.width) % WIDTHS.len()];
    let then = constant(graph, width, step.value & 0xffff);
    let otherwise = constant(graph, width, step.value >> 16);
    graph.ternary(Ternary::Ite, condition, then, otherwise)
}

fn unary(graph: &mut Graph, a: ExprId, step: &Step) -> ExprId {
    use Unary::*;
    let all = [PopCount, LeadingZeros, TrailingZeros, ByteSwap, BitReverse, Abs];
    let operator = all[usize::from(step.operator) % all.len()];
    let width = graph.width(a).next_multiple_of(8);
    let a = if operator == ByteSwap { graph.resize(a, width) } else { a };
    graph.unary(operator, graph.width(a), a)
}

fn float_width(step: &Step) -> u32 {
    if step.width.is_multiple_of(2) { 32 } else { 64 }
}

/// An operand for a float operation: mostly a small number, sometimes a pattern of its own.
fn float_operand(graph: &mut Graph, a: ExprId, width: u32, step: &Step) -> ExprId {
    match step.value % 4 {
        0 => graph.resize(a, width),
        1 => {
            let patterns = [f64::INFINITY, -0.0, 0.5, 1e300, 1e-310, 2.5, -1.0, f64::NAN];
            let value = patterns[(step.value >> 4) as usize % patterns.len()];
            let bits =
                if width == 32 { (value as f32).to_bits().into() } else { value.to_bits().into() };
            graph.constant(width, bits)
        }
        _ => graph.unary(Unary::FFromSigned, width, a),
    }
}

fn float_unary(graph: &mut Graph, a: ExprId, step: &Step, width: u32) -> ExprId {
    let from = float_width(step);
    let operators: Vec<Unary> =
        Unary::ALL.iter().copied().filter(|op| op.takes_float() || op.gives_float()).collect();
    let operator = operators[usize::from(step.operator) % operators.len()];
    let to = match operator {
        Unary::FResize => 96 - from,
        Unary::FToSigned | Unary::FToUnsigned => width,
        _ => from,
    };
    let a = if operator.takes_float() { float_operand(graph, a, from, step) } else { a };
    graph.unary(operator, to, a)
}

fn float_binary(graph: &mut Graph, a: ExprId, b: ExprId, step: &Step) -> ExprId {
    let operators: Vec<Binary> =
        Binary::ALL.iter().copied().filter(|op| op.takes_floats()).collect();
    let operator = operators[usize::from(step.operator) % operators.len()];
    let width = float_width(step);
    let a = if graph.width(a) == width { a } else { float_operand(graph, a, width, step) };
    let other = Step { value: step.value >> 8, ..step.clone() };
    let b = if graph.width(b) == width { b } else { float_operand(graph, b, width, &other) };
    let condition = graph.binary(operator, a, b);
    if operator.is_predicate() && step.value.is_multiple_of(3) {
        return graph.not(condition);
    }
    condition
}

/// A load from a small table with some symbolic bytes, at an address that is mostly inside.
fn load(graph: &mut Graph, a: ExprId, b: ExprId, width: u32, step: &Step) -> ExprId {
    let cell = graph.resize(b, 8);
    let bytes: Vec<u8> = (0..24).map(|index| (step.value >> (index % 8)) as u8).collect();
    let snapshot = graph.add_snapshot(Snapshot::new(0x4000, &bytes, vec![(1, cell), (18, cell)]));
    let index = graph.resize(a, 3);
    let index = graph.resize(index, 64);
    let size = graph.constant(64, u128::from(step.operator % 4));
    let scaled = graph.binary(Binary::Mul, index, size);
    let base = graph.constant(64, 0x4000);
    let address = graph.binary(Binary::Add, scaled, base);
    graph.load(snapshot, address, width.min(64))
}

/// The idiom `high << k | low`.
fn assembled(graph: &mut Graph, a: ExprId, b: ExprId, step: &Step) -> ExprId {
    let width = 16 << (step.width % 3);
    let a = graph.resize(a, if step.operator.is_multiple_of(2) { 8 } else { width });
    let a = graph.resize(a, width);
    let b = graph.resize(b, 8);
    let b = graph.resize(b, width);
    let by = graph.constant(width, [8, 8, 16, 3][usize::from(step.operator) % 4]);
    let high = graph.binary(Binary::Shl, a, by);
    let operator = [Binary::Or, Binary::Add, Binary::Xor][(step.value % 3) as usize];
    graph.binary(operator, high, b)
}

/// A value stored and loaded byte by byte.
fn reassembled(graph: &mut Graph, a: ExprId) -> ExprId {
    let width = graph.width(a).next_multiple_of(8);
    let whole = graph.resize(a, width);
    let lowest = graph.extract(whole, 0, 8);
    (1..width / 8).fold(lowest, |low, index| {
        let high = graph.extract(whole, 8 * index, 8);
        graph.concat(high, low)
    })
}

fn integer_operator(step: &Step) -> Binary {
    let is_integer = |op: &Binary| !op.takes_floats() && *op != Binary::Concat;
    let operators: Vec<Binary> = Binary::ALL.iter().copied().filter(is_integer).collect();
    operators[usize::from(step.operator) % operators.len()]
}

fn binary(graph: &mut Graph, a: ExprId, b: ExprId, step: &Step) -> ExprId {
    let extension =
        if step.value.is_multiple_of(2) { Unary::SignExtend } else { Unary::ZeroExtend };
    let b = extended(graph, b, graph.width(a), extension);
    graph.binary(integer_operator(step), a, b)
}

fn with_constant(graph: &mut Graph, a: ExprId, step: &Step) -> ExprId {
    let number = constant(graph, graph.width(a), step.value);
    if step.width.is_multiple_of(4) {
        graph.binary(integer_operator(step), number, a)
    } else {
        graph.binary(integer_operator(step), a, number)
    }
}
