//! The linker's `--wrap`, done in bitcode.
//!
//! The linker does it between objects: a reference stays as it is where the symbol is defined in
//! the same object. One module for all units no longer shows the difference, so it is done before.

use inkwell::module::Module as LlvmModule;

use crate::symbol::named;

/// Redirects uses of the `wrapped` symbols in one unit as `--wrap` does.
pub(crate) fn wrap(unit: &LlvmModule<'_>, wrapped: &[Vec<u8>]) {
    for name in wrapped {
        redirect(unit, name, &[b"__wrap_", name.as_slice()].concat());
        redirect(unit, &[b"__real_", name.as_slice()].concat(), name);
    }
}

/// Redirects uses of `from` to `to` in a unit that does not define `from`.
fn redirect(unit: &LlvmModule<'_>, from: &[u8], to: &[u8]) {
    let Some(mention) = named(unit, from).filter(|symbol| symbol.is_undefined()) else { return };
    match named(unit, to) {
        Some(target) => mention.become_other(target),
        None => mention.rename(to),
    }
}
