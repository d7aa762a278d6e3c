//! A thin layer over LLVM's C interface.
//!
//! Inkwell has different types for integers, pointers and vectors, which the instrumentation of
//! *every* instruction would have to undo at each step. These are plain handles: valid as long as
//! the module, which the owner of a handle keeps alive, and checked by LLVM's verifier afterwards.

macro_rules! seam {
    ($e:expr) => {
        // SAFETY: every handle comes from the module that is being worked on, which is alive, and
        // is of the kind that the function asks for; see the module's documentation.
        unsafe { $e }
    };
}

mod attribute;
mod block;
mod builder;
mod global;
mod handle;
mod instruction;
mod types;
mod value;

use std::{ffi::CString, ptr};

use inkwell::llvm_sys::{
    bit_reader::LLVMGetBitcodeModuleInContext2,
    core::*,
    prelude::{LLVMBasicBlockRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef},
    target::LLVMTargetDataRef,
};

pub(crate) use builder::Builder;
use builder::NO_NAME;
pub(crate) use inkwell::llvm_sys::{
    LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
    LLVMTypeKind as TypeKind,
};

/// A value: constant, argument, instruction, global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

/// A module, not owned.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    pub(crate) module: LLVMModuleRef,
    context: LLVMContextRef,
    data: LLVMTargetDataRef,
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

fn non_null(value: LLVMValueRef) -> Option<Value> {
    (!value.is_null()).then_some(Value(value))
}

/// A module whose functions are only read when they are linked into another one; `bitcode` has to
/// outlive that.
pub(crate) fn parse_lazily(
    context: &'static inkwell::context::Context,
    bitcode: &[u8],
) -> Option<inkwell::module::Module<'static>> {
    let start = bitcode.as_ptr().cast();
    let mut module = ptr::null_mut();
    let failed = seam!({
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(start, bitcode.len(), NO_NAME, 0);
        LLVMGetBitcodeModuleInContext2(context.raw(), buffer, &mut module)
    });
    // SAFETY: LLVM has made the module, and nothing else owns it.
    (failed == 0).then(|| unsafe { inkwell::module::Module::new(module) })
}

/// The address of byte `offset` of a global array.
pub(crate) fn element_address(handle: &Handle, global: Value, offset: u64) -> Value {
    let mut index = handle.int(64).constant(offset).0;
    Value(seam!(LLVMConstInBoundsGEP2(handle.int(8).0, global.0, &mut index, 1)))
}

/// The distance from `from` to `to`, as a constant of 32 bits that the linker fills in.
pub(crate) fn distance(handle: &Handle, from: Value, to: Value) -> Value {
    let long = handle.int(64).0;
    let (from, to) = (seam!(LLVMConstPtrToInt(from.0, long)), seam!(LLVMConstPtrToInt(to.0, long)));
    Value(seam!(LLVMConstTrunc(LLVMConstSub(to, from), handle.int(32).0)))
}
