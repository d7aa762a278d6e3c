//! Replaces library functions by models.

use std::path::Path;

use inkwell::{llvm_sys::LLVMLinkage, module::Module as LlvmModule};

use super::pass::MODEL;
use crate::llvm::{Handle, Value};

/// The prefix of a model's name.
pub(crate) const PREFIX: &str = "plx_model_";

/// Makes the program call models, and links them in.
///
/// A model that calls a library function means the library's own: so all calls of the program are
/// redirected to models before any model is linked in.
pub(crate) fn link_models(
    program: &LlvmModule<'static>,
    models: Vec<LlvmModule<'static>>,
) -> Result<(), String> {
    let handle = Handle::new(program);
    for model in models.iter().flat_map(mark) {
        let name = &model[PREFIX.len()..];
        if let Some(function) = handle.function(name).filter(|function| is_foreign(*function)) {
            let stand_in = handle.add_function(&model, function.value_type());
            function.replace_with(stand_in);
        }
    }
    // All of them first: each link looks through everything that is linked already.
    let mut models = models.into_iter();
    let Some(all) = models.next() else { return Ok(()) };
    for other in models {
        all.link_in_module(other).map_err(|why| why.to_string())?;
    }
    program.link_in_module(all).map_err(|why| why.to_string())
}

/// Whether a function is external: a body that is there only to be inlined is the library's.
fn is_foreign(function: Value) -> bool {
    function.is_declaration() || function.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage
}

/// Marks all functions of a file of models with its name, and returns the names of those that
/// replace others.
fn mark(models: &LlvmModule<'static>) -> Vec<String> {
    let handle = Handle::new(models);
    let functions = handle.functions();
    let source = models.get_source_file_name().to_string_lossy().into_owned();
    let file = Path::new(&source).file_stem().unwrap_or_default().to_string_lossy();
    for function in functions.iter().filter(|function| !function.is_declaration()) {
        handle.mark_as(*function, MODEL, &file);
    }
    let names = functions.into_iter().filter(|function| !function.is_declaration());
    let names = names.chain(handle.aliases()).map(Value::name);
    names.filter(|name| name.starts_with(PREFIX)).collect()
}

/// Makes models internal: only the program calls them.
pub(crate) fn hide_models(program: &LlvmModule<'static>) {
    let handle = Handle::new(program);
    let functions = handle.functions().into_iter().filter(|function| function.has_mark(MODEL));
    for own in
        functions.chain(handle.aliases().into_iter().filter(|a| a.name().starts_with(PREFIX)))
    {
        if !matches!(own.name().as_str(), "main")
            && own.linkage() == LLVMLinkage::LLVMExternalLinkage
        {
            own.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
}
