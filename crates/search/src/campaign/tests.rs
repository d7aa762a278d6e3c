//! A campaign over a program of two branches, which a fake crew runs and solves for.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use parallax_run::{Limits, trace::TraceOptions};
use parallax_solve::Statistics;

use super::*;
use crate::{
    Bounds, Context, Expense, Flip, Known, Policy, Target, decision::Decisions, worker::Seen,
};

/// Reads two bytes: the first branch is taken by an `a`, and then the second one by a `b`.
const FIRST: u32 = 1;
const SECOND: u32 = 3;

/// Runs the program, and counts what it was asked for.
#[derive(Default)]
struct Fake {
    /// Whether each run has something that is not exact.
    is_inexact: bool,
    /// Inputs of all rounds.
    inputs: Arc<std::sync::Mutex<Vec<TestCase>>>,
}

impl Fake {
    fn run(&self, test: TestCase, flip: Option<Flip>) -> Ran {
        self.inputs.lock().expect("it is not poisoned").push(test.clone());
        let mut decisions = Decisions::default();
        let stdin = test.stdin.clone().unwrap_or_default();
        let mut decide = |site, at: usize, wanted| {
            let taken = stdin.get(at) == Some(&wanted);
            let target = |taken| Target { site, model_site: 0, way: Way::Branch(taken) };
            let number = decisions.count as u32;
            let path = |taken| decisions.path * 31 + u64::from(site) * 2 + u64::from(taken) + 1;
            let other = Flip {
                target: target(!taken),
                context: Context::default(),
                event: number,
                path: path(!taken),
            };
            decisions.flips.push(other);
            decisions.path = path(taken);
            decisions.prefixes.push(decisions.path);
            decisions.gone.insert((target(taken), Context::default()));
            decisions.count += 1;
            (taken, site + u32::from(!taken))
        };
        let (taken, place) = decide(FIRST, 0, b'a');
        let mut places = vec![place];
        if taken {
            places.push(decide(SECOND, 1, b'b').1);
        }
        let counter = self.is_inexact.then_some((Counter::Unmodelled, 1));
        Ran {
            as_meant: flip.is_none_or(|flip| decisions.prefixes.contains(&flip.path)),
            test,
            flip,
            promise: Promise::Exact,
            ending: Ending::Exit(0),
            decisions,
            places,
            beside: Vec::new(),
            distances: Vec::new(),
            counters: counter.into_iter().collect(),
            unmodelled: Vec::new(),
            whole: None,
            relation: Relation::default(),
        }
    }

    /// An input that takes a flip.
    fn solved(target: Target) -> TestCase {
        let stdin = match (target.site, target.way) {
            (FIRST, Way::Branch(true)) => &b"a"[..],
            (SECOND, Way::Branch(true)) => b"ab",
            (SECOND, _) => b"ax",
            _ => b"x",
        };
        TestCase { stdin: Some(stdin.to_vec()), ..TestCase::default() }
    }
}

impl Crew for Fake {
    fn run_given(
        &mut self,
        test: TestCase,
        _: Deadline,
    ) -> Result<Option<(Ran, Expense)>, SearchError> {
        Ok(Some((self.run(test, None), Expense::default())))
    }

    fn take_absent(&mut self) -> BTreeSet<Vec<u8>> {
        BTreeSet::new()
    }

    fn tell(&mut self, _: &Arc<Known>) {}

    fn round(
        &mut self,
        jobs: Vec<Job>,
        _: &Arc<Seen>,
        _: Deadline,
    ) -> Result<Vec<Report>, SearchError> {
        let report = |job| match job {
            Job::Flips(batch) => {
                let flips = batch.flips.iter().map(|attempt| attempt.flip);
                let ran = flips.map(|flip| self.run(Fake::solved(flip.target), Some(flip)));
                let outcomes = ran.map(|ran| Outcome::Ran(Box::new(ran))).collect();
                Report { outcomes, ..Report::default() }
            }
            Job::Run(test) | Job::Splice(test, ..) => {
                let ran = self.run(test, None);
                Report { outcomes: vec![Outcome::Ran(Box::new(ran))], ..Report::default() }
            }
            Job::Mutants(tests) => Report { idle_runs: tests.len() as u64, ..Report::default() },
            Job::Diverge(..) => Report::default(),
        };
        Ok(jobs.into_iter().map(report).collect())
    }

    fn workers(&self) -> u32 {
        1
    }

    fn answers(&self) -> Statistics {
        Statistics::default()
    }

    fn counterpart_runs(&self) -> (u64, u64) {
        (0, 0)
    }
}

fn campaign(fake: Fake, policy: Policy, runs: Option<u64>) -> Campaign {
    let code = Code {
        cases: Arc::new(|_| Vec::new()),
        branches: (FIRST..=SECOND + 1).collect(),
        words: vec![b"--help".to_vec()],
    };
    let options = Options {
        aim: Aim::Find,
        budget: Budget { time: None, runs },
        bounds: Bounds::default(),
        policy,
        limits: Limits::default(),
        trace: TraceOptions::default(),
    };
    Campaign::with(Box::new(fake), &code, options, None)
}

/// Goes on as long as a campaign likes.
fn explore(mut campaign: Campaign) -> Summary {
    campaign.run(Vec::new(), &mut |_| Directive::default()).expect("nothing can fail")
}

#[test]
fn a_program_is_explored_to_its_end() {
    let fake = Fake::default();
    let inputs = Arc::clone(&fake.inputs);
    let summary = explore(campaign(fake, Policy::default(), None));
    assert!(summary.finished, "{summary:?}");
    assert_eq!((summary.covered, summary.branches), (4, 4));
    let inputs = inputs.lock().expect("it is not poisoned");
    assert!(inputs.iter().any(|test| test.stdin.as_deref() == Some(b"ab")));
}

#[test]
fn what_is_not_exact_is_never_finished_and_the_number_of_runs_is_kept_to() {
    for runs in [1, 2, 50, 333] {
        let fake = Fake { is_inexact: true, ..Fake::default() };
        let summary = explore(campaign(fake, Policy::default(), Some(runs)));
        assert_eq!((summary.finished, summary.runs), (false, runs));
    }
}

#[test]
fn a_search_whose_jobs_were_cut_does_not_claim_to_be_finished() {
    // One run is left for the only flip of the empty test, and none for what that leads to.
    let summary = explore(campaign(Fake::default(), Policy::default(), Some(2)));
    assert!(!summary.finished, "{summary:?}");
    let divergence = || {
        let near = crate::worker::NearDivergence { test: Arc::default(), executed: vec![0] };
        (0, Job::diverge(near, Arc::default()))
    };
    let mut jobs = vec![divergence(), (1, Job::Run(TestCase::default())), divergence()];
    assert!(!limit(&mut jobs, 100) && jobs.len() == 3);
    assert!(limit(&mut jobs, 3) && jobs.len() == 2);
    let most: usize = jobs.iter().map(|(_, job)| job.most_inputs()).sum();
    assert_eq!((most, jobs[1].0), (3, 1), "the run is kept");
}

#[test]
fn a_search_that_lacks_a_part_does_not_claim_to_be_finished() {
    let policy = Policy::default().without("flips").expect("it is a part");
    let summary = explore(campaign(Fake::default(), policy, Some(100)));
    assert!(!summary.finished && summary.covered < 4, "{summary:?}");
}

#[test]
fn the_observer_ends_a_campaign_at_any_event() {
    let told = Rc::new(RefCell::new(0));
    let mut campaign = campaign(Fake::default(), Policy::default(), None);
    let summary = campaign.run(Vec::new(), &mut |event| {
        *told.borrow_mut() += u32::from(matches!(event, Event::Progress(_)));
        Directive { stop: matches!(event, Event::Kept { .. }), ..Directive::default() }
    });
    let summary = summary.expect("nothing can fail");
    assert_eq!((summary.runs, *told.borrow()), (1, 0), "the first test was kept");
}

#[test]
fn a_generator_is_credited_with_what_its_inputs_bring() {
    let summary = explore(campaign(Fake::default(), Policy::default(), None));
    let tried: BTreeMap<_, _> =
        summary.generators.iter().map(|(name, share)| (*name, share.tried)).collect();
    let new: u64 = summary.generators.values().map(|share| share.new).sum();
    assert!(tried["flips"] >= 2, "{tried:?}");
    // The empty test goes one way of the first branch.
    assert_eq!(new, 3);
}
