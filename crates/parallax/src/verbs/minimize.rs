//! `parallax minimize`: the smallest and simplest test on which two versions still differ in the
//! same way.
//!
//! Without `--out` all text about the test is a comment, so that the output is a test.

use anyhow::bail;
use parallax_check::{Minimal, Minimizing, Plan};
use parallax_compare::Ignore;
use parallax_report::minimized::Minimized;
use parallax_run::{TestCase, suite::Suite};

use crate::{
    cli::{Minimize, Status},
    interrupt,
    screen::Screen,
    target,
    versions::{build_pair, failed, failed_to},
};

pub(crate) fn run(minimize: &Minimize, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&minimize.ignore).map_err(failed_to)?;
    let test = only_test(minimize)?;
    target::check(minimize.out.as_deref())?;
    interrupt::listen();
    let mut plan = Plan::optional(minimize.budget, screen);
    let pair = plan.build("building both versions", screen, || {
        build_pair(&minimize.old, &minimize.new, &minimize.building, screen)
    })?;
    let minimizing = Minimizing {
        pair: &pair,
        running: &minimize.running.limited(),
        ignore: pair.ignoring_place(ignore),
        tries: minimize.tries as usize,
    };
    let found = parallax_check::minimize(&minimizing, &test, &plan, screen).map_err(failed)?;
    let (small, difference, is_out_of_time) = match found {
        Minimal::Same => return nothing(screen, "the versions do not differ on this test"),
        Minimal::Unsteady => {
            return nothing(screen, "the versions do not differ on this test each time it is run");
        }
        Minimal::Found { test, difference, is_out_of_time } => (test, *difference, is_out_of_time),
    };
    interrupt::is_told();
    screen.clear();
    let program = pair.name.to_string_lossy().into_owned();
    let minimized = Minimized { program, given: test, test: small, difference, is_out_of_time };
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
        _ => bail!("minimize takes one test, and {} has {count}", minimize.test.display()),
    }
}

fn nothing(screen: &Screen, why: &str) -> anyhow::Result<Status> {
    screen.print(&format!("{why}\n"))?;
    Ok(Status::Fine)
}
