//! Repairing tests that went astray.
//!
//! A text that the program looks for is put into an input as a whole. Often something else about the input
//! is then wrong that was right before: a checksum, a length, the end of a line. The program branches off where
//! it noticed, at a place that the test which was changed has passed. So the new test is led back there, step
//! by step, without touching the text that was put in.

use std::collections::HashSet;

use parallax_path::{Comparison, Numbers, Path, Step, StepKind};
use parallax_run::{TestCase, lab::RunError};
use parallax_solve::{Binary, ExprId, Graph, Solution, Variable};

use super::{Parent, SOME_WORK, Worker, goal};
use crate::{
    Context, Flip, Promise, Target, Way,
    decision::{decisions, hash},
    worker::Found,
};

/// Steps back that are taken for one test.
const MOST_STEPS: u32 = 12;
/// Decisions that are looked at for a step.
const MOST_STRAYS: usize = 16;

/// The ways that a run has gone up to some event.
pub(super) struct Ways(HashSet<(u32, u32, Way)>);

impl Ways {
    pub(super) fn of(path: &Path, event: u32) -> Ways {
        let before = path.steps.iter().filter(|step| step.event < event);
        Ways(before.filter_map(|step| Some((step.site, step.model_site, way(step)?))).collect())
    }

    /// Another way that these runs went where this one went a way that none of them has.
    fn instead(&self, step: &Step) -> Option<Way> {
        let own = way(step)?;
        let has = |way| self.0.contains(&(step.site, step.model_site, way));
        match own {
            _ if has(own) => None,
            Way::Branch(taken) => Some(Way::Branch(!taken)).filter(|other| has(*other)),
            _ => {
                let here = self.0.iter().filter(|(site, model_site, _)| {
                    (*site, *model_site) == (step.site, step.model_site)
                });
                here.map(|(_, _, way)| *way).min()
            }
        }
    }
}

fn way(step: &Step) -> Option<Way> {
    match step.kind {
        StepKind::Branch { taken } => Some(Way::Branch(taken)),
        StepKind::Switch { value, .. } => Some(Way::Case(value)),
        _ => None,
    }
}

impl Worker {
    /// A test with a text that was put in and that takes a flip with it, made of one that does not.
    pub(super) fn repair(
        &mut self,
        astray: &TestCase,
        wanted: &Comparison,
        ways: &Ways,
        (flip, tries): (&Flip, u32),
    ) -> Result<Option<TestCase>, RunError> {
        let mut test = astray.clone();
        self.solver.set_work(SOME_WORK);
        for step in 0..MOST_STEPS {
            self.trace(&test, &self.time_limit.limits())?;
            let trace = self.memory.trace();
            let gone = decisions(trace, &*self.code.cases).gone;
            if gone.contains(&(flip.target, Context::default())) {
                return Ok(Some(test));
            }
            let mut graph = Graph::new();
            let path = self.read(&mut graph, Numbers::Written)?;
            let mut parent = Parent::new(&test, graph);
            self.assume_bounds(&mut parent);
            self.assume_text(&mut parent, wanted);
            let salt = hash(hash(flip.path, tries.into()), step.into());
            match self.step_back(&mut parent, &path, ways, (salt, tries)) {
                Some(next) if next != test => test = next,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// A test that goes where others went at one of the first places where this one does not.
    fn step_back(
        &mut self,
        parent: &mut Parent<'_>,
        path: &Path,
        ways: &Ways,
        (salt, tries): (u64, u32),
    ) -> Option<TestCase> {
        let mut looked_at = 0;
        for step in &path.steps {
            let instead = ways.instead(step).filter(|_| !parent.assumptions.has(step.condition));
            if let Some(way) = instead {
                looked_at += 1;
                // Any of them may be the one that others were right about: each try leaves out others.
                let is_wanted = !hash(salt, looked_at as u64).is_multiple_of(3);
                if is_wanted && let Some(test) = self.flipped(parent, step, way, (salt, tries)) {
                    return Some(test);
                }
                if looked_at == MOST_STRAYS {
                    return None;
                }
            }
            self.solver.assume(&mut parent.assumptions, &parent.graph, step.condition);
        }
        None
    }

    fn flipped(
        &mut self,
        parent: &mut Parent<'_>,
        step: &Step,
        way: Way,
        (salt, tries): (u64, u32),
    ) -> Option<TestCase> {
        let target = Target { site: step.site, model_site: step.model_site, way };
        let goal = goal(&mut parent.graph, &target, step, &*self.code.cases)?;
        let Solution::Found(values) = self.solve(parent, goal, tries) else { return None };
        match parent.altered(&values, salt, Promise::Spliced) {
            Found::Test(test, _) => Some(test),
            _ => None,
        }
    }

    /// That a text is where it was put.
    fn assume_text(&mut self, parent: &mut Parent<'_>, wanted: &Comparison) {
        for (at, byte) in (wanted.offset..).zip(&wanted.wanted) {
            let variable = Variable::byte(wanted.origin.clone(), at);
            let graph = &mut parent.graph;
            let is_byte: ExprId = {
                let expression = graph.variable_expr(&variable);
                let byte = graph.constant(8, u128::from(*byte));
                graph.binary(Binary::Eq, expression, byte)
            };
            self.solver.assume(&mut parent.assumptions, graph, is_byte);
        }
    }
}
