//! Calls: of instrumented functions, of others, and of unknown ones.

use std::hash::{DefaultHasher, Hash, Hasher};

use parallax_abi::{Counter, PinReason};

use super::{
    effects::{Extent, Write},
    function::{MOST_COPIES, MOST_LABELS},
    leaf::{bits, is_scalar},
    models::PREFIX as MODEL_PREFIX,
    pass::{Callee, Convention, MODEL},
    proof::{ADDRESS_USED, OBLIGE, UNOPTIMISED},
    standing::Standing,
    weaver::{Fate, Weaver, is_zero},
};
use crate::llvm::{Opcode, Type, TypeKind, Value};

/// The most variadic arguments whose labels are passed.
const MOST_VARIADIC: usize = 128;

/// How a variadic argument is passed, as the runtime knows it.
#[derive(Clone, Copy)]
enum Passed {
    General = 0,
    Floating = 1,
    Memory = 2,
    AlignedMemory = 3,
    Pair = 4,
}

/// Whether a function of this type takes the arguments of a call, and returns what the call expects.
fn takes(function: Type, call: Value) -> bool {
    let arguments: Vec<_> = call.arguments().iter().map(|argument| argument.ty()).collect();
    function.parameters() == arguments && function.result() == call.ty()
}

/// Whether a result is only compared with zero.
fn is_only_compared(call: Value) -> bool {
    call.users().into_iter().all(|user| {
        let compare = user.as_instruction().filter(|it| it.opcode() == Opcode::LLVMICmp);
        compare.is_some_and(|compare| is_zero(compare.operand(1)))
    })
}

/// A number for a function type, other than 0.
pub(crate) fn fingerprint(result: Type, parameters: &[Type]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let texts: Vec<_> = [result].iter().chain(parameters).map(|ty| ty.print()).collect();
    texts.hash(&mut hasher);
    hasher.finish() | 1
}

impl Weaver<'_> {
    pub(crate) fn call(&mut self, call: Value) {
        call.clear_tail_call();
        if call.callee().is_inline_assembler() {
            return self.assembler(call);
        }
        let Some(callee) = self.pass.called(call) else { return self.call_pointer(call) };
        let name = callee.name();
        if name.starts_with("llvm.") {
            return self.intrinsic(call, &name);
        }
        match name.as_str() {
            "plx_label_of" => return self.label_as_number(call),
            "plx_with_label" => return self.number_as_label(call),
            OBLIGE => return self.obligation(call),
            ADDRESS_USED => return self.address_used(call),
            _ => {}
        }
        self.note_standing(call, &name);
        match self.pass.callees.get(&callee) {
            Some(known) if callee.value_type() == call.call_signature() => {
                self.call_instrumented(call, callee, *known);
            }
            // The call's type differs from the declaration.
            Some(_) => {
                if !takes(callee.value_type(), call) {
                    self.note_route(call, &format!("{name} if it is called as another type"));
                }
                self.call_pointer(call);
            }
            None if self.is_model || name.starts_with("plx_") => {}
            None => self.call_foreign(call, &name),
        }
    }

    /// A condition that must be unsat.
    fn obligation(&mut self, call: Value) {
        let (holds, kind) = (call.operand(0), call.operand(1));
        self.probe("plx_obligation", &[self.site(call), self.label(holds), holds, kind]);
        self.fate = Fate::Gone;
        call.erase();
    }

    fn address_used(&mut self, call: Value) {
        let nothing = self.handle.pointer().zero();
        self.note(call, Counter::Address, nothing);
        self.fate = Fate::Gone;
        call.erase();
    }

    fn note(&self, call: Value, counter: Counter, name: Value) {
        let counter = self.number(16, counter as u64);
        self.probe("plx_note", &[self.site(call), counter, name]);
    }

    /// In a proof: records the standing of a library function.
    fn note_standing(&self, call: Value, name: &str) {
        if !self.is_proved || name.starts_with("llvm.") {
            return;
        }
        let plain = name.strip_prefix(MODEL_PREFIX).unwrap_or(name);
        let is_own = self.pass.called(call).is_some_and(|callee| {
            self.pass.callees.contains_key(&callee) && !callee.has_mark(MODEL)
        });
        if is_own || plain.starts_with("plx_") {
            return;
        }
        let counter = match self.pass.standings.of(plain, plain != name) {
            Standing::Exact => return,
            Standing::Unoptimised if self.function.has_mark(UNOPTIMISED) => return,
            Standing::Zeroness if self.function.has_mark(UNOPTIMISED) || is_only_compared(call) => {
                return;
            }
            Standing::World => Counter::World,
            Standing::Unoptimised | Standing::Zeroness | Standing::Against => Counter::Route,
        };
        self.note(call, counter, self.pass.text(plain));
    }

    /// In a proof: records a call that is no arithmetic, and may carry data.
    pub(crate) fn note_route(&self, call: Value, name: &str) {
        if self.is_proved {
            self.note(call, Counter::Route, self.pass.text(name));
        }
    }

    /// `plx_label_of(value)`: the label, as a concrete number.
    fn label_as_number(&mut self, call: Value) {
        let label = self.label(call.operand(0));
        call.replace_with(label);
        self.fate = Fate::Gone;
        call.erase();
    }

    /// `plx_with_label(value, label)`: the value, in a new instruction to have that label.
    fn number_as_label(&mut self, call: Value) {
        let (value, label) = (call.operand(0), call.operand(1));
        let labelled = self.builder.freeze(value);
        self.rename(call, labelled);
        self.set_label(labelled, label);
    }

    fn call_instrumented(&mut self, call: Value, callee: Value, known: Callee) {
        if callee.has_mark(MODEL) && !self.is_model {
            self.probe("plx_enter_model", &[self.site(call)]);
        }
        match known.convention {
            Convention::Twin => self.call_twin(call, known.target),
            Convention::InPlace => {
                self.pass_labels(call, callee);
                self.after(call);
                self.take_results(call, callee);
            }
        }
    }

    fn call_twin(&mut self, call: Value, twin: Value) {
        let mut arguments = call.arguments();
        let mut copies = Vec::new();
        for (index, argument) in call.arguments().into_iter().enumerate() {
            arguments.extend(self.labels_of(argument));
            if call.argument_by_value(index as u32).is_some() {
                copies.push(argument);
            }
        }
        arguments.extend(copies);
        let signature = twin.value_type();
        if signature.parameters().len() != arguments.len() {
            // The call and the function disagree on arguments in memory.
            return self.call_pointer(call);
        }
        let result = self.builder.call(signature, twin, &arguments);
        result.copy_argument_attributes(call);
        let count = self.leaves(call.ty()).len();
        if count == 0 {
            if !call.ty().is_void() {
                call.replace_with(result);
            }
            self.fate = Fate::Gone;
            return call.erase();
        }
        let value = self.builder.extract(result, 0);
        let labels =
            (0..count).map(|index| self.builder.extract(result, index as u32 + 1)).collect();
        self.rename(call, value);
        self.set_labels(value, labels);
    }

    /// Transfers the role of `old` to another instruction.
    fn rename(&mut self, old: Value, new: Value) {
        old.replace_with(new);
        self.reach.rename(old, new);
        self.fate = Fate::Replaced(new);
        old.erase();
    }

    /// Stores labels where the callee looks for them.
    fn pass_labels(&self, call: Value, callee: Value) {
        let arguments = call.arguments();
        let fixed = call.call_signature().parameters().len().min(arguments.len());
        let labels: Vec<_> = arguments[..fixed].iter().flat_map(|a| self.labels_of(*a)).collect();
        let copies: Vec<_> = (0..fixed)
            .filter(|index| call.argument_by_value(*index as u32).is_some())
            .map(|index| arguments[index])
            .collect();
        if labels.len() > MOST_LABELS
            || copies.len() > MOST_COPIES
            || arguments.len() - fixed > MOST_VARIADIC
        {
            self.note_route(call, "a call with so many arguments");
        }
        for (index, label) in labels.iter().enumerate().take(MOST_LABELS) {
            self.probe("plx_pass", &[self.handle.label(index as u32), *label]);
        }
        for (index, copy) in copies.iter().enumerate().take(MOST_COPIES) {
            self.probe("plx_pass_copy", &[self.handle.label(index as u32), *copy]);
        }
        if call.call_signature().is_variadic() {
            self.pass_variadic(call, &arguments, fixed);
        } else {
            self.probe("plx_set_variadic_count", &[self.number(64, 0)]);
        }
        self.probe("plx_set_callee", &[callee]);
        if self.is_proved {
            let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
            let signature = fingerprint(call.ty(), &types);
            self.probe("plx_set_signature", &[self.number(64, signature)]);
        }
    }

    fn pass_variadic(&self, call: Value, arguments: &[Value], fixed: usize) {
        let variadic = &arguments[fixed..];
        let count = variadic.len().min(MOST_VARIADIC);
        for (position, argument) in variadic.iter().enumerate().take(count) {
            let by_value = call.argument_by_value((fixed + position) as u32);
            let size = by_value.map_or(0, |ty| self.handle.size(ty));
            let source = match by_value {
                Some(_) => *argument,
                None => self.handle.pointer().zero(),
            };
            let kind = match by_value {
                Some(_) if call.argument_alignment((fixed + position) as u32) > 8 => {
                    Passed::AlignedMemory
                }
                Some(_) => Passed::Memory,
                None => passed(*argument),
            };
            let labels = self.labels_of(*argument);
            let label = match by_value {
                Some(_) => self.handle.label(0),
                None => labels.first().copied().unwrap_or_else(|| self.handle.label(0)),
            };
            let index = self.handle.label(position as u32);
            let kind = self.handle.label(kind as u32);
            self.probe("plx_pass_variadic", &[index, label, kind, self.number(64, size), source]);
        }
        self.probe("plx_set_variadic_count", &[self.number(64, count as u64)]);
    }

    fn take_results(&mut self, call: Value, callee: Value) {
        let count = self.leaves(call.ty()).len().min(MOST_LABELS);
        let mut labels: Vec<_> = (0..count)
            .map(|index| self.probe("plx_result", &[callee, self.handle.label(index as u32)]))
            .collect();
        labels.resize(self.leaves(call.ty()).len(), self.handle.label(0));
        self.set_labels(call, labels);
    }

    /// The callee is known only at run time, and may be anything.
    fn call_pointer(&mut self, call: Value) {
        let callee = call.callee();
        self.pin(call, callee, PinReason::Target);
        let caller = match self.is_model {
            true => self.probe("plx_save_caller", &[]),
            false => self.site(call),
        };
        if !self.is_model {
            self.probe("plx_enter_model", &[caller]);
        }
        self.pass_labels(call, callee);
        self.after(call);
        self.take_results(call, callee);
        if self.is_model {
            self.probe("plx_enter_model", &[caller]);
            return;
        }
        let foreign = self.probe("plx_was_foreign", &[callee]);
        let name = self.pass.text("(a function pointer)");
        self.probe("plx_unmodelled_if", &[foreign, self.site(call), name]);
        for argument in call.arguments() {
            self.pin_if(foreign, call, argument);
            if argument.ty().is_pointer() {
                self.probe("plx_clear_object_if", &[foreign, argument]);
            }
        }
    }

    /// Pins an argument if the callee turns out to have no labels.
    fn pin_if(&self, foreign: Value, call: Value, argument: Value) {
        let label = self.label(argument);
        if !is_scalar(argument.ty()) || is_zero(label) {
            return;
        }
        let reason = PinReason::Argument as u32 | bits(argument.ty()).min(64) << 16;
        let (value, reason) = (self.bits_as(argument, 64), self.handle.label(reason));
        self.probe("plx_pin_if", &[foreign, self.site(call), label, value, reason]);
    }

    /// A function that is neither instrumented nor modelled.
    fn call_foreign(&mut self, call: Value, name: &str) {
        for argument in call.arguments() {
            self.pin(call, argument, PinReason::Argument);
        }
        let writes = self.pass.effects.of(name).map(<[Write]>::to_vec);
        let text = self.pass.text(name);
        let pointers: Vec<_> =
            call.arguments().into_iter().filter(|argument| argument.ty().is_pointer()).collect();
        if writes.is_none() {
            self.probe("plx_unmodelled", &[self.site(call), text]);
        } else {
            for pointer in &pointers {
                self.probe("plx_foreign_reads", &[self.site(call), text, *pointer]);
            }
        }
        self.after(call);
        if self.is_proved && call.ty().is_pointer() {
            self.probe("plx_returned", &[self.site(call), text, call]);
        }
        if matches!(name, "_setjmp" | "setjmp" | "__sigsetjmp" | "sigsetjmp" | "savectx") {
            self.probe("plx_landed", &[call]);
        }
        match writes {
            Some(writes) => writes.iter().for_each(|write| self.foreign_write(call, write)),
            None => {
                for pointer in pointers {
                    self.probe("plx_clear_object", &[pointer]);
                }
            }
        }
    }

    fn foreign_write(&self, call: Value, write: &Write) {
        let arguments = call.arguments();
        let argument = |index: u32| arguments.get(index as usize).copied();
        let Some(pointer) = argument(write.argument).filter(|value| value.ty().is_pointer()) else {
            return;
        };
        match write.extent {
            Extent::Object => self.effect("plx_clear_object", &[pointer]),
            Extent::Bytes(size) => {
                self.effect("plx_clear_many", &[pointer, self.number(64, size)]);
                self.record_write(pointer, self.number(64, size));
            }
            Extent::Argument(index) => {
                if let Some(size) = argument(index).filter(|value| value.ty().is_int()) {
                    self.probe("plx_clear_many", &[pointer, self.bits_as(size, 64)]);
                }
            }
        }
    }

    /// It runs as it is; its results are concrete, also where it writes memory.
    fn assembler(&self, call: Value) {
        let arguments = call.arguments();
        let is_empty = call.ty().is_void() && call.callee().assembler_text().trim().is_empty();
        if self.is_proved && !is_empty {
            self.note(call, Counter::Assembler, self.handle.pointer().zero());
        }
        if arguments.iter().any(|argument| !is_zero_value(self, *argument)) {
            for argument in &arguments {
                self.lose(call, *argument, Counter::Assembler);
            }
        }
        self.after(call);
        for pointer in arguments.into_iter().filter(|argument| argument.ty().is_pointer()) {
            self.probe("plx_clear_object", &[pointer]);
        }
        if !call.ty().is_void() {
            let counter = self.number(16, Counter::Assembler as u64);
            self.probe("plx_lose", &[self.site(call), counter]);
        }
    }
}

fn is_zero_value(weaver: &Weaver<'_>, value: Value) -> bool {
    weaver.labels_of(value).into_iter().all(is_zero)
}

fn passed(argument: Value) -> Passed {
    match argument.ty().kind() {
        TypeKind::LLVMX86_FP80TypeKind => Passed::AlignedMemory,
        TypeKind::LLVMIntegerTypeKind if argument.ty().bits() > 64 => Passed::Pair,
        TypeKind::LLVMIntegerTypeKind | TypeKind::LLVMPointerTypeKind => Passed::General,
        _ => Passed::Floating,
    }
}
