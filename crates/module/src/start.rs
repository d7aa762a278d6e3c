//! Order of constructors: those of a library run before those of its dependents.
//!
//! In one module the order between images has to be encoded in the priorities, which within an
//! image are the user's. The ranks of libraries take the numbers that are reserved for
//! implementations, except for the first two: AddressSanitizer sets up its globals there.

use inkwell::{
    llvm_sys::{
        core::{
            LLVMConstArray2, LLVMConstInt, LLVMConstIntGetZExtValue, LLVMConstStructInContext,
            LLVMGetAggregateElement, LLVMGetArrayLength2, LLVMGetInitializer, LLVMGetModuleContext,
            LLVMGetNamedGlobal, LLVMSetInitializer, LLVMTypeOf,
        },
        prelude::{LLVMModuleRef, LLVMValueRef},
    },
    module::Module as LlvmModule,
};

const LOWEST: u32 = 2;
const HIGHEST: u32 = 100;

/// Makes the constructors and destructors of a library run as one group, at the position of its
/// rank.
pub(crate) fn start_as_library(library: &LlvmModule<'_>, rank: u32) {
    let priority = LOWEST.saturating_add(rank).min(HIGHEST);
    for name in [c"llvm.global_ctors", c"llvm.global_dtors"] {
        // SAFETY: the module is alive and the name is terminated; a list that is there has the form
        // that LLVM prescribes for it.
        unsafe {
            let list = LLVMGetNamedGlobal(library.as_mut_ptr(), name.as_ptr());
            if !list.is_null() {
                set_priority(library.as_mut_ptr(), list, priority);
            }
        }
    }
}

/// # Safety
/// `list` must be a list of constructors or destructors of `module`.
unsafe fn set_priority(module: LLVMModuleRef, list: LLVMValueRef, priority: u32) {
    // SAFETY: the caller vouches for the list: an array of structures of a priority, a function and
    // a key. The new value has the type of the old one.
    unsafe {
        let old = LLVMGetInitializer(list);
        if old.is_null() {
            return;
        }
        let length = u32::try_from(LLVMGetArrayLength2(LLVMTypeOf(old))).unwrap_or(0);
        let mut entries: Vec<LLVMValueRef> =
            (0..length).map(|index| LLVMGetAggregateElement(old, index)).collect();
        entries.sort_by_key(|&entry| LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0)));
        let Some(&first) = entries.first() else { return };
        let kind = LLVMTypeOf(first);
        for entry in &mut entries {
            let number = LLVMTypeOf(LLVMGetAggregateElement(*entry, 0));
            let mut fields = [
                LLVMConstInt(number, priority.into(), 0),
                LLVMGetAggregateElement(*entry, 1),
                LLVMGetAggregateElement(*entry, 2),
            ];
            let context = LLVMGetModuleContext(module);
            *entry = LLVMConstStructInContext(context, fields.as_mut_ptr(), 3, 0);
        }
        LLVMSetInitializer(list, LLVMConstArray2(kind, entries.as_mut_ptr(), length.into()));
    }
}
