//! `parallax check`: inputs on which two versions differ.

mod status;

use std::num::NonZeroUsize;

use parallax_check::{Message, Options, Plan, Report, Sink, check, check_solver, earlier};
use parallax_compare::Ignore;
use parallax_report::{
    Style,
    check::{self, Verdict},
};
use parallax_run::suite::cases;

use crate::{
    cli::{Check, Status},
    interrupt::{self, Words},
    screen::Screen,
    target,
    versions::{build_pair, failed, failed_to},
};

pub(crate) fn run(options: &Check, screen: &Screen) -> anyhow::Result<Status> {
    let ignore = Ignore::new(&options.ignore).map_err(failed_to)?;
    check_solver(options.solver.as_deref()).map_err(failed)?;
    target::check(options.junit.as_deref())?;
    let seeds = cases(&options.seeds).map_err(failed_to)?;
    let earlier = if options.resume { Some(earlier(&options.out).map_err(failed)?) } else { None };
    interrupt::listen();
    let mut plan = Plan::new(options.budget, screen);
    let pair = plan.build("building both versions", screen, || {
        build_pair(&options.old, &options.new, &options.building, screen)
    })?;
    let how = Options {
        out: options.out.clone(),
        earlier,
        runs: options.runs,
        jobs: options.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())),
        bounds: options.bounds.limits(&seeds),
        policy: options.policy().map_err(failed_to)?,
        all: options.all,
        ignore,
        solver: options.solver.clone(),
        running: options.running.limited(),
    };
    let sink = Shown { screen, options, style: screen.style() };
    let Report { result, trouble } = check(&pair, seeds, &how, plan, &sink).map_err(failed)?;
    interrupt::is_told();
    screen.clear();
    let text = if options.json { result.to_json() } else { result.terminal(screen.style()) };
    screen.print(&text)?;
    if options.stats && !options.json {
        screen.print(&format!("\n{}", result.stats.terminal()))?;
    }
    if let Some(path) = &options.junit {
        target::write(path, result.junit())?;
    }
    trouble.map_or_else(|| Ok(exit_status(&result, options.strict)), |why| Err(failed(why)))
}

fn exit_status(result: &check::Check, strict: bool) -> Status {
    match result.verdict {
        Verdict::Different => Status::Different,
        Verdict::Unreached | Verdict::NoDifferenceFound if strict => Status::Trouble,
        _ => Status::Fine,
    }
}

/// Shows the messages of a check.
struct Shown<'s> {
    screen: &'s Screen,
    options: &'s Check,
    style: Style,
}

impl Sink for Shown<'_> {
    fn take(&self, message: Message<'_>) {
        match message {
            Message::Progress(progress) => self.screen.status(&status::line(progress)),
            // The result to print if the search does not come to its end.
            Message::Result(result) => {
                let Check { json, strict, .. } = *self.options;
                let (result, style) = (result.clone(), self.style);
                interrupt::remember(move || Words {
                    text: if json { result.to_json() } else { result.terminal(style) },
                    status: exit_status(&result, strict).number(),
                });
            }
            message => self.screen.take(message),
        }
    }
}
