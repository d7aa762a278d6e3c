//! A simpler expression has the value of the original.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use parallax_solve::{Binary, Evaluation, ExprId, Graph, Snapshot, Ternary, Unary, Variable};
use proptest::prelude::*;
use recipe::{Floats, follow, inputs, steps, value};

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_simplified_keeps_its_value(steps in steps(24), inputs in inputs()) {
        let (mut literal, mut simple) = (Graph::literal(), Graph::new());
        let before = follow(&mut literal, &steps, Floats::With);
        let after = follow(&mut simple, &steps, Floats::With);
        let values = |variable: &Variable| value(&inputs, variable);
        let mut evaluation_before = Evaluation::new(&literal, &values);
        let mut evaluation_after = Evaluation::new(&simple, &values);
        for (before, after) in before.into_iter().zip(after) {
            prop_assert_eq!(literal.width(before), simple.width(after));
            if let Ok(expected) = evaluation_before.value(before) {
                prop_assert_eq!(evaluation_after.value(after), Ok(expected));
            }
        }
    }
}

/// Compares all values of a small expression before and after simplification.
struct Pairs {
    literal: Graph,
    simple: Graph,
    pairs: Vec<(ExprId, ExprId)>,
}

type Pair = (ExprId, ExprId);

impl Pairs {
    fn new() -> Pairs {
        Pairs { literal: Graph::literal(), simple: Graph::new(), pairs: Vec::new() }
    }

    fn make(&mut self, mut build: impl FnMut(&mut Graph, usize) -> ExprId) -> Pair {
        (build(&mut self.literal, 0), build(&mut self.simple, 1))
    }

    fn binary(&mut self, operator: Binary, a: Pair, b: Pair) -> Pair {
        let (a, b) = ([a.0, a.1], [b.0, b.1]);
        self.make(|graph, side| graph.binary(operator, a[side], b[side]))
    }

    fn variable(&mut self, offset: u32) -> Pair {
        self.make(|graph, _| {
            let byte = recipe::byte(graph, offset);
            graph.extract(byte, 0, 3)
        })
    }

    fn choice(&mut self, condition: Pair, then: Pair, otherwise: Pair) -> Pair {
        let operands = [[condition.0, then.0, otherwise.0], [condition.1, then.1, otherwise.1]];
        self.make(|graph, side| {
            let [condition, then, otherwise] = operands[side];
            graph.ternary(Ternary::Ite, condition, then, otherwise)
        })
    }

    fn constant(&mut self, width: u32, value: u128) -> Pair {
        self.make(|graph, _| graph.constant(width, value))
    }

    /// `count` is the number of values that the two variables of three bits have together.
    fn check(self, count: u128) {
        for input in 0..count {
            let values = |variable: &Variable| match variable.part {
                parallax_solve::Part::Byte(0) => Some(input & 7),
                _ => Some(input >> 3),
            };
            let mut before = Evaluation::new(&self.literal, &values);
            let mut after = Evaluation::new(&self.simple, &values);
            for (literal, simple) in &self.pairs {
                let (expected, found) = (before.value(*literal), after.value(*simple));
                assert_eq!(expected, found, "{:?} {input}", self.simple.expr(*simple));
            }
        }
    }
}

fn operators() -> impl Iterator<Item = Binary> {
    let is_integer = |op: &Binary| !op.takes_floats() && *op != Binary::Concat;
    Binary::ALL.iter().copied().filter(is_integer)
}

/// Every pair of operators, with every constant of three bits on either side of each.
#[test]
fn all_small_pairs_of_operations_keep_their_value() {
    for (inner, outer) in operators().flat_map(|inner| operators().map(move |outer| (inner, outer)))
    {
        let mut pairs = Pairs::new();
        let x = pairs.variable(0);
        for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
            let first = pairs.constant(3, first);
            let right = pairs.binary(inner, x, first);
            let left = pairs.binary(inner, first, x);
            for middle in [left, right] {
                let width = pairs.simple.width(middle.1);
                let second = pairs.constant(width, second);
                let (right, left) =
                    (pairs.binary(outer, middle, second), pairs.binary(outer, second, middle));
                pairs.pairs.extend([right, left]);
            }
        }
        pairs.check(8);
    }
}

/// Comparisons and arithmetic after every way to change a width.
#[test]
fn all_operations_on_resized_values_keep_their_value() {
    for operator in operators() {
        let mut pairs = Pairs::new();
        let x = pairs.variable(0);
        for shape in shapes(&mut pairs, x) {
            let width = pairs.simple.width(shape.1);
            for value in 0..1 << width {
                let constant = pairs.constant(width, value);
                let right = pairs.binary(operator, shape, constant);
                let left = pairs.binary(operator, constant, shape);
                pairs.pairs.extend([right, left]);
            }
            for other in shapes(&mut pairs, x) {
                if pairs.simple.width(other.1) == width {
                    let both = pairs.binary(operator, shape, other);
                    pairs.pairs.push(both);
                }
            }
        }
        pairs.check(8);
    }
}

/// Values of up to six bits made from a value of three bits by arranging, scaling or choosing.
fn shapes(pairs: &mut Pairs, x: Pair) -> Vec<Pair> {
    let mut shapes = Vec::new();
    for operator in [Unary::ZeroExtend, Unary::SignExtend] {
        let wide = [x.0, x.1];
        let wide = pairs.make(|graph, side| graph.unary(operator, 6, wide[side]));
        shapes.push(wide);
        for (outer, value) in SCALES {
            let constant = pairs.constant(6, value);
            let scaled = pairs.binary(outer, wide, constant);
            shapes.push(scaled);
            let parts = [scaled.0, scaled.1];
            shapes.push(pairs.make(|graph, side| graph.extract(parts[side], 1, 4)));
        }
    }
    for value in [0, 2, 3] {
        let constant = pairs.constant(2, value);
        shapes.push(pairs.binary(Binary::Concat, x, constant));
        shapes.push(pairs.binary(Binary::Concat, constant, x));
    }
    let zero = pairs.constant(3, 0);
    let condition = pairs.binary(Binary::Eq, x, zero);
    let (then, otherwise) = (pairs.constant(5, 9), pairs.constant(5, 30));
    shapes.push(pairs.choice(condition, then, otherwise));
    shapes
}

const SCALES: [(Binary, u128); 12] = [
    (Binary::Mul, 3),
    (Binary::Mul, 5),
    (Binary::Mul, 6),
    (Binary::Mul, 8),
    (Binary::Add, 11),
    (Binary::Sub, 1),
    (Binary::Xor, 63),
    (Binary::And, 6),
    (Binary::And, 0b101),
    (Binary::Shl, 2),
    (Binary::LShr, 1),
    (Binary::AShr, 2),
];

/// Operands as a program has them: bytes, extended or not, and results computed from them.
fn operands(graph: &mut Graph) -> [ExprId; 5] {
    let (a, b) = (recipe::byte(graph, 0), recipe::byte(graph, 1));
    let zero_extended = graph.resize(a, 32);
    let sign_extended = graph.unary(Unary::SignExtend, 32, b);
    let product = graph.binary(Binary::Mul, zero_extended, sign_extended);
    let sum = graph.binary(Binary::Add, product, zero_extended);
    [zero_extended, sign_extended, product, sum, graph.constant(32, 0x1234)]
}

fn reassembled(graph: &mut Graph, whole: ExprId) -> ExprId {
    let lowest = graph.extract(whole, 0, 8);
    (1..graph.width(whole) / 8).fold(lowest, |low, index| {
        let high = graph.extract(whole, 8 * index, 8);
        graph.concat(high, low)
    })
}

/// Storing and loading a value byte by byte leaves no trace, however it was computed.
#[test]
fn bytes_of_a_value_become_the_value() {
    let mut graph = Graph::new();
    let operands = operands(&mut graph);
    for operator in Binary::ALL.iter().filter(|operator| **operator != Binary::Concat) {
        for (a, b) in operands.iter().flat_map(|a| operands.iter().map(move |b| (*a, *b))) {
            let result = graph.binary(*operator, a, b);
            let whole = graph.resize(result, 32);
            let again = reassembled(&mut graph, whole);
            let printed = |id| parallax_solve::Printer::new(&graph).print(id);
            assert_eq!(again, whole, "{} is not {}", printed(again), printed(whole));
        }
    }
}

/// Two values after the same, or nearly the same, operation; and a result with an operand again.
#[test]
fn all_operations_on_two_values_keep_their_value() {
    for (inner, outer) in operators().flat_map(|inner| operators().map(move |outer| (inner, outer)))
    {
        let mut pairs = Pairs::new();
        let (x, y) = (pairs.variable(0), pairs.variable(1));
        for value in 0..8 {
            let (first, second) = (pairs.constant(3, value), pairs.constant(3, value + 1));
            let left = pairs.binary(inner, x, first);
            for right in [pairs.binary(inner, y, first), pairs.binary(inner, y, second)] {
                let both = pairs.binary(outer, left, right);
                pairs.pairs.push(both);
            }
        }
        let both = pairs.binary(inner, x, y);
        if pairs.simple.width(both.1) == 3 {
            for other in [x, y] {
                let (right, left) =
                    (pairs.binary(outer, both, other), pairs.binary(outer, other, both));
                pairs.pairs.extend([right, left]);
            }
        }
        pairs.check(64);
    }
}

#[test]
fn choices_keep_their_value() {
    let mut pairs = Pairs::new();
    let (x, y, zero) = (pairs.variable(0), pairs.variable(1), pairs.constant(3, 0));
    let is_zero = [pairs.binary(Binary::Eq, x, zero), pairs.binary(Binary::Ne, y, zero)];
    let mut choices = vec![x, zero];
    for condition in is_zero {
        for value in 0..4 {
            let (then, otherwise) = (pairs.constant(3, value), pairs.constant(3, 7 - value));
            choices.push(pairs.choice(condition, then, otherwise));
            choices.push(pairs.choice(condition, x, otherwise));
        }
    }
    for (a, b) in choices.iter().flat_map(|a| choices.iter().map(move |b| (*a, *b))) {
        let joined = pairs.binary(Binary::Concat, a, b);
        let nested = pairs.choice(is_zero[0], a, b);
        let equal = pairs.binary(Binary::Eq, a, b);
        let nested_again = pairs.choice(is_zero[0], nested, b);
        pairs.pairs.extend([joined, nested, equal, nested_again]);
    }
    pairs.check(64);
}

/// Comparisons of floats and their opposites, with each kind of float on either side.
#[test]
fn comparisons_of_floats_keep_their_value() {
    let kinds = [f64::NAN, -f64::NAN, 0.0, -0.0, 1.5, -1.5, f64::INFINITY, 5e-324];
    let bytes: Vec<u8> = kinds.iter().flat_map(|kind| kind.to_le_bytes()).collect();
    let mut pairs = Pairs::new();
    let operands: Vec<Pair> = (0..2)
        .map(|offset| {
            let index = pairs.variable(offset);
            let index = [index.0, index.1];
            pairs.make(|graph, side| {
                let snapshot = graph.add_snapshot(Snapshot::new(0, &bytes, Vec::new()));
                let index = graph.resize(index[side], 64);
                let eight = graph.constant(64, 8);
                let address = graph.binary(Binary::Mul, index, eight);
                graph.load(snapshot, address, 64)
            })
        })
        .collect();
    for operator in Binary::ALL.iter().filter(|operator| operator.takes_floats()) {
        let result = pairs.binary(*operator, operands[0], operands[1]);
        let ids = [result.0, result.1];
        let opposite = pairs.make(|graph, side| graph.not(ids[side]));
        pairs.pairs.extend([result, opposite]);
    }
    pairs.check(64);
}
