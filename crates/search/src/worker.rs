//! A worker: runs tests, solves for flips and divergences, and runs the inputs that it finds.

mod divergence;
mod numbers;
mod repair;
mod seam;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use parallax_abi::Counter;
use parallax_deadline::{Deadline, OutOfTime};
use parallax_path::{
    Altered, Comparison, Given, GivenNumbers, Number, Numbers, Path, Step, StepKind,
};
use parallax_run::{
    Ending, Limits, Observation, Subject, TestCase,
    lab::{Lab, RunError},
    trace::{Trace, TraceEvent, TraceMemory},
};
use parallax_solve::{
    Assumptions, Binary, ExprId, Graph, Origin, Part, Solution, Solver, Values, Variable, Work,
};

pub(crate) use self::{
    divergence::{Diverged, NearDivergence},
    seam::{Depth, Seam},
};
use self::{numbers::handy, repair::Ways};
use crate::{
    Bounds, Expense, Flip, Outcome, Policy, Promise, Relation, Target, Way,
    counterpart::{CounterpartRunner, has},
    decision::{decisions, hash},
    filler::filler,
    frontier::{Attempt, Batch},
    outcome::{Beside, Ran},
    recent::Recent,
    relational::on_no_case,
    strategy::{NUMBERS, OPTIMISM, REPAIR},
    time_limit::TimeLimit,
    trimming::trimmed,
};

/// The values of the switch at a place.
pub type Cases = Arc<dyn Fn(u32) -> Vec<u64> + Send + Sync>;

/// What is known of the program.
#[derive(Clone)]
pub struct Code {
    /// The values of the switch at a place.
    pub cases: Cases,
    /// The places of all ways of the program's own branches.
    pub branches: Vec<u32>,
    /// Strings that occur in it.
    pub words: Vec<Vec<u8>>,
}

/// What a worker is to do.
pub(crate) enum Job {
    /// Flip branches of a test.
    Flips(Batch),
    /// Run a test as it is.
    Run(TestCase),
    /// Run a spliced test and flip decisions at its seam, with at most so many inputs.
    Splice(TestCase, Seam, Depth, usize),
    /// Run tests to see whether they cover something, and trace those that do.
    Mutants(Vec<TestCase>),
    /// Look for at most so many inputs near a test on which the versions diverge. The queries that were made before
    /// are known.
    Diverge(NearDivergence, Arc<HashSet<u64>>, usize),
}

impl Job {
    /// A spliced test whose seam is flipped.
    pub(crate) fn splice(test: TestCase, seam: Seam, depth: Depth) -> Job {
        Job::Splice(test, seam, depth, depth.most_inputs())
    }

    /// A search for divergences near a test.
    pub(crate) fn diverge(near: NearDivergence, known: Arc<HashSet<u64>>) -> Job {
        Job::Diverge(near, known, divergence::MOST_INPUTS)
    }

    /// How many inputs it is about to run; those that come of relational queries are not counted.
    pub(crate) fn inputs(&self) -> usize {
        match self {
            Job::Flips(batch) => batch.flips.len(),
            Job::Run(_) | Job::Splice(..) => 1,
            Job::Mutants(tests) => tests.len(),
            Job::Diverge(..) => 0,
        }
    }

    /// The most inputs that it may run.
    pub(crate) fn most_inputs(&self) -> usize {
        match self {
            Job::Splice(.., most) | Job::Diverge(.., most) => *most,
            _ => self.inputs(),
        }
    }

    /// Whether answers to queries decide how many inputs it runs.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Job::Splice(..) | Job::Diverge(..))
    }

    /// Limits it to so many inputs.
    pub(crate) fn limit(&mut self, inputs: usize) {
        match self {
            Job::Flips(batch) => batch.flips.truncate(inputs),
            Job::Mutants(tests) => tests.truncate(inputs),
            Job::Splice(.., most) | Job::Diverge(.., most) => *most = (*most).min(inputs),
            Job::Run(_) if inputs > 0 => {}
            Job::Run(_) => *self = Job::Mutants(Vec::new()),
        }
    }
}

/// What came of a job.
#[derive(Default)]
pub(crate) struct Report {
    /// One for each flip of the job, or for its run.
    pub(crate) outcomes: Vec<Outcome>,
    /// Runs that covered nothing new.
    pub(crate) idle_runs: u64,
    /// Ways to part that were looked for.
    pub(crate) diverged: Diverged,
    pub(crate) expense: Expense,
}

pub(crate) struct Worker {
    pub(crate) lab: Lab,
    /// The other version.
    pub(crate) counterpart: Option<CounterpartRunner>,
    pub(crate) memory: TraceMemory,
    pub(crate) recent: Arc<Mutex<Recent>>,
    pub(crate) subject: Subject,
    pub(crate) code: Code,
    pub(crate) bounds: Bounds,
    pub(crate) policy: Policy,
    pub(crate) solver: Solver,
    pub(crate) time_limit: TimeLimit,
    /// When the job that is being done has to end.
    pub(crate) deadline: Deadline,
    /// The places of the program's branches.
    pub(crate) branches: Arc<HashSet<u32>>,
    /// What was seen before this round, and what was seen since the current job was begun: the result of a job depends
    /// on the job alone, not on the worker and its other jobs.
    pub(crate) before: Arc<Seen>,
    pub(crate) since: Seen,
    /// What runs have cost since the job was begun.
    pub(crate) expense: Expense,
}

/// What runs have done.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    /// The places that they came to.
    places: HashSet<u32>,
    /// The ways of branches that they went together with a change.
    beside: HashSet<Beside>,
    /// The values that they went on with where any is possible, by a hash of how they came there.
    values: HashMap<u64, BTreeSet<u64>>,
}

impl Seen {
    /// Adds what a run has done, and says how many ways together with a change are new.
    pub(crate) fn add(&mut self, ran: &Ran) -> usize {
        self.places.extend(&ran.places);
        self.add_values(&ran.decisions.values);
        ran.beside.iter().filter(|beside| self.beside.insert(**beside)).count()
    }
}

impl Seen {
    /// Adds values that runs went on with.
    pub(crate) fn add_values(&mut self, values: &[(u64, u64)]) {
        for (place, value) in values {
            self.values.entry(*place).or_default().insert(*value);
        }
    }
}

/// A traced run of a test whose flips are to be taken, as expressions.
struct Parent<'p> {
    test: &'p TestCase,
    graph: Graph,
    assumptions: Assumptions,
    /// Numbers that could be others.
    numbers: Vec<Number>,
}

impl<'p> Parent<'p> {
    fn new(test: &'p TestCase, graph: Graph) -> Parent<'p> {
        Parent { test, graph, assumptions: Assumptions::new(), numbers: Vec::new() }
    }

    /// The test in which variables have these values.
    fn altered(&self, values: &[(Variable, u64)], salt: u64, promise: Promise) -> Found {
        let filler = filler(self.test, salt);
        let test = Altered::new(self.test, &filler).with(values);
        match test.and_then(|test| self.with_numbers(test, values)) {
            Some(test) => Found::Test(test, promise),
            None => Found::Nothing,
        }
    }
}

impl Worker {
    /// Runs a test and says what it did; if it covers something new, a smaller one that does so, too,
    /// stands for it.
    pub(crate) fn run(
        &mut self,
        test: TestCase,
        flip: Option<Flip>,
        promise: Promise,
    ) -> Result<Ran, RunError> {
        let ran = self.run_as_it_is(test, flip, promise)?;
        let is_branch = |place: &u32| self.branches.contains(place);
        let new: Vec<u32> = ran.places.iter().copied().filter(is_branch).collect();
        let is_final = ran.relation.differs || !matches!(ran.ending, Ending::Exit(_));
        let brings_nothing = new.is_empty() && ran.beside.is_empty();
        if brings_nothing || promise == Promise::Given || is_final {
            return Ok(ran);
        }
        let small = self.trim(&ran, &new)?;
        if small == ran.test {
            return Ok(ran);
        }
        let small = self.run_as_it_is(small, None, promise)?;
        let mut whole = ran;
        let mut places = std::mem::take(&mut whole.places);
        let mut beside = std::mem::take(&mut whole.beside);
        let distances = std::mem::take(&mut whole.distances);
        places.extend(&small.places);
        beside.extend(&small.beside);
        let as_meant = whole.as_meant;
        whole.flip = None;
        let whole = Some(Box::new(whole));
        Ok(Ran { flip, as_meant, places, beside, distances, whole, ..small })
    }

    /// A smaller test that covers the same new places, also together with a change, and ends in the same
    /// way.
    fn trim(&mut self, ran: &Ran, new: &[u32]) -> Result<TestCase, RunError> {
        let changes: BTreeSet<usize> = ran.beside.iter().map(|beside| beside.change).collect();
        let (alone, shared): (Vec<Beside>, Vec<Beside>) =
            ran.beside.iter().partition(|beside| beside.is_alone);
        trimmed(&ran.test, &mut |smaller| {
            let limits = self.time_limit.limits();
            let seen = self.cover(smaller, &limits)?;
            let Worker { memory, counterpart, .. } = self;
            let trace = memory.trace();
            let has = |place: &u32| has(trace, *place);
            let executes = |change: &usize| {
                counterpart
                    .as_ref()
                    .is_some_and(|counterpart| counterpart.is_executed(*change, trace))
            };
            let is_as_good = seen.ending == ran.ending
                && new.iter().all(has)
                && shared.iter().all(|beside| has(&beside.place))
                && changes.iter().all(executes);
            let Some(counterpart) =
                counterpart.as_mut().filter(|_| is_as_good && !alone.is_empty())
            else {
                return Ok(is_as_good);
            };
            let relation = counterpart.relate(smaller, &seen, trace, &limits)?;
            Ok(alone.iter().all(|beside| relation.alone.contains(&beside.place)))
        })
    }

    fn run_as_it_is(
        &mut self,
        test: TestCase,
        flip: Option<Flip>,
        promise: Promise,
    ) -> Result<Ran, RunError> {
        let start = Instant::now();
        let mut seen = self.trace(&test, &self.time_limit.limits())?;
        let mut decisions = decisions(self.memory.trace(), &*self.code.cases);
        match seen.ending {
            Ending::Exit(_) => self.time_limit.learn(start.elapsed()),
            // Whether it ends at all is found out for each place that it may be stuck at.
            Ending::TimeLimit if !self.time_limit.is_stuck(decisions.last_site) => {
                let limits = self.time_limit.full();
                seen = self.trace(&test, &limits)?;
                decisions = crate::decision::decisions(self.memory.trace(), &*self.code.cases);
                self.time_limit.judge(decisions.last_site, seen.ending, start.elapsed());
            }
            _ => {}
        }
        let trace = self.memory.trace();
        if let Ending::Exit(_) | Ending::Signal(_) = seen.ending {
            self.recent.lock().unwrap_or_else(PoisonError::into_inner).keep(&test, trace);
        }
        let relation = match &mut self.counterpart {
            Some(counterpart) => {
                counterpart.relate(&test, &seen, trace, &self.time_limit.limits())?
            }
            None => Relation::default(),
        };
        let Worker { before, since, .. } = self;
        let is_new = |place: &u32| !before.places.contains(place) && since.places.insert(*place);
        let places: Vec<u32> = covered(trace).filter(is_new).collect();
        let open =
            self.counterpart.as_ref().map(|counterpart| counterpart.open(&relation.executed));
        let open = open.unwrap_or_default();
        let beside = beside((trace, &relation.alone), &open, &self.branches);
        let is_new =
            |beside: &Beside| !before.beside.contains(beside) && since.beside.insert(*beside);
        let beside = beside.filter(is_new).collect();
        let distances = match &self.counterpart {
            Some(counterpart) if !places.is_empty() => {
                counterpart.distances(covered(trace).filter(|place| self.branches.contains(place)))
            }
            _ => Vec::new(),
        };
        let unmodelled = trace.events().filter_map(|event| match event {
            TraceEvent::Approximated { counter: Counter::Unmodelled, name, .. } => trace.blob(name),
            _ => None,
        });
        let unmodelled = unmodelled.map(|name| String::from_utf8_lossy(name.bytes).into_owned());
        Ok(Ran {
            as_meant: flip.is_none_or(|flip| decisions.prefixes.contains(&flip.path)),
            flip,
            promise,
            ending: seen.ending,
            places,
            beside,
            distances,
            whole: None,
            counters: trace.counters().collect(),
            unmodelled: unmodelled.collect(),
            decisions,
            relation,
            test,
        })
    }

    /// Runs a test that was given.
    pub(crate) fn run_given(
        &mut self,
        test: TestCase,
        deadline: Deadline,
    ) -> Result<Ran, RunError> {
        self.end_by(deadline);
        self.run(test, None, Promise::Given)
    }

    /// The programs that runs of both versions tried to start and that are not there.
    pub(crate) fn take_absent(&mut self) -> BTreeSet<Vec<u8>> {
        let mut absent = self.lab.take_absent();
        absent.extend(
            self.counterpart.iter_mut().flat_map(|counterpart| counterpart.lab.take_absent()),
        );
        absent
    }

    /// Has runs and queries end by a deadline from now on.
    fn end_by(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.solver.set_deadline(deadline);
        let of_runs = deadline.and_for(GRACE);
        self.lab.set_deadline(of_runs);
        if let Some(counterpart) = &mut self.counterpart {
            counterpart.lab.set_deadline(of_runs);
        }
    }

    /// Does a job, and says what came of it and what that has cost.
    pub(crate) fn work(&mut self, job: Job, deadline: Deadline) -> Result<Report, RunError> {
        self.end_by(deadline);
        self.solver.forget();
        self.since = Seen::default();
        let (start, solved) = (Instant::now(), self.solver.statistics().clone());
        let mut report = self.do_job(job, deadline)?;
        report.expense = self.take_expense();
        report.expense.add_solving(&solved, self.solver.statistics());
        let Expense { running, solving, .. } = report.expense;
        report.expense.reading = start.elapsed().saturating_sub(running + solving);
        Ok(report)
    }

    fn do_job(&mut self, job: Job, deadline: Deadline) -> Result<Report, RunError> {
        match job {
            Job::Flips(batch) => self.flip_all(&batch, deadline),
            Job::Run(test) => {
                let ran = self.run(test, None, Promise::Crossed)?;
                Ok(Report { outcomes: vec![Outcome::Ran(Box::new(ran))], ..Report::default() })
            }
            Job::Splice(test, seam, meet, most) => {
                self.splice(&test, &seam, (meet, most), deadline)
            }
            Job::Mutants(tests) => self.run_mutants(tests, deadline),
            Job::Diverge(divergent, known, most) => {
                let mut report = self.diverge(&divergent.test, &known, (most, deadline))?;
                report.diverged.near = Some(divergent);
                Ok(report)
            }
        }
    }

    /// What runs of both versions have cost since this was asked.
    pub(crate) fn take_expense(&mut self) -> Expense {
        let counterpart = self.counterpart.as_mut().map(|it| std::mem::take(&mut it.expense));
        std::mem::take(&mut self.expense) + counterpart.unwrap_or_default()
    }

    /// Runs tests that are most likely to bring nothing, so without tracing them; but now and then
    /// one is traced, as it may be on the way to something.
    fn run_mutants(
        &mut self,
        tests: Vec<TestCase>,
        deadline: Deadline,
    ) -> Result<Report, RunError> {
        let mut report = Report::default();
        for (number, test) in tests.into_iter().enumerate() {
            if deadline.is_over() {
                break;
            }
            if number % TRACED_ANYWAY != 0 {
                let limits = self.time_limit.limits();
                let seen = self.cover(&test, &limits)?;
                let seen_before = [&*self.before, &self.since];
                let is_new_place =
                    |place: &u32| seen_before.iter().all(|seen| !seen.places.contains(place));
                let is_new_beside =
                    |beside: &Beside| seen_before.iter().all(|seen| !seen.beside.contains(beside));
                let is_new = covered(self.memory.trace()).any(|place| is_new_place(&place));
                let is_different = match &mut self.counterpart {
                    Some(counterpart) if !is_new => {
                        let trace = self.memory.trace();
                        let relation = counterpart.relate(&test, &seen, trace, &limits)?;
                        let open = counterpart.open(&relation.executed);
                        let mut beside = beside((trace, &relation.alone), &open, &self.branches);
                        relation.differs || beside.any(|beside| is_new_beside(&beside))
                    }
                    _ => false,
                };
                if !is_new && !is_different && matches!(seen.ending, Ending::Exit(_)) {
                    report.idle_runs += 1;
                    continue;
                }
            }
            let ran = self.run(test, None, Promise::Crossed)?;
            report.outcomes.push(Outcome::Ran(Box::new(ran)));
        }
        Ok(report)
    }

    fn trace(&mut self, test: &TestCase, limits: &Limits) -> Result<Observation, RunError> {
        let start = Instant::now();
        let seen = self.lab.trace(&self.subject, test, limits, &mut self.memory)?;
        self.expense.add_run(start, &seen, self.memory.trace());
        Ok(seen)
    }

    /// Runs a test to see what it covers.
    fn cover(&mut self, test: &TestCase, limits: &Limits) -> Result<Observation, RunError> {
        let start = Instant::now();
        let seen = self.lab.cover(&self.subject, test, limits, &mut self.memory)?;
        self.expense.add_run(start, &seen, self.memory.trace());
        Ok(seen)
    }

    /// The path that a test takes, from the trace of an earlier run if there is one.
    fn path(
        &mut self,
        test: &TestCase,
        graph: &mut Graph,
        numbers: Numbers,
    ) -> Result<Path, RunError> {
        let known = self.recent.lock().unwrap_or_else(PoisonError::into_inner).of(test);
        if let Some(known) = known {
            let cases = &*self.code.cases;
            self.expense.add_reading(known.view());
            return Ok(parallax_path::read_by(known.view(), graph, cases, numbers, self.deadline)?);
        }
        self.trace(test, &self.time_limit.limits())?;
        Ok(self.read(graph, numbers)?)
    }

    /// The path of the run that was traced last.
    fn read(&mut self, graph: &mut Graph, numbers: Numbers) -> Result<Path, OutOfTime> {
        let (trace, cases) = (self.memory.trace(), &*self.code.cases);
        self.expense.add_reading(trace);
        parallax_path::read_by(trace, graph, cases, numbers, self.deadline)
    }

    /// Flips branches of a test.
    fn flip_all(&mut self, job: &Batch, deadline: Deadline) -> Result<Report, RunError> {
        let mut graph = Graph::new();
        let path = self.path(&job.test, &mut graph, Numbers::Written)?;
        let mut report = Report::default();
        let mut parent = Parent::new(&job.test, graph);
        let mut rewriting = None;
        self.assume_bounds(&mut parent);
        let mut steps = path.steps.iter().peekable();
        for attempt in &job.flips {
            let flip = &attempt.flip;
            while let Some(step) = steps.next_if(|step| step.event < flip.event) {
                self.solver.assume(&mut parent.assumptions, &parent.graph, step.condition);
                if step.event.is_multiple_of(256) && deadline.is_over() {
                    return Ok(report);
                }
            }
            if deadline.is_over() {
                break;
            }
            let step = steps.peek().copied().filter(|step| step.event == flip.event);
            let mut found = self.find(&mut parent, &path, attempt, step);
            let is_unknown = matches!(found, Found::Unknown | Found::Nothing);
            if !matches!(found, Found::Test(..))
                && flip.is_own_decision()
                && self.policy.has(NUMBERS)
                && !path.numbers.is_empty()
            {
                let other = self.rewrite(&mut rewriting, &job.test, attempt)?;
                found = if let Found::Test(..) = other { other } else { found };
            }
            if let (Found::Infeasible | Found::Unknown, Some(step)) = (&found, step) {
                found = self.find_alone(&mut parent, attempt, step, found);
            }
            // A guess does not say whether the flip can be taken on this path.
            if is_unknown && matches!(found, Found::Test(..)) {
                report.outcomes.push(Outcome::Unknown(flip.target));
            }
            let outcome = match found {
                Found::Test(test, promise) if test != *job.test => {
                    let test = match promise {
                        Promise::Spliced if self.policy.has(REPAIR) => {
                            self.led_back(&job.test, test, &path, attempt)?
                        }
                        _ => test,
                    };
                    let ran = self.run(test, Some(*flip), promise)?;
                    Outcome::Ran(Box::new(ran))
                }
                // A text that is put in is only a guess. All else has to be accounted for: a run that does not
                // repeat itself loses its flips.
                Found::Test(..) | Found::Nothing => match flip.target.way {
                    Way::Equal(_) => Outcome::Gone,
                    _ => Outcome::Unknown(flip.target),
                },
                Found::Infeasible => Outcome::Infeasible(flip.target),
                Found::Unknown => Outcome::Unknown(flip.target),
            };
            report.outcomes.push(outcome);
        }
        Ok(report)
    }

    /// A test that a text was put into, repaired if that has led it astray. What was there before may have been
    /// good for something: if it is missed, the text is put before it, with and without something between them.
    fn led_back(
        &mut self,
        parent: &TestCase,
        test: TestCase,
        path: &Path,
        attempt: &Attempt,
    ) -> Result<TestCase, RunError> {
        let Attempt { flip, tries, .. } = attempt;
        let wanted = path.comparisons.iter().find(|found| found.event == flip.event);
        let Some(wanted) = wanted else { return Ok(test) };
        let ways = Ways::of(path, flip.event);
        if let Some(repaired) = self.repair(&test, wanted, &ways, (flip, *tries))? {
            return Ok(repaired);
        }
        for between in [&b""[..], b"0"] {
            let text = [&wanted.wanted, between].concat();
            let before = Comparison { length: 0, wanted: text, ..wanted.clone() };
            if let Found::Test(before, _) = spliced(parent, &before)
                && self.bounds.admit(&before)
                && let Some(repaired) = self.repair(&before, wanted, &ways, (flip, *tries))?
            {
                return Ok(repaired);
            }
        }
        Ok(test)
    }

    fn find(
        &mut self,
        parent: &mut Parent<'_>,
        path: &Path,
        attempt: &Attempt,
        step: Option<&Step>,
    ) -> Found {
        let Attempt { flip, tries, is_new } = *attempt;
        if let Way::Equal(_) = flip.target.way {
            let wanted = path.comparisons.iter().find(|found| found.event == flip.event);
            let found = wanted.map_or(Found::Nothing, |wanted| spliced(parent.test, wanted));
            return match found {
                Found::Test(test, _) if !self.bounds.admit(&test) => Found::Nothing,
                found => found,
            };
        }
        let Some(step) = step else {
            return match path.settled.binary_search(&(flip.event, flip.target.site)) {
                Ok(_) => Found::Infeasible,
                Err(_) => Found::Nothing,
            };
        };
        // A loop may ask the same again and again.
        if step.kind.is_decision()
            && matches!(flip.target.way, Way::Branch(_))
            && parent.assumptions.has(step.condition)
        {
            return Found::Infeasible;
        }
        let goal = match (step.kind, flip.target.way) {
            (StepKind::Value { on, .. }, Way::NewValue(place)) => {
                let other = parent.graph.not(step.condition);
                other_value(&mut parent.graph, other, on, &self.known_values(place))
            }
            _ => goal(&mut parent.graph, &flip.target, step, &*self.code.cases),
        };
        let Some(goal) = goal else { return Found::Nothing };
        let salt = hash(flip.path, tries.into());
        let is_worth_it = is_new && flip.target.model_site == 0;
        self.solver.set_work(if is_worth_it { MUCH_WORK } else { SOME_WORK });
        match self.solve(parent, goal, tries) {
            Solution::Found(values) => parent.altered(&values, salt, Promise::Exact),
            other => other.into(),
        }
    }

    /// The values that runs went on with at a place before this round.
    fn known_values(&self, place: u64) -> BTreeSet<u64> {
        self.before.values.get(&place).cloned().unwrap_or_default()
    }

    /// What was found for a flip, or, of the first of them to somewhere new, what its own condition alone asks
    /// for.
    fn find_alone(
        &mut self,
        parent: &mut Parent<'_>,
        attempt: &Attempt,
        step: &Step,
        found: Found,
    ) -> Found {
        let Attempt { flip, tries, is_new } = *attempt;
        let way = flip.target.way;
        let is_tried = self.policy.has(OPTIMISM);
        if !is_tried
            || !is_new
            || tries > 1
            || matches!(way, Way::Fault | Way::Other | Way::NewValue(_))
        {
            return found;
        }
        let Some(goal) = goal(&mut parent.graph, &flip.target, step, &*self.code.cases) else {
            return found;
        };
        match self.solve_alone(parent, goal, tries) {
            Solution::Found(values) => {
                parent.altered(&values, hash(flip.path, tries.into()), Promise::Optimistic)
            }
            _ => found,
        }
    }

    /// Values for which a goal holds, such that the input is of a size that it should have if that can be.
    /// Most flips are infeasible, whatever the size: that is found out before other sizes are tried.
    fn solve(&mut self, parent: &mut Parent<'_>, goal: ExprId, tries: u32) -> Solution {
        let sized = [handy(parent, goal), sized(parent, goal, tries)].concat();
        let given = GivenNumbers { given: Given(parent.test), numbers: &parent.numbers };
        let (assumptions, graph) = (&mut parent.assumptions, &parent.graph);
        let mut harder = sized.into_iter();
        let mut try_next = |solver: &mut Solver, assumptions: &mut Assumptions| {
            let solution = solver.solve_soon(assumptions, graph, harder.next()?, &given);
            Some(solution)
        };
        if let Some(Solution::Found(values)) = try_next(&mut self.solver, assumptions) {
            return Solution::Found(values);
        }
        let any = self.solver.solve(assumptions, graph, goal, &given);
        if let Solution::Impossible = any {
            return any;
        }
        while let Some(solution) = try_next(&mut self.solver, assumptions) {
            if let Solution::Found(_) = solution {
                return solution;
            }
        }
        any
    }

    /// Solves for the goal only. Without the path there is no telling what the rest of an input
    /// should be, so it does not grow by much.
    fn solve_alone(&mut self, parent: &mut Parent<'_>, goal: ExprId, tries: u32) -> Solution {
        let path = std::mem::take(&mut parent.assumptions);
        self.assume_bounds(parent);
        let mut goals = sized(parent, goal, tries);
        if goals.is_empty() {
            goals.push(goal);
        }
        let given = Given(parent.test);
        let mut solution = Solution::Unknown;
        for goal in goals {
            let (assumptions, graph) = (&mut parent.assumptions, &parent.graph);
            solution = self.solver.solve_soon(assumptions, graph, goal, &given);
            if let Solution::Found(_) = solution {
                break;
            }
        }
        parent.assumptions = path;
        solution
    }

    /// That inputs do not grow without end, and nothing else.
    fn bounds_alone(&mut self, parent: &mut Parent<'_>) -> Assumptions {
        let path = std::mem::take(&mut parent.assumptions);
        self.assume_bounds(parent);
        std::mem::replace(&mut parent.assumptions, path)
    }

    /// Inputs must not grow without end.
    fn assume_bounds(&mut self, parent: &mut Parent<'_>) {
        self.assume_sizes(parent);
        let graph = &mut parent.graph;
        let lengths: Vec<Variable> = graph
            .variables()
            .iter()
            .filter(|variable| variable.part == Part::Length)
            .cloned()
            .collect();
        for variable in lengths {
            let (least, most) = self.bounds.of(&variable.origin, parent.test);
            let width = variable.width();
            let expression = graph.variable_expr(&variable);
            let (least, most) = (graph.constant(width, least), graph.constant(width, most));
            let low = graph.binary(Binary::ULe, least, expression);
            let high = graph.binary(Binary::ULe, expression, most);
            for condition in [low, high] {
                self.solver.assume(&mut parent.assumptions, graph, condition);
            }
        }
    }
}

/// How long a run may go on that was begun before the deadline, so that what a job has brought is not lost to
/// its last run.
const GRACE: Duration = Duration::from_millis(300);

/// Every so many mutants one is traced, whatever it covers.
const TRACED_ANYWAY: usize = 16;

/// The places that a run has covered.
fn covered(trace: Trace<'_>) -> impl Iterator<Item = u32> + Clone {
    let covered = trace.coverage().iter().enumerate().filter(|(_, byte)| **byte != 0);
    // Number 0 is nowhere: places count from 1.
    covered.map(|(slot, _)| slot as u32 + 1)
}

/// The ways of branches that a run has gone together with changes that it has executed, and those that only
/// one version has.
fn beside(
    (trace, alone): (Trace<'_>, &[u32]),
    changes: &[usize],
    branches: &HashSet<u32>,
) -> impl Iterator<Item = Beside> {
    let gone = covered(trace).map(|place| (place, false));
    let all = gone.chain(alone.iter().map(|place| (*place, true)));
    let ways = all.filter(|(place, _)| branches.contains(place));
    ways.flat_map(|(place, is_alone)| {
        changes.iter().map(move |change| Beside { change: *change, place, is_alone })
    })
}

/// What an SMT solver may do for a flip to somewhere new in the program itself, and for others.
const MUCH_WORK: Work = Work(300_000);
const SOME_WORK: Work = Work(20_000);

/// By how much an input grows at first; most programs look at the next byte next.
const GROWTH: [u64; 8] = [1, 3, 1, 8, 2, 20, 5, 60];
/// Goals that are harder than the one that is asked for: the input stays as long as it is, or it
/// grows by a number of bytes that is its own and not the solver's.
fn sized(parent: &mut Parent<'_>, goal: ExprId, tries: u32) -> Vec<ExprId> {
    let graph = &mut parent.graph;
    let variables: Vec<_> = parent.assumptions.variables(graph, goal).collect();
    let variables = variables.iter().map(|id| graph.variable(*id).clone());
    let lengths: Vec<_> = variables.filter(|variable| variable.part == Part::Length).collect();
    let mut goals = Vec::new();
    for variable in lengths {
        let now = Given(parent.test).value(&variable).unwrap_or_default() as u64;
        let expression = graph.variable_expr(&variable);
        let (exactly, at_most): (&[u64], &[u64]) = match variable.origin {
            Origin::Count => (&[0, 1, 2, 3], &[]),
            _ => (&[0, GROWTH[tries as usize % GROWTH.len()]], &[8, 100]),
        };
        let exactly = exactly.iter().map(|by| (Binary::Eq, by));
        for (operator, by) in exactly.chain(at_most.iter().map(|by| (Binary::ULe, by))) {
            let size = graph.constant(variable.width(), u128::from(now + by));
            let size = graph.binary(operator, expression, size);
            goals.push(graph.binary(Binary::And, goal, size));
        }
    }
    goals
}

/// What a search for an input brings.
enum Found {
    Test(TestCase, Promise),
    Infeasible,
    Unknown,
    Nothing,
}

impl From<Solution> for Found {
    fn from(solution: Solution) -> Found {
        match solution {
            Solution::Impossible => Found::Infeasible,
            Solution::Found(_) | Solution::Unknown => Found::Unknown,
        }
    }
}

fn spliced(test: &TestCase, wanted: &Comparison) -> Found {
    match Altered::new(test, &|_| b' ').as_wanted(wanted) {
        Some(test) => Found::Test(test, Promise::Spliced),
        None => Found::Nothing,
    }
}

/// Values of one expression that are told apart; where there are more, the rest is not known.
const MOST_VALUES: usize = 4096;

/// A goal with the condition that a value is none of those that are known.
fn other_value(
    graph: &mut Graph,
    mut goal: ExprId,
    on: ExprId,
    known: &BTreeSet<u64>,
) -> Option<ExprId> {
    if known.len() > MOST_VALUES {
        return None;
    }
    for value in known {
        let value = graph.constant(graph.width(on), u128::from(*value));
        let differs = graph.binary(Binary::Ne, on, value);
        goal = graph.binary(Binary::And, goal, differs);
    }
    Some(goal)
}

/// What has to hold for a decision to be made otherwise.
fn goal(
    graph: &mut Graph,
    target: &Target,
    step: &Step,
    cases: &dyn Fn(u32) -> Vec<u64>,
) -> Option<ExprId> {
    let is = |graph: &mut Graph, on: ExprId, value: u64| {
        let value = graph.constant(graph.width(on), value.into());
        graph.binary(Binary::Eq, on, value)
    };
    match (step.kind, target.way) {
        (StepKind::Switch { on, .. }, Way::Case(value)) => Some(is(graph, on, value)),
        (StepKind::Switch { on, .. }, Way::Default) => Some(on_no_case(graph, step, on, cases)),
        (_, Way::Branch(_) | Way::Fault | Way::Other) => Some(graph.not(step.condition)),
        _ => None,
    }
}
