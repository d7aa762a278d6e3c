//! Names that are stable between two versions of a program.
//!
//! Linking numbers conflicting names of file-local symbols, so that another string in one file
//! renames the strings of all others, and unchanged code would look changed. Constants are named
//! after their contents, everything else after its name in the source.

use std::collections::{HashMap, HashSet};

use inkwell::llvm_sys::LLVMLinkage;

use super::pass::MODEL;
use crate::llvm::{Handle, Value};

/// Suffix of the source's name of a file-local symbol.
const LOCAL: &str = ".local";
/// The same in the models, with the file, so that a name depends neither on the program nor on
/// which models it uses.
const LOCAL_OF_MODEL: &str = ".model";

/// The name of a function in the source.
pub(crate) fn source_name(name: &str) -> &str {
    let end = [LOCAL, LOCAL_OF_MODEL].iter().find_map(|mark| name.rfind(mark));
    end.map_or(name, |end| &name[..end])
}

/// Prepares the module's symbols for distribution to groups: stable names, and linkage of
/// definitions.
pub(crate) fn settle(handle: &Handle) {
    for alias in handle.aliases() {
        alias.replace_with(alias.aliasee());
    }
    for global in handle.functions().into_iter().chain(handle.globals()) {
        if !global.is_declaration() {
            global.leave_comdat();
            global.set_linkage(settled(global));
        }
    }
    name_locals(handle);
}

/// Makes a body that is there only to be inlined local, and keeps one that may be left out.
fn settled(global: Value) -> LLVMLinkage {
    match global.linkage() {
        LLVMLinkage::LLVMAvailableExternallyLinkage => LLVMLinkage::LLVMInternalLinkage,
        LLVMLinkage::LLVMLinkOnceAnyLinkage => LLVMLinkage::LLVMWeakAnyLinkage,
        LLVMLinkage::LLVMLinkOnceODRLinkage => LLVMLinkage::LLVMWeakODRLinkage,
        linkage => linkage,
    }
}

fn name_locals(handle: &Handle) {
    let kept = named_by_assembler(handle);
    let all = handle.functions().into_iter().chain(handle.globals());
    let locals: Vec<_> =
        all.filter(|global| is_renamed(*global) && !kept.contains(global)).collect();
    let mut counts = HashMap::new();
    let names: Vec<_> =
        locals.iter().map(|local| numbered(stable_name(*local), &mut counts)).collect();
    // Names are cleared first to avoid conflicts.
    for local in &locals {
        local.set_name("");
    }
    for (local, name) in locals.iter().zip(names) {
        local.set_name(&name);
    }
}

/// Keeps the runtime's names, except for duplicates from a header in several of its files.
fn is_renamed(global: Value) -> bool {
    let name = global.name();
    let is_ours = name.starts_with("plx") && without_number(&name) == name;
    global.is_local() && !name.starts_with("llvm.") && !is_ours
}

/// Symbols that are kept although they seem unused may be used by name.
fn named_by_assembler(handle: &Handle) -> HashSet<Value> {
    let lists = ["llvm.used", "llvm.compiler.used"].into_iter();
    let lists = lists.filter_map(|name| handle.global(name)?.initializer());
    lists.flat_map(Value::operands).collect()
}

fn stable_name(local: Value) -> String {
    if let Some(contents) = plain_contents(local) {
        return format!("plx.constant.{:016x}", fingerprint(&contents.print()));
    }
    let name = local.name();
    let base = without_number(&name);
    match local.as_function().and_then(|function| function.mark_text(MODEL)) {
        Some(file) => format!("{base}{LOCAL_OF_MODEL}.{file}"),
        None => format!("{base}{LOCAL}"),
    }
}

/// A name without the numbers that distinguish it from others.
fn without_number(name: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match name.rsplit_once('.').filter(|(_, last)| is_number(last)) {
        Some((before, _)) => without_number(before),
        None => name,
    }
}

/// The contents of a constant without references to other symbols.
fn plain_contents(local: Value) -> Option<Value> {
    let variable = local.as_global_variable().filter(|variable| is_copied(*variable))?;
    variable.initializer().filter(|contents| !refers(*contents))
}

fn refers(constant: Value) -> bool {
    constant.as_global().is_some() || constant.constant_operands().into_iter().any(refers)
}

fn numbered(name: String, counts: &mut HashMap<String, u32>) -> String {
    let count = counts.entry(name.clone()).or_default();
    *count += 1;
    match *count {
        1 => name,
        count => format!("{name}.{count}"),
    }
}

/// Whether every group that uses a variable may have a copy of it.
pub(crate) fn is_copied(global: Value) -> bool {
    global.is_local()
        && global.is_constant_global()
        && global.has_no_address()
        && !global.is_thread_local()
        && global.section().is_none()
}

/// A number for a text that does not change from one release of Rust to the next.
pub(crate) fn fingerprint(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_a_name_got_on_the_way_do_not_count() {
        assert_eq!(without_number("f.12"), "f");
        assert_eq!(without_number("f.buffer.3.4"), "f.buffer");
        assert_eq!(without_number(".str"), ".str");
        let mut counts = HashMap::new();
        assert_eq!(numbered("f.local".into(), &mut counts), "f.local");
        assert_eq!(numbered("f.local".into(), &mut counts), "f.local.2");
        assert_eq!(numbered("g.local".into(), &mut counts), "g.local");
    }

    #[test]
    fn the_source_does_not_know_our_names() {
        assert_eq!(source_name("f.local.2"), "f");
        assert_eq!(source_name("f.buffer.local"), "f.buffer");
        assert_eq!(source_name("compare.model.sort"), "compare");
        assert_eq!(source_name("main"), "main");
    }
}
