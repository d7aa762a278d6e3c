//! The proof build: the program as the front end left it, with all undefined behaviour recorded.
//!
//! A proof is about the plain builds. The normal form that a search runs is not enough for it: code
//! that its passes have dropped or folded (a division whose result is not used, a comparison that
//! relies on the absence of overflow) is still there in a plain build. So the functions of a proof
//! build are kept from all passes, and the assumptions that an optimiser may use are removed from
//! them and become *obligations*: conditions that are written to the trace and must be unsat on
//! every path. Every access to memory stays, so that one that traps does so here as well; memory
//! that was never written has labels of its own; and each use of something that the engine does not
//! model is recorded by name.

use std::collections::BTreeSet;

use inkwell::{
    AddressSpace,
    builder::{Builder, BuilderError},
    llvm_sys::LLVMLinkage,
    module::Module as LlvmModule,
    types::{BasicTypeEnum, FunctionType},
    values::{
        AsValueRef, BasicMetadataValueEnum, BasicValueEnum, FunctionValue, InstructionOpcode,
        InstructionValue, IntValue, PointerValue,
    },
};
use parallax_abi::Undefined;
use parallax_capture::{Build, driver::ADDS_CODE};
use parallax_program::is_known_function;

use super::aliasing::{self, AccessTypes};
use crate::{
    hazard::{Hazard, Hazards, intrinsic_name, is_own_variable, is_poisoned},
    llvm::{Handle, IntPredicate, Opcode, Value},
};

/// Marks functions that are part of a proof.
pub(crate) const PROVED: &str = "plx-proved";
/// Marks those of them that a plain build does not optimise.
pub(crate) const UNOPTIMISED: &str = "plx-unoptimised";
/// The function that takes a condition that must be unsat, and the one for the use of an address as
/// a number.
pub(crate) const OBLIGE: &str = "plx_oblige";
pub(crate) const ADDRESS_USED: &str = "plx_address_used";
/// A variable that says that this is a proof build.
const SIGN: &str = "plx_proof";

/// Keeps passes away from a function, and attributes that conflict with that.
const UNTOUCHED: [&str; 2] = ["noinline", "optnone"];
const IN_THE_WAY: [&str; 3] = ["alwaysinline", "minsize", "optsize"];
/// Attributes that optimisers rely on.
const PROMISES: [&str; 20] = [
    "allockind",
    "allocsize",
    "dereferenceable",
    "dereferenceable_or_null",
    "memory",
    "mustprogress",
    "noalias",
    "nocapture",
    "nofree",
    "nonnull",
    "norecurse",
    "nosync",
    "noundef",
    "range",
    "readnone",
    "readonly",
    "returned",
    "speculatable",
    "willreturn",
    "writeonly",
];
/// Attributes that promise nothing, or whose promise becomes an obligation.
const HARMLESS: [&str; 26] = [
    "alwaysinline",
    "builtin",
    "cold",
    "hot",
    "immarg",
    "inlinehint",
    "inreg",
    "minsize",
    "naked",
    "nobuiltin",
    "noimplicitfloat",
    "noinline",
    "nonnull",
    "norecurse",
    "noreturn",
    "noundef",
    "nounwind",
    "optnone",
    "optsize",
    "returns_twice",
    "signext",
    "ssp",
    "sspreq",
    "sspstrong",
    "uwtable",
    "zeroext",
];
const TYPE_FACTS: [&str; 10] = [
    "alias.scope",
    "dereferenceable",
    "invariant.load",
    "llvm.loop",
    "noalias",
    "nonnull",
    "noundef",
    "range",
    aliasing::MARK,
    "tbaa.struct",
];
/// Linker arguments that start a program with other rules for denormal numbers, or another
/// precision.
const DENORMAL: [&str; 8] = [
    "-Ofast",
    "-fast",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-mdaz-ftz",
    "-mpc32",
    "-mpc64",
    "-mpc80",
];
/// Attributes for which a compiler adds calls to functions at the end.
const WATCHED: [&str; 6] = [
    "fentry-call",
    "function-instrument",
    "instrument-function-entry",
    "instrument-function-entry-inlined",
    "instrument-function-exit",
    "instrument-function-exit-inlined",
];
/// Variables of the C library that models support.
const KNOWN_VARIABLES: [&str; 7] =
    ["stdin", "stdout", "stderr", "optarg", "optind", "opterr", "optopt"];

/// Obstacles to any proof about a program, whatever it does: parts that the engine does not see.
pub(crate) fn obstacles(build: &Build, module: &LlvmModule<'static>) -> BTreeSet<String> {
    let handle = Handle::new(module);
    let mut found = BTreeSet::new();
    for unit in build.images.iter().flat_map(|image| &image.units) {
        if unit.bitcode.is_err() {
            found.insert(format!("there is no bitcode of {}", unit.source.display()));
        }
    }
    let links = build.images.iter().filter_map(|image| image.link.as_ref());
    for word in links.flat_map(|link| &link.words).filter_map(|word| word.to_str()) {
        if DENORMAL.contains(&word) {
            found.insert(format!(
                "it is linked with {word}, which changes floating-point arithmetic"
            ));
        }
    }
    for check in checks(module) {
        found.insert(format!("it is built with {check}, whose code is not looked at"));
    }
    if handle.has_assembler() {
        found.insert("it has assembler outside of functions".to_owned());
    }
    if handle.has_indirect_functions() {
        found.insert("it has functions that are chosen when it starts".to_owned());
    }
    for variable in handle.globals() {
        let name = variable.name();
        let is_foreign = variable.is_declaration() && !variable.users().is_empty();
        if is_foreign && !KNOWN_VARIABLES.contains(&name.as_str()) && !name.starts_with("llvm.") {
            found.insert(format!("it uses the variable {name} of a library"));
        }
    }
    let is_optimised = !is_unoptimised(module);
    for function in handle.functions().into_iter().filter(|function| !function.is_declaration()) {
        found.extend(obstacle_of(function));
        if is_optimised {
            found.extend(known_of(function));
            found.extend(promise_of(function));
        }
    }
    found.extend(constructors(&handle).into_iter().filter_map(|function| {
        let takes = !function.parameters().is_empty();
        takes.then(|| format!("its constructor {} takes arguments", function.name()))
    }));
    found
}

/// Options that add code to a plain build that is not in its bitcode, as recorded by the capture.
fn checks(module: &LlvmModule<'static>) -> Vec<String> {
    let noted = module.get_global_metadata("llvm.commandline").into_iter();
    let values = noted.filter_map(|node| node.get_node_values()).flatten();
    let words = values.filter_map(|value| match value {
        BasicMetadataValueEnum::MetadataValue(text) => {
            text.get_string_value().map(|text| String::from_utf8_lossy(text).into_owned())
        }
        _ => None,
    });
    words.filter_map(|text| text.strip_prefix(ADDS_CODE).map(str::to_owned)).collect()
}

/// A function of the program that an optimiser treats as the library's of the same name.
fn known_of(function: Value) -> Option<String> {
    let name = function.name();
    let is_foreign = function.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage;
    (is_known_function(&name) && !is_foreign)
        .then(|| format!("it defines {name}, of which compilers know what the library's does"))
}

/// Assumptions that an optimiser may make about a function beyond those that become obligations.
fn promise_of(function: Value) -> Option<String> {
    let name = function.name();
    if function.promises_more_than(&HARMLESS) {
        return Some(format!("{name} is declared to be more than its code says"));
    }
    let calls = function.blocks().into_iter().flat_map(|block| block.instructions());
    for call in calls.filter(|instruction| instruction.opcode() == Opcode::LLVMCall) {
        if call.has_bundles() {
            return Some(format!("{name} assumes something of its pointers"));
        }
        let callee = call.callee().as_function();
        let is_own = callee.is_none_or(|callee| !callee.is_declaration());
        if is_own && call.call_promises_more_than(&HARMLESS) {
            return Some(format!("{name} calls what is declared to be more than its code says"));
        }
    }
    None
}

fn obstacle_of(function: Value) -> Option<String> {
    let name = function.name();
    if function.has_attribute("naked") {
        return Some(format!("{name} is assembler"));
    }
    if name == "main" && function.parameters().get(2).is_some_and(|it| !it.users().is_empty()) {
        return Some("main looks at all of its environment".to_owned());
    }
    if WATCHED.iter().any(|mark| function.mark_text(mark).is_some()) {
        return Some(format!("calls of {name} are counted"));
    }
    let is_ieee = |mode: String| mode.split(',').all(|part| part == "ieee");
    if ["denormal-fp-math", "denormal-fp-math-f32"]
        .iter()
        .any(|mark| function.mark_text(mark).is_some_and(|mode| !is_ieee(mode)))
    {
        return Some(format!("{name} is compiled for other rules for small numbers"));
    }
    let features = function.mark_text("target-features").unwrap_or_default();
    let fuses = features.contains("+fma");
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    for instruction in instructions {
        let is_drawn = || instruction.operand(0).is_undefined();
        if instruction.opcode() == Opcode::LLVMFreeze && is_drawn() {
            return Some(format!("{name} uses a value that is left to the compiler"));
        }
        if instruction.has_fast_math() {
            return Some(format!("{name} has floating-point arithmetic that may be reordered"));
        }
        let is_fused = || instruction.callee().name().starts_with("llvm.fmuladd.");
        if fuses && instruction.opcode() == Opcode::LLVMCall && is_fused() {
            return Some(format!("{name} has multiplications that may be fused with additions"));
        }
    }
    None
}

/// The functions that run before `main`.
fn constructors(handle: &Handle) -> Vec<Value> {
    let lists = ["llvm.global_ctors", "llvm.global_dtors"].into_iter();
    let entries = lists.filter_map(|name| handle.global(name)?.initializer());
    let entries = entries.flat_map(Value::constant_operands);
    let functions = entries.flat_map(Value::constant_operands);
    functions.filter_map(Value::as_function).collect()
}

/// Prepares every function of the program for a proof.
pub(crate) fn prepare(module: &LlvmModule<'static>) -> Result<(), BuilderError> {
    let handle = Handle::new(module);
    let is_unoptimised = is_unoptimised(module);
    let bodies: Vec<_> =
        module.get_functions().filter(|function| function.count_basic_blocks() > 0).collect();
    let builder = module.get_context().create_builder();
    let types = match is_unoptimised {
        true => AccessTypes::none(),
        false => AccessTypes::of(module, &bodies),
    };
    let preparer = Preparer { module, handle, builder: &builder, is_unoptimised, types };
    for function in &bodies {
        preparer.prepare(*function)?;
    }
    for function in handle.functions().into_iter().filter(|it| !it.name().starts_with("llvm.")) {
        function.remove_everywhere(&PROMISES);
    }
    for function in bodies {
        let function = Value(function.as_value_ref());
        handle.mark(function, PROVED);
        if preparer.is_unoptimised {
            handle.mark(function, UNOPTIMISED);
        }
        IN_THE_WAY.iter().for_each(|name| function.remove_attribute(name));
        UNTOUCHED.iter().for_each(|name| handle.add_enum_attribute(function, name));
    }
    Ok(())
}

/// Lets compilers optimise the woven code, and signs the module.
pub(crate) fn sign(handle: &Handle) {
    for function in handle.functions().into_iter().filter(|function| function.has_mark(PROVED)) {
        function.remove_attribute("optnone");
    }
    let byte = handle.int(8);
    let sign = handle.add_global(SIGN, byte);
    sign.set_initializer(byte.constant(1));
    sign.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    sign.hide();
    handle.keep(&[sign]);
}

/// Whether a module is (a part of) a proof build.
pub(crate) fn is_signed(handle: &Handle) -> bool {
    handle.global(SIGN).is_some()
        || handle.functions().into_iter().any(|function| function.has_mark(PROVED))
}

/// Whether all of it was compiled without optimisation: then overflow wraps around.
fn is_unoptimised(module: &LlvmModule<'static>) -> bool {
    let text = module.print_to_string().to_string();
    let mut units = text.lines().filter(|line| line.contains("!DICompileUnit(")).peekable();
    units.peek().is_some() && units.all(|unit| unit.contains("isOptimized: false"))
}

struct Preparer<'m> {
    module: &'m LlvmModule<'static>,
    handle: Handle,
    builder: &'m Builder<'static>,
    is_unoptimised: bool,
    types: AccessTypes,
}

impl Preparer<'_> {
    fn prepare(&self, function: FunctionValue<'static>) -> Result<(), BuilderError> {
        let blocks = function.get_basic_block_iter();
        let instructions: Vec<_> = blocks.flat_map(|block| block.get_instructions()).collect();
        for instruction in instructions {
            self.oblige_all(instruction)?;
            self.oblige_addresses(instruction)?;
            self.doubt_compiler(instruction)?;
            self.forget_promises(instruction);
        }
        Ok(())
    }

    fn oblige_all(&self, instruction: InstructionValue<'static>) -> Result<(), BuilderError> {
        let hazards = Hazards::new(self.module, self.builder);
        let mut found = hazards.of_integers(instruction)?;
        found.extend(hazards.of_others(instruction)?);
        found.extend(self.of_truth_value(instruction)?);
        found.extend(self.types.hazard(self.module, self.builder, instruction)?);
        self.oblige_hazards(&found)?;
        if !self.is_unoptimised {
            self.oblige_hazards(&hazards.of_result(instruction)?)?;
        }
        Ok(())
    }

    fn oblige_hazards(&self, hazards: &[Hazard]) -> Result<(), BuilderError> {
        for hazard in hazards {
            // Without optimisation overflow wraps around, which is computed here.
            if hazard.kind != Undefined::Overflow || !self.is_unoptimised {
                self.oblige(hazard)?;
            }
        }
        Ok(())
    }

    /// A load of a `_Bool`, which an optimiser assumes to be 0 or 1.
    fn of_truth_value(
        &self,
        load: InstructionValue<'static>,
    ) -> Result<Option<Hazard>, BuilderError> {
        let has_range = self.handle.has_metadata(Value(load.as_value_ref()), "range");
        if load.get_opcode() != InstructionOpcode::Load || !has_range || self.is_unoptimised {
            return Ok(None);
        }
        let (Ok(value), Some(next)) = (IntValue::try_from(load), load.get_next_instruction())
        else {
            return Ok(None);
        };
        self.builder.position_before(&next);
        let one = value.get_type().const_int(1, false);
        let holds = self.builder.build_int_compare(inkwell::IntPredicate::UGT, value, one, "")?;
        Ok(Some(Hazard { kind: Undefined::Bool, holds }))
    }

    /// Records a condition that must be unsat.
    fn oblige(&self, hazard: &Hazard) -> Result<(), BuilderError> {
        if hazard.holds.get_zero_extended_constant() == Some(0) {
            return Ok(());
        }
        let context = self.module.get_context();
        let (bit, number) = (context.bool_type(), context.i32_type());
        let oblige = self.module.get_function(OBLIGE).unwrap_or_else(|| {
            let signature = context.void_type().fn_type(&[bit.into(), number.into()], false);
            self.module.add_function(OBLIGE, signature, None)
        });
        let kind = number.const_int(hazard.kind as u64, false);
        self.builder.build_call(oblige, &[hazard.holds.into(), kind.into()], "")?;
        Ok(())
    }

    /// Other uses of addresses than accesses: where objects are is no part of a proof.
    fn oblige_addresses(&self, instruction: InstructionValue<'static>) -> Result<(), BuilderError> {
        let value = Value(instruction.as_value_ref());
        self.builder.position_before(&instruction);
        match instruction.get_opcode() {
            InstructionOpcode::ICmp => {
                let [Some(one), Some(other)] = [0, 1].map(|index| pointer(instruction, index))
                else {
                    return Ok(());
                };
                let is_equality = matches!(
                    value.int_predicate(),
                    IntPredicate::LLVMIntEQ | IntPredicate::LLVMIntNE
                );
                match is_equality {
                    true => self.not_merged(one, other),
                    false => self.in_one_object(one, other),
                }
            }
            InstructionOpcode::Sub => {
                let [one, other] = [0, 1].map(|index| converted(value.operand(index)));
                match (one, other) {
                    (Some(one), Some(other)) => self.in_one_object(one, other),
                    _ => Ok(()),
                }
            }
            InstructionOpcode::PtrToInt if !is_only_subtracted(value) => self.address_used(),
            InstructionOpcode::IntToPtr => self.address_used(),
            _ if has_constant_address(value) => self.address_used(),
            _ => Ok(()),
        }
    }

    fn address_used(&self) -> Result<(), BuilderError> {
        let signature = self.module.get_context().void_type().fn_type(&[], false);
        let used = self.module.get_function(ADDRESS_USED);
        let used = used.unwrap_or_else(|| self.module.add_function(ADDRESS_USED, signature, None));
        self.builder.build_call(used, &[], "")?;
        Ok(())
    }

    /// Addresses that are ordered or subtracted have to be in one object, or right behind it.
    fn in_one_object(
        &self,
        one: PointerValue<'static>,
        other: PointerValue<'static>,
    ) -> Result<(), BuilderError> {
        let long = self.module.get_context().i64_type();
        let both = [one.into(), other.into()];
        let start = self.ask("plx_common_start", long.into(), &both)?;
        let size = self.ask("plx_common_size", long.into(), &both)?;
        for address in [one, other] {
            let number = self.builder.build_ptr_to_int(address, long, "")?;
            let offset = self.builder.build_int_sub(number, start, "")?;
            let holds =
                self.builder.build_int_compare(inkwell::IntPredicate::UGT, offset, size, "")?;
            self.oblige(&Hazard { kind: Undefined::Addresses, holds })?;
        }
        Ok(())
    }

    /// Equal constants may be merged or not: their addresses mean nothing.
    fn not_merged(
        &self,
        one: PointerValue<'static>,
        other: PointerValue<'static>,
    ) -> Result<(), BuilderError> {
        if one.is_null() || other.is_null() {
            return Ok(());
        }
        let bit = self.module.get_context().bool_type();
        let merged = |address: PointerValue<'static>| {
            self.ask("plx_is_merged", bit.into(), &[address.into()])
        };
        let holds = self.builder.build_and(merged(one)?, merged(other)?, "")?;
        self.oblige(&Hazard { kind: Undefined::Addresses, holds })
    }

    /// Calls a query of the runtime about addresses.
    fn ask(
        &self,
        name: &str,
        result: BasicTypeEnum<'static>,
        arguments: &[inkwell::values::BasicMetadataValueEnum<'static>],
    ) -> Result<IntValue<'static>, BuilderError> {
        let pointer = self.module.get_context().ptr_type(AddressSpace::default());
        let parameters = vec![pointer.into(); arguments.len()];
        let signature = result.into_int_type().fn_type(&parameters, false);
        let function = self.module.get_function(name);
        let function = function.unwrap_or_else(|| self.module.add_function(name, signature, None));
        let call = self.builder.build_call(function, arguments, "")?;
        let answer = call.try_as_basic_value().basic().expect("it is declared to return a number");
        Ok(answer.into_int_value())
    }

    /// A compiler's late knowledge of a value differs between here and a plain build: nothing may
    /// depend on it.
    fn doubt_compiler(&self, call: InstructionValue<'static>) -> Result<(), BuilderError> {
        let value = Value(call.as_value_ref());
        let is_asked = |name: &str| {
            name.starts_with("llvm.objectsize.") || name.starts_with("llvm.is.constant.")
        };
        if call.get_opcode() != InstructionOpcode::Call
            || !intrinsic_name(call).is_some_and(|name| is_asked(&name))
        {
            return Ok(());
        }
        let Ok(answer) = IntValue::try_from(call) else { return Ok(()) };
        let Some(next) = call.get_next_instruction() else { return Ok(()) };
        self.builder.position_before(&next);
        let context = self.module.get_context();
        let (long, number) = (context.i64_type(), context.i32_type());
        let wide = self.builder.build_int_z_extend_or_bit_cast(answer, long, "")?;
        let unknown = self.function("plx_unknown", || number.fn_type(&[], false));
        let label = self.builder.build_call(unknown, &[], "")?;
        let label = label.try_as_basic_value().basic().expect("it is declared to return a number");
        let with_label =
            self.function("plx_with_label", || long.fn_type(&[long.into(), number.into()], false));
        let labelled = self.builder.build_call(with_label, &[wide.into(), label.into()], "")?;
        let first = if wide == answer { labelled.as_value_ref() } else { wide.as_value_ref() };
        let labelled =
            labelled.try_as_basic_value().basic().expect("it is declared to return a number");
        let narrow = self.builder.build_int_truncate_or_bit_cast(
            labelled.into_int_value(),
            answer.get_type(),
            "",
        )?;
        value.replace_with(Value(narrow.as_value_ref()));
        Value(first).set_operand(0, value);
        Ok(())
    }

    fn function(
        &self,
        name: &str,
        signature: impl FnOnce() -> FunctionType<'static>,
    ) -> FunctionValue<'static> {
        let known = self.module.get_function(name);
        known.unwrap_or_else(|| self.module.add_function(name, signature(), None))
    }

    /// Removes assumptions of an optimiser: they became obligations, or never hold here.
    fn forget_promises(&self, instruction: InstructionValue<'static>) {
        let value = Value(instruction.as_value_ref());
        TYPE_FACTS.iter().for_each(|name| self.handle.remove_metadata(value, name));
        match instruction.get_opcode() {
            InstructionOpcode::Load if is_elsewhere(instruction, 0) => value.make_volatile(),
            InstructionOpcode::Store if is_elsewhere(instruction, 1) => value.make_volatile(),
            InstructionOpcode::Call => self.forget_promises_of_call(instruction, value),
            _ => value.forget_flags(),
        }
    }

    fn forget_promises_of_call(&self, call: InstructionValue<'static>, value: Value) {
        value.remove_from_call(&PROMISES);
        let Some(name) = intrinsic_name(call) else { return };
        let bit = self.handle.int(1);
        if name == "llvm.assume" {
            value.erase();
        } else if name.starts_with("llvm.mem") {
            value.set_operand(3, bit.constant(1));
        } else if is_poisoned(call) && !name.starts_with("llvm.objectsize") {
            value.set_operand(1, bit.constant(0));
        }
    }
}

fn pointer(instruction: InstructionValue<'static>, index: u32) -> Option<PointerValue<'static>> {
    match instruction.get_operand(index)?.value()? {
        BasicValueEnum::PointerValue(pointer) => Some(pointer),
        _ => None,
    }
}

/// The address that was converted to a number.
fn converted(number: Value) -> Option<PointerValue<'static>> {
    let made_by = number.as_instruction().filter(|it| it.opcode() == Opcode::LLVMPtrToInt)?;
    let operand = made_by.operand(0);
    // SAFETY: its type says that it is a pointer, and no vector of them.
    operand.ty().is_pointer().then(|| unsafe { PointerValue::new(operand.0) })
}

fn is_only_subtracted(conversion: Value) -> bool {
    let both = |user: Value| [0, 1].iter().all(|index| converted(user.operand(*index)).is_some());
    conversion.users().into_iter().all(|user| {
        let user = user.as_instruction();
        user.is_some_and(|user| user.opcode() == Opcode::LLVMSub && both(user))
    })
}

/// Whether an operand is a number made of the address of a variable.
fn has_constant_address(instruction: Value) -> bool {
    let is_phi_or_call = matches!(instruction.opcode(), Opcode::LLVMPHI);
    !is_phi_or_call
        && instruction.operands().into_iter().any(|operand| operand.is_address_as_number())
}

/// Whether an access may be to something other than a local variable.
fn is_elsewhere(access: InstructionValue<'static>, address: u32) -> bool {
    pointer(access, address).is_some_and(|pointer| !is_own_variable(pointer))
}
