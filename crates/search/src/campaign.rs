//! Exploring one program until its budget is used up, or there is nothing left to try.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use parallax_abi::Counter;
use parallax_deadline::Deadline;
use parallax_run::{Ending, Subject, TestCase, lab::Lab};
use parallax_solve::Solver;

use crate::{
    Aim, Budget, Code, Counterpart, Coverage, Directive, Event, Guide, Observer, Options, Outcome,
    Promise, Relation, SearchError, Summary, Way,
    cost::is_turning_point,
    generator::{self, Generator, Room, Round},
    knowledge::{Discovery, Knowledge, Observed},
    outcome::Ran,
    pool::{Crew, Pool},
    scheduler::{Left, Scheduler},
    witness::{Suspect, Witnesses},
    worker::{Diverged, Job, Report},
};

/// Bytes that a run may print on one stream: what a program does is seen before it has printed so much, and
/// one that prints without end must not use up all the time there is.
const MOST_PRINTED: u64 = 256 << 10;
/// Runs after which a search pauses for the first time if no more branches than that wait to be flipped.
const EARLY: u64 = 256;
/// The part of the budget after which a search takes long.
const MIDWAY: u32 = 4;

/// The exploration of one program.
pub struct Campaign {
    options: Options,
    crew: Box<dyn Crew>,
    knowledge: Knowledge,
    generators: Vec<Box<dyn Generator>>,
    scheduler: Scheduler,
    witnesses: Witnesses,
    /// The pairs of paths of both versions, of a campaign that is to prove something.
    path_pairs: HashSet<(u64, u64)>,
    /// The ways that runs have crashed or hung, each a signal and a place.
    endings: BTreeSet<(i32, u32)>,
    summary: Summary,
    clock: Clock,
    pauses: Pauses,
    /// What its observer has answered last.
    is_stopped: bool,
}

/// When a campaign has begun or gone on, how long it took before that, and when it has to end.
struct Clock {
    start: Instant,
    before: Duration,
    deadline: Deadline,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }
}

/// What a search has done once.
#[derive(Default)]
struct Pauses {
    /// It has paused because there was not much to do.
    early: bool,
    /// It has paused because all branches were flipped.
    exhausted: bool,
    /// It has told that a good part of the budget is over.
    midway: bool,
    /// It has left out a part of its jobs, as there were not as many runs left.
    cut: bool,
}

impl Campaign {
    /// A campaign with a worker for each lab.
    pub fn new(
        labs: Vec<Lab>,
        subject: &Subject,
        code: &Code,
        mut options: Options,
        counterpart: Option<Counterpart>,
        solver: &dyn Fn() -> Solver,
    ) -> Result<Campaign, SearchError> {
        options.limits.output = options.limits.output.min(MOST_PRINTED);
        let guide = counterpart.as_ref().map(|counterpart| Arc::clone(&counterpart.guide));
        let pool = Pool::new(labs, subject, code, &options, counterpart, solver)?;
        Ok(Campaign::with(Box::new(pool), code, options, guide))
    }

    /// A campaign whose jobs a crew does.
    fn with(
        crew: Box<dyn Crew>,
        code: &Code,
        options: Options,
        guide: Option<Arc<dyn Guide>>,
    ) -> Campaign {
        let knowledge = Knowledge::new(options.policy.clone(), options.bounds, code, guide);
        let generators = generator::all().into_iter();
        let generators =
            generators.filter(|generator| options.policy.has(generator.name())).collect();
        let time = options.budget.time.unwrap_or(Duration::MAX);
        let deadline = Deadline::NEVER.within(time);
        Campaign {
            options,
            crew,
            generators,
            scheduler: Scheduler::default(),
            witnesses: Witnesses::default(),
            path_pairs: HashSet::new(),
            endings: BTreeSet::new(),
            summary: Summary { branches: knowledge.coverage.branches(), ..Summary::default() },
            knowledge,
            clock: Clock { start: Instant::now(), before: Duration::ZERO, deadline },
            pauses: Pauses::default(),
            is_stopped: false,
        }
    }

    /// Explores from some tests; from an empty one if there are none. A search for differences pauses
    /// where a proof that there are none may be nearer: once if there is not much to do, and once when all
    /// branches are flipped and not everything was exact.
    pub fn run(
        &mut self,
        mut seeds: Vec<TestCase>,
        tell: Observer<'_>,
    ) -> Result<Summary, SearchError> {
        if seeds.is_empty() {
            seeds.push(TestCase::default());
        }
        self.summary.fixed = self.knowledge.corpus.begin(&seeds);
        for (number, seed) in seeds.iter().enumerate() {
            let ran = match self.is_stopped {
                true => None,
                false => self.crew.run_given(seed.clone(), self.clock.deadline)?,
            };
            let Some((ran, expense)) = ran else {
                self.summary.left_out = (seeds.len() - number) as u64;
                break;
            };
            self.summary.given += expense;
            self.add(ran, tell);
        }
        let absent = self.crew.take_absent();
        if !absent.is_empty() {
            self.heed(tell(Event::Absent { programs: &absent }));
        }
        self.refresh();
        self.go_on(tell)
    }

    /// Goes on where it has paused.
    pub fn go_on(&mut self, tell: Observer<'_>) -> Result<Summary, SearchError> {
        self.summary.paused = false;
        self.clock.before = self.summary.elapsed;
        self.clock.start = Instant::now();
        while !self.is_over() {
            let Some(jobs) = self.propose() else { break };
            let kept = self.knowledge.corpus.kept().len();
            let (makers, jobs): (Vec<usize>, Vec<Job>) = jobs.into_iter().unzip();
            let start = Instant::now();
            let reports = self.crew.round(jobs, &self.knowledge.seen, self.clock.deadline)?;
            let busy = reports.iter().map(|report| report.expense.time()).sum();
            let all = start.elapsed() * self.crew.workers();
            self.summary.waiting_time += all.saturating_sub(busy);
            for (maker, report) in makers.into_iter().zip(reports) {
                self.take_report(maker, report, tell);
            }
            self.end_round(kept);
            let directive = tell(Event::Progress(&self.summary));
            self.heed(directive);
            self.tell_midway(tell);
            if self.pauses(false) {
                break;
            }
        }
        self.refresh();
        Ok(self.summary.clone())
    }

    /// The jobs of the next round, each with the generator that proposes it; `None` if the search is at an end or
    /// pauses.
    fn propose(&mut self) -> Option<Vec<(usize, Job)>> {
        let runs = self.options.budget.runs;
        let left = runs.map_or(u64::MAX, |runs| runs.saturating_sub(self.summary.runs));
        let inputs = usize::try_from(left).unwrap_or(usize::MAX);
        let mut left = Left::of(inputs);
        let round = Round { uses_learnt: self.knowledge.chance.below(2) != 0 };
        let mut jobs = Vec::new();
        self.propose_with(&|room| room == Room::Solved, &round, &mut left, &mut jobs);
        if jobs.is_empty() {
            let has_none = self.knowledge.corpus.kept().is_empty();
            let is_whole = self.knowledge.policy.is_thorough() && !self.pauses.cut;
            if self.knows_all() || has_none && is_whole {
                self.summary.finished = true;
                return None;
            }
            if self.pauses(true) {
                return None;
            }
        }
        let flips = jobs.iter().map(|(_, job)| job.inputs()).sum();
        let Knowledge { guide, policy, stalled, .. } = &self.knowledge;
        if policy.mixes() {
            left.make_room(flips, guide.is_some() && policy.is_guided(), *stalled);
            self.propose_with(&|room| room != Room::Solved, &round, &mut left, &mut jobs);
        }
        // Without some generators there may be nothing left to propose.
        if jobs.is_empty() && !self.knowledge.policy.is_thorough() {
            return None;
        }
        self.pauses.cut |= limit(&mut jobs, inputs);
        Some(jobs)
    }

    /// Has the generators that draw from some rooms propose.
    fn propose_with(
        &mut self,
        draws_from: &dyn Fn(Room) -> bool,
        round: &Round,
        left: &mut Left,
        jobs: &mut Vec<(usize, Job)>,
    ) {
        for (number, generator) in self.generators.iter_mut().enumerate() {
            let quota = generator.quota();
            if draws_from(quota.room) {
                let granted = self.scheduler.grant(generator.name(), &quota, left);
                let proposed = generator.propose(granted, round, &mut self.knowledge);
                left.take(proposed.iter().map(Job::inputs).sum());
                jobs.extend(proposed.into_iter().map(|job| (number, job)));
            }
        }
    }

    /// Takes note of what came of a job of a generator.
    fn take_report(&mut self, maker: usize, report: Report, tell: Observer<'_>) {
        self.summary.runs += report.idle_runs;
        for test in &report.diverged.others {
            self.heed(tell(Event::Path { test }));
        }
        self.note_divergence(&report.diverged);
        let tried = report.outcomes.len() as u64 + report.idle_runs;
        let covered = self.knowledge.coverage.covered();
        let mut worth = 0;
        for outcome in report.outcomes {
            if let Outcome::Ran(ran) = &outcome {
                self.generators[maker].receive(ran, &mut self.knowledge);
            }
            worth += self.take(outcome, tell);
        }
        let new = (self.knowledge.coverage.covered() - covered) as u64;
        let name = self.generators[maker].name();
        self.scheduler.learn(name, report.expense.weighed(), worth);
        let share = self.summary.generators.entry(name).or_default();
        share.jobs += 1;
        share.tried += tried;
        share.new += new;
        share.expense += report.expense;
    }

    /// Takes an answer of its observer, which holds from here on.
    fn heed(&mut self, Directive { stop, known }: Directive) {
        self.is_stopped |= stop;
        self.crew.tell(&known);
        self.knowledge.known = known;
    }

    /// Tells once that a good part of the time is over.
    fn tell_midway(&mut self, tell: Observer<'_>) {
        let Budget { time, runs } = self.options.budget;
        let is_due = |time: &Duration| match runs {
            Some(runs) => self.summary.runs >= runs / u64::from(MIDWAY),
            None => self.clock.elapsed() >= *time / MIDWAY,
        };
        let time = time.filter(|_| self.knowledge.guide.is_some() && !self.pauses.midway);
        if let Some(time) = time.filter(is_due) {
            self.pauses.midway = true;
            let suspects = self.suspects();
            self.heed(tell(Event::Midway { suspects: &suspects, time: time / (3 * MIDWAY) }));
        }
    }

    /// The tests that cover something new, in the order in which they were found.
    pub fn kept(&self) -> Vec<TestCase> {
        self.knowledge.corpus.kept().iter().map(|test| TestCase::clone(test)).collect()
    }

    /// What was covered.
    pub fn coverage(&self) -> &Coverage {
        &self.knowledge.coverage
    }

    /// A few tests that execute a change, those that are likely to show most of it first.
    pub fn witnesses(&self, change: usize) -> Vec<Arc<TestCase>> {
        self.witnesses.of(change)
    }

    /// A few tests that may access memory that is not the program's own, the most suspicious first.
    pub fn suspects(&self) -> Vec<Suspect> {
        self.witnesses.suspects()
    }

    /// Whether what cannot be flipped to cannot be reached: nothing was forgotten, given up or
    /// approximated.
    fn knows_all(&self) -> bool {
        let summary = &self.summary;
        self.knowledge.policy.is_thorough()
            && !self.pauses.cut
            && summary.forgotten + summary.skipped + summary.unknown == 0
            && summary.approximations.is_empty()
    }

    /// Whether to pause: `exhausted` if all branches are flipped, or as there is not much to do.
    fn pauses(&mut self, exhausted: bool) -> bool {
        if self.options.aim != Aim::Find || self.knowledge.guide.is_none() {
            return false;
        }
        let Pauses { early, exhausted: known, .. } = &mut self.pauses;
        let runs = self.summary.runs;
        let is_small = runs >= EARLY && self.summary.waiting as u64 <= runs;
        let is_first = match exhausted {
            true => !std::mem::replace(known, true),
            false => is_small && !std::mem::replace(early, true),
        };
        self.summary.paused |= is_first;
        is_first
    }

    /// Takes note of what came of looking for divergences near a test.
    fn note_divergence(&mut self, diverged: &Diverged) {
        Arc::make_mut(&mut self.knowledge.seen).add_values(&diverged.values);
        if let Some(near) = diverged.near.as_ref().filter(|_| diverged.diverges) {
            self.summary.diverged.extend(&near.executed);
            self.witnesses.diverge(&near.executed, &near.test);
        }
        for generator in &mut self.generators {
            generator.observe_divergence(diverged, &self.knowledge);
        }
        self.summary.divergences.0 += diverged.unsat;
        self.summary.divergences.1 += diverged.unknown;
        self.summary.unclear += diverged.incomplete;
        self.summary.obstacles.extend(diverged.obstacles.iter().cloned());
        self.summary.world.extend(diverged.world.iter().cloned());
    }

    /// Ends a round before which so many tests were kept.
    fn end_round(&mut self, kept: usize) {
        let Knowledge { corpus, stalled, frontier, .. } = &mut self.knowledge;
        *stalled = if corpus.kept().len() > kept { 0 } else { *stalled + 1 };
        if is_turning_point(*stalled) {
            frontier.look_at_all_again();
        }
        self.scheduler.end_round();
        self.refresh();
    }

    fn is_over(&self) -> bool {
        let runs = self.options.budget.runs;
        self.is_stopped
            || self.clock.deadline.is_over()
            || runs.is_some_and(|runs| self.summary.runs >= runs)
    }

    fn refresh(&mut self) {
        let Knowledge { coverage, frontier, reach, .. } = &self.knowledge;
        let summary = &mut self.summary;
        summary.elapsed = self.clock.elapsed();
        summary.covered = coverage.covered();
        summary.waiting = frontier.len();
        summary.forgotten = frontier.forgotten;
        summary.executed.clone_from(&reach.executed);
        summary.answers = self.crew.answers();
        (summary.counterpart_runs, summary.learnt_noise) = self.crew.counterpart_runs();
    }

    /// Takes note of what came of a try, and tells what that is worth.
    fn take(&mut self, outcome: Outcome, tell: Observer<'_>) -> u64 {
        match outcome {
            Outcome::Ran(ran) => return self.add(*ran, tell),
            Outcome::Infeasible(target) => {
                self.summary.infeasible += 1;
                self.knowledge.frontier.learn(&target, false);
            }
            Outcome::Unknown(target) => {
                self.summary.unknown += 1;
                self.knowledge.frontier.learn(&target, false);
            }
            Outcome::Gone => {}
        }
        0
    }

    /// Adds what a run has shown, and tells what that is worth.
    fn add(&mut self, mut ran: Ran, tell: Observer<'_>) -> u64 {
        match ran.whole.take() {
            // It is one input, however small it was made.
            Some(whole) => drop(self.add(*whole, tell)),
            None => self.summary.runs += 1,
        }
        self.count(&ran);
        let is_new_pair = self.options.aim == Aim::Prove && self.path_pairs.insert(ran.both());
        if is_new_pair {
            self.heed(tell(Event::Path { test: &ran.test }));
        }
        let first = self.first_executed(&ran.relation);
        let discovery = self.knowledge.learn(&ran);
        self.tell_relation(&ran, &first, tell);
        self.tell_ending(&ran, tell);
        if discovery.branches > 0 {
            self.summary.kept += 1;
            self.heed(tell(Event::Kept { test: &ran.test, new: discovery.branches }));
        }
        let test = Arc::new(ran.test.clone());
        self.add_witness(&ran, (&test, &first), &discovery);
        let observed = Observed { ran: &ran, test: &test, discovery };
        self.knowledge.admit(&observed);
        for generator in &mut self.generators {
            generator.observe(&observed, &self.knowledge);
        }
        observed.discovery.worth()
    }

    /// Takes note of the changes that a run was the first to execute.
    fn first_executed(&mut self, relation: &Relation) -> Vec<usize> {
        let runs = self.summary.runs;
        let known = &mut self.knowledge.reach.executed;
        let executed = relation.executed.iter().copied();
        let first: Vec<usize> = executed.filter(|change| !known.contains_key(change)).collect();
        known.extend(first.iter().map(|change| (*change, runs)));
        if !first.is_empty() {
            self.knowledge.frontier.look_at_all_again();
        }
        first
    }

    /// Tells what both versions did with a test.
    fn tell_relation(&mut self, ran: &Ran, first: &[usize], tell: Observer<'_>) {
        let Relation { differs, explanation, executed, .. } = &ran.relation;
        if !first.is_empty() {
            self.heed(tell(Event::Executes { test: &ran.test, changes: first }));
        }
        let explanation = explanation.as_deref();
        if *differs || explanation.is_some() {
            self.heed(tell(Event::Differs { test: &ran.test, executed, explanation }));
        }
    }

    /// Tells of a run that ends in a new way other than by itself.
    fn tell_ending(&mut self, ran: &Ran, tell: Observer<'_>) {
        let (test, ending, place) = (&ran.test, ran.ending, ran.decisions.last_site);
        match ending {
            Ending::Exit(_) => {}
            Ending::Signal(signal) => {
                if self.endings.insert((signal, place)) {
                    self.summary.crashes += 1;
                    self.heed(tell(Event::Crash { test, ending }));
                }
            }
            Ending::TimeLimit | Ending::MemoryLimit | Ending::OutputLimit => {
                if self.endings.insert((0, place)) {
                    self.summary.hangs += 1;
                    self.heed(tell(Event::Hang { test, ending }));
                }
            }
        }
    }

    /// Remembers a test that executes changes, some of them as the first one.
    fn add_witness(
        &mut self,
        ran: &Ran,
        (test, first): (&Arc<TestCase>, &[usize]),
        discovery: &Discovery,
    ) {
        let executed = &ran.relation.executed;
        if !first.is_empty() {
            self.witnesses.execute(first, test);
        }
        if discovery.is_new_path {
            self.witnesses.go(executed, test);
        }
        if discovery.is_first && ran.flip.is_some_and(|flip| flip.target.way == Way::Fault) {
            self.witnesses.leave(executed, test);
        }
        if discovery.is_kept() {
            self.witnesses.execute(executed, test);
        }
    }

    fn count(&mut self, ran: &Ran) {
        let summary = &mut self.summary;
        let is_whole = matches!(ran.ending, Ending::Exit(_) | Ending::Signal(_));
        summary.unclear += u64::from(!is_whole);
        summary.skipped += ran.decisions.skipped;
        let (made, kept) = summary.promises.entry(ran.promise).or_default();
        let is_checked = ran.flip.is_some_and(|flip| {
            !matches!(flip.target.way, Way::Fault | Way::Other | Way::NewValue(_))
        });
        if is_checked {
            *made += 1;
            *kept += u64::from(ran.as_meant);
        }
        // A run that went elsewhere was not understood.
        let is_astray = is_checked && !ran.as_meant && ran.promise == Promise::Exact;
        summary.unclear += u64::from(is_astray && self.options.aim == Aim::Prove);
        let counters = ran.counters.iter().filter(|(counter, _)| **counter != Counter::World);
        for (counter, count) in counters {
            *summary.approximations.entry(*counter).or_default() += count;
        }
        let names: BTreeSet<_> = ran.unmodelled.iter().collect();
        for name in names {
            *summary.unmodelled.entry(name.clone()).or_default() += 1;
        }
    }
}

/// Limits the inputs of jobs to a number: first come those that are known, then those that answers to queries may
/// bring. Says whether anything was left out.
fn limit(jobs: &mut Vec<(usize, Job)>, mut left: usize) -> bool {
    let most: usize = jobs.iter().map(|(_, job)| job.most_inputs()).sum();
    if most <= left {
        return false;
    }
    for is_open in [false, true] {
        for (_, job) in jobs.iter_mut().filter(|(_, job)| job.is_open() == is_open) {
            job.limit(left);
            left -= job.most_inputs();
        }
    }
    jobs.retain(|(_, job)| job.most_inputs() > 0);
    true
}

#[cfg(test)]
mod tests;
