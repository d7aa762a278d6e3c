//! Conditions under which an instruction's result is undefined, as instructions before it.
//!
//! Clang's undefined-behaviour checks belong to its front end and are over by the time there is
//! bitcode. The information for its checks of arithmetic is still in the instructions (`nsw`,
//! divisions, shifts). The sanitizer build ends a run where such a condition fails; a proof build
//! records it in its trace, and the solver shows for conditions that depend on the input that they
//! cannot fail.

use inkwell::{
    FloatPredicate, IntPredicate,
    attributes::{Attribute, AttributeLoc},
    builder::{Builder, BuilderError},
    context::ContextRef,
    intrinsics::Intrinsic,
    module::Module as LlvmModule,
    types::{BasicTypeEnum, FloatType},
    values::{
        AsValueRef, BasicValueEnum, CallSiteValue, FloatValue, InstructionOpcode, InstructionValue,
        IntValue, PointerValue,
    },
};
use parallax_abi::Undefined;

use crate::llvm::{TypeKind, Value};

/// A condition under which the result of an instruction is undefined.
pub(crate) struct Hazard {
    pub(crate) kind: Undefined,
    /// Whether it holds (1 bit).
    pub(crate) holds: IntValue<'static>,
}

/// Makes the conditions.
pub(crate) struct Hazards<'m> {
    module: &'m LlvmModule<'static>,
    context: ContextRef<'static>,
    builder: &'m Builder<'static>,
}

type Found = Result<Vec<Hazard>, BuilderError>;

impl<'m> Hazards<'m> {
    pub(crate) fn new(
        module: &'m LlvmModule<'static>,
        builder: &'m Builder<'static>,
    ) -> Hazards<'m> {
        Hazards { module, context: module.get_context(), builder }
    }

    /// The hazards of integer arithmetic, before the instruction.
    pub(crate) fn of_integers(&self, instruction: InstructionValue<'static>) -> Found {
        let Some((left, right)) = integer_operands(instruction) else { return Ok(Vec::new()) };
        self.go_before(instruction);
        match instruction.get_opcode() {
            InstructionOpcode::Add => self.overflow(instruction, "llvm.sadd", left, right),
            InstructionOpcode::Sub => self.overflow(instruction, "llvm.ssub", left, right),
            InstructionOpcode::Mul => self.overflow(instruction, "llvm.smul", left, right),
            InstructionOpcode::SDiv | InstructionOpcode::SRem => {
                let mut found = vec![self.zero(right)?, self.quotient(left, right)?];
                found.extend(self.remainder(instruction, left, right)?);
                Ok(found)
            }
            InstructionOpcode::UDiv | InstructionOpcode::URem => {
                let mut found = vec![self.zero(right)?];
                found.extend(self.remainder(instruction, left, right)?);
                Ok(found)
            }
            InstructionOpcode::Shl => {
                let mut found = vec![self.shift(right)?];
                found.extend(self.lost_bits(instruction, left, right)?);
                Ok(found)
            }
            InstructionOpcode::LShr | InstructionOpcode::AShr => {
                let mut found = vec![self.shift(right)?];
                found.extend(self.shifted_out(instruction, left, right)?);
                Ok(found)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The hazards of conversions, vector accesses, calls, and of unreachable code.
    pub(crate) fn of_others(&self, instruction: InstructionValue<'static>) -> Found {
        self.go_before(instruction);
        match instruction.get_opcode() {
            InstructionOpcode::FPToSI => self.conversion(instruction, true),
            InstructionOpcode::FPToUI => self.conversion(instruction, false),
            InstructionOpcode::Load => self.misalignment(instruction, 0),
            InstructionOpcode::Store => self.misalignment(instruction, 1),
            InstructionOpcode::Call => match intrinsic_name(instruction) {
                Some(name) => self.of_intrinsic(instruction, &name),
                None => self.null_arguments(instruction),
            },
            InstructionOpcode::ExtractElement => self.element(instruction, 1),
            InstructionOpcode::InsertElement => self.element(instruction, 2),
            InstructionOpcode::Unreachable => {
                let holds = self.context.bool_type().const_int(1, false);
                Ok(vec![Hazard { kind: Undefined::Unreachable, holds }])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn go_before(&self, instruction: InstructionValue<'static>) {
        self.builder.position_before(&instruction);
        if let Some(location) = instruction.get_debug_location() {
            self.builder.set_current_debug_location(location);
        }
    }

    /// Only signed arithmetic of C carries the `nsw` flag.
    fn overflow(
        &self,
        instruction: InstructionValue<'static>,
        name: &str,
        left: IntValue<'static>,
        right: IntValue<'static>,
    ) -> Found {
        if instruction.get_no_signed_wrap_flag() != Ok(true) {
            return Ok(Vec::new());
        }
        let with_overflow =
            Intrinsic::find(&format!("{name}.with.overflow")).and_then(|intrinsic| {
                intrinsic.get_declaration(self.module, &[left.get_type().into()])
            });
        let Some(with_overflow) = with_overflow else { return Ok(Vec::new()) };
        let both = self.builder.build_call(with_overflow, &[left.into(), right.into()], "")?;
        let Some(both) = both.try_as_basic_value().basic() else { return Ok(Vec::new()) };
        let flag = self.builder.build_extract_value(both.into_struct_value(), 1, "")?;
        Ok(vec![Hazard { kind: Undefined::Overflow, holds: flag.into_int_value() }])
    }

    fn zero(&self, divisor: IntValue<'static>) -> Result<Hazard, BuilderError> {
        let zero = divisor.get_type().const_zero();
        let holds = self.builder.build_int_compare(IntPredicate::EQ, divisor, zero, "")?;
        Ok(Hazard { kind: Undefined::DivisionByZero, holds })
    }

    /// The only quotient of two's complement that overflows: the least number by -1.
    fn quotient(
        &self,
        left: IntValue<'static>,
        right: IntValue<'static>,
    ) -> Result<Hazard, BuilderError> {
        let width = left.get_type();
        let shift = width.const_int(u64::from(width.get_bit_width() - 1), false);
        let least = self.builder.build_left_shift(width.const_int(1, false), shift, "")?;
        let is_least = self.builder.build_int_compare(IntPredicate::EQ, left, least, "")?;
        let minus_one = width.const_all_ones();
        let is_minus_one =
            self.builder.build_int_compare(IntPredicate::EQ, right, minus_one, "")?;
        let holds = self.builder.build_and(is_least, is_minus_one, "")?;
        Ok(Hazard { kind: Undefined::Quotient, holds })
    }

    /// A division marked as exact with a remainder: unoptimised code relies on the mark, too.
    fn remainder(
        &self,
        division: InstructionValue<'static>,
        left: IntValue<'static>,
        right: IntValue<'static>,
    ) -> Result<Option<Hazard>, BuilderError> {
        if division.get_exact_flag() != Ok(true) {
            return Ok(None);
        }
        let rest = match division.get_opcode() {
            InstructionOpcode::SDiv => self.builder.build_int_signed_rem(left, right, "")?,
            _ => self.builder.build_int_unsigned_rem(left, right, "")?,
        };
        self.is_left(rest).map(Some)
    }

    /// The same for a shift to the right.
    fn shifted_out(
        &self,
        shift: InstructionValue<'static>,
        left: IntValue<'static>,
        right: IntValue<'static>,
    ) -> Result<Option<Hazard>, BuilderError> {
        if shift.get_exact_flag() != Ok(true) {
            return Ok(None);
        }
        let there = self.builder.build_right_shift(left, right, false, "")?;
        let back = self.builder.build_left_shift(there, right, "")?;
        let rest = self.builder.build_xor(back, left, "")?;
        self.is_left(rest).map(Some)
    }

    fn is_left(&self, rest: IntValue<'static>) -> Result<Hazard, BuilderError> {
        let zero = rest.get_type().const_zero();
        let holds = self.builder.build_int_compare(IntPredicate::NE, rest, zero, "")?;
        Ok(Hazard { kind: Undefined::Remainder, holds })
    }

    /// An index outside of a vector.
    fn element(&self, access: InstructionValue<'static>, index: u32) -> Found {
        let (Some(BasicValueEnum::VectorValue(vector)), Some(BasicValueEnum::IntValue(index))) =
            (value_operand(access, 0), value_operand(access, index))
        else {
            return Ok(Vec::new());
        };
        let size = index.get_type().const_int(u64::from(vector.get_type().get_size()), false);
        let holds = self.builder.build_int_compare(IntPredicate::UGE, index, size, "")?;
        Ok(vec![Hazard { kind: Undefined::Element, holds }])
    }

    /// A NaN result, as a condition behind the instruction: where an optimiser knows an operand, it
    /// may choose another sign and other bits than the machine does.
    pub(crate) fn of_result(&self, instruction: InstructionValue<'static>) -> Found {
        let is_rounded = matches!(
            instruction.get_opcode(),
            InstructionOpcode::FAdd
                | InstructionOpcode::FSub
                | InstructionOpcode::FMul
                | InstructionOpcode::FDiv
                | InstructionOpcode::FRem
                | InstructionOpcode::FPTrunc
                | InstructionOpcode::FPExt
        );
        let is_arithmetic = || {
            instruction.get_opcode() == InstructionOpcode::Call
                && intrinsic_name(instruction).is_some()
        };
        if !is_rounded && !is_arithmetic() {
            return Ok(Vec::new());
        }
        let (Ok(result), Some(next)) =
            (FloatValue::try_from(instruction), instruction.get_next_instruction())
        else {
            return Ok(Vec::new());
        };
        self.go_before(next);
        let holds = self.builder.build_float_compare(FloatPredicate::UNO, result, result, "")?;
        Ok(vec![Hazard { kind: Undefined::NotANumber, holds }])
    }

    fn shift(&self, amount: IntValue<'static>) -> Result<Hazard, BuilderError> {
        let width = amount.get_type();
        let bits = width.const_int(u64::from(width.get_bit_width()), false);
        let holds = self.builder.build_int_compare(IntPredicate::UGE, amount, bits, "")?;
        Ok(Hazard { kind: Undefined::Shift, holds })
    }

    /// A left shift marked as losing no bits that does lose some.
    fn lost_bits(
        &self,
        shift: InstructionValue<'static>,
        left: IntValue<'static>,
        right: IntValue<'static>,
    ) -> Result<Option<Hazard>, BuilderError> {
        if shift.get_no_signed_wrap_flag() != Ok(true) {
            return Ok(None);
        }
        let there = self.builder.build_left_shift(left, right, "")?;
        let back = self.builder.build_right_shift(there, right, true, "")?;
        let holds = self.builder.build_int_compare(IntPredicate::NE, back, left, "")?;
        Ok(Some(Hazard { kind: Undefined::Overflow, holds }))
    }

    /// A number whose integral part does not fit, or a NaN.
    fn conversion(&self, instruction: InstructionValue<'static>, is_signed: bool) -> Found {
        let (Some(BasicValueEnum::FloatValue(number)), BasicTypeEnum::IntType(to)) = (
            value_operand(instruction, 0),
            BasicTypeEnum::try_from(instruction.get_type())
                .map_or(self.context.bool_type().into(), |ty| ty),
        ) else {
            return Ok(Vec::new());
        };
        let bits = to.get_bit_width();
        let (least, most) = match is_signed {
            true => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)),
            false => (0.0, 2f64.powi(bits as i32)),
        };
        let fits = self.builder.build_float_compare(
            FloatPredicate::OLT,
            number,
            number.get_type().const_float(most),
            "",
        )?;
        let starts = self.above_least(number, least)?;
        let inside = self.builder.build_and(fits, starts, "")?;
        let holds = self.builder.build_not(inside, "")?;
        Ok(vec![Hazard { kind: Undefined::Conversion, holds }])
    }

    /// Whether the integral part of a number is at least `least`.
    fn above_least(
        &self,
        number: FloatValue<'static>,
        least: f64,
    ) -> Result<IntValue<'static>, BuilderError> {
        let below = least - 1.0;
        let is_exact =
            below != least && (!is_single(number.get_type()) || f64::from(below as f32) == below);
        let (predicate, bound) = match is_exact {
            true => (FloatPredicate::OGT, below),
            false => (FloatPredicate::OGE, least),
        };
        let bound = number.get_type().const_float(bound);
        self.builder.build_float_compare(predicate, number, bound, "")
    }

    /// Accesses that need more than 8 bytes of alignment fault without it.
    fn misalignment(&self, access: InstructionValue<'static>, address: u32) -> Found {
        const FAULTS: u32 = 16;
        let alignment = access.get_alignment().unwrap_or(1);
        let Some(BasicValueEnum::PointerValue(pointer)) = value_operand(access, address) else {
            return Ok(Vec::new());
        };
        if alignment < FAULTS || is_own_variable(pointer) {
            return Ok(Vec::new());
        }
        let long = self.context.i64_type();
        let number = self.builder.build_ptr_to_int(pointer, long, "")?;
        let low = long.const_int(u64::from(alignment - 1), false);
        let rest = self.builder.build_and(number, low, "")?;
        let holds =
            self.builder.build_int_compare(IntPredicate::NE, rest, long.const_zero(), "")?;
        Ok(vec![Hazard { kind: Undefined::Alignment, holds }])
    }

    fn of_intrinsic(&self, call: InstructionValue<'static>, name: &str) -> Found {
        let Some(BasicValueEnum::IntValue(value)) = value_operand(call, 0) else {
            return Ok(Vec::new());
        };
        let width = value.get_type();
        let (kind, poison) = match () {
            () if name == "llvm.assume" => (Undefined::Unreachable, width.const_zero()),
            () if !is_poisoned(call) => return Ok(Vec::new()),
            () if name.starts_with("llvm.abs.") => {
                let sign = width.const_int(u64::from(width.get_bit_width() - 1), false);
                let least = self.builder.build_left_shift(width.const_int(1, false), sign, "")?;
                (Undefined::Overflow, least)
            }
            () if name.starts_with("llvm.ctlz.") || name.starts_with("llvm.cttz.") => {
                (Undefined::Zeros, width.const_zero())
            }
            () => return Ok(Vec::new()),
        };
        let holds = self.builder.build_int_compare(IntPredicate::EQ, value, poison, "")?;
        Ok(vec![Hazard { kind, holds }])
    }

    /// Null pointers for parameters that are declared as non-null.
    fn null_arguments(&self, call: InstructionValue<'static>) -> Found {
        let Ok(site) = CallSiteValue::try_from(call) else { return Ok(Vec::new()) };
        let kind = Attribute::get_named_enum_kind_id("nonnull");
        let declared = site.get_called_fn_value();
        let mut found = Vec::new();
        for index in 0..site.count_arguments() {
            let place = AttributeLoc::Param(index);
            let is_promised = site.get_enum_attribute(place, kind).is_some()
                || declared.is_some_and(|function| {
                    index < function.count_params()
                        && function.get_enum_attribute(place, kind).is_some()
                });
            let Some(BasicValueEnum::PointerValue(pointer)) = value_operand(call, index) else {
                continue;
            };
            if is_promised && !is_own_variable(pointer) {
                let holds = self.builder.build_is_null(pointer, "")?;
                found.push(Hazard { kind: Undefined::NullArgument, holds });
            }
        }
        Ok(found)
    }
}

/// Whether a pointer is the address of a variable, whose alignment and existence the compiler
/// ensures.
pub(crate) fn is_own_variable(pointer: PointerValue<'static>) -> bool {
    let made_by = pointer.as_instruction().map(|instruction| instruction.get_opcode());
    made_by == Some(InstructionOpcode::Alloca)
        || (made_by.is_none() && pointer.is_const() && !pointer.is_null())
}

/// The name of the intrinsic that is called, if it is one.
pub(crate) fn intrinsic_name(call: InstructionValue<'static>) -> Option<String> {
    let called = CallSiteValue::try_from(call).ok()?.get_called_fn_value()?;
    let name = called.get_name().to_string_lossy().into_owned();
    name.starts_with("llvm.").then_some(name)
}

/// Whether the flag of `llvm.abs` and similar intrinsics makes the result for one operand
/// undefined.
pub(crate) fn is_poisoned(call: InstructionValue<'static>) -> bool {
    match value_operand(call, 1) {
        Some(BasicValueEnum::IntValue(flag)) => {
            flag.get_type().get_bit_width() == 1 && flag.get_zero_extended_constant() == Some(1)
        }
        _ => false,
    }
}

fn is_single(ty: FloatType<'static>) -> bool {
    ty.get_bit_width() == 32
}

fn value_operand(
    instruction: InstructionValue<'static>,
    index: u32,
) -> Option<BasicValueEnum<'static>> {
    // Inkwell does not support operands that are metadata.
    let operand = Value(instruction.as_value_ref()).operand(index);
    if operand.ty().kind() == TypeKind::LLVMMetadataTypeKind {
        return None;
    }
    instruction.get_operand(index)?.value()
}

fn integer_operands(
    instruction: InstructionValue<'static>,
) -> Option<(IntValue<'static>, IntValue<'static>)> {
    let operand = |index| match value_operand(instruction, index)? {
        BasicValueEnum::IntValue(value) => Some(value),
        _ => None,
    };
    (instruction.get_num_operands() == 2).then_some(())?;
    Some((operand(0)?, operand(1)?))
}
