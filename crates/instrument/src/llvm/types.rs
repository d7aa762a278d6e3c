//! Types.

use std::{ffi::CStr, ptr};

use inkwell::llvm_sys::core::*;

use super::{Type, TypeKind, Value};

impl Type {
    pub(crate) fn kind(self) -> TypeKind {
        seam!(LLVMGetTypeKind(self.0))
    }

    pub(crate) fn constant(self, value: u64) -> Value {
        Value(seam!(LLVMConstInt(self.0, value, 0)))
    }

    /// Its text in LLVM's language.
    pub(crate) fn print(self) -> String {
        let text = seam!(LLVMPrintTypeToString(self.0));
        let owned = seam!(CStr::from_ptr(text)).to_string_lossy().into_owned();
        seam!(LLVMDisposeMessage(text));
        owned
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
        self.kind() == TypeKind::LLVMIntegerTypeKind
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
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
