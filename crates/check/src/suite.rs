//! Whole suites, run on both versions.

use std::collections::BTreeSet;

use parallax_compare::{Comparison, Event, LabRunner, Options, Outcome, compare_suite};
use parallax_run::suite::Suite;

use crate::{CheckError, Message, Pair, Running, Sink};

/// What a suite is run on, and how.
pub struct Comparing<'c> {
    /// The versions.
    pub pair: &'c Pair,
    /// How they are run.
    pub running: &'c Running,
    /// How outputs are compared, and until when.
    pub options: Options,
    /// How many tests run at the same time.
    pub workers: usize,
}

/// Runs a suite on both versions, and tells which tests tell them apart.
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
