//! One function, indexed for dependence queries.
//!
//! Instructions are counted from the first one of the function.

use std::collections::HashMap;

use super::{Memory, memory::Touch};
use crate::{
    graph::{Bits, Control, Controller, Digraph, EdgeKind, Flow, WholeFlow},
    model::{Detail, FunctionId, Instruction, Opcode, Operand, Program, SiteId},
    points_to::{CellId, Quick},
};

/// A call of the program's own functions, or one that may not return.
#[derive(Debug)]
pub(super) struct OwnCall {
    /// The instruction.
    pub(super) index: u32,
    /// The program's own functions that it may call.
    pub(super) callees: Vec<FunctionId>,
    /// Whether it ends the program in order.
    pub(super) is_exit: bool,
    /// Whether it resumes where another call returns a second time.
    pub(super) is_jump: bool,
}

/// The dependence index of a function.
#[derive(Debug)]
pub(super) struct Body<'p> {
    pub(super) id: FunctionId,
    /// The id of the first instruction.
    first: u32,
    pub(super) instructions: Vec<&'p Instruction>,
    /// The node of each instruction.
    nodes: Vec<u32>,
    /// The first instruction of each node, and the number of instructions.
    starts: Vec<u32>,
    /// The instructions that use the result of an instruction.
    users: Digraph,
    /// The instructions that use a parameter.
    parameter_users: Vec<Vec<u32>>,
    /// The instructions that fetch arguments beyond the named parameters.
    argument_takers: Vec<u32>,
    /// Reads and writes of a cell, in the order of the code.
    touches: HashMap<CellId, Vec<(u32, Touch)>, Quick>,
    /// The calls that leave the function.
    calls: Vec<OwnCall>,
    /// Reads and replacements, in the order of the code.
    accesses: Vec<(u32, Touch, CellId)>,
    /// The nodes with a return.
    leaving: Bits,
    /// The cells that instructions write.
    writes: HashMap<u32, Vec<CellId>, Quick>,
    /// The cells that instructions read.
    reads: HashMap<u32, Vec<CellId>, Quick>,
    /// Phis by the jump that decides which value they choose.
    chosen_by: HashMap<u32, Vec<u32>>,
    /// The same, by the phi.
    deciders: HashMap<u32, Vec<u32>>,
}

impl<'p> Body<'p> {
    pub(super) fn new(
        program: &'p Program,
        whole: &WholeFlow,
        memory: &Memory,
        id: FunctionId,
    ) -> Body<'p> {
        let function = program.at(id);
        let flow = whole.flow(id);
        let blocks = function.blocks.iter();
        let instructions: Vec<_> = blocks.flat_map(|block| &block.instructions).collect();
        let mut body = Body {
            id,
            first: instructions.first().map_or(0, |instruction| instruction.site.0),
            nodes: Vec::with_capacity(instructions.len()),
            starts: Vec::with_capacity(flow.segments.len() + 1),
            users: Digraph::default(),
            parameter_users: vec![Vec::new(); function.parameters as usize],
            argument_takers: Vec::new(),
            touches: HashMap::default(),
            calls: Vec::new(),
            accesses: Vec::new(),
            leaving: Bits::new(flow.segments.len()),
            writes: HashMap::default(),
            reads: HashMap::default(),
            chosen_by: HashMap::new(),
            deciders: HashMap::new(),
            instructions,
        };
        body.place(flow);
        body.find_users();
        body.find_touches(memory);
        body.find_choices(flow, whole.control(id));
        body
    }

    fn place(&mut self, flow: &Flow) {
        for (node, segment) in (0..).zip(&flow.segments) {
            if flow.edges(node).any(|edge| edge.kind == EdgeKind::Left) {
                self.leaving.insert(node as usize);
            }
            self.starts.push(self.nodes.len() as u32);
            self.nodes.extend(segment.instructions.clone().map(|_| node));
        }
        self.starts.push(self.nodes.len() as u32);
    }

    fn find_users(&mut self) {
        let mut edges = Vec::new();
        for (user, instruction) in (0..).zip(&self.instructions) {
            for operand in &instruction.operands {
                match operand {
                    Operand::Site(site) => edges.push((site.0 - self.first, user)),
                    Operand::Parameter(index) => self.parameter_users[*index as usize].push(user),
                    _ => {}
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        self.users = Digraph::new(self.instructions.len(), &edges);
    }

    fn find_touches(&mut self, memory: &Memory) {
        for (index, instruction) in (0..).zip(&self.instructions) {
            self.calls.extend(memory.own_call(index, instruction));
            if memory.takes_more_arguments(instruction) {
                self.argument_takers.push(index);
            }
            for &(cell, touch) in memory.touches(instruction) {
                self.touches.entry(cell).or_default().push((index, touch));
                if touch != Touch::Write {
                    self.accesses.push((index, touch, cell));
                }
                match touch {
                    Touch::Read => self.reads.entry(index).or_default().push(cell),
                    Touch::Write | Touch::Replace => {
                        self.writes.entry(index).or_default().push(cell);
                    }
                }
            }
        }
    }

    /// Makes a phi depend on the jumps that decide the incoming edge.
    fn find_choices(&mut self, flow: &Flow, control: &Control) {
        let phis = (0..).zip(self.instructions.clone());
        let phis = phis.filter(|(_, instruction)| instruction.opcode == Opcode::Phi);
        for (phi, instruction) in phis {
            let Detail::Incoming(blocks) = &instruction.detail else { continue };
            let own = control.controllers(self.node(phi)).to_vec();
            let mut deciders = Vec::new();
            for node in blocks.iter().map(|block| flow.last(*block)) {
                if flow.graph.successors(node).len() > 1 {
                    deciders.push(node);
                }
                let others = control.controllers(node).iter();
                deciders.extend(others.filter(|it| !own.contains(it)).filter_map(|it| match it {
                    Controller::Edge { from, .. } => Some(*from),
                    Controller::Entry => None,
                }));
            }
            deciders.sort_unstable();
            deciders.dedup();
            for node in deciders {
                let jump = self.last(node);
                self.chosen_by.entry(jump).or_default().push(phi);
                self.deciders.entry(phi).or_default().push(jump);
            }
        }
    }

    pub(super) fn site(&self, index: u32) -> SiteId {
        SiteId(self.first + index)
    }

    pub(super) fn index(&self, site: SiteId) -> u32 {
        site.0 - self.first
    }

    pub(super) fn node(&self, index: u32) -> u32 {
        self.nodes[index as usize]
    }

    /// The instructions of a node.
    pub(super) fn range(&self, node: u32) -> std::ops::Range<u32> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    /// The last instruction of a node.
    pub(super) fn last(&self, node: u32) -> u32 {
        self.starts[node as usize + 1] - 1
    }

    pub(super) fn users(&self, index: u32) -> &[u32] {
        self.users.successors(index)
    }

    pub(super) fn parameter_users(&self, parameter: u32) -> &[u32] {
        self.parameter_users.get(parameter as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn argument_takers(&self) -> &[u32] {
        &self.argument_takers
    }

    pub(super) fn writes(&self, index: u32) -> &[CellId] {
        self.writes.get(&index).map_or(&[], Vec::as_slice)
    }

    pub(super) fn reads(&self, index: u32) -> &[CellId] {
        self.reads.get(&index).map_or(&[], Vec::as_slice)
    }

    /// The call at the end of a node, if it leaves the function.
    pub(super) fn call_of(&self, node: u32) -> Option<&OwnCall> {
        let last = self.last(node);
        let at = self.calls.partition_point(|call| call.index < last);
        self.calls.get(at).filter(|call| call.index == last)
    }

    /// Reads and replacements among the instructions from `start` to before `end`.
    pub(super) fn accesses(&self, start: u32, end: u32) -> &[(u32, Touch, CellId)] {
        let from = self.accesses.partition_point(|(index, ..)| *index < start);
        let length = self.accesses[from..].partition_point(|(index, ..)| *index < end);
        &self.accesses[from..from + length]
    }

    /// Accesses of a cell among the instructions from `start` to before `end`.
    pub(super) fn touches(&self, cell: CellId, start: u32, end: u32) -> &[(u32, Touch)] {
        let all = self.touches.get(&cell).map_or(&[][..], Vec::as_slice);
        let from = all.partition_point(|(index, _)| *index < start);
        let length = all[from..].partition_point(|(index, _)| *index < end);
        &all[from..from + length]
    }

    /// The values that a jump chooses.
    pub(super) fn chosen_by(&self, jump: u32) -> &[u32] {
        self.chosen_by.get(&jump).map_or(&[], Vec::as_slice)
    }

    /// The jumps that choose a value.
    pub(super) fn deciders(&self, chosen: u32) -> &[u32] {
        self.deciders.get(&chosen).map_or(&[], Vec::as_slice)
    }

    /// The nodes with a return.
    pub(super) fn leaving(&self) -> &Bits {
        &self.leaving
    }
}
