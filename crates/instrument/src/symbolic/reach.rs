//! The values of a function that can have a label at all.
//!
//! A counter that starts at zero and is incremented never has one, and then costs nothing: this
//! keeps loops fast.

use std::collections::HashSet;

use super::{leaf::is_scalar, pass::Pass};
use crate::llvm::{Block, Opcode, TypeKind, Value};

/// The values that may be symbolic.
#[derive(Default)]
pub(crate) struct Reach(HashSet<Value>);

impl Reach {
    /// Computes them: the least fixpoint, so that a cycle needs a source outside itself.
    pub(crate) fn of(pass: &Pass, function: Value, order: &[Block]) -> Reach {
        let parameters = function.parameters().into_iter();
        let mut reach = Reach(parameters.filter(|parameter| has_leaf(*parameter)).collect());
        let instructions: Vec<_> =
            order.iter().flat_map(|block| block.instructions()).filter(|i| has_leaf(*i)).collect();
        loop {
            let before = reach.0.len();
            for instruction in &instructions {
                if !reach.0.contains(instruction) && reach.is_source_or_derived(pass, *instruction)
                {
                    reach.0.insert(*instruction);
                }
            }
            if reach.0.len() == before {
                return reach;
            }
        }
    }

    /// Whether the value may have a label.
    pub(crate) fn contains(&self, value: Value) -> bool {
        self.0.contains(&value)
    }

    /// Transfers the membership of a value to its replacement.
    pub(crate) fn rename(&mut self, old: Value, new: Value) {
        if self.0.remove(&old) {
            self.0.insert(new);
        }
    }

    fn is_source_or_derived(&self, pass: &Pass, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMLoad => !is_constant_memory(instruction.operand(0)),
            Opcode::LLVMCall => {
                pass.call_may_be_symbolic(instruction)
                    || (pass.call_passes_labels(instruction) && self.any(&instruction.arguments()))
            }
            Opcode::LLVMVAArg => true,
            Opcode::LLVMAlloca
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMLandingPad
            | Opcode::LLVMExtractElement
            | Opcode::LLVMCallBr
            | Opcode::LLVMInvoke => false,
            Opcode::LLVMPHI => {
                instruction.incoming().iter().any(|(value, _)| self.contains(*value))
            }
            _ => self.any(&instruction.operands()),
        }
    }

    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.contains(*value))
    }
}

fn has_leaf(value: Value) -> bool {
    let ty = value.ty();
    is_scalar(ty) || matches!(ty.kind(), TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind)
}

/// Whether memory that is loaded from here is constant.
fn is_constant_memory(address: Value) -> bool {
    address.as_global_variable().is_some_and(Value::is_constant_global)
}
