//! Deduction is sound: it never rejects conditions that hold, or that Z3 finds a model for.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod question;
mod recipe;

use std::time::Duration;

use parallax_solve::{
    Answer, Backend, Binary, ExprId, Graph, GuidedSearch, Origin, Part, Query, Snapshot, Variable,
    Work, Z3,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use question::Builder;
use recipe::{Floats, Step, follow, inputs, steps, value};

/// Candidates of a guess.
const LIMIT: u64 = 300;

fn length(graph: &mut Graph) -> ExprId {
    graph.variable_expr(&Variable { origin: Origin::Stdin, part: Part::Length })
}

/// Conditions on expressions from random steps, all of which hold for the inputs; the numbers
/// choose among them.
fn conditions(
    graph: &mut Graph,
    steps: &[Step],
    now: &[u8; 5],
    numbers: &mut impl Iterator<Item = u64>,
) -> Vec<ExprId> {
    let mut built = follow(graph, steps, Floats::Without);
    let size = length(graph);
    let last = graph.resize(*built.last().unwrap(), 64);
    built.push(size);
    built.push(graph.binary(Binary::Add, size, last));
    built.push(graph.binary(Binary::Sub, last, size));
    let values = |name: &Variable| value(now, name);
    let mut found = Vec::new();
    for number in numbers.take(6) {
        let pick = |by: u64| built[(number >> by) as usize % built.len()];
        let (a, other) = (pick(0), pick(16));
        let Ok(here) = graph.evaluate(a, &values) else { continue };
        let width = graph.width(a);
        let b = match number >> 32 & 3 {
            0 if graph.width(other) == width => other,
            1 => graph.constant(width, here),
            2 => graph.constant(width, here.wrapping_add(u128::from(number >> 40 & 3))),
            _ => graph.constant(width, here.wrapping_sub(u128::from(number >> 40 & 15))),
        };
        use Binary::*;
        let operators = [Eq, Eq, Ne, ULt, ULe, SLt, SLe, UAddOverflow];
        let claim = graph.binary(operators[(number >> 48) as usize % operators.len()], a, b);
        match graph.evaluate(claim, &values) {
            Ok(1) => found.push(claim),
            Ok(_) => found.push(graph.not(claim)),
            Err(_) => {}
        }
    }
    found
}

fn numbers() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0x5eed_u64), |number| {
        let number = number ^ number << 13;
        let number = number ^ number >> 7;
        Some(number ^ number << 17)
    })
}

fn start(graph: &Graph, query: &Query, inputs: &[u8; 5]) -> Vec<u64> {
    let named = query.variables.iter().map(|id| graph.variable(*id));
    named.map(|name| value(inputs, name).unwrap_or_default() as u64).collect()
}

#[test]
fn what_holds_is_never_denied() {
    let mut runner = TestRunner::deterministic();
    let strategy = (steps(12), inputs(), inputs());
    let (mut numbers, mut search) = (numbers(), GuidedSearch::new());
    let (mut found, mut unknown) = (0, 0);
    for case in 0..20_000 {
        let (steps, now, other) = strategy.new_tree(&mut runner).unwrap().current();
        let mut graph = if case % 2 == 0 { Graph::new() } else { Graph::literal() };
        let conditions = conditions(&mut graph, &steps, &now, &mut numbers);
        let query = Query::new(&graph, conditions);
        match search.guess(&graph, &query, &start(&graph, &query, &other), LIMIT) {
            Answer::Sat(model) => {
                assert!(query.holds(&graph, &model), "case {case}: {model:?}");
                found += 1;
            }
            Answer::Unknown => unknown += 1,
            Answer::Unsat => {
                let text = parallax_solve::export(&graph, &query.conditions).text;
                panic!("case {case} holds for {now:?}:\n{text}");
            }
        }
    }
    eprintln!("{found} found, {unknown} unknown");
    assert!(found > 12_000, "{found} found, {unknown} unknown");
}

#[test]
fn what_is_denied_is_impossible_for_z3() {
    let mut runner = TestRunner::deterministic();
    let strategy = (steps(12), inputs());
    let (mut numbers, mut search) = (numbers(), GuidedSearch::new());
    let mut z3 = Z3::new().with_time(Duration::from_secs(2));
    let mut denied = 0;
    for case in 0..600 {
        let (steps, now) = strategy.new_tree(&mut runner).unwrap().current();
        let mut graph = Graph::new();
        let mut conditions = conditions(&mut graph, &steps, &now, &mut numbers);
        let Some(last) = conditions.last_mut() else { continue };
        *last = graph.not(*last);
        let query = Query::new(&graph, conditions);
        let answer = search.guess(&graph, &query, &start(&graph, &query, &now), LIMIT);
        if answer == Answer::Unsat {
            denied += 1;
            // For Z3 a load outside of a snapshot can have any value.
            if let Answer::Sat(model) = z3.solve(&graph, &query, Work(2_000_000)) {
                assert!(!query.holds(&graph, &model), "case {case}: {model:?}");
            }
        }
    }
    eprintln!("{denied} denied");
    assert!(denied > 100, "{denied}");
}

/// The quick answer for conditions.
fn guess(graph: &Graph, conditions: Vec<ExprId>) -> Answer {
    let query = Query::new(graph, conditions);
    let start = vec![0; query.variables.len()];
    GuidedSearch::new().guess(graph, &query, &start, 0)
}

#[test]
fn a_length_that_was_compared_cannot_be_another() {
    let mut graph = Graph::new();
    let size = length(&mut graph);
    let mut build = Builder(&mut graph);
    let most = build.with(Binary::ULe, size, 4096);
    let less = build.with(Binary::Sub, size, 6);
    let apart = build.with(Binary::ULe, less, 2);
    let apart = build.0.not(apart);
    let narrow = build.0.extract(size, 0, 32);
    let negative = build.with(Binary::SLt, narrow, 0);
    let inside = build.with(Binary::Eq, size, 7);
    assert_eq!(guess(&graph, vec![most, negative]), Answer::Unsat);
    assert_eq!(guess(&graph, vec![apart, inside]), Answer::Unsat);
}

#[test]
fn what_is_equal_does_not_differ() {
    let mut graph = Graph::new();
    let mut build = Builder(&mut graph);
    let bytes: Vec<ExprId> = (0..3).map(|offset| build.byte(offset)).collect();
    let mut compare = |operator, a: usize, b: usize| build.op(operator, bytes[a], bytes[b]);
    let (first, second) = (compare(Binary::Eq, 0, 1), compare(Binary::Eq, 1, 2));
    let differs = compare(Binary::Ne, 0, 2);
    let (below, above) = (compare(Binary::ULt, 0, 2), compare(Binary::ULt, 2, 0));
    assert_eq!(guess(&graph, vec![first, second, differs]), Answer::Unsat);
    assert_eq!(guess(&graph, vec![below, above]), Answer::Unsat);
}

#[test]
fn a_table_does_not_hold_what_it_does_not_hold() {
    let mut graph = Graph::new();
    let table = graph.add_snapshot(Snapshot::new(0x1000, &[3, 1, 4, 1, 5, 9, 2, 6], Vec::new()));
    let mut build = Builder(&mut graph);
    let index = build.wide(0, 64);
    let address = build.with(Binary::Add, index, 0x1000);
    let digit = build.0.load(table, address, 8);
    let (seven, nine) = (build.with(Binary::Eq, digit, 7), build.with(Binary::Eq, digit, 9));
    assert_eq!(guess(&graph, vec![seven]), Answer::Unsat);
    assert_eq!(guess(&graph, vec![nine]), Answer::Sat(vec![5]));
}

#[test]
fn a_field_of_elements_is_not_what_is_in_the_others() {
    let mut graph = Graph::new();
    // Elements of three bytes each.
    let bytes = [7, 1, 7, 7, 2, 7, 7, 3, 7];
    let table = graph.add_snapshot(Snapshot::new(0x1000, &bytes, Vec::new()));
    let mut build = Builder(&mut graph);
    let index = build.byte(0);
    let index = build.0.resize(index, 64);
    let scaled = build.with(Binary::Mul, index, 3);
    let address = build.with(Binary::Add, scaled, 0x1001);
    let field = build.0.load(table, address, 8);
    let (seven, three) = (build.with(Binary::Eq, field, 7), build.with(Binary::Eq, field, 3));
    assert_eq!(guess(&graph, vec![seven]), Answer::Unsat);
    assert_eq!(guess(&graph, vec![three]), Answer::Sat(vec![2]));
}

#[test]
fn a_load_that_is_not_needed_denies_nothing() {
    let mut graph = Graph::new();
    let table = graph.add_snapshot(Snapshot::new(0x1000, &[1; 8], Vec::new()));
    let mut build = Builder(&mut graph);
    let (index, flag) = (build.wide(0, 64), build.byte(1));
    let address = build.with(Binary::Add, index, 0x1000);
    let loaded = build.0.load(table, address, 8);
    let is_set = build.with(Binary::Ne, flag, 0);
    let other = build.byte(2);
    let chosen = build.0.ternary(parallax_solve::Ternary::Ite, is_set, loaded, other);
    let outside = build.with(Binary::ULt, index, 100);
    let outside = build.0.not(outside);
    let seven = build.with(Binary::Eq, chosen, 7);
    match guess(&graph, vec![outside, seven]) {
        Answer::Sat(_) => {}
        other => panic!("{other:?}"),
    }
}
