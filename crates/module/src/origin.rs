//! Maps instructions of another form of a program back to the original ones.
//!
//! The analyses work on the program as it was compiled, statement by statement; the program that
//! runs has been through passes that removed code which only the front end put there. Each
//! instruction is marked with its id before these passes, and the remaining ones keep the mark.

use inkwell::{
    llvm_sys::core::LLVMSetMetadata,
    values::{AsValueRef, InstructionValue},
};

use parallax_program::SiteId;

use crate::module::Module;

/// The name of the mark in a module.
pub const MARK: &str = "plx.site";

impl Module {
    /// Marks all instructions with the ids of the current program.
    pub fn mark_origins(&self) {
        let llvm = self.llvm();
        let context = llvm.get_context();
        let kind = context.get_kind_id(MARK);
        let functions = llvm.get_functions();
        let blocks = functions.flat_map(|function| function.get_basic_block_iter());
        let instructions = blocks.flat_map(|block| block.get_instructions());
        for (id, instruction) in (0..).zip(instructions) {
            let number = context.i32_type().const_int(id, false);
            let node = context.metadata_node(&[number.into()]);
            // SAFETY: both belong to the module's context. (The library's own function refuses
            // instructions that it does not expect to have metadata.)
            unsafe { LLVMSetMetadata(instruction.as_value_ref(), kind, node.as_value_ref()) };
        }
    }
}

/// The original instruction, by its mark.
pub(crate) fn origin(instruction: InstructionValue<'_>, kind: u32) -> Option<SiteId> {
    let node = instruction.get_metadata(kind)?;
    let values = node.get_node_values()?;
    let number = values.first().filter(|value| value.is_int_value())?.into_int_value();
    number.get_zero_extended_constant().map(|id| SiteId(id as u32))
}
