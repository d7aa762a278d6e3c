//! Number of decisions between a branch and a place.
//!
//! A step is a control dependence: the place is executed because of a decision, which is made
//! because of another one. A call costs nothing: a decision to call executes everything that the
//! callee does in any case. Code behind a call that may never return depends on the decisions of
//! the callee, too; a return of the callee helps this call and no other one, so it does not bring
//! other callers of it nearer.
//!
//! Optionally, the definition of a decision's value is a step from it, too: the result of a
//! function, or a flag. So is avoiding a store that would take that value away again: where a flag
//! records a failure, a decision against the failure brings the search nearer.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
};

use parallax_program::{
    BlockId, FunctionId,
    graph::{Controller, EdgeKind, Ending, NodeId, WholeFlow},
};

use super::definition::Definitions;

/// Distance from each way of each branch to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// The distances of the edges of each function.
    edges: Vec<Vec<u32>>,
    /// The distances of nodes, by whether they have to be executed, or only to return.
    nodes: [Vec<u32>; 2],
}

/// Why a node is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// It leads to the place, from all callers of its function.
    Executed,
    /// A call that was made already has to return.
    Returned,
}

const INFINITE: u32 = u32::MAX;
/// Greatest distance of a decision that keeps alive the value another decision needs: however far
/// the place is from that decision, everything on the way depends on it.
const ALIVE: u32 = 3;

impl Distances {
    /// The distances to the nearest of some places.
    pub fn to(whole: &WholeFlow, places: &[NodeId]) -> Distances {
        Distances::search(whole, places, None)
    }

    /// The same, with definitions of decisions' values as steps.
    pub fn through_values(
        whole: &WholeFlow,
        definitions: &Definitions<'_>,
        places: &[NodeId],
    ) -> Distances {
        Distances::search(whole, places, Some(definitions))
    }

    fn search(
        whole: &WholeFlow,
        places: &[NodeId],
        definitions: Option<&Definitions<'_>>,
    ) -> Distances {
        let edges = whole.flows.iter().map(|flow| vec![INFINITE; flow.graph.edge_count()]);
        let nodes = [vec![INFINITE; whole.len()], vec![INFINITE; whole.len()]];
        let found = Distances { edges: edges.collect(), nodes };
        let mut search =
            Search { whole, definitions, found, waiting: BinaryHeap::new(), spoiling: Vec::new() };
        for place in places {
            search.reach(*place, Need::Executed, 0);
        }
        search.run()
    }

    /// The number of decisions, this one included, until the place is executed if a branch takes
    /// this way; `None` if this way does not help.
    pub fn of_way(
        &self,
        whole: &WholeFlow,
        function: FunctionId,
        block: BlockId,
        way: u32,
    ) -> Option<u32> {
        let edge = whole.flow(function).way(block, way)?;
        finite(self.edges[function.0 as usize][edge])
    }

    /// The number of decisions from a node to the place; 0 if it is the place.
    pub fn of_node(&self, node: NodeId) -> Option<u32> {
        let [executed, returned] = &self.nodes;
        finite(executed[node.0 as usize].min(returned[node.0 as usize]))
    }
}

fn finite(distance: u32) -> Option<u32> {
    (distance != INFINITE).then_some(distance)
}

/// A search from the places backwards, the nearest first.
struct Search<'w> {
    whole: &'w WholeFlow,
    definitions: Option<&'w Definitions<'w>>,
    found: Distances,
    waiting: BinaryHeap<(Reverse<u32>, NodeId, Need)>,
    /// Nodes that take away a value that a function needs, with the distance of a decision against
    /// them.
    spoiling: Vec<(NodeId, FunctionId, u32)>,
}

impl Search<'_> {
    fn run(mut self) -> Distances {
        while let Some((Reverse(distance), node, need)) = self.waiting.pop() {
            if self.found.nodes[need as usize][node.0 as usize] == distance {
                self.expand(node, need, distance);
            }
        }
        for (node, wanting, distance) in std::mem::take(&mut self.spoiling) {
            self.avoid(node, wanting, distance);
        }
        self.found
    }

    /// Lowers the distance of a node.
    fn reach(&mut self, node: NodeId, need: Need, distance: u32) {
        let known = &mut self.found.nodes[need as usize][node.0 as usize];
        if distance < *known {
            *known = distance;
            self.waiting.push((Reverse(distance), node, need));
        }
    }

    fn expand(&mut self, node: NodeId, need: Need, distance: u32) {
        let whole = self.whole;
        let function = whole.owner(node);
        for controller in whole.control(function).controllers(whole.local(node)) {
            match *controller {
                Controller::Entry if need == Need::Executed => {
                    self.reach_callers(function, distance);
                }
                Controller::Entry => {}
                Controller::Edge { from, number } => {
                    self.expand_edge((function, from), number as usize, need, distance);
                }
            }
        }
    }

    fn expand_edge(
        &mut self,
        (function, from): (FunctionId, u32),
        number: usize,
        need: Need,
        distance: u32,
    ) {
        let whole = self.whole;
        let node = whole.node(function, from);
        match whole.flow(function).edge(from, number).kind {
            EdgeKind::Way(way) => {
                let known = &mut self.found.edges[function.0 as usize][number];
                *known = (*known).min(distance + 1);
                self.reach(node, need, distance + 1);
                self.reach_definitions((function, from), way, distance + 2);
            }
            EdgeKind::Returned => {
                self.reach(node, need, distance);
                self.reach_returns(node, distance);
            }
            EdgeKind::Ended | EdgeKind::Left | EdgeKind::Never => self.reach(node, need, distance),
        }
    }

    /// Adds the definitions that make a decision take a way.
    fn reach_definitions(
        &mut self,
        (function, decision): (FunctionId, u32),
        way: u32,
        distance: u32,
    ) {
        let Some(definitions) = self.definitions else { return };
        let block = self.whole.flow(function).segments[decision as usize].block;
        let causes = definitions.of_way(function, block, way);
        for node in causes.giving.iter().filter_map(|site| self.whole.node_at(*site)) {
            self.reach(node, Need::Executed, distance);
        }
        let spoiling = causes.spoiling.iter().filter_map(|site| self.whole.node_at(*site));
        self.spoiling.extend(spoiling.map(|node| (node, function, distance.min(ALIVE))));
    }

    /// Lowers the distance of decisions against a node: the last one before it, or those before the
    /// calls of its function. A node that the function that needs the value always executes cannot
    /// be avoided, and one on the way to the place should not be.
    fn avoid(&mut self, node: NodeId, wanting: FunctionId, distance: u32) {
        let whole = self.whole;
        let mut seen = HashSet::from([node]);
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            let function = whole.owner(node);
            for controller in whole.control(function).controllers(whole.local(node)) {
                match *controller {
                    Controller::Entry if function == wanting => {}
                    Controller::Entry => {
                        let calls = whole.calls.callers(function).iter();
                        let callers = calls.filter_map(|call| whole.caller(call.site));
                        waiting.extend(callers.filter(|caller| seen.insert(*caller)));
                    }
                    Controller::Edge { from, number } => {
                        let edges = &mut self.found.edges[function.0 as usize];
                        if edges[number as usize] <= distance {
                            continue;
                        }
                        let flow = whole.flow(function);
                        let others = flow.graph.edges(from).filter(|edge| *edge != number as usize);
                        for edge in others {
                            if let EdgeKind::Way(_) = flow.edge(from, edge).kind {
                                edges[edge] = edges[edge].min(distance);
                            }
                        }
                    }
                }
            }
        }
    }

    fn reach_callers(&mut self, function: FunctionId, distance: u32) {
        let whole = self.whole;
        let calls = whole.calls.callers(function).iter();
        for caller in calls.filter_map(|call| whole.caller(call.site)) {
            self.reach(caller, Need::Executed, distance);
        }
        if whole.calls.handlers().any(|handler| handler == function) {
            whole.ends().for_each(|end| self.reach(end, Need::Executed, distance));
        }
    }

    /// Adds what makes a call return: returns of the callee, or jumps to here.
    fn reach_returns(&mut self, node: NodeId, distance: u32) {
        let whole = self.whole;
        let Some(call) = whole.call_of(node) else { return };
        for callee in whole.calls.callees(call) {
            if whole.calls.ending_of_function(*callee) == Ending::MayEnd {
                for leaving in whole.leaving(*callee) {
                    self.reach(leaving, Need::Returned, distance);
                }
            }
        }
        if whole.calls.resumed().iter().any(|resumed| resumed.site == call) {
            for jump in whole.calls.jumps().iter().filter_map(|jump| whole.caller(jump.site)) {
                self.reach(jump, Need::Executed, distance);
            }
        }
    }
}
