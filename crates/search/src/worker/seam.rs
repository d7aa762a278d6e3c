//! What two parts of an input have to do with each other.
//!
//! Doing what one test does and then what another one does is of use if the second meets what the first has
//! left behind: the same name, another number, a key that collides. These are the decisions that depend on
//! both parts, so each of them is flipped, whether somebody has gone that way before or not.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use parallax_deadline::Deadline;
use parallax_path::{Given, Numbers};
use parallax_run::{TestCase, lab::RunError};
use parallax_solve::{ExprId, Graph, Origin, Part, Solution, Variable};

use super::{Diverged, Found, Parent, Report, Worker, sized};
use crate::{Outcome, Promise, decision::hash, joint::flips};

/// Flips of one joined test that are tried, if it is made to meet in some or in all ways.
const SOME_TURNS: usize = 16;
const ALL_TURNS: usize = 64;
/// Flips that may lead nowhere if all are wanted: where parts have little to do with each other, each of their many
/// meetings costs a query and brings nothing.
const FEW_MISSES: usize = 4;
/// Flips at one place: a loop may ask the same of each round.
const MOST_AT_ONE_PLACE: u32 = 2;

/// Where the second part of an input begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// At this byte of a text.
    Byte(Origin, usize),
    /// At this argument, counted as in `argv`.
    Argument(usize),
}

/// In which ways the parts of an input are made to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meet {
    /// In a few.
    Some,
    /// In as many as there are, also one after the other.
    All,
}

/// Flips of a joined test that are still to be taken.
struct Meetings {
    /// How many more may be, and how many of them may lead nowhere.
    flips: usize,
    misses: usize,
    /// Tests that they are taken of, with how many steps of each are known.
    next: VecDeque<(TestCase, usize)>,
}

impl Meetings {
    fn are_over(&self) -> bool {
        self.flips == 0 || self.misses == 0
    }
}

impl Joint {
    /// Whether a variable belongs to the second part; `None` if it belongs to none of both.
    fn is_second(&self, variable: &Variable) -> Option<bool> {
        match (self, &variable.origin, variable.part) {
            (Joint::Byte(text, at), origin, Part::Byte(byte) | Part::Number(byte)) => {
                (text == origin).then_some(byte as usize >= *at)
            }
            (Joint::Argument(at), Origin::Argument(number), _) => Some(*number as usize >= *at),
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
    /// Runs a test of two parts, and takes the flips that depend on both; then those of what came of them, if all
    /// meetings are wanted.
    pub(super) fn join(
        &mut self,
        test: &TestCase,
        joint: &Joint,
        wanted: Meet,
        deadline: Deadline,
    ) -> Result<Report, RunError> {
        let ran = self.run(test.clone(), None, Promise::Crossed)?;
        let mut report = Report {
            solving: Duration::ZERO,
            running: ran.time,
            outcomes: vec![Outcome::Ran(Box::new(ran))],
            idle_runs: 0,
            diverged: Diverged::default(),
        };
        let (flips, misses) = match wanted {
            Meet::Some => (SOME_TURNS, SOME_TURNS),
            Meet::All => (ALL_TURNS, FEW_MISSES),
        };
        let mut meetings = Meetings { flips, misses, next: VecDeque::from([(test.clone(), 0)]) };
        while !meetings.are_over()
            && !deadline.is_over()
            && let Some((test, known)) = meetings.next.pop_front()
        {
            self.meet(&test, known, joint, &mut meetings, deadline, &mut report)?;
            if wanted == Meet::Some {
                break;
            }
        }
        Ok(report)
    }

    /// Takes the flips of a test that depend on both of its parts; those of the first steps are known.
    fn meet(
        &mut self,
        test: &TestCase,
        known: usize,
        joint: &Joint,
        meetings: &mut Meetings,
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
            if meetings.are_over() || deadline.is_over() {
                break;
            }
            let variables: Vec<_> =
                parent.assumptions.variables(&parent.graph, step.condition).collect();
            let variables = variables.iter().map(|id| parent.graph.variable(*id));
            let asked = asked.entry((step.site, step.model_site)).or_default();
            let is_new = number >= known && step.kind.is_decision();
            if is_new && *asked < MOST_AT_ONE_PLACE && joint.is_between(variables) {
                *asked += 1;
                let goals = flips(&mut parent.graph, step, &|site| cases(site));
                for goal in goals {
                    if meetings.are_over() {
                        break;
                    }
                    meetings.flips -= 1;
                    let solving = Instant::now();
                    let solution = self.solve_at_once(&mut parent, goal);
                    report.solving += solving.elapsed();
                    let Some(values) = solution else {
                        meetings.misses -= 1;
                        continue;
                    };
                    let salt = hash(number as u64, report.outcomes.len() as u64);
                    let Found::Test(flipped, _) = parent.altered(&values, salt, Promise::Crossed)
                    else {
                        continue;
                    };
                    meetings.next.push_back((flipped.clone(), number + 1));
                    let ran = self.run(flipped, None, Promise::Crossed)?;
                    report.running += ran.time;
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
        let joint = Joint::Byte(Origin::Stdin, 4);
        assert!(joint.is_between([byte(3), byte(4)].iter()));
        assert!(!joint.is_between([byte(4), byte(5)].iter()));
        assert!(!joint.is_between([byte(1), Variable::byte(Origin::Argument(1), 9)].iter()));
        let argument = |number| Variable::byte(Origin::Argument(number), 0);
        assert!(Joint::Argument(2).is_between([argument(1), argument(2)].iter()));
    }
}
