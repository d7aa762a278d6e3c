//! Numbers for the places of a program, assigned by the linker.
//!
//! Each function has a byte array in one section, with a byte for each of its instructions, and one
//! for each successor of a terminator. A place is the address of its byte: unique in the linked
//! program, known without other functions, and the byte itself records coverage.

use std::collections::HashMap;

use inkwell::llvm_sys::LLVMLinkage;

use crate::llvm::{Handle, Value, element_address};

/// The section that the arrays are in.
pub(crate) const SECTION: &str = "plx_sites";
/// The prefix of the name of a function's array.
pub(crate) const PREFIX: &str = "plx.sites.";

/// The places of one function.
pub(crate) struct Sites {
    array: Value,
    slots: HashMap<Value, u64>,
}

impl Sites {
    pub(crate) fn new(handle: &Handle, function: Value) -> Sites {
        let mut slots = HashMap::new();
        let mut size = 0;
        for instruction in function.blocks().iter().flat_map(|block| block.instructions()) {
            slots.insert(instruction, size);
            size += slot_count(instruction);
        }
        let ty = handle.array(handle.int(8), size.max(1));
        let array = handle.add_global(&format!("{PREFIX}{}", function.name()), ty);
        array.set_initializer(ty.zero());
        array.set_section(SECTION);
        array.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        array.hide();
        Sites { array, slots }
    }

    /// Whether this is an instruction of the original program.
    pub(crate) fn contains(&self, instruction: Value) -> bool {
        self.slots.contains_key(&instruction)
    }

    /// The place of an instruction, or of its `way`th successor.
    pub(crate) fn address(&self, handle: &Handle, instruction: Value, way: u64) -> Value {
        let slot = self.slots.get(&instruction).copied().unwrap_or_default();
        element_address(handle, self.array, slot + way)
    }
}

fn slot_count(instruction: Value) -> u64 {
    match instruction.opcode() {
        crate::llvm::Opcode::LLVMBr | crate::llvm::Opcode::LLVMSwitch => {
            (instruction.successors().len() as u64).max(1)
        }
        _ => 1,
    }
}
