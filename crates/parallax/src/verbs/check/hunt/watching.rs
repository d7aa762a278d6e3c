//! When the search is over: tests that execute changes and look the same may still differ in what they do to
//! memory.

use std::time::Instant;

use parallax_search::Suspect;

use super::{Hunt, cause};

impl Hunt<'_> {
    /// Looks for memory errors of one version only, of changes of which no difference was seen.
    pub(super) fn watch_memory(
        &mut self,
        suspects: &[Suspect],
        has_time: &dyn Fn(Instant) -> bool,
    ) -> anyhow::Result<()> {
        let start = Instant::now();
        for (test, executed) in suspects {
            let is_open = |change: &usize| !self.has_seen(&[*change]);
            let open: Vec<usize> = executed.iter().copied().filter(is_open).collect();
            if open.is_empty() {
                continue;
            }
            if !has_time(start) {
                break;
            }
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
