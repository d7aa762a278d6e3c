//! The targets of jumps out of scopes.

use std::collections::HashMap;

use crate::model::{
    Block, BlockId, Detail, Function, Instruction, Opcode, Operand, Program, SiteId,
};

/// The front end's variables of a function that select where control goes after a cleanup.
pub(super) struct Cleanup<'p> {
    program: &'p Program,
    /// The constants that each block stores in them.
    left: HashMap<(BlockId, SiteId), u64>,
}

/// Limit on blocks to skip.
const MOST_SCOPES: usize = 64;

impl<'p> Cleanup<'p> {
    pub(super) fn new(program: &'p Program, function: &Function) -> Cleanup<'p> {
        let entry = function.blocks.first().map_or(&[][..], |block| &block.instructions);
        // They have no name in the source.
        let is_unnamed = |it: &&Instruction| matches!(it.detail, Detail::Local { name: None, .. });
        let slots: Vec<_> = entry.iter().filter(is_unnamed).map(|it| it.site).collect();
        let mut left = HashMap::new();
        for (id, block) in (0..).map(BlockId).zip(&function.blocks) {
            for store in block.instructions.iter().filter(|it| it.opcode == Opcode::Store) {
                let [value, Operand::Site(slot)] = store.operands[..] else { continue };
                if slots.contains(&slot) {
                    match constant(program, value) {
                        Some(value) => left.insert((id, slot), value),
                        None => left.remove(&(id, slot)),
                    };
                }
            }
        }
        Cleanup { program, left }
    }

    /// The actual target of a way out of a block, behind cleanups.
    pub(super) fn landing(&self, function: &Function, from: BlockId, way: u32) -> BlockId {
        let block = |id: BlockId| &function.blocks[id.0 as usize];
        let next = block(from).successors[way as usize];
        if block(from).successors.len() > 1 {
            return next;
        }
        let (mut landing, mut at) = (next, next);
        for _ in 0..MOST_SCOPES {
            match self.step(from, block(at)) {
                Some((next, true)) => (landing, at) = (next, next),
                // Skipping pays only up to a known choice.
                Some((next, false)) => at = next,
                None => break,
            }
        }
        landing
    }

    /// The successor of a block that only ends scopes, if control comes from `from`, and whether
    /// the block has a choice.
    fn step(&self, from: BlockId, block: &Block) -> Option<(BlockId, bool)> {
        let (last, others) = block.instructions.split_last()?;
        let mut loads = others.iter().filter(|it| !self.is_end_of_scope(it));
        match (last.opcode, loads.next(), loads.next()) {
            (Opcode::Br, None, None) if block.successors.len() == 1 => {
                Some((block.successors[0], false))
            }
            (Opcode::Switch, Some(load), None)
                if last.operands[..] == [Operand::Site(load.site)] =>
            {
                let Operand::Site(slot) = *load.operands.first()? else { return None };
                let value = self.left.get(&(from, slot))?;
                let case = block.cases.iter().position(|case| case == value);
                let way = case.map_or(0, |case| case + 1);
                Some((*block.successors.get(way)?, true))
            }
            _ => None,
        }
    }

    fn is_end_of_scope(&self, instruction: &Instruction) -> bool {
        let name = instruction.callee.map(|callee| self.program.at(callee).name.as_str());
        name.is_some_and(|name| {
            name.starts_with("llvm.lifetime.") || name.starts_with("llvm.stackrestore")
        })
    }
}

/// The value of an integer constant.
fn constant(program: &Program, operand: Operand) -> Option<u64> {
    let Operand::Constant(id) = operand else { return None };
    let (_, value) = program.constants.get(id.0 as usize)?.text.split_once(' ')?;
    value.parse().ok()
}
