//! A module: making types, constants, functions and variables, and finding them.

use std::ptr;

use inkwell::llvm_sys::{LLVMLinkage, core::*, target::*};

use super::{Block, Builder, Handle, Type, Value, c_string, non_null};

impl Handle {
    pub(crate) fn new(module: &inkwell::module::Module<'static>) -> Handle {
        let module = module.as_mut_ptr();
        let context = seam!(LLVMGetModuleContext(module));
        Handle { module, context, data: seam!(LLVMGetModuleDataLayout(module)) }
    }

    pub(crate) fn int(&self, bits: u32) -> Type {
        Type(seam!(LLVMIntTypeInContext(self.context, bits)))
    }

    pub(crate) fn pointer(&self) -> Type {
        Type(seam!(LLVMPointerTypeInContext(self.context, 0)))
    }

    pub(crate) fn void(&self) -> Type {
        Type(seam!(LLVMVoidTypeInContext(self.context)))
    }

    pub(crate) fn structure(&self, fields: &[Type]) -> Type {
        let mut fields: Vec<_> = fields.iter().map(|field| field.0).collect();
        let count = fields.len() as u32;
        Type(seam!(LLVMStructTypeInContext(self.context, fields.as_mut_ptr(), count, 0)))
    }

    pub(crate) fn array(&self, element: Type, count: u64) -> Type {
        Type(seam!(LLVMArrayType2(element.0, count)))
    }

    pub(crate) fn label(&self, value: u32) -> Value {
        self.int(32).constant(value.into())
    }

    pub(crate) fn function(&self, name: &str) -> Option<Value> {
        non_null(seam!(LLVMGetNamedFunction(self.module, c_string(name).as_ptr())))
    }

    pub(crate) fn global(&self, name: &str) -> Option<Value> {
        non_null(seam!(LLVMGetNamedGlobal(self.module, c_string(name).as_ptr())))
    }

    pub(crate) fn add_function(&self, name: &str, signature: Type) -> Value {
        Value(seam!(LLVMAddFunction(self.module, c_string(name).as_ptr(), signature.0)))
    }

    pub(crate) fn add_global(&self, name: &str, of: Type) -> Value {
        Value(seam!(LLVMAddGlobal(self.module, of.0, c_string(name).as_ptr())))
    }

    pub(crate) fn functions(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = seam!(LLVMGetFirstFunction(self.module));
        while !next.is_null() {
            all.push(Value(next));
            next = seam!(LLVMGetNextFunction(next));
        }
        all
    }

    pub(crate) fn globals(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = seam!(LLVMGetFirstGlobal(self.module));
        while !next.is_null() {
            all.push(Value(next));
            next = seam!(LLVMGetNextGlobal(next));
        }
        all
    }

    pub(crate) fn aliases(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = seam!(LLVMGetFirstGlobalAlias(self.module));
        while !next.is_null() {
            all.push(Value(next));
            next = seam!(LLVMGetNextGlobalAlias(next));
        }
        all
    }

    pub(crate) fn constant_structure(&self, fields: &[Value]) -> Value {
        let mut fields: Vec<_> = fields.iter().map(|field| field.0).collect();
        let count = fields.len() as u32;
        Value(seam!(LLVMConstStructInContext(self.context, fields.as_mut_ptr(), count, 0)))
    }

    /// Whether it has ifuncs, whose targets are chosen when the program starts.
    pub(crate) fn has_indirect_functions(&self) -> bool {
        !seam!(LLVMGetFirstGlobalIFunc(self.module)).is_null()
    }

    /// Whether it has assembler outside of functions.
    pub(crate) fn has_assembler(&self) -> bool {
        let mut length = 0;
        seam!(LLVMGetModuleInlineAsm(self.module, &mut length));
        length != 0
    }

    /// Removes metadata of this name from an instruction, such as the location of its assembler.
    pub(crate) fn remove_metadata(&self, instruction: Value, name: &str) {
        let length = name.len() as u32;
        let kind = seam!(LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length));
        seam!(LLVMSetMetadata(instruction.0, kind, ptr::null_mut()));
    }

    /// Whether an instruction has metadata of this name.
    pub(crate) fn has_metadata(&self, instruction: Value, name: &str) -> bool {
        self.metadata(instruction, name).is_some()
    }

    /// An instruction's metadata of this name.
    pub(crate) fn metadata(&self, instruction: Value, name: &str) -> Option<Value> {
        let length = name.len() as u32;
        let kind = seam!(LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length));
        non_null(seam!(LLVMGetMetadata(instruction.0, kind)))
    }

    /// Keeps unreferenced globals.
    pub(crate) fn keep(&self, globals: &[Value]) {
        let mut globals: Vec<_> = globals.iter().map(|global| global.0).collect();
        if let Some(old) = self.global("llvm.compiler.used") {
            let list = seam!(LLVMGetInitializer(old.0));
            let count = seam!(LLVMGetNumOperands(list));
            globals.extend((0..count as u32).map(|index| seam!(LLVMGetOperand(list, index))));
            seam!(LLVMDeleteGlobal(old.0));
        }
        let count = globals.len() as u64;
        let list = seam!(LLVMConstArray2(self.pointer().0, globals.as_mut_ptr(), count));
        let used = self.add_global("llvm.compiler.used", self.array(self.pointer(), count));
        used.set_initializer(Value(list));
        used.set_linkage(LLVMLinkage::LLVMAppendingLinkage);
        used.set_section("llvm.metadata");
    }

    pub(crate) fn append_block(&self, function: Value) -> Block {
        let name = c"";
        Block(seam!(LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr())))
    }

    pub(crate) fn store_size(&self, of: Type) -> u64 {
        seam!(LLVMStoreSizeOfType(self.data, of.0))
    }

    pub(crate) fn size(&self, of: Type) -> u64 {
        seam!(LLVMABISizeOfType(self.data, of.0))
    }

    pub(crate) fn field_offset(&self, structure: Type, field: u32) -> u64 {
        seam!(LLVMOffsetOfElement(self.data, structure.0, field))
    }

    pub(crate) fn builder(&self) -> Builder {
        Builder { builder: seam!(LLVMCreateBuilderInContext(self.context)), handle: *self }
    }

    pub(crate) fn text(&self, text: &str) -> Value {
        let bytes = c_string(text);
        let length = bytes.as_bytes().len();
        let constant =
            Value(seam!(LLVMConstStringInContext2(self.context, bytes.as_ptr(), length, 0)));
        let global = self.add_global("plx.name", constant.ty());
        global.set_initializer(constant);
        global.set_linkage(LLVMLinkage::LLVMPrivateLinkage);
        seam!(LLVMSetGlobalConstant(global.0, 1));
        global
    }

    pub(crate) fn strip_debug_information(&self) {
        seam!(inkwell::llvm_sys::debuginfo::LLVMStripModuleDebugInfo(self.module));
    }
}
