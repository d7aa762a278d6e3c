//! The work after the search, or midway in a long one: tests of changes without an observed
//! difference may show memory errors, or where the effects end.

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
    /// The executed changes without an observed difference, unless the versions are equivalent.
    pub(super) fn open(&self) -> Vec<usize> {
        let so_far = self.result();
        if so_far.verdict == Verdict::Equivalent {
            return Vec::new();
        }
        let changes = so_far.changes.iter().enumerate();
        let open = changes.filter(|(_, change)| change.reached && !change.propagated);
        open.map(|(number, _)| number).collect()
    }

    /// Follows executed changes without an observed difference.
    pub(super) fn follow(&mut self, leads: &Leads, deadline: Deadline) -> Result<(), CheckError> {
        if !self.open().is_empty() {
            // Whatever happens next, the result so far is written.
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

    /// Looks for memory errors of one version only, in tests of changes without an observed
    /// difference.
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
                        .log(&format!("AddressSanitizer could not be used: failed to {trouble}"));
                }
            };
            if let Some(difference) = difference {
                self.memory_error(test, open, &difference)?;
            }
        }
        Ok(())
    }

    /// Handles a test on which only one version seems to have a memory error.
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
        // If the test shows a difference anyway, the change with the error is unknown.
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
