//! Flips at the seam of a spliced input: decisions that depend on both of its parts.
//!
//! Doing what one test does and then what another one does is of use if the second part finds what the first has
//! left behind: the same name, another number, a key that collides. Each decision that depends on both parts is
//! flipped, whether a run has gone that way before or not.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use parallax_deadline::Deadline;
use parallax_path::{Given, Numbers};
use parallax_run::{TestCase, lab::RunError};
use parallax_solve::{ExprId, Graph, Origin, Part, Solution, Variable};

use super::{Found, Parent, Report, Worker, sized};
use crate::{Outcome, Promise, decision::hash, relational::flips};

/// Flips of one spliced test that are tried, if some or all are wanted.
const SOME_FLIPS: usize = 16;
const ALL_FLIPS: usize = 64;
/// Flips that may lead nowhere if all are wanted: where one part hardly depends on the other, each flip
/// costs a query and brings nothing.
const FEW_MISSES: usize = 4;
/// Flips at one place: a loop may ask the same of each round.
const MOST_AT_ONE_PLACE: u32 = 2;

/// Where the second part of an input begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    /// At this byte of a text.
    Byte(Origin, usize),
    /// At this argument, counted as in `argv`.
    Argument(usize),
}

/// Which decisions at a seam are flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// A few.
    Some,
    /// As many as there are, also one after the other.
    All,
}

/// Flips of a spliced test that are still to be taken.
struct SeamFlips {
    /// How many more may be, and how many of them may lead nowhere.
    flips: usize,
    misses: usize,
    /// Tests that they are taken of, with how many steps of each are known.
    next: VecDeque<(TestCase, usize)>,
}

impl SeamFlips {
    fn are_over(&self) -> bool {
        self.flips == 0 || self.misses == 0
    }
}

impl Depth {
    /// The most inputs that are made, the spliced test among them.
    pub(super) fn most_inputs(self) -> usize {
        match self {
            Depth::Some => 1 + SOME_FLIPS,
            Depth::All => 1 + ALL_FLIPS,
        }
    }
}

impl Seam {
    /// Whether a variable belongs to the second part; `None` if it belongs to none of both.
    fn is_second(&self, variable: &Variable) -> Option<bool> {
        match (self, &variable.origin, variable.part) {
            (Seam::Byte(text, at), origin, Part::Byte(byte) | Part::Number(byte)) => {
                (text == origin).then_some(byte as usize >= *at)
            }
            (Seam::Argument(at), Origin::Argument(number), _) => Some(*number as usize >= *at),
            _ => None,
        }
    }

    /// Whether there are variables of both parts.
    fn is_between<'v>(&self, variables: impl Iterator<Item = &'v Variable>) -> bool {
        let (mut first, mut second) = (false, false);
        for is_second in variables.filter_map(|variable| self.is_second(variable)) {
            first |= !is_second;
            second |= is_second;
        }
        first && second
    }
}

impl Worker {
    /// Runs a spliced test, and takes the flips that depend on both parts; then those of the runs that result, if all
    /// are wanted.
    pub(super) fn splice(
        &mut self,
        test: &TestCase,
        seam: &Seam,
        (wanted, most): (Depth, usize),
        deadline: Deadline,
    ) -> Result<Report, RunError> {
        let ran = self.run(test.clone(), None, Promise::Crossed)?;
        let mut report =
            Report { outcomes: vec![Outcome::Ran(Box::new(ran))], ..Report::default() };
        let (flips, misses) = match wanted {
            Depth::Some => (SOME_FLIPS, SOME_FLIPS),
            Depth::All => (ALL_FLIPS, FEW_MISSES),
        };
        let flips = flips.min(most.saturating_sub(1));
        let mut left = SeamFlips { flips, misses, next: VecDeque::from([(test.clone(), 0)]) };
        while !left.are_over()
            && !deadline.is_over()
            && let Some((test, known)) = left.next.pop_front()
        {
            self.flip_at_seam(&test, known, seam, &mut left, deadline, &mut report)?;
            if wanted == Depth::Some {
                break;
            }
        }
        Ok(report)
    }

    /// Takes the flips of a test that depend on both of its parts; those of the first steps are known.
    fn flip_at_seam(
        &mut self,
        test: &TestCase,
        known: usize,
        seam: &Seam,
        left: &mut SeamFlips,
        deadline: Deadline,
        report: &mut Report,
    ) -> Result<(), RunError> {
        let cases = Arc::clone(&self.code.cases);
        let mut graph = Graph::new();
        let path = self.path(test, &mut graph, Numbers::Written)?;
        let mut parent = Parent::new(test, graph);
        self.assume_bounds(&mut parent);
        let mut asked: HashMap<(u32, u32), u32> = HashMap::new();
        for (number, step) in path.steps.iter().enumerate() {
            if left.are_over() || deadline.is_over() {
                break;
            }
            let variables: Vec<_> =
                parent.assumptions.variables(&parent.graph, step.condition).collect();
            let variables = variables.iter().map(|id| parent.graph.variable(*id));
            let asked = asked.entry((step.site, step.model_site)).or_default();
            let is_new = number >= known && step.kind.is_decision();
            if is_new && *asked < MOST_AT_ONE_PLACE && seam.is_between(variables) {
                *asked += 1;
                let goals = flips(&mut parent.graph, step, &|site| cases(site));
                for goal in goals {
                    if left.are_over() {
                        break;
                    }
                    left.flips -= 1;
                    let solution = self.solve_at_once(&mut parent, goal);
                    let Some(values) = solution else {
                        left.misses -= 1;
                        continue;
                    };
                    let salt = hash(number as u64, report.outcomes.len() as u64);
                    let Found::Test(flipped, _) = parent.altered(&values, salt, Promise::Crossed)
                    else {
                        continue;
                    };
                    left.next.push_back((flipped.clone(), number + 1));
                    let ran = self.run(flipped, None, Promise::Crossed)?;
                    report.outcomes.push(Outcome::Ran(Box::new(ran)));
                }
            }
            self.solver.assume(&mut parent.assumptions, &parent.graph, step.condition);
        }
        Ok(())
    }

    /// Values for which a goal holds, if they are found without much work: there are other ways for parts to
    /// meet.
    fn solve_at_once(
        &mut self,
        parent: &mut Parent<'_>,
        goal: ExprId,
    ) -> Option<Vec<(Variable, u64)>> {
        let harder = sized(parent, goal, 0);
        let given = Given(parent.test);
        harder.into_iter().take(1).chain([goal]).find_map(|goal| {
            let (assumptions, graph) = (&mut parent.assumptions, &parent.graph);
            match self.solver.solve_soon(assumptions, graph, goal, &given) {
                Solution::Found(values) => Some(values),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_both_parts_is_between_them() {
        let byte = |at| Variable::byte(Origin::Stdin, at);
        let seam = Seam::Byte(Origin::Stdin, 4);
        assert!(seam.is_between([byte(3), byte(4)].iter()));
        assert!(!seam.is_between([byte(4), byte(5)].iter()));
        assert!(!seam.is_between([byte(1), Variable::byte(Origin::Argument(1), 9)].iter()));
        let argument = |number| Variable::byte(Origin::Argument(number), 0);
        assert!(Seam::Argument(2).is_between([argument(1), argument(2)].iter()));
    }
}
