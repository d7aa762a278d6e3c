//! Passing of labels into functions and out of them.

use inkwell::llvm_sys::LLVMLinkage;

use super::{
    call::fingerprint,
    instruction::is_array,
    leaf::leaves,
    pass::{Callee, Convention, Pass},
    proof::PROVED,
    weaver::Weaver,
};
use crate::llvm::{Handle, Opcode, Type, Value};

/// The most labels that a call through a pointer passes.
pub(crate) const MOST_LABELS: usize = 64;
/// The most arguments in memory whose labels a call through a pointer passes.
pub(crate) const MOST_COPIES: usize = 8;

/// The labels that a function takes and returns in addition.
pub(crate) struct Shape {
    /// The parameter of each label parameter.
    pub(crate) labels: usize,
    /// The parameters that are passed in memory, with their types.
    pub(crate) copies: Vec<(u32, Type)>,
    /// How many labels the result has.
    pub(crate) results: usize,
}

impl Shape {
    pub(crate) fn of(handle: &Handle, function: Value) -> Shape {
        let signature = function.value_type();
        let parameters = signature.parameters();
        let count = |ty: &Type| leaves(handle, *ty).len();
        let copies = (0..parameters.len() as u32)
            .filter_map(|index| Some((index, function.by_value(index)?)))
            .collect();
        Shape {
            labels: parameters.iter().map(count).sum(),
            copies,
            results: count(&signature.result()),
        }
    }
}

/// Declares the twin that `function`'s code will move to, or records that it stays.
pub(crate) fn declare(handle: &Handle, function: Value, convention: Convention) -> Callee {
    if convention == Convention::InPlace {
        keep_frame(handle, function);
        return Callee { convention, target: function };
    }
    let shape = Shape::of(handle, function);
    let signature = function.value_type();
    let mut parameters = signature.parameters();
    parameters.extend(std::iter::repeat_n(handle.int(32), shape.labels));
    parameters.extend(std::iter::repeat_n(handle.pointer(), shape.copies.len()));
    let result = twin_result(handle, signature.result(), shape.results);
    let twin = handle
        .add_function(&format!("{}.plx", function.name()), Type::signature(result, &parameters));
    twin.copy_attributes(function, shape.results == 0);
    remove_promises(twin);
    remove_promises(function);
    keep_frame(handle, twin);
    twin.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    Callee { convention, target: twin }
}

/// Keeps frame pointers: probes find the caller of the function through the frames.
fn keep_frame(handle: &Handle, function: Value) {
    handle.mark_as(function, "frame-pointer", "all");
}

/// Removes attributes that probes violate: they access memory that the program does not have.
fn remove_promises(function: Value) {
    for promise in ["memory", "speculatable", "nosync", "norecurse", "nofree", "willreturn"] {
        function.remove_attribute(promise);
    }
}

fn twin_result(handle: &Handle, result: Type, labels: usize) -> Type {
    if labels == 0 {
        return result;
    }
    let mut fields = vec![result];
    fields.extend(std::iter::repeat_n(handle.int(32), labels));
    handle.structure(&fields)
}

impl Weaver<'_> {
    /// Reads the labels of the parameters, and prepares the body.
    pub(crate) fn enter(&mut self) {
        let shape = Shape::of(&self.handle, self.function);
        let old = self.function.parameters();
        let code: Vec<_> =
            self.function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
        if self.convention == Convention::Twin {
            self.function.move_blocks_to(self.body);
        }
        let Some(first) = code.first() else { return };
        self.builder.before(*first);
        self.cover_entry(*first);
        match self.convention {
            Convention::Twin => self.take_parameters(&old, &shape),
            Convention::InPlace => self.take_call_labels(&old, &shape),
        }
        let is_proved = self.is_proved;
        let is_indexed = |alloca: &Value| {
            let count = || alloca.operand(0).as_constant_int().unwrap_or(u64::MAX);
            alloca.opcode() == Opcode::LLVMAlloca
                && (is_proved || is_array(alloca.allocated(), count()))
        };
        self.record_entry(*first);
        if code.iter().any(is_indexed) {
            self.stack = Some(self.probe("plx_save_stack", &[]));
        }
    }

    fn take_parameters(&mut self, old: &[Value], shape: &Shape) {
        let new = self.body.parameters();
        let mut labels = new[old.len()..].iter().copied();
        for (old, new) in old.iter().zip(&new) {
            old.replace_with(*new);
            let count = self.leaves(new.ty()).len();
            let own: Vec<_> = labels.by_ref().take(count).collect();
            self.set_labels(*new, own);
        }
        for ((index, ty), original) in shape.copies.iter().zip(labels) {
            let size = self.number(64, self.handle.size(*ty));
            self.probe("plx_take_copy", &[new[*index as usize], original, size]);
        }
    }

    fn take_call_labels(&mut self, parameters: &[Value], shape: &Shape) {
        let mut next = 0;
        for parameter in parameters {
            let count = self.leaves(parameter.ty()).len();
            let labels = (next..next + count).map(|index| self.passed(index)).collect();
            next += count;
            self.set_labels(*parameter, labels);
        }
        for (position, (index, ty)) in shape.copies.iter().enumerate() {
            let original = self.passed_copy(position);
            let size = self.number(64, self.handle.size(*ty));
            self.probe("plx_take_copy", &[parameters[*index as usize], original, size]);
        }
        if self.function.value_type().is_variadic() {
            let saved = self.builder.stack(variadic_record(&self.handle));
            self.probe("plx_save_variadic", &[saved, self.function]);
            self.variadic = Some(saved);
        }
        self.check_signature();
        self.probe("plx_taken", &[]);
    }

    /// In a proof, that the function is called with its own type.
    fn check_signature(&self) {
        let ty = self.function.value_type();
        if self.is_proved && !ty.is_variadic() {
            let own = self.number(64, fingerprint(ty.result(), &ty.parameters()));
            self.probe("plx_check_signature", &[self.function, own]);
        }
    }

    fn passed(&self, index: usize) -> Value {
        match index {
            0..MOST_LABELS => {
                self.probe("plx_argument", &[self.function, self.handle.label(index as u32)])
            }
            _ => self.handle.label(0),
        }
    }

    fn passed_copy(&self, position: usize) -> Value {
        match position {
            0..MOST_COPIES => {
                let index = self.handle.label(position as u32);
                self.probe("plx_argument_copy", &[self.function, index])
            }
            _ => self.handle.pointer().zero(),
        }
    }

    /// Returns the labels of the result with it.
    pub(crate) fn ret(&mut self, ret: Value) {
        if let Some(stack) = self.stack {
            self.probe("plx_restore_stack", &[stack]);
        }
        let value = ret.operands().first().copied();
        let labels = value.map(|value| self.labels_of(value)).unwrap_or_default();
        match (self.convention, value) {
            (Convention::InPlace, _) => {
                return_labels(self.pass, &self.builder, self.function, &labels);
            }
            (Convention::Twin, Some(value)) if !labels.is_empty() => {
                let result = self.body.value_type().result();
                let both = self.builder.insert(result.poison(), value, 0);
                let both = (1..)
                    .zip(labels)
                    .fold(both, |both, (index, label)| self.builder.insert(both, label, index));
                self.builder.ret(Some(both));
                ret.erase();
            }
            (Convention::Twin, _) => {}
        }
    }
}

/// The type for the labels of variadic arguments: as large as the structure of the runtime.
fn variadic_record(handle: &Handle) -> Type {
    const WORDS: u64 = 1 + 32 + 8 + 1 + 128 * 3;
    handle.array(handle.int(64), WORDS)
}

fn return_labels(pass: &Pass, builder: &crate::llvm::Builder, function: Value, labels: &[Value]) {
    let call = |name, arguments: &[Value]| {
        let (probe, signature) = pass.probe(name);
        builder.call(signature, probe, arguments)
    };
    for (index, label) in labels.iter().enumerate().take(MOST_LABELS) {
        call("plx_return_label", &[pass.handle.label(index as u32), *label]);
    }
    call("plx_set_return", &[function]);
}

/// Makes the function that the program and its libraries know forward to its twin.
pub(crate) fn forward(pass: &Pass, function: Value, twin: Value) {
    let handle = &pass.handle;
    let builder = handle.builder();
    builder.at_end(handle.append_block(function));
    let shape = Shape::of(handle, function);
    let call = |name, arguments: &[Value]| {
        let (probe, signature) = pass.probe(name);
        builder.call(signature, probe, arguments)
    };
    let mut arguments = function.parameters();
    for index in 0..shape.labels {
        arguments.push(match index {
            0..MOST_LABELS => call("plx_argument", &[function, handle.label(index as u32)]),
            _ => handle.label(0),
        });
    }
    for position in 0..shape.copies.len() {
        arguments.push(match position {
            0..MOST_COPIES => call("plx_argument_copy", &[function, handle.label(position as u32)]),
            _ => handle.pointer().zero(),
        });
    }
    if twin.has_mark(PROVED) || function.has_mark(PROVED) {
        let ty = function.value_type();
        let own = handle.int(64).constant(fingerprint(ty.result(), &ty.parameters()));
        call("plx_check_signature", &[function, own]);
    }
    call("plx_taken", &[]);
    let result = builder.call(twin.value_type(), twin, &arguments);
    result.copy_parameter_attributes(twin);
    let labels: Vec<_> =
        (0..shape.results).map(|index| builder.extract(result, index as u32 + 1)).collect();
    return_labels(pass, &builder, function, &labels);
    match function.value_type().result() {
        ty if ty.is_void() => builder.ret(None),
        _ if shape.results == 0 => builder.ret(Some(result)),
        _ => builder.ret(Some(builder.extract(result, 0))),
    }
}
