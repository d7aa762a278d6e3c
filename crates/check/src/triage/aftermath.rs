//! When the search is over, or takes long: tests of changes of which no difference was seen may still differ in what they do
//! to memory, or tell where the effects have ended.

use std::sync::Arc;

use parallax_compare::Difference;
use parallax_deadline::Deadline;
use parallax_report::check::Verdict;
use parallax_run::TestCase;
use parallax_search::Suspect;

use super::{Credit, Triage, cause};
use crate::{
    CheckError,
    error::in_time,
    fate::{Leads, pursue},
};

impl Triage<'_> {
    /// The changes that were executed and not seen to differ, if there are any that could.
    pub(super) fn open(&self) -> Vec<usize> {
        let so_far = self.result();
        if so_far.verdict == Verdict::Equivalent {
            return Vec::new();
        }
        let changes = so_far.changes.iter().enumerate();
        let open = changes.filter(|(_, change)| change.reached && !change.propagated);
        open.map(|(number, _)| number).collect()
    }

    /// Finds out what became of changes that were executed and not seen to differ.
    pub(super) fn follow(&mut self, leads: &Leads, deadline: Deadline) -> Result<(), CheckError> {
        if !self.open().is_empty() {
            // Whatever comes of it, the rest is there.
            self.folder.write(&self.result())?;
            in_time(self.watch_memory(&leads.suspects, deadline))?;
        }
        self.attribute_again()?;
        let open = self.open();
        if open.is_empty() {
            return Ok(());
        }
        self.phase("following effects");
        let both = (self.means.follower.as_mut(), &mut self.confirmer);
        let pursued = pursue(&open, leads, both, deadline)?;
        self.fates.extend(pursued.fates);
        if let Some(trouble) = pursued.trouble {
            self.folder.log(&format!("effects could not be followed: failed to {trouble}"))?;
        }
        pursued.shown.iter().try_for_each(|(test, changes)| self.difference(test, changes, None))
    }

    /// Looks for memory errors of one version only, of changes of which no difference was seen.
    pub(super) fn watch_memory(
        &mut self,
        suspects: &[Suspect],
        deadline: Deadline,
    ) -> Result<(), CheckError> {
        self.watch_until(deadline);
        for (test, executed) in suspects {
            let is_open = |change: &usize| !self.is_shown(*change);
            let open: Vec<usize> = executed.iter().copied().filter(is_open).collect();
            if open.is_empty() || self.watched.contains(test) {
                continue;
            }
            if deadline.is_over() {
                break;
            }
            self.phase("looking for memory errors");
            self.watched.insert(Arc::clone(test));
            let difference = match in_time(self.means.watch.look(test)) {
                Ok(found) => found.flatten(),
                Err(trouble) => {
                    return self
                        .folder
                        .log(&format!("memory could not be watched: failed to {trouble}"));
                }
            };
            if let Some(difference) = difference {
                self.memory_error(test, open, &difference)?;
            }
        }
        Ok(())
    }

    /// Takes note of a test on which one version seems to have a memory error that the other has not.
    fn memory_error(
        &mut self,
        test: &TestCase,
        open: Vec<usize>,
        difference: &Difference,
    ) -> Result<(), CheckError> {
        if let Some(known) = self.known.get(&cause(&open, difference)) {
            self.findings[*known].others += 1;
            return Ok(());
        }
        // Where another change is seen, nothing says whose error it is.
        if self.confirmer.look(test)?.difference.is_some() {
            return Ok(());
        }
        let Some(difference) = self.means.watch.confirm(test)? else { return Ok(()) };
        let place = self.add(test, difference.clone(), Credit::guess(open))?;
        if let Some((case, found)) = self.means.watch.shrink(test, &difference)? {
            self.folder.add(&self.findings[place].id.clone(), &case, &found)?;
            let finding = &mut self.findings[place];
            (finding.case, finding.difference) = (case, found);
        }
        self.write()
    }
}
