//! The change sequence graph: in which order changes can be executed, where they can meet, and which
//! outputs can follow.
//!
//! After Algorithm 1 of Böhme, Oliveira and Roychoudhury ("Regression tests to expose change
//! interaction errors"), with a search from each node that stops at the next ones instead of its
//! recursion: loops and recursive functions end it, and what two ways share is visited once.

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
    /// A statement at which several changes meet.
    Interaction(StatementId),
    /// A statement whose effect can be seen.
    Output(StatementId),
}

impl Stop {
    /// Whether what comes behind it follows it instead of what was before.
    pub(super) fn ends_way(self) -> bool {
        !matches!(self, Stop::Output(_))
    }
}

/// In which order changes can be executed, and where they meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSequenceGraph {
    /// The changes that meet at each interaction.
    pub interactions: BTreeMap<StatementId, BTreeSet<usize>>,
    /// What can follow what, with no change and no meeting in between, or what a change flows into.
    /// An output follows what it depends on, with nothing else that it depends on in between.
    pub edges: BTreeSet<(Stop, Stop)>,
    /// The changes that can be executed before any other one.
    pub first: BTreeSet<usize>,
}

/// What the graph is made from.
pub struct Material<'m, 'p> {
    /// What can follow what.
    pub whole: &'m WholeFlow,
    /// What depends on what.
    pub dependence: &'m Dependence<'p>,
    /// The statements of the program.
    pub statements: &'m Statements,
    /// Where each change is.
    pub changes: &'m [Vec<SiteId>],
    /// What depends on each change.
    pub affected: &'m [Slice],
}

impl ChangeSequenceGraph {
    /// The graph of some changes.
    pub fn new(material: &Material<'_, '_>) -> ChangeSequenceGraph {
        let is_asked = material.changes.len() > 1 && !material.dependence.is_late();
        let mut interactions = if is_asked { interactions(material) } else { Reasons::new() };
        // Where changes meet is told for people: half of it would only be wrong.
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

/// A node of the graph, with where it is in the code.
type Place = (Stop, Vec<SiteId>);

/// Which changes and meetings can follow each other.
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

/// The outputs that each change and each meeting can be seen at. What an output does not depend on
/// does not come between it and what it depends on.
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

/// The changes that a way from the entry leads to on which there is no other change.
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

/// The changes and the meetings.
fn stops(material: &Material<'_, '_>, interactions: &Reasons) -> Vec<Place> {
    let changes = material.changes.iter().enumerate();
    let changes = changes.map(|(index, sites)| (Stop::Change(index), sites.clone()));
    let last =
        |statement: StatementId| vec![SiteId(material.statements.get(statement).sites.end - 1)];
    let meetings = interactions.keys();
    let meetings = meetings.map(|statement| (Stop::Interaction(*statement), last(*statement)));
    changes.chain(meetings).collect()
}

/// The outputs that depend on changes, by which ones these are.
fn outputs(
    material: &Material<'_, '_>,
    interactions: &Reasons,
) -> BTreeMap<BTreeSet<usize>, Vec<Place>> {
    let changed = changed_statements(material);
    let mut outputs: BTreeMap<_, Vec<Place>> = BTreeMap::new();
    for site in material.dependence.outputs().iter().map(|site| SiteId(site as u32)) {
        let Some(statement) = material.statements.of(site) else { continue };
        let reasons = changes_of(material, site);
        // What does not depend on any change looks the same in both versions.
        let is_known = changed.contains(&statement) || interactions.contains_key(&statement);
        if !reasons.is_empty() && !is_known {
            outputs.entry(reasons).or_default().push((Stop::Output(statement), vec![site]));
        }
    }
    outputs
}

/// The statements with changed code. That which a deletion is in front of is none.
fn changed_statements(material: &Material<'_, '_>) -> BTreeSet<StatementId> {
    let changes = material.changes.iter().zip(material.affected);
    let own = changes.flat_map(|(sites, slice)| sites.iter().filter(|site| slice.contains(**site)));
    own.filter_map(|site| material.statements.of(*site)).collect()
}

/// The changes that each statement depends on.
type Reasons = BTreeMap<StatementId, BTreeSet<usize>>;

/// The statements at which changes meet first. What a change flows into may be another change: the
/// code of a change depends on it.
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
    // In a loop all take over from each other: then the first change in it stands for them, or else
    // the first of the code.
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

/// The changed statements, and those that depend directly on one that depends on other changes than
/// they do, or that changes cannot meet at. Those that depend on the same changes as most statements do, and on one of these, are
/// none: there are far too many to look at each.
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

/// What other statements have to do with some instructions of one, with nothing between them. It is
/// told by which instruction: that of a variable's room is part of a statement, too.
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
