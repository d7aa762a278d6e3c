//! `parallax check`: inputs on which two versions differ.

mod folder;
mod guide;
mod interrupt;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, PoisonError, atomic::Ordering},
    thread,
    time::Duration,
};

use anyhow::Context;
use parallax_compare::Ignore;
use parallax_instrument::{SymbolicBuild, symbolic_build_cached};
use parallax_report::{
    changes::{ChangeReport, Passage, ReportedChange},
    check::{self, CheckedChange, Finding, Runs, Verdict},
    exploration::Queries,
};
use parallax_run::{
    Limits, MemoryLimit, Subject, TestCase, lab::idle_processors, trace::TraceOptions,
};
use parallax_search::{
    Bounds, Budget, Campaign, Cases, Control, Event, Guide, Options, Rival, Summary,
};

use self::{folder::Folder, guide::Map};
use crate::{
    cli::{Check, Status},
    confirm::{Clock, Confirmer, Look, Patience},
    screen::Screen,
    study::{Analysed, Study},
    verbs::{
        changes::account,
        compare::{ignoring_place, start_labs},
        explore::{code, load, solver},
        trace::describe,
    },
    versions::{Pair, failed_to, subject},
};

pub(crate) fn run(options: &Check, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&options.ignore).map_err(failed_to)?;
    let seeds = load(&options.seeds)?;
    let pair = Pair::build(&options.old, &options.new, &options.building, screen)?;
    let ignore = [&pair.old, &pair.new].into_iter().fold(ignore, ignoring_place);
    let analysed = Analysed::new(&pair, screen)?;
    let study = analysed.study(&pair, screen);
    let name = pair.name.to_string_lossy().into_owned();
    let mut folder = Folder::prepare(&options.out)?;
    let account = account(&study, &name);
    let result = match study.changes.is_unchanged() {
        true => check::Check {
            schema: 1,
            verb: "check",
            verdict: Verdict::Unchanged,
            program: name,
            out: options.out.display().to_string(),
            ..check::Check::default()
        },
        false => search(options, &study, &account, (ignore, seeds), &mut folder, screen)?,
    };
    screen.clear();
    folder.finish(&result)?;
    let text = if options.json { result.to_json() } else { result.terminal(screen.style()) };
    screen.print(&text)?;
    Ok(status(&result, options.strict))
}

fn status(result: &check::Check, strict: bool) -> Status {
    match result.verdict {
        Verdict::Different => Status::Different,
        Verdict::Unreached | Verdict::NoDifferenceFound if strict => Status::Trouble,
        _ => Status::Fine,
    }
}

/// Looks for differences.
fn search(
    options: &Check,
    study: &Study<'_>,
    account: &ChangeReport,
    (ignore, seeds): (Ignore, Vec<TestCase>),
    folder: &mut Folder,
    screen: &Screen,
) -> anyhow::Result<check::Check> {
    screen.status("making the symbolic builds");
    let old = Arc::new(symbolic_build_cached(&study.pair.old).map_err(failed_to)?);
    let new = Arc::new(symbolic_build_cached(&study.pair.new).map_err(failed_to)?);
    screen.clear();
    let map: Arc<dyn Guide> = Arc::new(Map::new(study, &old, &new));
    let memory = options.running.memory();
    let natives = (
        subject(&study.pair.old, &study.pair.name, memory)?,
        subject(&study.pair.new, &study.pair.name, memory)?,
    );
    let traced = |build: &SymbolicBuild, native: &Subject| Subject {
        program: build.program.clone(),
        memory: MemoryLimit::Resident(memory),
        forks: true,
        ..native.clone()
    };
    let (rival, own) = (traced(&old, &natives.0), traced(&new, &natives.1));
    let workers = options
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let processors = idle_processors(workers);
    let labs = start_labs(workers, &processors, &options.running, screen)?;
    let rival = Rival {
        labs: start_labs(workers, &processors, &options.running, screen)?,
        subject: rival,
        cases: cases(&old),
        sites: old.places.size(),
        guide: map,
        ignore: ignore.clone(),
    };
    let plain = start_labs(Confirmer::LABS, &[], &options.running, screen)?;
    let limits = options.running.limits();
    let patience = Patience::of(limits.clone());
    let clock = Clock::of([&study.old.program, &study.new.program]);
    let confirmer = Confirmer::new(plain, natives, &patience, ignore, clock);
    let control = Arc::new(Control::default());
    let mut hunt = Hunt {
        account,
        folder,
        control: Arc::clone(&control),
        confirmer,
        all: options.all,
        findings: Vec::new(),
        known: BTreeMap::new(),
        unconfirmed: 0,
        doubts: BTreeMap::new(),
        trouble: None,
    };
    let trace = TraceOptions { sites: new.places.size(), ..TraceOptions::default() };
    let campaign_options = Options {
        budget: Budget { time: Some(options.budget), runs: options.runs },
        bounds: Bounds::default(),
        limits: Limits { time: limits.time.min(LONGEST), ..limits },
        trace,
        control: Arc::clone(&control),
    };
    let mut code = code(&new);
    // What only the old version looks for is as good as what the new one does.
    code.words.extend(old.model.words());
    code.words.sort_unstable();
    code.words.dedup();
    let make_solver = || solver(options.solver.as_deref(), None);
    let mut campaign =
        Campaign::new(labs, &own, &code, campaign_options, Some(rival), &make_solver)
            .map_err(failed_to)?;
    interrupt::listen();
    let summary = campaign.run(seeds, &mut |event| {
        if let Event::Progress(summary) = &event {
            screen.status(&hunt.status(summary));
        }
        if interrupt::is_wanted() {
            control.stop.store(true, Ordering::Relaxed);
        }
        hunt.note(&event);
    });
    let summary = summary.map_err(failed_to)?;
    hunt.into_result(&summary, options)
}

fn cases(build: &Arc<SymbolicBuild>) -> Cases {
    let build = Arc::clone(build);
    Arc::new(move |site| build.cases(site))
}

/// How long a run of the search may take at most: whether a program ends at all is for plain builds to
/// say.
const LONGEST: Duration = Duration::from_secs(2);

/// Runs of both versions that are spent on making one test smaller.
const SHRINKING: usize = 160;

/// What a difference is told apart by: the changes, what differs, and how both versions end.
type Cause = (Vec<usize>, Vec<&'static str>, String);

/// The search as the user sees it.
struct Hunt<'h> {
    account: &'h ChangeReport,
    folder: &'h mut Folder,
    control: Arc<Control>,
    confirmer: Confirmer<'h>,
    /// Whether to go on for changes that were seen to differ.
    all: bool,
    findings: Vec<Finding>,
    known: BTreeMap<Cause, usize>,
    unconfirmed: u64,
    /// How often something was taken for a difference that was none.
    doubts: BTreeMap<Cause, u32>,
    trouble: Option<anyhow::Error>,
}

impl Hunt<'_> {
    fn note(&mut self, event: &Event<'_>) {
        if let Event::Differs { test, executed } = event {
            let noted = self.difference(test, executed);
            self.trouble = self.trouble.take().or(noted.err());
        }
    }

    /// Takes note of a test on which the versions look different.
    fn difference(&mut self, test: &TestCase, executed: &[usize]) -> anyhow::Result<()> {
        if !self.all && !executed.is_empty() && self.has_seen(executed) {
            return Ok(());
        }
        let Look { difference, is_noisy } = self.confirmer.look(test)?;
        if is_noisy {
            self.control.noisy.store(true, Ordering::Relaxed);
        }
        let Some(difference) = difference else {
            self.unconfirmed += 1;
            return Ok(());
        };
        let aspects: Vec<_> = difference.differs_in.iter().map(|aspect| aspect.name()).collect();
        let endings = format!("{:?} {:?}", difference.old.ending, difference.new.ending);
        let cause = (executed.to_vec(), aspects.clone(), endings);
        if let Some(known) = self.known.get(&cause) {
            self.findings[*known].others += 1;
            return Ok(());
        }
        // What turns out to be noise takes long to tell: what looks like it is looked at less and less.
        let doubts = self.doubts.entry(cause.clone()).or_default();
        *doubts += 1;
        if *doubts > 1 && !doubts.is_power_of_two() {
            self.unconfirmed += 1;
            return Ok(());
        }
        let Some((case, difference)) = self.confirmer.shrink(test, &difference, SHRINKING)? else {
            self.unconfirmed += 1;
            return Ok(());
        };
        self.known.insert(cause, self.findings.len());
        let id = format!("f{}", self.findings.len() + 1);
        let test = self.folder.add(&id, &case, &difference)?;
        let changes = executed.iter().map(|change| self.account.changes[*change].id.clone());
        self.findings.push(Finding {
            id,
            test,
            changes: changes.collect(),
            differs_in: aspects,
            confirmed: true,
            others: 0,
            case,
            difference,
        });
        let mut done = self.control.done.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.all {
            done.extend(executed);
            if done.len() == self.account.changes.len() {
                self.control.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Whether differences of all these changes were found.
    fn has_seen(&self, changes: &[usize]) -> bool {
        let done = self.control.done.lock().unwrap_or_else(PoisonError::into_inner);
        changes.iter().all(|change| done.contains(change))
    }

    fn status(&self, summary: &Summary) -> String {
        let Summary { runs, executed, waiting, elapsed, answers, solving, running, .. } = summary;
        let seen: BTreeSet<_> = self.findings.iter().flat_map(|finding| &finding.changes).collect();
        let all = self.account.changes.len();
        let seconds = elapsed.as_secs_f64();
        let total = answers.total();
        let share =
            solving.as_secs_f64() / (solving.as_secs_f64() + running.as_secs_f64()).max(1e-9);
        format!(
            "{seconds:.0}s  {} of {all} changes reached, {} seen  {:.0} runs/s  {waiting} turns \
             waiting  {} queries ({:.0}% of time)",
            executed.len(),
            seen.len(),
            *runs as f64 / seconds.max(0.001),
            total.found + total.impossible + total.unknown,
            100.0 * share,
        )
    }

    fn into_result(self, summary: &Summary, options: &Check) -> anyhow::Result<check::Check> {
        if let Some(trouble) = self.trouble {
            return Err(trouble).with_context(|| "failed to look at a difference");
        }
        let seen: BTreeSet<_> =
            self.findings.iter().flat_map(|finding| finding.changes.clone()).collect();
        let changes = self.account.changes.iter().enumerate();
        let changes: Vec<_> = changes
            .map(|(number, change)| checked(number, change, seen.contains(&change.id), summary))
            .collect();
        let total = summary.answers.total();
        let approximations = summary.approximations.iter();
        let obstacles = obstacles(summary, self.unconfirmed);
        Ok(check::Check {
            schema: 1,
            verb: "check",
            verdict: verdict(&self.findings, &changes, obstacles.is_empty()),
            unproved: obstacles,
            program: self.account.program.clone(),
            out: options.out.display().to_string(),
            changes,
            findings: self.findings,
            runs: Runs { old: summary.rival_runs, new: summary.runs },
            runs_to_reach: summary.executed.values().copied().max(),
            queries: Queries {
                sat: total.found,
                unsat: total.impossible,
                unknown: total.unknown,
                seconds: total.time.as_secs_f64(),
            },
            seconds: summary.elapsed.as_secs_f64(),
            approximations: approximations
                .map(|(counter, count)| (describe(*counter).to_owned(), *count))
                .collect(),
            unmodelled: summary.unmodelled.clone(),
            bounds: check::Bounds {
                arguments: Bounds::default().arguments,
                bytes: Bounds::default().bytes,
            },
            unconfirmed: self.unconfirmed,
            finished: summary.finished,
        })
    }
}

fn verdict(findings: &[Finding], changes: &[CheckedChange], is_proved: bool) -> Verdict {
    match () {
        () if !findings.is_empty() => Verdict::Different,
        () if is_proved && !changes.is_empty() => Verdict::Equivalent,
        () if changes.iter().any(|change| change.reachable && !change.reached) => {
            Verdict::Unreached
        }
        () => Verdict::NoDifferenceFound,
    }
}

/// What keeps all pairs of paths from having been gone through with nothing left open.
fn obstacles(summary: &Summary, unconfirmed: u64) -> Vec<String> {
    let pinned: u64 = summary.approximations.values().sum();
    let calls = summary.unmodelled.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let all = [
        (u64::from(!summary.finished), "not all paths were gone through".to_owned()),
        (pinned, format!("{pinned} values were approximated")),
        (summary.unmodelled.len() as u64, format!("there is no model of {calls}")),
        (summary.unknown, format!("{} turns could not be decided", summary.unknown)),
        (
            summary.partings.1,
            format!("{} queries about both versions had no answer", summary.partings.1),
        ),
        (summary.unclear, format!("{} tests could not be compared to the end", summary.unclear)),
        (
            summary.forgotten + summary.skipped,
            "some turns were left out, as there were too many".to_owned(),
        ),
        (unconfirmed, "the program does not do the same each time".to_owned()),
    ];
    all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect()
}

fn checked(
    number: usize,
    change: &ReportedChange,
    propagated: bool,
    summary: &Summary,
) -> CheckedChange {
    let reached = summary.executed.contains_key(&number);
    let infected = propagated || summary.diverged.contains(&number);
    let passage = change.new.as_ref().or(change.old.as_ref());
    let lines = |passage: &Option<Passage>| {
        passage.as_ref().filter(|passage| passage.lines.0 > 0).map(|passage| passage.lines)
    };
    let why = match () {
        () if propagated => None,
        () if !change.reachable => Some("nothing leads to it"),
        () if !reached && summary.finished => Some("no input within the bounds leads to it"),
        () if !reached => Some("no input was found that executes it"),
        () if infected => Some("the versions went different ways after it, and nothing showed"),
        () if summary.finished => Some("it was executed on all paths, and all look the same"),
        () => Some("it was executed, and no effect was seen"),
    };
    CheckedChange {
        id: change.id.clone(),
        file: passage.map(|passage| passage.file.clone()).unwrap_or_default(),
        function: change.function.clone(),
        old_lines: lines(&change.old),
        new_lines: lines(&change.new),
        kind: change.kind,
        reachable: change.reachable,
        reached,
        infected,
        propagated,
        why: why.map(str::to_owned),
        old: change.old.clone(),
        new: change.new.clone(),
    }
}
