//! Looking for inputs near a test on which the versions part.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
    time::{Duration, Instant},
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
    joint::{Atlas, Parting, PartingKind, Partings, partings},
};

/// A test near which the versions may part.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    pub(crate) test: Arc<TestCase>,
    /// The changes that it executes.
    pub(crate) executed: Vec<usize>,
}

/// What came of looking for ways to part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parted {
    /// What was asked, so that nobody asks again.
    pub(crate) asked: Vec<u64>,
    /// Values that the old version went on with, by a hash of how both came there.
    pub(crate) values: Vec<(u64, u64)>,
    /// Near what.
    pub(crate) near: Option<Apart>,
    pub(crate) impossible: u64,
    pub(crate) unknown: u64,
    /// Tests of which not all ways to part were understood, or gone through.
    pub(crate) incomplete: u64,
    /// Whether the versions went different ways on the test itself.
    pub(crate) diverges: bool,
    /// Whether there are more ways to part than were looked for.
    pub(crate) has_more: bool,
    /// What stands against a proof, of proof builds.
    pub(crate) obstacles: BTreeSet<Obstacle>,
    /// What the versions asked of the world around them.
    pub(crate) world: BTreeSet<String>,
    /// Further inputs of the same pair of paths, to be run on plain builds.
    pub(crate) others: Vec<TestCase>,
}

/// Ways to part near one test that are looked for at a time.
const MOST_PARTINGS: usize = 8;

/// What is taken for granted while ways to part are gone through.
#[derive(Default)]
struct SoFar {
    old: usize,
    new: usize,
    path: u64,
    /// Whether there are values among it that were taken for concrete.
    has_pins: bool,
    /// How many ways to part there were here before.
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

/// Mixes where a step is and where it goes into what tells paths apart.
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
fn hash_turn(step: &Step) -> u64 {
    match step.kind {
        StepKind::Value { .. } => hash(u64::from(step.site), 4),
        _ => hash_step(0, step),
    }
}

/// The expression and the value that the old version goes on with where the versions could part.
fn value_of(parting: &Parting, old: &Path) -> Option<(ExprId, u64)> {
    match old.steps.get(parting.old)?.kind {
        StepKind::Value { on, value } if parting.kind == PartingKind::OldTurns => Some((on, value)),
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
    /// Looks for inputs near a test on which the versions part.
    pub(super) fn part(
        &mut self,
        test: &TestCase,
        known: &HashSet<u64>,
        deadline: Deadline,
    ) -> Result<Report, RunError> {
        let mut report = Report {
            outcomes: Vec::new(),
            solving: Duration::ZERO,
            running: Duration::ZERO,
            idle_runs: 0,
            parted: Parted::default(),
        };
        let has_numbers = self.part_as(test, Numbers::Written, known, deadline, &mut report)?;
        if has_numbers {
            // Only what is found counts: what there is for numbers that are written otherwise, their own paths say.
            let mut others = Parted::default();
            std::mem::swap(&mut others, &mut report.parted);
            self.part_as(test, Numbers::Free, known, deadline, &mut report)?;
            others.asked.append(&mut report.parted.asked);
            report.parted = others;
        }
        Ok(report)
    }

    /// The same, with numbers as they are or as they could be. Whether there are any.
    fn part_as(
        &mut self,
        test: &TestCase,
        numbers: Numbers,
        known: &HashSet<u64>,
        deadline: Deadline,
        report: &mut Report,
    ) -> Result<bool, RunError> {
        let start = Instant::now();
        let mut graph = Graph::new();
        let Some((both, partings)) = self.both_paths(test, &mut graph, numbers)? else {
            return Ok(false);
        };
        report.parted.diverges |= partings.diverges;
        report.running += start.elapsed();
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
        for mut parting in partings.all {
            if parting.kind == PartingKind::Other && has_other {
                continue;
            }
            if parting.old < so_far.old || parting.new < so_far.new {
                // The second half starts over.
                so_far = SoFar::default();
                parent.assumptions = self.bounds_alone(&mut parent);
                free = self.bounds_alone(&mut parent);
            }
            self.go_on_to(&parting, &both, &mut parent, &mut free, &mut so_far)?;
            let mut key = hash(so_far.key(&parting, &both), numbers as u64);
            if let Some((on, value)) = value_of(&parting, &both.old) {
                report.parted.values.push((key, value));
                let known = self.known_values(key);
                let goal = other_value(&mut parent.graph, parting.goal, on, &known);
                let Some(goal) = goal else {
                    report.parted.incomplete += 1;
                    continue;
                };
                parting.goal = goal;
                key = known.iter().fold(key, |key, known| hash(key, *known));
            }
            // What happens on this very path is no question.
            if parent.graph.as_constant(parting.goal) == Some(1) {
                report.parted.obstacles.extend(parting.obstacle());
            }
            if known.contains(&key) || report.parted.asked.contains(&key) {
                continue;
            }
            let is_late = deadline.is_over();
            if is_late || report.parted.asked.len() == MOST_PARTINGS {
                report.parted.has_more = true;
                break;
            }
            report.parted.asked.push(key);
            if parting.kind == PartingKind::Other {
                has_other |= self.look_at_other(&parting, &mut parent, &so_far, report)?;
                continue;
            }
            self.try_to_part(&parting, &mut parent, &mut free, &so_far, report)?;
        }
        if !report.parted.has_more {
            for (version, path) in [(Version::Old, &both.old), (Version::New, &both.new)] {
                report.parted.obstacles.extend(obstacles_of(version, path));
                let named = path.approximations.named.keys();
                let asked = named.filter(|(counter, _)| *counter == Counter::World);
                report.parted.world.extend(asked.map(|(_, name)| name.clone()));
            }
        }
        let is_complete = partings.is_complete && is_exact(&both.old) && is_exact(&both.new);
        report.parted.incomplete += u64::from(!is_complete && !report.parted.has_more);
        Ok(has_numbers)
    }

    /// The paths of both versions, and how they could part; `None` if there is only one version.
    fn both_paths(
        &mut self,
        test: &TestCase,
        graph: &mut Graph,
        numbers: Numbers,
    ) -> Result<Option<(Both, Partings)>, RunError> {
        let limits = self.patience.limits(&self.limits);
        let mut new = self.path(test, graph, numbers)?;
        let deadline = self.deadline;
        let Some(opponent) = &mut self.opponent else { return Ok(None) };
        let mut old = opponent.path(test, &limits, graph, numbers, deadline)?;
        if numbers == Numbers::Free {
            let numbers = [&new.numbers[..], &old.numbers].concat();
            forget_digits(&mut new.steps, graph, &numbers);
            forget_digits(&mut old.steps, graph, &numbers);
        }
        let (guide, cases) = (&opponent.guide, &opponent.cases);
        let aim = opponent.aim;
        let atlas = Atlas { partner: &|site| guide.partner(site), cases: &|site| cases(site), aim };
        let partings = partings(graph, &old, &new, &atlas);
        Ok(Some((Both { old, new }, partings)))
    }

    /// Takes for granted what comes before a way to part; in `free` only what the programs themselves
    /// decide.
    fn go_on_to(
        &mut self,
        parting: &Parting,
        both: &Both,
        parent: &mut Parent<'_>,
        free: &mut Assumptions,
        so_far: &mut SoFar,
    ) -> Result<(), OutOfTime> {
        let mut pace = self.deadline.pace();
        let new = &both.new.steps[so_far.new..parting.new];
        let old = &both.old.steps[so_far.old..parting.old];
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
        let is_here = (so_far.old, so_far.new) == (parting.old, parting.new);
        so_far.number = if is_here { so_far.number + 1 } else { 0 };
        (so_far.old, so_far.new) = (parting.old, parting.new);
        Ok(())
    }

    /// Asks for an input on which the versions part, and runs it.
    fn try_to_part(
        &mut self,
        parting: &Parting,
        parent: &mut Parent<'_>,
        free: &mut Assumptions,
        so_far: &SoFar,
        report: &mut Report,
    ) -> Result<(), RunError> {
        let start = Instant::now();
        let is_output = parting.kind == PartingKind::Output;
        self.solver.set_work(if is_output { MUCH_WORK } else { SOME_WORK });
        let (solution, promise) = self.answer(parting.goal, parent, free, so_far.has_pins);
        report.solving += start.elapsed();
        match solution {
            Solution::Found(values) => {
                report.parted.obstacles.extend(parting.obstacle());
                let Found::Test(test, promise) = parent.altered(&values, so_far.path, promise)
                else {
                    // There are such inputs, and none of them is a test.
                    report.parted.incomplete += 1;
                    return Ok(());
                };
                let ran = self.run(test, None, promise)?;
                report.running += ran.time;
                // What should have been seen and was not is not understood.
                report.parted.incomplete += u64::from(is_output && !ran.contrast.differs);
                report.outcomes.push(Outcome::Ran(Box::new(ran)));
            }
            Solution::Impossible => report.parted.impossible += 1,
            Solution::Unknown => report.parted.unknown += 1,
        }
        Ok(())
    }

    /// Solves for another input of the same paths with little work, and runs it. Returns whether there is one.
    fn look_at_other(
        &mut self,
        parting: &Parting,
        parent: &mut Parent<'_>,
        so_far: &SoFar,
        report: &mut Report,
    ) -> Result<bool, RunError> {
        let start = Instant::now();
        self.solver.set_work(SOME_WORK);
        let solution = self.solve(parent, parting.goal, 0);
        report.solving += start.elapsed();
        let Solution::Found(values) = solution else { return Ok(false) };
        let Found::Test(test, promise) = parent.altered(&values, so_far.path, Promise::Exact)
        else {
            return Ok(false);
        };
        let ran = self.run(test.clone(), None, promise)?;
        report.running += ran.time;
        report.parted.others.push(test);
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
        // What was taken for concrete in one version need not be what it was for the other.
        std::mem::swap(&mut parent.assumptions, free);
        let other = self.solve(parent, goal, 0);
        std::mem::swap(&mut parent.assumptions, free);
        match other {
            Solution::Found(_) => (other, Promise::Optimistic),
            _ => (solution, Promise::Exact),
        }
    }
}

impl Parting {
    /// What stands against a proof if this is possible.
    fn obstacle(&self) -> Option<Obstacle> {
        match self.kind {
            PartingKind::Undefined { version, site, kind } => {
                Some(Obstacle { version, site, what: Doubt::Undefined(kind) })
            }
            PartingKind::Output
            | PartingKind::Other
            | PartingKind::OldTurns
            | PartingKind::NewTurns => None,
        }
    }
}

impl PartingKind {
    /// What tells it from the others.
    fn number(self) -> u64 {
        match self {
            PartingKind::Output => 0,
            PartingKind::OldTurns => 1,
            PartingKind::NewTurns => 2,
            PartingKind::Other => 3,
            PartingKind::Undefined { version, site, kind } => {
                hash(hash(3 + version as u64, u64::from(site)), kind as u64)
            }
        }
    }
}

impl SoFar {
    /// What tells a way to part from all others, of this test and of others.
    fn key(&self, parting: &Parting, both: &Both) -> u64 {
        let place = both.old.steps.get(parting.old).map_or(0, hash_turn);
        hash(hash(hash(self.path, parting.kind.number()), place), self.number)
    }
}
