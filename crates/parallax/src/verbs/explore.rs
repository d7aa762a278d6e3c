//! `parallax explore`: tests that cover a program.

use std::{
    collections::{BTreeMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use anyhow::{Context, bail};
use parallax_instrument::SymbolicBuild;
use parallax_report::{
    Exploration,
    exploration::{Found, Kept, Queries, percent},
};
use parallax_run::{TestCase, lab::idle_processors, suite::Suite};
use parallax_search::{
    Aim, Bounds, Budget, Campaign, Code, Event, Kind, Options, Promise, Strategy, Summary,
};
use parallax_solve::{Backend, Effort, Graph, Query, Solver, SolverProgram, Tally, Z3, export};

use crate::{
    cli::{Explore, Status},
    interrupt,
    screen::Screen,
    symbolic::Symbolic,
    verbs::{compare::start_labs, trace::describe},
    versions::failed_to,
};

pub(crate) fn run(explore: &Explore, screen: &Screen) -> anyhow::Result<Status> {
    check_solver(explore.solver.as_deref())?;
    let mut seeds = load(&explore.seeds)?;
    let mut known = HashSet::new();
    if explore.resume {
        for folder in KINDS.map(|kind| explore.out.join(kind)).iter().filter(|f| has_tests(f)) {
            known.extend(load(std::slice::from_ref(folder))?);
        }
        // In an order of their own: they come out of a set.
        let mut known: Vec<_> = known.iter().cloned().collect();
        known.sort();
        seeds.extend(known);
    }
    interrupt::listen();
    let symbolic = Symbolic::build(&explore.program, &explore.building, &explore.running, screen)?;
    let mut folder = Folder::prepare(&explore.out, explore.resume, known)?;
    let trace = symbolic.trace_options();
    let Symbolic { build, subject, .. } = symbolic;
    let code = code(&Arc::new(build));
    let workers = explore
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let labs = start_labs(workers, &idle_processors(workers), &explore.running, screen)?;
    let options = Options {
        aim: Aim::Find,
        budget: Budget { time: Some(explore.budget), runs: explore.runs },
        bounds: Bounds::default(),
        strategy: Strategy::default(),
        limits: explore.running.limits(),
        trace,
        control: Arc::default(),
    };
    let dump = explore.dump_queries.clone().map(Dump::new).transpose()?;
    let make_solver = || solver(explore.solver.as_deref(), dump.as_ref(), explore.budget);
    let mut campaign =
        Campaign::new(labs, &subject, &code, options, None, &make_solver).map_err(failed_to)?;
    let mut trouble = None;
    let summary = campaign.run(seeds, &mut |event| {
        let written = match event {
            Event::Kept { test, .. } => folder.write("corpus", test),
            Event::Crash { test, .. } => folder.write("crashes", test),
            Event::Hang { test, .. } => folder.write("hangs", test),
            Event::Differs { .. }
            | Event::Executes { .. }
            | Event::Midway { .. }
            | Event::Path { .. } => Ok(()),
            Event::Absent { programs } => {
                screen.tell_absent(programs.iter().cloned());
                Ok(())
            }
            Event::Progress(summary) => {
                screen.status(&status(summary));
                Ok(())
            }
        };
        trouble = trouble.take().or(written.err());
    });
    let summary = summary.map_err(failed_to)?;
    if let Some(error) = trouble {
        return Err(error).with_context(|| format!("failed to write to {}", explore.out.display()));
    }
    interrupt::is_told();
    screen.clear();
    let result = exploration(&summary, &explore.out);
    screen.print(&if explore.json { result.to_json() } else { result.terminal() })?;
    Ok(Status::Fine)
}

pub(crate) fn load(paths: &[PathBuf]) -> anyhow::Result<Vec<TestCase>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let suite = Suite::load(paths).map_err(failed_to)?;
    Ok(suite.tests.into_iter().map(|test| test.case).collect())
}

pub(crate) fn code(symbolic: &Arc<SymbolicBuild>) -> Code {
    let branches = symbolic.places.ways(&symbolic.model).map(|(number, _)| number).collect();
    let words = symbolic.model.words();
    let symbolic = Arc::clone(symbolic);
    Code { cases: Arc::new(move |site| symbolic.cases(site)), branches, words }
}

/// How long a program that solves has for one query, if the whole search has longer.
const LONGEST_QUERY: Duration = Duration::from_secs(10);

/// A solver that asks the program of a command, or Z3 if there is none.
pub(crate) fn solver(command: Option<&str>, dump: Option<&Arc<Dump>>, budget: Duration) -> Solver {
    let smt: Box<dyn Backend> = match command {
        Some(command) => Box::new(SolverProgram::new(command).with_time(budget.min(LONGEST_QUERY))),
        None => Box::new(Z3::new()),
    };
    let mut solver = Solver::new(Effort::default(), Some(smt));
    if let Some(dump) = dump.cloned() {
        solver.watch(Box::new(move |graph, query, _| dump.write(graph, query)));
    }
    solver
}

/// Refuses a solver that cannot be started: all that it would be asked would stay open.
pub(crate) fn check_solver(command: Option<&str>) -> anyhow::Result<()> {
    let Some(command) = command else { return Ok(()) };
    SolverProgram::new(command)
        .can_start()
        .with_context(|| format!("failed to start the solver {command}"))
}

/// Where queries are written to, each once.
pub(crate) struct Dump {
    folder: PathBuf,
    known: Mutex<HashSet<u128>>,
}

impl Dump {
    fn new(folder: PathBuf) -> anyhow::Result<Arc<Dump>> {
        fs::create_dir_all(&folder)
            .with_context(|| format!("failed to create {}", folder.display()))?;
        Ok(Arc::new(Dump { folder, known: Mutex::default() }))
    }

    fn write(&self, graph: &Graph, query: &Query) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(query.key.0) {
            let script = export(graph, &query.conditions).text;
            let path = self.folder.join(format!("{:032x}.smt2", query.key.0));
            // What cannot be written is missed by whoever looks for it; the search goes on.
            let _ = fs::write(path, format!("{script}(check-sat)\n"));
        }
    }
}

/// What a directory of results is made of.
const KINDS: [&str; 3] = ["corpus", "crashes", "hangs"];

fn has_tests(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// The directory that results are written to as they arrive.
struct Folder {
    root: PathBuf,
    /// The number of the last test.
    last: u32,
    /// Tests that are there already.
    known: HashSet<TestCase>,
}

impl Folder {
    fn prepare(root: &Path, resume: bool, known: HashSet<TestCase>) -> anyhow::Result<Folder> {
        let cannot = || format!("failed to prepare {}", root.display());
        if root.exists() && !root.is_dir() {
            bail!("{}: it is no directory", cannot());
        }
        if root.exists() && !resume {
            let old = root.with_added_extension("old");
            if old.exists() {
                fs::remove_dir_all(&old).with_context(cannot)?;
            }
            fs::rename(root, &old).with_context(cannot)?;
        }
        let mut last = 0;
        for kind in KINDS {
            let folder = root.join(kind);
            fs::create_dir_all(&folder).with_context(cannot)?;
            for entry in fs::read_dir(&folder).with_context(cannot)? {
                let name = entry.with_context(cannot)?.file_name();
                let number =
                    Path::new(&name).file_stem().and_then(|stem| stem.to_str()?.parse().ok());
                last = last.max(number.unwrap_or(0));
            }
        }
        Ok(Folder { root: root.to_owned(), last, known })
    }

    fn write(&mut self, kind: &str, test: &TestCase) -> io::Result<()> {
        if self.known.contains(test) {
            return Ok(());
        }
        self.last += 1;
        fs::write(self.root.join(kind).join(format!("{:05}.toml", self.last)), test.to_toml())
    }
}

fn status(summary: &Summary) -> String {
    let Summary { runs, covered, branches, crashes, hangs, waiting, elapsed, .. } = summary;
    format!(
        "{:.0}s  {runs} runs  {covered} of {branches} branches ({:.1}%)  {waiting} turns waiting  \
         {crashes} crashes  {hangs} hangs",
        elapsed.as_secs_f64(),
        percent(*covered, *branches)
    )
}

fn exploration(summary: &Summary, out: &Path) -> Exploration {
    let mut inputs = BTreeMap::new();
    for (promise, (made, as_meant)) in &summary.promises {
        let name = match promise {
            Promise::Exact => Exploration::EXACT,
            Promise::Optimistic => Exploration::OPTIMISTIC,
            Promise::Rewritten | Promise::Spliced | Promise::Crossed | Promise::Given => continue,
        };
        inputs.insert(name, Kept { made: *made, as_meant: *as_meant });
    }
    let approximations = summary.approximations.iter();
    Exploration {
        schema: 1,
        verb: "explore",
        out: out.display().to_string(),
        covered: summary.covered,
        branches: summary.branches,
        runs: summary.runs,
        seconds: summary.elapsed.as_secs_f64(),
        kept: summary.kept,
        crashes: summary.crashes,
        hangs: summary.hangs,
        seconds_running: summary.running.as_secs_f64(),
        seconds_solving: summary.solving.as_secs_f64(),
        queries: queries(&summary.answers.total()),
        answered_by: summary
            .answers
            .tallies
            .iter()
            .map(|(by, tally)| (by.to_string(), queries(tally)))
            .collect(),
        inputs,
        found_by: summary
            .kinds
            .iter()
            .map(|(kind, found)| (name_of(*kind), *found))
            .map(|(name, (tried, new))| (name, Found { tried, new }))
            .collect(),
        turns_left: summary.waiting,
        turns_dropped: summary.forgotten,
        finished: summary.finished,
        unmodelled: summary.unmodelled.clone(),
        approximations: approximations
            .map(|(counter, count)| (describe(*counter).to_owned(), *count))
            .collect(),
    }
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Turned => "solved",
        Kind::Repeated => "solved again",
        Kind::Longer => "longer",
        Kind::Reworded => "reworded",
        Kind::Grown => "grown",
        Kind::Crossed => "crossed",
        Kind::Changed => "changed",
        Kind::Parted => "parted",
    }
}

fn queries(tally: &Tally) -> Queries {
    Queries {
        sat: tally.found,
        unsat: tally.impossible,
        unknown: tally.unknown,
        seconds: tally.time.as_secs_f64(),
    }
}
