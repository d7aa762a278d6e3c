//! The search as the user sees it: what looks like a difference is confirmed, shrunk and written.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, PoisonError, atomic::Ordering},
};

use anyhow::Context;
use parallax_report::{
    changes::ChangeReport,
    check::{self, Finding},
};
use parallax_run::TestCase;
use parallax_search::{Control, Event, Summary};

use super::{account::result, folder::Folder};
use crate::{
    cli::Check,
    confirm::{Confirmer, Look},
};

/// Runs of both versions that are spent on making one test smaller.
const SHRINKING: usize = 160;

/// What a difference is told apart by: the changes, what differs, and how both versions end.
type Cause = (Vec<usize>, Vec<&'static str>, String);

/// The search as the user sees it.
pub(super) struct Hunt<'h> {
    account: &'h ChangeReport,
    folder: &'h mut Folder,
    control: Arc<Control>,
    confirmer: Confirmer<'h>,
    /// Whether to go on for changes that were seen to differ.
    all: bool,
    findings: Vec<Finding>,
    known: BTreeMap<Cause, usize>,
    unconfirmed: u64,
    /// How often something was taken for a difference that was none.
    doubts: BTreeMap<Cause, u32>,
    trouble: Option<anyhow::Error>,
}

impl<'h> Hunt<'h> {
    pub(super) fn new(
        account: &'h ChangeReport,
        folder: &'h mut Folder,
        control: Arc<Control>,
        confirmer: Confirmer<'h>,
        all: bool,
    ) -> Hunt<'h> {
        Hunt {
            account,
            folder,
            control,
            confirmer,
            all,
            findings: Vec::new(),
            known: BTreeMap::new(),
            unconfirmed: 0,
            doubts: BTreeMap::new(),
            trouble: None,
        }
    }

    pub(super) fn note(&mut self, event: &Event<'_>) {
        if let Event::Differs { test, executed } = event {
            let noted = self.difference(test, executed);
            self.trouble = self.trouble.take().or(noted.err());
        }
    }

    /// Takes note of a test on which the versions look different.
    fn difference(&mut self, test: &TestCase, executed: &[usize]) -> anyhow::Result<()> {
        if !self.all && !executed.is_empty() && self.has_seen(executed) {
            return Ok(());
        }
        let Look { difference, is_noisy } = self.confirmer.look(test)?;
        if is_noisy {
            self.control.noisy.store(true, Ordering::Relaxed);
        }
        let Some(difference) = difference else {
            self.unconfirmed += 1;
            return Ok(());
        };
        let aspects: Vec<_> = difference.differs_in.iter().map(|aspect| aspect.name()).collect();
        let endings = format!("{:?} {:?}", difference.old.ending, difference.new.ending);
        let cause = (executed.to_vec(), aspects.clone(), endings);
        if let Some(known) = self.known.get(&cause) {
            self.findings[*known].others += 1;
            return Ok(());
        }
        // What turns out to be noise takes long to tell: what looks like it is looked at less and less.
        let doubts = self.doubts.entry(cause.clone()).or_default();
        *doubts += 1;
        if *doubts > 1 && !doubts.is_power_of_two() {
            self.unconfirmed += 1;
            return Ok(());
        }
        let Some((case, difference)) = self.confirmer.shrink(test, &difference, SHRINKING)? else {
            self.unconfirmed += 1;
            return Ok(());
        };
        self.known.insert(cause, self.findings.len());
        let id = format!("f{}", self.findings.len() + 1);
        let test = self.folder.add(&id, &case, &difference)?;
        let changes = executed.iter().map(|change| self.account.changes[*change].id.clone());
        self.findings.push(Finding {
            id,
            test,
            changes: changes.collect(),
            differs_in: aspects,
            confirmed: true,
            others: 0,
            case,
            difference,
        });
        let mut done = self.control.done.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.all {
            done.extend(executed);
            if done.len() == self.account.changes.len() {
                self.control.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Whether differences of all these changes were found.
    fn has_seen(&self, changes: &[usize]) -> bool {
        let done = self.control.done.lock().unwrap_or_else(PoisonError::into_inner);
        changes.iter().all(|change| done.contains(change))
    }

    pub(super) fn status(&self, summary: &Summary) -> String {
        let Summary { runs, executed, waiting, elapsed, answers, solving, running, .. } = summary;
        let seen: BTreeSet<_> = self.findings.iter().flat_map(|finding| &finding.changes).collect();
        let all = self.account.changes.len();
        let seconds = elapsed.as_secs_f64();
        let total = answers.total();
        let share =
            solving.as_secs_f64() / (solving.as_secs_f64() + running.as_secs_f64()).max(1e-9);
        format!(
            "{seconds:.0}s  {} of {all} changes reached, {} seen  {:.0} runs/s  {waiting} turns \
             waiting  {} queries ({:.0}% of time)",
            executed.len(),
            seen.len(),
            *runs as f64 / seconds.max(0.001),
            total.found + total.impossible + total.unknown,
            100.0 * share,
        )
    }

    /// What there is to say in the end.
    pub(super) fn into_result(
        self,
        summary: &Summary,
        options: &Check,
    ) -> anyhow::Result<check::Check> {
        if let Some(trouble) = self.trouble {
            return Err(trouble).with_context(|| "failed to look at a difference");
        }
        let out = options.out.display().to_string();
        Ok(result(self.account, &self.findings, self.unconfirmed, summary, out))
    }
}
