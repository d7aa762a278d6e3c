//! Recording: what aligning the runs of two versions needs, of the functions that are asked for.
//!
//! In a recorded function every branch is an event, also a concrete one, and every value that is
//! computed or stored, with its label or without: `y = 2` against `y = 3` has no label. A load also
//! says who wrote the memory, and for that all functions keep track of what they write.

use std::collections::BTreeSet;

use super::{
    leaf::{bits, is_scalar},
    weaver::{Fate, Weaver},
};
use crate::llvm::{Opcode, Value};

/// Which functions are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Their names in the model of the program.
    pub functions: BTreeSet<String>,
}

impl Recording {
    /// Whether there is anything to record.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

impl Weaver<'_> {
    fn is_recorded(&self) -> bool {
        self.pass.recording.functions.contains(&self.function.name())
    }

    /// The first thing that a recorded function does.
    pub(crate) fn record_entry(&self, first: Value) {
        if self.is_recorded() {
            self.effect("plx_record_enter", &[self.site(first)]);
        }
    }

    /// Before a terminator, when its labels are known.
    pub(crate) fn record_jump(&self, jump: Value) {
        if !self.is_recorded() {
            return;
        }
        let site = self.site(jump);
        match jump.opcode() {
            Opcode::LLVMRet => self.effect("plx_record_leave", &[site]),
            Opcode::LLVMBr if jump.is_conditional() => {
                let condition = jump.operand(0);
                self.effect("plx_record_branch", &[site, self.label(condition), condition]);
            }
            Opcode::LLVMSwitch => {
                let value = jump.operand(0);
                let width = self.handle.label(bits(value.ty()));
                let number = self.bits_as(value, 64);
                self.effect("plx_record_switch", &[site, self.label(value), number, width]);
            }
            _ => {}
        }
    }

    /// After an instruction, which may have been replaced; `next` follows it.
    pub(crate) fn record(&self, instruction: Value, opcode: Opcode, next: Value) {
        if self.pass.recording.is_empty() {
            return;
        }
        self.builder.before(next);
        match opcode {
            Opcode::LLVMStore => return self.record_store(instruction),
            Opcode::LLVMPHI => self.builder.after_phis(next),
            _ => {}
        }
        match self.fate {
            Fate::Kept => self.record_value(instruction, opcode, instruction),
            Fate::Replaced(value) => self.record_value(instruction, opcode, value),
            Fate::Gone => {}
        }
        if opcode == Opcode::LLVMLoad && self.is_recorded() {
            self.effect("plx_record_writer", &[self.site(instruction), instruction.operand(0)]);
        }
    }

    fn record_value(&self, place: Value, opcode: Opcode, value: Value) {
        if self.is_recorded() && is_scalar(value.ty()) && is_told(opcode) {
            self.tell(place, value);
        }
    }

    fn tell(&self, place: Value, value: Value) {
        let width = self.handle.label(bits(value.ty()));
        let number = self.bits_as(value, 64);
        self.effect("plx_record_value", &[self.site(place), self.label(value), number, width]);
    }

    /// A store: what it stores, and that it wrote.
    pub(crate) fn record_store(&self, store: Value) {
        let (value, address) = (store.operand(0), store.operand(1));
        if self.is_recorded() && is_scalar(value.ty()) {
            self.tell(store, value);
        }
        let size = self.number(64, self.handle.store_size(value.ty()));
        self.record_write(store, address, size);
    }

    /// Memory was written at `place`.
    pub(crate) fn record_write(&self, place: Value, address: Value, size: Value) {
        if self.pass.recording.is_empty() {
            return;
        }
        match self.is_model {
            true => self.effect("plx_model_wrote", &[address, size]),
            false => self.effect("plx_wrote", &[address, size, self.site(place)]),
        }
    }
}

/// What is worth telling: addresses differ between versions for no reason of the change, and a
/// value that is only converted was told already.
fn is_told(opcode: Opcode) -> bool {
    !matches!(
        opcode,
        Opcode::LLVMAlloca
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMFreeze
            | Opcode::LLVMExtractValue
    )
}
