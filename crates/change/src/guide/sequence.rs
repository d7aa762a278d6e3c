//! The change sequence graph: in which order changes can be executed, where they can meet, and which
//! outputs can follow.
//!
//! After Algorithm 1 of Böhme, Oliveira and Roychoudhury ("Regression tests to expose change
//! interaction errors"), with a search from each node that stops at the next ones instead of its
//! recursion: loops and recursive functions end it, and what two ways share is visited once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use parallax_program::{
    SiteId, StatementId, Statements,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::{Digraph, WholeFlow},
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
        let interactions = interactions(material);
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

/// The statements at which changes meet first.
fn interactions(material: &Material<'_, '_>) -> BTreeMap<StatementId, BTreeSet<usize>> {
    let mut meetings: BTreeMap<StatementId, BTreeSet<usize>> = BTreeMap::new();
    for (change, slice) in material.affected.iter().enumerate() {
        let sites = slice.sites.iter().map(|site| SiteId(site as u32));
        for statement in sites.filter_map(|site| material.statements.of(site)) {
            meetings.entry(statement).or_default().insert(change);
        }
    }
    let changed = changed_statements(material);
    meetings.retain(|statement, changes| {
        let is_silent = material.statements.get(*statement).is_silent;
        changes.len() > 1 && !is_silent && !changed.contains(statement)
    });
    let first = first_meetings(material, &meetings);
    meetings.retain(|statement, _| first.contains(statement));
    meetings
}

/// Those that do not just take over from another one at which the same changes meet. In a loop, all
/// take over from each other: then those count that something comes into the loop by.
fn first_meetings(
    material: &Material<'_, '_>,
    meetings: &BTreeMap<StatementId, BTreeSet<usize>>,
) -> BTreeSet<StatementId> {
    let ids: Vec<_> = meetings.keys().copied().collect();
    let index: HashMap<_, _> = ids.iter().copied().zip(0u32..).collect();
    let mut edges = Vec::new();
    let mut has_other_source = vec![false; ids.len()];
    for (to, id) in (0..).zip(&ids) {
        for source in sources(material, *id) {
            match index.get(&source) {
                Some(from) if meetings[&source] == meetings[id] => edges.push((*from, to)),
                _ => has_other_source[to as usize] |= depends_on_changes(material, source),
            }
        }
    }
    let graph = Digraph::new(ids.len(), &edges);
    let components = graph.components();
    let mut takes_over = vec![false; ids.len()];
    for (from, to) in edges {
        let (from, to) = (components[from as usize], components[to as usize]);
        takes_over[to as usize] |= from != to;
    }
    let is_first = |at: &usize| !takes_over[components[*at] as usize];
    let alone =
        |at: usize| components.iter().filter(|other| **other == components[at]).count() == 1;
    let first = (0..ids.len()).filter(is_first);
    first.filter(|at| has_other_source[*at] || alone(*at)).map(|at| ids[at]).collect()
}

/// The other statements that a statement depends on without another one between them.
fn sources(material: &Material<'_, '_>, id: StatementId) -> BTreeSet<StatementId> {
    let sites: Vec<_> = material.statements.get(id).sites().collect();
    let slice = material.dependence.slice(&sites, Follow::Sources, Extent::Direct);
    let sites = slice.sites.iter().map(|site| SiteId(site as u32));
    sites.filter_map(|site| material.statements.of(site)).filter(|source| *source != id).collect()
}

fn depends_on_changes(material: &Material<'_, '_>, id: StatementId) -> bool {
    let mut sites = material.statements.get(id).sites();
    sites.any(|site| material.affected.iter().any(|slice| slice.contains(site)))
}
