//! Which instances of two runs correspond.
//!
//! The index of an instance is the decision or call that had it executed, its instruction, and how
//! many of the same came before it there. Two instances correspond if their instructions do and their
//! decisions or calls do, and so on up to the start of the program. Decisions that only one version
//! can make are looked through: what an added condition guards is still the same statement.

use std::collections::HashMap;

use parallax_change::Matching;
use parallax_program::{Opcode, SiteId};

use crate::{
    code::Code,
    run::{Run, StepId},
};

/// Which instances of an old and a new run correspond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    old_of: Vec<Option<StepId>>,
    new_of: Vec<Option<StepId>>,
}

/// What an instance happened under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Region {
    /// The start of what was recorded.
    Start,
    /// A decision or call.
    Under(StepId),
}

impl Alignment {
    /// Aligns two runs.
    pub fn new(old: (&Code<'_>, &Run), new: (&Code<'_>, &Run), matching: &Matching) -> Alignment {
        let has_new = |site| matching.new_site(site).is_some();
        let has_old = |site| matching.old_site(site).is_some();
        let mut places = HashMap::new();
        let mut counts = Counts::default();
        for step in old.1.ids() {
            let region = region(old, step, &has_new);
            let site = old.1.at(step).site;
            places.insert((region, site, counts.next(region, site)), step);
        }
        let mut alignment = Alignment {
            old_of: vec![None; new.1.steps.len()],
            new_of: vec![None; old.1.steps.len()],
        };
        let mut counts = Counts::default();
        for step in new.1.ids() {
            let region = region(new, step, &has_old);
            let site = new.1.at(step).site;
            let count = counts.next(region, site);
            let region = match region {
                Region::Start => Some(Region::Start),
                Region::Under(above) => alignment.old_of(above).map(Region::Under),
            };
            let partner = region.zip(matching.old_site(site));
            let partner = partner.and_then(|(region, site)| places.get(&(region, site, count)));
            if let Some(partner) = partner {
                alignment.old_of[step.0 as usize] = Some(*partner);
                alignment.new_of[partner.0 as usize] = Some(step);
            }
        }
        alignment
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

/// How many instances of an instruction there were under something.
#[derive(Default)]
struct Counts(HashMap<(Region, SiteId), u32>);

impl Counts {
    fn next(&mut self, region: Region, site: SiteId) -> u32 {
        let count = self.0.entry((region, site)).or_default();
        *count += 1;
        *count
    }
}

/// What an instance happened under, decisions that the other version cannot make left out.
pub(crate) fn region(
    (code, run): (&Code<'_>, &Run),
    step: StepId,
    is_known: &dyn Fn(SiteId) -> bool,
) -> Region {
    let mut above = run.at(step).control;
    while let Some(decision) = above {
        let site = run.at(decision).site;
        let is_call = code.instruction(site).is_some_and(|it| it.opcode == Opcode::Call);
        if is_call || is_known(site) {
            return Region::Under(decision);
        }
        above = run.at(decision).control;
    }
    Region::Start
}
