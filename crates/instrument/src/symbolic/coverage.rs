//! Which edges of the program ran: a byte for each, set where the edge is taken.
//!
//! An edge to a block that has no other way in is marked in that block, at a fixed place, which the
//! optimiser can move out of loops. Others are marked before the jump, by what it depends on.

use std::collections::HashMap;

use super::weaver::Weaver;
use crate::llvm::{Block, Opcode, Value};

impl Weaver<'_> {
    pub(crate) fn cover(&mut self, code: &[(Block, Vec<Value>)]) {
        let mut ways_in: HashMap<Block, usize> = HashMap::new();
        let terminators: Vec<_> = code.iter().filter_map(|(block, _)| block.terminator()).collect();
        for block in terminators.iter().flat_map(|terminator| terminator.successors()) {
            *ways_in.entry(block).or_default() += 1;
        }
        for terminator in terminators {
            match terminator.opcode() {
                Opcode::LLVMBr if terminator.is_conditional() => {
                    self.cover_branch(terminator, &ways_in);
                }
                Opcode::LLVMSwitch => self.cover_switch(terminator, &ways_in),
                _ => {}
            }
        }
    }

    fn cover_branch(&self, branch: Value, ways_in: &HashMap<Block, usize>) {
        let ways = branch.successors();
        if ways.iter().all(|block| ways_in[block] == 1) {
            for (way, block) in ways.iter().enumerate() {
                self.cover_block(branch, way, *block);
            }
            return;
        }
        self.builder.before(branch);
        let [yes, no] = [0, 1].map(|way| self.sites.address(&self.handle, branch, way));
        let address = self.builder.select(branch.operand(0), yes, no);
        self.builder.store(self.number(8, 1), address);
    }

    fn cover_block(&self, terminator: Value, way: usize, block: Block) {
        if let Some(first) = block.first_after_phis() {
            self.builder.before(first);
            let address = self.sites.address(&self.handle, terminator, way as u64);
            self.builder.store(self.number(8, 1), address);
        }
    }

    /// Successor 0 is the default; the others belong to the case values, which are operands 2, 4, …
    fn cover_switch(&self, switch: Value, ways_in: &HashMap<Block, usize>) {
        let mut shared = Vec::new();
        for (way, block) in switch.successors().into_iter().enumerate() {
            match ways_in[&block] {
                1 => self.cover_block(switch, way, block),
                _ => shared.push(way),
            }
        }
        self.builder.before(switch);
        let value = switch.operand(0);
        for way in shared {
            let taken = match way {
                0 => self.is_default(switch, value),
                way => self.builder.equal(value, switch.operand(2 * way as u32)),
            };
            let place = self.sites.address(&self.handle, switch, way as u64);
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
