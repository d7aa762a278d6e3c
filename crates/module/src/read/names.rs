//! The names that the source gives to local variables.
//!
//! LLVM 19's C interface has no access to the records that hold them, only to their older form as
//! calls: they are converted to calls, read, and converted back.

use std::{collections::HashMap, slice};

use inkwell::{
    llvm_sys::{
        core::{
            LLVMDeleteFunction, LLVMGetFirstUse, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
            LLVMGetMDString, LLVMGetNamedFunction, LLVMGetNextUse, LLVMGetOperand, LLVMGetUser,
            LLVMIsNewDbgInfoFormat, LLVMSetIsNewDbgInfoFormat,
        },
        prelude::LLVMValueRef,
    },
    module::Module as LlvmModule,
};

/// The operand of a variable's description that is its name.
const NAME: usize = 1;

/// The names of variables in memory, by their allocas.
pub(super) fn names_of_locals(module: &LlvmModule<'_>) -> HashMap<LLVMValueRef, String> {
    let module = module.as_mut_ptr();
    let mut names = HashMap::new();
    // SAFETY: the module is valid; its form is changed and changed back before any other code reads
    // it, and left-over declarations are removed only if nothing uses them.
    unsafe {
        let is_new = LLVMIsNewDbgInfoFormat(module) != 0;
        let function = || LLVMGetNamedFunction(module, c"llvm.dbg.declare".as_ptr());
        let was_declared = !function().is_null();
        if is_new {
            LLVMSetIsNewDbgInfoFormat(module, 0);
        }
        if !function().is_null() {
            let mut user = LLVMGetFirstUse(function());
            while !user.is_null() {
                let call = LLVMGetUser(user);
                let local = parts(LLVMGetOperand(call, 0));
                let description = parts(LLVMGetOperand(call, 1));
                let name = description.get(NAME).and_then(|name| text(*name));
                names.extend(local.first().copied().zip(name));
                user = LLVMGetNextUse(user);
            }
        }
        if is_new {
            LLVMSetIsNewDbgInfoFormat(module, 1);
            for name in
                [c"llvm.dbg.declare", c"llvm.dbg.value", c"llvm.dbg.assign", c"llvm.dbg.label"]
            {
                let function = LLVMGetNamedFunction(module, name.as_ptr());
                if !was_declared && !function.is_null() && LLVMGetFirstUse(function).is_null() {
                    LLVMDeleteFunction(function);
                }
            }
        }
    }
    names
}

/// The operands of a description, or the value that it stands for.
///
/// # Safety
/// `metadata` must be metadata that is used as a value.
unsafe fn parts(metadata: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: the caller vouches for the metadata; there are as many places as LLVM fills.
    unsafe {
        let mut parts = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(metadata) as usize];
        LLVMGetMDNodeOperands(metadata, parts.as_mut_ptr());
        parts
    }
}

/// # Safety
/// `metadata` must be metadata that is used as a value, or null.
unsafe fn text(metadata: LLVMValueRef) -> Option<String> {
    if metadata.is_null() {
        return None;
    }
    let mut length = 0;
    // SAFETY: the caller vouches for the metadata; other metadata than a text gives null, and a
    // text has as many bytes as LLVM says and lives as long as the module.
    unsafe {
        let start = LLVMGetMDString(metadata, &raw mut length);
        if start.is_null() {
            return None;
        }
        let bytes = slice::from_raw_parts(start.cast::<u8>(), length as usize);
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}
