//! The effects of changes on one test: infected instances, their dependences, and the ends of
//! effects.

mod causes;
mod ends;
mod shown;

use std::num::NonZeroU32;

use parallax_change::Changes;
use parallax_deadline::{Deadline, OutOfTime};
use parallax_program::{Opcode, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    causes::{Cause, Causes},
    shown::Shared,
};
use crate::{
    align::{Alignment, Region, regions},
    code::Code,
    infect::{Infection, Runs},
    run::{Run, Step, StepId},
    stop::{Stop, TO_DIFFER, Why},
};

/// One version, and its run.
pub struct Side<'s, 'p> {
    /// Its code.
    pub code: &'s Code<'p>,
    /// Its run.
    pub run: &'s Run,
    /// Whether it did not end by itself.
    pub died: bool,
}

/// Whether two runs can be told apart from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// They look the same, although code that prints may differ.
    Same,
    /// They look different.
    Different,
}

/// An infected instance, with its counterpart if it has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) old: Option<StepId>,
    pub(crate) new: Option<StepId>,
    pub(crate) change: Option<u32>,
    /// The nodes that it infects.
    pub(crate) to: Vec<u32>,
    /// The reason why it infects nothing.
    pub(crate) stop: Option<Box<Stop>>,
}

impl Node {
    /// Whether it is visible from outside.
    fn is_seen(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.why == Why::Printed)
    }

    /// Removes duplicate edges.
    fn tidy(&mut self) {
        self.to.sort_unstable();
        self.to.dedup();
    }
}

/// The effects of the changes on one test.
pub struct Effects {
    /// The effect of each change, in their order.
    pub changes: Vec<ChangeEffect>,
    /// Whether a run was too long to be recorded to its end.
    pub cut: bool,
    /// Whether something is visible from outside that, as far as is known, no change caused.
    pub unexplained: bool,
    pub(crate) nodes: Vec<Node>,
}

/// The effect of one change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeEffect {
    /// Whether its code was executed, in either version.
    pub reached: bool,
    /// Whether anything was computed, stored, decided or printed that the other version does not.
    pub infected: bool,
    /// Whether it is visible from outside.
    pub propagated: bool,
    /// Whether it is known to be visible: not only in code that one version executes because of
    /// another change.
    pub certain: bool,
    /// The ends of its effect, in the order of the run; the last one is where it got furthest.
    pub stops: Vec<Stop>,
    pub(crate) nodes: Vec<u32>,
}

impl ChangeEffect {
    /// Where it got furthest, if it is not visible from outside.
    pub fn stopped_at(&self) -> Option<&Stop> {
        self.stops.last().filter(|_| !self.propagated)
    }
}

impl Effects {
    /// Follows the effects of all changes. `sight` says whether the runs look different at all.
    pub fn new(
        old: &Side<'_, '_>,
        new: &Side<'_, '_>,
        changes: &Changes,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<Effects, OutOfTime> {
        let matching = &changes.matching;
        let (left, right) = ((old.code, old.run), (new.code, new.run));
        let old_regions = regions(left, &|site| matching.new_site(site).is_some());
        let new_regions = regions(right, &|site| matching.old_site(site).is_some());
        let both = ((old.run, &old_regions[..]), (new.run, &new_regions[..]));
        let alignment = Alignment::new(both.0, both.1, matching, deadline)?;
        let runs = Runs { old: left, new: right, matching, alignment: &alignment };
        let infection = Infection::new(&runs, deadline)?;
        let shared = Shared::of(&runs);
        let mut builder = Builder {
            runs,
            infection,
            old_regions: &old_regions,
            new_regions: &new_regions,
            nodes: Vec::new(),
            of_new: NodeIndex::of(new.run),
            of_old: NodeIndex::of(old.run),
            shared,
            has_parent: Vec::new(),
            ties: FxHashSet::default(),
            bound: Vec::new(),
            died: Vec::new(),
            cut: old.run.cut || new.run.cut,
            sight,
            deadline,
        };
        builder.collect();
        builder.connect()?;
        builder.adopt(old.died, new.died)?;
        builder.nodes.iter_mut().for_each(Node::tidy);
        builder.bind(old.died, new.died);
        let ends = builder.ends()?;
        for (node, stop) in ends {
            builder.nodes[node as usize].stop = Some(Box::new(stop));
        }
        let cut = builder.cut;
        let results = (0..).zip(&changes.changes).map(|(number, change)| {
            deadline.check()?;
            Ok(builder.effect_of(number, change.site, change.old_site))
        });
        let results = results.collect::<Result<Vec<_>, _>>()?;
        let unexplained = builder.has_unexplained(&results);
        Ok(Effects { changes: results, cut, unexplained, nodes: builder.nodes })
    }
}

/// The node of each instance of a run that has one.
struct NodeIndex(Vec<Option<NonZeroU32>>);

impl NodeIndex {
    fn of(run: &Run) -> NodeIndex {
        NodeIndex(vec![None; run.steps.len()])
    }

    fn insert(&mut self, step: StepId, node: u32) {
        self.0[step.0 as usize] = NonZeroU32::new(node + 1);
    }

    fn get(&self, step: StepId) -> Option<u32> {
        self.0.get(step.0 as usize).copied().flatten().map(|node| node.get() - 1)
    }
}

/// Decisions that only one version makes, by their regions.
type Guards = FxHashMap<Region, Vec<u32>>;

/// The most instances of one decision that are remembered in the same region: a loop that only one
/// version has makes one for each round, and the first ones stand for all.
const GUARDS: u32 = 8;

/// The graph under construction.
struct Builder<'r, 'p> {
    runs: Runs<'r, 'p>,
    infection: Infection,
    /// The region of each instance.
    old_regions: &'r [Region],
    new_regions: &'r [Region],
    nodes: Vec<Node>,
    of_new: NodeIndex,
    of_old: NodeIndex,
    /// Calls that print what the other version prints elsewhere.
    shared: Shared,
    /// Whether another node infects each node.
    has_parent: Vec<bool>,
    /// Edges that explain why only one version has their target: its existence, not its value.
    ties: FxHashSet<(u32, u32)>,
    /// Whether a node is visible only by such an edge: only one version has it, and the reason lies
    /// elsewhere.
    bound: Vec<bool>,
    /// The nodes at which a version died.
    died: Vec<u32>,
    cut: bool,
    sight: Sight,
    deadline: Deadline,
}

impl Builder<'_, '_> {
    /// All infected instances.
    fn collect(&mut self) {
        let (old_run, new_run) = (self.runs.old.1, self.runs.new.1);
        for new in new_run.ids().filter(|step| self.infection.has(*step)) {
            let old = self.runs.alignment.old_of(new);
            let id = self.nodes.len() as u32;
            self.of_new.insert(new, id);
            if let Some(old) = old {
                self.of_old.insert(old, id);
            }
            let change = new_run.at(new).change.or(old.and_then(|old| old_run.at(old).change));
            let change = change.or_else(|| match old {
                None => self.runs.new.0.change_around(new_run.at(new).site),
                Some(_) => None,
            });
            self.nodes.push(Node { old, new: Some(new), change, ..Node::default() });
        }
        for old in old_run.ids().filter(|step| self.runs.alignment.new_of(*step).is_none()) {
            self.of_old.insert(old, self.nodes.len() as u32);
            let Step { site, change, .. } = *old_run.at(old);
            let change = change.or_else(|| self.runs.old.0.change_around(site));
            self.nodes.push(Node { old: Some(old), change, ..Node::default() });
        }
        self.has_parent = vec![false; self.nodes.len()];
    }

    fn join(&mut self, from: u32, to: u32) {
        let edges = &mut self.nodes[from as usize].to;
        if from != to && edges.last() != Some(&to) {
            edges.push(to);
            self.has_parent[to as usize] = true;
        }
    }

    fn tie(&mut self, from: u32, to: u32) {
        self.join(from, to);
        self.ties.insert((from, to));
    }

    fn is_paired_call(&self, node: u32) -> bool {
        let Node { old, new, .. } = self.nodes[node as usize];
        old.is_some() && new.is_some_and(|new| self.runs.is_call(new))
    }

    /// Adds the edges from nodes to those that they infect.
    fn connect(&mut self) -> Result<(), OutOfTime> {
        let mut pace = self.deadline.pace();
        for id in 0..self.nodes.len() as u32 {
            pace.step()?;
            let Node { old, new, .. } = self.nodes[id as usize];
            let mut from = Vec::new();
            if let Some(new) = new {
                let uses = self.runs.new.1.uses(new);
                let uses = uses.filter(|used| self.infection.comes_along(&self.runs, *used));
                from.extend(uses.filter_map(|used| self.of_new.get(used.source)));
            }
            if let Some(old) = old {
                let uses = self.runs.old.1.uses(old);
                let uses = uses.filter(|used| self.infection.comes_along_old(&self.runs, *used));
                from.extend(uses.filter_map(|used| self.of_old.get(used.source)));
            }
            if old.is_none() || new.is_none() {
                let new = new.and_then(|new| self.runs.new.1.at(new).control);
                let old = old.and_then(|old| self.runs.old.1.at(old).control);
                let new = new.and_then(|control| self.of_new.get(control));
                let old = old.and_then(|control| self.of_old.get(control));
                for from in new.into_iter().chain(old) {
                    // A call that both versions make is no reason for an instance in it that only
                    // one of them has.
                    match self.is_paired_call(from) {
                        true => self.join(from, id),
                        false => self.tie(from, id),
                    }
                }
            }
            from.into_iter().for_each(|from| self.join(from, id));
        }
        for (step, cause) in std::mem::take(&mut self.infection.hidden) {
            let both = self.of_new.get(cause).zip(self.of_new.get(step));
            if let Some((cause, step)) = both {
                self.join(cause, step);
            }
        }
        Ok(())
    }

    /// Adds a cause for instances that only one version has although no decision differs: a
    /// decision that only the other version makes, the death of the other version, or else the last
    /// change that was executed.
    fn adopt(&mut self, old_died: bool, new_died: bool) -> Result<(), OutOfTime> {
        let last = |nodes: &[Node], side: fn(&Node) -> Option<StepId>| {
            let ids = 0..nodes.len() as u32;
            ids.filter(|id| side(&nodes[*id as usize]).is_some())
                .max_by_key(|id| side(&nodes[*id as usize]))
        };
        let end_of_old = last(&self.nodes, |node| node.old).filter(|_| old_died);
        let end_of_new = last(&self.nodes, |node| node.new).filter(|_| new_died);
        self.died = end_of_old.into_iter().chain(end_of_new).collect();
        let (new_guards, old_guards) = self.guards();
        let causes = Causes::new(&self.runs);
        let mut pace = self.deadline.pace();
        for id in 0..self.nodes.len() as u32 {
            pace.step()?;
            let Node { old, new, change, .. } = self.nodes[id as usize];
            let is_pair = old.is_some() && new.is_some();
            if self.has_parent[id as usize] || change.is_some() || is_pair {
                continue;
            }
            let guards = match (new, old) {
                (Some(new), _) => self.region_of_new(new).and_then(|it| old_guards.get(&it)),
                (None, Some(old)) => new_guards.get(&self.region_of_old(old)),
                (None, None) => None,
            };
            if let Some(guards) = guards {
                guards.iter().for_each(|guard| self.tie(*guard, id));
                continue;
            }
            let dead = if new.is_some() { end_of_old } else { end_of_new };
            let cause = match (new, old) {
                (Some(new), _) => causes.of_new(new),
                (None, Some(old)) => causes.of_old(old),
                (None, None) => None,
            };
            let changed = cause.and_then(|cause| match cause {
                Cause::Old(step) => self.of_old.get(step),
                Cause::New(step) => self.of_new.get(step),
            });
            if let Some(from) = dead.or(changed.filter(|_| !self.cut)) {
                self.tie(from, id);
            }
        }
        Ok(())
    }

    /// Marks nodes that only one version has for a reason other than their inputs or a change of
    /// their own code: a decision, or the end of the other version.
    fn bind(&mut self, old_died: bool, new_died: bool) {
        let (old_run, new_run) = (self.runs.old.1, self.runs.new.1);
        let alignment = self.runs.alignment;
        let last_old = old_run.ids().filter(|step| alignment.new_of(*step).is_some()).last();
        let last_new = new_run.ids().filter(|step| alignment.old_of(*step).is_some()).last();
        let is_doomed = |node: &Node| match (node.old, node.new) {
            (Some(old), None) => new_died && Some(old) > last_old,
            (None, Some(new)) => old_died && Some(new) > last_new,
            _ => false,
        };
        self.bound = self.nodes.iter().map(is_doomed).collect();
        #[expect(clippy::iter_over_hash_type, reason = "each mark is set by itself")]
        for (_, to) in &self.ties {
            self.bound[*to as usize] = true;
        }
    }

    /// Whether a node is visible that no change leads to.
    fn has_unexplained(&self, changes: &[ChangeEffect]) -> bool {
        let mut is_explained = vec![false; self.nodes.len()];
        let nodes = changes.iter().flat_map(|change| &change.nodes);
        nodes.for_each(|node| is_explained[*node as usize] = true);
        self.nodes.iter().zip(is_explained).any(|(node, known)| !known && node.is_seen())
    }

    /// The region of an instance of the new run, as an instance of the old one.
    fn region_of_new(&self, new: StepId) -> Option<Region> {
        match self.new_regions[new.0 as usize] {
            Region::Start => Some(Region::Start),
            Region::Under(step) => self.runs.alignment.old_of(step).map(Region::Under),
        }
    }

    /// The region of an instance of the old run.
    fn region_of_old(&self, old: StepId) -> Region {
        self.old_regions[old.0 as usize]
    }

    /// The decisions that only one version makes, by their regions in the old run: first those of
    /// the new version, then those of the old one.
    fn guards(&self) -> (Guards, Guards) {
        let (mut news, mut olds) = (Guards::default(), Guards::default());
        let mut counts: FxHashMap<(Region, SiteId, bool), u32> = FxHashMap::default();
        for (id, node) in (0..).zip(&self.nodes) {
            let guard = match (node.old, node.new) {
                (None, Some(new)) if is_decision(self.runs.new, new) => {
                    let site = self.runs.new.1.at(new).site;
                    self.region_of_new(new).map(|region| (&mut news, region, (site, false)))
                }
                (Some(old), None) if is_decision(self.runs.old, old) => {
                    let site = self.runs.old.1.at(old).site;
                    Some((&mut olds, self.region_of_old(old), (site, true)))
                }
                _ => None,
            };
            let Some((guards, region, (site, is_old))) = guard else { continue };
            let count = counts.entry((region, site, is_old)).or_default();
            *count += 1;
            if *count <= GUARDS {
                guards.entry(region).or_default().push(id);
            }
        }
        (news, olds)
    }

    fn effect_of(
        &self,
        change: u32,
        site: Option<SiteId>,
        old_site: Option<SiteId>,
    ) -> ChangeEffect {
        let reached =
            self.runs.new.1.reached.contains(&change) || self.runs.old.1.reached.contains(&change);
        let nodes = self.reached_from(change, |_, _| true);
        let others = self.infected_by_others(change);
        let is_doubtful = |node: u32| {
            let Node { old, new, .. } = self.nodes[node as usize];
            others[node as usize] && (old.is_none() || new.is_none())
        };
        let is_known = |from: Option<u32>, to: u32| match from {
            // It is bound, or its input differs because of another change.
            None => !self.bound[to as usize] && !others[to as usize],
            Some(from) => {
                !is_doubtful(to) && (!self.bound[to as usize] || self.ties.contains(&(from, to)))
            }
        };
        let known = self.reached_from(change, is_known);
        let certain = known.iter().any(|node| self.nodes[*node as usize].is_seen());
        let infected = nodes.iter().any(|node| self.is_state(*node));
        let mut stops = self.stops_at(&nodes);
        let propagated = stops.iter().any(|stop| stop.why == Why::Printed);
        if reached && stops.is_empty() {
            let place = site.map(|site| (site, false)).or(old_site.map(|site| (site, true)));
            stops.extend(place.map(|(site, old)| Stop {
                why: Why::ComputedAlike,
                site,
                old,
                operation: None,
                needs: Some(TO_DIFFER.to_owned()),
                lonely: false,
            }));
        }
        let infected = infected || propagated;
        ChangeEffect { reached, infected, propagated, certain, stops, nodes }
    }

    /// Whether other changes infect each node, of those that both versions have or that the change
    /// has put in the place of others: these also show differences of their inputs.
    fn infected_by_others(&self, change: u32) -> Vec<bool> {
        let is_other = |node: &Node| node.change.is_some_and(|it| it != change);
        let others = (0..).zip(&self.nodes).filter(|(_, node)| is_other(node));
        let mut waiting: Vec<u32> = others.map(|(id, _)| id).collect();
        let mut infected = vec![false; self.nodes.len()];
        while let Some(node) = waiting.pop() {
            for next in &self.nodes[node as usize].to {
                if !std::mem::replace(&mut infected[*next as usize], true) {
                    waiting.push(*next);
                }
            }
        }
        let own = || self.nodes.iter().filter(|node| node.change == Some(change));
        let is_replaced =
            own().any(|node| node.old.is_none()) && own().any(|node| node.new.is_none());
        let is_both = |node: &Node| node.old.is_some() && node.new.is_some();
        let asked = self.nodes.iter().map(|node| is_both(node) || is_replaced);
        infected.iter_mut().zip(asked).for_each(|(infected, asked)| *infected &= asked);
        infected
    }

    /// The nodes of a change and all that they infect, in order, along the edges that `leads`
    /// accepts: from nothing to a node of the change and from one node to the next.
    fn reached_from(&self, change: u32, leads: impl Fn(Option<u32>, u32) -> bool) -> Vec<u32> {
        let own = (0..).zip(&self.nodes).filter(|(_, node)| node.change == Some(change));
        let own = own.map(|(id, _)| id).filter(|id| leads(None, *id));
        let mut waiting: Vec<u32> = own.collect();
        let mut is_known = vec![false; self.nodes.len()];
        waiting.iter().for_each(|node| is_known[*node as usize] = true);
        let mut nodes = Vec::new();
        while let Some(node) = waiting.pop() {
            nodes.push(node);
            for next in &self.nodes[node as usize].to {
                if leads(Some(node), *next)
                    && !std::mem::replace(&mut is_known[*next as usize], true)
                {
                    waiting.push(*next);
                }
            }
        }
        nodes.sort_unstable();
        nodes
    }

    /// The ends at some nodes, each kind of end where it occurs last.
    fn stops_at(&self, nodes: &[u32]) -> Vec<Stop> {
        let ends = || nodes.iter().filter_map(|node| self.nodes[*node as usize].stop.as_deref());
        let has_strong = ends().any(|stop| !stop.is_weak());
        let told: Vec<&Stop> = ends().filter(|stop| !has_strong || !stop.is_weak()).collect();
        let mut known = FxHashSet::default();
        let mut stops: Vec<Stop> =
            told.into_iter().rev().filter(|stop| known.insert(*stop)).cloned().collect();
        stops.reverse();
        stops
    }

    /// Whether a node is more than code that only one version has and that leaves no trace.
    fn is_state(&self, node: u32) -> bool {
        let Node { old, new, .. } = self.nodes[node as usize];
        let is_jump = |step: StepId| {
            let step = self.runs.new.1.at(step);
            step.value.is_none() && self.opcode_at(self.runs.new.0, step.site) == Some(Opcode::Br)
        };
        match (old, new) {
            (Some(_), Some(new)) => !is_jump(new),
            (None, Some(new)) => self.is_lasting(self.runs.new.0, self.runs.new.1.at(new).site),
            (Some(old), None) => self.is_lasting(self.runs.old.0, self.runs.old.1.at(old).site),
            (None, None) => false,
        }
    }

    fn is_lasting(&self, code: &Code<'_>, site: SiteId) -> bool {
        code.outputs.contains(site.0 as usize) || self.opcode_at(code, site) == Some(Opcode::Store)
    }

    fn opcode_at(&self, code: &Code<'_>, site: SiteId) -> Option<Opcode> {
        code.instruction(site).map(|it| it.opcode)
    }
}

fn is_decision((code, run): (&Code<'_>, &Run), step: StepId) -> bool {
    let opcode = code.instruction(run.at(step).site).map(|it| it.opcode);
    matches!(opcode, Some(Opcode::Br | Opcode::Switch)) && run.at(step).value.is_some()
}
