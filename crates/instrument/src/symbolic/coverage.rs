//! Coverage of edges: a byte for each, set where the edge is taken, and one for the start of each
//! function. Everything else follows: a block is executed if an edge to it is.
//!
//! An edge to a block without another way in is marked in that block, at a fixed place, which the
//! optimiser can move out of loops. Others are marked before the jump, by its condition.

use std::collections::{HashMap, HashSet};

use super::weaver::Weaver;
use crate::llvm::{Block, Opcode, Value};

/// The outgoing edges of a jump.
struct Edges<'e> {
    jump: Value,
    /// The original jump, if this is a copy.
    counted: Value,
    ways_in: &'e HashMap<Block, HashSet<(Block, usize)>>,
}

impl Edges<'_> {
    fn is_only_way(&self, block: Block) -> bool {
        self.ways_in[&block].len() == 1
    }
}

impl Weaver<'_> {
    /// Adds coverage; `copies` are blocks that count as others.
    pub(crate) fn cover(&mut self, code: &[(Block, Vec<Value>)], copies: &HashMap<&Block, &Block>) {
        let original = |block: &Block| copies.get(block).map_or(*block, |original| **original);
        let mut ways_in: HashMap<Block, HashSet<(Block, usize)>> = HashMap::new();
        for (block, _) in code {
            for (way, next) in block.successors().into_iter().enumerate() {
                ways_in.entry(next).or_default().insert((original(block), way));
            }
        }
        for (block, _) in code {
            let (Some(jump), Some(counted)) = (block.terminator(), original(block).terminator())
            else {
                continue;
            };
            if !self.sites.contains(counted) {
                continue;
            }
            let edges = Edges { jump, counted, ways_in: &ways_in };
            match jump.opcode() {
                Opcode::LLVMBr if jump.is_conditional() => self.cover_branch(&edges),
                Opcode::LLVMSwitch => self.cover_switch(&edges),
                _ => {}
            }
        }
    }

    /// The place of a function's start is that of its first instruction, unless that is a jump: its
    /// edges give the same information.
    pub(crate) fn cover_entry(&self, first: Value) {
        if !self.is_model && first.successors_if_any().is_empty() {
            let address = self.sites.address(&self.handle, first, 0);
            self.builder.store(self.number(8, 1), address);
        }
    }

    fn cover_branch(&self, edges: &Edges<'_>) {
        let ways = edges.jump.successors();
        if ways.iter().all(|block| edges.is_only_way(*block)) {
            for (way, block) in ways.iter().enumerate() {
                self.cover_block(edges, way, *block);
            }
            return;
        }
        self.builder.before(edges.jump);
        let [yes, no] = [0, 1].map(|way| self.sites.address(&self.handle, edges.counted, way));
        let address = self.builder.select(edges.jump.operand(0), yes, no);
        self.builder.store(self.number(8, 1), address);
    }

    fn cover_block(&self, edges: &Edges<'_>, way: usize, block: Block) {
        if let Some(first) = block.first_after_phis() {
            self.builder.before(first);
            let address = self.sites.address(&self.handle, edges.counted, way as u64);
            self.builder.store(self.number(8, 1), address);
        }
    }

    /// Successor 0 is the default; the others belong to the case values, which are operands 2, 4, …
    fn cover_switch(&self, edges: &Edges<'_>) {
        let switch = edges.jump;
        let mut shared = Vec::new();
        for (way, block) in switch.successors().into_iter().enumerate() {
            match edges.is_only_way(block) {
                true => self.cover_block(edges, way, block),
                false => shared.push(way),
            }
        }
        self.builder.before(switch);
        let value = switch.operand(0);
        for way in shared {
            let taken = match way {
                0 => self.is_default(switch, value),
                way => self.builder.equal(value, switch.operand(2 * way as u32)),
            };
            let place = self.sites.address(&self.handle, edges.counted, way as u64);
            let old = self.builder.load(self.handle.int(8), place);
            let flag = self.builder.zero_extend(taken, self.handle.int(8));
            self.builder.store(self.builder.or(old, flag), place);
        }
    }

    fn is_default(&self, switch: Value, value: Value) -> Value {
        let cases = 1..switch.successors().len() as u32;
        let is_case = cases
            .map(|way| self.builder.equal(value, switch.operand(2 * way)))
            .reduce(|one, other| self.builder.or(one, other));
        let no = self.number(1, 0);
        self.builder.equal(is_case.unwrap_or(no), no)
    }
}
