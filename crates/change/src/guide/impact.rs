//! The possible effects of one change, computed statically.

use std::sync::Arc;

use parallax_program::{
    SiteId, Version,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::NodeId,
};

use super::{Definitions, Distances, Relevance};
use crate::{Change, Matching};

/// The possible effects of a change in the new version.
pub struct Impact {
    /// The instructions that depend on it.
    pub affected: Slice,
    /// The distances of branches to it.
    pub distances: Distances,
    /// The same with definitions of branch values as steps, if there is time to compute that.
    pub distances_through_values: Distances,
    /// The branches that are relevant to it.
    pub relevance: Relevance,
}

/// The instructions that depended on the old code of a change, and miss its effect now.
#[derive(Clone)]
pub struct Before {
    direct: Arc<[SiteId]>,
    all: Arc<[SiteId]>,
    /// Whether the deadline cut the slice short.
    cut: bool,
    /// Output instructions of the old version that the new one does not have.
    pub gone_outputs: Arc<[SiteId]>,
}

impl Before {
    /// The dependents of a change in the old version, by its dependences.
    pub fn of(old: &Dependence<'_>, matching: &Matching, change: &Change) -> Before {
        let mut cut = false;
        let mut slice = |extent| -> Vec<SiteId> {
            let slice = old.slice(&change.old_sites, Follow::Dependents, extent);
            cut |= slice.cut;
            slice.sites.iter().map(|site| SiteId(site as u32)).collect()
        };
        let (all, direct) = (slice(Extent::All), slice(Extent::Direct));
        Before { cut, ..Before::from(old, matching, (&direct, &all)) }
    }

    /// The same for any change when the deadline is over: all instructions.
    pub fn of_any(old: &Dependence<'_>, matching: &Matching) -> Before {
        let all = old.everything();
        Before { cut: true, ..Before::from(old, matching, (&all, &all)) }
    }

    fn from(
        old: &Dependence<'_>,
        matching: &Matching,
        (direct, all): (&[SiteId], &[SiteId]),
    ) -> Before {
        let counterparts = |sites: &[SiteId]| -> Arc<[SiteId]> {
            sites.iter().filter_map(|site| matching.new_site(*site)).collect()
        };
        let outputs = old.outputs();
        let is_gone = |site: &&SiteId| {
            outputs.contains(site.0 as usize) && matching.new_site(**site).is_none()
        };
        Before {
            direct: counterparts(direct),
            all: counterparts(all),
            cut: false,
            gone_outputs: all.iter().filter(is_gone).copied().collect(),
        }
    }
}

impl Impact {
    /// The effects of a change in the new version, by its dependences, the definitions of branch
    /// values, and the diverted code.
    pub fn of(
        version: &Version,
        (dependence, definitions): (&Dependence<'_>, &Definitions<'_>),
        before: &Before,
        diverted: &[SiteId],
        change: &Change,
    ) -> Impact {
        let places = places(version, change);
        let whole = &version.whole;
        let distances = Distances::to(whole, &places);
        let through_values = match dependence.is_late() {
            true => distances.clone(),
            false => Distances::through_values(whole, definitions, &places),
        };
        Impact {
            affected: affected(dependence, before, diverted, change),
            distances,
            distances_through_values: through_values,
            relevance: Relevance::of(whole, &places),
        }
    }
}

/// The instructions of the new version at a change; of a deletion, where it would be.
pub fn sites(change: &Change) -> Vec<SiteId> {
    match change.new_sites.is_empty() {
        true => change.site.into_iter().collect(),
        false => change.new_sites.clone(),
    }
}

fn places(version: &Version, change: &Change) -> Vec<NodeId> {
    sites(change).iter().filter_map(|site| version.whole.node_at(*site)).collect()
}

/// The dependents of the new code, of the old code, and of the diverted control flow.
fn affected(
    dependence: &Dependence<'_>,
    before: &Before,
    diverted: &[SiteId],
    change: &Change,
) -> Slice {
    // New code of other changes may use values computed by dependents of the old code.
    let mut from = change.new_sites.clone();
    from.extend(before.direct.iter());
    let mut affected = dependence.dependents(&from, diverted);
    affected.cut |= before.cut;
    for site in before.all.iter() {
        affected.sites.insert(site.0 as usize);
    }
    affected
}
