//! The solver with all answerers: models hold, and goals reported infeasible are unsatisfiable.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use std::{collections::BTreeMap, time::Duration};

use parallax_solve::{
    Answer, Answerer, Assumptions, Backend, Binary, Effort, ExprId, Graph, GuidedSearch, Query,
    Solution, Solver, Variable, Work, Z3,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use recipe::{Floats, Step, byte, follow, inputs, steps, value};

/// Z3's work where it is the reference.
const ENOUGH: Work = Work(5_000_000);

/// Random steps for some conditions, and two inputs: the current one, and one to compare with.
type Case = (Vec<Vec<Step>>, [u8; 5], [u8; 5]);

fn case(conditions: usize, length: usize) -> impl Strategy<Value = Case> {
    (proptest::collection::vec(steps(length), conditions), inputs(), inputs())
}

fn drawn<T>(count: usize, strategy: &impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

/// A condition that holds for the inputs, if it has a value there: a comparison of an expression
/// with its value for other inputs.
fn condition(graph: &mut Graph, steps: &[Step], now: &[u8; 5], other: &[u8; 5]) -> Option<ExprId> {
    let root = follow(graph, steps, Floats::Without).pop()?;
    let there = graph.evaluate(root, &|name: &Variable| value(other, name)).ok()?;
    let there = graph.constant(graph.width(root), there);
    let operators = [Binary::Eq, Binary::ULe, Binary::SLt];
    let claim = graph.binary(operators[steps.len() % operators.len()], root, there);
    match graph.evaluate(claim, &|name: &Variable| value(now, name)).ok()? {
        1 => Some(claim),
        _ => Some(graph.not(claim)),
    }
}

fn solver(cache: bool) -> Solver {
    Solver::new(Effort { cache, ..Effort::default() }, Some(Box::new(Z3::new())))
}

/// Whether all conditions hold for the inputs with some values changed.
fn all_hold(
    graph: &Graph,
    conditions: &[ExprId],
    now: &[u8; 5],
    found: &[(Variable, u64)],
) -> bool {
    let found: BTreeMap<&Variable, u64> =
        found.iter().map(|(name, value)| (name, *value)).collect();
    let changed = |name: &Variable| found.get(name).map(|value| u128::from(*value));
    let values = |name: &Variable| changed(name).or_else(|| value(now, name));
    conditions.iter().all(|condition| graph.evaluate(*condition, &values) == Ok(1))
}

/// Counts of answers for random goals.
#[derive(Debug, Default)]
struct Said {
    found: usize,
    impossible: usize,
    unknown: usize,
}

impl Said {
    /// Counts answers, each of which has to be right as far as evaluation tells.
    fn check(&mut self, graph: &Graph, all: &[ExprId], now: &[u8; 5], solution: &Solution) {
        match solution {
            Solution::Found(values) => {
                assert!(all_hold(graph, all, now, values), "{values:?} for {now:?}");
                self.found += 1;
            }
            Solution::Impossible => self.impossible += 1,
            Solution::Unknown => self.unknown += 1,
        }
    }
}

/// Z3's answer for all conditions together. For it a load outside of a snapshot can have any value:
/// a model that does not hold counts as none.
fn judged(graph: &Graph, all: &[ExprId]) -> Option<bool> {
    let query = Query::new(graph, all.to_vec());
    let mut z3 = Z3::new().with_time(Duration::from_secs(2));
    match z3.solve(graph, &query, ENOUGH) {
        Answer::Sat(model) => query.holds(graph, &model).then_some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown => None,
    }
}

#[test]
fn what_is_found_holds_and_what_is_impossible_is_so_for_z3() {
    let (mut cached, mut plain) = (solver(true), solver(false));
    let mut said = Said::default();
    for (steps, now, other) in drawn(50, &case(6, 10)) {
        let mut graph = Graph::new();
        let made = steps.iter().map(|steps| condition(&mut graph, steps, &now, &other));
        let conditions: Vec<ExprId> = made.collect::<Vec<_>>().into_iter().flatten().collect();
        let current = |name: &Variable| value(&now, name);
        let (mut known, mut anew) = (Assumptions::new(), Assumptions::new());
        // Each condition in turn could have been otherwise, as along a path.
        for (number, condition) in conditions.iter().enumerate() {
            let goal = graph.not(*condition);
            let first = cached.solve(&mut known, &graph, goal, &current);
            let again = cached.solve(&mut known, &graph, goal, &current);
            let without = plain.solve(&mut anew, &graph, goal, &current);
            let mut all = conditions[..number].to_vec();
            all.push(goal);
            let mut kinds = vec![judged(&graph, &all)];
            for solution in [&first, &again, &without] {
                said.check(&graph, &all, &now, solution);
                kinds.push(match solution {
                    Solution::Found(_) => Some(true),
                    Solution::Impossible => Some(false),
                    Solution::Unknown => None,
                });
            }
            kinds.retain(Option::is_some);
            kinds.dedup();
            assert!(kinds.len() < 2, "{kinds:?}: {first:?}, {again:?}, {without:?}");
            cached.assume(&mut known, &graph, *condition);
            plain.assume(&mut anew, &graph, *condition);
        }
    }
    eprintln!("{said:?}");
    assert!(said.found > 300 && said.impossible > 200, "{said:?}");
    assert!(said.unknown * 20 < said.found, "{said:?}");
    let answered = |solver: &Solver| -> Vec<Answerer> {
        solver.statistics().tallies.keys().copied().collect()
    };
    use Answerer::{Bytes, Cache, Models, Search, Smt};
    assert_eq!(answered(&cached), [Bytes, Cache, Models, Search, Smt]);
    assert_eq!(answered(&plain), [Bytes, Search, Smt]);
}

/// All values for the variables of a query, which are bytes and at most two.
fn tried_all(graph: &Graph, query: &Query) -> bool {
    match query.variables.len() {
        0 => query.holds(graph, &[]),
        1 => (0..256).any(|one| query.holds(graph, &[one])),
        _ => (0..1 << 16).any(|both| query.holds(graph, &[both & 255, both >> 8])),
    }
}

#[test]
fn the_search_denies_only_what_no_byte_satisfies() {
    let mut search = GuidedSearch::new();
    let (mut found, mut denied, mut unknown) = ([0; 3], [0; 3], [0; 3]);
    for (steps, now, other) in drawn(600, &case(3, 5)) {
        let mut graph = Graph::new();
        let made = steps.iter().map(|steps| condition(&mut graph, steps, &now, &other));
        let mut conditions: Vec<ExprId> = made.collect::<Vec<_>>().into_iter().flatten().collect();
        let Some(last) = conditions.last_mut() else { continue };
        *last = graph.not(*last);
        let query = Query::new(&graph, conditions);
        let count = query.variables.len();
        if count > 2 {
            continue;
        }
        let named = query.variables.iter().map(|id| graph.variable(*id));
        let start: Vec<u64> = named.map(|name| value(&now, name).unwrap() as u64).collect();
        match search.solve(&graph, &query, &start, 20_000) {
            Answer::Sat(model) => {
                assert!(query.holds(&graph, &model), "{model:?}");
                found[count] += 1;
            }
            Answer::Unsat => {
                assert!(!tried_all(&graph, &query), "{steps:?} {now:?} {other:?}");
                denied[count] += 1;
            }
            Answer::Unknown => unknown[count] += 1,
        }
    }
    eprintln!("{found:?} found, {denied:?} denied, {unknown:?} unknown");
    assert!(found[1] > 10 && found[2] > 10 && denied[2] > 10, "{found:?} {denied:?}");
}

#[test]
fn the_search_denies_what_no_value_of_a_byte_satisfies() {
    let mut graph = Graph::new();
    let first = byte(&mut graph, 0);
    let square = graph.binary(Binary::Mul, first, first);
    let two = graph.constant(8, 2);
    let equal = graph.binary(Binary::Eq, square, two);
    let query = Query::new(&graph, vec![equal]);
    assert_eq!(GuidedSearch::new().solve(&graph, &query, &[0], 20_000), Answer::Unsat);
}

/// Answers so far, by answerer.
fn counts(solver: &Solver) -> Vec<(Answerer, u64, u64)> {
    let tallies = solver.statistics().tallies.iter();
    tallies.map(|(by, tally)| (*by, tally.found, tally.impossible)).collect()
}

#[test]
fn conditions_on_a_byte_are_answered_by_sets() {
    let mut graph = Graph::new();
    let mut solver = solver(true);
    let mut assumptions = Assumptions::new();
    let (first, nine) = (byte(&mut graph, 0), graph.constant(8, 9));
    let small = graph.binary(Binary::ULt, first, nine);
    solver.assume(&mut assumptions, &graph, small);
    let zeros = |_: &Variable| Some(0);
    let mut is = |graph: &mut Graph, number| {
        let number = graph.constant(8, number);
        let goal = graph.binary(Binary::Eq, first, number);
        solver.solve(&mut assumptions, graph, goal, &zeros)
    };
    let name = Variable::byte(parallax_solve::Origin::Stdin, 0);
    assert_eq!(is(&mut graph, 8), Solution::Found(vec![(name, 8)]));
    assert_eq!(is(&mut graph, 9), Solution::Impossible);
    assert_eq!(counts(&solver), [(Answerer::Bytes, 1, 1)]);
}

#[test]
fn the_same_question_about_other_bytes_is_answered_by_the_cache() {
    let mut graph = Graph::new();
    let mut solver = solver(true);
    let zeros = |_: &Variable| Some(0);
    for offset in [0, 2, 7] {
        let (one, other) = (byte(&mut graph, offset), byte(&mut graph, offset + 1));
        let sum = graph.binary(Binary::Add, one, other);
        let wanted = graph.constant(8, 77);
        let equal = graph.binary(Binary::Eq, sum, wanted);
        let less = graph.binary(Binary::ULt, one, other);
        let mut assumptions = Assumptions::new();
        solver.assume(&mut assumptions, &graph, less);
        match solver.solve(&mut assumptions, &graph, equal, &zeros) {
            Solution::Found(values) => {
                let values = |name: &Variable| {
                    let found = values.iter().find(|(found, _)| found == name);
                    Some(found.map_or(0, |(_, value)| u128::from(*value)))
                };
                assert_eq!(graph.evaluate(equal, &values), Ok(1));
                assert_eq!(graph.evaluate(less, &values), Ok(1));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(counts(&solver), [(Answerer::Cache, 2, 0), (Answerer::Search, 1, 0)]);
}

#[test]
fn nothing_is_remembered_without_the_cache() {
    let mut graph = Graph::new();
    let mut solver = solver(false);
    let (one, other) = (byte(&mut graph, 0), byte(&mut graph, 1));
    let less = graph.binary(Binary::ULt, one, other);
    for _ in 0..3 {
        let mut assumptions = Assumptions::new();
        let found = solver.solve(&mut assumptions, &graph, less, &|_: &Variable| Some(0));
        assert!(matches!(found, Solution::Found(_)), "{found:?}");
    }
    assert_eq!(counts(&solver), [(Answerer::Search, 3, 0)]);
}

/// A backend that finds the square below unsatisfiable, given enough work.
struct Hard;

impl Backend for Hard {
    fn name(&self) -> &str {
        "hard"
    }

    fn solve(&mut self, _: &Graph, _: &Query, work: Work) -> Answer {
        if work >= ENOUGH { Answer::Unsat } else { Answer::Unknown }
    }
}

#[test]
fn a_question_that_was_given_up_is_asked_again_with_more_work() {
    let mut graph = Graph::new();
    let effort = Effort { candidates: 10, ..Effort::default() };
    let mut solver = Solver::new(effort, Some(Box::new(Hard)));
    // A square is never 3 modulo 4, which no range of a byte shows.
    let bytes: Vec<_> = (0..4).map(|offset| byte(&mut graph, offset)).collect();
    let number = bytes.iter().skip(1).fold(bytes[0], |all, byte| graph.concat(all, *byte));
    let square = graph.binary(Binary::Mul, number, number);
    let wanted = graph.constant(32, 0x1234_5677);
    let equal = graph.binary(Binary::Eq, square, wanted);
    let ask = |solver: &mut Solver, graph: &Graph, work: u64| {
        solver.set_work(Work(work));
        solver.solve(&mut Assumptions::new(), graph, equal, &|_: &Variable| Some(1))
    };
    assert_eq!(ask(&mut solver, &graph, 1), Solution::Unknown);
    let before = counts(&solver);
    assert_eq!(ask(&mut solver, &graph, 1), Solution::Unknown);
    assert_ne!(counts(&solver), before, "the cache has answered");
    assert!(counts(&solver).iter().any(|(by, ..)| *by == Answerer::Cache));
    assert_eq!(ask(&mut solver, &graph, ENOUGH.0), Solution::Impossible);
    assert_eq!(ask(&mut solver, &graph, 1), Solution::Impossible, "what is known stays known");
}
