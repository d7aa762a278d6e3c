//! Compiled code against evaluation, and the results of the search.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod question;
mod recipe;

use parallax_solve::{
    Answer, Binary, Evaluation, ExprId, Graph, GuidedSearch, Query, Snapshot, Variable,
};
use proptest::prelude::*;
use question::{Question, questions};
use recipe::{Floats, byte, follow, inputs, steps, value};

/// Values of a query's variables.
fn start(graph: &Graph, query: &Query, inputs: &[u8; 5]) -> Vec<u64> {
    let value = |id| value(inputs, graph.variable(id)).unwrap() as u64;
    query.variables.iter().map(|id| value(*id)).collect()
}

/// Compares compiled code for all roots with an evaluation of them.
fn check(graph: &mut Graph, roots: &[ExprId], inputs: &[u8; 5]) -> Result<(), TestCaseError> {
    let values = |variable: &Variable| value(inputs, variable);
    let mut claims = Vec::new();
    for root in roots {
        let found = graph.evaluate(*root, &values).unwrap_or_default();
        let width = graph.width(*root);
        let expected = graph.constant(width, found);
        if width == 1 {
            let opposite = graph.not(*root);
            claims.extend([*root, opposite]);
        }
        for operator in [Binary::Eq, Binary::Ne, Binary::ULe, Binary::SLt] {
            claims.push(graph.binary(operator, *root, expected));
        }
    }
    let query = Query::new(graph, claims.clone());
    let start = start(graph, &query, inputs);
    let distances = GuidedSearch::new().distances(graph, &query, &start).unwrap();
    let mut evaluation = Evaluation::new(graph, &values);
    for (claim, distance) in claims.iter().zip(distances) {
        let holds = evaluation.value(*claim) == Ok(1);
        let text = || parallax_solve::export(graph, &[*claim]).text;
        prop_assert!((distance == 0) == holds, "{distance} for {inputs:?} of {}", text());
    }
    Ok(())
}

proptest! {
    #[test]
    fn code_agrees_with_evaluation(steps in steps(24), inputs in inputs()) {
        let mut graph = Graph::literal();
        let roots = follow(&mut graph, &steps, Floats::With);
        check(&mut graph, &roots, &inputs)?;
    }

    #[test]
    fn code_of_simpler_expressions_agrees_with_evaluation(steps in steps(24), inputs in inputs()) {
        let mut graph = Graph::new();
        let roots = follow(&mut graph, &steps, Floats::With);
        check(&mut graph, &roots, &inputs)?;
    }

    /// A search that fails in random expressions neither panics nor returns a wrong model.
    #[test]
    fn what_is_found_is_there(steps in steps(16), inputs in inputs(), other in inputs()) {
        let mut graph = Graph::new();
        let roots = follow(&mut graph, &steps, Floats::With);
        let last = *roots.last().unwrap();
        let values = |variable: &Variable| value(&other, variable);
        let Ok(expected) = graph.evaluate(last, &values) else { return Ok(()) };
        let expected = graph.constant(graph.width(last), expected);
        let claim = graph.binary(Binary::Eq, last, expected);
        let query = Query::new(&graph, vec![claim]);
        let start = start(&graph, &query, &inputs);
        let mut search = GuidedSearch::new();
        let answer = search.solve(&graph, &query, &start, 3000);
        prop_assert_ne!(&answer, &Answer::Unsat);
        prop_assert_eq!(&search.solve(&graph, &query, &start, 3000), &answer);
        prop_assert!(search.counters().reused >= 1);
        if let Answer::Sat(model) = answer {
            let found = |variable: &Variable| {
                let is_it = |id: &&parallax_solve::VariableId| graph.variable(**id) == variable;
                let index = query.variables.iter().position(|id| is_it(&id))?;
                Some(u128::from(model[index]))
            };
            prop_assert_eq!(graph.evaluate(claim, &found), Ok(1));
        }
    }
}

/// Values to begin with: digits, zeros, the greatest ones and some without pattern.
fn starts(count: usize) -> Vec<Vec<u64>> {
    let mixed = (0..count as u64).map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7);
    vec![vec![b'0'.into(); count], vec![0; count], vec![u64::MAX; count], mixed.collect()]
}

#[test]
fn questions_are_answered() {
    let mut search = GuidedSearch::new();
    let mut unanswered = Vec::new();
    for Question { name, graph, conditions, .. } in questions() {
        let query = Query::new(&graph, conditions);
        for (number, start) in starts(query.variables.len()).into_iter().enumerate() {
            let before = search.counters().candidates;
            let answer = search.solve(&graph, &query, &start, 200_000);
            println!("{name} {number}: {} candidates", search.counters().candidates - before);
            let mut other = GuidedSearch::new();
            assert_eq!(other.solve(&graph, &query, &start, 200_000), answer, "{name}");
            if !matches!(answer, Answer::Sat(_)) {
                unanswered.push((name, number));
            }
        }
    }
    assert!(unanswered.is_empty(), "nothing found for {unanswered:?}");
}

#[test]
fn what_need_not_change_stays() {
    let mut graph = Graph::new();
    let bytes: Vec<ExprId> = (0..8).map(|offset| byte(&mut graph, offset)).collect();
    let mut sum = graph.constant(8, 0);
    for byte in &bytes {
        sum = graph.binary(Binary::Add, sum, *byte);
    }
    let seven = graph.constant(8, 7);
    let condition = graph.binary(Binary::Eq, sum, seven);
    let query = Query::new(&graph, vec![condition]);
    let Answer::Sat(model) = GuidedSearch::new().solve(&graph, &query, &[b'x'.into(); 8], 10_000)
    else {
        panic!("a sum is easy")
    };
    assert_eq!(model.iter().filter(|value| **value != u64::from(b'x')).count(), 1);
}

#[test]
fn one_byte_takes_no_more_candidates_than_it_has_values() {
    let mut graph = Graph::new();
    let variable = byte(&mut graph, 0);
    let square = graph.binary(Binary::Mul, variable, variable);
    let three = graph.constant(8, 3);
    let condition = graph.binary(Binary::Eq, square, three);
    let query = Query::new(&graph, vec![condition]);
    let mut search = GuidedSearch::new();
    assert_eq!(search.solve(&graph, &query, &[0], 1 << 30), Answer::Unsat);
    assert_eq!(search.counters().candidates, 256);
}

/// Each thread of a program may have one.
#[test]
fn a_search_can_move_to_another_thread() {
    fn moves(_: impl Send) {}
    moves(GuidedSearch::new());
}

#[test]
fn the_limit_is_kept() {
    let mut graph = Graph::new();
    let Question { conditions, .. } = question::impossible(&mut graph);
    let query = Query::new(&graph, conditions);
    let start = vec![0; query.variables.len()];
    for limit in [0, 1, 1000] {
        let mut search = GuidedSearch::new();
        assert_eq!(search.solve(&graph, &query, &start, limit), Answer::Unknown);
        assert_eq!(search.counters().candidates, limit);
    }
}

#[test]
fn large_queries_are_refused() {
    let mut graph = Graph::literal();
    let variable = byte(&mut graph, 0);
    let sum = (0..300_000).fold(variable, |sum, _| graph.binary(Binary::Add, sum, variable));
    let condition = graph.binary(Binary::Eq, sum, variable);
    let query = Query::new(&graph, vec![condition]);
    let mut search = GuidedSearch::new();
    assert_eq!(search.solve(&graph, &query, &[1], 10), Answer::Unknown);
    assert_eq!((search.counters().refused, search.counters().compiled), (1, 0));
}

#[test]
fn code_that_is_not_needed_is_given_up() {
    let mut graph = Graph::new();
    let variable = byte(&mut graph, 0);
    let (mut search, mut first) = (GuidedSearch::new(), None);
    for number in 0..5000_u32 {
        // Each table is another one, and half a page of it for each.
        let bytes = number.to_le_bytes().repeat(64);
        let table = graph.add_snapshot(Snapshot::new(0x1000, &bytes, Vec::new()));
        let address = graph.resize(variable, 64);
        let base = graph.constant(64, 0x1000);
        let address = graph.binary(Binary::Add, base, address);
        let load = graph.load(table, address, 8);
        let condition = graph.binary(Binary::Ne, load, variable);
        let query = Query::new(&graph, vec![condition]);
        assert!(search.distances(&graph, &query, &[1]).is_some());
        first.get_or_insert(query);
    }
    assert_eq!(search.counters().compiled, 5000);
    let first = first.unwrap();
    assert!(search.distances(&graph, &first, &[1]).is_some());
    assert_eq!((search.counters().compiled, search.counters().reused), (5001, 0));
}
