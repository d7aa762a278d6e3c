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

/// In which order changes can be executed, and where they meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSequenceGraph {
    /// The changes that meet at each interaction.
    pub interactions: BTreeMap<StatementId, BTreeSet<usize>>,
    /// What can follow what, with nothing of the graph in between, or what a change flows into.
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
        let interactions = match material.changes.len() {
            0 | 1 => Reasons::new(),
            _ => interactions(material),
        };
        let stops = stops(material, &interactions);
        let marks = Marks::new(material.whole, &stops);
        let mut graph = ChangeSequenceGraph { interactions, ..ChangeSequenceGraph::default() };
        for (stop, sites) in &stops {
            if matches!(stop, Stop::Output(_)) {
                continue;
            }
            for site in sites {
                let next = marks.next(Start::After(*site, *stop));
                graph.edges.extend(next.into_iter().map(|next| (*stop, next)));
            }
        }
        for (statement, changes) in &graph.interactions {
            let meeting = Stop::Interaction(*statement);
            graph.edges.extend(changes.iter().map(|change| (Stop::Change(*change), meeting)));
        }
        graph.first = clear(material);
        graph
    }
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

fn stops(
    material: &Material<'_, '_>,
    interactions: &BTreeMap<StatementId, BTreeSet<usize>>,
) -> Vec<(Stop, Vec<SiteId>)> {
    let changes = material.changes.iter().enumerate();
    let mut stops: Vec<_> =
        changes.map(|(index, sites)| (Stop::Change(index), sites.clone())).collect();
    let last =
        |statement: StatementId| vec![SiteId(material.statements.get(statement).sites.end - 1)];
    let meetings = interactions.keys();
    stops.extend(meetings.map(|statement| (Stop::Interaction(*statement), last(*statement))));
    let changed = changed_statements(material);
    let outputs = material.dependence.outputs();
    let outputs = outputs.iter().map(|site| SiteId(site as u32));
    for site in outputs {
        let Some(statement) = material.statements.of(site) else { continue };
        // What does not depend on any change looks the same in both versions.
        let matters = material.affected.iter().any(|slice| slice.contains(site));
        if matters && !changed.contains(&statement) && !interactions.contains_key(&statement) {
            stops.push((Stop::Output(statement), vec![site]));
        }
    }
    stops
}

fn changed_statements(material: &Material<'_, '_>) -> BTreeSet<StatementId> {
    let sites = material.changes.iter().flatten();
    sites.filter_map(|site| material.statements.of(*site)).collect()
}

/// The changes that each statement depends on.
type Reasons = BTreeMap<StatementId, BTreeSet<usize>>;

/// The statements at which changes meet first.
fn interactions(material: &Material<'_, '_>) -> Reasons {
    let mut reasons = Reasons::new();
    for (change, slice) in material.affected.iter().enumerate() {
        let sites = slice.sites.iter().map(|site| SiteId(site as u32));
        for statement in sites.filter_map(|site| material.statements.of(site)) {
            reasons.entry(statement).or_default().insert(change);
        }
    }
    let changed = changed_statements(material);
    let meets = |id: &StatementId| {
        let is_silent = material.statements.get(*id).is_silent;
        reasons.get(id).is_some_and(|met| met.len() > 1) && !is_silent && !changed.contains(id)
    };
    let entries: Vec<_> = entries(material, &reasons, &changed).into_iter().filter(meets).collect();
    let first = entries.iter().filter(|id| {
        let takes_over =
            |source: &StatementId| meets(source) && reasons.get(source) == reasons.get(id);
        !sources(material, **id).iter().any(takes_over)
    });
    let mut first: BTreeSet<_> = first.copied().collect();
    // In a loop all take over from each other: then the first of the code stands for them.
    for id in &entries {
        if !first.iter().any(|other| reasons.get(other) == reasons.get(id)) {
            first.insert(*id);
        }
    }
    first.into_iter().filter_map(|id| Some((id, reasons.remove(&id)?))).collect()
}

/// The statements that depend directly on one that depends on other changes than they do. Those that
/// depend on the same changes as most statements do, and on one of these, are none: there are far too
/// many to look at each.
fn entries(
    material: &Material<'_, '_>,
    reasons: &Reasons,
    changed: &BTreeSet<StatementId>,
) -> BTreeSet<StatementId> {
    let mut counts: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
    for met in reasons.values() {
        *counts.entry(met).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, count)| **count).map(|(met, _)| (*met).clone());
    let is_special = |id: &StatementId, met: &BTreeSet<usize>| {
        met.len() == 1 || most.as_ref() != Some(met) || changed.contains(id)
    };
    let special = reasons.iter().filter(|(id, met)| is_special(id, met));
    let mut entries = BTreeSet::new();
    for (id, met) in special {
        let dependents = neighbours(material, *id, Follow::Dependents).into_iter();
        entries.extend(
            dependents.filter(|other| reasons.get(other) != Some(met) || changed.contains(id)),
        );
    }
    entries
}

/// The other statements that a statement depends on without another one between them.
fn sources(material: &Material<'_, '_>, id: StatementId) -> BTreeSet<StatementId> {
    neighbours(material, id, Follow::Sources)
}

fn neighbours(
    material: &Material<'_, '_>,
    id: StatementId,
    follow: Follow,
) -> BTreeSet<StatementId> {
    let sites: Vec<_> = material.statements.get(id).sites().collect();
    let slice = material.dependence.slice(&sites, follow, Extent::Direct);
    let sites = slice.sites.iter().map(|site| SiteId(site as u32));
    sites.filter_map(|site| material.statements.of(site)).filter(|other| *other != id).collect()
}
