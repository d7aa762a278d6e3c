//! Properties of all values.

use inkwell::llvm_sys::core::*;

use super::{Opcode, Type, Value, non_null};

impl Value {
    pub(crate) fn ty(self) -> Type {
        Type(seam!(LLVMTypeOf(self.0)))
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let start = seam!(LLVMGetValueName2(self.0, &mut length));
        let bytes = seam!(std::slice::from_raw_parts(start.cast::<u8>(), length));
        String::from_utf8_lossy(bytes).into_owned()
    }

    pub(crate) fn set_name(self, name: &str) {
        seam!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    pub(crate) fn as_function(self) -> Option<Value> {
        non_null(seam!(LLVMIsAFunction(self.0)))
    }

    pub(crate) fn as_alias(self) -> Option<Value> {
        non_null(seam!(LLVMIsAGlobalAlias(self.0)))
    }

    pub(crate) fn aliasee(self) -> Value {
        Value(seam!(LLVMAliasGetAliasee(self.0)))
    }

    pub(crate) fn is_inline_assembler(self) -> bool {
        !seam!(LLVMIsAInlineAsm(self.0)).is_null()
    }

    pub(crate) fn as_constant_int(self) -> Option<u64> {
        let is_small = self.ty().is_int() && self.ty().bits() <= 64;
        let int = is_small.then(|| seam!(LLVMIsAConstantInt(self.0)))?;
        (!int.is_null()).then(|| seam!(LLVMConstIntGetZExtValue(int)))
    }

    pub(crate) fn as_instruction(self) -> Option<Value> {
        non_null(seam!(LLVMIsAInstruction(self.0)))
    }

    pub(crate) fn as_global_variable(self) -> Option<Value> {
        non_null(seam!(LLVMIsAGlobalVariable(self.0)))
    }

    pub(crate) fn opcode(self) -> Opcode {
        seam!(LLVMGetInstructionOpcode(self.0))
    }

    pub(crate) fn operands(self) -> Vec<Value> {
        let count = seam!(LLVMGetNumOperands(self.0));
        (0..count as u32).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Value(seam!(LLVMGetOperand(self.0, index)))
    }

    pub(crate) fn next(self) -> Option<Value> {
        non_null(seam!(LLVMGetNextInstruction(self.0)))
    }

    pub(crate) fn erase(self) {
        seam!(LLVMInstructionEraseFromParent(self.0));
    }

    pub(crate) fn replace_with(self, other: Value) {
        seam!(LLVMReplaceAllUsesWith(self.0, other.0));
    }

    /// Whether it is a constant without a fixed value: undef or poison.
    pub(crate) fn is_undefined(self) -> bool {
        seam!(LLVMIsUndef(self.0)) != 0 || seam!(LLVMIsPoison(self.0)) != 0
    }

    /// The operands of a metadata node, except for missing ones; none of other metadata.
    pub(crate) fn node_operands(self) -> Vec<Value> {
        if seam!(LLVMIsAMDNode(self.0)).is_null() {
            return Vec::new();
        }
        let count = seam!(LLVMGetMDNodeNumOperands(self.0)) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        seam!(LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr()));
        operands.into_iter().filter(|operand| !operand.is_null()).map(Value).collect()
    }

    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = seam!(LLVMGetFirstUse(self.0));
        while !next.is_null() {
            users.push(Value(seam!(LLVMGetUser(next))));
            next = seam!(LLVMGetNextUse(next));
        }
        users
    }
}
