//! The instructions that have to be recorded if there is no room for all.

use parallax_program::{BlockId, Function, Opcode, SiteId, graph::Bits};

use crate::code::{Code, Regions};

impl Code<'_> {
    /// The instructions that show the effects of changes: those that a change may affect, all that
    /// call or return, and the decisions under which any of them is executed. A loop that no change
    /// affects leaves no records.
    pub fn needed(&self, affected: &Bits) -> Bits {
        let mut needed = affected.clone();
        for (_, function) in self.program.defined() {
            for block in needed_blocks(function, affected) {
                let instructions = &function.blocks[block.0 as usize].instructions;
                let shaping = instructions.iter().filter(|it| shapes(it.opcode));
                shaping.for_each(|it| _ = needed.insert(it.site.0 as usize));
            }
        }
        needed
    }
}

/// The blocks with an instruction that is needed for itself, and the blocks that decide on them.
fn needed_blocks(function: &Function, affected: &Bits) -> Vec<BlockId> {
    let is_affected = |site: SiteId| affected.contains(site.0 as usize);
    let own = (0..).map(BlockId).zip(&function.blocks).filter(|(_, block)| {
        let mut instructions = block.instructions.iter();
        instructions
            .any(|it| is_affected(it.site) || matches!(it.opcode, Opcode::Call | Opcode::Ret))
    });
    let mut needed: Vec<BlockId> = own.map(|(id, _)| id).collect();
    let regions = Regions::of(function);
    let mut is_known = vec![false; function.blocks.len()];
    needed.iter().for_each(|block| is_known[block.0 as usize] = true);
    let mut at = 0;
    while let Some(block) = needed.get(at).copied() {
        at += 1;
        for decider in regions.deciders(block) {
            if !std::mem::replace(&mut is_known[decider.0 as usize], true) {
                needed.push(*decider);
            }
        }
    }
    needed
}

/// Whether an instruction shapes a run: it decides, calls, returns, or chooses by the path taken.
fn shapes(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Call | Opcode::Br | Opcode::Switch | Opcode::Ret | Opcode::Phi)
}
