//! Relational queries: inputs near a test on which the versions diverge.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use parallax_abi::Counter;
use parallax_compare::Version;
use parallax_deadline::{Deadline, OutOfTime};
use parallax_path::{Number, Numbers, Path, Step, StepKind, forget_digits};
use parallax_run::{TestCase, lab::RunError};
use parallax_solve::{Assumptions, ExprId, Graph, Solution};

use super::{Found, MUCH_WORK, Parent, Report, SOME_WORK, Worker, other_value};
use crate::{
    Doubt, Obstacle, Outcome, Promise,
    decision::hash,
    outcome::Ran,
    relational::{Atlas, Divergence, DivergenceKind, Divergences, divergences},
};

/// A test near which the versions may diverge.
#[derive(Clone, Debug)]
pub(crate) struct NearDivergence {
    pub(crate) test: Arc<TestCase>,
    /// The changes that it executes.
    pub(crate) executed: Vec<usize>,
}

impl NearDivergence {
    pub(crate) fn of(ran: &Ran) -> NearDivergence {
        NearDivergence { test: Arc::new(ran.test.clone()), executed: ran.relation.executed.clone() }
    }
}

/// The answers to relational queries near a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diverged {
    /// The queries that were made, hashed, so that none is made again.
    pub(crate) asked: Vec<u64>,
    /// Values that the old version went on with, by a hash of how both came there.
    pub(crate) values: Vec<(u64, u64)>,
    /// Near what.
    pub(crate) near: Option<NearDivergence>,
    pub(crate) unsat: u64,
    pub(crate) unknown: u64,
    /// Tests of which not all divergences were understood, or gone through.
    pub(crate) incomplete: u64,
    /// Whether the versions diverge on the test itself.
    pub(crate) diverges: bool,
    /// Whether there are more possible divergences than were asked for.
    pub(crate) has_more: bool,
    /// What stands against a proof, of proof builds.
    pub(crate) obstacles: BTreeSet<Obstacle>,
    /// What the versions asked of the world around them.
    pub(crate) world: BTreeSet<String>,
    /// Further inputs of the same pair of paths, to be run on plain builds.
    pub(crate) others: Vec<TestCase>,
}

/// Divergences near one test that are looked for at a time.
const MOST_DIVERGENCES: usize = 8;
/// The inputs that may come of that: numbers are looked at as they are written, and as they could be.
pub(super) const MOST_INPUTS: usize = 2 * MOST_DIVERGENCES;

/// The assumptions while possible divergences are gone through.
#[derive(Default)]
struct SoFar {
    old: usize,
    new: usize,
    path: u64,
    /// Whether concretised values are among them.
    has_pins: bool,
    /// How many possible divergences there were here before.
    number: u64,
}

/// Whether a path says all there is to say.
fn is_exact(path: &Path) -> bool {
    let approximations = &path.approximations;
    let counters = approximations.counters.iter();
    let mut counters = counters.filter(|(counter, _)| **counter != Counter::World);
    counters.all(|(_, count)| *count == 0)
        && approximations.unmodelled.is_empty()
        && approximations.damaged == 0
}

/// Mixes the place of a step and the way that it goes into the hash of a path.
fn hash_step(path: u64, step: &Step) -> u64 {
    let place = u64::from(step.site) | u64::from(step.model_site) << 32;
    let way = match step.kind {
        StepKind::Branch { taken } => u64::from(taken),
        StepKind::Switch { value, .. } => hash(2, value),
        StepKind::Value { value, .. } => hash(4, value),
        StepKind::Pin(_) | StepKind::Bounds | StepKind::Divisor => 3,
    };
    hash(hash(path, place), way)
}

/// Mixes where a step is and where else it could go: of a value, anywhere but to those that are known.
fn hash_flip(step: &Step) -> u64 {
    match step.kind {
        StepKind::Value { .. } => hash(u64::from(step.site), 4),
        _ => hash_step(0, step),
    }
}

/// The expression and the value that the old version goes on with where the versions could diverge.
fn value_of(divergence: &Divergence, old: &Path) -> Option<(ExprId, u64)> {
    match old.steps.get(divergence.old)?.kind {
        StepKind::Value { on, value } if divergence.kind == DivergenceKind::OldFlips => {
            Some((on, value))
        }
        _ => None,
    }
}

/// What a path says stands against a proof.
fn obstacles_of(version: Version, path: &Path) -> impl Iterator<Item = Obstacle> {
    let approximations = &path.approximations;
    let places = approximations.places.iter().map(|(counter, site)| (*counter, "", *site));
    let named = approximations.named.iter().flat_map(|((counter, name), sites)| {
        sites.iter().map(|site| (*counter, name.as_str(), *site))
    });
    let unmodelled = approximations.unmodelled.iter().flat_map(|(name, sites)| {
        sites.iter().map(|site| (Counter::Unmodelled, name.as_str(), *site))
    });
    let all = places.chain(named).chain(unmodelled);
    let all = all.filter(|(counter, ..)| *counter != Counter::World);
    all.map(move |(counter, name, site)| {
        let what = Doubt::Approximated { counter, name: name.to_owned() };
        Obstacle { version, site, what }
    })
}

/// Both paths of a test.
struct Both {
    old: Path,
    new: Path,
}

impl Worker {
    /// Looks for inputs near a test on which the versions diverge.
    pub(super) fn diverge(
        &mut self,
        test: &TestCase,
        known: &HashSet<u64>,
        limits: (usize, Deadline),
    ) -> Result<Report, RunError> {
        let mut report = Report::default();
        let has_numbers = self.diverge_as(test, Numbers::Written, known, limits, &mut report)?;
        if has_numbers {
            // Only what is found counts: what there is for numbers that are written otherwise, their own paths say.
            let mut others = Diverged::default();
            std::mem::swap(&mut others, &mut report.diverged);
            self.diverge_as(test, Numbers::Free, known, limits, &mut report)?;
            others.asked.append(&mut report.diverged.asked);
            report.diverged = others;
        }
        Ok(report)
    }

    /// The same, with numbers as they are or as they could be. Whether there are any.
    fn diverge_as(
        &mut self,
        test: &TestCase,
        numbers: Numbers,
        known: &HashSet<u64>,
        (most, deadline): (usize, Deadline),
        report: &mut Report,
    ) -> Result<bool, RunError> {
        let mut graph = Graph::new();
        let Some((both, divergences)) = self.both_paths(test, &mut graph, numbers)? else {
            return Ok(false);
        };
        report.diverged.diverges |= divergences.diverges;
        let all: Vec<Number> = both.new.numbers.iter().chain(&both.old.numbers).cloned().collect();
        let has_numbers = !all.is_empty();
        let mut parent = Parent::new(test, graph);
        if numbers == Numbers::Free {
            parent.numbers = all;
        }
        self.assume_bounds(&mut parent);
        let mut free = self.bounds_alone(&mut parent);
        let mut so_far = SoFar::default();
        let mut has_other = numbers == Numbers::Free;
        for mut divergence in divergences.all {
            if divergence.kind == DivergenceKind::Other && has_other {
                continue;
            }
            if divergence.old < so_far.old || divergence.new < so_far.new {
                // The second half starts over.
                so_far = SoFar::default();
                parent.assumptions = self.bounds_alone(&mut parent);
                free = self.bounds_alone(&mut parent);
            }
            self.go_on_to(&divergence, &both, &mut parent, &mut free, &mut so_far)?;
            let mut key = hash(so_far.key(&divergence, &both), numbers as u64);
            if let Some((on, value)) = value_of(&divergence, &both.old) {
                report.diverged.values.push((key, value));
                let known = self.known_values(key);
                let goal = other_value(&mut parent.graph, divergence.goal, on, &known);
                let Some(goal) = goal else {
                    report.diverged.incomplete += 1;
                    continue;
                };
                divergence.goal = goal;
                key = known.iter().fold(key, |key, known| hash(key, *known));
            }
            // What happens on this very path is no question.
            if parent.graph.as_constant(divergence.goal) == Some(1) {
                report.diverged.obstacles.extend(divergence.obstacle());
            }
            if known.contains(&key) || report.diverged.asked.contains(&key) {
                continue;
            }
            let is_over = deadline.is_over() || report.outcomes.len() >= most;
            if is_over || report.diverged.asked.len() == MOST_DIVERGENCES {
                report.diverged.has_more = true;
                break;
            }
            report.diverged.asked.push(key);
            if divergence.kind == DivergenceKind::Other {
                has_other |= self.look_at_other(&divergence, &mut parent, &so_far, report)?;
                continue;
            }
            self.try_to_diverge(&divergence, &mut parent, &mut free, &so_far, report)?;
        }
        if !report.diverged.has_more {
            for (version, path) in [(Version::Old, &both.old), (Version::New, &both.new)] {
                report.diverged.obstacles.extend(obstacles_of(version, path));
                let named = path.approximations.named.keys();
                let asked = named.filter(|(counter, _)| *counter == Counter::World);
                report.diverged.world.extend(asked.map(|(_, name)| name.clone()));
            }
        }
        let is_complete = divergences.is_complete && is_exact(&both.old) && is_exact(&both.new);
        report.diverged.incomplete += u64::from(!is_complete && !report.diverged.has_more);
        Ok(has_numbers)
    }

    /// The paths of both versions, and how they could diverge; `None` if there is only one version.
    fn both_paths(
        &mut self,
        test: &TestCase,
        graph: &mut Graph,
        numbers: Numbers,
    ) -> Result<Option<(Both, Divergences)>, RunError> {
        let limits = self.time_limit.limits();
        let mut new = self.path(test, graph, numbers)?;
        let deadline = self.deadline;
        let Some(counterpart) = &mut self.counterpart else { return Ok(None) };
        let mut old = counterpart.path(test, &limits, graph, numbers, deadline)?;
        if numbers == Numbers::Free {
            let numbers = [&new.numbers[..], &old.numbers].concat();
            forget_digits(&mut new.steps, graph, &numbers);
            forget_digits(&mut old.steps, graph, &numbers);
        }
        let (guide, cases) = (&counterpart.guide, &counterpart.cases);
        let aim = counterpart.aim;
        let atlas =
            Atlas { counterpart: &|site| guide.counterpart(site), cases: &|site| cases(site), aim };
        let divergences = divergences(graph, &old, &new, &atlas);
        Ok(Some((Both { old, new }, divergences)))
    }

    /// Assumes the steps before a possible divergence; in `free` only what the programs themselves
    /// decide.
    fn go_on_to(
        &mut self,
        divergence: &Divergence,
        both: &Both,
        parent: &mut Parent<'_>,
        free: &mut Assumptions,
        so_far: &mut SoFar,
    ) -> Result<(), OutOfTime> {
        let mut pace = self.deadline.pace();
        let new = &both.new.steps[so_far.new..divergence.new];
        let old = &both.old.steps[so_far.old..divergence.old];
        let steps = new.iter().map(|step| (Version::New, step));
        let steps = steps.chain(old.iter().map(|step| (Version::Old, step)));
        for (version, step) in steps {
            pace.step()?;
            self.solver.assume(&mut parent.assumptions, &parent.graph, step.condition);
            match step.kind.is_decision() {
                true => self.solver.assume(free, &parent.graph, step.condition),
                false => so_far.has_pins = true,
            }
            // The places of both versions have the same numbers.
            so_far.path = hash_step(hash(so_far.path, version as u64), step);
        }
        let is_here = (so_far.old, so_far.new) == (divergence.old, divergence.new);
        so_far.number = if is_here { so_far.number + 1 } else { 0 };
        (so_far.old, so_far.new) = (divergence.old, divergence.new);
        Ok(())
    }

    /// Asks for an input on which the versions diverge, and runs it.
    fn try_to_diverge(
        &mut self,
        divergence: &Divergence,
        parent: &mut Parent<'_>,
        free: &mut Assumptions,
        so_far: &SoFar,
        report: &mut Report,
    ) -> Result<(), RunError> {
        let is_output = divergence.kind == DivergenceKind::Output;
        self.solver.set_work(if is_output { MUCH_WORK } else { SOME_WORK });
        let (solution, promise) = self.answer(divergence.goal, parent, free, so_far.has_pins);
        match solution {
            Solution::Found(values) => {
                report.diverged.obstacles.extend(divergence.obstacle());
                let Found::Test(test, promise) = parent.altered(&values, so_far.path, promise)
                else {
                    // There are such inputs, and none of them is a test.
                    report.diverged.incomplete += 1;
                    return Ok(());
                };
                let ran = self.run(test, None, promise)?;
                // What should have been seen and was not is not understood.
                report.diverged.incomplete += u64::from(is_output && !ran.relation.differs);
                report.outcomes.push(Outcome::Ran(Box::new(ran)));
            }
            Solution::Impossible => report.diverged.unsat += 1,
            Solution::Unknown => report.diverged.unknown += 1,
        }
        Ok(())
    }

    /// Solves for another input of the same paths with little work, and runs it. Returns whether there is one.
    fn look_at_other(
        &mut self,
        divergence: &Divergence,
        parent: &mut Parent<'_>,
        so_far: &SoFar,
        report: &mut Report,
    ) -> Result<bool, RunError> {
        self.solver.set_work(SOME_WORK);
        let solution = self.solve(parent, divergence.goal, 0);
        let Solution::Found(values) = solution else { return Ok(false) };
        let Found::Test(test, promise) = parent.altered(&values, so_far.path, Promise::Exact)
        else {
            return Ok(false);
        };
        let ran = self.run(test.clone(), None, promise)?;
        report.diverged.others.push(test);
        report.outcomes.push(Outcome::Ran(Box::new(ran)));
        Ok(true)
    }

    fn answer(
        &mut self,
        goal: ExprId,
        parent: &mut Parent<'_>,
        free: &mut Assumptions,
        has_pins: bool,
    ) -> (Solution, Promise) {
        let solution = self.solve(parent, goal, 0);
        if !has_pins || matches!(solution, Solution::Found(_)) {
            return (solution, Promise::Exact);
        }
        // A value that was concretised in one version may be another one for the other version.
        std::mem::swap(&mut parent.assumptions, free);
        let other = self.solve(parent, goal, 0);
        std::mem::swap(&mut parent.assumptions, free);
        match other {
            Solution::Found(_) => (other, Promise::Optimistic),
            _ => (solution, Promise::Exact),
        }
    }
}

impl Divergence {
    /// What stands against a proof if this is possible.
    fn obstacle(&self) -> Option<Obstacle> {
        match self.kind {
            DivergenceKind::Undefined { version, site, kind } => {
                Some(Obstacle { version, site, what: Doubt::Undefined(kind) })
            }
            DivergenceKind::Output
            | DivergenceKind::Other
            | DivergenceKind::OldFlips
            | DivergenceKind::NewFlips => None,
        }
    }
}

impl DivergenceKind {
    /// What tells it from the others.
    fn number(self) -> u64 {
        match self {
            DivergenceKind::Output => 0,
            DivergenceKind::OldFlips => 1,
            DivergenceKind::NewFlips => 2,
            DivergenceKind::Other => 3,
            DivergenceKind::Undefined { version, site, kind } => {
                hash(hash(3 + version as u64, u64::from(site)), kind as u64)
            }
        }
    }
}

impl SoFar {
    /// The identity of a possible divergence among all others, of this test and of others.
    fn key(&self, divergence: &Divergence, both: &Both) -> u64 {
        let place = both.old.steps.get(divergence.old).map_or(0, hash_flip);
        hash(hash(hash(self.path, divergence.kind.number()), place), self.number)
    }
}
