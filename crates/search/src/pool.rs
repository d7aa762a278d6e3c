//! The workers of a campaign, and the rounds of jobs that they do.
//!
//! A job is a function of itself and of what was known before its round, whichever worker does it and whatever
//! that has done before. So what a campaign finds does not depend on the number of workers.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use parallax_deadline::Deadline;
use parallax_run::{
    Subject, TestCase,
    lab::{Lab, RunError, stay_on},
    trace::{TraceMemory, TraceOptions},
};
use parallax_solve::{Solver, Statistics};

use crate::{
    Code, Counterpart, Expense, Known, Options, SearchError,
    counterpart::CounterpartRunner,
    outcome::Ran,
    recent::Recent,
    time_limit::TimeLimit,
    worker::{Job, Report, Seen, Worker},
};

/// Runs given tests and rounds of jobs: workers, or what a test puts in their place.
pub(crate) trait Crew: Send {
    /// Runs a given test; `None` if the deadline came first.
    fn run_given(
        &mut self,
        test: TestCase,
        deadline: Deadline,
    ) -> Result<Option<(Ran, Expense)>, SearchError>;

    /// The programs that given tests tried to start and that are not there.
    fn take_absent(&mut self) -> BTreeSet<Vec<u8>>;

    /// Passes on what the observer has found out.
    fn tell(&mut self, known: &Arc<Known>);

    /// Has jobs done that may know what was seen before; the reports are in the order of the jobs.
    fn round(
        &mut self,
        jobs: Vec<Job>,
        seen: &Arc<Seen>,
        deadline: Deadline,
    ) -> Result<Vec<Report>, SearchError>;

    /// How many workers there are.
    fn workers(&self) -> u32;

    /// The answers of all solvers.
    fn answers(&self) -> Statistics;

    /// Runs of the other version, and comparisons that differed in nothing but noise that was learnt.
    fn counterpart_runs(&self) -> (u64, u64);
}

/// The workers.
pub(crate) struct Pool(Vec<Worker>);

impl Pool {
    /// A worker for each lab, with the other version if there is one.
    pub(crate) fn new(
        labs: Vec<Lab>,
        subject: &Subject,
        code: &Code,
        options: &Options,
        counterpart: Option<Counterpart>,
        solver: &dyn Fn() -> Solver,
    ) -> Result<Pool, SearchError> {
        let mut counterparts = counterparts(counterpart, options)?.into_iter();
        let branches: Arc<HashSet<u32>> = Arc::new(code.branches.iter().copied().collect());
        let recent: Arc<Mutex<Recent>> = Arc::default();
        let mut worker = |lab| {
            Ok::<_, SearchError>(Worker {
                lab,
                counterpart: counterparts.next(),
                memory: TraceMemory::new(options.trace.clone())?,
                recent: Arc::clone(&recent),
                subject: subject.clone(),
                time_limit: TimeLimit::new(options.limits.clone(), options.budget.runs.is_none()),
                code: code.clone(),
                bounds: options.bounds,
                policy: options.policy.clone(),
                solver: solver(),
                deadline: Deadline::NEVER,
                branches: Arc::clone(&branches),
                before: Arc::default(),
                since: Seen::default(),
                expense: Expense::default(),
            })
        };
        Ok(Pool(labs.into_iter().map(&mut worker).collect::<Result<_, _>>()?))
    }
}

impl Crew for Pool {
    fn run_given(
        &mut self,
        test: TestCase,
        deadline: Deadline,
    ) -> Result<Option<(Ran, Expense)>, SearchError> {
        let Some(worker) = self.0.first_mut() else { return Ok(None) };
        let ran = match worker.run_given(test, deadline) {
            Err(RunError::OutOfTime) => return Ok(None),
            ran => ran?,
        };
        if !worker.memory.trace().attached() {
            return Err(SearchError::Untraced("it does not attach".to_owned()));
        }
        Ok(Some((ran, worker.take_expense())))
    }

    fn take_absent(&mut self) -> BTreeSet<Vec<u8>> {
        self.0.first_mut().map(Worker::take_absent).unwrap_or_default()
    }

    fn tell(&mut self, known: &Arc<Known>) {
        for counterpart in self.0.iter_mut().filter_map(|worker| worker.counterpart.as_mut()) {
            counterpart.known = Arc::clone(known);
        }
    }

    fn workers(&self) -> u32 {
        self.0.len() as u32
    }

    fn answers(&self) -> Statistics {
        let mut answers = Statistics::default();
        for worker in &self.0 {
            answers += worker.solver.statistics();
        }
        answers
    }

    fn counterpart_runs(&self) -> (u64, u64) {
        let counterparts = || self.0.iter().filter_map(|worker| worker.counterpart.as_ref());
        let runs = counterparts().map(|counterpart| counterpart.runs).sum();
        (runs, counterparts().map(|counterpart| counterpart.learnt).sum())
    }

    fn round(
        &mut self,
        jobs: Vec<Job>,
        seen: &Arc<Seen>,
        deadline: Deadline,
    ) -> Result<Vec<Report>, SearchError> {
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
        for worker in &mut self.0 {
            worker.before = Arc::clone(seen);
        }
        let Some((first, others)) = self.0.split_first_mut() else { return Ok(Vec::new()) };
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
        for worker in &mut self.0 {
            // What is seen next is added without a copy.
            worker.before = Arc::default();
        }
        reports.sort_by_key(|(number, _)| *number);
        // A job that the deadline has ended has nothing to report.
        let reports = reports.into_iter().map(|(_, report)| report);
        let reports = reports.filter(|report| !matches!(report, Err(RunError::OutOfTime)));
        reports.map(|report| report.map_err(SearchError::Run)).collect()
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
            expense: Expense::default(),
            learnt: 0,
            aim: options.aim,
            known: Arc::default(),
        })
    };
    labs.into_iter().map(counterpart).collect()
}
