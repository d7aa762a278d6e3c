//! `parallax compare`: which tests tell two versions apart.

use std::{collections::BTreeSet, fs, os::unix::fs::MetadataExt, thread, time::UNIX_EPOCH};

use parallax_compare::{
    Comparison, Event, Ignore, LabRunner, Options, Outcome, Verdict, compare_suite,
};
use parallax_run::{Subject, lab::Lab, suite::Suite};

use crate::{
    budget::Plan,
    cli::{Compare, Running, Status},
    interrupt,
    screen::Screen,
    target,
    versions::{Pair, failed_to, subject},
};

pub(crate) fn run(compare: &Compare, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&compare.ignore).map_err(failed_to)?;
    let suite = Suite::load(&compare.tests).map_err(failed_to)?;
    target::check(compare.junit.as_deref())?;
    interrupt::listen();
    let mut plan = Plan::optional(compare.budget);
    let pair = plan.build("building both versions", screen, || {
        Pair::build(&compare.old, &compare.new, &compare.building, screen)
    })?;
    let memory = compare.running.memory();
    let old = subject(&pair.old, &pair.name, memory)?;
    let new = subject(&pair.new, &pair.name, memory)?;
    let ignore = ignoring_place(ignore, &pair);
    let settle = Options::default().settle;
    let options = Options {
        repeat: compare.repeat,
        ignore,
        settle,
        deadline: plan.used_up(),
        // A quarter is for what looks different; whoever gives little wants something at all.
        last_test: plan.used_up().within(plan.search() * 3 / 4),
    };
    let labs = start_labs(workers(compare, &suite), &[], &compare.running, screen)?;
    let comparison = compare_in(labs, &suite, &old, &new, &options, &compare.running, screen);
    show(compare, &comparison, &pair.name.to_string_lossy(), screen)
}

/// A program may print the path of the tree it was built in, and the inodes and times of its file and of the directories
/// above it: that each version has its own is ours.
pub(crate) fn ignoring_place(ignore: Ignore, pair: &Pair) -> Ignore {
    let programs = [&pair.old.program, &pair.new.program];
    let places = programs.into_iter().filter_map(|program| parallax_capture::slot_of(program));
    let ignore = places.fold(ignore, |ignore, place| ignore.and_text(&place.to_string_lossy()));
    let files = programs.into_iter().flat_map(|program| program.ancestors().take(3));
    let numbers = files.filter_map(|file| fs::metadata(file).ok()).flat_map(|file| {
        let made = file.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let made = made.map(|time| [time.as_secs(), u64::from(time.subsec_nanos())]);
        let [read, written, changed] = [
            [file.atime(), file.atime_nsec()],
            [file.mtime(), file.mtime_nsec()],
            [file.ctime(), file.ctime_nsec()],
        ];
        let times = [read, written, changed].into_iter().flatten();
        let times = times.filter_map(|number| u64::try_from(number).ok());
        times.chain(made.into_iter().flatten()).chain([file.ino()])
    });
    let telling: BTreeSet<_> = numbers.filter(|number| *number >= TELLING).collect();
    ignore.and_numbers(&Vec::from_iter(telling))
}

/// Numbers from which on one is hardly something else.
const TELLING: u64 = 10_000;

fn workers(compare: &Compare, suite: &Suite) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    compare.jobs.map_or(processors, usize::from).min(suite.tests.len())
}

/// Starts labs, each on its processor if there is one for it, and says once what their sandboxes lack.
pub(crate) fn start_labs(
    count: usize,
    processors: &[usize],
    running: &Running,
    screen: &Screen,
) -> anyhow::Result<Vec<Lab>> {
    let start = |number| match processors.get(number) {
        Some(processor) => Lab::start_on(running.isolation(), *processor),
        None => Lab::start(running.isolation()),
    };
    let labs: Result<Vec<_>, _> = (0..count).map(start).collect();
    let labs = labs.map_err(failed_to)?;
    if !running.no_sandbox {
        for lacking in labs.first().map(Lab::missing).unwrap_or_default() {
            screen.say(&format!("note: {lacking}"));
        }
    }
    Ok(labs)
}

/// Compares two programs in labs.
pub(crate) fn compare_in(
    labs: Vec<Lab>,
    suite: &Suite,
    old: &Subject,
    new: &Subject,
    options: &Options,
    running: &Running,
    screen: &Screen,
) -> Comparison {
    let limits = &running.limits();
    let runner = |lab| LabRunner::new(lab, old.clone(), new.clone(), limits);
    let mut runners: Vec<_> = labs.into_iter().map(runner).collect();
    let (mut done, mut different) = (0, 0);
    let comparison = compare_suite(suite, options, &mut runners, &mut |event| match event {
        Event::Finished { outcome, .. } => {
            done += 1;
            different += usize::from(matches!(outcome, Outcome::Different(_)));
            screen
                .status(&format!("{done} of {} tests run, {different} differ", suite.tests.len()));
        }
        Event::Confirming { tests } => screen.status(&format!("confirming differences: {tests}")),
        Event::Started { .. } | Event::Done { .. } => {}
    });
    let absent: BTreeSet<_> = runners.iter_mut().flat_map(LabRunner::take_absent).collect();
    screen.tell_absent(absent);
    comparison
}

fn show(
    compare: &Compare,
    comparison: &Comparison,
    name: &str,
    screen: &Screen,
) -> anyhow::Result<Status> {
    interrupt::is_told();
    screen.clear();
    let text = if compare.json {
        parallax_report::to_json(comparison)
    } else {
        parallax_report::terminal(comparison, name, screen.style())
    };
    screen.print(&text)?;
    if let Some(path) = &compare.junit {
        target::write(path, parallax_report::junit(comparison, name))?;
    }
    Ok(match comparison.verdict() {
        Verdict::Same => Status::Fine,
        Verdict::Different => Status::Different,
        Verdict::Trouble => Status::Trouble,
    })
}
