//! Comparing two versions on a whole suite.
//!
//! Every test runs on both versions in turn, so that a clock, a load or a file of the machine
//! drifts the same way for both. An apparent difference is run again at least a second later,
//! together with all others of its kind, as often as [`confirm`] asks for: a program that prints
//! the time looks stable within a second, and one wait serves the whole suite. Workers take tests
//! as they come; results are kept in the order of the suite, so that the same suite gives the same
//! report.

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use parallax_deadline::Deadline;
use parallax_run::{TestCase, suite::Suite};

use crate::{
    Difference, Experience, Failure, Ignore, Judgement, Masked, Rigour, Runner, Runs, confirm,
};

/// The options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of runs of a test on each version; less than twice would show no noise, and is taken
    /// as twice. A test that differs runs at least as often again ([`confirm`]).
    pub repeat: u32,
    /// The time from the first runs of a test that differs to its next runs.
    pub settle: Duration,
    /// The user's rules for noise.
    pub ignore: Ignore,
    /// The deadline of the comparison, which ends with the results so far.
    pub deadline: Deadline,
    /// The time after which no more tests are begun, which leaves time to confirm the others.
    pub last_test: Deadline,
}

/// The result for a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// One result for each test, in the order of the suite.
    pub tests: Vec<Compared>,
}

/// The result for one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The name of the test.
    pub name: String,
    /// The inputs of both versions.
    pub case: TestCase,
    /// Its outcome.
    pub outcome: Outcome,
    /// The aspects that varied between runs of the same version, and were not compared, or only in
    /// part.
    pub masked: Vec<Masked>,
}

/// The outcomes of the comparison of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing tells the versions apart, noise aside.
    Same,
    /// The versions differ, repeatedly.
    Different(Box<Difference>),
    /// The test could not be run, or not for long enough to tell, for this reason.
    Trouble(String),
    /// There was no time for it.
    OutOfTime {
        /// Whether the versions looked different, without time to confirm it.
        seemed: bool,
    },
}

/// The number of tests with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests on which nothing tells the versions apart.
    pub same: usize,
    /// Tests that tell the versions apart.
    pub different: usize,
    /// Tests that could not be run, or not for long enough to tell.
    pub trouble: usize,
    /// Tests that there was no time for.
    pub out_of_time: usize,
}

/// The result of a comparison as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All tests ran, and none tells the versions apart.
    Same,
    /// A test tells the versions apart. That holds even if another could not be run.
    Different,
    /// Nothing was found, but not all tests could be run, or not for long enough to tell.
    Trouble,
}

/// An event of a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// So many tests are to be run.
    Started {
        /// The number of tests.
        tests: usize,
    },
    /// A test is finished. Tests finish in any order.
    Finished {
        /// Its place in the suite.
        index: usize,
        /// Its outcome.
        outcome: &'a Outcome,
    },
    /// So many tests that seem to differ are run again.
    Confirming {
        /// The number of tests.
        tests: usize,
    },
    /// All tests are finished.
    Done {
        /// The number of tests with each outcome.
        summary: Summary,
    },
}

/// Runs the suite on both versions and compares the observations, one worker for each runner.
pub fn compare_suite<R: Runner>(
    suite: &Suite,
    options: &Options,
    runners: &mut [R],
    events: &mut dyn FnMut(Event<'_>),
) -> Comparison {
    let tests = suite.tests.len();
    events(Event::Started { tests });
    runners.iter_mut().for_each(|runner| runner.set_deadline(options.deadline));
    let (jobs, queue) = mpsc::channel();
    let (replies, inbox) = mpsc::channel();
    let workplace = Workplace { suite, options, queue: Mutex::new(queue) };
    let comparison = thread::scope(|scope| {
        for runner in runners {
            let (workplace, replies) = (&workplace, replies.clone());
            scope.spawn(move || workplace.work(runner, &replies));
        }
        drop(replies);
        // The workers stop when `jobs` is gone, at the end of this closure.
        let mut desk = Desk::new(suite, jobs, inbox, events);
        desk.run_first();
        desk.confirm(options);
        desk.into_comparison()
    });
    let summary = comparison.summary();
    events(Event::Done { summary });
    comparison
}

impl Comparison {
    /// The number of tests with each outcome.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for test in &self.tests {
            match test.outcome {
                Outcome::Same => summary.same += 1,
                Outcome::Different(_) => summary.different += 1,
                Outcome::Trouble(_) => summary.trouble += 1,
                Outcome::OutOfTime { .. } => summary.out_of_time += 1,
            }
        }
        summary
    }

    /// The result of the comparison as a whole.
    pub fn verdict(&self) -> Verdict {
        match self.summary() {
            Summary { different: 1.., .. } => Verdict::Different,
            Summary { trouble: 1.., .. } | Summary { out_of_time: 1.., .. } => Verdict::Trouble,
            Summary { .. } => Verdict::Same,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        let (settle, ignore) = (Duration::from_millis(1100), Ignore::default());
        let (deadline, last_test) = (Deadline::NEVER, Deadline::NEVER);
        Options { repeat: 2, settle, ignore, deadline, last_test }
    }
}

/// A test to run, on top of the runs it has had.
struct Job {
    index: usize,
    runs: Runs,
    /// The rigour of the confirmation; none if the test is not known to differ yet.
    rigour: Option<Rigour>,
}

enum Reply {
    Judged { index: usize, runs: Runs, judgement: Judgement, finished: Instant },
    Failed { index: usize, failure: Failure },
}

/// The data that all workers share.
struct Workplace<'a> {
    suite: &'a Suite,
    options: &'a Options,
    queue: Mutex<Receiver<Job>>,
}

impl Workplace<'_> {
    fn work(&self, runner: &mut dyn Runner, replies: &Sender<Reply>) {
        while let Some(job) = self.next_job() {
            let reply = self.reply(runner, job);
            let is_last = matches!(&reply, Reply::Failed { failure: Failure::Runner(_), .. });
            // The receiver is only gone if the comparison has ended.
            if replies.send(reply).is_err() || is_last {
                return;
            }
        }
    }

    fn next_job(&self) -> Option<Job> {
        // A receiver has no state that a panic elsewhere could have left half done.
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.recv().ok()
    }

    fn reply(&self, runner: &mut dyn Runner, job: Job) -> Reply {
        let Job { index, mut runs, rigour } = job;
        let Options { deadline, last_test, .. } = self.options;
        if deadline.is_over() || runs.old.is_empty() && last_test.is_over() {
            return Reply::Failed { index, failure: Failure::OutOfTime };
        }
        let case = &self.suite.tests[index].case;
        let judged = match rigour {
            Some(rigour) => confirm(&mut runs, rigour, runner, case, &self.options.ignore),
            None => {
                runs.add(self.repeat(), runner, case).map(|()| runs.judge(&self.options.ignore))
            }
        };
        match judged {
            Ok(judgement) => Reply::Judged { index, runs, judgement, finished: Instant::now() },
            Err(failure) => Reply::Failed { index, failure },
        }
    }

    fn repeat(&self) -> usize {
        self.options.repeat.max(2) as usize
    }
}

/// Hands out the tests and collects the replies.
struct Desk<'a> {
    suite: &'a Suite,
    jobs: Sender<Job>,
    inbox: Receiver<Reply>,
    events: &'a mut dyn FnMut(Event<'_>),
    results: Vec<Option<(Outcome, Vec<Masked>)>>,
    experience: Experience,
    suspects: Vec<(usize, Runs)>,
    last_suspect: Option<Instant>,
    is_confirming: bool,
    convicted: Vec<(usize, Runs, Judgement)>,
}

impl<'a> Desk<'a> {
    fn new(
        suite: &'a Suite,
        jobs: Sender<Job>,
        inbox: Receiver<Reply>,
        events: &'a mut dyn FnMut(Event<'_>),
    ) -> Desk<'a> {
        Desk {
            suite,
            jobs,
            inbox,
            events,
            results: vec![None; suite.tests.len()],
            experience: Experience::default(),
            suspects: Vec::new(),
            last_suspect: None,
            is_confirming: false,
            convicted: Vec::new(),
        }
    }

    fn run_first(&mut self) {
        let job = |index| Job { index, runs: Runs::default(), rigour: None };
        self.run((0..self.suite.tests.len()).map(job).collect(), Desk::suspect);
    }

    fn confirm(&mut self, options: &Options) {
        let suspects = std::mem::take(&mut self.suspects);
        let Some(last) = self.last_suspect else {
            return;
        };
        (self.events)(Event::Confirming { tests: suspects.len() });
        self.is_confirming = true;
        // A difference that is not confirmed in time is reported as such.
        let wait = (last + options.settle).saturating_duration_since(Instant::now());
        options.deadline.sleep(wait);
        let rigour = self.try_suspects(suspects, options);
        if rigour.is_trusting() && self.experience.has_varied() {
            // The trust was not deserved.
            let convicted = std::mem::take(&mut self.convicted);
            let again = convicted.into_iter().map(|(index, runs, _)| (index, runs));
            self.try_suspects(again.collect(), options);
        }
        for (index, runs, judgement) in std::mem::take(&mut self.convicted) {
            let difference = Difference::of(&judgement, &runs, &options.ignore);
            let difference = difference.expect("it was convicted for a difference");
            self.finish(index, Outcome::Different(Box::new(difference)), judgement.masked);
        }
    }

    fn try_suspects(&mut self, mut suspects: Vec<(usize, Runs)>, options: &Options) -> Rigour {
        suspects.sort_by_key(|(index, _)| *index);
        let rigour = self.experience.each_of(suspects.len(), options.repeat as usize);
        let job = |(index, runs)| Job { index, runs, rigour: Some(rigour) };
        self.run(suspects.into_iter().map(job).collect(), Desk::convict);
        self.convicted.sort_by_key(|(index, ..)| *index);
        rigour
    }

    /// Runs the jobs; tests that differ go to `differs`.
    fn run(&mut self, jobs: Vec<Job>, differs: fn(&mut Self, usize, Runs, Judgement, Instant)) {
        let mut waiting = jobs.len();
        for job in jobs {
            // The queue lives as long as this desk, even if the workers are gone.
            let _ = self.jobs.send(job);
        }
        while waiting > 0 {
            // Without workers, whose runners may all be gone, there are no more replies.
            let Ok(reply) = self.inbox.recv() else { return };
            if let Reply::Judged { runs, judgement, .. } = &reply {
                self.experience.learn(runs, judgement);
            }
            match reply {
                Reply::Failed { index, failure: Failure::Test(why) | Failure::Runner(why) } => {
                    self.finish(index, Outcome::Trouble(why), Vec::new());
                }
                Reply::Failed { index, failure: Failure::OutOfTime } => {
                    let outcome = Outcome::OutOfTime { seemed: self.is_confirming };
                    self.finish(index, outcome, Vec::new());
                }
                Reply::Judged { index, judgement, .. } if judgement.differs_in.is_empty() => {
                    let outcome = judgement.undecided.map_or(Outcome::Same, Outcome::Trouble);
                    self.finish(index, outcome, judgement.masked);
                }
                Reply::Judged { index, runs, judgement, finished } => {
                    differs(self, index, runs, judgement, finished)
                }
            }
            waiting -= 1;
        }
    }

    /// Notes a test that differs at first as a suspect.
    fn suspect(&mut self, index: usize, runs: Runs, _: Judgement, finished: Instant) {
        self.suspects.push((index, runs));
        self.last_suspect = self.last_suspect.max(Some(finished));
    }

    /// Notes a test that still differs after all runs as different, unless runs of other tests show
    /// more noise.
    fn convict(&mut self, index: usize, runs: Runs, judgement: Judgement, _: Instant) {
        self.convicted.push((index, runs, judgement));
    }

    fn finish(&mut self, index: usize, outcome: Outcome, masked: Vec<Masked>) {
        let outcome = &self.results[index].insert((outcome, masked)).0;
        (self.events)(Event::Finished { index, outcome });
    }

    fn into_comparison(mut self) -> Comparison {
        for index in 0..self.results.len() {
            if self.results[index].is_none() {
                let why = String::from("find a lab that is still there");
                self.finish(index, Outcome::Trouble(why), Vec::new());
            }
        }
        let tests = self.suite.tests.iter().zip(self.results);
        let tests = tests.filter_map(|(test, result)| {
            let (outcome, masked) = result?;
            Some(Compared { name: test.name.clone(), case: test.case.clone(), outcome, masked })
        });
        Comparison { tests: tests.collect() }
    }
}
