//! The proof that two versions do the same, made when a search has nothing left to try.
//!
//! A search runs the normal form of a program, which is not what a plain build runs. So its claim that no
//! input is left that could tell the versions apart is examined once more on proof builds
//! (`parallax-instrument` says what they are): every pair of paths is gone through again, every
//! condition under which something undefined happens must be impossible on it, nothing may have
//! been approximated, and plain builds have to look the same on an input of each path.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use parallax_abi::Counter;
use parallax_compare::{Ignore, Version};
use parallax_deadline::Deadline;
use parallax_instrument::{SymbolicBuild, proof_build_cached};
use parallax_run::{
    Limits, MemoryLimit, Subject, TestCase,
    lab::{Lab, idle_processors},
    trace::TraceOptions,
};
use parallax_search::{
    Aim, Bounds, Budget, Campaign, Control, Doubt, Event, Guide, Obstacle, Options, Rival,
    Strategy, Summary,
};

use super::{LONGEST, cases, guide::Map};
use crate::{
    budget::Plan,
    cli::{Check, Running},
    interrupt,
    screen::Screen,
    study::Study,
    verbs::{
        compare::start_labs,
        explore::{code, solver},
        trace::describe,
    },
    versions::{failed_to, subject},
};

/// What a proof is about, and what it may take.
pub(super) struct Prover<'p> {
    pub(super) study: &'p Study<'p>,
    pub(super) options: &'p Check,
    pub(super) screen: &'p Screen,
    pub(super) ignore: Ignore,
    pub(super) bounds: Bounds,
    pub(super) control: Arc<Control>,
    /// What is left of the runs, if they are limited.
    pub(super) runs: Option<u64>,
}

/// The proof builds of both versions.
pub(super) struct ProofBuilds {
    old: Arc<SymbolicBuild>,
    new: Arc<SymbolicBuild>,
}

/// What came of trying to prove that two versions do the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Proof {
    /// What the campaign on proof builds did.
    pub(super) summary: Summary,
    /// What stands against it, besides what the summary counts.
    pub(super) obstacles: BTreeSet<String>,
    /// What the versions asked of the world around them, which is the same for all runs.
    pub(super) world: BTreeSet<String>,
}

/// What the sandbox is like for every run.
const SANDBOX: [&str; 5] = [
    "the program is called by its name",
    "it has no terminal and no network",
    "standard input is a file and what it prints goes to pipes",
    "what it prints and writes can be written",
    "its directory holds the regular files of the test and nothing else",
];

impl Proof {
    /// The environment that it is about.
    pub(super) fn environment(&self) -> Vec<String> {
        let asked = self.world.iter().map(|name| format!("the program asks for {name}"));
        SANDBOX.iter().map(|line| (*line).to_owned()).chain(asked).collect()
    }

    /// Whether there is none, however long it is looked for.
    pub(super) fn is_refuted(&self) -> bool {
        !self.obstacles.is_empty() || is_hopeless(&self.summary)
    }

    /// None, for a reason.
    pub(super) fn impossible(why: String) -> Proof {
        Proof { obstacles: BTreeSet::from([why]), ..Proof::default() }
    }
}

impl Prover<'_> {
    /// Makes the proof builds of both versions.
    pub(super) fn builds(&self) -> anyhow::Result<ProofBuilds> {
        let make =
            |build| proof_build_cached(build, Deadline::NEVER).map(Arc::new).map_err(failed_to);
        let pair = self.study.pair;
        Ok(ProofBuilds { old: make(&pair.old)?, new: make(&pair.new)? })
    }

    /// Goes through all paths again, from tests that the search has kept. If the search has not claimed that
    /// nothing is left to find, a quarter of the time is kept for it, and what stands against a proof
    /// ends it.
    pub(super) fn prove(
        &self,
        ProofBuilds { old, new }: &ProofBuilds,
        (plan, is_claimed): (Plan, bool),
        tests: Vec<TestCase>,
        tell: &mut dyn FnMut(&Event<'_>),
    ) -> anyhow::Result<Proof> {
        let mut obstacles: BTreeSet<String> =
            old.obstacles.union(&new.obstacles).cloned().collect();
        if !obstacles.is_empty() {
            return Ok(Proof { obstacles, ..Proof::default() });
        }
        let labs = self.labs()?;
        if !labs.iter().flatten().all(Lab::addresses_are_fixed) {
            // What was seen of an address holds for one run.
            return Ok(Proof::impossible("addresses differ from run to run here".to_owned()));
        }
        let time = if is_claimed { plan.search() } else { plan.search() * 3 / 4 };
        let control = Arc::new(Control::default());
        let mut campaign = self.campaign((old, new), labs, time, &control)?;
        let mut tell = |event: Event<'_>| {
            tell(&event);
            if interrupt::is_wanted() {
                self.control.stop.store(true, Ordering::Relaxed);
            }
            let is_over = self.control.stop.load(Ordering::Relaxed);
            let is_hopeless =
                !is_claimed && matches!(event, Event::Progress(summary) if is_hopeless(summary));
            control.stop.fetch_or(is_over || is_hopeless, Ordering::Relaxed);
        };
        let summary = campaign.run(tests, &mut tell).map_err(failed_to)?;
        obstacles.extend(summary.obstacles.iter().map(|obstacle| sentence(obstacle, old, new)));
        let world = summary.world.clone();
        Ok(Proof { summary, obstacles, world })
    }

    /// Labs for the workers, of the old and of the new version.
    fn labs(&self) -> anyhow::Result<[Vec<Lab>; 2]> {
        let workers = self.workers();
        let processors = idle_processors(workers);
        let start = || start_labs(workers, &processors, &self.options.running, self.screen);
        Ok([start()?, start()?])
    }

    fn workers(&self) -> usize {
        self.options.jobs.map_or(1, usize::from)
    }

    fn campaign(
        &self,
        (old, new): (&Arc<SymbolicBuild>, &Arc<SymbolicBuild>),
        [old_labs, labs]: [Vec<Lab>; 2],
        time: Duration,
        control: &Arc<Control>,
    ) -> anyhow::Result<Campaign> {
        let Prover { study, options, bounds, .. } = self;
        let map: Arc<dyn Guide> = Arc::new(Map::new(study, old, new));
        let running: &Running = &options.running;
        let memory = running.memory();
        let traced = |build: &SymbolicBuild, native: Subject| Subject {
            program: build.program.clone(),
            memory: MemoryLimit::Resident(memory),
            forks: true,
            ..native
        };
        let rival = Rival {
            labs: old_labs,
            subject: traced(old, subject(&study.pair.old, &study.pair.name, memory)?),
            cases: cases(old),
            sites: old.places.size(),
            guide: map,
            ignore: self.ignore.clone(),
        };
        let own = traced(new, subject(&study.pair.new, &study.pair.name, memory)?);
        let limits = running.limits();
        let how = Options {
            aim: Aim::Prove,
            budget: Budget { time: Some(time), runs: self.runs },
            bounds: *bounds,
            strategy: Strategy::Exhaustive,
            limits: Limits { time: limits.time.min(LONGEST), ..limits },
            trace: TraceOptions {
                sites: new.places.size(),
                argument_room: bounds.argument_bytes,
                arguments_room: bounds.arguments,
                ..TraceOptions::default()
            },
            control: Arc::clone(control),
        };
        let make_solver = || solver(options.solver.as_deref(), None, time);
        Campaign::new(labs, &own, &code(new), how, Some(rival), &make_solver).map_err(failed_to)
    }
}

/// Whether a campaign has met something that stands against a proof.
fn is_hopeless(summary: &Summary) -> bool {
    let open = summary.unknown + summary.unclear + summary.partings.1 + summary.skipped;
    open + summary.forgotten > 0 || !summary.obstacles.is_empty()
}

/// An obstacle in words: `division by zero is possible at pick.c:12 (old)`.
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
        Doubt::Approximated { counter, .. } => format!("{} at {place}", describe(*counter)),
    }
}

/// The file and line of a place.
fn place(build: &SymbolicBuild, site: u32) -> String {
    match site {
        0 => "the start".to_owned(),
        site => build.source_of(site),
    }
}
