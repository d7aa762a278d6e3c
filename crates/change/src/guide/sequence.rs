//! The change sequence graph: in which order changes can be executed, where they can interact, and
//! which outputs can follow.
//!
//! After Algorithm 1 of Böhme, Oliveira and Roychoudhury ("Regression tests to expose change
//! interaction errors"), with a search from each node that stops at the next ones instead of its
//! recursion: it terminates on loops and recursive functions, and visits common parts of paths
//! once.

use std::collections::{BTreeMap, BTreeSet};

use parallax_program::{
    SiteId, StatementId, Statements,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::WholeFlow,
};

use super::walk::{Marks, Start};

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// A change, by its position.
    Change(usize),
    /// A statement at which several changes interact.
    Interaction(StatementId),
    /// A statement with a visible effect.
    Output(StatementId),
}

impl Stop {
    /// Whether a path ends at it.
    pub(super) fn ends_way(self) -> bool {
        !matches!(self, Stop::Output(_))
    }
}

/// In which order changes can be executed, and where they interact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSequenceGraph {
    /// The changes of each interaction.
    pub interactions: BTreeMap<StatementId, BTreeSet<usize>>,
    /// Successors without a change or an interaction in between, and interactions of each change.
    /// An output follows the nodes it depends on, without another such node in between.
    pub edges: BTreeSet<(Stop, Stop)>,
    /// The changes that can be executed before any other one.
    pub first: BTreeSet<usize>,
}

/// The analyses that the graph is made from.
pub struct Material<'m, 'p> {
    /// The control flow.
    pub whole: &'m WholeFlow,
    /// The dependences.
    pub dependence: &'m Dependence<'p>,
    /// The statements of the program.
    pub statements: &'m Statements,
    /// The instructions of each change.
    pub changes: &'m [Vec<SiteId>],
    /// The slice of each change.
    pub affected: &'m [Slice],
}

impl ChangeSequenceGraph {
    /// The graph of some changes.
    pub fn new(material: &Material<'_, '_>) -> ChangeSequenceGraph {
        let is_asked = material.changes.len() > 1 && !material.dependence.is_late();
        let mut interactions = if is_asked { interactions(material) } else { Reasons::new() };
        // Interactions are for the reader: half of the result would only be wrong.
        if material.dependence.is_late() {
            interactions.clear();
        }
        let stops = stops(material, &interactions);
        let mut edges = orders(material, &stops);
        edges.extend(shown(material, &stops, &interactions));
        for (statement, changes) in &interactions {
            let meeting = Stop::Interaction(*statement);
            edges.extend(changes.iter().map(|change| (Stop::Change(*change), meeting)));
        }
        ChangeSequenceGraph { interactions, edges, first: clear(material) }
    }
}

/// A node of the graph, with its instructions.
type Place = (Stop, Vec<SiteId>);

/// The changes and interactions that can follow each other.
fn orders(material: &Material<'_, '_>, stops: &[Place]) -> BTreeSet<(Stop, Stop)> {
    let marks = Marks::new(material.whole, stops);
    let mut edges = BTreeSet::new();
    for (stop, sites) in stops {
        for site in sites {
            let next = marks.next(Start::After(*site, *stop));
            edges.extend(next.into_iter().map(|next| (*stop, next)));
        }
    }
    edges
}

/// The outputs of each change and each interaction. A node that an output does not depend on does
/// not come between it and its sources.
fn shown(
    material: &Material<'_, '_>,
    stops: &[Place],
    interactions: &Reasons,
) -> BTreeSet<(Stop, Stop)> {
    let mut edges = BTreeSet::new();
    for (reasons, outputs) in outputs(material, interactions) {
        let matters = |stop: &Stop| match stop {
            Stop::Change(change) => reasons.contains(change),
            Stop::Interaction(id) => interactions[id].is_subset(&reasons),
            Stop::Output(_) => false,
        };
        let from = stops.iter().filter(|(stop, _)| matters(stop)).cloned();
        let from: Vec<Place> = from.collect();
        let marks = Marks::new(material.whole, &[&from[..], &outputs[..]].concat());
        for (stop, sites) in &from {
            let next = marks.next(Start::AfterAny(sites, *stop)).into_iter();
            let next = next.filter(|next| matches!(next, Stop::Output(_)));
            edges.extend(next.map(|next| (*stop, next)));
        }
    }
    edges
}

/// The changes that a path from the entry reaches without another change.
fn clear(material: &Material<'_, '_>) -> BTreeSet<usize> {
    let changes = material.changes.iter().enumerate();
    let stops: Vec<_> =
        changes.map(|(index, sites)| (Stop::Change(index), sites.clone())).collect();
    let marks = Marks::new(material.whole, &stops);
    let first = marks.next(Start::Program);
    first
        .into_iter()
        .filter_map(|stop| match stop {
            Stop::Change(index) => Some(index),
            Stop::Interaction(_) | Stop::Output(_) => None,
        })
        .collect()
}

/// The changes and the interactions.
fn stops(material: &Material<'_, '_>, interactions: &Reasons) -> Vec<Place> {
    let changes = material.changes.iter().enumerate();
    let changes = changes.map(|(index, sites)| (Stop::Change(index), sites.clone()));
    let last =
        |statement: StatementId| vec![SiteId(material.statements.get(statement).sites.end - 1)];
    let meetings = interactions.keys();
    let meetings = meetings.map(|statement| (Stop::Interaction(*statement), last(*statement)));
    changes.chain(meetings).collect()
}

/// The outputs that depend on changes, by the set of these.
fn outputs(
    material: &Material<'_, '_>,
    interactions: &Reasons,
) -> BTreeMap<BTreeSet<usize>, Vec<Place>> {
    let changed = changed_statements(material);
    let mut outputs: BTreeMap<_, Vec<Place>> = BTreeMap::new();
    for site in material.dependence.outputs().iter().map(|site| SiteId(site as u32)) {
        let Some(statement) = material.statements.of(site) else { continue };
        let reasons = changes_of(material, site);
        // An output that depends on no change is the same in both versions.
        let is_known = changed.contains(&statement) || interactions.contains_key(&statement);
        if !reasons.is_empty() && !is_known {
            outputs.entry(reasons).or_default().push((Stop::Output(statement), vec![site]));
        }
    }
    outputs
}

/// The statements with changed code. The statement behind a deletion is none.
fn changed_statements(material: &Material<'_, '_>) -> BTreeSet<StatementId> {
    let changes = material.changes.iter().zip(material.affected);
    let own = changes.flat_map(|(sites, slice)| sites.iter().filter(|site| slice.contains(**site)));
    own.filter_map(|site| material.statements.of(*site)).collect()
}

/// The changes that each statement depends on.
type Reasons = BTreeMap<StatementId, BTreeSet<usize>>;

/// The statements at which changes interact first. A change can also interact with another change:
/// the code of one depends on the other.
fn interactions(material: &Material<'_, '_>) -> Reasons {
    let mut reasons = Reasons::new();
    for (change, slice) in material.affected.iter().enumerate() {
        let sites = slice.sites.iter().map(|site| SiteId(site as u32));
        for statement in sites.filter_map(|site| material.statements.of(site)) {
            reasons.entry(statement).or_default().insert(change);
        }
    }
    let meets = |id: &StatementId| {
        let is_silent = material.statements.get(*id).is_silent;
        reasons.get(id).is_some_and(|met| met.len() > 1) && !is_silent
    };
    let entries: Vec<_> = entries(material, &reasons).into_iter().filter(meets).collect();
    let takes_over = |id: &StatementId, (source, site): &(StatementId, SiteId)| {
        meets(source) && reasons.get(id) == Some(&changes_of(material, *site))
    };
    let first = entries.iter().filter(|id| {
        let own = material.statements.get(**id).sites();
        let sources = neighbours(material, **id, own, Follow::Sources);
        !sources.iter().any(|source| takes_over(id, source))
    });
    let mut first: BTreeSet<_> = first.copied().collect();
    // In a loop all statements depend on each other: then the first changed one in it represents
    // them, or else the first of the code.
    let changed = changed_statements(material);
    let mut candidates = entries.clone();
    candidates.sort_by_key(|id| (!changed.contains(id), *id));
    for id in &candidates {
        if !first.iter().any(|other| reasons.get(other) == reasons.get(id)) {
            first.insert(*id);
        }
    }
    first.into_iter().filter_map(|id| Some((id, reasons.remove(&id)?))).collect()
}

/// The changed statements, and those that depend directly on a statement with another set of
/// changes, or on one where changes cannot interact. Statements with the most frequent set that
/// depend on such a one are left out: there are far too many to check each.
fn entries(material: &Material<'_, '_>, reasons: &Reasons) -> BTreeSet<StatementId> {
    let changed = changed_statements(material);
    let mut counts: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
    for met in reasons.values() {
        *counts.entry(met).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, count)| **count).map(|(met, _)| (*met).clone());
    let is_silent = |id: &StatementId| material.statements.get(*id).is_silent;
    let is_special = |id: &StatementId, met: &BTreeSet<usize>| {
        met.len() == 1 || most.as_ref() != Some(met) || changed.contains(id) || is_silent(id)
    };
    let special = reasons.iter().filter(|(id, met)| is_special(id, met));
    let mut entries = changed.clone();
    for (id, met) in special {
        let affected = material.affected.iter();
        let affected = |site: &SiteId| affected.clone().any(|slice| slice.contains(*site));
        let own = material.statements.get(*id).sites().filter(affected);
        let dependents = neighbours(material, *id, own, Follow::Dependents).into_iter();
        let dependents = dependents.map(|(other, _)| other);
        entries.extend(dependents.filter(|other| reasons.get(other) != Some(met) || is_silent(id)));
    }
    entries
}

/// The changes that an instruction depends on.
fn changes_of(material: &Material<'_, '_>, site: SiteId) -> BTreeSet<usize> {
    let slices = material.affected.iter().enumerate();
    slices.filter(|(_, slice)| slice.contains(site)).map(|(change, _)| change).collect()
}

/// The direct dependences between some instructions of a statement and other statements, with the
/// instruction of each: the alloca of a variable is part of a statement, too.
fn neighbours(
    material: &Material<'_, '_>,
    id: StatementId,
    own: impl Iterator<Item = SiteId>,
    follow: Follow,
) -> BTreeSet<(StatementId, SiteId)> {
    if material.dependence.is_late() {
        return BTreeSet::new();
    }
    let own: Vec<_> = own.collect();
    let slice = material.dependence.slice(&own, follow, Extent::Direct);
    let sites = slice.sites.iter().map(|site| SiteId(site as u32));
    let others = sites.filter_map(|site| Some((material.statements.of(site)?, site)));
    others.filter(|(other, _)| *other != id).collect()
}
