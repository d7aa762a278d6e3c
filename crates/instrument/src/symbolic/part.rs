//! One group of a program as a module of its own.
//!
//! It holds the group and declarations of the symbols that the group refers to, and nothing else.
//! So the object depends on nothing but its text and Parallax itself, and the text is the cache
//! key: no dependency has to be listed, and none can be forgotten.

use inkwell::{context::Context, module::Module as LlvmModule};

use super::groups::{Group, Groups};
use crate::llvm::{Handle, Value, parse_lazily};

/// A module with its context.
pub(crate) struct Part {
    // Dropped before the context that it lives in.
    module: LlvmModule<'static>,
    _context: Box<Context>,
    /// The variables among its declarations that are the program's own.
    pub(crate) variables: Vec<Value>,
}

impl Part {
    /// Takes a group out of the program's bitcode.
    ///
    /// Functions of other groups are not even read.
    pub(crate) fn extract(bitcode: &[u8], groups: &Groups, group: &Group) -> Result<Part, String> {
        let context = Box::new(Context::create());
        // SAFETY: the context is on the heap and is dropped after every module made from it: one is
        // consumed by linking, the other ends up in `Part`, whose first field it is.
        let lasting: &'static Context = unsafe { &*std::ptr::from_ref(&*context) };
        let whole = parse_lazily(lasting, bitcode).ok_or("its bitcode cannot be read again")?;
        leave_out(&Handle::new(&whole), group);
        let module = lasting.create_module("part");
        module.link_in_module(whole).map_err(|why| why.to_string())?;
        let globals = Handle::new(&module).globals().into_iter();
        let variables = globals
            .filter(|global| global.is_declaration() && groups.variables.contains(&global.name()))
            .collect();
        Ok(Part { module, _context: context, variables })
    }

    /// The module itself.
    pub(crate) fn llvm(&self) -> &LlvmModule<'static> {
        &self.module
    }

    /// The whole part, as text that does not change with other parts of the program.
    pub(crate) fn text(&self) -> String {
        let printed = self.module.print_to_string().to_string();
        let mut text: String = printed
            .split_inclusive('\n')
            // It occurs once for each file of the program, and has no effect.
            .filter(|line| {
                !line.starts_with("!llvm.ident") && !line.starts_with("!llvm.commandline")
            })
            .collect();
        let mut names: Vec<_> = self.variables.iter().map(|variable| variable.name()).collect();
        names.sort();
        for name in names {
            text.push_str("; own ");
            text.push_str(&name);
            text.push('\n');
        }
        text
    }
}

/// Turns definitions outside of the group into declarations.
fn leave_out(whole: &Handle, group: &Group) {
    for function in whole.functions() {
        if !function.is_declaration() && !group.functions.contains(&function.name()) {
            function.forget_body(whole);
        }
    }
    if !group.has_variables {
        for variable in whole.globals().into_iter().filter(|v| !v.is_declaration() && !v.is_local())
        {
            if variable.name().starts_with("llvm.") {
                variable.delete_variable();
            } else {
                variable.forget_contents(whole);
            }
        }
    }
    for alias in whole.aliases() {
        if !is_defined_here(alias.aliasee()) {
            // It has no users any more, so it is not linked.
            alias.set_linkage(inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
        }
    }
}

fn is_defined_here(aliasee: Value) -> bool {
    match aliasee.as_global() {
        Some(global) => !global.is_declaration(),
        None => aliasee.constant_operands().into_iter().any(is_defined_here),
    }
}
