//! Runs whole suites on both versions.

use std::collections::BTreeSet;

use parallax_compare::{Comparison, Event, LabRunner, Options, Outcome, compare_suite};
use parallax_run::suite::Suite;

use crate::{CheckError, Message, Pair, Running, Sink};

/// The inputs of a comparison, besides the suite.
pub struct Comparing<'c> {
    /// The versions.
    pub pair: &'c Pair,
    /// The settings of runs.
    pub running: &'c Running,
    /// The options of the comparison.
    pub options: Options,
    /// The number of tests that run in parallel.
    pub workers: usize,
}

/// Runs a suite on both versions and reports the tests that show a difference.
pub fn compare(
    Comparing { pair, running, options, workers }: &Comparing<'_>,
    suite: &Suite,
    sink: &dyn Sink,
) -> Result<Comparison, CheckError> {
    let [old, new] = pair.subjects(running.memory)?;
    let labs = running.start_labs(*workers, &[], sink)?;
    let runner = |lab| LabRunner::new(lab, old.clone(), new.clone(), &running.limits);
    let mut runners: Vec<_> = labs.into_iter().map(runner).collect();
    let (mut done, mut different) = (0, 0);
    let comparison = compare_suite(suite, options, &mut runners, &mut |event| match event {
        Event::Finished { outcome, .. } => {
            done += 1;
            different += usize::from(matches!(outcome, Outcome::Different(_)));
            sink.phase(&format!("{done} of {} tests run, {different} differ", suite.tests.len()));
        }
        Event::Confirming { tests } => sink.phase(&format!("confirming differences: {tests}")),
        Event::Started { .. } | Event::Done { .. } => {}
    });
    let absent: BTreeSet<_> = runners.iter_mut().flat_map(LabRunner::take_absent).collect();
    sink.take(Message::Absent(&absent));
    sink.idle();
    Ok(comparison)
}
