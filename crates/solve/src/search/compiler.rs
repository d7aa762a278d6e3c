//! Compiles programs to straight-line machine code.
//!
//! A value of up to 64 bits is kept in 64 with zeros above, a wider one in 128. A load from outside
//! of its table has no value: such loads, and operations that depend on them, carry a flag, and a
//! condition with the flag does not hold. The arm of a choice that is not selected does not
//! propagate its flag, as in an evaluation.

use cranelift_codegen::{
    Context,
    control::ControlPlane,
    ir::{AbiParam, Function, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot},
    ir::{StackSlotData, StackSlotKind, Type, UserFuncName, Value, types},
    isa::{OwnedTargetIsa, TargetFrontendConfig},
    settings::{self, Configurable},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::{
    code::{Buffer, Code},
    helper::{self, Request},
    program::{Kind, Operation, Program},
};
use crate::{Binary, Ternary, arithmetic::mask};

/// Reusable state of the compiler.
pub(super) struct Compiler {
    isa: OwnedTargetIsa,
    context: Context,
    builder: FunctionBuilderContext,
}

/// One program during compilation.
pub(super) struct Emitter<'a> {
    pub(super) build: FunctionBuilder<'a>,
    pub(super) program: &'a Program,
    /// The value of each operation so far.
    pub(super) values: Vec<Value>,
    /// The 8-bit truth of operations that are comparisons.
    pub(super) truths: Vec<Option<Value>>,
    /// Set where an operation has no value; `None` if it always has one.
    pub(super) flaws: Vec<Option<Value>>,
    /// Tables that were filled already.
    pub(super) filled: Vec<Option<super::memory::Filled>>,
    pub(super) buffers: Vec<Buffer>,
    helper: Option<(SigRef, StackSlot)>,
}

impl Compiler {
    /// A compiler for this machine, if there can be one.
    pub(super) fn new() -> Option<Compiler> {
        let mut flags = settings::builder();
        // Most code runs for less time than compiling it takes: optimising doubles the latter and
        // gains nothing that can be measured.
        for (name, value) in [
            ("enable_verifier", "false"),
            ("enable_probestack", "false"),
            ("opt_level", "none"),
            ("regalloc_algorithm", "single_pass"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        Some(Compiler { isa, context: Context::new(), builder: FunctionBuilderContext::new() })
    }

    /// Compiles a program. There is no code for operations that the processor would leave to a
    /// library.
    pub(super) fn compile(&mut self, program: &Program) -> Option<Code> {
        self.context.clear();
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params = vec![AbiParam::new(types::I64), AbiParam::new(types::I64)];
        signature.returns = vec![AbiParam::new(types::I64)];
        self.context.func = Function::with_name_signature(UserFuncName::default(), signature);
        let build = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let buffers = Emitter::new(build, program).emit(self.isa.frontend_config());
        let compiled = self.context.compile(&*self.isa, &mut ControlPlane::default()).ok()?;
        if !compiled.buffer.relocs().is_empty() {
            return None;
        }
        let (variables, conditions) = (program.variables.len(), program.conditions.len());
        // SAFETY: the function has the signature above; it reads one word for each variable,
        // writes one for each condition and otherwise uses what it checks to be in the buffers.
        unsafe { Code::new(compiled.code_buffer(), buffers, variables, conditions) }
    }
}

impl<'a> Emitter<'a> {
    fn new(build: FunctionBuilder<'a>, program: &'a Program) -> Emitter<'a> {
        let count = program.operations.len();
        Emitter {
            build,
            program,
            values: Vec::with_capacity(count),
            truths: Vec::with_capacity(count),
            flaws: Vec::with_capacity(count),
            filled: program.tables.iter().map(|_| None).collect(),
            buffers: Vec::new(),
            helper: None,
        }
    }

    fn emit(mut self, target: TargetFrontendConfig) -> Vec<Buffer> {
        let block = self.build.create_block();
        self.build.append_block_params_for_function_params(block);
        self.build.switch_to_block(block);
        self.build.seal_block(block);
        let parameters = self.build.block_params(block);
        let (inputs, distances) = (parameters[0], parameters[1]);
        for operation in &self.program.operations {
            self.operation(*operation, inputs);
        }
        let total = self.distances(distances);
        self.build.ins().return_(&[total]);
        self.build.finalize(target);
        self.buffers
    }

    fn operation(&mut self, operation: Operation, inputs: Value) {
        let width = operation.width;
        let (mut truth, mut flaw) = (None, self.inherited_flaw(operation.kind));
        let value = match operation.kind {
            Kind::Constant(value) => self.constant(width, value),
            Kind::Variable(index) => {
                let flags = MemFlagsData::trusted();
                let value = self.build.ins().load(types::I64, flags, inputs, 8 * index as i32);
                self.cut(value, width)
            }
            Kind::Extract { low, a } => self.extract(a, low, width),
            Kind::Unary { operator, a } => self.unary(operator, a, width),
            Kind::Binary { operator, a, b } if operator.is_predicate() => {
                let holds = self.predicate(operator, a, b);
                truth = Some(holds);
                self.build.ins().uextend(types::I64, holds)
            }
            Kind::Binary { operator, a, b } => self.binary(operator, a, b, width),
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => {
                let condition = self.truth(a);
                let (b, c) = (self.value(b), self.value(c));
                self.build.ins().select(condition, b, c)
            }
            Kind::Ternary { operator, a, b, c } => self.ternary(operator, a, b, c, width),
            Kind::Load { table, address } => {
                let (value, outside) = self.load(table, address, width);
                flaw = self.either(flaw, outside);
                value
            }
        };
        self.values.push(value);
        self.truths.push(truth);
        self.flaws.push(flaw);
    }

    /// Whether an operand that matters has no value.
    fn inherited_flaw(&mut self, kind: Kind) -> Option<Value> {
        let flaw = |emitter: &Self, at: u32| emitter.flaws[at as usize];
        match kind {
            Kind::Constant(_) | Kind::Variable(_) => None,
            Kind::Extract { a, .. } | Kind::Unary { a, .. } => flaw(self, a),
            Kind::Load { address, .. } => flaw(self, address),
            Kind::Binary { a, b, .. } => self.either(flaw(self, a), flaw(self, b)),
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => {
                let taken = match (flaw(self, b), flaw(self, c)) {
                    (None, None) => None,
                    (one, other) => {
                        let condition = self.truth(a);
                        let fine = self.build.ins().iconst(types::I8, 0);
                        let (one, other) = (one.unwrap_or(fine), other.unwrap_or(fine));
                        Some(self.build.ins().select(condition, one, other))
                    }
                };
                self.either(flaw(self, a), taken)
            }
            Kind::Ternary { a, b, c, .. } => {
                let two = self.either(flaw(self, a), flaw(self, b));
                self.either(two, flaw(self, c))
            }
        }
    }

    pub(super) fn either(&mut self, one: Option<Value>, other: Option<Value>) -> Option<Value> {
        match (one, other) {
            (Some(one), Some(other)) => Some(self.build.ins().bor(one, other)),
            (one, other) => one.or(other),
        }
    }

    pub(super) fn value(&self, at: u32) -> Value {
        self.values[at as usize]
    }

    pub(super) fn width(&self, at: u32) -> u32 {
        self.program.width(at)
    }

    /// Not zero where an operation of one bit is one.
    pub(super) fn truth(&self, at: u32) -> Value {
        self.truths[at as usize].unwrap_or(self.values[at as usize])
    }

    /// A number of 64 bits.
    pub(super) fn word(&mut self, number: u64) -> Value {
        self.build.ins().iconst(types::I64, number as i64)
    }

    pub(super) fn constant(&mut self, width: u32, number: u128) -> Value {
        let low = self.word(number as u64);
        if width <= 64 {
            return low;
        }
        let high = self.word((number >> 64) as u64);
        self.build.ins().iconcat(low, high)
    }

    /// Clears the bits above a width.
    pub(super) fn cut(&mut self, value: Value, width: u32) -> Value {
        if width == 64 || width == 128 {
            return value;
        }
        let ones = self.constant(width, mask(width));
        self.build.ins().band(value, ones)
    }

    /// Calls the helper for an operation.
    pub(super) fn request(&mut self, request: Request, operands: &[u32], width: u32) -> Value {
        let (signature, slot) = self.helper();
        for (index, at) in operands.iter().enumerate() {
            let (low, high) = self.halves(*at);
            let place = 16 * index as i32;
            self.build.ins().stack_store(types::I64, low, slot, place);
            self.build.ins().stack_store(types::I64, high, slot, place + 8);
        }
        let request = self.word(request.encode());
        let place = self.build.ins().stack_addr(types::I64, slot, 0);
        let callee = self.word(helper::operate as *const () as u64);
        self.build.ins().call_indirect(signature, callee, &[request, place]);
        let low = self.build.ins().stack_load(types::I64, types::I64, slot, 0);
        if width <= 64 {
            return low;
        }
        let high = self.build.ins().stack_load(types::I64, types::I64, slot, 8);
        self.build.ins().iconcat(low, high)
    }

    /// A value as two words.
    pub(super) fn halves(&mut self, at: u32) -> (Value, Value) {
        let value = self.value(at);
        if self.width(at) <= 64 { (value, self.word(0)) } else { self.build.ins().isplit(value) }
    }

    fn helper(&mut self) -> (SigRef, StackSlot) {
        if let Some(known) = self.helper {
            return known;
        }
        let mut signature = Signature::new(self.build.func.signature.call_conv);
        signature.params = vec![AbiParam::new(types::I64), AbiParam::new(types::I64)];
        let signature = self.build.import_signature(signature);
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 48, 4);
        let slot = self.build.create_sized_stack_slot(data);
        *self.helper.insert((signature, slot))
    }

    fn ternary(&mut self, operator: Ternary, a: u32, b: u32, c: u32, width: u32) -> Value {
        self.request(Request::Ternary(operator, width), &[a, b, c], width)
    }

    fn binary(&mut self, operator: Binary, a: u32, b: u32, width: u32) -> Value {
        let native = if operator.takes_floats() {
            self.float_binary(operator, a, b)
        } else if operator == Binary::Concat {
            Some(self.concat(a, b, width))
        } else {
            self.integer_binary(operator, a, b, width)
        };
        let request = Request::Binary(operator, self.width(b));
        native.unwrap_or_else(|| self.request(request, &[a, b], width))
    }

    /// The 8-bit truth of a comparison.
    fn predicate(&mut self, operator: Binary, a: u32, b: u32) -> Value {
        let native = if operator.takes_floats() {
            Some(self.float_compare(operator, a, b))
        } else {
            self.integer_predicate(operator, a, b)
        };
        native.unwrap_or_else(|| {
            let request = Request::Binary(operator, self.width(b));
            let value = self.request(request, &[a, b], 1);
            self.build.ins().ireduce(types::I8, value)
        })
    }

    fn unary(&mut self, operator: crate::Unary, a: u32, width: u32) -> Value {
        let native = if operator.takes_float() || operator.gives_float() {
            self.float_unary(operator, a, width)
        } else {
            self.integer_unary(operator, a, width)
        };
        let request = Request::Unary(operator, self.width(a), width);
        native.unwrap_or_else(|| self.request(request, &[a], width))
    }
}

/// The type that values of a width are kept in.
pub(super) fn kept_in(width: u32) -> Type {
    if width <= 64 { types::I64 } else { types::I128 }
}
