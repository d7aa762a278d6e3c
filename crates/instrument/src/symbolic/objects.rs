//! A table of the program's variables, for resolving symbolic addresses to objects.

use inkwell::llvm_sys::LLVMLinkage;

use super::{instruction::is_array, proof, sites::PREFIX};
use crate::llvm::{Handle, Value, distance};

const SECTION: &str = "plx_globals";
/// Marks variables that are never written.
const CONSTANT: u64 = 1 << 31;
/// Marks constants that may share their address with others.
const MERGED: u64 = 1 << 30;

/// Adds an entry for each variable that can be indexed.
pub(crate) fn list_globals(handle: &Handle) {
    let long = handle.int(32);
    let entry = handle.structure(&[long, long]);
    let mut all = Vec::new();
    let in_proof = proof::is_signed(handle);
    for global in handle.globals().into_iter().filter(|global| is_listed(*global, in_proof)) {
        let size = handle.size(global.value_type());
        if size >= MERGED {
            continue;
        }
        let constant = if global.is_constant_global() { CONSTANT } else { 0 };
        let merged =
            if global.is_constant_global() && global.has_no_address() { MERGED } else { 0 };
        let listed = handle.add_global("plx.object", entry);
        listed.set_initializer(handle.constant_structure(&[
            distance(handle, listed, global),
            long.constant(size | constant | merged),
        ]));
        listed.set_section(SECTION);
        listed.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        listed.set_alignment(4);
        all.push(listed);
    }
    if !all.is_empty() {
        handle.keep(&all);
    }
}

/// Whether a symbolic address may be in it; a proof has to know every object.
fn is_listed(global: Value, in_proof: bool) -> bool {
    let name = global.name();
    !global.is_declaration()
        && !global.is_thread_local()
        && !name.starts_with("llvm.")
        && !name.starts_with(PREFIX)
        && global.section().is_none()
        && (in_proof || is_array(global.value_type(), 1))
}
