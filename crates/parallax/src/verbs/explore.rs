//! `parallax explore`: tests that cover a program.

use std::{
    collections::{BTreeMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Context, bail};
use parallax_check::{check_solver, code, solver};
use parallax_report::{
    Exploration,
    exploration::{Found, Kept, Queries, percent},
};
use parallax_run::{TestCase, lab::idle_processors, suite::cases};
use parallax_search::{
    Aim, Bounds, Budget, Campaign, Directive, Event, Options, Policy, Promise, Summary,
};
use parallax_solve::{Graph, Query, Tally, export};

use crate::{
    cli::{Explore, Status},
    interrupt,
    screen::Screen,
    symbolic::Symbolic,
    versions::{failed, failed_to},
};

pub(crate) fn run(explore: &Explore, screen: &Screen) -> anyhow::Result<Status> {
    check_solver(explore.solver.as_deref()).map_err(failed)?;
    let mut seeds = cases(&explore.seeds).map_err(failed_to)?;
    let mut known = HashSet::new();
    if explore.resume {
        for folder in KINDS.map(|kind| explore.out.join(kind)).iter().filter(|f| has_tests(f)) {
            known.extend(cases(std::slice::from_ref(folder)).map_err(failed_to)?);
        }
        // Sorted: they come from a set.
        let mut known: Vec<_> = known.iter().cloned().collect();
        known.sort();
        seeds.extend(known);
    }
    interrupt::listen();
    let running = &explore.running.limited();
    let symbolic = Symbolic::build(&explore.program, &explore.building, running, screen)?;
    let mut folder = Folder::prepare(&explore.out, explore.resume, known)?;
    let trace = symbolic.trace_options();
    let Symbolic { build, subject, .. } = symbolic;
    let code = code(&Arc::new(build));
    let workers = explore
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let labs = running.start_labs(workers, &idle_processors(workers), screen).map_err(failed)?;
    let options = Options {
        aim: Aim::Find,
        budget: Budget { time: Some(explore.budget), runs: explore.runs },
        bounds: Bounds::default(),
        policy: Policy::default(),
        limits: running.limits.clone(),
        trace,
    };
    let dump = explore.dump_queries.clone().map(Dump::new).transpose()?;
    let make_solver = || {
        let mut solver = solver(explore.solver.as_deref(), explore.budget);
        if let Some(dump) = dump.clone() {
            solver.watch(Box::new(move |graph, query, _| dump.write(graph, query)));
        }
        solver
    };
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
        // Results that cannot be written need not be found.
        Directive { stop: trouble.is_some(), ..Directive::default() }
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

/// The directory for queries, each written once.
struct Dump {
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
            // A query that cannot be written is left out; the search goes on.
            let _ = fs::write(path, format!("{script}(check-sat)\n"));
        }
    }
}

/// The parts of a directory of results.
const KINDS: [&str; 3] = ["corpus", "crashes", "hangs"];

fn has_tests(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// The directory of results, written while a search runs.
struct Folder {
    root: PathBuf,
    /// The number of the last test.
    last: u32,
    /// Existing tests.
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
        "{:.0}s  {runs} runs  {covered} of {branches} branches ({:.1}%)  {waiting} flips waiting  \
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
    let expense = summary.expense();
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
        seconds_running: (expense.running + expense.reading).as_secs_f64(),
        seconds_solving: expense.solving.as_secs_f64(),
        queries: queries(&summary.answers.total()),
        answered_by: summary
            .answers
            .tallies
            .iter()
            .map(|(by, tally)| (by.to_string(), queries(tally)))
            .collect(),
        inputs,
        found_by: summary
            .generators
            .iter()
            .map(|(name, share)| (*name, Found { tried: share.tried, new: share.new }))
            .collect(),
        flips_left: summary.waiting,
        flips_dropped: summary.forgotten,
        finished: summary.finished,
        unmodelled: summary.unmodelled.clone(),
        approximations: approximations
            .map(|(counter, count)| (counter.describe().to_owned(), *count))
            .collect(),
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
