//! Blocks.

use inkwell::llvm_sys::core::*;

use super::{Block, Opcode, Value, non_null};

impl Block {
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = non_null(seam!(LLVMGetFirstInstruction(self.0)));
        while let Some(instruction) = next {
            all.push(instruction);
            next = instruction.next();
        }
        all
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    pub(crate) fn terminator(self) -> Option<Value> {
        non_null(seam!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// The insertion point for new code: before everything but the phis.
    pub(crate) fn first_after_phis(self) -> Option<Value> {
        let instructions = self.instructions();
        instructions.into_iter().find(|instruction| instruction.opcode() != Opcode::LLVMPHI)
    }
}
