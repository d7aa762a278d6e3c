//! `parallax compare`: the tests on which two versions differ.

use std::thread;

use parallax_check::{Comparing, Plan};
use parallax_compare::{Comparison, Ignore, Options, Verdict};
use parallax_run::suite::Suite;

use crate::{
    cli::{Compare, Status},
    interrupt,
    screen::Screen,
    target,
    versions::{build_pair, failed, failed_to},
};

pub(crate) fn run(compare: &Compare, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&compare.ignore).map_err(failed_to)?;
    let suite = Suite::load(&compare.tests).map_err(failed_to)?;
    target::check(compare.junit.as_deref())?;
    interrupt::listen();
    let mut plan = Plan::optional(compare.budget, screen);
    let pair = plan.build("building both versions", screen, || {
        build_pair(&compare.old, &compare.new, &compare.building, screen)
    })?;
    let options = Options {
        repeat: compare.repeat,
        ignore: pair.ignoring_place(ignore),
        settle: Options::default().settle,
        deadline: plan.used_up(),
        // A quarter is for confirming differences; a small budget still shows something.
        last_test: plan.used_up().within(plan.search() * 3 / 4),
    };
    let (running, workers) = (&compare.running.limited(), workers(compare, &suite));
    let comparing = Comparing { pair: &pair, running, options, workers };
    let comparison = parallax_check::compare(&comparing, &suite, screen).map_err(failed)?;
    show(compare, &comparison, &pair.name.to_string_lossy(), screen)
}

fn workers(compare: &Compare, suite: &Suite) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    compare.jobs.map_or(processors, usize::from).min(suite.tests.len())
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
