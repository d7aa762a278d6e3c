//! Satisfiable queries of the kinds that programs pose.

#![allow(dead_code, reason = "each test that includes this module uses a part of it")]

use parallax_solve::{Binary, ExprId, Graph, Origin, Part, Snapshot, Ternary, Unary, Variable};

/// Conditions that can hold together.
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) graph: Graph,
    pub(crate) conditions: Vec<ExprId>,
}

/// A graph with a few abbreviations.
pub(crate) struct Builder<'g>(pub(crate) &'g mut Graph);

impl Builder<'_> {
    pub(crate) fn byte(&mut self, offset: u32) -> ExprId {
        self.0.variable_expr(&Variable::byte(Origin::Stdin, offset))
    }

    /// A byte as a number of a width.
    pub(crate) fn wide(&mut self, offset: u32, width: u32) -> ExprId {
        let byte = self.byte(offset);
        self.0.resize(byte, width)
    }

    fn length(&mut self) -> ExprId {
        self.0.variable_expr(&Variable { origin: Origin::Stdin, part: Part::Length })
    }

    pub(crate) fn with(&mut self, operator: Binary, a: ExprId, constant: u128) -> ExprId {
        let constant = self.0.constant(self.0.width(a), constant);
        self.0.binary(operator, a, constant)
    }

    pub(crate) fn op(&mut self, operator: Binary, a: ExprId, b: ExprId) -> ExprId {
        self.0.binary(operator, a, b)
    }

    /// Bytes as a little-endian number.
    fn word(&mut self, first: u32, count: u32) -> ExprId {
        let lowest = self.byte(first);
        (1..count).fold(lowest, |low, index| {
            let high = self.byte(first + index);
            self.0.concat(high, low)
        })
    }

    /// The number that decimal digits stand for, and that they are digits.
    pub(crate) fn decimal(&mut self, count: u32, conditions: &mut Vec<ExprId>) -> ExprId {
        let mut number = self.0.constant(32, 0);
        for offset in 0..count {
            let byte = self.byte(offset);
            let digit = self.with(Binary::Sub, byte, b'0'.into());
            conditions.push(self.with(Binary::ULt, digit, 10));
            let digit = self.wide(offset, 32);
            let digit = self.with(Binary::Sub, digit, b'0'.into());
            number = self.with(Binary::Mul, number, 10);
            number = self.op(Binary::Add, number, digit);
        }
        number
    }
}

type Ask = fn(&mut Builder, &mut Vec<ExprId>);

/// All questions.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(crate) fn questions() -> Vec<Question> {
    let asked: &[(&'static str, Ask)] = &[
        ("little-endian magic", |b, c| {
            let word = b.word(0, 4);
            c.push(b.with(Binary::Eq, word, 0xcafe_babe));
        }),
        ("magic assembled by shifts", |b, c| {
            let mut word = b.wide(0, 32);
            for offset in 1..4 {
                word = b.with(Binary::Shl, word, 8);
                let byte = b.wide(offset, 32);
                word = b.op(Binary::Or, word, byte);
            }
            c.push(b.with(Binary::Eq, word, 0x8950_4e47));
        }),
        ("three digits", |b, c| {
            let number = b.decimal(3, c);
            c.push(b.with(Binary::Eq, number, 601));
        }),
        ("nine digits", |b, c| {
            let number = b.decimal(9, c);
            c.push(b.with(Binary::Eq, number, 123_456_789));
        }),
        ("four digits in a narrow interval", |b, c| {
            let number = b.decimal(4, c);
            c.push(b.with(Binary::SLt, number, 2000));
            let least = b.0.constant(32, 1994);
            c.push(b.op(Binary::SLt, least, number));
        }),
        ("sum of bytes", |b, c| {
            let mut sum = b.wide(0, 32);
            for offset in 1..4 {
                let byte = b.wide(offset, 32);
                sum = b.op(Binary::Add, sum, byte);
            }
            c.push(b.with(Binary::Eq, sum, 700));
        }),
        ("square", |b, c| {
            let word = b.word(0, 2);
            let square = b.op(Binary::Mul, word, word);
            c.push(b.with(Binary::Eq, square, 1521));
        }),
        ("two words between each other", |b, c| {
            let (one, other) = (b.word(0, 2), b.word(2, 2));
            c.push(b.op(Binary::ULt, one, other));
            let more = b.with(Binary::Add, one, 3);
            c.push(b.op(Binary::ULt, other, more));
            let sum = b.op(Binary::Add, one, other);
            c.push(b.with(Binary::Eq, sum, 0x1235));
        }),
        ("checksum of six letters", |b, c| {
            let mut hash = b.0.constant(32, 5381);
            for offset in 0..6 {
                let byte = b.byte(offset);
                let letter = b.with(Binary::Sub, byte, b'0'.into());
                c.push(b.with(Binary::ULt, letter, 75));
                let byte = b.wide(offset, 32);
                hash = b.with(Binary::Mul, hash, 33);
                hash = b.op(Binary::Add, hash, byte);
            }
            let low = b.0.extract(hash, 0, 16);
            c.push(b.with(Binary::Eq, low, 0xbeef));
        }),
        ("float out of digits", |b, c| {
            let number = b.decimal(3, c);
            let float = b.0.unary(Unary::FFromSigned, 64, number);
            let quarter = b.with(Binary::FDiv, float, 4_f64.to_bits().into());
            let least = b.0.constant(64, 99.9_f64.to_bits().into());
            c.push(b.op(Binary::FOLt, least, quarter));
            c.push(b.with(Binary::FOLt, quarter, 100.3_f64.to_bits().into()));
        }),
        ("inverse of a table", |b, c| {
            let table: Vec<u8> =
                (0..=255_u8).map(|i| i.wrapping_mul(167).rotate_left(3) ^ 0x5a).collect();
            let table = b.0.add_snapshot(Snapshot::new(0x7000, &table, Vec::new()));
            for (offset, expected) in [(0, 0x11), (1, 0xe3), (2, 0x42)] {
                let index = b.wide(offset, 64);
                let address = b.with(Binary::Add, index, 0x7000);
                let load = b.0.load(table, address, 8);
                c.push(b.with(Binary::Eq, load, expected));
            }
        }),
        ("sum over a table of words", |b, c| {
            let table: Vec<u8> = (0..256_u32).flat_map(|i| (i * i * 7 + 3).to_le_bytes()).collect();
            let table = b.0.add_snapshot(Snapshot::new(0x7000, &table, Vec::new()));
            let mut sum = b.0.constant(32, 0);
            for offset in 0..2 {
                let index = b.wide(offset, 64);
                let index = b.with(Binary::Mul, index, 4);
                let address = b.with(Binary::Add, index, 0x7000);
                let load = b.0.load(table, address, 32);
                sum = b.op(Binary::Add, sum, load);
            }
            c.push(b.with(Binary::Eq, sum, (50 * 50 + 120 * 120) * 7 + 6));
        }),
        ("string", |b, c| {
            for (offset, letter) in b"password".iter().enumerate() {
                let byte = b.byte(offset as u32);
                c.push(b.with(Binary::Eq, byte, (*letter).into()));
            }
        }),
        ("length in an interval", |b, c| {
            let length = b.length();
            let least = b.0.constant(64, 100_000);
            c.push(b.op(Binary::ULt, least, length));
            c.push(b.with(Binary::ULt, length, 100_004));
            let part = b.with(Binary::URem, length, 4);
            c.push(b.with(Binary::Eq, part, 3));
        }),
        ("remainder and quotient", |b, c| {
            let word = b.word(0, 4);
            let part = b.with(Binary::URem, word, 97);
            c.push(b.with(Binary::Eq, part, 13));
            let whole = b.with(Binary::UDiv, word, 1000);
            c.push(b.with(Binary::Eq, whole, 54_321));
        }),
        ("population", |b, c| {
            let word = b.word(0, 4);
            let count = b.0.unary(Unary::PopCount, 32, word);
            c.push(b.with(Binary::Eq, count, 20));
            let low = b.0.extract(word, 0, 8);
            c.push(b.with(Binary::Eq, low, 0x10));
        }),
        ("rotation", |b, c| {
            let word = b.word(0, 4);
            let by = b.0.constant(32, 7);
            let turned = b.0.ternary(Ternary::FunnelLeft, word, word, by);
            let mixed = b.with(Binary::Xor, turned, 0x1234_5678);
            let mixed = b.with(Binary::Mul, mixed, 0x9e37_79b1);
            c.push(b.with(Binary::Eq, mixed, 0xdead_beef));
        }),
        ("one of two", |b, c| {
            let (one, other) = (b.byte(0), b.byte(1));
            let (one, other) = (b.with(Binary::Eq, one, 1), b.with(Binary::Eq, other, 77));
            let both = b.op(Binary::Xor, one, other);
            c.push(both);
            let either = b.op(Binary::And, one, other);
            c.push(b.0.not(either));
        }),
        ("choice", |b, c| {
            let (one, other, third) = (b.byte(0), b.wide(1, 16), b.wide(2, 16));
            let condition = b.with(Binary::ULt, one, 200);
            let other = b.with(Binary::Mul, other, 2);
            let chosen = b.0.ternary(Ternary::Ite, condition, other, third);
            c.push(b.with(Binary::Eq, chosen, 43));
        }),
        ("letters of either case", |b, c| {
            for (offset, letter) in b"HELLO".iter().enumerate() {
                let byte = b.byte(offset as u32);
                let shifted = b.with(Binary::Sub, byte, b'a'.into());
                let is_small = b.with(Binary::ULt, shifted, 26);
                let large = b.with(Binary::Sub, byte, 32);
                let large = b.0.ternary(Ternary::Ite, is_small, large, byte);
                c.push(b.with(Binary::Eq, large, (*letter).into()));
                c.push(is_small);
            }
        }),
        ("negative number", |b, c| {
            let word = b.word(0, 4);
            c.push(b.with(Binary::SLt, word, (-70_000_i128) as u128));
            let least = b.0.constant(32, (-70_005_i128) as u128);
            c.push(b.op(Binary::SLt, least, word));
            let odd = b.0.extract(word, 0, 1);
            c.push(odd);
        }),
        ("product of 128 bits", |b, c| {
            let (one, other) = (b.word(0, 8), b.word(8, 8));
            let (one, other) = (b.0.resize(one, 128), b.0.resize(other, 128));
            let product = b.op(Binary::Mul, one, other);
            let high = b.0.extract(product, 64, 64);
            c.push(b.with(Binary::Eq, high, 0x1122_3344_5566));
        }),
        ("bits shared and not", |b, c| {
            let (one, other) = (b.byte(0), b.byte(1));
            let (different, shared) =
                (b.op(Binary::Xor, one, other), b.op(Binary::And, one, other));
            c.push(b.with(Binary::Eq, different, 0x55));
            c.push(b.with(Binary::Eq, shared, 0x8a));
        }),
        ("byte of the input at a place in the input", |b, c| {
            let cells: Vec<(u32, ExprId)> = (0..8).map(|i| (i, b.byte(1 + i))).collect();
            let table = b.0.add_snapshot(Snapshot::new(0x100, &[0; 8], cells));
            let index = b.wide(0, 64);
            let address = b.with(Binary::Add, index, 0x100);
            let load = b.0.load(table, address, 16);
            c.push(b.with(Binary::Eq, load, 0x4142));
            c.push(b.with(Binary::ULt, index, 7));
        }),
        ("fields that depend on each other", |b, c| {
            let (size, width, height) = (b.word(0, 2), b.word(2, 2), b.word(4, 2));
            let area = b.op(Binary::Mul, width, height);
            c.push(b.op(Binary::Eq, size, area));
            let least = b.0.constant(16, 20);
            c.push(b.op(Binary::ULt, least, width));
            c.push(b.op(Binary::ULt, width, height));
            c.push(b.with(Binary::ULt, height, 100));
            let part = b.with(Binary::URem, size, 256);
            c.push(b.with(Binary::Eq, part, 0xd4));
        }),
    ];
    let question = |(name, ask): &(&'static str, Ask)| {
        let (mut graph, mut conditions) = (Graph::new(), Vec::new());
        ask(&mut Builder(&mut graph), &mut conditions);
        Question { name, graph, conditions }
    };
    asked.iter().map(question).collect()
}

/// A square that ends in two ones in binary, which is unsatisfiable. The graph must be empty.
pub(crate) fn impossible(graph: &mut Graph) -> Question {
    let mut builder = Builder(graph);
    let word = builder.word(0, 4);
    let square = builder.op(Binary::Mul, word, word);
    let end = builder.0.extract(square, 0, 2);
    let condition = builder.with(Binary::Eq, end, 3);
    Question { name: "impossible", graph: Graph::new(), conditions: vec![condition] }
}
