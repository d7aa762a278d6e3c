//! Evaluation on demand, and supports.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod recipe;

use std::collections::BTreeSet;

use parallax_solve::{
    Assignment, Binary, EvaluateError, Expr, Graph, Origin, Snapshot, Supports, Ternary, Variable,
    VariableId,
};
use proptest::prelude::*;
use recipe::{Floats, byte, follow, inputs, steps, value};

#[test]
fn an_arm_that_is_not_taken_does_no_harm() {
    let mut graph = Graph::new();
    let index = byte(&mut graph, 0);
    let limit = graph.constant(8, 3);
    let inside = graph.binary(Binary::ULt, index, limit);
    let address = graph.resize(index, 64);
    let snapshot = graph.add_snapshot(Snapshot::new(0, b"abc", Vec::new()));
    let load = graph.load(snapshot, address, 8);
    let unknown = byte(&mut graph, 1);
    let choice = graph.ternary(Ternary::Ite, inside, load, unknown);
    let only = |value| Assignment([(Variable::byte(Origin::Stdin, 0), value)].into());
    assert_eq!(graph.evaluate(choice, &only(1)), Ok(b'b'.into()));
    let outside = EvaluateError::OutOfBounds { address: 3, count: 1 };
    assert_eq!(graph.evaluate(load, &only(3)), Err(outside));
    let unassigned = EvaluateError::Unassigned(Variable::byte(Origin::Stdin, 1));
    assert_eq!(graph.evaluate(choice, &only(3)), Err(unassigned));
}

#[test]
fn memory_ends_where_addresses_do() {
    let mut graph = Graph::literal();
    let snapshot = graph.add_snapshot(Snapshot::new(u64::MAX - 1, b"ab", Vec::new()));
    let address = graph.constant(64, u128::from(u64::MAX));
    let last = graph.load(snapshot, address, 8);
    let beyond = graph.load(snapshot, address, 16);
    let nothing = |_: &Variable| None;
    assert_eq!(graph.evaluate(last, &nothing), Ok(b'b'.into()));
    let outside = EvaluateError::OutOfBounds { address: u64::MAX, count: 2 };
    assert_eq!(graph.evaluate(beyond, &nothing), Err(outside));
}

/// Variables among everything that an expression is made of.
fn reachable_variables(graph: &Graph, root: parallax_solve::ExprId) -> BTreeSet<VariableId> {
    let variables = graph.reachable(&[root]).into_iter().filter_map(|id| match graph.expr(id) {
        Expr::Variable { variable, .. } => Some(variable),
        _ => None,
    });
    variables.collect()
}

proptest! {
    #[test]
    fn the_support_is_what_can_be_reached(steps in steps(24)) {
        let mut graph = Graph::new();
        let mut supports = Supports::new();
        for root in follow(&mut graph, &steps, Floats::With) {
            let support: BTreeSet<VariableId> = supports.of(&graph, root).iter().collect();
            prop_assert_eq!(support, reachable_variables(&graph, root));
        }
    }

    /// Simplification may find out that a variable does not matter, but not the other way round.
    #[test]
    fn a_variable_outside_of_the_support_does_not_matter(
        steps in steps(16),
        inputs in inputs(),
        other in inputs(),
    ) {
        let mut graph = Graph::new();
        let roots = follow(&mut graph, &steps, Floats::With);
        let mut supports = Supports::new();
        for root in roots {
            let support = supports.of(&graph, root).clone();
            let mixed = |variable: &Variable| {
                let number = graph.variables().iter().position(|known| known == variable)?;
                let matters = support.contains(VariableId(number as u32));
                value(if matters { &inputs } else { &other }, variable)
            };
            let all = |variable: &Variable| value(&inputs, variable);
            prop_assert_eq!(graph.evaluate(root, &mixed), graph.evaluate(root, &all));
        }
    }
}
