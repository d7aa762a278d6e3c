//! The dynamic loader's symbol binding between images, done in bitcode.
//!
//! Every image is one module here. A definition that other images do not see becomes internal; of
//! the visible ones the first in the loader's order wins, weak or not, and the later ones become
//! weak, or internal where their own image insists on them. `weak` linkage suffices: linking into a
//! module that has the symbol drops a weak definition of any of the four kinds, and keeps the body
//! that another alias stands for.

use std::collections::BTreeSet;

use inkwell::{llvm_sys::LLVMLinkage, module::Module as LlvmModule};

use crate::{
    image::{Binding, Image},
    symbol::{Symbol, names_in_assembler, symbols},
};

/// Makes the modules of a program's images, in the loader's order, ready to be linked in that order.
pub(crate) fn bind(images: &[(&Image, LlvmModule<'static>)], program: &Image) {
    let mut taken = BTreeSet::new();
    for (image, module) in images {
        let mut seen = seen_names(image, module);
        if std::ptr::eq(*image, program) {
            seen.extend(unmentioned(module, &images[1..]));
            seen.insert(b"main".to_vec());
        }
        let offered: Vec<_> = symbols(module).into_iter().filter(|it| it.is_offered()).collect();
        for symbol in &offered {
            symbol.leave_group();
            place(*symbol, image, &seen, &taken);
        }
        taken.extend(offered.iter().filter(|it| it.is_offered()).map(|it| it.name()));
    }
}

/// Merges `part` into the module of the same image: of two strong definitions the first counts, as
/// with `--allow-multiple-definition`, without which the native link would have failed.
pub(crate) fn give_way(part: &LlvmModule<'static>, whole: &LlvmModule<'static>) {
    let is_strong = |symbol: &Symbol| {
        symbol.is_offered() && symbol.linkage() == LLVMLinkage::LLVMExternalLinkage
    };
    let strong = |module| symbols(module).into_iter().filter(is_strong);
    let defined: BTreeSet<_> = strong(whole).map(Symbol::name).collect();
    for symbol in strong(part).filter(|symbol| defined.contains(&symbol.name())) {
        symbol.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
    }
}

/// The symbols that are looked up by name from outside the image's bitcode.
fn seen_names(image: &Image, module: &LlvmModule<'static>) -> BTreeSet<Vec<u8>> {
    let mut names = image.exported.clone();
    names.extend(image.referenced.iter().cloned());
    names.extend(names_in_assembler(module));
    names
}

/// The symbols of an executable that none of its libraries mentions. They need not become internal,
/// and static libraries without bitcode may refer to them.
fn unmentioned(
    program: &LlvmModule<'static>,
    libraries: &[(&Image, LlvmModule<'static>)],
) -> Vec<Vec<u8>> {
    let mentioned: BTreeSet<_> = libraries
        .iter()
        .flat_map(|(_, module)| symbols(module).into_iter().map(Symbol::name))
        .collect();
    let names = symbols(program).into_iter().map(Symbol::name);
    names.filter(|name| !mentioned.contains(name)).collect()
}

fn place(symbol: Symbol, image: &Image, seen: &BTreeSet<Vec<u8>>, taken: &BTreeSet<Vec<u8>>) {
    let name = symbol.name();
    let bound = binds_to_own(symbol, image.binding);
    symbol.reset_visibility();
    match (seen.contains(&name), taken.contains(&name)) {
        (false, _) => symbol.set_linkage(LLVMLinkage::LLVMInternalLinkage),
        (true, false) => symbol.set_linkage(lasting(symbol.linkage())),
        (true, true) if bound => symbol.set_linkage(LLVMLinkage::LLVMInternalLinkage),
        (true, true) => symbol.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage),
    }
}

fn binds_to_own(symbol: Symbol, binding: Binding) -> bool {
    match binding {
        _ if symbol.is_protected() => true,
        Binding::Interposable => false,
        Binding::OwnFunctions => symbol.is_function(),
        Binding::Own => true,
    }
}

/// A `linkonce` definition is dropped unless something refers to it already, and gives way to a
/// weak one; images that are linked later may rely on it.
fn lasting(linkage: LLVMLinkage) -> LLVMLinkage {
    match linkage {
        LLVMLinkage::LLVMLinkOnceAnyLinkage => LLVMLinkage::LLVMWeakAnyLinkage,
        LLVMLinkage::LLVMLinkOnceODRLinkage => LLVMLinkage::LLVMWeakODRLinkage,
        other => other,
    }
}
