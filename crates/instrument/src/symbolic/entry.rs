//! The start of the program: `main` belongs to the runtime, which gives the program's own `main`
//! arguments that can grow.

use inkwell::llvm_sys::LLVMLinkage;
use parallax_capture::HARNESS_MAIN;

use super::pass::MODEL;
use crate::llvm::{Handle, Type, Value};

/// The new name of the program's own `main`.
pub(crate) const SUBJECT_MAIN: &str = "plx.main";

/// Makes the runtime's start-up code the entry.
pub(crate) fn take_over(handle: &Handle) -> Result<(), &'static str> {
    let (int, pointer) = (handle.int(32), handle.pointer());
    let signature = Type::signature(int, &[int, pointer, pointer]);
    let main = handle.function("main").filter(|main| !main.is_declaration());
    if let Some(main) = main {
        main.set_name(SUBJECT_MAIN);
    }
    let own = match main.filter(|_| handle.function(HARNESS_MAIN).is_none()) {
        Some(main) => main,
        None if handle.function("LLVMFuzzerTestOneInput").is_some() => {
            // Parallax's own `main` that only passes standard input on: the model does so with
            // labels.
            for ours in main.into_iter().chain(handle.function(HARNESS_MAIN)) {
                ours.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            }
            handle.function("plx_fuzz_main").ok_or("it has no model of a harness's entry")?
        }
        None => return Err("it has no main"),
    };
    let start = handle.function("plx_start").ok_or("the runtime has no start")?;
    define(handle, "plx_main", signature, own);
    define(handle, "main", signature, start);
    Ok(())
}

/// Defines a function that passes as many of its parameters to `target` as that takes.
fn define(handle: &Handle, name: &str, signature: Type, target: Value) {
    let function = handle.function(name).unwrap_or_else(|| handle.add_function(name, signature));
    handle.mark(function, MODEL);
    let builder = handle.builder();
    builder.at_end(handle.append_block(function));
    let wanted = target.value_type().parameters();
    let given = function.parameters();
    let arguments: Vec<_> = wanted
        .iter()
        .enumerate()
        .map(|(index, ty)| match given.get(index) {
            Some(given) if given.ty() == *ty => *given,
            _ => ty.zero(),
        })
        .collect();
    let result = builder.call(target.value_type(), target, &arguments);
    let int = handle.int(32);
    match result.ty() {
        ty if ty == int => builder.ret(Some(result)),
        _ => builder.ret(Some(int.zero())),
    }
}
