//! Excerpts of long runs.
//!
//! A run that fits is recorded as a whole. In one that does not, two parts say nothing about the
//! changes: the part before the first executed change, which both versions do alike, and the values
//! of instructions that no change can affect. Without them, a run is recorded until the records are
//! full.

use parallax_abi::Counter;
use parallax_program::{Program, SiteId, graph::Bits};
use parallax_run::{Limits, Observation, TestCase, lab::Lab, trace::Excerpt};

use super::{Recorded, RecordingProgram, no_recording};
use crate::{CheckError, study::Study};

/// The mode of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// All records, until they are full.
    Whole,
    /// The number of the first record of each place.
    Survey,
    /// Values that a change may affect, from this record on.
    From(u64),
}

impl Recorded<'_> {
    /// Makes one run, and checks that it left a trace.
    pub(super) fn record(
        &mut self,
        how: How,
        test: &TestCase,
        lab: &mut Lab,
        limits: &Limits,
    ) -> Result<Observation, CheckError> {
        let excerpt = match how {
            How::Whole | How::Survey => Excerpt::default(),
            How::From(from) => Excerpt { from, ..self.unaffected() },
        };
        let Some(RecordingProgram { subject, memory, is_excerpt, executed, .. }) =
            &mut self.recording
        else {
            return Err(no_recording());
        };
        *is_excerpt = how != How::Whole && excerpt != Excerpt::default();
        if how == How::Whole {
            executed.clear();
        }
        let seen = match how {
            How::Survey => lab.survey(subject, test, limits, memory),
            How::Whole | How::From(_) => lab.record(subject, test, limits, (memory, &excerpt)),
        };
        let seen = seen?;
        if !memory.trace().attached() {
            let said = String::from_utf8_lossy(&seen.stderr.bytes);
            return Err(CheckError::failed(format!("record the program: {said}")));
        }
        Ok(seen)
    }

    /// Whether the last run was too long to be recorded to its end.
    pub(super) fn is_cut(&self) -> bool {
        let counter = |it: &RecordingProgram| it.memory.trace().counter(Counter::EventLimit);
        self.recording.as_ref().is_some_and(|it| counter(it) > 0)
    }

    /// The number of the first record of a changed block, by a survey. Adds all changes that were
    /// executed.
    pub(super) fn first_change(&mut self) -> Option<u64> {
        let RecordingProgram { sites, memory, executed, .. } = self.recording.as_mut()?;
        let trace = memory.trace();
        let firsts = (0..).zip(sites).filter_map(|(slot, site)| {
            let first = trace.first_record(slot).checked_sub(1)?;
            let changes = self.code.changes_around(site.as_ref().copied()?);
            executed.extend(changes);
            (!changes.is_empty()).then_some(first)
        });
        firsts.min()
    }

    /// Leaves out records that say nothing about the changes.
    fn unaffected(&self) -> Excerpt {
        let mut excerpt = Excerpt::default();
        let (Some(affected), Some(recording)) = (&self.affected, &self.recording) else {
            return excerpt;
        };
        let needed = self.code.needed(affected);
        for (slot, site) in recording.sites.iter().enumerate() {
            if site.is_some_and(|site| !needed.contains(site.0 as usize)) {
                excerpt.leave_out(slot);
            }
        }
        excerpt
    }
}

/// The instructions of the old and of the new version that a change may affect; `None` if there was no time to
/// find them all.
pub(super) fn affected(study: &Study<'_>) -> [Option<Bits>; 2] {
    if study.is_cut() {
        return [None, None];
    }
    let matching = &study.changes.matching;
    let changes = || study.changes.changes.iter();
    let mut new = Bits::default();
    study.impacts.iter().for_each(|impact| new.add_all(&impact.affected.sites));
    let replaced = changes().flat_map(|change| &change.old_sites);
    let replaced = replaced.filter_map(|site| matching.new_site(*site));
    let changed = changes().flat_map(|change| &change.new_sites).copied();
    let added = sites(&study.new.program).filter(|site| matching.old_site(*site).is_none());
    for site in changed.chain(replaced).chain(added) {
        new.insert(site.0 as usize);
    }
    let mut old = Bits::default();
    for site in sites(&study.old.program) {
        if matching.new_site(site).is_none_or(|counterpart| new.contains(counterpart.0 as usize)) {
            old.insert(site.0 as usize);
        }
    }
    [Some(old), Some(new)]
}

fn sites(program: &Program) -> impl Iterator<Item = SiteId> {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).map(|instruction| instruction.site)
}
