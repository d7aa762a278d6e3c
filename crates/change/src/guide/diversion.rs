//! Code that is executed or not because of diverging control flow, not because of computed values.
//!
//! A deleted `break` computes nothing, and no instruction uses it; but the rest of the loop is now
//! executed where it was not. So both versions of a function are overlaid as one graph, with common
//! code as one node. Where the versions leave common code for different places, the version decides
//! what comes next, as a branch would: everything depends on it up to where both ways join again.

use std::collections::{BTreeMap, HashMap, HashSet};

use parallax_program::{
    BlockId, Function, FunctionId, Opcode, SiteId, Version,
    graph::{Digraph, Dominators, Ending},
};

use crate::{Change, Changes};

/// The instructions of the new version, also in the old one, whose execution each change affects.
pub fn diverted(old: &Version, new: &Version, changes: &Changes) -> Vec<Vec<SiteId>> {
    let mut found: Vec<Vec<SiteId>> = vec![Vec::new(); changes.changes.len()];
    for (id, _) in new.program.defined() {
        let Some(partner) = changes.matching.old_function(id) else { continue };
        if old.program.at(partner).blocks.is_empty() {
            continue;
        }
        let here = |change: &Change| change.new_function == Some(id);
        let has_change = changes.changes.iter().any(here);
        if has_change || ends_otherwise(old, new, id, changes) {
            let both = Both::new((old, partner), (new, id), changes);
            both.divert(&changes.changes, &here, &mut found);
        }
    }
    for sites in &mut found {
        sites.sort_unstable();
        sites.dedup();
    }
    found
}

/// Whether a call in a function returns in one version only.
fn ends_otherwise(old: &Version, new: &Version, id: FunctionId, changes: &Changes) -> bool {
    let instructions = new.program.at(id).blocks.iter().flat_map(|block| &block.instructions);
    let mut calls = instructions.filter(|instruction| new.whole.calls.matters(instruction.site));
    calls.any(|call| {
        let partner = changes.matching.old_site(call.site);
        let ending = new.whole.calls.ending(call.site);
        partner.is_some_and(|partner| old.whole.calls.ending(partner) != ending)
    })
}

/// Both versions of a function as one graph.
struct Both<'v> {
    old: Side<'v>,
    new: Side<'v>,
    /// The instructions by their nodes, those that only the old version has last.
    sites: Vec<SiteId>,
    /// How many nodes are in the new version.
    shared: usize,
    /// Matched instructions, old and new.
    pairs: Vec<(SiteId, SiteId)>,
    after: Dominators,
}

/// A function of one version, and the nodes of its instructions.
struct Side<'v> {
    version: &'v Version,
    function: &'v Function,
    nodes: HashMap<SiteId, u32>,
    /// The block and the position of each instruction.
    places: HashMap<SiteId, (usize, usize)>,
}

/// The next instruction after another, and the jumps on the way.
#[derive(Clone, Default)]
struct Way {
    to: Option<SiteId>,
    jumps: Vec<SiteId>,
}

/// The ways out of an instruction by their values: a value of a `switch`, the truth of a condition.
/// The first one is for all other values.
type Ways = BTreeMap<Option<u64>, Way>;

/// The way of a call that does not return.
const ENDED: Option<u64> = Some(1);

impl<'v> Both<'v> {
    fn new(
        (old, x): (&'v Version, FunctionId),
        (new, y): (&'v Version, FunctionId),
        changes: &Changes,
    ) -> Both<'v> {
        let (mut old, mut new) = (Side::new(old, x), Side::new(new, y));
        let mut sites = new.instructions();
        new.nodes = (0..).zip(&sites).map(|(node, site)| (*site, node)).collect();
        let shared = sites.len();
        let mut pairs = Vec::new();
        for site in old.instructions() {
            let partner = changes.matching.new_site(site);
            let node = partner.and_then(|partner| Some((partner, *new.nodes.get(&partner)?)));
            if let Some((partner, node)) = node {
                pairs.push((site, partner));
                old.nodes.insert(site, node);
            } else {
                old.nodes.insert(site, sites.len() as u32);
                sites.push(site);
            }
        }
        let after = meetings(&[&old, &new], sites.len());
        Both { old, new, sites, shared, pairs, after }
    }

    /// Adds the diverted code of each change.
    fn divert(
        &self,
        changes: &[Change],
        here: &dyn Fn(&Change) -> bool,
        found: &mut [Vec<SiteId>],
    ) {
        let entries = [(None, self.old.entry(), self.new.entry())].into_iter();
        let pairs = self.pairs.iter().flat_map(|&(x, y)| {
            let (olds, news) = (self.old.ways(x), self.new.ways(y));
            let values: HashSet<_> = olds.keys().chain(news.keys()).copied().collect();
            let ways = values
                .into_iter()
                .map(move |value| (Some((x, y)), pick(&olds, value), pick(&news, value)));
            ways.collect::<Vec<_>>()
        });
        for (from, old, new) in entries.chain(pairs) {
            let (left, right) = (self.old.node(old.to), self.new.node(new.to));
            let exit = self.sites.len() as u32;
            let (left, right) = (left.unwrap_or(exit), right.unwrap_or(exit));
            if left == right {
                continue;
            }
            let decided = self.up_to_meeting(left, right);
            for number in blamed(changes, here, from, &old, &new) {
                found[number].extend(&decided);
            }
        }
    }

    /// The common code on both ways up to where they join.
    fn up_to_meeting(&self, left: u32, right: u32) -> Vec<SiteId> {
        let on_left: HashSet<u32> = self.after.chain(left).collect();
        let meeting = self.after.chain(right).find(|node| on_left.contains(node));
        let ways = [left, right]
            .into_iter()
            .flat_map(|start| self.after.chain(start).take_while(|node| Some(*node) != meeting));
        let shared = ways.filter(|node| (*node as usize) < self.shared);
        shared.map(|node| self.sites[node as usize]).collect()
    }
}

/// The way for a value.
fn pick(ways: &Ways, value: Option<u64>) -> Way {
    ways.get(&value).or(ways.get(&None)).cloned().unwrap_or_default()
}

/// The changes that make two ways differ: those with code on them, or else all of the function, or
/// else, as the cause must be in a callee, all there are.
fn blamed(
    changes: &[Change],
    here: &dyn Fn(&Change) -> bool,
    from: Option<(SiteId, SiteId)>,
    old: &Way,
    new: &Way,
) -> Vec<usize> {
    let (x, y) = from.unzip();
    let on_old: HashSet<SiteId> = old.jumps.iter().copied().chain(old.to).chain(x).collect();
    let on_new: HashSet<SiteId> = new.jumps.iter().copied().chain(new.to).chain(y).collect();
    let is_on = |change: &Change| {
        change.old_sites.iter().any(|site| on_old.contains(site))
            || change.new_sites.iter().any(|site| on_new.contains(site))
    };
    let numbers = |is: &dyn Fn(&Change) -> bool| -> Vec<usize> {
        let found = changes.iter().enumerate().filter(|(_, change)| is(change));
        found.map(|(number, _)| number).collect()
    };
    let any = |_: &Change| true;
    let guesses: [&dyn Fn(&Change) -> bool; 3] = [&is_on, here, &any];
    guesses.iter().map(|is| numbers(is)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The post-dominators of both versions together; one more node is the end.
fn meetings(sides: &[&Side<'_>], nodes: usize) -> Dominators {
    let exit = nodes as u32;
    let mut edges = Vec::new();
    for side in sides {
        for site in side.instructions() {
            let Some(from) = side.node(Some(site)) else { continue };
            let to = side.ways(site).into_values().map(|way| side.node(way.to).unwrap_or(exit));
            edges.extend(to.map(|to| (from, to)));
        }
    }
    // An endless loop might end all the same, or no code would come after it.
    loop {
        let after = Dominators::new(&Digraph::new(nodes + 1, &edges).reversed(), exit);
        let Some(stuck) = (0..exit).find(|node| !after.is_reached(*node)) else { return after };
        edges.push((stuck, exit));
    }
}

impl<'v> Side<'v> {
    fn new(version: &'v Version, id: FunctionId) -> Side<'v> {
        let function = version.program.at(id);
        let blocks = function.blocks.iter().enumerate();
        let places = blocks.flat_map(|(number, block)| {
            let instructions = block.instructions.iter().enumerate();
            instructions.map(move |(at, instruction)| (instruction.site, (number, at)))
        });
        Side { version, function, nodes: HashMap::new(), places: places.collect() }
    }

    /// The instructions with an effect or a value, in the order of the code.
    fn instructions(&self) -> Vec<SiteId> {
        let places = (0..self.function.blocks.len()).flat_map(|block| {
            (0..self.function.blocks[block].instructions.len()).map(move |at| (block, at))
        });
        let real = places.filter(|(block, at)| !self.is_scaffold(*block, *at));
        real.map(|(block, at)| self.function.blocks[block].instructions[at].site).collect()
    }

    /// Whether an instruction is only a jump or an alloca.
    fn is_scaffold(&self, block: usize, at: usize) -> bool {
        let block = &self.function.blocks[block];
        match block.instructions[at].opcode {
            Opcode::Alloca => true,
            Opcode::Br => block.successors.len() == 1,
            _ => false,
        }
    }

    fn node(&self, site: Option<SiteId>) -> Option<u32> {
        site.and_then(|site| self.nodes.get(&site)).copied()
    }

    fn entry(&self) -> Way {
        self.way(0, 0)
    }

    fn ways(&self, site: SiteId) -> Ways {
        let (number, at) = self.places[&site];
        let block = &self.function.blocks[number];
        if block.successors.is_empty() && at + 1 == block.instructions.len() {
            return Ways::from([(None, Way::default())]);
        }
        if at + 1 == block.instructions.len() {
            let values = std::iter::once(None).chain(block.cases.iter().copied().map(Some));
            let values: Vec<_> = match block.cases.is_empty() {
                true => (0..block.successors.len() as u64).map(|way| way.checked_sub(1)).collect(),
                false => values.collect(),
            };
            let next = block.successors.iter().map(|BlockId(next)| self.way(*next as usize, 0));
            return values.into_iter().zip(next).collect();
        }
        let next = self.way(number, at + 1);
        match self.version.whole.calls.ending(site) {
            Ending::Returns => Ways::from([(None, next)]),
            Ending::MayEnd => Ways::from([(None, next), (ENDED, Way::default())]),
            Ending::Ends => Ways::from([(None, Way::default())]),
        }
    }

    /// The way from before an instruction to the first one that is no scaffold.
    fn way(&self, mut block: usize, mut at: usize) -> Way {
        let mut way = Way::default();
        let mut seen = HashSet::new();
        while seen.insert((block, at)) {
            let instruction = &self.function.blocks[block].instructions[at];
            if !self.is_scaffold(block, at) {
                return Way { to: Some(instruction.site), ..way };
            }
            if instruction.opcode == Opcode::Br {
                way.jumps.push(instruction.site);
                (block, at) = (self.function.blocks[block].successors[0].0 as usize, 0);
            } else {
                at += 1;
            }
        }
        way
    }
}
