//! The proof that two versions are equivalent, made when a search is exhausted.
//!
//! A search runs the normal form of a program, which is not what a plain build runs. So its claim
//! that no input tells the versions apart is checked again on proof builds (see
//! `parallax-instrument`): every pair of paths is explored again, every condition of undefined
//! behaviour must be infeasible on it, nothing may have been approximated, and plain builds have to
//! show the same on an input of each path.

use std::{collections::BTreeSet, num::NonZeroUsize, sync::Arc, time::Duration};

use parallax_abi::Counter;
use parallax_compare::Version;
use parallax_deadline::{Deadline, is_interrupted};
use parallax_instrument::{SymbolicBuild, proof_build_cached};
use parallax_run::{
    Limits, TestCase,
    lab::{Lab, idle_processors},
};
use parallax_search::{
    Aim, Bounds, Budget, Campaign, Counterpart, Directive, Doubt, Event, Guide, Obstacle, Policy,
    Strategy, Summary,
};

use crate::{
    CheckError, Plan, Sink,
    engine::{LONGEST, Options, trace_options},
    guide::Map,
    pair::traced,
    solver::{cases, code, solver},
    study::Study,
};

/// Makes proofs within bounds.
pub(crate) struct Prover<'p> {
    pub(crate) study: &'p Study<'p>,
    pub(crate) options: &'p Options,
    pub(crate) sink: &'p dyn Sink,
    pub(crate) bounds: Bounds,
    /// The remaining runs, if they are limited.
    pub(crate) runs: Option<u64>,
}

/// The proof builds of both versions.
pub(crate) struct ProofBuilds {
    old: Arc<SymbolicBuild>,
    new: Arc<SymbolicBuild>,
}

/// The outcome of an attempt to prove equivalence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// The summary of the campaign on proof builds.
    pub(crate) summary: Summary,
    /// Obstacles to the proof besides those that the summary counts.
    pub(crate) obstacles: BTreeSet<String>,
    /// Facts about the outside world that the versions asked for, the same for all runs.
    pub(crate) world: BTreeSet<String>,
}

/// The properties of the sandbox that hold for every run.
const SANDBOX: [&str; 5] = [
    "the program is called by its name",
    "it has no terminal and no network",
    "standard input is a file and what it prints goes to pipes",
    "what it prints and writes can be written",
    "its directory holds the regular files of the test and nothing else",
];

impl Proof {
    /// The environment that the proof holds for.
    pub(crate) fn environment(&self) -> Vec<String> {
        let asked = self.world.iter().map(|name| format!("the program asks for {name}"));
        SANDBOX.iter().map(|line| (*line).to_owned()).chain(asked).collect()
    }

    /// Whether more time cannot give a proof.
    pub(crate) fn is_refuted(&self) -> bool {
        !self.obstacles.is_empty() || is_hopeless(&self.summary)
    }

    /// A failed proof with a reason.
    pub(crate) fn impossible(why: String) -> Proof {
        Proof { obstacles: BTreeSet::from([why]), ..Proof::default() }
    }
}

impl Prover<'_> {
    /// Makes the proof builds of both versions.
    pub(crate) fn builds(&self) -> Result<ProofBuilds, CheckError> {
        let make = |build| {
            proof_build_cached(build, Deadline::NEVER).map(Arc::new).map_err(CheckError::of)
        };
        let pair = self.study.pair;
        Ok(ProofBuilds { old: make(&pair.old)?, new: make(&pair.new)? })
    }

    /// Explores all paths again, from tests that the search has kept. If the search has not claimed
    /// to be exhausted, a quarter of the time is kept for it, and the first obstacle ends the
    /// proof.
    pub(crate) fn prove(
        &self,
        ProofBuilds { old, new }: &ProofBuilds,
        (plan, is_claimed): (Plan, bool),
        tests: Vec<TestCase>,
        is_over: &mut dyn FnMut(&Event<'_>) -> bool,
    ) -> Result<Proof, CheckError> {
        let mut obstacles: BTreeSet<String> =
            old.obstacles.union(&new.obstacles).cloned().collect();
        if !obstacles.is_empty() {
            return Ok(Proof { obstacles, ..Proof::default() });
        }
        let labs = self.labs()?;
        if !labs.iter().flatten().all(Lab::addresses_are_fixed) {
            // Observations of an address hold for one run only.
            return Ok(Proof::impossible("addresses differ from run to run here".to_owned()));
        }
        let time = if is_claimed { plan.search() } else { plan.search() * 3 / 4 };
        let mut campaign = self.campaign((old, new), labs, time)?;
        let mut tell = |event: Event<'_>| {
            let is_over = is_over(&event) || is_interrupted();
            let is_hopeless =
                !is_claimed && matches!(event, Event::Progress(summary) if is_hopeless(summary));
            Directive { stop: is_over || is_hopeless, ..Directive::default() }
        };
        let summary = campaign.run(tests, &mut tell).map_err(CheckError::of)?;
        obstacles.extend(summary.obstacles.iter().map(|obstacle| sentence(obstacle, old, new)));
        let world = summary.world.clone();
        Ok(Proof { summary, obstacles, world })
    }

    /// Labs for the workers, of the old and of the new version.
    fn labs(&self) -> Result<[Vec<Lab>; 2], CheckError> {
        let workers = self.workers();
        let processors = idle_processors(workers);
        let start = || self.options.running.start_labs(workers, &processors, self.sink);
        Ok([start()?, start()?])
    }

    fn workers(&self) -> usize {
        self.options.jobs.map_or(1, NonZeroUsize::get)
    }

    fn campaign(
        &self,
        (old, new): (&Arc<SymbolicBuild>, &Arc<SymbolicBuild>),
        [old_labs, labs]: [Vec<Lab>; 2],
        time: Duration,
    ) -> Result<Campaign, CheckError> {
        let Prover { study, options, bounds, .. } = self;
        let map: Arc<dyn Guide> = Arc::new(Map::new(study, old, new));
        let running = &options.running;
        let [old_native, new_native] = study.pair.subjects(running.memory)?;
        let counterpart = Counterpart {
            labs: old_labs,
            subject: traced(old, &old_native),
            cases: cases(old),
            sites: old.places.size(),
            guide: map,
            ignore: options.ignore.clone(),
        };
        let own = traced(new, &new_native);
        let limits = running.limits.clone();
        let how = parallax_search::Options {
            aim: Aim::Prove,
            budget: Budget { time: Some(time), runs: self.runs },
            bounds: *bounds,
            policy: Policy::from(Strategy::Exhaustive),
            limits: Limits { time: limits.time.min(LONGEST), ..limits },
            trace: trace_options(new, *bounds),
        };
        let make_solver = || solver(options.solver.as_deref(), time);
        Campaign::new(labs, &own, &code(new), how, Some(counterpart), &make_solver)
            .map_err(CheckError::of)
    }
}

/// Whether a campaign has found an obstacle.
fn is_hopeless(summary: &Summary) -> bool {
    let open = summary.unknown + summary.unclear + summary.divergences.1 + summary.skipped;
    open + summary.forgotten > 0 || !summary.obstacles.is_empty()
}

/// The text of an obstacle: `division by zero is possible at pick.c:12 (old)`.
fn sentence(obstacle: &Obstacle, old: &SymbolicBuild, new: &SymbolicBuild) -> String {
    let (build, version) = match obstacle.version {
        Version::Old => (old, "old "),
        Version::New => (new, ""),
    };
    let place = format!("{version}{}", place(build, obstacle.site));
    match &obstacle.what {
        Doubt::Undefined(kind) => format!("{} is possible at {place}", kind.describe()),
        Doubt::Approximated { counter: Counter::Route, name } => {
            format!("there is no model of what {name} does at {place}")
        }
        Doubt::Approximated { counter: Counter::Unmodelled, name } => {
            format!("there is no model of {name}, called at {place}")
        }
        Doubt::Approximated { counter, .. } => format!("{} at {place}", counter.describe()),
    }
}

/// The file and line of a place.
fn place(build: &SymbolicBuild, site: u32) -> String {
    match site {
        0 => "the start".to_owned(),
        site => build.source_of(site),
    }
}
