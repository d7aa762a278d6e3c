//! Paths through a program up to the next place of interest. Outputs are recorded and passed: a
//! change follows another one whether or not there is output in between.

use std::collections::{BTreeSet, HashMap, HashSet};

use parallax_program::{
    FunctionId, SiteId,
    graph::{Bits, EdgeKind, NodeId, WholeFlow},
};

use super::sequence::Stop;

/// Places of interest in a program.
pub(crate) struct Marks<'w> {
    whole: &'w WholeFlow,
    /// The places in each node, in the order of the code.
    by_node: HashMap<NodeId, Vec<(SiteId, Stop)>>,
    /// Functions with a path through that passes none but outputs.
    clear: Bits,
}

/// The start of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'s> {
    /// The start of the program.
    Program,
    /// Behind a place of interest.
    After(SiteId, Stop),
    /// Behind any of the instructions of a place of interest, whose others are not visited again.
    AfterAny(&'s [SiteId], Stop),
}

impl<'w> Marks<'w> {
    pub(crate) fn new(whole: &'w WholeFlow, stops: &[(Stop, Vec<SiteId>)]) -> Marks<'w> {
        let mut by_node: HashMap<NodeId, Vec<(SiteId, Stop)>> = HashMap::new();
        for (stop, sites) in stops {
            for site in sites {
                if let Some(node) = whole.node_at(*site) {
                    by_node.entry(node).or_default().push((*site, *stop));
                }
            }
        }
        by_node.values_mut().for_each(|marks| marks.sort_unstable());
        let mut marks = Marks { whole, by_node, clear: Bits::default() };
        marks.find_clear();
        marks
    }

    /// The places that can come next.
    pub(crate) fn next(&self, start: Start<'_>) -> BTreeSet<Stop> {
        let mut walk = Walk {
            marks: self,
            own: None,
            found: BTreeSet::new(),
            seen: HashSet::new(),
            stack: Vec::new(),
        };
        match start {
            Start::Program => {
                self.whole.begins().for_each(|entry| walk.visit(entry, true));
            }
            Start::After(site, stop) => {
                walk.own = Some((Some(site), stop));
                walk.start(site, stop);
            }
            Start::AfterAny(sites, stop) => {
                walk.own = Some((None, stop));
                sites.iter().for_each(|site| walk.start(*site, stop));
            }
        }
        walk.run()
    }

    fn find_clear(&mut self) {
        let functions = 0..self.whole.flows.len() as u32;
        let mut waiting: Vec<_> = functions.map(FunctionId).collect();
        while let Some(function) = waiting.pop() {
            if !self.clear.contains(function.0 as usize) && self.has_clear_way(function) {
                self.clear.insert(function.0 as usize);
                let callers = self.whole.calls.callers(function).iter();
                waiting.extend(callers.map(|call| call.caller));
            }
        }
    }

    /// Whether there is a clear path through a function, given what is known of its callees.
    fn has_clear_way(&self, function: FunctionId) -> bool {
        let flow = self.whole.flow(function);
        if flow.segments.is_empty() {
            return true;
        }
        let mut seen = Bits::new(flow.segments.len());
        let mut stack = vec![0];
        while let Some(local) = stack.pop() {
            let node = self.whole.node(function, local);
            if self.blocks(node) || !seen.insert(local as usize) {
                continue;
            }
            for edge in flow.edges(local) {
                match edge.kind {
                    EdgeKind::Left => return true,
                    EdgeKind::Way(_) => stack.push(edge.to),
                    EdgeKind::Returned if self.can_pass(node) => stack.push(edge.to),
                    EdgeKind::Returned | EdgeKind::Ended | EdgeKind::Never => {}
                }
            }
        }
        false
    }

    /// Whether a node contains a place where paths end.
    fn blocks(&self, node: NodeId) -> bool {
        self.in_node(node).iter().any(|(_, stop)| stop.ends_way())
    }

    fn in_node(&self, node: NodeId) -> &[(SiteId, Stop)] {
        self.by_node.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether a call may return without passing a place.
    fn can_pass(&self, node: NodeId) -> bool {
        let Some(call) = self.whole.call_of(node) else { return true };
        let callees = self.whole.calls.callees(call);
        callees.is_empty() || callees.iter().any(|callee| self.clear.contains(callee.0 as usize))
    }
}

struct Walk<'m, 'w> {
    marks: &'m Marks<'w>,
    /// The start of the path: the place behind this instruction of it, or all of it, is not visited
    /// again.
    own: Option<(Option<SiteId>, Stop)>,
    found: BTreeSet<Stop>,
    seen: HashSet<(NodeId, bool)>,
    stack: Vec<(NodeId, bool)>,
}

impl Walk<'_, '_> {
    fn run(mut self) -> BTreeSet<Stop> {
        while let Some((node, free)) = self.stack.pop() {
            if !self.stops_in(node, None) {
                self.leave(node, free);
            }
        }
        self.found
    }

    fn visit(&mut self, node: NodeId, free: bool) {
        if self.seen.insert((node, free)) {
            self.stack.push((node, free));
        }
    }

    fn start(&mut self, site: SiteId, stop: Stop) {
        if let Some(node) = self.marks.whole.node_at(site)
            && !self.stops_in(node, Some((site, stop)))
        {
            self.leave(node, true);
        }
    }

    /// Whether the path ends in a node, behind a place if given; records visited places.
    fn stops_in(&mut self, node: NodeId, behind: Option<(SiteId, Stop)>) -> bool {
        let marks: &Marks<'_> = self.marks;
        let ahead = marks.in_node(node).iter().filter(|mark| behind.is_none_or(|it| **mark > it));
        for (site, stop) in ahead {
            if !self.is_rest(*site, *stop) {
                self.found.insert(*stop);
                if stop.ends_way() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an instruction is the rest of the start of the path.
    fn is_rest(&self, site: SiteId, stop: Stop) -> bool {
        let is_behind = |start: Option<SiteId>| start.is_none_or(|start| site > start);
        self.own.is_some_and(|(start, own)| own == stop && is_behind(start))
    }

    fn leave(&mut self, node: NodeId, free: bool) {
        let whole = self.marks.whole;
        let function = whole.owner(node);
        for edge in whole.flow(function).edges(whole.local(node)) {
            match edge.kind {
                EdgeKind::Way(_) => self.visit(whole.node(function, edge.to), free),
                EdgeKind::Returned if self.marks.can_pass(node) => {
                    self.visit(whole.node(function, edge.to), free);
                }
                EdgeKind::Left if free => {
                    let calls = whole.calls.callers(function).iter();
                    for next in calls.filter_map(|call| whole.after(call)) {
                        self.visit(next, true);
                    }
                    for (next, free) in whole.next_after(function) {
                        self.visit(next, free);
                    }
                }
                EdgeKind::Returned | EdgeKind::Left | EdgeKind::Ended | EdgeKind::Never => {}
            }
        }
        for (next, free) in whole.called_from(node) {
            self.visit(next, free);
        }
    }
}
