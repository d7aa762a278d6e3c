//! How fast solvers answer: `cargo run --release --example smt_rate [COMMAND OF A SOLVER]`.

use std::time::{Duration, Instant};

use parallax_solve::{
    Answer, Backend, Binary, ExprId, Graph, Origin, Query, Snapshot, SolverProgram, Variable, Work,
    Z3,
};

fn main() {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let mut backend: Box<dyn Backend> = if command.is_empty() {
        Box::new(Z3::new())
    } else {
        Box::new(SolverProgram::new(&command.join(" ")).with_time(Duration::from_secs(60)))
    };
    let squares: Vec<u32> = (0..256).map(|index| index * index * 77 + 7).collect();
    measure("ten conditions on bytes", &mut *backend, byte_conditions);
    measure("a decimal number", &mut *backend, decimal);
    measure("a word compared", &mut *backend, word);
    measure("one look-up in squares", &mut *backend, |graph, round| {
        look_ups(graph, &squares, 1, round)
    });
    measure("four look-ups in squares", &mut *backend, |graph, round| {
        look_ups(graph, &squares, 4, round)
    });
    measure("crc32 of one byte", &mut *backend, |graph, round| crc(graph, 1, round));
    measure("crc32 of four bytes", &mut *backend, |graph, round| crc(graph, 4, round));
    measure("crc32 of sixteen bytes", &mut *backend, |graph, round| crc(graph, 16, round));
    measure("a product", &mut *backend, product);
}

/// Repeats a query for two seconds and prints the rate.
fn measure(
    name: &str,
    backend: &mut dyn Backend,
    mut build: impl FnMut(&mut Graph, u32) -> Vec<ExprId>,
) {
    let (mut asking, mut counts) = (Duration::ZERO, [0_u32; 3]);
    let mut graph = Graph::new();
    for round in 0.. {
        let conditions = build(&mut graph, round);
        let query = Query::new(&graph, conditions);
        let start = Instant::now();
        let answer = backend.solve(&graph, &query, Work(50_000_000));
        asking += start.elapsed();
        counts[match answer {
            Answer::Sat(_) => 0,
            Answer::Unsat => 1,
            Answer::Unknown => 2,
        }] += 1;
        if asking > Duration::from_secs(2) {
            break;
        }
    }
    let rate = f64::from(counts.iter().sum::<u32>()) / asking.as_secs_f64();
    println!(
        "{name:28} {rate:9.1}/s  sat {}, unsat {}, unknown {}",
        counts[0], counts[1], counts[2]
    );
}

fn byte(graph: &mut Graph, offset: u32) -> ExprId {
    graph.variable_expr(&Variable::byte(Origin::Stdin, offset))
}

fn number(graph: &mut Graph, width: u32, value: u32) -> ExprId {
    graph.constant(width, value.into())
}

/// Conditions of a parser on its characters.
fn byte_conditions(graph: &mut Graph, round: u32) -> Vec<ExprId> {
    let mut conditions = Vec::new();
    for offset in 0..5 {
        let character = byte(graph, offset);
        let (low, high) = (number(graph, 8, 48 + round % 7), number(graph, 8, 58 + round % 5));
        conditions.push(graph.binary(Binary::ULe, low, character));
        let operator = if offset % 2 == 0 { Binary::ULt } else { Binary::Ne };
        conditions.push(graph.binary(operator, character, high));
    }
    conditions
}

/// Condition that `atoi` of three digits is a certain number.
fn decimal(graph: &mut Graph, round: u32) -> Vec<ExprId> {
    let mut conditions = Vec::new();
    let mut sum = number(graph, 32, 0);
    for offset in 0..3 {
        let digit = byte(graph, offset);
        let (low, high) = (number(graph, 8, 48), number(graph, 8, 57));
        conditions.push(graph.binary(Binary::ULe, low, digit));
        conditions.push(graph.binary(Binary::ULe, digit, high));
        let (ten, wide) = (number(graph, 32, 10), graph.resize(digit, 32));
        let zero = number(graph, 32, 48);
        let value = graph.binary(Binary::Sub, wide, zero);
        sum = graph.binary(Binary::Mul, sum, ten);
        sum = graph.binary(Binary::Add, sum, value);
    }
    let expected = number(graph, 32, round % 1100);
    conditions.push(graph.binary(Binary::Eq, sum, expected));
    conditions
}

fn word(graph: &mut Graph, round: u32) -> Vec<ExprId> {
    let bytes: Vec<ExprId> = (0..4).map(|offset| byte(graph, offset)).collect();
    let joined = bytes[1..].iter().fold(bytes[0], |low, high| graph.concat(*high, low));
    let least = number(graph, 32, 0x1000 + round);
    let most = number(graph, 32, 0x1200 + round);
    vec![graph.binary(Binary::SLt, least, joined), graph.binary(Binary::SLt, joined, most)]
}

fn entry(graph: &mut Graph, entries: &[u32], index: ExprId) -> ExprId {
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let snapshot = graph.add_snapshot(Snapshot::new(0x5555_0010, &bytes, vec![]));
    let index = graph.resize(index, 64);
    let four = number(graph, 64, 4);
    let offset = graph.binary(Binary::Mul, index, four);
    let start = number(graph, 64, 0x5555_0010);
    let address = graph.binary(Binary::Add, start, offset);
    graph.load(snapshot, address, 32)
}

/// The sum of some entries of a table without structure.
fn look_ups(graph: &mut Graph, entries: &[u32], count: u32, round: u32) -> Vec<ExprId> {
    let mut sum = number(graph, 32, 0);
    let mut expected = 0_u32;
    for offset in 0..count {
        let index = byte(graph, offset);
        let found = entry(graph, entries, index);
        sum = graph.binary(Binary::Add, sum, found);
        expected += entries[((round + 1) * (offset + 3) * 7 % 256) as usize];
    }
    let expected = number(graph, 32, expected);
    vec![graph.binary(Binary::Eq, sum, expected)]
}

fn crc_step(crc: u32) -> u32 {
    if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
}

fn crc(graph: &mut Graph, count: u32, round: u32) -> Vec<ExprId> {
    let entries: Vec<u32> = (0..256).map(|i| (0..8).fold(i, |crc, _| crc_step(crc))).collect();
    let mut state = number(graph, 32, u32::MAX);
    let mut concrete = u32::MAX;
    for offset in 0..count {
        let (next, low) = (byte(graph, offset), graph.extract(state, 0, 8));
        let index = graph.binary(Binary::Xor, next, low);
        let found = entry(graph, &entries, index);
        let eight = number(graph, 32, 8);
        let rest = graph.binary(Binary::LShr, state, eight);
        state = graph.binary(Binary::Xor, rest, found);
        let input = (round * 31 + offset * 77) as u8;
        concrete = entries[usize::from(input ^ concrete as u8)] ^ concrete >> 8;
    }
    let expected = number(graph, 32, concrete);
    vec![graph.binary(Binary::Eq, state, expected)]
}

/// Two factors of twelve bits.
fn product(graph: &mut Graph, round: u32) -> Vec<ExprId> {
    let bytes: Vec<ExprId> = (0..4).map(|offset| byte(graph, offset)).collect();
    let (one, other) = (graph.concat(bytes[1], bytes[0]), graph.concat(bytes[3], bytes[2]));
    let (one, other) = (graph.extract(one, 0, 12), graph.extract(other, 0, 12));
    let (one, other) = (graph.resize(one, 32), graph.resize(other, 32));
    let product = graph.binary(Binary::Mul, one, other);
    let expected = number(graph, 32, (1500 + round) * (2600 + 3 * round));
    vec![graph.binary(Binary::Eq, product, expected)]
}
