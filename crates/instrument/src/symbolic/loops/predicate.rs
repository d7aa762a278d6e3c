//! Termination of loops from their comparisons.

use crate::llvm::IntPredicate;

/// Whether this comparison with a limit fails in the end for a value that changes by `step`.
pub(super) fn leads_to_end(predicate: IntPredicate, step: i64) -> bool {
    match predicate {
        IntPredicate::LLVMIntNE => true,
        IntPredicate::LLVMIntEQ => false,
        IntPredicate::LLVMIntSLT
        | IntPredicate::LLVMIntSLE
        | IntPredicate::LLVMIntULT
        | IntPredicate::LLVMIntULE => step > 0,
        _ => step < 0,
    }
}

pub(super) fn inverse(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::LLVMIntEQ => IntPredicate::LLVMIntNE,
        IntPredicate::LLVMIntNE => IntPredicate::LLVMIntEQ,
        IntPredicate::LLVMIntSLT => IntPredicate::LLVMIntSGE,
        IntPredicate::LLVMIntSLE => IntPredicate::LLVMIntSGT,
        IntPredicate::LLVMIntSGT => IntPredicate::LLVMIntSLE,
        IntPredicate::LLVMIntSGE => IntPredicate::LLVMIntSLT,
        IntPredicate::LLVMIntULT => IntPredicate::LLVMIntUGE,
        IntPredicate::LLVMIntULE => IntPredicate::LLVMIntUGT,
        IntPredicate::LLVMIntUGT => IntPredicate::LLVMIntULE,
        IntPredicate::LLVMIntUGE => IntPredicate::LLVMIntULT,
    }
}

/// The same with its operands exchanged.
pub(super) fn swapped(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::LLVMIntSLT => IntPredicate::LLVMIntSGT,
        IntPredicate::LLVMIntSLE => IntPredicate::LLVMIntSGE,
        IntPredicate::LLVMIntSGT => IntPredicate::LLVMIntSLT,
        IntPredicate::LLVMIntSGE => IntPredicate::LLVMIntSLE,
        IntPredicate::LLVMIntULT => IntPredicate::LLVMIntUGT,
        IntPredicate::LLVMIntULE => IntPredicate::LLVMIntUGE,
        IntPredicate::LLVMIntUGT => IntPredicate::LLVMIntULT,
        IntPredicate::LLVMIntUGE => IntPredicate::LLVMIntULE,
        same => same,
    }
}

pub(super) fn is_signed(predicate: IntPredicate) -> bool {
    matches!(
        predicate,
        IntPredicate::LLVMIntSLT
            | IntPredicate::LLVMIntSLE
            | IntPredicate::LLVMIntSGT
            | IntPredicate::LLVMIntSGE
    )
}
