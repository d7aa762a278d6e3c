//! Types and constants: from LLVM's, which are shared and unnamed, to numbered ones.

use std::{
    collections::HashMap,
    ffi::{CStr, c_char},
};

use inkwell::llvm_sys::{
    LLVMOpcode, LLVMTypeKind,
    core::{
        LLVMConstIntGetSExtValue, LLVMCountParamTypes, LLVMCountStructElementTypes,
        LLVMDisposeMessage, LLVMGetAggregateElement, LLVMGetArrayLength2, LLVMGetConstOpcode,
        LLVMGetElementType, LLVMGetGEPSourceElementType, LLVMGetNumOperands, LLVMGetOperand,
        LLVMGetParamTypes, LLVMGetReturnType, LLVMGetStructElementTypes, LLVMGetTypeKind,
        LLVMGetVectorSize, LLVMIsAConstant, LLVMIsAConstantAggregateZero, LLVMIsAConstantArray,
        LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAConstantStruct, LLVMIsAConstantVector,
        LLVMIsAInlineAsm, LLVMIsFunctionVarArg, LLVMIsPackedStruct, LLVMPrintTypeToString,
        LLVMPrintValueToString, LLVMStructGetTypeAtIndex, LLVMTypeIsSized, LLVMTypeOf,
    },
    prelude::{LLVMTypeRef, LLVMValueRef},
    target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMTargetDataRef},
};

use super::aliased;
use parallax_program::{
    Constant, ConstantId, FunctionId, GlobalId, HeldAddress, Operand, Type, TypeId,
};

/// Symbols of the module by name, and types and constants numbered so far.
pub(super) struct Values {
    pub(super) functions: HashMap<LLVMValueRef, FunctionId>,
    pub(super) globals: HashMap<LLVMValueRef, GlobalId>,
    layout: LLVMTargetDataRef,
    type_ids: HashMap<LLVMTypeRef, TypeId>,
    pub(super) types: Vec<Type>,
    constant_ids: HashMap<LLVMValueRef, ConstantId>,
    pub(super) constants: Vec<Constant>,
}

/// An address computed from another one by steps through types.
pub(super) struct Steps {
    /// The sum of the constant indices.
    pub(super) offset: i64,
    /// For each index that is no constant, its stride in bytes.
    pub(super) strides: Vec<Option<u64>>,
    /// The size of an element of the first index.
    pub(super) element: u64,
}

impl Values {
    /// # Safety
    /// `layout` must last as long as this.
    pub(super) unsafe fn new(
        layout: LLVMTargetDataRef,
        functions: HashMap<LLVMValueRef, FunctionId>,
        globals: HashMap<LLVMValueRef, GlobalId>,
    ) -> Values {
        Values {
            functions,
            globals,
            layout,
            type_ids: HashMap::new(),
            types: Vec::new(),
            constant_ids: HashMap::new(),
            constants: Vec::new(),
        }
    }

    pub(super) fn size(&self, kind: LLVMTypeRef) -> u64 {
        // SAFETY: the type is one of the module's, and only sized ones are asked for a size.
        unsafe {
            match LLVMTypeIsSized(kind) {
                0 => 0,
                _ => LLVMABISizeOfType(self.layout, kind),
            }
        }
    }

    pub(super) fn kind(&mut self, kind: LLVMTypeRef) -> TypeId {
        if let Some(known) = self.type_ids.get(&kind) {
            return *known;
        }
        let made = Type { text: type_text(kind), size: self.size(kind) };
        let id = TypeId(self.types.len() as u32);
        self.types.push(made);
        self.type_ids.insert(kind, id);
        id
    }

    /// A global, a function or another constant; `None` if the value is none of these.
    pub(super) fn constant(&mut self, value: LLVMValueRef) -> Option<Operand> {
        let value = aliased(value);
        if let Some(named) = self.named(value) {
            return Some(named);
        }
        // SAFETY: any value may be asked what it is.
        let is_constant =
            unsafe { !LLVMIsAConstant(value).is_null() || !LLVMIsAInlineAsm(value).is_null() };
        if !is_constant {
            return None;
        }
        Some(Operand::Constant(self.constant_id(value)))
    }

    pub(super) fn constant_id(&mut self, value: LLVMValueRef) -> ConstantId {
        if let Some(known) = self.constant_ids.get(&value) {
            return *known;
        }
        let mut made = Constant { text: String::new(), addresses: Vec::new() };
        self.write(value, 0, true, &mut made);
        let id = ConstantId(self.constants.len() as u32);
        self.constants.push(made);
        self.constant_ids.insert(value, id);
        id
    }

    fn named(&self, value: LLVMValueRef) -> Option<Operand> {
        let function = self.functions.get(&value).copied().map(Operand::Function);
        function.or_else(|| self.globals.get(&value).copied().map(Operand::Global))
    }

    /// Writes a constant that is `at` bytes after the start of the whole. Addresses inside further
    /// computation are not `plain`.
    fn write(&self, value: LLVMValueRef, at: u64, plain: bool, out: &mut Constant) {
        if let Some((base, offset)) = self.address(value) {
            out.text.push_str(&format!("@{}", out.addresses.len()));
            if offset != 0 {
                out.text.push_str(&format!("+{offset}"));
            }
            out.addresses.push(HeldAddress { at, base, offset: plain.then_some(offset) });
            return;
        }
        // SAFETY: the value is a constant of the module; each question is asked only of those kinds
        // of constants that have an answer.
        unsafe {
            let kind = LLVMTypeOf(value);
            if !LLVMIsAInlineAsm(value).is_null() {
                out.text.push_str(&text_of(LLVMPrintValueToString(value)));
            } else if !LLVMIsAConstantAggregateZero(value).is_null() {
                out.text.push_str(&format!("{} zeroinitializer", type_text(kind)));
            } else if !LLVMIsAConstantStruct(value).is_null() {
                self.write_parts(
                    value,
                    LLVMCountStructElementTypes(kind),
                    out,
                    |index| at + LLVMOffsetOfElement(self.layout, kind, index),
                    plain,
                );
            } else if !LLVMIsAConstantArray(value).is_null() {
                let stride = self.size(LLVMGetElementType(kind));
                let count = LLVMGetArrayLength2(kind) as u32;
                self.write_parts(value, count, out, |index| at + stride * u64::from(index), plain);
            } else if !LLVMIsAConstantVector(value).is_null() {
                let stride = self.size(LLVMGetElementType(kind));
                let count = LLVMGetVectorSize(kind);
                self.write_parts(value, count, out, |index| at + stride * u64::from(index), plain);
            } else if !LLVMIsAConstantExpr(value).is_null() {
                out.text.push_str(&format!("{:?} {}(", LLVMGetConstOpcode(value), type_text(kind)));
                for index in 0..LLVMGetNumOperands(value) as u32 {
                    out.text.push_str(if index > 0 { ", " } else { "" });
                    self.write(LLVMGetOperand(value, index), at, false, out);
                }
                out.text.push(')');
            } else {
                out.text.push_str(&text_of(LLVMPrintValueToString(value)));
            }
        }
    }

    fn write_parts(
        &self,
        value: LLVMValueRef,
        count: u32,
        out: &mut Constant,
        at: impl Fn(u32) -> u64,
        plain: bool,
    ) {
        out.text.push('{');
        for index in 0..count {
            out.text.push_str(if index > 0 { ", " } else { "" });
            // SAFETY: the value is an aggregate with more than `index` parts.
            let part = unsafe { LLVMGetAggregateElement(value, index) };
            self.write(part, at(index), plain, out);
        }
        out.text.push('}');
    }

    /// The base of a constant address, and its offset in bytes.
    fn address(&self, value: LLVMValueRef) -> Option<(Operand, i64)> {
        let value = aliased(value);
        if let Some(named) = self.named(value) {
            return Some((named, 0));
        }
        // SAFETY: the value is a constant, and only expressions are asked for their operation.
        unsafe {
            if LLVMIsAConstantExpr(value).is_null() {
                return None;
            }
            match LLVMGetConstOpcode(value) {
                LLVMOpcode::LLVMGetElementPtr => {
                    let (base, offset) = self.address(LLVMGetOperand(value, 0))?;
                    let steps = self.steps(value);
                    steps
                        .strides
                        .iter()
                        .all(Option::is_none)
                        .then_some((base, offset + steps.offset))
                }
                LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => {
                    self.address(LLVMGetOperand(value, 0))
                }
                _ => None,
            }
        }
    }

    /// The steps of an address computation, an instruction or an expression.
    pub(super) fn steps(&self, value: LLVMValueRef) -> Steps {
        // SAFETY: the value is an address computation, whose types and indices the verifier has
        // checked against each other.
        unsafe {
            let mut kind = LLVMGetGEPSourceElementType(value);
            let mut steps = Steps { offset: 0, strides: Vec::new(), element: self.size(kind) };
            for index in 1..LLVMGetNumOperands(value) as u32 {
                let operand = LLVMGetOperand(value, index);
                let constant = match LLVMIsAConstantInt(operand).is_null() {
                    true => None,
                    false => Some(LLVMConstIntGetSExtValue(operand)),
                };
                let is_struct = LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMStructTypeKind;
                if index > 1 && is_struct {
                    let field = constant.unwrap_or_default() as u32;
                    steps.offset += LLVMOffsetOfElement(self.layout, kind, field) as i64;
                    steps.strides.push(None);
                    kind = LLVMStructGetTypeAtIndex(kind, field);
                    continue;
                }
                if index > 1 {
                    kind = LLVMGetElementType(kind);
                }
                let stride = self.size(kind);
                match constant {
                    Some(count) => {
                        steps.offset = steps.offset.wrapping_add(count.wrapping_mul(stride as i64));
                        steps.strides.push(None);
                    }
                    None => steps.strides.push(Some(stride)),
                }
            }
            steps
        }
    }
}

fn type_text(kind: LLVMTypeRef) -> String {
    // SAFETY: the type is one of the module's, and each question is asked of the kinds that have an
    // answer; the arrays have as many places as LLVM says that it fills.
    unsafe {
        match LLVMGetTypeKind(kind) {
            LLVMTypeKind::LLVMStructTypeKind => {
                let mut parts =
                    vec![std::ptr::null_mut(); LLVMCountStructElementTypes(kind) as usize];
                LLVMGetStructElementTypes(kind, parts.as_mut_ptr());
                let parts: Vec<_> = parts.into_iter().map(type_text).collect();
                let packed = if LLVMIsPackedStruct(kind) != 0 { "packed " } else { "" };
                format!("{packed}{{{}}}", parts.join(", "))
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let element = type_text(LLVMGetElementType(kind));
                format!("[{} x {element}]", LLVMGetArrayLength2(kind))
            }
            LLVMTypeKind::LLVMFunctionTypeKind => {
                let mut parts = vec![std::ptr::null_mut(); LLVMCountParamTypes(kind) as usize];
                LLVMGetParamTypes(kind, parts.as_mut_ptr());
                let mut parts: Vec<_> = parts.into_iter().map(type_text).collect();
                if LLVMIsFunctionVarArg(kind) != 0 {
                    parts.push("...".to_owned());
                }
                format!("{} ({})", type_text(LLVMGetReturnType(kind)), parts.join(", "))
            }
            _ => text_of(LLVMPrintTypeToString(kind)),
        }
    }
}

/// Takes ownership of a text from LLVM.
///
/// # Safety
/// The text must come from a function of LLVM that leaves it to its caller.
pub(super) unsafe fn text_of(message: *mut c_char) -> String {
    // SAFETY: LLVM's texts end with a zero byte, and the caller vouches that this one is ours.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}
