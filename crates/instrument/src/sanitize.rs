//! The sanitizer build: a module in which undefined behaviour ends the run with a message.
//!
//! AddressSanitizer finds memory errors: it is a pass of LLVM's and only has to be enabled,
//! function by function. Undefined arithmetic is a [`hazard`](crate::hazard) of an instruction. Its
//! check is a call with a flag rather than a branch: no block is split, and the speed of this build
//! does not matter.

use inkwell::{
    AddressSpace,
    attributes::{Attribute, AttributeLoc},
    builder::{Builder, BuilderError},
    context::ContextRef,
    module::{Linkage, Module as LlvmModule},
    types::FunctionType,
    values::{BasicMetadataValueEnum, FunctionValue, GlobalValue, InstructionValue, IntValue},
};
use parallax_abi::Undefined;
use parallax_module::{Module, place_of};

use crate::hazard::Hazards;

/// Exit status of a failed check: AddressSanitizer's default is 1, which programs use themselves.
const STATUS: u64 = 86;

/// Makes every function of the module report memory errors and undefined arithmetic.
///
/// The result has to be compiled with `-fsanitize=address`.
pub fn sanitize(module: &Module) -> Result<(), BuilderError> {
    let llvm = module.llvm();
    let bodies: Vec<_> =
        llvm.get_functions().filter(|function| function.count_basic_blocks() > 0).collect();
    let checker = Checker::new(llvm)?;
    for function in bodies {
        ask_for_address_sanitizer(function, checker.context);
        for block in function.get_basic_block_iter() {
            for instruction in block.get_instructions() {
                checker.check(instruction)?;
            }
        }
    }
    Ok(())
}

/// Makes every function of the module report memory errors, and nothing else.
///
/// The result has to be compiled with `-fsanitize=address`.
pub(crate) fn watch_memory(module: &Module) {
    let llvm = module.llvm();
    let context = llvm.get_context();
    for function in llvm.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        ask_for_address_sanitizer(function, context);
    }
}

fn ask_for_address_sanitizer(function: FunctionValue<'static>, context: ContextRef<'static>) {
    let kind = Attribute::get_named_enum_kind_id("sanitize_address");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
}

struct Checker<'m> {
    context: ContextRef<'static>,
    module: &'m LlvmModule<'static>,
    builder: Builder<'static>,
    report: FunctionValue<'static>,
}

impl<'m> Checker<'m> {
    fn new(module: &'m LlvmModule<'static>) -> Result<Checker<'m>, BuilderError> {
        let context = module.get_context();
        let builder = context.create_builder();
        let report = define_report(module, context, &builder)?;
        Ok(Checker { context, module, builder, report })
    }

    fn check(&self, instruction: InstructionValue<'static>) -> Result<(), BuilderError> {
        let hazards = Hazards::new(self.module, &self.builder).of_integers(instruction)?;
        // Where pointers are subtracted, the pointers are the error.
        for hazard in hazards.iter().filter(|hazard| hazard.kind != Undefined::Remainder) {
            self.report_if(hazard.holds, instruction, what(hazard.kind))?;
        }
        Ok(())
    }

    fn report_if(
        &self,
        flag: IntValue<'static>,
        instruction: InstructionValue<'static>,
        what: &str,
    ) -> Result<(), BuilderError> {
        if flag.is_constant_int() && flag.get_zero_extended_constant() == Some(0) {
            return Ok(());
        }
        let place = place_of(instruction).map(|place| place + ": ").unwrap_or_default();
        let text = format!("{place}runtime error: {what}\n");
        let message = self.message(&text);
        let length = self.context.i64_type().const_int(text.len() as u64, false);
        let arguments = [flag.into(), message.as_pointer_value().into(), length.into()];
        self.builder.build_call(self.report, &arguments, "")?;
        Ok(())
    }

    fn message(&self, text: &str) -> GlobalValue<'static> {
        let bytes = self.context.const_string(text.as_bytes(), false);
        let global = self.module.add_global(bytes.get_type(), None, "parallax.message");
        global.set_initializer(&bytes);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global
    }
}

/// The message of a failed check.
fn what(kind: Undefined) -> &'static str {
    match kind {
        Undefined::Overflow => "signed integer overflow",
        Undefined::Quotient => "signed integer overflow in a division",
        Undefined::Shift => "shift by more than the width",
        kind => kind.describe(),
    }
}

/// `void report(bool failed, const char *message, size_t length)`: prints the message and ends the
/// run.
fn define_report(
    module: &LlvmModule<'static>,
    context: ContextRef<'static>,
    builder: &Builder<'static>,
) -> Result<FunctionValue<'static>, BuilderError> {
    let (pointer, long, int) =
        (context.ptr_type(AddressSpace::default()), context.i64_type(), context.i32_type());
    let signature = context
        .void_type()
        .fn_type(&[context.bool_type().into(), pointer.into(), long.into()], false);
    let report = module.add_function("parallax.report", signature, Some(Linkage::Internal));
    let entry = context.append_basic_block(report, "entry");
    let failed = context.append_basic_block(report, "failed");
    let fine = context.append_basic_block(report, "fine");

    let parameters = report.get_params();
    builder.position_at_end(entry);
    builder.build_conditional_branch(parameters[0].into_int_value(), failed, fine)?;
    builder.position_at_end(fine);
    builder.build_return(None)?;
    builder.position_at_end(failed);
    let stderr = int.const_int(2, false);
    let printed = [stderr.into(), parameters[1].into(), parameters[2].into()];
    let write = long.fn_type(&[int.into(), pointer.into(), long.into()], false);
    call_library(module, builder, "write", write, &printed)?;
    let exit = context.void_type().fn_type(&[int.into()], false);
    call_library(module, builder, "_exit", exit, &[int.const_int(STATUS, false).into()])?;
    builder.build_unreachable()?;
    Ok(report)
}

/// Calls the library function of this name, whatever its declaration in the program.
fn call_library(
    module: &LlvmModule<'static>,
    builder: &Builder<'static>,
    name: &str,
    signature: FunctionType<'static>,
    arguments: &[BasicMetadataValueEnum<'static>],
) -> Result<(), BuilderError> {
    move_static_away(module, name);
    let function =
        module.get_function(name).unwrap_or_else(|| module.add_function(name, signature, None));
    let pointer = function.as_global_value().as_pointer_value();
    builder.build_indirect_call(signature, pointer, arguments, "")?;
    Ok(())
}

/// A `static` function or variable of the program may have the name of one of the library's.
fn move_static_away(module: &LlvmModule<'static>, name: &str) {
    let function = module.get_function(name).map(|function| function.as_global_value());
    for own in function.into_iter().chain(module.get_global(name)) {
        if matches!(own.get_linkage(), Linkage::Internal | Linkage::Private) {
            own.set_name(&format!("{name}.static"));
        }
    }
}
