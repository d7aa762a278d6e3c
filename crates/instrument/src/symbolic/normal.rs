//! The normal form of a program, which all other parts call "the program".
//!
//! `sroa` and `early-cse` remove code that only the front end put there and keep the branches of
//! the source, which `simplifycfg` and `instcombine` would merge. Exceptions do not exist in C: a
//! program with code that runs when one is thrown is refused, as that code would be missing here
//! and the weaver does not support invokes. Multiplication and addition that may be fused are not,
//! so that the value does not depend on the machine.

use inkwell::{
    module::Module as LlvmModule,
    passes::PassBuilderOptions,
    targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine},
};

use parallax_module::MARK;

use crate::{
    build::InstrumentError,
    llvm::{Handle, Opcode, Value},
};

/// Removes unused functions from headers of C++.
const UNUSED: &str = "globaldce";
const PASSES: &str = "constmerge,function(lower-expect,sroa,early-cse,loop-simplify,lcssa)";

pub(crate) fn normalise(module: &LlvmModule<'static>) -> Result<(), InstrumentError> {
    let handle = Handle::new(module);
    unfuse(&handle);
    let machine = machine(module).map_err(InstrumentError::Refused)?;
    let run = |passes| {
        let done = module.run_passes(passes, &machine, PassBuilderOptions::create());
        done.map_err(|why| InstrumentError::Refused(why.to_string()))
    };
    run(UNUSED)?;
    match unwinding(&handle) {
        Some(call) => Err(InstrumentError::Exceptions(call.place().unwrap_or("?".to_owned()))),
        None => run(PASSES),
    }
}

/// A call with an exception edge: to a `catch`, a destructor or the end of the program.
fn unwinding(handle: &Handle) -> Option<Value> {
    let blocks = handle.functions().into_iter().flat_map(Value::blocks);
    let mut all = blocks.flat_map(crate::llvm::Block::instructions);
    all.find(|instruction| instruction.opcode() == Opcode::LLVMInvoke)
}

/// Removes source locations: with them, code that only moved would look changed.
pub(crate) fn forget_sources(handle: &Handle) {
    handle.strip_debug_information();
    let blocks = handle.functions().into_iter().flat_map(Value::blocks);
    for instruction in blocks.flat_map(crate::llvm::Block::instructions) {
        handle.remove_metadata(instruction, MARK);
        if instruction.opcode() == Opcode::LLVMCall && instruction.callee().is_inline_assembler() {
            handle.remove_metadata(instruction, "srcloc");
        }
    }
}

fn machine(module: &LlvmModule<'static>) -> Result<TargetMachine, String> {
    Target::initialize_x86(&InitializationConfig::default());
    let triple = module.get_triple();
    let target = Target::from_triple(&triple).map_err(|why| why.to_string())?;
    let level = inkwell::OptimizationLevel::Default;
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| format!("there is no machine for {triple}"))
}

fn unfuse(handle: &Handle) {
    let fused = handle.functions().into_iter();
    for function in fused.filter(|function| function.name().starts_with("llvm.fmuladd.")) {
        for call in function.users().into_iter().filter_map(Value::as_instruction) {
            let builder = handle.builder();
            builder.before(call);
            let product = builder.float_multiply(call.operand(0), call.operand(1));
            let sum = builder.float_add(product, call.operand(2));
            call.replace_with(sum);
            call.erase();
        }
    }
}
