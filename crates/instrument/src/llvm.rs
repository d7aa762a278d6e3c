//! A thin layer over LLVM's C interface.
//!
//! Inkwell's types tell integers from pointers from vectors, which the instrumentation of *every*
//! instruction would have to undo at each step. These are plain handles: valid as long as the
//! module is, which everybody who has one keeps alive, and checked by LLVM's verifier afterwards.

use std::{
    ffi::{CStr, CString},
    ptr,
};

use inkwell::llvm_sys::{
    LLVMIntPredicate, LLVMLinkage, LLVMRealPredicate, LLVMTypeKind, LLVMVisibility,
    bit_reader::LLVMGetBitcodeModuleInContext2,
    core::*,
    prelude::{
        LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
    },
    target::{
        LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType,
        LLVMTargetDataRef,
    },
};

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

macro_rules! seam {
    ($e:expr) => {
        // SAFETY: every handle comes from the module that is being worked on, which is alive, and
        // is of the kind that the function asks for; see the module's documentation.
        unsafe { $e }
    };
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

fn non_null(value: LLVMValueRef) -> Option<Value> {
    (!value.is_null()).then_some(Value(value))
}

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

    /// Whether it has functions that are chosen when the program starts.
    pub(crate) fn has_indirect_functions(&self) -> bool {
        !seam!(LLVMGetFirstGlobalIFunc(self.module)).is_null()
    }

    /// Whether it has assembler outside of functions.
    pub(crate) fn has_assembler(&self) -> bool {
        let mut length = 0;
        seam!(LLVMGetModuleInlineAsm(self.module, &mut length));
        length != 0
    }

    /// Removes what an instruction says under this name, such as where its assembler is from.
    pub(crate) fn remove_metadata(&self, instruction: Value, name: &str) {
        let length = name.len() as u32;
        let kind = seam!(LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length));
        seam!(LLVMSetMetadata(instruction.0, kind, ptr::null_mut()));
    }

    /// Keeps globals that nobody refers to.
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

    /// `memory(inaccessiblemem: readwrite)` and friends: what a probe's cold half touches.
    pub(crate) fn set_memory_effects(&self, function: Value, encoded: u64) {
        let name = "memory";
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = seam!(LLVMCreateEnumAttribute(self.context, kind, encoded));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }

    /// Sets a string attribute of a function.
    pub(crate) fn mark(&self, function: Value, name: &str) {
        let text = c"";
        let length = name.len() as u32;
        let attribute = seam!(LLVMCreateStringAttribute(
            self.context,
            name.as_ptr().cast(),
            length,
            text.as_ptr(),
            0
        ));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }

    pub(crate) fn add_enum_attribute(&self, function: Value, name: &str) {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = seam!(LLVMCreateEnumAttribute(self.context, kind, 0));
        seam!(LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute));
    }
}

const FUNCTION_INDEX: u32 = u32::MAX;

impl Type {
    pub(crate) fn kind(self) -> TypeKind {
        seam!(LLVMGetTypeKind(self.0))
    }

    pub(crate) fn constant(self, value: u64) -> Value {
        Value(seam!(LLVMConstInt(self.0, value, 0)))
    }

    pub(crate) fn zero(self) -> Value {
        Value(seam!(LLVMConstNull(self.0)))
    }

    pub(crate) fn poison(self) -> Value {
        Value(seam!(LLVMGetPoison(self.0)))
    }

    /// Bits of an integer type.
    pub(crate) fn bits(self) -> u32 {
        seam!(LLVMGetIntTypeWidth(self.0))
    }

    pub(crate) fn is_int(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMIntegerTypeKind
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn fields(self) -> Vec<Type> {
        let count = seam!(LLVMCountStructElementTypes(self.0));
        (0..count).map(|i| Type(seam!(LLVMStructGetTypeAtIndex(self.0, i)))).collect()
    }

    pub(crate) fn array_length(self) -> u64 {
        seam!(LLVMGetArrayLength2(self.0))
    }

    pub(crate) fn element(self) -> Type {
        Type(seam!(LLVMGetElementType(self.0)))
    }

    pub(crate) fn signature(result: Type, parameters: &[Type]) -> Type {
        let mut parameters: Vec<_> = parameters.iter().map(|parameter| parameter.0).collect();
        let count = parameters.len() as u32;
        Type(seam!(LLVMFunctionType(result.0, parameters.as_mut_ptr(), count, 0)))
    }

    pub(crate) fn result(self) -> Type {
        Type(seam!(LLVMGetReturnType(self.0)))
    }

    pub(crate) fn is_variadic(self) -> bool {
        seam!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    pub(crate) fn parameters(self) -> Vec<Type> {
        let count = seam!(LLVMCountParamTypes(self.0)) as usize;
        let mut types = vec![ptr::null_mut(); count];
        seam!(LLVMGetParamTypes(self.0, types.as_mut_ptr()));
        types.into_iter().map(Type).collect()
    }
}

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

    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = seam!(LLVMGetFirstUse(self.0));
        while !next.is_null() {
            users.push(Value(seam!(LLVMGetUser(next))));
            next = seam!(LLVMGetNextUse(next));
        }
        users
    }

    // Instructions of one kind.

    pub(crate) fn callee(self) -> Value {
        Value(seam!(LLVMGetCalledValue(self.0)))
    }

    pub(crate) fn call_signature(self) -> Type {
        Type(seam!(LLVMGetCalledFunctionType(self.0)))
    }

    pub(crate) fn arguments(self) -> Vec<Value> {
        (0..seam!(LLVMGetNumArgOperands(self.0))).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        seam!(LLVMGetICmpPredicate(self.0))
    }

    pub(crate) fn real_predicate(self) -> LLVMRealPredicate {
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

    // Functions and globals.

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

    /// Whether its address means nothing, so that there may be several of it.
    pub(crate) fn has_no_address(self) -> bool {
        seam!(LLVMGetUnnamedAddress(self.0))
            == inkwell::llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr
    }

    /// What a constant is made of; of a block's address, nothing.
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

    /// Deletes a function that nobody uses.
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

    /// Deletes a variable that nobody uses.
    pub(crate) fn delete_variable(self) {
        seam!(LLVMDeleteGlobal(self.0));
    }

    /// As it is written in LLVM's language.
    pub(crate) fn print(self) -> String {
        let text = seam!(LLVMPrintValueToString(self.0));
        let owned = seam!(CStr::from_ptr(text)).to_string_lossy().into_owned();
        seam!(LLVMDisposeMessage(text));
        owned
    }

    pub(crate) fn set_initializer(self, value: Value) {
        seam!(LLVMSetInitializer(self.0, value.0));
    }

    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        !seam!(LLVMGetEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind)).is_null()
    }

    pub(crate) fn has_mark(self, name: &str) -> bool {
        let length = name.len() as u32;
        let found = seam!(LLVMGetStringAttributeAtIndex(
            self.0,
            FUNCTION_INDEX,
            name.as_ptr().cast(),
            length
        ));
        !found.is_null()
    }

    /// The type of what parameter `index` passes in memory, if it does.
    pub(crate) fn by_value(self, index: u32) -> Option<Type> {
        let attribute = self.type_attribute(index, "byval", Value::attribute_of_parameter);
        attribute.map(|attribute| Type(seam!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The same of an argument of a call.
    pub(crate) fn argument_by_value(self, index: u32) -> Option<Type> {
        let attribute = self.type_attribute(index, "byval", Value::attribute_of_argument);
        attribute.map(|attribute| Type(seam!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The alignment that an argument of a call is said to have, or 0.
    pub(crate) fn argument_alignment(self, index: u32) -> u64 {
        let attribute = self.type_attribute(index, "align", Value::attribute_of_argument);
        attribute.map_or(0, |attribute| seam!(LLVMGetEnumAttributeValue(attribute)))
    }

    fn type_attribute(
        self,
        index: u32,
        name: &str,
        find: fn(Value, u32, u32) -> inkwell::llvm_sys::prelude::LLVMAttributeRef,
    ) -> Option<inkwell::llvm_sys::prelude::LLVMAttributeRef> {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = find(self, index + 1, kind);
        (!attribute.is_null()).then_some(attribute)
    }

    fn attribute_of_parameter(
        self,
        index: u32,
        kind: u32,
    ) -> inkwell::llvm_sys::prelude::LLVMAttributeRef {
        seam!(LLVMGetEnumAttributeAtIndex(self.0, index, kind))
    }

    fn attribute_of_argument(
        self,
        index: u32,
        kind: u32,
    ) -> inkwell::llvm_sys::prelude::LLVMAttributeRef {
        seam!(LLVMGetCallSiteEnumAttribute(self.0, index, kind))
    }

    /// Gives this function the attributes that `other` has: its own and those of its parameters,
    /// and with `result` those of its result.
    pub(crate) fn copy_attributes(self, other: Value, result: bool) {
        let parameters = 1..=seam!(LLVMCountParams(other.0));
        for index in parameters.chain([FUNCTION_INDEX]).chain(result.then_some(0)) {
            let count = seam!(LLVMGetAttributeCountAtIndex(other.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetAttributesAtIndex(other.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddAttributeAtIndex(self.0, index, attribute));
            }
        }
        seam!(LLVMSetFunctionCallConv(self.0, LLVMGetFunctionCallConv(other.0)));
    }

    pub(crate) fn remove_attribute(self, name: &str) {
        let kind = seam!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        seam!(LLVMRemoveEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind));
    }

    /// Gives this call the attributes that the arguments of another one have.
    pub(crate) fn copy_argument_attributes(self, call: Value) {
        for index in 1..=seam!(LLVMGetNumArgOperands(call.0)) {
            let count = seam!(LLVMGetCallSiteAttributeCount(call.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetCallSiteAttributes(call.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
        seam!(LLVMSetInstructionCallConv(self.0, LLVMGetInstructionCallConv(call.0)));
    }

    /// Gives this call the attributes that the parameters of its callee have.
    pub(crate) fn copy_parameter_attributes(self, callee: Value) {
        for index in 1..=seam!(LLVMCountParams(callee.0)) {
            let count = seam!(LLVMGetAttributeCountAtIndex(callee.0, index)) as usize;
            let mut attributes = vec![ptr::null_mut(); count];
            seam!(LLVMGetAttributesAtIndex(callee.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                seam!(LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
        seam!(LLVMSetInstructionCallConv(self.0, LLVMGetFunctionCallConv(callee.0)));
    }

    /// Code follows it now.
    pub(crate) fn clear_tail_call(self) {
        seam!(LLVMSetTailCallKind(
            self.0,
            inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindNone
        ));
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

impl Block {
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = non_null(seam!(LLVMGetFirstInstruction(self.0)));
        while let Some(instruction) = next {
            all.push(instruction);
            next = instruction.next();
        }
        all
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    pub(crate) fn terminator(self) -> Option<Value> {
        non_null(seam!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// Where new code goes: before everything but the phis.
    pub(crate) fn first_after_phis(self) -> Option<Value> {
        let instructions = self.instructions();
        instructions.into_iter().find(|instruction| instruction.opcode() != Opcode::LLVMPHI)
    }
}

/// Makes instructions.
pub(crate) struct Builder {
    builder: LLVMBuilderRef,
    handle: Handle,
}

impl Drop for Builder {
    fn drop(&mut self) {
        seam!(LLVMDisposeBuilder(self.builder));
    }
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Builder {
    pub(crate) fn before(&self, instruction: Value) {
        seam!(LLVMPositionBuilderBefore(self.builder, instruction.0));
    }

    /// Goes on behind the phis of the block that `instruction` is in.
    pub(crate) fn after_phis(&self, instruction: Value) {
        if let Some(first) = instruction.block().first_after_phis() {
            self.before(first);
        }
    }

    pub(crate) fn at_end(&self, block: Block) {
        seam!(LLVMPositionBuilderAtEnd(self.builder, block.0));
    }

    pub(crate) fn call(&self, signature: Type, callee: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        let count = arguments.len() as u32;
        Value(seam!(LLVMBuildCall2(
            self.builder,
            signature.0,
            callee.0,
            arguments.as_mut_ptr(),
            count,
            NO_NAME
        )))
    }

    pub(crate) fn phi(&self, of: Type) -> Value {
        Value(seam!(LLVMBuildPhi(self.builder, of.0, NO_NAME)))
    }

    pub(crate) fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(seam!(LLVMBuildSelect(self.builder, condition.0, yes.0, no.0, NO_NAME)))
    }

    pub(crate) fn extract(&self, aggregate: Value, index: u32) -> Value {
        Value(seam!(LLVMBuildExtractValue(self.builder, aggregate.0, index, NO_NAME)))
    }

    pub(crate) fn insert(&self, aggregate: Value, value: Value, index: u32) -> Value {
        Value(seam!(LLVMBuildInsertValue(self.builder, aggregate.0, value.0, index, NO_NAME)))
    }

    pub(crate) fn zero_extend(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildZExt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn sign_extend(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildSExt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn truncate(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildTrunc(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn bit_cast(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildBitCast(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn pointer_to_int(&self, value: Value, to: Type) -> Value {
        Value(seam!(LLVMBuildPtrToInt(self.builder, value.0, to.0, NO_NAME)))
    }

    pub(crate) fn multiply(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildMul(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn shift_right(&self, value: Value, by: Value) -> Value {
        Value(seam!(LLVMBuildLShr(self.builder, value.0, by.0, NO_NAME)))
    }

    pub(crate) fn or(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildOr(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn add(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildAdd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn and(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildAnd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn branch(&self, condition: Value, yes: Block, no: Block) {
        seam!(LLVMBuildCondBr(self.builder, condition.0, yes.0, no.0));
    }

    /// A second instruction like this one.
    pub(crate) fn copy(&self, instruction: Value) -> Value {
        let copy = seam!(LLVMInstructionClone(instruction.0));
        seam!(LLVMInsertIntoBuilder(self.builder, copy));
        Value(copy)
    }

    /// The address that is a number of bytes, not known here, after `address`.
    pub(crate) fn byte_offset(&self, address: Value, offset: Value) -> Value {
        let byte = self.handle.int(8);
        let mut index = offset.0;
        Value(seam!(LLVMBuildGEP2(self.builder, byte.0, address.0, &mut index, 1, NO_NAME)))
    }

    pub(crate) fn float_multiply(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildFMul(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn float_add(&self, left: Value, right: Value) -> Value {
        Value(seam!(LLVMBuildFAdd(self.builder, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn equal(&self, left: Value, right: Value) -> Value {
        let equal = LLVMIntPredicate::LLVMIntEQ;
        Value(seam!(LLVMBuildICmp(self.builder, equal, left.0, right.0, NO_NAME)))
    }

    pub(crate) fn freeze(&self, value: Value) -> Value {
        Value(seam!(LLVMBuildFreeze(self.builder, value.0, NO_NAME)))
    }

    pub(crate) fn load(&self, of: Type, address: Value) -> Value {
        Value(seam!(LLVMBuildLoad2(self.builder, of.0, address.0, NO_NAME)))
    }

    pub(crate) fn store(&self, value: Value, address: Value) -> Value {
        Value(seam!(LLVMBuildStore(self.builder, value.0, address.0)))
    }

    pub(crate) fn stack(&self, of: Type) -> Value {
        Value(seam!(LLVMBuildAlloca(self.builder, of.0, NO_NAME)))
    }

    /// The address `offset` bytes after `address`.
    pub(crate) fn offset(&self, address: Value, offset: u64) -> Value {
        let byte = self.handle.int(8);
        let mut index = self.handle.int(64).constant(offset).0;
        Value(seam!(LLVMBuildGEP2(self.builder, byte.0, address.0, &mut index, 1, NO_NAME)))
    }

    pub(crate) fn ret(&self, value: Option<Value>) {
        match value {
            Some(value) => seam!(LLVMBuildRet(self.builder, value.0)),
            None => seam!(LLVMBuildRetVoid(self.builder)),
        };
    }
}

/// A module of which functions are only read when they are linked into another one, which has to
/// happen while `bitcode` is there.
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
    // SAFETY: LLVM has made the module, and nobody else owns it.
    (failed == 0).then(|| unsafe { inkwell::module::Module::new(module) })
}

/// The address of byte `offset` of a global array.
pub(crate) fn element_address(handle: &Handle, global: Value, offset: u64) -> Value {
    let mut index = handle.int(64).constant(offset).0;
    Value(seam!(LLVMConstInBoundsGEP2(handle.int(8).0, global.0, &mut index, 1)))
}

/// How far `to` is from `from`, as a constant of 32 bits that the linker fills in.
pub(crate) fn distance(handle: &Handle, from: Value, to: Value) -> Value {
    let long = handle.int(64).0;
    let (from, to) = (seam!(LLVMConstPtrToInt(from.0, long)), seam!(LLVMConstPtrToInt(to.0, long)));
    Value(seam!(LLVMConstTrunc(LLVMConstSub(to, from), handle.int(32).0)))
}
