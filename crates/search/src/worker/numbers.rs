//! Numbers in text that are written anew.
//!
//! A path fixes how many digits each number has, so there may be no number on it that a condition asks for.
//! Where that is so, numbers are taken for what they could be, whatever their digits, and those that are asked
//! for are put into the text.

use parallax_path::{Altered, Number, Numbers, Step, forget_digits};
use parallax_run::{TestCase, lab::RunError};
use parallax_solve::{Binary, ExprId, Graph, Part, Solution, Variable};

use super::{Found, Parent, SOME_WORK, Worker, goal};
use crate::{Promise, decision::hash, frontier::Attempt};

/// A run whose numbers could be others.
pub(super) struct Rewriting<'p> {
    parent: Parent<'p>,
    steps: std::iter::Peekable<std::vec::IntoIter<Step>>,
}

impl Worker {
    /// A test that takes a flip with other numbers. The flips of one test come in their order.
    pub(super) fn rewrite<'p>(
        &mut self,
        rewriting: &mut Option<Rewriting<'p>>,
        test: &'p TestCase,
        attempt: &Attempt,
    ) -> Result<Found, RunError> {
        let Attempt { flip, tries, .. } = attempt;
        let Rewriting { parent, steps } = match rewriting {
            Some(rewriting) => rewriting,
            None => rewriting.insert(self.rewriting(test)?),
        };
        while let Some(step) = steps.next_if(|step| step.event < flip.event) {
            self.solver.assume(&mut parent.assumptions, &parent.graph, step.condition);
        }
        let Some(step) = steps.peek().filter(|step| step.event == flip.event) else {
            return Ok(Found::Nothing);
        };
        let Some(goal) = goal(&mut parent.graph, &flip.target, step, &*self.code.cases) else {
            return Ok(Found::Nothing);
        };
        let variables: Vec<_> = parent.assumptions.variables(&parent.graph, goal).collect();
        let is_number = |part: Part| matches!(part, Part::Number(_));
        if !{ variables }.iter().any(|id| is_number(parent.graph.variable(*id).part)) {
            return Ok(Found::Nothing);
        }
        self.solver.set_work(SOME_WORK);
        Ok(match self.solve(parent, goal, *tries) {
            Solution::Found(values) => {
                let salt = hash(flip.path, u64::from(*tries));
                parent.altered(&values, salt, Promise::Rewritten)
            }
            _ => Found::Nothing,
        })
    }

    fn rewriting<'p>(&mut self, test: &'p TestCase) -> Result<Rewriting<'p>, RunError> {
        let mut graph = Graph::new();
        let path = self.path(test, &mut graph, Numbers::Free)?;
        let mut steps = path.steps;
        forget_digits(&mut steps, &graph, &path.numbers);
        let mut parent = Parent { numbers: path.numbers, ..Parent::new(test, graph) };
        self.assume_bounds(&mut parent);
        Ok(Rewriting { parent, steps: steps.into_iter().peekable() })
    }

    /// Numbers are such as a program expects.
    pub(super) fn assume_sizes(&mut self, parent: &mut Parent<'_>) {
        let graph = &mut parent.graph;
        for number in &parent.numbers {
            let variable = graph.variable_expr(&number.variable());
            // With half of the range added, what is negative comes first.
            let (least, range) =
                if number.signed { (1u128 << 31, 1u128 << 32) } else { (0, 1u128 << 32) };
            let (least, range) = (graph.constant(64, least), graph.constant(64, range));
            let moved = graph.binary(Binary::Add, variable, least);
            let fits = graph.binary(Binary::ULt, moved, range);
            self.solver.assume(&mut parent.assumptions, graph, fits);
        }
    }
}

/// Numbers that are asked for first: a loop may go as many rounds as one says.
const HANDY: u128 = 1000;

/// A goal that is harder than the one that is asked for, if that is about numbers that could be others: they are
/// not large.
pub(super) fn handy(parent: &mut Parent<'_>, goal: ExprId) -> Vec<ExprId> {
    let graph = &mut parent.graph;
    let ids: Vec<_> = parent.assumptions.variables(graph, goal).collect();
    let variables: Vec<Variable> = ids.iter().map(|id| graph.variable(*id).clone()).collect();
    let numbers: Vec<_> =
        variables.iter().filter(|variable| matches!(variable.part, Part::Number(_))).collect();
    let small = numbers.iter().map(|variable| {
        let variable = graph.variable_expr(variable);
        let (least, range) = (graph.constant(64, HANDY), graph.constant(64, 2 * HANDY));
        let moved = graph.binary(Binary::Add, variable, least);
        graph.binary(Binary::ULe, moved, range)
    });
    let small: Vec<ExprId> = small.collect();
    let all = small.into_iter().reduce(|one, other| graph.binary(Binary::And, one, other));
    all.map(|small| graph.binary(Binary::And, goal, small)).into_iter().collect()
}

impl Parent<'_> {
    /// A test with other numbers, from the last on: those before it stay where they are.
    pub(super) fn with_numbers(
        &self,
        test: TestCase,
        values: &[(Variable, u64)],
    ) -> Option<TestCase> {
        let number = |variable: &Variable| -> Option<&Number> {
            self.numbers.iter().find(|number| number.variable() == *variable)
        };
        let mut others: Vec<_> = values
            .iter()
            .filter_map(|(variable, value)| Some((number(variable)?, *value)))
            .filter(|(number, value)| number.value != *value)
            .collect();
        others.sort_by_key(|(number, _)| std::cmp::Reverse(number.offset));
        others.into_iter().try_fold(test, |test, (number, value)| {
            Altered::new(&test, &|_| b' ').with_number(number, value)
        })
    }
}
