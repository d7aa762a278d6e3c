//! `parallax minimize`: the smallest and plainest test on which two versions still differ in the same way.
//!
//! Without `--out` all that is said about the test is a comment, so that what is printed is a test.

use anyhow::bail;
use parallax_compare::Ignore;
use parallax_report::minimized::Minimized;
use parallax_run::{TestCase, suite::Suite};

use crate::{
    budget::Plan,
    cli::{Minimize, Status},
    confirm::{Clock, Confirmer, Patience, Shrinking, Tries},
    interrupt,
    screen::Screen,
    target,
    verbs::compare::{ignoring_place, start_labs},
    versions::{Pair, failed_to, subject},
};

/// How many times fewer tries there are if runs do not end.
const SLOWER: usize = 20;

pub(crate) fn run(minimize: &Minimize, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&minimize.ignore).map_err(failed_to)?;
    let test = only_test(minimize)?;
    target::check(minimize.out.as_deref())?;
    interrupt::listen();
    let mut plan = Plan::optional(minimize.budget);
    let pair = plan.build("building both versions", screen, || {
        Pair::build(&minimize.old, &minimize.new, &minimize.building, screen)
    })?;
    let ignore = ignoring_place(ignore, &pair);
    let memory = minimize.running.memory();
    let subjects =
        (subject(&pair.old, &pair.name, memory)?, subject(&pair.new, &pair.name, memory)?);
    let patience = Patience::of(minimize.running.limits());
    let labs = start_labs(Confirmer::LABS, &[], &minimize.running, screen)?;
    // Versions need not be analysed for this, so nobody knows whether they can tell the time.
    let mut confirmer = Confirmer::new(labs, subjects, &patience, ignore, Clock::Possible);
    confirmer.set_deadline(plan.end());
    screen.status("running the test");
    if confirmer.look(&test)?.difference.is_none() {
        return nothing(screen, "the versions do not differ on this test");
    }
    let Some(found) = confirmer.confirm(&test)? else {
        return nothing(screen, "the versions do not differ on this test each time it is run");
    };
    screen.status("making the test smaller");
    let usual = minimize.tries as usize;
    let tries = Tries { usual, slow: usual.div_ceil(SLOWER) };
    let until = plan.used_up();
    let smaller = confirmer.shrink(&test, &found, Shrinking { tries, until }, &mut |_| true)?;
    let (small, difference) = smaller.unwrap_or_else(|| (test.clone(), found));
    interrupt::is_told();
    screen.clear();
    let name = pair.name.to_string_lossy().into_owned();
    let minimized = Minimized {
        program: name,
        given: test,
        test: small,
        difference,
        is_out_of_time: until.is_over(),
    };
    match &minimize.out {
        None => screen.print(&minimized.to_toml())?,
        Some(path) => {
            target::write(path, minimized.test.to_toml())?;
            screen.print(&minimized.terminal(screen.style()))?;
        }
    }
    Ok(Status::Different)
}

fn only_test(minimize: &Minimize) -> anyhow::Result<TestCase> {
    let suite = Suite::load(std::slice::from_ref(&minimize.test)).map_err(failed_to)?;
    let count = suite.tests.len();
    match suite.tests.into_iter().next() {
        Some(test) if count == 1 => Ok(test.case),
        _ => bail!("{} has {count} tests, and one is wanted", minimize.test.display()),
    }
}

fn nothing(screen: &Screen, why: &str) -> anyhow::Result<Status> {
    screen.print(&format!("{why}\n"))?;
    Ok(Status::Fine)
}
