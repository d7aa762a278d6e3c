//! Weaving labels into all functions of a module.

use std::collections::HashMap;

use inkwell::{llvm_sys::LLVMLinkage, module::Module as LlvmModule};

use super::{
    effects::Effects,
    function,
    objects::list_globals,
    part::Part,
    pass::{Convention, PROBE, Pass, TWIN, UNESCAPED, announced},
    record::Recording,
    standing::Standings,
    weaver::Weaver,
};
use crate::llvm::{Handle, Value};

/// Weaves labels into a part of a program.
pub(crate) fn weave(
    part: &Part,
    probes: LlvmModule<'static>,
    recording: &Recording,
) -> Result<(), String> {
    let module = part.llvm();
    let handle = Handle::new(module);
    link_probes(module, probes)?;
    let effects = Effects::parse(parallax_runtime::EFFECTS);
    let standings = Standings::parse(parallax_runtime::STANDINGS);
    let mut pass = Pass::new(handle, effects, standings);
    pass.recording = recording.clone();
    if !recording.is_empty() {
        say_recording(&handle);
    }
    pass.variables = part.variables.iter().copied().collect();
    let subjects = pass.subjects();
    list_globals(&handle);
    let mut callees = HashMap::new();
    for function in handle.functions() {
        if let Some(convention) = announced(function) {
            let callee = function::declare(&handle, function, convention);
            if convention == Convention::Twin && !function.is_local() {
                callee.target.set_linkage(LLVMLinkage::LLVMExternalLinkage);
                callee.target.hide();
            }
            callees.insert(function, callee);
        }
    }
    pass.callees = callees;
    for subject in &subjects {
        Weaver::weave(&pass, *subject);
    }
    for subject in subjects.into_iter().filter(|subject| subject.has_mark(TWIN)) {
        finish(&pass, subject);
    }
    module.verify().map_err(|why| why.to_string())
}

/// Tells the runtime to record the writer of each write.
fn say_recording(handle: &Handle) {
    let byte = handle.int(8);
    let flag = handle.add_global("plx_recording", byte);
    flag.set_initializer(byte.constant(1));
    flag.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
    flag.hide();
    handle.keep(&[flag]);
}

/// Leaves a callable function where the code has moved to its twin.
fn finish(pass: &Pass, function: Value) {
    let is_called_by_name_only = function.is_local() || function.has_mark(UNESCAPED);
    match is_called_by_name_only && function.users().is_empty() {
        true => function.delete_function(),
        false => function::forward(pass, function, pass.callees[&function].target),
    }
}

/// Memory effects of the cold halves of probes: memory that the program cannot see, and for some
/// reads of memory that it can see. The encoding is LLVM's: two bits each for memory of arguments,
/// inaccessible memory and other memory; 1 is read, 3 is read and write.
const INACCESSIBLE: u64 = 3 << 2;
const READING: u64 = 1 | 3 << 2 | 1 << 4;

fn link_probes(module: &LlvmModule<'static>, probes: LlvmModule<'static>) -> Result<(), String> {
    let own = Handle::new(&probes);
    for probe in own.functions() {
        own.mark(probe, PROBE);
        own.add_enum_attribute(probe, "nounwind");
    }
    let names: Vec<_> =
        own.functions().into_iter().filter(|p| !p.is_declaration()).map(|p| p.name()).collect();
    module.link_in_module(probes).map_err(|why| why.to_string())?;
    let handle = Handle::new(module);
    for name in names {
        if let Some(probe) = handle.function(&name) {
            probe.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
    for name in [
        "unary",
        "binary",
        "binary_wide",
        "select",
        "extend",
        "pointer",
        "index",
        "branch",
        "switch",
        "divisor",
        "pin",
        "lost",
        "obligation",
    ] {
        if let Some(cold) = handle.function(&format!("plx_{name}_cold")) {
            handle.set_memory_effects(cold, INACCESSIBLE);
        }
    }
    for name in ["load", "load_pointer", "ternary", "lost_memory", "unmodelled", "foreign_reads"] {
        if let Some(cold) = handle.function(&format!("plx_{name}_cold")) {
            handle.set_memory_effects(cold, READING);
        }
    }
    Ok(())
}
