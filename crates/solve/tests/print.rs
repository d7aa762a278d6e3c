//! The printed form of expressions.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use parallax_solve::{Binary, ExprId, Graph, Origin, Part, Printer, Ternary, Unary, Variable};
use proptest::prelude::*;
use recipe::{Floats, follow, steps};

/// A graph with short names for what the tests build.
#[derive(Default)]
struct Sketch {
    graph: Graph,
}

impl Sketch {
    fn byte(&mut self, offset: u32) -> ExprId {
        recipe::byte(&mut self.graph, offset)
    }

    fn int(&mut self, offset: u32) -> ExprId {
        let byte = self.byte(offset);
        self.graph.resize(byte, 32)
    }

    fn with(&mut self, operator: Binary, a: ExprId, constant: i128) -> ExprId {
        let constant = self.graph.constant(self.graph.width(a), constant as u128);
        self.graph.binary(operator, a, constant)
    }
}

fn check(build: impl FnOnce(&mut Sketch) -> ExprId, expected: &str) {
    let mut sketch = Sketch::default();
    let root = build(&mut sketch);
    assert_eq!(Printer::new(&sketch.graph).print(root), expected);
}

#[test]
fn a_byte_is_compared_with_a_character() {
    check(
        |sketch| {
            let variable = Variable::byte(Origin::Argument(1), 0);
            let byte = sketch.graph.variable_expr(&variable);
            let wide = sketch.graph.unary(Unary::SignExtend, 32, byte);
            sketch.with(Binary::Eq, wide, i128::from(b'x'))
        },
        "arg[1][0] == 'x'",
    );
    check(
        |s| {
            let a = s.byte(0);
            s.with(Binary::Ne, a, 10)
        },
        r"stdin[0] != '\n'",
    );
    check(
        |s| {
            let a = s.byte(0);
            s.with(Binary::Eq, a, 200)
        },
        "stdin[0] == 200",
    );
    check(
        |s| {
            let a = s.byte(0);
            s.with(Binary::Eq, a, 0)
        },
        "stdin[0] == 0",
    );
}

#[test]
fn a_parsed_number_reads_as_one() {
    check(
        |sketch| {
            let (tens, ones) = (sketch.int(3), sketch.int(4));
            let tens = sketch.with(Binary::Mul, tens, 10);
            let ones = sketch.with(Binary::Sub, ones, 48);
            let sum = sketch.graph.binary(Binary::Add, tens, ones);
            sketch.with(Binary::SLt, sum, 601)
        },
        "stdin[3] * 10 + stdin[4] - 48 < 601",
    );
}

#[test]
fn constants_are_on_the_right() {
    check(
        |sketch| {
            let zero = sketch.graph.constant(8, u128::from(b'0'));
            let byte = sketch.byte(0);
            sketch.graph.binary(Binary::ULe, zero, byte)
        },
        "stdin[0] >=u '0'",
    );
}

#[test]
fn parentheses_are_where_they_are_needed() {
    check(
        |sketch| {
            let (a, b) = (sketch.int(0), sketch.int(1));
            let sum = sketch.graph.binary(Binary::Add, a, b);
            let product = sketch.graph.binary(Binary::Mul, sum, sum);
            let rest = sketch.graph.binary(Binary::SRem, product, a);
            let bits = sketch.with(Binary::And, rest, 0b1010);
            sketch.with(Binary::Eq, bits, 2)
        },
        "((stdin[0] + stdin[1]) * (stdin[0] + stdin[1]) % stdin[0] & 0xa) == 2",
    );
}

#[test]
fn differences_keep_their_order() {
    check(
        |sketch| {
            let (a, b, c) = (sketch.int(0), sketch.int(1), sketch.int(2));
            let inner = sketch.graph.binary(Binary::Sub, b, c);
            sketch.graph.binary(Binary::Sub, a, inner)
        },
        "stdin[0] - (stdin[1] - stdin[2])",
    );
}

#[test]
fn widths_are_said_where_they_matter() {
    check(
        |sketch| {
            let byte = sketch.byte(0);
            let digit = sketch.with(Binary::Sub, byte, 48);
            sketch.with(Binary::ULe, digit, 9)
        },
        "i8(stdin[0] - 48) <=u 9",
    );
    check(
        |sketch| {
            let (a, b) = (sketch.int(0), sketch.int(1));
            let sum = sketch.graph.binary(Binary::Mul, a, b);
            let wide = sketch.graph.unary(Unary::SignExtend, 64, sum);
            sketch.with(Binary::Add, wide, 1)
        },
        "(i64)(stdin[0] * stdin[1]) + 1",
    );
}

#[test]
fn bytes_in_a_row_are_a_range() {
    let parse = |sketch: &mut Sketch, order: [u32; 4]| {
        let bytes = order.map(|offset| sketch.int(offset));
        let by = |sketch: &mut Sketch, id, by| sketch.with(Binary::Shl, id, by);
        let (b, c, d) =
            (by(sketch, bytes[1], 8), by(sketch, bytes[2], 16), by(sketch, bytes[3], 24));
        let sum = sketch.graph.binary(Binary::Or, bytes[0], b);
        let sum = sketch.graph.binary(Binary::Or, sum, c);
        let sum = sketch.graph.binary(Binary::Or, sum, d);
        sketch.with(Binary::Eq, sum, 0x7f454c46)
    };
    check(|sketch| parse(sketch, [4, 5, 6, 7]), "stdin[4..8] == 2135247942");
    check(|sketch| parse(sketch, [3, 2, 1, 0]), "be(stdin[0..4]) == 2135247942");
}

#[test]
fn shifts_and_masks_look_like_themselves() {
    check(
        |sketch| {
            let (a, b) = (sketch.int(0), sketch.int(1));
            let product = sketch.graph.binary(Binary::Mul, a, b);
            let right = sketch.with(Binary::LShr, product, 3);
            let left = sketch.with(Binary::Shl, product, 4);
            sketch.graph.binary(Binary::Xor, left, right)
        },
        "stdin[0] * stdin[1] << 4 ^ stdin[0] * stdin[1] >>u 3",
    );
    check(
        |sketch| {
            let (a, b) = (sketch.int(0), sketch.int(1));
            let product = sketch.graph.binary(Binary::Mul, a, b);
            sketch.with(Binary::And, product, 0x7f0)
        },
        "stdin[0] * stdin[1] & 0x7f0",
    );
}

#[test]
fn conditions_are_logical() {
    check(
        |sketch| {
            let argc = Variable { origin: Origin::Count, part: Part::Length };
            let argc = sketch.graph.variable_expr(&argc);
            let file = Origin::File((*b"x").into());
            let exists = Variable { origin: file, part: Part::Exists };
            let exists = sketch.graph.variable_expr(&exists);
            let few = sketch.with(Binary::SLt, argc, 3);
            let missing = sketch.graph.not(exists);
            let both = sketch.graph.binary(Binary::And, few, missing);
            let (one, two) = (sketch.graph.constant(32, 1), sketch.graph.constant(32, 2));
            sketch.graph.ternary(Ternary::Ite, both, one, two)
        },
        "argc < 3 && !file:x.exists ? 1 : 2",
    );
}

#[test]
fn floats_have_operators_of_their_own() {
    check(
        |sketch| {
            let byte = sketch.byte(0);
            let x = sketch.graph.unary(Unary::FFromSigned, 64, byte);
            let half = sketch.graph.constant(64, f64::to_bits(0.5).into());
            let product = sketch.graph.binary(Binary::FMul, x, half);
            let less = sketch.graph.binary(Binary::FOLt, product, half);
            sketch.graph.not(less)
        },
        "!(f64_of_i8(stdin[0]) *f 0.5 <f 0.5)",
    );
}

#[test]
fn what_is_large_and_shared_is_named() {
    let mut sketch = Sketch::default();
    let mut value = sketch.int(0);
    for offset in 1..5 {
        let next = sketch.int(offset);
        let sum = sketch.graph.binary(Binary::Add, value, next);
        value = sketch.graph.binary(Binary::Mul, sum, sum);
    }
    let printed = Printer::with_limit(&sketch.graph, 40).print(value);
    let expected = "t1 = stdin[0] + stdin[1]\nt2 = t1 * t1 + stdin[2]\nt3 = t2 * t2 + stdin[3]\n\
                    t4 = t3 * t3 + stdin[4]\nt4 * t4";
    assert_eq!(printed, expected);
}

#[test]
fn what_is_deep_is_cut() {
    let mut sketch = Sketch::default();
    let mut value = sketch.int(0);
    for offset in 0..100_000 {
        let next = sketch.int(offset % 4);
        let product = sketch.with(Binary::Mul, value, 31);
        value = sketch.graph.binary(Binary::Add, product, next);
    }
    let printed = Printer::with_limit(&sketch.graph, 12).print(value);
    assert!(printed.contains('…') && printed.len() < 200, "{printed}");
}

proptest! {
    #[test]
    fn whatever_is_printed_is_short(steps in steps(60)) {
        for mut graph in [Graph::new(), Graph::literal()] {
            for root in follow(&mut graph, &steps, Floats::With) {
                let printed = Printer::with_limit(&graph, 30).print(root);
                prop_assert!(printed.len() < 6000, "{}", printed);
                let code = printed.replace("'('", "").replace("')'", "");
                prop_assert_eq!(code.matches('(').count(), code.matches(')').count());
            }
        }
    }
}
