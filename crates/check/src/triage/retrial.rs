//! Confirms findings again that few runs confirmed, once runs vary.
//!
//! Runs of a program that looked stable say nothing about noise. When a later run varies, a finding
//! needs as many runs as its number among all candidates asks for (`Experience::next`), and earlier
//! findings are no exception: otherwise the chance of a false finding in a whole command would be
//! that of the few runs.

use std::sync::Arc;

use parallax_compare::{Aspect, Difference};

use super::Triage;
use crate::{CheckError, error::in_time};

impl Triage<'_> {
    /// Notes that a finding is confirmed by few runs, if none has varied so far.
    pub(super) fn trust(&mut self, id: &str, difference: &Difference) {
        // Memory errors do not depend on variation.
        let is_plain = !difference.differs_in.contains(&Aspect::Memory);
        if is_plain && !self.confirmer.has_varied() {
            self.trusted.insert(id.to_owned());
        }
    }

    /// Confirms findings again that few runs confirmed, if runs have varied since.
    pub(super) fn retry(&mut self) -> Result<(), CheckError> {
        if !self.confirmer.has_varied() {
            return Ok(());
        }
        while let Some(id) = self.trusted.pop_first() {
            if let Some(place) = self.findings.iter().position(|finding| finding.id == id) {
                self.retry_one(place)?;
            }
        }
        Ok(())
    }

    fn retry_one(&mut self, place: usize) -> Result<(), CheckError> {
        self.phase("testing a finding again, as runs vary");
        let (id, case) = (self.findings[place].id.clone(), self.findings[place].case.clone());
        self.confirmer.set_deadline(self.plan.end());
        match in_time(self.confirmer.confirm(&case))? {
            Some(Some(difference)) => {
                self.folder.log(&format!("{id} was confirmed by more runs, as runs vary"))?;
                self.folder.add(&id, &case, &difference)?;
                let finding = &mut self.findings[place];
                finding.differs_in = super::aspects(&difference);
                finding.difference = difference;
                self.write()
            }
            Some(None) => {
                self.folder.log(&format!("{id} is noise, as more runs have shown"))?;
                self.take_back(place)?;
                self.unconfirmed += 1;
                self.write()
            }
            None => {
                self.folder.log(&format!("{id} was confirmed by few runs, and runs vary"))?;
                let changes = self.take_back(place)?;
                self.leave(&case, &changes)?;
                self.write()
            }
        }
    }

    /// Takes back a finding, so that the search goes on for its changes, and returns these.
    fn take_back(&mut self, place: usize) -> Result<Vec<usize>, CheckError> {
        let changes = self.changes_of(&self.findings[place]);
        self.remove(place)?;
        let open: Vec<usize> = changes.iter().copied().filter(|it| !self.is_shown(*it)).collect();
        Arc::make_mut(&mut self.learnt).done.retain(|change| !open.contains(change));
        Ok(changes)
    }
}
