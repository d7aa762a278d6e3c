//! `parallax explore`: tests that cover a program.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::Context;
use parallax_instrument::SymbolicBuild;
use parallax_run::{TestCase, suite::Suite};
use parallax_search::{Bounds, Budget, Campaign, Code, Event, Options, Promise, Summary};
use parallax_solve::{Backend, Effort, Graph, Query, Solver, SolverProgram, Z3, export};

use crate::{
    cli::{Explore, Status},
    screen::Screen,
    symbolic::Symbolic,
    verbs::compare::start_labs,
    versions::failed_to,
};

pub(crate) fn run(explore: &Explore, screen: &Screen) -> anyhow::Result<Status> {
    let mut seeds = load(&explore.seeds)?;
    let corpus = explore.out.join("corpus");
    if explore.resume && corpus.is_dir() {
        seeds.extend(load(std::slice::from_ref(&corpus))?);
    }
    let symbolic = Symbolic::build(&explore.program, &explore.building, &explore.running, screen)?;
    let mut folder = Folder::prepare(&explore.out, explore.resume)?;
    let trace = symbolic.trace_options();
    let Symbolic { build, subject, .. } = symbolic;
    let code = code(&Arc::new(build));
    let workers = explore
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let labs = start_labs(workers, &explore.running, screen)?;
    let options = Options {
        budget: Budget { time: Some(explore.budget), runs: explore.runs },
        bounds: Bounds::default(),
        limits: explore.running.limits(),
        trace,
    };
    let dump = explore.dump_queries.clone().map(Dump::new).transpose()?;
    let make_solver = || solver(explore.solver.as_deref(), dump.as_ref());
    let mut campaign =
        Campaign::new(labs, &subject, &code, options, &make_solver).map_err(failed_to)?;
    let mut trouble = None;
    let summary = campaign.run(seeds, &mut |event| {
        let written = match event {
            Event::Kept { test, .. } => folder.write("corpus", test),
            Event::Crash { test, .. } => folder.write("crashes", test),
            Event::Hang { test, .. } => folder.write("hangs", test),
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
    screen.clear();
    screen.print(&describe(&summary, &explore.out))?;
    Ok(Status::Fine)
}

fn load(paths: &[PathBuf]) -> anyhow::Result<Vec<TestCase>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let suite = Suite::load(paths).map_err(failed_to)?;
    Ok(suite.tests.into_iter().map(|test| test.case).collect())
}

fn code(symbolic: &Arc<SymbolicBuild>) -> Code {
    let branches = symbolic.places.ways(&symbolic.model).map(|(number, _)| number).collect();
    let symbolic = Arc::clone(symbolic);
    Code { cases: Arc::new(move |site| symbolic.cases(site)), branches }
}

fn solver(command: Option<&str>, dump: Option<&Arc<Dump>>) -> Solver {
    let smt: Box<dyn Backend> = match command {
        Some(command) => Box::new(SolverProgram::new(command)),
        None => Box::new(Z3::new()),
    };
    let mut solver = Solver::new(Effort::default(), Some(smt));
    if let Some(dump) = dump.cloned() {
        solver.watch(Box::new(move |graph, query| dump.write(graph, query)));
    }
    solver
}

/// Where queries are written to, each once.
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
            // What cannot be written is missed by whoever looks for it; the search goes on.
            let _ = fs::write(path, format!("{script}(check-sat)\n"));
        }
    }
}

/// The directory that results are written to as they arrive.
struct Folder {
    root: PathBuf,
    count: usize,
}

impl Folder {
    fn prepare(root: &Path, resume: bool) -> anyhow::Result<Folder> {
        let cannot = || format!("failed to prepare {}", root.display());
        if root.exists() && !resume {
            let old = root.with_added_extension("old");
            if old.exists() {
                fs::remove_dir_all(&old).with_context(cannot)?;
            }
            fs::rename(root, &old).with_context(cannot)?;
        }
        for kind in ["corpus", "crashes", "hangs"] {
            fs::create_dir_all(root.join(kind)).with_context(cannot)?;
        }
        let count = fs::read_dir(root.join("corpus")).with_context(cannot)?.count();
        Ok(Folder { root: root.to_owned(), count })
    }

    fn write(&mut self, kind: &str, test: &TestCase) -> io::Result<()> {
        self.count += 1;
        fs::write(self.root.join(kind).join(format!("{:05}.toml", self.count)), test.to_toml())
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
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

fn describe(summary: &Summary, out: &Path) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let seconds = summary.elapsed.as_secs_f64();
    let _ = writeln!(
        text,
        "{} of {} branches covered ({:.1}%)",
        summary.covered,
        summary.branches,
        percent(summary.covered, summary.branches)
    );
    let _ = writeln!(
        text,
        "{} runs in {seconds:.1} s ({:.0}/s); {} tests kept, {} crashes, {} hangs in {}",
        summary.runs,
        summary.runs as f64 / seconds.max(1e-9),
        summary.kept,
        summary.crashes,
        summary.hangs,
        out.display()
    );
    let _ = writeln!(
        text,
        "time: {:.1} s running, {:.1} s solving",
        summary.running.as_secs_f64(),
        summary.solving.as_secs_f64()
    );
    let total = summary.answers.total();
    let _ = writeln!(
        text,
        "queries: {} satisfiable, {} unsatisfiable, {} unknown",
        total.found, total.impossible, total.unknown
    );
    for (by, tally) in &summary.answers.tallies {
        let _ = writeln!(
            text,
            "  by {by}: {} / {} / {} in {:.2} s",
            tally.found,
            tally.impossible,
            tally.unknown,
            tally.time.as_secs_f64()
        );
    }
    for (promise, (made, kept)) in &summary.promises {
        let name = match promise {
            Promise::Exact => "solved with the whole path",
            Promise::Optimistic => "solved for the last condition only",
            Promise::Spliced => "with a text exchanged",
            Promise::Crossed | Promise::Given => continue,
        };
        let _ = writeln!(text, "{name}: {kept} of {made} inputs went where they were meant to");
    }
    let _ = writeln!(
        text,
        "{} turns left to try, {} dropped{}",
        summary.waiting,
        summary.forgotten,
        if summary.finished { "; nothing left to try" } else { "" }
    );
    for (name, count) in &summary.unmodelled {
        let _ = writeln!(text, "not modelled: {name} (in {count} runs)");
    }
    for (counter, count) in &summary.approximations {
        let _ = writeln!(text, "approximated: {counter:?} ({count} times)");
    }
    text
}
