//! Properties of instructions of one kind.

use inkwell::llvm_sys::core::*;

use super::{Block, IntPredicate, Opcode, RealPredicate, Type, Value};

impl Value {
    pub(crate) fn callee(self) -> Value {
        Value(seam!(LLVMGetCalledValue(self.0)))
    }

    pub(crate) fn call_signature(self) -> Type {
        Type(seam!(LLVMGetCalledFunctionType(self.0)))
    }

    /// Whether a call has operand bundles.
    pub(crate) fn has_bundles(self) -> bool {
        seam!(LLVMGetNumOperandBundles(self.0)) > 0
    }

    pub(crate) fn arguments(self) -> Vec<Value> {
        (0..seam!(LLVMGetNumArgOperands(self.0))).map(|i| self.operand(i)).collect()
    }

    /// The file and line of an instruction, if they are known.
    pub(crate) fn place(self) -> Option<String> {
        let mut length = 0;
        let start = seam!(LLVMGetDebugLocFilename(self.0, &mut length)).cast::<u8>();
        if start.is_null() {
            return None;
        }
        let name = seam!(std::slice::from_raw_parts(start, length as usize));
        let line = seam!(LLVMGetDebugLocLine(self.0));
        Some(format!("{}:{line}", String::from_utf8_lossy(name)))
    }

    pub(crate) fn int_predicate(self) -> IntPredicate {
        seam!(LLVMGetICmpPredicate(self.0))
    }

    pub(crate) fn real_predicate(self) -> RealPredicate {
        seam!(LLVMGetFCmpPredicate(self.0))
    }

    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        let count = seam!(LLVMCountIncoming(self.0));
        (0..count)
            .map(|i| {
                let value = Value(seam!(LLVMGetIncomingValue(self.0, i)));
                (value, Block(seam!(LLVMGetIncomingBlock(self.0, i))))
            })
            .collect()
    }

    pub(crate) fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        seam!(LLVMAddIncoming(self.0, &mut value, &mut block, 1));
    }

    pub(crate) fn indices(self) -> Vec<u32> {
        let count = seam!(LLVMGetNumIndices(self.0)) as usize;
        let start = seam!(LLVMGetIndices(self.0));
        seam!(std::slice::from_raw_parts(start, count)).to_vec()
    }

    pub(crate) fn allocated(self) -> Type {
        Type(seam!(LLVMGetAllocatedType(self.0)))
    }

    pub(crate) fn source_element(self) -> Type {
        Type(seam!(LLVMGetGEPSourceElementType(self.0)))
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        let count = seam!(LLVMGetNumSuccessors(self.0));
        (0..count).map(|i| Block(seam!(LLVMGetSuccessor(self.0, i)))).collect()
    }

    pub(crate) fn successors_if_any(self) -> Vec<Block> {
        let is_terminator = !seam!(LLVMIsATerminatorInst(self.0)).is_null();
        if is_terminator { self.successors() } else { Vec::new() }
    }

    pub(crate) fn set_successor(self, index: u32, block: Block) {
        seam!(LLVMSetSuccessor(self.0, index, block.0));
    }

    /// Replaces the operands that are values.
    pub(crate) fn replace_operands(self, by: &dyn Fn(Value) -> Value) {
        for index in 0..seam!(LLVMGetNumOperands(self.0)) as u32 {
            let old = self.operand(index);
            if !old.0.is_null() && seam!(LLVMValueIsBasicBlock(old.0)) == 0 {
                let new = by(old);
                if new != old {
                    seam!(LLVMSetOperand(self.0, index, new.0));
                }
            }
        }
    }

    pub(crate) fn is_atomic(self) -> bool {
        seam!(LLVMGetOrdering(self.0))
            != inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
    }

    pub(crate) fn block(self) -> Block {
        Block(seam!(LLVMGetInstructionParent(self.0)))
    }

    pub(crate) fn as_signed_constant(self) -> Option<i64> {
        let is_small = self.ty().is_int() && self.ty().bits() <= 64;
        let int = is_small.then(|| seam!(LLVMIsAConstantInt(self.0)))?;
        (!int.is_null()).then(|| seam!(LLVMConstIntGetSExtValue(int)))
    }

    pub(crate) fn is_conditional(self) -> bool {
        self.opcode() == Opcode::LLVMBr && seam!(LLVMIsConditional(self.0)) != 0
    }

    pub(crate) fn set_alignment(self, bytes: u32) {
        if seam!(LLVMGetAlignment(self.0)) < bytes {
            seam!(LLVMSetAlignment(self.0, bytes));
        }
    }

    pub(crate) fn make_volatile(self) {
        seam!(LLVMSetVolatile(self.0, 1));
    }

    pub(crate) fn set_operand(self, index: u32, value: Value) {
        seam!(LLVMSetOperand(self.0, index, value.0));
    }

    /// Removes the flags of arithmetic and address computations.
    pub(crate) fn forget_flags(self) {
        match self.opcode() {
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl => {
                seam!(LLVMSetNSW(self.0, 0));
                seam!(LLVMSetNUW(self.0, 0));
            }
            Opcode::LLVMSDiv | Opcode::LLVMUDiv | Opcode::LLVMAShr | Opcode::LLVMLShr => {
                seam!(LLVMSetExact(self.0, 0));
            }
            Opcode::LLVMZExt | Opcode::LLVMUIToFP => seam!(LLVMSetNNeg(self.0, 0)),
            Opcode::LLVMOr => seam!(LLVMSetIsDisjoint(self.0, 0)),
            Opcode::LLVMGetElementPtr => seam!(LLVMSetIsInBounds(self.0, 0)),
            _ => {}
        }
    }

    /// Whether floating-point arithmetic may be done in another order, or with other numbers.
    pub(crate) fn has_fast_math(self) -> bool {
        let is_possible = seam!(LLVMCanValueUseFastMathFlags(self.0)) != 0;
        is_possible && seam!(LLVMGetFastMathFlags(self.0)) != 0
    }

    /// Whether this is a constant number made of an address.
    pub(crate) fn is_address_as_number(self) -> bool {
        let is_expression = !self.0.is_null() && !seam!(LLVMIsAConstantExpr(self.0)).is_null();
        is_expression
            && (seam!(LLVMGetConstOpcode(self.0)) == Opcode::LLVMPtrToInt
                || self.constant_operands().into_iter().any(Value::is_address_as_number))
    }

    /// The text of inline assembler.
    pub(crate) fn assembler_text(self) -> String {
        let mut length = 0;
        let start = seam!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        let bytes = seam!(std::slice::from_raw_parts(start.cast::<u8>(), length));
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Clears the tail call mark, because code follows the call now.
    pub(crate) fn clear_tail_call(self) {
        seam!(LLVMSetTailCallKind(
            self.0,
            inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindNone
        ));
    }
}
