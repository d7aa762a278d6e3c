//! When the search is over, or takes long: tests of changes of which no difference was seen may still differ in what they do
//! to memory, or tell where the effects have ended.

use std::{sync::Arc, time::Instant};

use parallax_report::check::Verdict;
use parallax_search::Suspect;

use super::{Hunt, cause};
use crate::verbs::check::pursuit::{Leads, pursue};

impl Hunt<'_> {
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
    pub(super) fn follow(
        &mut self,
        leads: &Leads,
        has_time: &dyn Fn(Instant) -> bool,
    ) -> anyhow::Result<()> {
        if !self.open().is_empty() {
            // Whatever comes of it, the rest is there.
            self.folder.write(&self.result())?;
            self.watch_memory(&leads.suspects, has_time)?;
        }
        let open = self.open();
        if open.is_empty() {
            return Ok(());
        }
        let both = (self.follower.as_mut(), &mut self.confirmer);
        let pursued = pursue(&open, leads, both, has_time)?;
        self.fates.extend(pursued.fates);
        if let Some(trouble) = pursued.trouble {
            self.folder.log(&format!("effects could not be followed: {trouble}"))?;
        }
        pursued.shown.iter().try_for_each(|(test, changes)| self.difference(test, changes))
    }

    /// Looks for memory errors of one version only, of changes of which no difference was seen.
    pub(super) fn watch_memory(
        &mut self,
        suspects: &[Suspect],
        has_time: &dyn Fn(Instant) -> bool,
    ) -> anyhow::Result<()> {
        let start = Instant::now();
        for (test, executed) in suspects {
            let is_open = |change: &usize| !self.is_shown(*change);
            let open: Vec<usize> = executed.iter().copied().filter(is_open).collect();
            if open.is_empty() || self.watched.contains(test) {
                continue;
            }
            if !has_time(start) {
                break;
            }
            self.watched.insert(Arc::clone(test));
            let difference = match self.watch.look(test) {
                Ok(Some(difference)) => difference,
                Ok(None) => continue,
                Err(trouble) => {
                    return self.folder.log(&format!("memory could not be watched: {trouble:#}"));
                }
            };
            if let Some(known) = self.known.get(&cause(&open, &difference)) {
                self.findings[*known].others += 1;
                continue;
            }
            // Where another change is seen, nobody can tell whose error it is.
            if self.confirmer.look(test)?.difference.is_some() {
                continue;
            }
            let Some((case, difference)) = self.watch.shrink(test, &difference)? else { continue };
            let id = self.next_id();
            let test = self.folder.add(&id, &case, &difference)?;
            let names = self.names(&open);
            self.folder.log(&format!("found {id}: memory differs, of {names}"))?;
            self.push(id, test, &open, (case, difference), 0);
        }
        Ok(())
    }
}
