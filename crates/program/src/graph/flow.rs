//! The control flow inside a function.
//!
//! The nodes are segments of blocks: a segment ends at each call that matters to the rest of the
//! program, because the call may lead elsewhere, or never return. One more node is the exit: it can
//! be reached from everywhere, also from endless loops, so that every node has a post-dominator.
//!
//! Where control leaves a scope, the front end stores a number in a variable of its own, jumps to
//! the common cleanup of the scope, and switches on the number. The flow skips this detour:
//! otherwise each `return` from inside a loop would look as if the loop could go on after it.

mod cleanup;

use std::ops::Range;

use self::cleanup::Cleanup;
use super::{CallGraph, Digraph, Ending};
use crate::model::{BlockId, Function, FunctionId, Instruction, Opcode, Program};

/// A segment of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The block.
    pub block: BlockId,
    /// Which of its instructions.
    pub instructions: Range<u32>,
    /// Whether it ends with a call that leaves the function.
    pub calls: bool,
}

/// The kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// This successor of the block.
    Way(u32),
    /// The call returns.
    Returned,
    /// The call never returns: the program ends, or control jumps elsewhere.
    Ended,
    /// The function returns.
    Left,
    /// Never taken: it gives an endless loop an exit.
    Never,
}

/// An edge of the flow of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it starts.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// Its kind.
    pub kind: EdgeKind,
}

/// The flow of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The segments, the entry first, in the order of the code.
    pub segments: Vec<Segment>,
    /// The edges; the last node is the exit.
    pub graph: Digraph,
    /// The reversed graph.
    reversed: Digraph,
    /// The kinds of the edges of the graph.
    kinds: Vec<EdgeKind>,
    /// The first segment of each block.
    firsts: Vec<u32>,
}

impl Flow {
    /// The flow of a function.
    pub fn new(program: &Program, id: FunctionId, calls: &CallGraph) -> Flow {
        let function = program.at(id);
        let cleanup = Cleanup::new(program, function);
        let mut segments = Vec::new();
        let mut firsts = Vec::new();
        for (id, block) in (0..).map(BlockId).zip(&function.blocks) {
            firsts.push(segments.len() as u32);
            segments.extend(pieces(id, &block.instructions, calls));
        }
        let mut edges = Vec::new();
        for (node, segment) in (0..).zip(&segments) {
            let exit = segments.len() as u32;
            match segment.calls {
                true => edges.extend(after_call(function, calls, node, segment, exit)),
                false => {
                    let landing =
                        |way| firsts[cleanup.landing(function, segment.block, way).0 as usize];
                    edges.extend(after_jump(function, node, segment.block, landing, exit));
                }
            }
        }
        edges.extend(ends_of_loops(segments.len(), &edges));
        edges.sort_unstable_by_key(|edge| edge.from);
        let pairs: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let nodes = if segments.is_empty() { 0 } else { segments.len() + 1 };
        let kinds = edges.iter().map(|edge| edge.kind).collect();
        let graph = Digraph::new(nodes, &pairs);
        Flow { segments, reversed: graph.reversed(), graph, kinds, firsts }
    }

    /// The predecessors of a node.
    pub fn before(&self, node: u32) -> &[u32] {
        self.reversed.successors(node)
    }

    /// The exit node.
    pub fn exit(&self) -> u32 {
        self.segments.len() as u32
    }

    /// The first segment of a block.
    pub fn first(&self, block: BlockId) -> u32 {
        self.firsts[block.0 as usize]
    }

    /// The segment of a block that an instruction is in.
    pub fn node_of(&self, block: BlockId, instruction: u32) -> u32 {
        let first = self.first(block) as usize;
        let later = self.segments[first..].iter().take_while(|segment| segment.block == block);
        let skipped = later.take_while(|segment| segment.instructions.end <= instruction).count();
        (first + skipped).min(self.segments.len() - 1) as u32
    }

    /// The last segment of a block: the one that ends with the jump.
    pub fn last(&self, block: BlockId) -> u32 {
        let next = self.firsts.get(block.0 as usize + 1);
        next.map_or(self.segments.len() as u32, |next| *next) - 1
    }

    /// An edge, by its number in the graph, for a known source.
    pub fn edge(&self, from: u32, number: usize) -> Edge {
        Edge { from, to: self.graph.target(number), kind: self.kinds[number] }
    }

    /// The edges from a node.
    pub fn edges(&self, node: u32) -> impl Iterator<Item = Edge> + '_ {
        self.graph.edges(node).map(move |number| self.edge(node, number))
    }

    /// The number of the edge for a successor of a block.
    pub fn way(&self, block: BlockId, way: u32) -> Option<usize> {
        let mut numbers = self.graph.edges(self.last(block));
        numbers.find(|number| self.kinds[*number] == EdgeKind::Way(way))
    }
}

fn pieces(block: BlockId, instructions: &[Instruction], calls: &CallGraph) -> Vec<Segment> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (index, instruction) in (0..).zip(instructions) {
        // A call that is the terminator ends its block anyway.
        let is_last = index as usize + 1 == instructions.len();
        if calls.matters(instruction.site) && !is_last {
            pieces.push(Segment { block, instructions: start..index + 1, calls: true });
            start = index + 1;
        }
    }
    pieces.push(Segment { block, instructions: start..instructions.len() as u32, calls: false });
    pieces
}

fn after_call(
    function: &Function,
    calls: &CallGraph,
    node: u32,
    segment: &Segment,
    exit: u32,
) -> Vec<Edge> {
    let block = &function.blocks[segment.block.0 as usize];
    let call = &block.instructions[segment.instructions.end as usize - 1];
    let back = Edge { from: node, to: node + 1, kind: EdgeKind::Returned };
    let gone = Edge { from: node, to: exit, kind: EdgeKind::Ended };
    match calls.ending(call.site) {
        Ending::Returns => vec![back],
        Ending::MayEnd => vec![back, gone],
        Ending::Ends => vec![gone],
    }
}

fn after_jump(
    function: &Function,
    node: u32,
    block: BlockId,
    landing: impl Fn(u32) -> u32,
    exit: u32,
) -> Vec<Edge> {
    let block = &function.blocks[block.0 as usize];
    let ways = 0..block.successors.len() as u32;
    let ways = ways.map(|way| Edge { from: node, to: landing(way), kind: EdgeKind::Way(way) });
    let mut edges: Vec<_> = ways.collect();
    if edges.is_empty() {
        let is_return = block.instructions.last().is_some_and(|last| last.opcode == Opcode::Ret);
        let kind = if is_return { EdgeKind::Left } else { EdgeKind::Ended };
        edges.push(Edge { from: node, to: exit, kind });
    }
    edges
}

/// An edge to the exit for each endless loop: from the first of its nodes.
fn ends_of_loops(nodes: usize, edges: &[Edge]) -> Vec<Edge> {
    let exit = nodes as u32;
    let pairs: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let components = Digraph::new(nodes + 1, &pairs).components();
    let mut has_way_out = vec![false; nodes + 1];
    for (from, to) in pairs {
        let (from, to) = (components[from as usize], components[to as usize]);
        has_way_out[from as usize] |= from != to;
    }
    let mut ends = Vec::new();
    for node in 0..exit {
        let component = components[node as usize] as usize;
        if !std::mem::replace(&mut has_way_out[component], true) {
            ends.push(Edge { from: node, to: exit, kind: EdgeKind::Never });
        }
    }
    ends
}
