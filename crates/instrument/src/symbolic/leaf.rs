//! The parts of a value that have a label each.
//!
//! A scalar has one label, a structure one for each scalar in it. Types without expressions
//! (vectors, `long double`, integers beyond 128 bits) have none, and symbolic values that flow into
//! them are counted.

use crate::llvm::{Handle, Type, TypeKind};

/// The widest integer that has expressions.
pub(crate) const WIDEST: u32 = 128;

/// A scalar in a value.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The path to it by `extractvalue`.
    pub(crate) path: Vec<u32>,
    /// Its type.
    pub(crate) ty: Type,
    /// Its offset if the value is in memory.
    pub(crate) offset: u64,
}

/// The leaves of a type, in order.
pub(crate) fn leaves(handle: &Handle, ty: Type) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(handle, ty, &mut Vec::new(), 0, &mut found);
    found
}

/// Whether values of this type have one label.
pub(crate) fn is_scalar(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.bits() <= WIDEST,
        TypeKind::LLVMPointerTypeKind
        | TypeKind::LLVMFloatTypeKind
        | TypeKind::LLVMDoubleTypeKind => true,
        _ => false,
    }
}

/// Whether values lose their labels in this type.
pub(crate) fn is_opaque(ty: Type) -> bool {
    !is_scalar(ty)
        && !matches!(
            ty.kind(),
            TypeKind::LLVMStructTypeKind
                | TypeKind::LLVMArrayTypeKind
                | TypeKind::LLVMVoidTypeKind
                | TypeKind::LLVMMetadataTypeKind
                | TypeKind::LLVMLabelTypeKind
                | TypeKind::LLVMTokenTypeKind
        )
}

/// Bits of a scalar.
pub(crate) fn bits(ty: Type) -> u32 {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.bits(),
        TypeKind::LLVMFloatTypeKind => 32,
        _ => 64,
    }
}

fn collect(handle: &Handle, ty: Type, path: &mut Vec<u32>, offset: u64, found: &mut Vec<Leaf>) {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            for (index, field) in (0..).zip(ty.fields()) {
                path.push(index);
                collect(handle, field, path, offset + handle.field_offset(ty, index), found);
                path.pop();
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            let size = handle.size(element);
            for index in 0..ty.array_length() {
                path.push(index as u32);
                collect(handle, element, path, offset + index * size, found);
                path.pop();
            }
        }
        _ if is_scalar(ty) => found.push(Leaf { path: path.clone(), ty, offset }),
        _ => {}
    }
}
