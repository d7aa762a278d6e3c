//! All that one change can do, before anything is run.

use parallax_program::{
    SiteId, Version,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::NodeId,
};

use super::{Distances, Relevance};
use crate::{Change, Matching};

/// What a change can do in the new version.
pub struct Impact {
    /// What depends on it.
    pub affected: Slice,
    /// How far branches are from it.
    pub distances: Distances,
    /// Which branches have to do with it.
    pub relevance: Relevance,
}

/// A version and what depends on what in it.
pub struct Asked<'v> {
    /// The version.
    pub version: &'v Version,
    /// What depends on what.
    pub dependence: Dependence<'v>,
}

impl<'v> Asked<'v> {
    /// Makes a version ready for questions.
    pub fn new(version: &'v Version) -> Asked<'v> {
        Asked { version, dependence: version.dependence() }
    }
}

impl Impact {
    /// What a change can do.
    pub fn of(old: &Asked<'_>, new: &Asked<'_>, matching: &Matching, change: &Change) -> Impact {
        let places = places(new.version, change);
        let whole = &new.version.whole;
        Impact {
            affected: affected(old, new, matching, change),
            distances: Distances::to(whole, &places),
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

/// What depends on the new code, and what has depended on the old code: it misses what does not happen
/// any more.
fn affected(old: &Asked<'_>, new: &Asked<'_>, matching: &Matching, change: &Change) -> Slice {
    let partners = |slice: &Slice| -> Vec<SiteId> {
        let sites = slice.sites.iter().map(|site| SiteId(site as u32));
        sites.filter_map(|site| matching.new_site(site)).collect()
    };
    let before = |extent| old.dependence.slice(&change.old_sites, Follow::Dependents, extent);
    // New code of other changes may use what those who have used the old code compute now.
    let mut from = change.new_sites.clone();
    from.extend(partners(&before(Extent::Direct)));
    let mut affected = new.dependence.slice(&from, Follow::Dependents, Extent::All);
    for site in partners(&before(Extent::All)) {
        affected.sites.insert(site.0 as usize);
    }
    affected
}
