//! The alignment of two runs: which of their instances correspond.
//!
//! The index of an instance is the decision or call that had it executed, its instruction, and its
//! number among the same instances there. Two instances correspond if their instructions do and
//! their decisions or calls do, and so on up to the start of the program. Decisions that only one
//! version can make are skipped: the statement that an added condition guards is still the same
//! one.

use parallax_change::Matching;
use parallax_deadline::{Deadline, OutOfTime, Pace};
use parallax_program::{Opcode, SiteId};
use rustc_hash::FxHashMap;

use crate::{
    code::Code,
    run::{Run, StepId},
};

/// The instances of an old and a new run that correspond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    old_of: Vec<Option<StepId>>,
    new_of: Vec<Option<StepId>>,
}

/// The decision or call that an instance happened under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Region {
    /// The start of what was recorded.
    Start,
    /// A decision or call.
    Under(StepId),
}

impl Alignment {
    /// Aligns two runs, whose regions are known, in time linear in their length.
    pub(crate) fn new(
        (old, old_regions): (&Run, &[Region]),
        (new, new_regions): (&Run, &[Region]),
        matching: &Matching,
        deadline: Deadline,
    ) -> Result<Alignment, OutOfTime> {
        let mut alignment =
            Alignment { old_of: vec![None; new.steps.len()], new_of: vec![None; old.steps.len()] };
        let mut pace = deadline.pace();
        let places = places(old, old_regions, &mut pace)?;
        let mut counts = Counts::default();
        for step in new.ids() {
            pace.step()?;
            let (region, site) = (new_regions[step.0 as usize], new.at(step).site);
            let count = counts.next(region, site);
            let region = match region {
                Region::Start => Some(Region::Start),
                Region::Under(above) => alignment.old_of(above).map(Region::Under),
            };
            let counterpart = region.zip(matching.old_site(site));
            let counterpart =
                counterpart.and_then(|(region, site)| places.get(&(region, site, count)));
            if let Some(counterpart) = counterpart {
                alignment.old_of[step.0 as usize] = Some(*counterpart);
                alignment.new_of[counterpart.0 as usize] = Some(step);
            }
        }
        Ok(alignment)
    }

    /// The counterpart of an instance of the new run.
    pub fn old_of(&self, new: StepId) -> Option<StepId> {
        self.old_of.get(new.0 as usize).copied().flatten()
    }

    /// The counterpart of an instance of the old run.
    pub fn new_of(&self, old: StepId) -> Option<StepId> {
        self.new_of.get(old.0 as usize).copied().flatten()
    }
}

/// The instances of a run by their index.
type Places = FxHashMap<(Region, SiteId, u32), StepId>;

/// The index of each instance of a run: its region, its instruction, and its number among those
/// there.
fn places(run: &Run, regions: &[Region], pace: &mut Pace) -> Result<Places, OutOfTime> {
    let mut counts = Counts::default();
    let mut places = Places::default();
    for step in run.ids() {
        pace.step()?;
        let (region, site) = (regions[step.0 as usize], run.at(step).site);
        places.insert((region, site, counts.next(region, site)), step);
    }
    Ok(places)
}

/// The number of instances of an instruction in a region.
#[derive(Default)]
struct Counts(FxHashMap<(Region, SiteId), u32>);

impl Counts {
    fn next(&mut self, region: Region, site: SiteId) -> u32 {
        let count = self.0.entry((region, site)).or_default();
        *count += 1;
        *count
    }
}

/// The region of each instance of a run; decisions that the other version cannot make are left out.
///
/// A loop that only one version has puts each of its rounds under the one before: the region of a
/// round is that of the round before, which is known by then.
pub(crate) fn regions(
    (code, run): (&Code<'_>, &Run),
    is_known: &dyn Fn(SiteId) -> bool,
) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        let region = match step.control {
            None => Region::Start,
            Some(above) => {
                let site = run.at(above).site;
                let is_call = code.instruction(site).is_some_and(|it| it.opcode == Opcode::Call);
                match is_call || is_known(site) {
                    true => Region::Under(above),
                    false => regions[above.0 as usize],
                }
            }
        };
        regions.push(region);
    }
    regions
}
