//! A builder of instructions.

use inkwell::llvm_sys::{LLVMIntPredicate, core::*, prelude::LLVMBuilderRef};

use super::{Block, Handle, Type, Value};

/// A builder of instructions.
pub(crate) struct Builder {
    pub(super) builder: LLVMBuilderRef,
    pub(super) handle: Handle,
}

impl Drop for Builder {
    fn drop(&mut self) {
        seam!(LLVMDisposeBuilder(self.builder));
    }
}

pub(super) const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Builder {
    pub(crate) fn before(&self, instruction: Value) {
        seam!(LLVMPositionBuilderBefore(self.builder, instruction.0));
    }

    /// Moves behind the phis of the block that `instruction` is in.
    pub(crate) fn after_phis(&self, instruction: Value) {
        if let Some(first) = instruction.block().first_after_phis() {
            self.before(first);
        }
    }

    pub(crate) fn at_end(&self, block: Block) {
        seam!(LLVMPositionBuilderAtEnd(self.builder, block.0));
    }

    pub(crate) fn call(&self, signature: Type, callee: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        let count = arguments.len() as u32;
        Value(seam!(LLVMBuildCall2(
            self.builder,
            signature.0,
            callee.0,
            arguments.as_mut_ptr(),
            count,
            NO_NAME
        )))
    }

    pub(crate) fn phi(&self, of: Type) -> Value {
        Value(seam!(LLVMBuildPhi(self.builder, of.0, NO_NAME)))
    }

    pub(crate) fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(seam!(LLVMBuildSelect(self.builder, condition.0, yes.0, no.0, NO_NAME)))
    }

    pub(crate) fn extract(&self, aggregate: Value, index: u32) -> Value {
        Value(seam!(LLVMBuildExtractValue(self.builder, aggregate.0, index, NO_NAME)))
    }

    pub(crate) fn insert(&self, aggregate: Value, value: Value, index: u32) -> Value {
        Value(seam!(LLVMBuildInsertValue(self.builder, aggregate.0, value.0, index, NO_NAME)))
    }

    pub(crate) fn zero_extend(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildZExt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn sign_extend(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildSExt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn truncate(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildTrunc(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn bit_cast(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildBitCast(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn pointer_to_int(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildPtrToInt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn multiply(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildMul(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn shift_right(&self, value: Value, by: Value) -> Value {
        Value(seam!(LLVMBuildLShr(self.builder, value.0, by.0, NO_NAME)))
    }

    pub(crate) fn or(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildOr(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn add(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildAdd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn and(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildAnd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn branch(&self, condition: Value, yes: Block, no: Block) {
        seam!(LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0));
    }

    /// A copy of an instruction.
    pub(crate) fn copy(&self, instruction: Value) -> Value {
        let copy = seam!(LLVMInstructionClone(instruction.0));
        seam!(LLVMInsertIntoBuilder(self.builder, copy));
        Value(copy)
    }

    /// The address at a variable number of bytes after `address`.
    pub(crate) fn byte_offset(&self, address: Value, offset: Value) -> Value {
        let byte = self.handle.int(8);
        let mut index = offset.0;
        Value(seam!(LLVMBuildGEP2(self.builder, byte.0, address.0, &mut index, 1, NO_NAME)))
    }

    pub(crate) fn float_multiply(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildFMul(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn float_add(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildFAdd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn equal(&self, left: Value, right: Value) -> Value {
        let equal = LLVMIntPredicate::LLVMIntEQ;
        Value(seam!(LLVMBuildICmp(self.builder, equal, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn freeze(&self, value: Value) -> Value {
        Value(seam!(LLVMBuildFreeze(self.builder, value.0, NO_NAME)))
    }

    pub(crate) fn load(&self, of: Type, address: Value) -> Value {
        Value(seam!(LLVMBuildLoad2(self.builder, of.0, address.0, NO_NAME)))
    }

    pub(crate) fn store(&self, value: Value, address: Value) -> Value {
        Value(seam!(LLVMBuildStore(self.builder, value.0, address.0)))
    }

    pub(crate) fn stack(&self, of: Type) -> Value {
        Value(seam!(LLVMBuildAlloca(self.builder, of.0, NO_NAME)))
    }

    /// The address `offset` bytes after `address`.
    pub(crate) fn offset(&self, address: Value, offset: u64) -> Value {
        let byte = self.handle.int(8);
        let mut index = self.handle.int(64).constant(offset).0;
        Value(seam!(LLVMBuildGEP2(self.builder, byte.0, address.0, &mut index, 1, NO_NAME)))
    }

    pub(crate) fn ret(&self, value: Option<Value>) {
        match value {
            Some(value) => seam!(LLVMBuildRet(self.builder, value.0)),
            None => seam!(LLVMBuildRetVoid(self.builder)),
        };
    }
}
