//! Irrelevant branches.
//!
//! Before a change was executed, a branch that leads away from it for good is irrelevant; after it,
//! a branch that was decided before the change could have had any effect. Both are decided for one
//! change at a time, over paths on which calls match returns: a branch is skipped only while it is
//! irrelevant to every change that is still of interest.

use parallax_program::{
    BlockId, FunctionId,
    graph::{Direction, EdgeKind, NodeId, Reached, WholeFlow},
};

/// Nodes before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    before: Reached,
    after: Reached,
}

impl Relevance {
    /// Nodes before and after some places.
    pub fn of(whole: &WholeFlow, places: &[NodeId]) -> Relevance {
        Relevance {
            before: whole.reach(places, Direction::Backward),
            after: whole.reach(places, Direction::Forward),
        }
    }

    /// Whether the places can be reached after a branch takes this way.
    pub fn can_reach(
        &self,
        whole: &WholeFlow,
        function: FunctionId,
        block: BlockId,
        way: u32,
    ) -> bool {
        let flow = whole.flow(function);
        flow.way(block, way)
            .is_some_and(|edge| self.before.contains(whole.node(function, flow.graph.target(edge))))
    }

    /// Whether the places can be reached from a node.
    pub fn is_before(&self, node: NodeId) -> bool {
        self.before.contains(node)
    }

    /// Whether a node can be reached from the places.
    pub fn is_after(&self, node: NodeId) -> bool {
        self.after.contains(node)
    }

    /// Whether the places can be reached from the start of the program.
    pub fn can_be_reached(&self, whole: &WholeFlow) -> bool {
        whole.begins().any(|entry| self.before.contains(entry))
    }

    /// Whether a branch may be decided after one of the places was executed.
    pub fn can_follow(&self, whole: &WholeFlow, function: FunctionId, block: BlockId) -> bool {
        self.after.contains(whole.node(function, whole.flow(function).last(block)))
    }

    /// Whether this way can neither help to reach the places, nor to infect the state (B_E+I).
    pub fn is_irrelevant_before(
        &self,
        whole: &WholeFlow,
        function: FunctionId,
        block: BlockId,
        way: u32,
    ) -> bool {
        !self.can_reach(whole, function, block, way)
    }

    /// Whether this way cannot help an infection to propagate either (B_P).
    pub fn is_irrelevant_after(
        &self,
        whole: &WholeFlow,
        function: FunctionId,
        block: BlockId,
        way: u32,
    ) -> bool {
        self.is_irrelevant_before(whole, function, block, way)
            && !self.can_follow(whole, function, block)
    }
}

/// All ways of all branches of a program.
pub fn ways(whole: &WholeFlow) -> impl Iterator<Item = (FunctionId, BlockId, u32)> + '_ {
    let functions = (0..).map(FunctionId).zip(&whole.flows);
    functions.flat_map(|(function, flow)| {
        let nodes = 0..flow.segments.len() as u32;
        let branches = nodes.filter(|node| flow.graph.successors(*node).len() > 1);
        branches.flat_map(move |node| {
            let block = flow.segments[node as usize].block;
            flow.edges(node).filter_map(move |edge| match edge.kind {
                EdgeKind::Way(way) => Some((function, block, way)),
                _ => None,
            })
        })
    })
}
