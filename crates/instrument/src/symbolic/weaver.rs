//! Weaving labels into one function.
//!
//! Every value gets a label beside it: another SSA value, made by a call of a probe that is inlined
//! later. No block is split here, so the function keeps its shape, and phis get twins.

use std::collections::{HashMap, HashSet};

use parallax_abi::Op;

use super::{
    leaf::{Leaf, bits, is_scalar, leaves},
    loops::copy_loops,
    pass::{Convention, MODEL, Pass},
    proof::PROVED,
    reach::Reach,
    sites::Sites,
};
use crate::llvm::{Block, Builder, Handle, Opcode, Type, Value};

/// The state for one function.
pub(crate) struct Weaver<'p> {
    pub(crate) pass: &'p Pass,
    pub(crate) handle: Handle,
    pub(crate) builder: Builder,
    /// The function as the program knows it.
    pub(crate) function: Value,
    /// The one that holds the code: the twin, or the function itself.
    pub(crate) body: Value,
    pub(crate) convention: Convention,
    pub(crate) is_model: bool,
    /// Whether it is part of a proof.
    pub(crate) is_proved: bool,
    pub(crate) sites: Sites,
    pub(crate) reach: Reach,
    pub(crate) labels: HashMap<Value, Vec<Value>>,
    /// The top of the list of stack objects when the function was entered, if it adds to it.
    pub(crate) stack: Option<Value>,
    /// Where the labels of variadic arguments were saved.
    pub(crate) variadic: Option<Value>,
    /// The current call when the function was entered, if it is recorded.
    pub(crate) outer_call: Option<Value>,
    /// The fate of the instruction that was woven last.
    pub(crate) fate: Fate,
}

/// The fate of an instruction after weaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is still there.
    Kept,
    /// Another value replaces it.
    Replaced(Value),
    /// It was removed.
    Gone,
}

impl<'p> Weaver<'p> {
    /// Instruments `function`, whose code may move to its twin.
    pub(crate) fn weave(pass: &'p Pass, function: Value) {
        let callee = pass.callees[&function];
        let sites = Sites::new(&pass.handle, function);
        let mut weaver = Weaver {
            pass,
            handle: pass.handle,
            builder: pass.handle.builder(),
            function,
            body: callee.target,
            convention: callee.convention,
            is_model: function.has_mark(MODEL),
            is_proved: function.has_mark(PROVED),
            sites,
            reach: Reach::default(),
            labels: HashMap::new(),
            stack: None,
            variadic: None,
            outer_call: None,
            fate: Fate::Kept,
        };
        weaver.enter();
        // A copy of a loop records nothing, and proves nothing.
        let loops = match pass.recording.is_empty() && !weaver.is_proved {
            true => copy_loops(pass, weaver.body),
            false => Vec::new(),
        };
        let order = reverse_post_order(weaver.body);
        weaver.reach = Reach::of(pass, weaver.body, &order);
        let code: Vec<_> = order.iter().map(|block| (*block, block.instructions())).collect();
        // Calls are replaced on the way; phis stay.
        let all = code.iter().flat_map(|(_, instructions)| instructions).copied();
        let phis: Vec<_> = all.filter(|i| i.opcode() == Opcode::LLVMPHI).collect();
        let copies: HashMap<_, _> = loops.iter().flat_map(|fast| &fast.originals).collect();
        let watched = code.iter().filter(|(block, _)| !copies.contains_key(block));
        for instruction in watched.flat_map(|(_, instructions)| instructions) {
            match loops.iter().find(|fast| fast.marker == *instruction) {
                Some(fast) => weaver.decide_loop(fast),
                None if weaver.sites.contains(*instruction) => weaver.instruction(*instruction),
                // It was added by the instrumentation.
                None => {}
            }
        }
        weaver.complete_phis(&phis);
        if !weaver.is_model {
            weaver.cover(&code, &copies);
        }
    }

    fn complete_phis(&mut self, phis: &[Value]) {
        for phi in phis {
            let Some(twins) = self.labels.get(phi).cloned() else { continue };
            for (value, block) in phi.incoming() {
                for (twin, label) in twins.iter().zip(self.labels_of(value)) {
                    twin.add_incoming(label, block);
                }
            }
        }
    }

    /// The labels of a value, one for each leaf.
    pub(crate) fn labels_of(&self, value: Value) -> Vec<Value> {
        match self.labels.get(&value) {
            Some(labels) => labels.clone(),
            None => vec![self.handle.label(0); self.leaves(value.ty()).len()],
        }
    }

    /// The label of a scalar.
    pub(crate) fn label(&self, value: Value) -> Value {
        let label = self.labels.get(&value).and_then(|labels| labels.first().copied());
        label.unwrap_or_else(|| self.handle.label(0))
    }

    pub(crate) fn set_label(&mut self, value: Value, label: Value) {
        self.set_labels(value, vec![label]);
    }

    /// Labels that are certainly zero are not stored.
    pub(crate) fn set_labels(&mut self, value: Value, labels: Vec<Value>) {
        if !labels.iter().all(|label| is_zero(*label)) {
            self.labels.insert(value, labels);
        }
    }

    pub(crate) fn leaves(&self, ty: Type) -> Vec<Leaf> {
        leaves(&self.handle, ty)
    }

    /// Calls a probe.
    pub(crate) fn probe(&self, name: &'static str, arguments: &[Value]) -> Value {
        let (probe, signature) = self.pass.probe(name);
        let wanted = signature.parameters();
        if wanted.len() == arguments.len() {
            return self.builder.call(signature, probe, arguments);
        }
        self.builder.call(signature, probe, &self.in_halves(arguments, &wanted))
    }

    /// Arguments in C's calling convention: an integer of 128 bits is two of 64 while there are
    /// registers.
    fn in_halves(&self, arguments: &[Value], wanted: &[Type]) -> Vec<Value> {
        let long = self.handle.int(64);
        let mut passed = Vec::new();
        for argument in arguments {
            let is_wide = argument.ty().is_int() && argument.ty().bits() == 128;
            if is_wide && wanted.get(passed.len()) == Some(&long) {
                let high = self.builder.shift_right(*argument, self.number(128, 64));
                passed.extend([*argument, high].map(|half| self.builder.truncate(half, long)));
            } else {
                passed.push(*argument);
            }
        }
        passed
    }

    /// Calls a probe that has no result.
    pub(crate) fn effect(&self, name: &'static str, arguments: &[Value]) {
        self.probe(name, arguments);
    }

    /// The place of an instruction. Events in a model are at the place where the program called it,
    /// which the runtime knows.
    pub(crate) fn site(&self, instruction: Value) -> Value {
        match self.is_model {
            true => self.handle.pointer().zero(),
            false => self.own_site(instruction),
        }
    }

    /// The place of an instruction, also in a model.
    pub(crate) fn own_site(&self, instruction: Value) -> Value {
        self.sites.address(&self.handle, instruction, 0)
    }

    pub(crate) fn number(&self, bits: u32, value: u64) -> Value {
        self.handle.int(bits).constant(value)
    }

    /// An operator, a width and the extra number of some operators, packed.
    pub(crate) fn descriptor(&self, op: Op, width: u32, extra: u32) -> Value {
        self.handle.label(op as u32 | width << 8 | extra << 16)
    }

    /// The bits of a scalar as an integer of 64 bits, or of 128.
    pub(crate) fn bits_as(&self, value: Value, to: u32) -> Value {
        let (ty, to) = (value.ty(), self.handle.int(to));
        let int = match ty {
            ty if ty.is_pointer() => self.builder.pointer_to_int(value, self.handle.int(64)),
            ty if ty.is_int() => value,
            ty => self.builder.bit_cast(value, self.handle.int(bits(ty))),
        };
        match int.ty().bits().cmp(&to.bits()) {
            std::cmp::Ordering::Less => self.builder.zero_extend(int, to),
            std::cmp::Ordering::Equal => int,
            std::cmp::Ordering::Greater => self.builder.truncate(int, to),
        }
    }

    /// A binary operation on scalars of one type.
    pub(crate) fn binary(&self, op: Op, left: Value, right: Value) -> Value {
        let (a, b) = (self.label(left), self.label(right));
        if (is_zero(a) && is_zero(b)) || !is_scalar(left.ty()) {
            return self.handle.label(0);
        }
        let width = bits(left.ty());
        let descriptor = self.descriptor(op, width, 0);
        let (name, to) = if width <= 64 { ("plx_binary", 64) } else { ("plx_binary_wide", 128) };
        let (left, right) = (self.bits_as(left, to), self.bits_as(right, to));
        self.probe(name, &[descriptor, a, b, left, right])
    }

    /// An operation on one scalar: the result has `width` bits.
    pub(crate) fn unary(&self, op: Op, operand: Value, width: u32, extra: u32) -> Value {
        let label = self.label(operand);
        if is_zero(label) {
            return label;
        }
        self.probe("plx_unary", &[self.descriptor(op, width, extra), label])
    }

    /// Pins a value: from here on it is concrete.
    pub(crate) fn pin(&self, instruction: Value, value: Value, reason: parallax_abi::PinReason) {
        for (leaf, label) in self.leaves(value.ty()).iter().zip(self.labels_of(value)) {
            if is_zero(label) {
                continue;
            }
            let part = self.part(value, leaf);
            let number = self.bits_as(part, 64);
            let width = bits(leaf.ty).min(64);
            let packed = self.handle.label(reason as u32 | width << 16);
            self.probe("plx_pin_value", &[self.site(instruction), label, number, packed]);
            if bits(leaf.ty) > 64 {
                self.pin_upper_half(instruction, part, label, packed);
            }
        }
    }

    /// Pins the upper half: a pin has 64 bits.
    fn pin_upper_half(&self, instruction: Value, value: Value, label: Value, packed: Value) {
        let wide = self.bits_as(value, 128);
        let by = self.number(128, 64);
        let descriptor = self.descriptor(Op::LShr, 128, 0);
        let zero = self.handle.label(0);
        let upper = self.probe("plx_binary_wide", &[descriptor, label, zero, wide, by]);
        let number = self.bits_as(self.builder.shift_right(wide, by), 64);
        self.probe("plx_pin_value", &[self.site(instruction), upper, number, packed]);
    }

    /// A leaf of a value.
    pub(crate) fn part(&self, value: Value, leaf: &Leaf) -> Value {
        leaf.path.iter().fold(value, |value, index| self.builder.extract(value, *index))
    }

    /// Counts a value that flows into something without expressions.
    pub(crate) fn lose(&self, instruction: Value, value: Value, counter: parallax_abi::Counter) {
        for label in self.labels_of(value).into_iter().filter(|label| !is_zero(*label)) {
            let counter = self.number(16, counter as u64);
            self.probe("plx_lost", &[self.site(instruction), label, counter]);
        }
    }

    /// Moves behind an instruction that is not a terminator.
    pub(crate) fn after(&self, instruction: Value) {
        if let Some(next) = instruction.next() {
            self.builder.before(next);
        }
    }
}

/// Whether a label is known to be zero.
pub(crate) fn is_zero(label: Value) -> bool {
    label.as_constant_int() == Some(0)
}

/// The blocks in reverse post-order; unreachable ones last.
fn reverse_post_order(function: Value) -> Vec<Block> {
    let blocks = function.blocks();
    let mut order = blocks.first().map(|entry| reverse_post_order_from(*entry)).unwrap_or_default();
    let seen: HashSet<_> = order.iter().copied().collect();
    order.extend(blocks.into_iter().filter(|block| !seen.contains(block)));
    order
}

/// The reachable blocks in reverse post-order.
pub(crate) fn reverse_post_order_from(entry: Block) -> Vec<Block> {
    let mut seen = HashSet::from([entry]);
    let mut order = Vec::new();
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) if seen.insert(next) => stack.push((next, next.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
