//! Anything in a module that has a symbol: a function, a variable, an alias or an ifunc.
//!
//! Linking does not care which of the four a definition is, and inkwell knows only two of them.

use std::{ffi::c_char, slice};

use inkwell::{
    llvm_sys::{
        LLVMLinkage, LLVMTypeKind, LLVMVisibility,
        comdat::LLVMSetComdat,
        core::{
            LLVMDeleteFunction, LLVMDeleteGlobal, LLVMGetFirstFunction, LLVMGetFirstGlobal,
            LLVMGetFirstGlobalAlias, LLVMGetFirstGlobalIFunc, LLVMGetLinkage,
            LLVMGetModuleInlineAsm, LLVMGetNamedFunction, LLVMGetNamedGlobal,
            LLVMGetNamedGlobalAlias, LLVMGetNamedGlobalIFunc, LLVMGetNextFunction,
            LLVMGetNextGlobal, LLVMGetNextGlobalAlias, LLVMGetNextGlobalIFunc, LLVMGetTypeKind,
            LLVMGetValueName2, LLVMGetVisibility, LLVMGlobalGetValueType, LLVMIsAFunction,
            LLVMIsAGlobalObject, LLVMIsDeclaration, LLVMReplaceAllUsesWith, LLVMSetLinkage,
            LLVMSetValueName2, LLVMSetVisibility,
        },
        prelude::{LLVMModuleRef, LLVMValueRef},
    },
    module::Module as LlvmModule,
};

/// A symbol of a module. It must not outlive the module, nor be used after [`Symbol::become_other`].
#[derive(Clone, Copy)]
pub(crate) struct Symbol(LLVMValueRef);

type First = unsafe extern "C" fn(LLVMModuleRef) -> LLVMValueRef;
type Next = unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef;
type Named = unsafe extern "C" fn(LLVMModuleRef, *const c_char, usize) -> LLVMValueRef;

/// All symbols of a module, without those with a meaning to LLVM itself.
pub(crate) fn symbols(module: &LlvmModule<'_>) -> Vec<Symbol> {
    const KINDS: [(First, Next); 4] = [
        (LLVMGetFirstFunction, LLVMGetNextFunction),
        (LLVMGetFirstGlobal, LLVMGetNextGlobal),
        (LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias),
        (LLVMGetFirstGlobalIFunc, LLVMGetNextGlobalIFunc),
    ];
    let mut symbols = Vec::new();
    for (first, next) in KINDS {
        // SAFETY: the module is alive.
        let mut value = unsafe { first(module.as_mut_ptr()) };
        while !value.is_null() {
            symbols.push(Symbol(value));
            // SAFETY: the value is of the kind that this list holds.
            value = unsafe { next(value) };
        }
    }
    symbols.retain(|symbol| !symbol.name().starts_with(b"llvm."));
    symbols
}

/// The symbol called `name`.
pub(crate) fn named(module: &LlvmModule<'_>, name: &[u8]) -> Option<Symbol> {
    // This release of LLVM looks functions and variables up only by a terminated name.
    let terminated = [name, b"\0"].concat();
    let by_length: [Named; 2] = [LLVMGetNamedGlobalAlias, LLVMGetNamedGlobalIFunc];
    // SAFETY: the module is alive and the names are terminated or come with their length.
    let found = unsafe {
        let (module, start) = (module.as_mut_ptr(), terminated.as_ptr().cast::<c_char>());
        let plain = [LLVMGetNamedFunction(module, start), LLVMGetNamedGlobal(module, start)];
        let others = by_length.map(|get| get(module, start, name.len()));
        [plain, others].concat()
    };
    found.into_iter().find(|value| !value.is_null()).map(Symbol)
}

/// The assembler of a module that is outside of functions.
pub(crate) fn assembler(module: &LlvmModule<'_>) -> Vec<u8> {
    let mut length = 0;
    // SAFETY: the module is alive and owns the text, which is copied.
    unsafe {
        let start = LLVMGetModuleInlineAsm(module.as_mut_ptr(), &raw mut length);
        bytes(start, length)
    }
}

/// The words of a module's own assembler that could be names of symbols.
pub(crate) fn names_in_assembler(module: &LlvmModule<'_>) -> Vec<Vec<u8>> {
    let text = assembler(module);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    text.split(|byte| !is_name(byte)).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
}

impl Symbol {
    pub(crate) fn name(self) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: the value is alive and owns its name, which is copied.
        unsafe {
            let start = LLVMGetValueName2(self.0, &raw mut length);
            bytes(start, length)
        }
    }

    /// Gives it another name; LLVM adds a suffix if that is taken.
    pub(crate) fn rename(self, name: &[u8]) {
        // SAFETY: the value is alive and the name comes with its length.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        // SAFETY: the value is a global one.
        unsafe { LLVMGetLinkage(self.0) }
    }

    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        // SAFETY: the value is a global one.
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    /// Whether it is only a declaration, without anything to link.
    pub(crate) fn is_undefined(self) -> bool {
        // SAFETY: the value is a global one.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether its definition is visible to others. A body that is there only to be inlined is not.
    pub(crate) fn is_offered(self) -> bool {
        !self.is_undefined()
            && !matches!(
                self.linkage(),
                LLVMLinkage::LLVMInternalLinkage
                    | LLVMLinkage::LLVMPrivateLinkage
                    | LLVMLinkage::LLVMAvailableExternallyLinkage
                    | LLVMLinkage::LLVMAppendingLinkage
            )
    }

    pub(crate) fn is_function(self) -> bool {
        // SAFETY: the value is a global one, which all have a type.
        unsafe {
            LLVMGetTypeKind(LLVMGlobalGetValueType(self.0)) == LLVMTypeKind::LLVMFunctionTypeKind
        }
    }

    pub(crate) fn is_protected(self) -> bool {
        // SAFETY: the value is a global one.
        unsafe { LLVMGetVisibility(self.0) == LLVMVisibility::LLVMProtectedVisibility }
    }

    /// Resets its visibility to the default.
    pub(crate) fn reset_visibility(self) {
        // SAFETY: the value is a global one.
        unsafe { LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility) }
    }

    /// Removes it from its COMDAT group; linking keeps only the first group of a name.
    pub(crate) fn leave_group(self) {
        // SAFETY: only functions and variables are in groups, and only they are asked.
        unsafe {
            if !LLVMIsAGlobalObject(self.0).is_null() {
                LLVMSetComdat(self.0, std::ptr::null_mut());
            }
        }
    }

    /// Replaces every use of this declaration by `other`.
    pub(crate) fn become_other(self, other: Symbol) {
        // SAFETY: both are alive; this one is a declaration, which only functions and variables
        // can be, and has no uses when it is deleted.
        unsafe {
            LLVMReplaceAllUsesWith(self.0, other.0);
            if LLVMIsAFunction(self.0).is_null() {
                LLVMDeleteGlobal(self.0);
            } else {
                LLVMDeleteFunction(self.0);
            }
        }
    }
}

/// A copy of some bytes of LLVM's.
///
/// # Safety
/// `length` bytes must be readable at `start`, unless that is null.
unsafe fn bytes(start: *const c_char, length: usize) -> Vec<u8> {
    if start.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller vouches for it.
    unsafe { slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec()
}
