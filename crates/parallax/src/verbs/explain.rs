//! `parallax explain`: how the effect of each change travels through one test.

use std::slice;

use anyhow::bail;
use parallax_check::{Explaining, Plan, explain};
use parallax_compare::Ignore;
use parallax_run::suite::Suite;

use crate::{
    cli::{Explain, Status},
    interrupt,
    screen::Screen,
    versions::{build_pair, failed, failed_to},
};

pub(crate) fn run(options: &Explain, screen: &Screen) -> anyhow::Result<Status> {
    let suite = Suite::load(slice::from_ref(&options.test)).map_err(failed_to)?;
    let [test] = &suite.tests[..] else {
        bail!("explain takes one test, and {} were given", suite.tests.len());
    };
    interrupt::listen();
    let mut plan = Plan::optional(options.budget, screen);
    let pair = plan.build("building both versions", screen, || {
        build_pair(&options.old, &options.new, &options.building, screen)
    })?;
    let ignore = Ignore::new(&options.ignore).map_err(failed_to)?;
    let ignore = pair.ignoring_place(ignore);
    let explaining = Explaining { pair: &pair, running: &options.running.limited(), ignore };
    let explanation = explain(&explaining, test, &mut plan, screen).map_err(failed)?;
    interrupt::is_told();
    screen.clear();
    let text = match options.json {
        true => explanation.to_json(),
        false => explanation.terminal(screen.style(), screen.width()),
    };
    screen.print(&text)?;
    Ok(match explanation.differs_in.is_empty() {
        true if explanation.is_out_of_time => Status::Trouble,
        true => Status::Fine,
        false => Status::Different,
    })
}
