//! `parallax check`: inputs on which two versions differ.

mod account;
mod attribution;
mod folder;
mod guide;
mod hunt;
mod memory;
mod proof;
mod pursuit;
mod status;

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{anyhow, bail};
use parallax_compare::Ignore;
use parallax_instrument::SymbolicBuild;
use parallax_report::{
    Style,
    check::{self, Verdict, Versions},
};
use parallax_run::{
    Limits, MemoryLimit, Subject, TestCase, lab::idle_processors, trace::TraceOptions,
};
use parallax_search::{
    Aim, Budget, Campaign, Cases, Control, Event, Guide, Options, Probe, Rival, SearchError,
    Summary,
};

use self::{
    account::Account,
    folder::Folder,
    guide::Map,
    hunt::{Hunt, Means},
    memory::Guard,
    proof::Prover,
    pursuit::{Fate, Leads, Tracker},
};
use crate::{
    budget::Plan,
    cli::{Check, Status},
    confirm::{Clock, Confirmer, Patience},
    effect::Builds,
    interrupt::{self, Words},
    screen::Screen,
    study::{Analysed, Study},
    target,
    verbs::{
        changes::account,
        compare::{ignoring_place, start_labs},
        explore::{check_solver, code, load, solver},
    },
    versions::{Pair, failed_to, subject},
};

pub(crate) fn run(options: &Check, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&options.ignore).map_err(failed_to)?;
    check_solver(options.solver.as_deref())?;
    target::check(options.junit.as_deref())?;
    let seeds = load(&options.seeds)?;
    let earlier = if options.resume { Some(folder::earlier(&options.out)?) } else { None };
    interrupt::listen();
    let mut plan = Plan::new(options.budget);
    let pair = plan.build("building both versions", screen, || {
        Pair::build(&options.old, &options.new, &options.building, screen)
    })?;
    let ignore = ignoring_place(ignore, &pair);
    let versions = Versions {
        old: pair.old.digest().map_err(failed_to)?,
        new: pair.new.digest().map_err(failed_to)?,
    };
    let mut folder = match &earlier {
        Some(earlier) if earlier.versions != versions => {
            bail!("failed to go on from {}: it is of other versions", options.out.display())
        }
        Some(earlier) => Folder::go_on(&options.out, earlier)?,
        None => Folder::prepare(&options.out)?,
    };
    let analysed = Analysed::new(&pair, plan.analysis(), screen)?;
    let study = analysed.study(&pair, screen);
    if study.is_cut() {
        let note = "what the changes can affect was not followed to its end: it is taken for all that they lead to";
        screen.say(&format!("note: {note}"));
        folder.log(note)?;
    }
    let account = Account {
        report: &account(&study, &pair.name.to_string_lossy()),
        versions,
        out: options.out.display().to_string(),
        bounds: options.bounds.limits(&seeds),
        earlier: earlier.unwrap_or_default(),
    };
    let (result, trouble) = match study.changes.is_unchanged() {
        true => {
            let result = account.unchanged();
            let trouble = folder.write(&result).err();
            (result, trouble)
        }
        false => search(options, &study, account, (ignore, seeds), (&mut folder, plan), screen)?,
    };
    interrupt::is_told();
    screen.clear();
    let text = if options.json { result.to_json() } else { result.terminal(screen.style()) };
    screen.print(&text)?;
    if let Some(path) = &options.junit {
        target::write(path, result.junit())?;
    }
    trouble.map_or_else(|| Ok(status(&result, options.strict)), Err)
}

fn status(result: &check::Check, strict: bool) -> Status {
    match result.verdict {
        Verdict::Different => Status::Different,
        Verdict::Unreached | Verdict::NoDifferenceFound if strict => Status::Trouble,
        _ => Status::Fine,
    }
}

/// Looks for differences; what went wrong on the way does not undo what was found.
fn search<'s>(
    options: &'s Check,
    study: &'s Study<'s>,
    account: Account<'_>,
    (ignore, mut seeds): (Ignore, Vec<TestCase>),
    (folder, mut plan): (&mut Folder, Plan),
    screen: &'s Screen,
) -> anyhow::Result<(check::Check, Option<anyhow::Error>)> {
    screen.status("making the symbolic builds");
    let builds = plan.build("making the symbolic builds", screen, || Builds::of(study.pair))?;
    let (old, new) = (Arc::clone(&builds.old), Arc::clone(&builds.new));
    screen.clear();
    let map = Arc::new(Map::new(study, &old, &new));
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
    let probed = [(rival.clone(), old.places.size()), (own.clone(), new.places.size())];
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
        guide: Arc::clone(&map) as Arc<dyn Guide>,
        ignore: ignore.clone(),
    };
    let mut plain = start_labs(Confirmer::LABS + 1, &[], &options.running, screen)?;
    let probing = plain.pop().ok_or_else(|| anyhow!("failed to start a lab"))?;
    let limits = options.running.limits();
    let patience = Patience::of(limits.clone());
    let clock = Clock::of([&study.old.program, &study.new.program]);
    let confirmer = Confirmer::new(plain, natives, &patience, ignore.clone(), clock);
    let control = Arc::new(Control::default());
    let bounds = account.bounds;
    // If nothing leads to a change, there is nothing to look for but what seeds show.
    let is_hopeless = !account.report.changes.iter().any(|change| change.reachable);
    let runs = if is_hopeless { Some(seeds.len().max(1) as u64) } else { options.runs };
    seeds.extend(folder.corpus());
    let aside = (options.budget / 10).max(ASIDE);
    let limits_of_search = Limits { time: limits.time.min(LONGEST), ..limits };
    let guide = Arc::clone(&map) as Arc<dyn Guide>;
    let mut probe =
        Probe::new(probing, limits_of_search.clone(), guide, probed).map_err(failed_to)?;
    let means = Means {
        follower: Box::new(Tracker::new(study, &options.running, screen, builds)),
        watch: Box::new(Guard::new(study.pair, &options.running, screen)),
        executed: Box::new(move |test, deadline| {
            Some(probe.executed(test, deadline).ok()?.into_iter().collect())
        }),
        show: Box::new(|what| screen.status(what)),
        known: Box::new(last_words(options, screen.style())),
    };
    let mut hunt =
        Hunt::new(account, folder, Arc::clone(&control), confirmer, means, plan, options.all);
    let trace = TraceOptions {
        sites: new.places.size(),
        argument_room: bounds.argument_bytes,
        arguments_room: bounds.arguments,
        ..TraceOptions::default()
    };
    let campaign_options = Options {
        aim: Aim::Find,
        budget: Budget { time: Some(plan.search()), runs },
        bounds,
        strategy: options.strategy.into(),
        limits: limits_of_search,
        trace,
        control: Arc::clone(&control),
    };
    let mut code = code(&new);
    // What only the old version looks for is as good as what the new one does.
    code.words.extend(old.model.words());
    code.words.sort_unstable();
    code.words.dedup();
    let make_solver = || solver(options.solver.as_deref(), None, options.budget);
    let mut campaign =
        Campaign::new(labs, &own, &code, campaign_options, Some(rival), &make_solver)
            .map_err(failed_to)?;
    hunt.begin();
    seeds.extend(hunt.tests());
    let mut known = HashSet::new();
    seeds.retain(|seed| known.insert(seed.clone()));
    let mut tell = |event: Event<'_>| note(&mut hunt, screen, &event);
    let mut ended = guarded(|| campaign.run(seeds, &mut tell));
    let prover = Prover {
        study,
        options,
        screen,
        ignore,
        bounds,
        control: Arc::clone(&control),
        runs: None,
    };
    hunt.prove(&ended, campaign.kept(), &prover);
    while matches!(&ended, Ok(summary) if summary.paused) && !hunt.is_proved() {
        let mut tell = |event: Event<'_>| note(&mut hunt, screen, &event);
        ended = guarded(|| campaign.go_on(&mut tell));
        hunt.prove(&ended, campaign.kept(), &prover);
    }
    let leads = leads(&campaign, &map, &new);
    Ok(hunt.end(ended, &leads, aside))
}

/// Has an event noted, and shows how far the search has come.
fn note(hunt: &mut Hunt<'_>, screen: &Screen, event: &Event<'_>) {
    hunt.note(event);
    if let Event::Progress(_) | Event::Differs { .. } = event {
        screen.status(&hunt.status().to_string());
    }
    if let Event::Absent { programs } = event {
        screen.tell_absent(programs.iter().cloned());
    }
}

/// Runs a search such that a fault of ours does not cost what was found: that is with plain builds and the
/// hunt, which share nothing with the search.
fn guarded(search: impl FnOnce() -> Result<Summary, SearchError>) -> anyhow::Result<Summary> {
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(ended) => ended.map_err(failed_to),
        Err(_) => {
            Err(anyhow!("internal error in the search (panic above); findings so far are kept"))
        }
    }
}

/// Remembers each result, for the case that the search does not come to its end.
fn last_words(options: &Check, style: Style) -> impl Fn(check::Check) + use<> {
    let (is_json, strict) = (options.json, options.strict);
    move |result| {
        interrupt::remember(move || Words {
            text: if is_json { result.to_json() } else { result.terminal(style) },
            status: status(&result, strict).number(),
        });
    }
}

/// What a search leaves to whoever wants to know why no difference was seen of a change.
fn leads(campaign: &Campaign, map: &Map, new: &SymbolicBuild) -> Leads {
    let mut leads = Leads { suspects: campaign.suspects(), ..Leads::default() };
    for change in 0..map.changes().len() {
        let witnesses = campaign.witnesses(change);
        if witnesses.is_empty() {
            let place = map.turned_away(campaign.coverage(), change);
            let location = place.and_then(|place| located(new, place));
            let fate = location.map(|(file, line)| (change, Fate::turned_away(file, line)));
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

fn cases(build: &Arc<SymbolicBuild>) -> Cases {
    let build = Arc::clone(build);
    Arc::new(move |site| build.cases(site))
}

/// How long a run of the search may take at most: whether a program ends at all is for plain builds to
/// say.
const LONGEST: Duration = Duration::from_secs(2);
/// How long tests of changes of which no difference was seen are looked at when the search is over, first
/// for memory errors and then for where effects end; longer if that is a small part of the budget.
const ASIDE: Duration = Duration::from_secs(10);
