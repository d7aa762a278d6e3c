//! `parallax coverage`: the coverage of a suite.

use std::collections::BTreeSet;

use parallax_check::{Plan, in_time};
use parallax_deadline::OutOfTime;
use parallax_instrument::{Fork, SymbolicBuild};
use parallax_report::coverage::{Coverage as Covered, File};
use parallax_run::{
    suite::Suite,
    trace::{TraceMemory, TraceOptions},
};

use crate::{
    cli::{Coverage, Status},
    interrupt,
    screen::Screen,
    symbolic::Symbolic,
    target,
    versions::{failed, failed_to},
};

pub(crate) fn run(coverage: &Coverage, screen: &Screen) -> anyhow::Result<Status> {
    let suite = Suite::load(&coverage.tests).map_err(failed_to)?;
    target::check(coverage.lcov.as_deref())?;
    let running = &coverage.running.limited();
    interrupt::listen();
    let mut plan = Plan::optional(coverage.budget, screen);
    let symbolic = plan.build("building the program", screen, || {
        Symbolic::build(&coverage.program, &coverage.building, running, screen)
    })?;
    let build = &symbolic.build;
    // Only coverage is used: there is no room for a trace.
    let options = TraceOptions { nodes: 1, ..symbolic.trace_options() };
    let mut memory = TraceMemory::new(options).map_err(failed_to)?;
    let mut lab = running.start_lab(screen).map_err(failed)?;
    lab.set_deadline(plan.used_up());
    let mut covered = BTreeSet::new();
    let mut run = 0;
    for (number, test) in suite.tests.iter().enumerate() {
        screen.status(&format!("{number} of {} tests run", suite.tests.len()));
        let seen = lab.trace(&symbolic.subject, &test.case, &running.limits, &mut memory);
        if in_time(seen.map_err(Into::into)).map_err(failed)?.is_none() {
            break;
        }
        run += 1;
        let marked = memory.trace().coverage().iter().enumerate().filter(|(_, byte)| **byte != 0);
        covered.extend(marked.map(|(slot, _)| slot as u32 + 1));
    }
    if run == 0 && !suite.tests.is_empty() {
        return Err(OutOfTime.into());
    }
    interrupt::is_told();
    screen.clear();
    let result = Covered {
        schema: 1,
        verb: "coverage",
        tests: run,
        not_run: suite.tests.len() - run,
        files: files(build, &covered),
    };
    if let Some(path) = &coverage.lcov {
        target::write(path, result.lcov())?;
    }
    screen.print(&if coverage.json { result.to_json() } else { result.terminal() })?;
    Ok(Status::Fine)
}

fn files(build: &SymbolicBuild, covered: &BTreeSet<u32>) -> Vec<File> {
    let named = |name: &String| File { name: name.clone(), ..File::default() };
    let mut files: Vec<File> = build.model.files.iter().map(named).collect();
    for (line, ran) in build.lines(covered) {
        if let Some(file) = files.get_mut(line.file as usize) {
            file.lines.push((line.line, ran));
        }
    }
    for Fork { line, ways } in build.forks() {
        let Some(line) = line else { continue };
        if let Some(file) = files.get_mut(line.file as usize) {
            let gone = ways.iter().map(|way| covered.contains(way)).collect();
            file.branches.push((line.line, gone));
        }
    }
    for file in &mut files {
        // Branches of one line keep their order, whatever was covered: reports can be merged.
        file.branches.sort_by_key(|(line, _)| *line);
    }
    files.retain(|file| !file.lines.is_empty());
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}
