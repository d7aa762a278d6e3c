//! All that one change can do, before anything is run.

use std::sync::Arc;

use parallax_program::{
    SiteId, Version,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::NodeId,
};

use super::{Definitions, Distances, Relevance};
use crate::{Change, Matching};

/// What a change can do in the new version.
pub struct Impact {
    /// What depends on it.
    pub affected: Slice,
    /// How far branches are from it.
    pub distances: Distances,
    /// The same, also through what gives branches their values, if there is time to find that.
    pub distances_through_values: Distances,
    /// Which branches have to do with it.
    pub relevance: Relevance,
}

/// What has depended on the old code of a change: it misses what does not happen any more.
#[derive(Clone)]
pub struct Before {
    direct: Arc<[SiteId]>,
    all: Arc<[SiteId]>,
    /// Whether there was no time to follow all that has depended on it.
    cut: bool,
    /// Instructions of the old version that show something and that the new one does not have.
    pub gone_outputs: Arc<[SiteId]>,
}

impl Before {
    /// What has depended on a change, by what depends on what in the old version.
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

    /// The same of any change, when no time is left to follow it: all there is.
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
    /// What a change can do in the new version, by what depends on what there, what gives branches their values, and
    /// what it diverts.
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

/// The instructions of the new version at which a change is; of a deletion, where it would be.
pub fn sites(change: &Change) -> Vec<SiteId> {
    match change.new_sites.is_empty() {
        true => change.site.into_iter().collect(),
        false => change.new_sites.clone(),
    }
}

fn places(version: &Version, change: &Change) -> Vec<NodeId> {
    sites(change).iter().filter_map(|site| version.whole.node_at(*site)).collect()
}

/// What depends on the new code, what has depended on the old code, and what depends on where control
/// goes now.
fn affected(
    dependence: &Dependence<'_>,
    before: &Before,
    diverted: &[SiteId],
    change: &Change,
) -> Slice {
    // New code of other changes may use what those who have used the old code compute now.
    let mut from = change.new_sites.clone();
    from.extend(before.direct.iter());
    let mut affected = dependence.dependents(&from, diverted);
    affected.cut |= before.cut;
    for site in before.all.iter() {
        affected.sites.insert(site.0 as usize);
    }
    affected
}
