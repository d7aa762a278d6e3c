//! Properties of functions and variables.

use std::{ffi::CStr, ptr};

use inkwell::llvm_sys::{LLVMLinkage, LLVMVisibility, core::*};

use super::{Block, Handle, Type, Value, c_string, non_null};

impl Value {
    pub(crate) fn value_type(self) -> Type {
        Type(seam!(LLVMGlobalGetValueType(self.0)))
    }

    pub(crate) fn is_declaration(self) -> bool {
        seam!(LLVMIsDeclaration(self.0)) != 0
    }

    pub(crate) fn is_thread_local(self) -> bool {
        seam!(LLVMIsThreadLocal(self.0)) != 0
    }

    pub(crate) fn is_constant_global(self) -> bool {
        seam!(LLVMIsGlobalConstant(self.0)) != 0
    }

    pub(crate) fn parameters(self) -> Vec<Value> {
        (0..seam!(LLVMCountParams(self.0))).map(|i| Value(seam!(LLVMGetParam(self.0, i)))).collect()
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        let mut all = Vec::new();
        let mut next = seam!(LLVMGetFirstBasicBlock(self.0));
        while !next.is_null() {
            all.push(Block(next));
            next = seam!(LLVMGetNextBasicBlock(next));
        }
        all
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        seam!(LLVMGetLinkage(self.0))
    }

    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        seam!(LLVMSetLinkage(self.0, linkage));
    }

    pub(crate) fn hide(self) {
        seam!(LLVMSetVisibility(self.0, LLVMVisibility::LLVMHiddenVisibility));
    }

    pub(crate) fn set_section(self, name: &str) {
        seam!(LLVMSetSection(self.0, c_string(name).as_ptr()));
    }

    pub(crate) fn section(self) -> Option<String> {
        let section = seam!(LLVMGetSection(self.0));
        // SAFETY: LLVM returns a string that ends in zero, or null.
        (!section.is_null())
            .then(|| unsafe { CStr::from_ptr(section) }.to_string_lossy().into_owned())
    }

    pub(crate) fn initializer(self) -> Option<Value> {
        non_null(seam!(LLVMGetInitializer(self.0)))
    }

    /// Whether its address is insignificant, so that it may be duplicated.
    pub(crate) fn has_no_address(self) -> bool {
        seam!(LLVMGetUnnamedAddress(self.0))
            == inkwell::llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr
    }

    /// The operands of a constant; none of a block's address.
    pub(crate) fn constant_operands(self) -> Vec<Value> {
        let is_plain = !seam!(LLVMIsAConstant(self.0)).is_null() && !self.is_block_address();
        if is_plain { self.operands() } else { Vec::new() }
    }

    pub(crate) fn is_block_address(self) -> bool {
        !seam!(LLVMIsABlockAddress(self.0)).is_null()
    }

    pub(crate) fn is_local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    pub(crate) fn as_global(self) -> Option<Value> {
        non_null(seam!(LLVMIsAGlobalValue(self.0)))
    }

    /// The function that an instruction is in.
    pub(crate) fn parent_function(self) -> Value {
        Value(seam!(LLVMGetBasicBlockParent(self.block().0)))
    }

    pub(crate) fn leave_comdat(self) {
        seam!(inkwell::llvm_sys::comdat::LLVMSetComdat(self.0, ptr::null_mut()));
    }

    /// Turns the definition of a function into a declaration, which is another value.
    pub(crate) fn forget_body(self, handle: &Handle) -> Value {
        let name = self.name();
        let declaration = handle.add_function("", self.value_type());
        declaration.copy_attributes(self, true);
        seam!(LLVMSetVisibility(declaration.0, LLVMGetVisibility(self.0)));
        self.replace_with(declaration);
        self.delete_function();
        declaration.set_name(&name);
        declaration
    }

    /// Deletes an unused function.
    pub(crate) fn delete_function(self) {
        seam!(LLVMDeleteFunction(self.0));
    }

    /// Turns the definition of a variable into a declaration, which is another value.
    pub(crate) fn forget_contents(self, handle: &Handle) -> Value {
        let name = self.name();
        let declaration = handle.add_global("", self.value_type());
        seam!({
            LLVMSetVisibility(declaration.0, LLVMGetVisibility(self.0));
            LLVMSetThreadLocalMode(declaration.0, LLVMGetThreadLocalMode(self.0));
            LLVMSetGlobalConstant(declaration.0, LLVMIsGlobalConstant(self.0));
            LLVMSetExternallyInitialized(declaration.0, LLVMIsExternallyInitialized(self.0));
            LLVMSetUnnamedAddress(declaration.0, LLVMGetUnnamedAddress(self.0));
            LLVMSetAlignment(declaration.0, LLVMGetAlignment(self.0));
        });
        self.replace_with(declaration);
        self.delete_variable();
        declaration.set_name(&name);
        declaration
    }

    /// Deletes an unused variable.
    pub(crate) fn delete_variable(self) {
        seam!(LLVMDeleteGlobal(self.0));
    }

    /// Its text in LLVM's language.
    pub(crate) fn print(self) -> String {
        let text = seam!(LLVMPrintValueToString(self.0));
        let owned = seam!(CStr::from_ptr(text)).to_string_lossy().into_owned();
        seam!(LLVMDisposeMessage(text));
        owned
    }

    pub(crate) fn set_initializer(self, value: Value) {
        seam!(LLVMSetInitializer(self.0, value.0));
    }

    pub(crate) fn move_blocks_to(self, other: Value) {
        // A block can only be moved next to another one; and of LLVM's two ways to do so only this
        // one works between functions.
        let place = seam!(LLVMAppendBasicBlock(other.0, c"".as_ptr()));
        let mut last = place;
        for block in self.blocks() {
            seam!(LLVMMoveBasicBlockAfter(block.0, last));
            last = block.0;
        }
        seam!(LLVMDeleteBasicBlock(place));
    }
}
