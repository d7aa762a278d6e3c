//! One check, from two builds to a report.

use std::{
    collections::HashSet,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

use parallax_compare::Ignore;
use parallax_instrument::SymbolicBuild;
use parallax_report::{
    check::{self, Versions},
    earlier::Earlier,
};
use parallax_run::{Limits, Subject, TestCase, lab::idle_processors, trace::TraceOptions};
use parallax_search::{
    Aim, Bounds, Budget, Campaign, Counterpart, Directive, Event, Guide, Policy, Probe,
    SearchError, Summary,
};

use crate::{
    CheckError, Message, Pair, Plan, Running, Sink,
    account::Account,
    changes,
    confirm::{Clock, Confirmer, TimeLimits},
    fate::{Fate, Leads, Tracker},
    folder::Folder,
    guide::Map,
    pair::traced,
    proof::Prover,
    recorder::Builds,
    sanitizer::Guard,
    solver::{cases, code, solver},
    study::{Analysed, Study},
    triage::{Means, Triage},
};

/// The longest run of the search: plain builds decide whether a program ends at all.
pub(crate) const LONGEST: Duration = Duration::from_secs(2);
/// Time for tests of changes without an observed difference after the search, first for memory
/// errors and then for where effects end; longer if that is a small part of the budget.
const ASIDE: Duration = Duration::from_secs(10);

/// The options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory of results.
    pub out: PathBuf,
    /// The result of an earlier search of the same versions, to go on from.
    pub earlier: Option<Earlier>,
    /// Stop after this many runs of the new version.
    pub runs: Option<u64>,
    /// Workers; one for each processor by default.
    pub jobs: Option<NonZeroUsize>,
    /// The largest inputs.
    pub bounds: Bounds,
    /// The policy of the search.
    pub policy: Policy,
    /// Keep searching changes that already have a finding.
    pub all: bool,
    /// Parts of outputs that are ignored in comparisons.
    pub ignore: Ignore,
    /// The command of a solver instead of Z3.
    pub solver: Option<String>,
    /// The settings of runs.
    pub running: Running,
}

impl Options {
    /// The default options, with a directory of results.
    pub fn new(out: impl Into<PathBuf>) -> Options {
        Options {
            out: out.into(),
            earlier: None,
            runs: None,
            jobs: None,
            bounds: Bounds::default(),
            policy: Policy::default(),
            all: false,
            ignore: Ignore::default(),
            solver: None,
            running: Running::default(),
        }
    }
}

/// The outcome of a check.
#[derive(Debug)]
pub struct Report {
    /// The result, as in the directory of results.
    pub result: check::Check,
    /// An error on the way; findings so far are kept.
    pub trouble: Option<CheckError>,
}

/// Searches for inputs on which two builds differ, or proves that there are none, until the plan's
/// budget is used up.
///
/// Findings are written to the directory of results when they are confirmed.
pub fn check(
    pair: &Pair,
    seeds: Vec<TestCase>,
    options: &Options,
    plan: Plan,
    sink: &dyn Sink,
) -> Result<Report, CheckError> {
    let versions = Versions {
        old: pair.old.digest().map_err(CheckError::of)?,
        new: pair.new.digest().map_err(CheckError::of)?,
    };
    let mut folder = match &options.earlier {
        Some(earlier) if earlier.versions != versions => {
            let out = options.out.display();
            return Err(CheckError::failed(format!("go on from {out}: it is of other versions")));
        }
        Some(earlier) => Folder::go_on(&options.out, earlier)?,
        None => Folder::prepare(&options.out)?,
    };
    let analysed = Analysed::new(pair, plan.analysis(), sink)?;
    let study = analysed.study(pair, sink);
    if study.is_cut() {
        let note = "the effects of the changes were not followed to their ends: all that they lead to counts as affected";
        sink.note(&format!("note: {note}"));
        folder.log(note)?;
    }
    let account = Account {
        report: &changes::report(&study, &pair.name.to_string_lossy()),
        versions,
        out: options.out.display().to_string(),
        bounds: options.bounds,
        earlier: options.earlier.clone().unwrap_or_default(),
    };
    if study.changes.is_unchanged() {
        let result = account.unchanged();
        let trouble = folder.write(&result).err();
        return Ok(Report { result, trouble });
    }
    let ignore = pair.ignoring_place(options.ignore.clone());
    let options = &Options { ignore, ..options.clone() };
    Search { options, study: &study, sink }.run(account, seeds, &mut folder, plan)
}

/// Trace options for a build and inputs within some bounds.
pub(crate) fn trace_options(build: &SymbolicBuild, bounds: Bounds) -> TraceOptions {
    TraceOptions {
        sites: build.places.size(),
        argument_room: bounds.argument_bytes,
        arguments_room: bounds.arguments,
        ..TraceOptions::default()
    }
}

/// The inputs of a search.
struct Search<'s> {
    options: &'s Options,
    study: &'s Study<'s>,
    sink: &'s dyn Sink,
}

impl<'s> Search<'s> {
    /// Searches for differences; an error on the way keeps findings so far.
    fn run(
        &self,
        account: Account<'_>,
        mut seeds: Vec<TestCase>,
        folder: &mut Folder,
        mut plan: Plan,
    ) -> Result<Report, CheckError> {
        let Search { options, study, sink } = *self;
        sink.phase("making the symbolic builds");
        let builds = plan.build("making the symbolic builds", sink, || Builds::of(study.pair))?;
        let (old, new) = (Arc::clone(&builds.old), Arc::clone(&builds.new));
        sink.idle();
        let map = Arc::new(Map::new(study, &old, &new));
        let natives = study.pair.subjects(options.running.memory)?;
        let subjects = [traced(&old, &natives[0]), traced(&new, &natives[1])];
        let limits = options.running.limits.clone();
        let time_limits = TimeLimits::of(limits.clone());
        let limits = Limits { time: limits.time.min(LONGEST), ..limits };
        let bounds = account.bounds;
        // If no change is reachable, only seeds can show something.
        let is_hopeless = !account.report.changes.iter().any(|change| change.reachable);
        let runs = if is_hopeless { Some(seeds.len().max(1) as u64) } else { options.runs };
        seeds.extend(folder.corpus());
        let mut campaign = self.campaign(
            [&old, &new],
            &subjects,
            &map,
            parallax_search::Options {
                aim: Aim::Find,
                budget: Budget { time: Some(plan.search()), runs },
                bounds,
                policy: options.policy.clone(),
                limits: limits.clone(),
                trace: trace_options(&new, bounds),
            },
            plan.budget(),
        )?;
        let means = self.means(builds, subjects, &map, limits)?;
        let plain = options.running.start_labs(Confirmer::LABS, &[], sink)?;
        let clock = Clock::of([&study.old.program, &study.new.program]);
        let confirmer = Confirmer::new(plain, natives, &time_limits, options.ignore.clone(), clock);
        let mut triage = Triage::new(account, folder, confirmer, means, plan, options.all);
        if options.runs.is_some() {
            triage.attribute_without_limit();
        }
        triage.begin();
        seeds.extend(triage.tests());
        let mut known = HashSet::new();
        seeds.retain(|seed| known.insert(seed.clone()));
        let mut tell = |event: Event<'_>| note(&mut triage, sink, &event);
        let mut ended = guarded(|| campaign.run(seeds, &mut tell));
        let prover = Prover { study, options, sink, bounds, runs: None };
        triage.prove(&ended, campaign.kept(), &prover);
        while matches!(&ended, Ok(summary) if summary.paused) && triage.is_open() {
            let mut tell = |event: Event<'_>| note(&mut triage, sink, &event);
            ended = guarded(|| campaign.go_on(&mut tell));
            triage.prove(&ended, campaign.kept(), &prover);
        }
        let leads = leads(&campaign, &map, &new);
        let (result, trouble) = triage.end(ended, &leads, (plan.budget() / 10).max(ASIDE));
        Ok(Report { result, trouble })
    }

    /// The search over both versions.
    fn campaign(
        &self,
        [old, new]: [&Arc<SymbolicBuild>; 2],
        subjects: &[Subject; 2],
        map: &Arc<Map>,
        how: parallax_search::Options,
        budget: Duration,
    ) -> Result<Campaign, CheckError> {
        let Search { options, sink, .. } = *self;
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let workers = options.jobs.map_or_else(processors, NonZeroUsize::get);
        let processors = idle_processors(workers);
        let labs = options.running.start_labs(workers, &processors, sink)?;
        let counterpart = Counterpart {
            labs: options.running.start_labs(workers, &processors, sink)?,
            subject: subjects[0].clone(),
            cases: cases(old),
            sites: old.places.size(),
            guide: Arc::clone(map) as Arc<dyn Guide>,
            ignore: options.ignore.clone(),
        };
        let mut code = code(new);
        // Tokens of the old version are as useful as those of the new one.
        code.words.extend(old.model.words());
        code.words.sort_unstable();
        code.words.dedup();
        let make_solver = || solver(options.solver.as_deref(), budget);
        Campaign::new(labs, &subjects[1], &code, how, Some(counterpart), &make_solver)
            .map_err(CheckError::of)
    }

    /// The tools that triage uses on tests with differences.
    fn means(
        &self,
        builds: Builds,
        [old, new]: [Subject; 2],
        map: &Arc<Map>,
        limits: Limits,
    ) -> Result<Means<'s>, CheckError> {
        let Search { options, study, sink } = *self;
        let sizes = (builds.old.places.size(), builds.new.places.size());
        let guide = Arc::clone(map) as Arc<dyn Guide>;
        let lab = options.running.start_lab(sink)?;
        let mut probe = Probe::new(lab, limits, guide, [(old, sizes.0), (new, sizes.1)])
            .map_err(CheckError::of)?;
        Ok(Means {
            follower: Box::new(Tracker::new(study, &options.running, sink, builds)),
            watch: Box::new(Guard::new(study.pair, &options.running, sink)),
            executed: Box::new(move |test, deadline| {
                Some(probe.executed(test, deadline).ok()?.into_iter().collect())
            }),
            sink,
        })
    }
}

/// Passes an event to triage and tells the progress of the search.
fn note(triage: &mut Triage<'_>, sink: &dyn Sink, event: &Event<'_>) -> Directive {
    let directive = triage.note(event);
    if let Event::Progress(_) | Event::Differs { .. } = event {
        sink.take(Message::Progress(&triage.status()));
    }
    if let Event::Absent { programs } = event {
        sink.take(Message::Absent(programs));
    }
    directive
}

/// Runs a search and catches our own panics: findings are kept, as plain builds and triage share
/// nothing with the search.
fn guarded(search: impl FnOnce() -> Result<Summary, SearchError>) -> Result<Summary, CheckError> {
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(ended) => ended.map_err(CheckError::of),
        Err(_) => Err(CheckError::failed(
            "end the search: internal error (panic above); findings so far are kept",
        )),
    }
}

/// The leads of a search for following changes without an observed difference.
fn leads(campaign: &Campaign, map: &Map, new: &SymbolicBuild) -> Leads {
    let mut leads = Leads { suspects: campaign.suspects(), ..Leads::default() };
    for change in 0..map.changes().len() {
        let witnesses = campaign.witnesses(change);
        if witnesses.is_empty() {
            let place = map.near_miss(campaign.coverage(), change);
            let location = place.and_then(|place| located(new, place));
            let fate = location.map(|(file, line)| (change, Fate::near_miss(file, line)));
            leads.nearest.extend(fate);
        } else {
            leads.witnesses.insert(change, witnesses);
        }
    }
    leads
}

/// The file and line of a place.
fn located(build: &SymbolicBuild, place: u32) -> Option<(&str, u32)> {
    let location = build.places.get(place)?.instruction(&build.model)?.location?;
    let file = build.model.files.get(location.file as usize)?;
    (location.line > 0).then_some((file.as_str(), location.line))
}
