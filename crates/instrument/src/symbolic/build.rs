//! From a captured program to its symbolic build.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use inkwell::{llvm_sys::LLVMLinkage, module::Module as LlvmModule};
use parallax_capture::{Build, Rebuilt, link_rebuilt};
use parallax_program::{Module, Program};

use super::{
    effects::Effects,
    entry, function,
    models::{hide_models, link_models},
    normal::normalise,
    objects::list_globals,
    pass::{Convention, PROBE, Pass, convention},
    places::Places,
    toolkit::Toolkit,
    weaver::Weaver,
};
use crate::{
    build::{InstrumentError, whole_program},
    llvm::Handle,
};

/// A program that can be traced.
#[derive(Debug)]
pub struct SymbolicBuild {
    /// The executable.
    pub program: PathBuf,
    /// What it is made from: the program in its normal form, models included.
    pub model: Program,
    /// What the numbers in its traces mean.
    pub places: Places,
}

/// Makes the symbolic build of a program at `output`.
pub fn symbolic_build(build: &Build, output: &Path) -> Result<SymbolicBuild, InstrumentError> {
    let refused = InstrumentError::Refused;
    let toolkit = Toolkit::ready()?;
    let module = whole_program(build)?;
    let llvm = module.llvm();
    link_models(llvm, toolkit.models(llvm.get_context())?).map_err(refused)?;
    entry::take_over(&Handle::new(llvm)).map_err(|why| refused(why.to_owned()))?;
    hide_models(llvm);
    normalise(llvm).map_err(refused)?;
    let model = Program::read(&module);
    instrument(llvm, toolkit.probes(llvm.get_context())?).map_err(refused)?;
    compile(build, &module, &toolkit, output)?;
    let places = Places::read(output, &model).map_err(refused)?;
    Ok(SymbolicBuild { program: output.to_owned(), model, places })
}

fn compile(
    build: &Build,
    module: &Module,
    toolkit: &Toolkit,
    output: &Path,
) -> Result<(), InstrumentError> {
    let scratch = tempfile::tempdir()?;
    let path = scratch.path().join("module.bc");
    module.write(&path)?;
    let options = ["-O2", "-fPIE", "-pie", "-Wl,-z,nostart-stop-gc", "-fuse-ld=lld"];
    let rebuilt = Rebuilt { module: &path, options: &options, objects: &toolkit.objects() };
    Ok(link_rebuilt(build, rebuilt, output)?)
}

/// Weaves labels into every function of a module.
fn instrument(module: &LlvmModule<'static>, probes: LlvmModule<'static>) -> Result<(), String> {
    let handle = Handle::new(module);
    handle.strip_debug_information();
    link_probes(module, probes)?;
    let mut pass = Pass::new(handle, Effects::parse(parallax_runtime::EFFECTS));
    let subjects = pass.subjects();
    list_globals(&handle);
    let mut callees = HashMap::new();
    for subject in &subjects {
        if subject.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage {
            subject.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
        callees.insert(*subject, function::declare(&handle, *subject, convention(*subject)));
    }
    pass.callees = callees;
    for subject in &subjects {
        Weaver::weave(&pass, *subject);
    }
    for subject in &subjects {
        let callee = pass.callees[subject];
        if callee.convention == Convention::Twin {
            function::forward(&pass, *subject, callee.target);
        }
    }
    module.verify().map_err(|why| why.to_string())
}

/// What the cold halves of probes touch: memory that the program cannot see, and some of them what
/// it can see, reading only. The encoding is LLVM's: two bits each for memory of arguments,
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
    ] {
        if let Some(cold) = handle.function(&format!("plx_{name}_cold")) {
            handle.set_memory_effects(cold, INACCESSIBLE);
        }
    }
    for name in ["load", "ternary", "lost_memory", "unmodelled", "foreign_reads"] {
        if let Some(cold) = handle.function(&format!("plx_{name}_cold")) {
            handle.set_memory_effects(cold, READING);
        }
    }
    Ok(())
}

impl SymbolicBuild {
    /// The values of the switch at a place.
    pub fn cases(&self, number: u32) -> Vec<u64> {
        let Some(place) = self.places.get(number) else { return Vec::new() };
        let function = self.model.functions.get(place.function.0 as usize);
        let block = function.and_then(|function| function.blocks.get(place.block.0 as usize));
        block.map(|block| block.cases.clone()).unwrap_or_default()
    }

    /// The source of a place, as people write it: `cut.c:12:5`.
    pub fn source_of(&self, number: u32) -> String {
        let instruction = self.places.get(number).and_then(|place| place.instruction(&self.model));
        match instruction.and_then(|instruction| instruction.location) {
            Some(location) => self.model.describe(location).to_string(),
            None => self.function_source(number),
        }
    }

    /// Where the function of a place is: for code that is no line's, such as the jump that all
    /// computed gotos share.
    fn function_source(&self, number: u32) -> String {
        let place = self.places.get(number);
        let function = place.and_then(|place| self.model.functions.get(place.function.0 as usize));
        match function.and_then(|function| function.location) {
            Some(location) => self.model.describe(location).to_string(),
            None => "?".to_owned(),
        }
    }

    /// The function that a place is in.
    pub fn function_at(&self, number: u32) -> &str {
        self.places.get(number).map_or("?", |place| place.function_name(&self.model))
    }
}
