//! How many candidates the compiled search tries each second, and what compiling costs.
//!
//! ```sh
//! cargo run --release -p parallax-solve --example search_rate
//! ```

#[path = "../tests/question/mod.rs"]
mod question;

use std::time::Instant;

use parallax_solve::{Answer, Binary, Graph, GuidedSearch, Query};
use question::{Builder, Question, questions};

/// Candidates to try where no model exists.
const CANDIDATES: u64 = 2_000_000;

fn main() {
    for letters in [4, 6, 20] {
        rate(letters);
    }
    answers();
    for operations in [100, 1000, 10_000, 19_000] {
        compile(operations);
    }
}

/// Searches for a model of an unsatisfiable query: letters whose checksum is even and odd.
fn rate(letters: u32) {
    let mut graph = Graph::new();
    let mut builder = Builder(&mut graph);
    let mut conditions = Vec::new();
    let mut hash = builder.0.constant(32, 5381);
    for offset in 0..letters {
        let byte = builder.byte(offset);
        let letter = builder.with(Binary::Sub, byte, b'a'.into());
        conditions.push(builder.with(Binary::ULt, letter, 26));
        let byte = builder.wide(offset, 32);
        hash = builder.with(Binary::Mul, hash, 33);
        hash = builder.op(Binary::Xor, hash, byte);
    }
    let square = builder.op(Binary::Mul, hash, hash);
    let end = builder.0.extract(square, 0, 16);
    conditions.push(builder.with(Binary::Eq, end, 0x1003));
    let query = Query::new(&graph, conditions);
    let start = vec![u64::from(b'a'); query.variables.len()];
    let mut search = GuidedSearch::new();
    let clock = Instant::now();
    search.distances(&graph, &query, &start);
    let compiling = clock.elapsed();
    let clock = Instant::now();
    for _ in 0..CANDIDATES / 10 {
        search.distances(&graph, &query, &start);
    }
    let alone = clock.elapsed() / (CANDIDATES / 10) as u32;
    let clock = Instant::now();
    let answer = search.solve(&graph, &query, &start, CANDIDATES);
    let seconds = clock.elapsed().as_secs_f64();
    assert_eq!(answer, Answer::Unknown);
    let each_second = search.counters().candidates as f64 / seconds;
    println!(
        "{} operations, {} conditions: compiled in {compiling:?}, {each_second:.0} candidates/s, \
         one call {alone:?}",
        query.size(),
        query.conditions.len(),
    );
}

/// Times queries like those of programs, with the compiler and without.
fn answers() {
    let mut search = GuidedSearch::new();
    for Question { name, graph, conditions } in questions() {
        let query = Query::new(&graph, conditions);
        let start = vec![u64::from(b'0'); query.variables.len()];
        let before = search.counters().candidates;
        let clock = Instant::now();
        let answer = search.solve(&graph, &query, &start, 1_000_000);
        let first = clock.elapsed();
        let candidates = search.counters().candidates - before;
        let clock = Instant::now();
        search.solve(&graph, &query, &start, 1_000_000);
        let again = clock.elapsed();
        let found = if matches!(answer, Answer::Sat(_)) { "found" } else { "NOT FOUND" };
        println!(
            "{name}: {found}, {} operations, {candidates} candidates, {first:?}, again {again:?}",
            query.size(),
        );
    }
}

/// A sum of many products.
fn compile(operations: u32) {
    let mut graph = Graph::literal();
    let mut builder = Builder(&mut graph);
    let mut sum = builder.0.constant(32, 1);
    for number in 0..operations / 3 {
        let byte = builder.wide(number % 50, 32);
        sum = builder.with(Binary::Mul, sum, u128::from(2 * number + 3));
        sum = builder.op(Binary::Xor, sum, byte);
    }
    let condition = builder.with(Binary::Eq, sum, 12_345);
    let query = Query::new(&graph, vec![condition]);
    let mut search = GuidedSearch::new();
    let start = vec![0; query.variables.len()];
    let clock = Instant::now();
    search.distances(&graph, &query, &start);
    println!("{} operations: compiled in {:?}", query.size(), clock.elapsed());
}
