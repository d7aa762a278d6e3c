//! Exploring one program until its budget is used up, or there is nothing left to try.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    ops::RangeInclusive,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use parallax_abi::Counter;
use parallax_compare::Explanation;
use parallax_deadline::Deadline;
use parallax_run::{
    Ending, Subject, TestCase,
    lab::{Lab, RunError, stay_on},
    trace::{TraceError, TraceMemory, TraceOptions},
};
use parallax_solve::{Solver, Statistics};
use rustc_hash::FxHashSet;

use crate::{
    Aim, Code, Counterpart, Coverage, Directive, Guide, Kind, Known, Options, Outcome, Promise,
    Relation, Summary, Target, Way,
    cost::{Costs, LONG, is_turning_point},
    counterpart::CounterpartRunner,
    dictionary::Dictionary,
    frontier::{Batch, Frontier, Judge, Taken},
    growth::Growth,
    mutation::{Material, crossed, mutant},
    outcome::Ran,
    pairs::{Pairs, Urgent},
    patience::Patience,
    recent::Recent,
    splice::{Chance, joined, longer, named_alike, roomy, with_longer_lines},
    strategy::Order,
    witness::{Suspect, Witnesses},
    worker::{Diverged, Job, Meet, NearDivergence, Report, Seen, Worker},
    yields::{Yields, cost_of},
};

/// Tests whose flips are taken before what came of them is looked at. It does not depend on the
/// number of workers, so that what is found does not either.
const ROUND: usize = 4;
/// Flips to where others have been that are near to a change, in each round; and if rounds have brought nothing
/// for long.
const NEAR: usize = 8;
const MORE_NEAR: usize = 128;
/// Flips to where others have been in each round: as many as pay, within these bounds.
const REPEATED: RangeInclusive<usize> = 4..=32;
/// Tests near which versions may part, in each round: as many as pay, within these bounds.
const DIVERGED: RangeInclusive<usize> = 2..=8;
/// Tests that are made from two others in each round: as many as pay, within these bounds.
const CROSSED: RangeInclusive<usize> = 8..=128;
/// The same for those with other words.
const WITH_TOKENS: RangeInclusive<usize> = 16..=256;
/// The same for those that are much larger.
const GROWN: RangeInclusive<usize> = 8..=128;
/// The same for those that are changed by chance.
const MUTANTS: RangeInclusive<usize> = 16..=512;
/// Those of them that a worker takes at a time.
const TOGETHER: usize = 16;
/// Rounds after which what they brought counts half.
const MEMORY: u64 = 32;
/// Tests that are tried a little longer in each round.
const LONGER: usize = 8;
/// Of each kind of tests that are made without solving, there is one for so many flips as long as those lead
/// on; after so many rounds that have brought nothing the number does not double any more.
const UNSOLVED: usize = 16;
const MOST_STALLED: u32 = 10;
/// How many of them wait that are not urgent.
const MOST_LATER: usize = 2000;
/// Texts that a program prints at one place and that are told apart.
const MOST_TEXTS: usize = 16;
/// Bytes that a run may print on one stream: what a program does is seen before it has printed so much, and
/// one that prints without end must not use up all the time there is.
const MOST_PRINTED: u64 = 256 << 10;
/// Tests of two of which one came near to a change, or shows nothing of one, in each round.
const URGENT: usize = 16;
/// Those of them whose parts are made to meet.
const MEETING: usize = 4;
/// Runs after which a search pauses for the first time if no more branches than that wait to be flipped.
const EARLY: u64 = 256;
/// The part of the time after which a search takes long.
const MIDWAY: u32 = 4;
/// Tests that are remembered although they cover nothing new.
const MOST_OTHERS: usize = 256;

/// Something worth telling.
pub enum Event<'e> {
    /// A test covers what no test before it did.
    Kept {
        /// The test.
        test: &'e TestCase,
        /// How many ways of branches it is the first to go.
        new: usize,
    },
    /// A test ends with a signal.
    Crash {
        /// The test.
        test: &'e TestCase,
        /// How it ended.
        ending: Ending,
    },
    /// A test does not end, or not within its limits.
    Hang {
        /// The test.
        test: &'e TestCase,
        /// The limit.
        ending: Ending,
    },
    /// The versions look different on a test, also if only in what was learnt to be noise.
    Differs {
        /// The test.
        test: &'e TestCase,
        /// The changes that were executed.
        executed: &'e [usize],
        /// What could be noise about it, if all of it could.
        explanation: Option<&'e Explanation>,
    },
    /// A campaign that is to prove something has run the first test of a pair of paths, or another one
    /// that takes the same paths and prints something else.
    Path {
        /// The test.
        test: &'e TestCase,
    },
    /// A test executes changes that no test before it did.
    Executes {
        /// The test.
        test: &'e TestCase,
        /// The changes.
        changes: &'e [usize],
    },
    /// Given tests tried to start programs that are not there.
    Absent {
        /// Their paths or names.
        programs: &'e BTreeSet<Vec<u8>>,
    },
    /// A round is over.
    Progress(&'e Summary),
    /// The search takes long: others may find what it does not look for. Told once.
    Midway {
        /// Tests that may access memory that is not the program's own, the most suspicious first.
        suspects: &'e [Suspect],
        /// How long they may be looked at.
        time: Duration,
    },
}

/// Whoever is told what happens, and says how to go on.
pub type Observer<'o> = &'o mut dyn FnMut(Event<'_>) -> Directive;

/// Why a campaign ended early.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The memory for traces could not be made.
    #[error(transparent)]
    Memory(#[from] TraceError),
    /// A run could not be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The program is no symbolic build, or cannot map its shadow.
    #[error("trace the program: {0}")]
    Untraced(String),
}

/// The exploration of one program.
pub struct Campaign {
    workers: Vec<Worker>,
    options: Options,
    frontier: Frontier,
    /// What is known of both versions, if there are two.
    guide: Option<Arc<dyn Guide>>,
    /// Tests near which the versions may part, and the paths of those that there were.
    divergent: VecDeque<NearDivergence>,
    paths: HashSet<u64>,
    asked: Arc<HashSet<u64>>,
    /// The pairs of paths of both versions, of a campaign that is to prove something.
    joint_paths: HashSet<(u64, u64)>,
    witnesses: Witnesses,
    coverage: Coverage,
    /// What was seen so far. What a change does is up to what else the same run does, so that is part of it.
    seen: Arc<Seen>,
    tests: HashSet<TestCase>,
    kept: Vec<Arc<TestCase>>,
    pairs: Pairs,
    /// Tests that did something that no other did, and covered nothing new.
    others: VecDeque<Arc<TestCase>>,
    /// The tests of which not all may be changed.
    given: Vec<TestCase>,
    /// What the program has printed, by where.
    printed: HashMap<u32, HashSet<u64>>,
    /// Tests that are to be run as they are, because they go on from one that has covered something,
    /// and from one that only got on inside a library function.
    pending: VecDeque<TestCase>,
    later: Vec<TestCase>,
    /// Words that occur in the program, and those that it was seen to look for.
    words: Vec<Vec<u8>>,
    dictionary: Dictionary,
    program_dictionary: Dictionary,
    growth: Growth,
    chance: Chance,
    /// What each kind of tries has brought lately.
    yields: Yields,
    rounds: u64,
    /// How many rounds have brought nothing.
    stalled: u32,
    endings: BTreeSet<(i32, u32)>,
    summary: Summary,
    /// When it has begun or gone on, and how long it took before that.
    start: Instant,
    before: Duration,
    deadline: Deadline,
    is_midway: bool,
    pauses: Pauses,
    /// What its observer has answered last.
    is_stopped: bool,
    known: Arc<Known>,
}

/// Whether a search has paused.
#[derive(Default)]
struct Pauses {
    /// Because there was not much to do.
    early: bool,
    /// Because all branches were flipped.
    exhausted: bool,
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
        let strategy = options.strategy;
        options.limits.output = options.limits.output.min(MOST_PRINTED);
        let guide = counterpart.as_ref().map(|counterpart| Arc::clone(&counterpart.guide));
        let mut counterparts = counterparts(counterpart, &options)?.into_iter();
        let branches: Arc<HashSet<u32>> = Arc::new(code.branches.iter().copied().collect());
        let recent: Arc<Mutex<Recent>> = Arc::default();
        let mut worker = |lab| {
            Ok::<_, SearchError>(Worker {
                lab,
                counterpart: counterparts.next(),
                memory: TraceMemory::new(options.trace.clone())?,
                recent: Arc::clone(&recent),
                subject: subject.clone(),
                limits: options.limits.clone(),
                code: code.clone(),
                bounds: options.bounds,
                solver: solver(),
                patience: Patience::default(),
                deadline: Deadline::NEVER,
                branches: Arc::clone(&branches),
                before: Arc::default(),
                since: Seen::default(),
            })
        };
        let workers = labs.into_iter().map(&mut worker).collect::<Result<_, _>>()?;
        let coverage = Coverage::new(code.branches.iter().copied());
        let deadline = Deadline::NEVER.within(options.budget.time.unwrap_or(Duration::MAX));
        let summary = Summary { branches: coverage.branches(), ..Summary::default() };
        Ok(Campaign {
            workers,
            options,
            frontier: Frontier::new(strategy.order()),
            guide,
            divergent: VecDeque::new(),
            paths: HashSet::new(),
            asked: Arc::default(),
            joint_paths: HashSet::new(),
            witnesses: Witnesses::default(),
            coverage,
            seen: Arc::default(),
            tests: HashSet::new(),
            kept: Vec::new(),
            pairs: Pairs::default(),
            others: VecDeque::new(),
            given: Vec::new(),
            printed: HashMap::new(),
            pending: VecDeque::new(),
            later: Vec::new(),
            words: code.words.clone(),
            dictionary: Dictionary::default(),
            program_dictionary: Dictionary::of(&code.words),
            growth: Growth::default(),
            chance: Chance::new(1),
            yields: Yields::default(),
            rounds: 0,
            stalled: 0,
            endings: BTreeSet::new(),
            summary,
            start: Instant::now(),
            before: Duration::ZERO,
            deadline,
            is_midway: false,
            pauses: Pauses::default(),
            is_stopped: false,
            known: Arc::default(),
        })
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
        self.given = seeds.iter().filter(|seed| !seed.fixed.is_empty()).cloned().collect();
        self.summary.fixed = self.given.len() as u64;
        for (number, seed) in seeds.iter().enumerate() {
            let left_out = (seeds.len() - number) as u64;
            if self.is_stopped {
                self.summary.left_out = left_out;
                break;
            }
            let worker = &mut self.workers[0];
            let ran = match worker.run_given(seed.clone(), self.deadline) {
                Err(RunError::OutOfTime) => {
                    self.summary.left_out = left_out;
                    break;
                }
                ran => ran?,
            };
            if !worker.memory.trace().attached() {
                return Err(SearchError::Untraced("it does not attach".to_owned()));
            }
            self.summary.running += ran.time;
            self.add(ran, tell);
        }
        let absent = self.workers[0].take_absent();
        if !absent.is_empty() {
            self.heed(tell(Event::Absent { programs: &absent }));
        }
        self.refresh();
        self.go_on(tell)
    }

    /// Goes on where it has paused.
    pub fn go_on(&mut self, tell: Observer<'_>) -> Result<Summary, SearchError> {
        self.summary.paused = false;
        self.before = self.summary.elapsed;
        self.start = Instant::now();
        while !self.is_over() {
            let coverage = &self.coverage;
            let left = self
                .options
                .budget
                .runs
                .map_or(u64::MAX, |runs| runs.saturating_sub(self.summary.runs));
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let is_covered = |target: &Target| is_covered(coverage, target);
            let costs = Costs::new(
                self.guide.as_deref(),
                self.options.strategy,
                (&self.summary, self.stalled),
                &self.known.done,
            );
            let cost = |target: &Target| costs.of(target);
            let nearest = self.pairs.nearest();
            let is_near = |target: &Target| costs.is_near(target, nearest);
            let near = if self.stalled < LONG { NEAR } else { MORE_NEAR };
            let repeats = self.yields.share(Kind::Repeated, 16.0, REPEATED);
            // Deepest first means one after the other.
            let (tests, most) = match self.options.strategy.order() {
                Order::Ranked => (ROUND, left),
                Order::Random => (ROUND, left.min(ROUND)),
                Order::Deepest => (1, left.min(1)),
            };
            let Taken { promising, repeated } = self.frontier.take(
                tests,
                most,
                (near, repeats),
                &Judge { is_covered: &is_covered, cost: &cost, is_near: &is_near },
            );
            let batches = || promising.iter().chain(&repeated);
            let flips = batches().map(|batch| batch.flips.len()).sum::<usize>();
            let divergent = self.divergence();
            if flips == 0 && divergent.is_empty() {
                if self.knows_all() || self.kept.is_empty() {
                    self.summary.finished = true;
                    break;
                }
                if self.pauses(true) {
                    break;
                }
            }
            let left = if self.options.strategy.mixes() { left - flips } else { 0 };
            let each = self.most_unsolved(flips);
            let made = self.longer(left.min(each));
            let left = left - made.len();
            let with_tokens = self.with_tokens(left.min(each.saturating_mul(4)));
            let left = left - with_tokens.len();
            let grown = self.grown(left.min(each));
            let left = left - grown.len();
            let (crossed, mutants) = self.by_chance(left.min(each));
            let flips = |batches: Vec<Batch>| batches.into_iter().map(Job::Flips).collect();
            let jobs: [(Kind, Vec<Job>); 8] = [
                (Kind::Diverged, divergent),
                (Kind::Flipped, flips(promising)),
                (Kind::Repeated, flips(repeated)),
                (Kind::Longer, made),
                (Kind::Dictionary, together(&with_tokens)),
                (Kind::Grown, together(&grown)),
                (Kind::Crossed, crossed),
                (Kind::Changed, mutants),
            ];
            let kinds: Vec<_> =
                jobs.iter().flat_map(|(kind, jobs)| vec![*kind; jobs.len()]).collect();
            let jobs = jobs.into_iter().flat_map(|(_, jobs)| jobs).collect();
            let kept = self.kept.len();
            for (kind, report) in kinds.into_iter().zip(self.round(jobs)?) {
                self.summary.solving += report.solving;
                self.summary.running += report.running;
                self.summary.runs += report.idle_runs;
                for test in &report.diverged.others {
                    self.heed(tell(Event::Path { test }));
                }
                self.note_divergences(report.diverged);
                let tried = report.outcomes.len() as u64 + report.idle_runs;
                let cost = report.idle_runs + report.outcomes.iter().map(cost_of).sum::<u64>();
                let covered = self.coverage.covered();
                let mut worth = 0;
                for outcome in report.outcomes {
                    self.look_closer(kind, &outcome);
                    worth += self.take(outcome, tell);
                }
                let new = (self.coverage.covered() - covered) as u64;
                self.yields.add(kind, cost, worth);
                let (all_tried, all_new) = self.summary.kinds.entry(kind).or_default();
                *all_tried += tried;
                *all_new += new;
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

    /// Takes an answer of its observer, which holds from here on.
    fn heed(&mut self, Directive { stop, known }: Directive) {
        self.is_stopped |= stop;
        for counterpart in self.workers.iter_mut().filter_map(|worker| worker.counterpart.as_mut())
        {
            counterpart.known = Arc::clone(&known);
        }
        self.known = known;
    }

    /// Tells once that a good part of the time is over.
    fn tell_midway(&mut self, tell: Observer<'_>) {
        let time = self.options.budget.time.filter(|_| self.guide.is_some());
        let is_due = |time: &Duration| self.before + self.start.elapsed() >= *time / MIDWAY;
        if let Some(time) = time.filter(|time| !self.is_midway && is_due(time)) {
            self.is_midway = true;
            let suspects = self.suspects();
            self.heed(tell(Event::Midway { suspects: &suspects, time: time / (3 * MIDWAY) }));
        }
    }

    /// The tests that cover something new, in the order in which they were found.
    pub fn kept(&self) -> Vec<TestCase> {
        self.kept.iter().map(|test| TestCase::clone(test)).collect()
    }

    /// What was covered.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// A few tests that execute a change, those that are likely to show most of it first.
    pub fn witnesses(&self, change: usize) -> Vec<Arc<TestCase>> {
        self.witnesses.of(change)
    }

    /// A few tests that may access memory that is not the program's own, the most suspicious first.
    pub fn suspects(&self) -> Vec<Suspect> {
        self.witnesses.suspects()
    }

    /// How many tests of each kind a round may have that are made without solving. Where it is known which
    /// way to go, going there is worth more than all that chance may bring: as long as that leads on, and
    /// the less, the longer it has not.
    fn most_unsolved(&self, flips: usize) -> usize {
        if flips == 0 || self.guide.is_none() || !self.options.strategy.is_guided() {
            return usize::MAX;
        }
        let doubled = flips.saturating_mul(1 << self.stalled.min(MOST_STALLED));
        (doubled / UNSOLVED).max(1)
    }

    /// Tests that go on where others have ended.
    fn longer(&mut self, most: usize) -> Vec<Job> {
        let Campaign { pending, later, .. } = self;
        let most = most.min(LONGER);
        let mut made: Vec<_> = pending.drain(..pending.len().min(most)).collect();
        let rest = later.len().saturating_sub(most - made.len());
        made.extend(later.drain(rest..));
        made.retain(|test| self.is_wanted(test));
        made.into_iter().map(Job::Run).collect()
    }

    /// Tests with other words.
    fn with_tokens(&mut self, most: usize) -> Vec<TestCase> {
        let count = self.yields.share(Kind::Dictionary, 48.0, WITH_TOKENS).min(most);
        let mut made = self.dictionary.next(count);
        made.extend(self.program_dictionary.next(count - made.len()));
        made.retain(|test| self.is_wanted(test));
        made
    }

    /// Tests that are much larger.
    fn grown(&mut self, most: usize) -> Vec<TestCase> {
        let count = self.yields.share(Kind::Grown, 24.0, GROWN).min(most);
        let mut made = self.growth.next(count);
        made.retain(|test| self.is_wanted(test));
        made
    }

    /// Tests made by chance, the more, the better they have paid compared with flips: those with parts
    /// of two others, which are traced, as what one line does may be up to another one; and those
    /// with small changes.
    fn by_chance(&mut self, most: usize) -> (Vec<Job>, Vec<Job>) {
        let crosses = self.yields.share(Kind::Crossed, 24.0, CROSSED).min(most);
        let mutants = self.yields.share(Kind::Changed, 48.0, MUTANTS).min(most - crosses);
        let mut urgent = Vec::new();
        while most > 0 && urgent.len() < URGENT {
            let Some(Urgent { pair: (one, other), is_divergent }) = self.pairs.next_urgent() else {
                break;
            };
            urgent.extend(joined(&one, &other).into_iter().map(|made| (made, is_divergent)));
        }
        let mut joins = Vec::new();
        while urgent.len() + joins.len() < crosses {
            let Some((one, other)) = self.pairs.next() else { break };
            joins.extend(joined(&one, &other).into_iter().map(|(test, _)| test));
        }
        let crosses = crosses.saturating_sub(urgent.len() + joins.len());
        let mut chance = self.chance.clone();
        let words = if chance.below(2) == 0 { &self.words } else { self.dictionary.words() };
        let material = Material { kept: &self.kept, others: &self.others, words };
        let crosses = (0..crosses).filter_map(|_| crossed(&mut chance, &material));
        let crosses = joins.into_iter().chain(crosses);
        let crosses = crosses.filter(|test| self.is_wanted(test)).map(Job::Run);
        let is_word = |word: &[u8]| self.words.iter().any(|known| known == word);
        let alike = urgent.iter().flat_map(|((test, joint), _)| named_alike(test, joint, &is_word));
        let alike: Vec<_> = alike.filter(|test| self.is_wanted(test)).map(Job::Run).collect();
        let is_wanted = |test: &TestCase, is_divergent: bool| {
            self.is_wanted(test) || (is_divergent && self.is_allowed(test))
        };
        let urgent =
            urgent.into_iter().filter(|((test, _), is_divergent)| is_wanted(test, *is_divergent));
        let urgent = urgent.enumerate().map(|(number, ((test, joint), is_divergent))| match () {
            // Only the consequences of the first part are missing.
            () if is_divergent => Job::Join(test, joint, Meet::All),
            () if number < MEETING => Job::Join(test, joint, Meet::Some),
            () => Job::Run(test),
        });
        let crosses: Vec<_> = urgent.chain(alike).chain(crosses).collect();
        let mutants = (0..mutants).filter_map(|_| mutant(&mut chance, &material));
        let mutants: Vec<_> = mutants.filter(|test| self.is_wanted(test)).collect();
        self.chance = chance;
        (crosses, together(&mutants))
    }

    /// Has a test that came as near to a change as any be done together with others before all else.
    fn pair_near(&mut self, test: &Arc<TestCase>, distances: &[Option<u32>]) {
        if !self.options.strategy.is_guided() {
            return;
        }
        for (change, distance) in distances.iter().enumerate() {
            let Some(distance) = *distance else { continue };
            let is_open = !self.summary.executed.contains_key(&change);
            if is_open && self.pairs.add_near(test, (change, distance), &self.kept) {
                self.frontier.look_at_all_again();
            }
        }
    }

    /// Whether a run has printed something that no run has printed there; not if something else is
    /// printed there all the time.
    fn says_something_new(&mut self, printed: &FxHashSet<(u32, u64)>) -> bool {
        let mut is_new = false;
        for (site, text) in printed {
            let known = self.printed.entry(*site).or_default();
            is_new |= known.len() < MOST_TEXTS && known.insert(*text);
        }
        is_new
    }

    fn is_wanted(&self, test: &TestCase) -> bool {
        !self.tests.contains(test) && self.is_allowed(test)
    }

    fn is_allowed(&self, test: &TestCase) -> bool {
        let keeps = |given: &TestCase| given.fixed == test.fixed && given.is_kept_by(test);
        self.options.bounds.admit(test) && (test.fixed.is_empty() || self.given.iter().any(keeps))
    }

    /// Whether what cannot be flipped to cannot be reached: nothing was forgotten, given up or
    /// approximated.
    fn knows_all(&self) -> bool {
        let summary = &self.summary;
        summary.forgotten + summary.skipped + summary.unknown == 0
            && summary.approximations.is_empty()
    }

    /// Whether to pause: `exhausted` if all branches are flipped, or as there is not much to do.
    fn pauses(&mut self, exhausted: bool) -> bool {
        if self.options.aim != Aim::Find || self.guide.is_none() {
            return false;
        }
        let Pauses { early, exhausted: known } = &mut self.pauses;
        let runs = self.summary.runs;
        let is_small = runs >= EARLY && self.summary.waiting as u64 <= runs;
        let is_first = match exhausted {
            true => !std::mem::replace(known, true),
            false => is_small && !std::mem::replace(early, true),
        };
        self.summary.paused |= is_first;
        is_first
    }

    /// Tests near which the versions may part, to be looked at next.
    fn divergence(&mut self) -> Vec<Job> {
        if !self.options.strategy.follows_effects() {
            self.divergent.clear();
        }
        let count = self.divergent.len().min(self.yields.share(Kind::Diverged, 4.0, DIVERGED));
        let tests = self.divergent.drain(..count);
        tests.map(|test| Job::Diverge(test, Arc::clone(&self.asked))).collect()
    }

    /// Has a test on which the versions were meant to part be looked at, whatever path it takes: the
    /// other version takes one of its own.
    fn look_closer(&mut self, kind: Kind, outcome: &Outcome) {
        if let Outcome::Ran(ran) = outcome
            && kind == Kind::Diverged
            && !ran.relation.executed.is_empty()
        {
            self.paths.insert(ran.decisions.path);
            self.divergent.push_front(NearDivergence::of(ran));
        }
    }

    fn note_divergences(&mut self, diverged: Diverged) {
        if !diverged.asked.is_empty() {
            Arc::make_mut(&mut self.asked).extend(diverged.asked);
        }
        Arc::make_mut(&mut self.seen).add_values(&diverged.values);
        if let Some(near) = diverged.near {
            if diverged.diverges {
                self.summary.diverged.extend(&near.executed);
                self.witnesses.part(&near.executed, &near.test);
                self.pairs.add_divergent(&near.test, &self.kept);
            }
            if diverged.has_more {
                self.divergent.push_back(near);
            }
        }
        self.summary.divergences.0 += diverged.impossible;
        self.summary.divergences.1 += diverged.unknown;
        self.summary.unclear += diverged.incomplete;
        self.summary.obstacles.extend(diverged.obstacles);
        self.summary.world.extend(diverged.world);
    }

    /// Takes note of what both versions did with a test.
    fn note_relation(&mut self, ran: &Ran, tell: Observer<'_>) {
        let Relation { differs, explanation, executed, .. } = &ran.relation;
        let runs = self.summary.runs;
        let known = &mut self.summary.executed;
        let first: Vec<usize> =
            executed.iter().copied().filter(|change| !known.contains_key(change)).collect();
        if !first.is_empty() {
            known.extend(first.iter().map(|change| (*change, runs)));
            self.frontier.look_at_all_again();
            self.witnesses.execute(&first, &Arc::new(ran.test.clone()));
            self.heed(tell(Event::Executes { test: &ran.test, changes: &first }));
        }
        let explanation = explanation.as_deref();
        if *differs || explanation.is_some() {
            self.heed(tell(Event::Differs { test: &ran.test, executed, explanation }));
        }
        if !executed.is_empty() && self.paths.insert(ran.decisions.path) {
            let divergent = NearDivergence::of(ran);
            self.witnesses.go(&divergent.executed, &divergent.test);
            if self.options.strategy.follows_effects() {
                self.pairs.add_executing(&divergent.test, &self.kept);
            }
            self.divergent.push_back(divergent);
        }
    }

    /// Ends a round before which so many tests were kept.
    fn end_round(&mut self, kept: usize) {
        self.rounds += 1;
        self.stalled = if self.kept.len() > kept { 0 } else { self.stalled + 1 };
        if is_turning_point(self.stalled) {
            self.frontier.look_at_all_again();
        }
        if self.rounds.is_multiple_of(MEMORY) {
            self.yields.fade();
        }
        self.refresh();
    }

    fn is_over(&self) -> bool {
        let runs = self.options.budget.runs;
        self.is_stopped
            || self.deadline.is_over()
            || runs.is_some_and(|runs| self.summary.runs >= runs)
    }

    fn refresh(&mut self) {
        let summary = &mut self.summary;
        summary.elapsed = self.before + self.start.elapsed();
        summary.covered = self.coverage.covered();
        summary.waiting = self.frontier.len();
        summary.forgotten = self.frontier.forgotten;
        summary.answers = Statistics::default();
        let counterparts = || self.workers.iter().filter_map(|worker| worker.counterpart.as_ref());
        summary.counterpart_runs = counterparts().map(|counterpart| counterpart.runs).sum();
        summary.learnt_noise = counterparts().map(|counterpart| counterpart.learnt).sum();
        for worker in &self.workers {
            summary.answers += worker.solver.statistics();
        }
    }

    /// Has the workers do jobs; the reports are in the order of the jobs.
    fn round(&mut self, jobs: Vec<Job>) -> Result<Vec<Report>, SearchError> {
        let deadline = self.deadline;
        let count = jobs.len();
        let queue: Mutex<VecDeque<_>> = Mutex::new(jobs.into_iter().enumerate().collect());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = |worker: &mut Worker| {
            if let Some(processor) = worker.lab.processor() {
                stay_on(processor);
            }
            let mut done = Vec::new();
            while let Some((number, job)) = next() {
                if deadline.is_over() {
                    break;
                }
                done.push((number, worker.work(job, deadline)));
            }
            done
        };
        for worker in &mut self.workers {
            worker.before = Arc::clone(&self.seen);
        }
        let Some((first, others)) = self.workers.split_first_mut() else { return Ok(Vec::new()) };
        let mut reports: Vec<_> = thread::scope(|scope| {
            let others = others.iter_mut().take(count.saturating_sub(1));
            let others: Vec<_> = others.map(|worker| scope.spawn(|| work(worker))).collect();
            let mut reports = work(first);
            let joined = others.into_iter().map(thread::ScopedJoinHandle::join);
            reports
                .extend(joined.flat_map(|done| {
                    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }));
            reports
        });
        for worker in &mut self.workers {
            // What is seen next is added without a copy.
            worker.before = Arc::default();
        }
        reports.sort_by_key(|(number, _)| *number);
        // A job that the deadline has ended has nothing to report.
        let reports = reports.into_iter().map(|(_, report)| report);
        let reports = reports.filter(|report| !matches!(report, Err(RunError::OutOfTime)));
        reports.map(|report| report.map_err(SearchError::Run)).collect()
    }

    /// Takes note of what came of a try, and tells what that is worth.
    fn take(&mut self, outcome: Outcome, tell: Observer<'_>) -> u64 {
        match outcome {
            Outcome::Ran(ran) => return self.add(*ran, tell),
            Outcome::Impossible(target) => {
                self.summary.impossible += 1;
                self.frontier.learn(&target, false);
            }
            Outcome::Unknown(target) => {
                self.summary.unknown += 1;
                self.frontier.learn(&target, false);
            }
            Outcome::Gone => {}
        }
        0
    }

    /// Adds what a run has shown, and tells what that is worth.
    fn add(&mut self, mut ran: Ran, tell: Observer<'_>) -> u64 {
        if let Some(whole) = ran.whole.take() {
            self.add(*whole, tell);
        }
        let new = self.coverage.add(&ran.places);
        let is_followed = self.options.strategy.follows_effects();
        let beside = Arc::make_mut(&mut self.seen).add(&ran);
        let beside = if is_followed { beside } else { 0 };
        self.count(&ran);
        if self.options.aim == Aim::Prove && self.joint_paths.insert(ran.both()) {
            self.heed(tell(Event::Path { test: &ran.test }));
        }
        if let Some(flip) = ran.flip {
            self.frontier.learn(&flip.target, new > 0);
        }
        let novelty = self.frontier.reached(ran.decisions.gone.iter().copied());
        self.note_relation(&ran, tell);
        let says_new = self.says_something_new(&ran.decisions.printed);
        match ran.ending {
            Ending::Exit(_) => {}
            Ending::Signal(signal) => {
                if self.endings.insert((signal, ran.decisions.last_site)) {
                    self.summary.crashes += 1;
                    self.heed(tell(Event::Crash { test: &ran.test, ending: ran.ending }));
                }
            }
            Ending::TimeLimit | Ending::MemoryLimit | Ending::OutputLimit => {
                if self.endings.insert((0, ran.decisions.last_site)) {
                    self.summary.hangs += 1;
                    self.heed(tell(Event::Hang { test: &ran.test, ending: ran.ending }));
                }
            }
        }
        if new > 0 {
            self.summary.kept += 1;
            self.heed(tell(Event::Kept { test: &ran.test, new }));
        }
        let mut wanted: Vec<_> = ran.decisions.wanted.iter().collect();
        wanted.sort_unstable();
        wanted.iter().for_each(|word| self.dictionary.learn(word));
        if self.tests.insert(ran.test.clone()) {
            let test = Arc::new(ran.test);
            if ran.flip.is_some_and(|flip| flip.target.way == Way::Fault) {
                self.witnesses.leave(&ran.relation.executed, &test);
            }
            if new + beside > 0 {
                // What is new beside a change is looked at before all that is like what was there.
                let at = self.divergent.iter().rposition(|divergent| divergent.test == test);
                if let Some(divergent) = at.and_then(|at| self.divergent.remove(at)) {
                    self.divergent.push_front(divergent);
                }
                self.witnesses.execute(&ran.relation.executed, &test);
                self.pair_near(&test, &ran.distances);
                self.pairs.add(&test, true, &self.kept);
                self.dictionary.add(&test);
                self.program_dictionary.add(&test);
                self.growth.add(&test);
                self.kept.push(Arc::clone(&test));
                if is_followed && !ran.relation.alone.is_empty() {
                    self.pairs.add_divergent(&test, &self.kept);
                } else if is_followed && !ran.relation.executed.is_empty() {
                    self.pairs.add_executing(&test, &self.kept);
                }
                if let Some(roomy) = roomy(&test) {
                    self.pending.push_front(roomy);
                }
                self.pending.extend(longer(&test));
            } else if novelty.targets > 0 {
                // What a library function reads may be what belongs to a word.
                self.dictionary.add(&test);
                self.later.extend(longer(&test));
                self.later.drain(..self.later.len().saturating_sub(MOST_LATER));
            }
            let is_kept = new + beside > 0;
            if !is_kept && (says_new || novelty.words > 0) {
                self.pairs.add(&test, false, &self.kept);
            }
            if !is_kept && (novelty.called > 0 || says_new || novelty.words > 0) {
                self.pairs.add_notable(&test);
                self.later.extend(with_longer_lines(&test));
                self.others.truncate(MOST_OTHERS - 1);
                self.others.push_front(Arc::clone(&test));
            }
            self.frontier.add(&test, &ran.decisions.flips, ran.decisions.count, new);
        }
        // What is new on the way may lead to more.
        let steps = novelty.targets + novelty.called + usize::from(says_new);
        (8 * new + 4 * beside + steps) as u64
    }

    fn count(&mut self, ran: &Ran) {
        let summary = &mut self.summary;
        summary.runs += 1;
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

impl NearDivergence {
    fn of(ran: &Ran) -> NearDivergence {
        NearDivergence { test: Arc::new(ran.test.clone()), executed: ran.relation.executed.clone() }
    }
}

/// The other version, once for each worker.
fn counterparts(
    counterpart: Option<Counterpart>,
    options: &Options,
) -> Result<Vec<CounterpartRunner>, SearchError> {
    let Some(Counterpart { labs, subject, cases, sites, guide, ignore }) = counterpart else {
        return Ok(Vec::new());
    };
    let counterpart = |old| Some((old, guide.counterpart(old)?));
    let counterparts: Arc<[_]> = (1..=sites as u32).filter_map(counterpart).collect();
    let recent: Arc<Mutex<Recent>> = Arc::default();
    let counterpart = |lab| {
        Ok(CounterpartRunner {
            lab,
            memory: TraceMemory::new(TraceOptions { sites, ..options.trace.clone() })?,
            recent: Arc::clone(&recent),
            subject: subject.clone(),
            cases: Arc::clone(&cases),
            guide: Arc::clone(&guide),
            counterparts: Arc::clone(&counterparts),
            ignore: ignore.clone(),
            runs: 0,
            learnt: 0,
            aim: options.aim,
            known: Arc::default(),
        })
    };
    labs.into_iter().map(counterpart).collect()
}

/// Tests in pieces of work.
fn together(tests: &[TestCase]) -> Vec<Job> {
    tests.chunks(TOGETHER).map(|tests| Job::Mutants(tests.to_vec())).collect()
}

/// Whether the program's own coverage says that a target was reached, also by a run for which the
/// branch was concrete.
fn is_covered(coverage: &Coverage, target: &Target) -> bool {
    match target.way {
        Way::Branch(taken) if target.model_site == 0 => {
            coverage.has(target.site + u32::from(!taken))
        }
        _ => false,
    }
}
