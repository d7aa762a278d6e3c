//! The effect of each instruction on labels.

use parallax_abi::{Counter, Op, PinReason};

use super::{
    leaf::{bits, is_opaque, is_scalar},
    weaver::{Fate, Weaver, is_zero},
};
use crate::llvm::{IntPredicate, Opcode, RealPredicate, Type, TypeKind, Value};

impl Weaver<'_> {
    /// Adds the effect of `instruction` on labels, and its records.
    pub(crate) fn instruction(&mut self, instruction: Value) {
        self.builder.before(instruction);
        self.record_before(instruction);
        let (opcode, next) = (instruction.opcode(), instruction.next());
        self.fate = Fate::Kept;
        self.weave_instruction(instruction);
        if let Some(next) = next {
            self.record(instruction, opcode, next);
        }
    }

    fn weave_instruction(&mut self, instruction: Value) {
        match instruction.opcode() {
            Opcode::LLVMPHI => self.phi(instruction),
            Opcode::LLVMLoad => self.load(instruction),
            Opcode::LLVMStore => self.store(instruction),
            Opcode::LLVMAlloca => self.alloca(instruction),
            Opcode::LLVMGetElementPtr => self.address(instruction),
            Opcode::LLVMCall => self.call(instruction),
            Opcode::LLVMSelect => self.select(instruction),
            Opcode::LLVMICmp => {
                self.compare(instruction, int_predicate(instruction.int_predicate()))
            }
            Opcode::LLVMFCmp => {
                self.compare(instruction, real_predicate(instruction.real_predicate()))
            }
            Opcode::LLVMExtractValue => self.extract_value(instruction),
            Opcode::LLVMInsertValue => self.insert_value(instruction),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => self.atomic(instruction),
            Opcode::LLVMBr if instruction.is_conditional() => self.branch(instruction),
            Opcode::LLVMSwitch => self.switch(instruction),
            Opcode::LLVMIndirectBr => {
                self.pin(instruction, instruction.operand(0), PinReason::Target)
            }
            Opcode::LLVMRet => self.ret(instruction),
            opcode => self.arithmetic(instruction, opcode),
        }
    }

    fn arithmetic(&mut self, instruction: Value, opcode: Opcode) {
        if is_opaque(instruction.ty()) {
            return self.lose_operands(instruction);
        }
        if is_scalar(instruction.ty()) {
            let label = match binary_op(opcode) {
                Some(op) => Some(self.binary_instruction(instruction, op)),
                None => self.cast(instruction, opcode),
            };
            if let Some(label) = label {
                self.set_label(instruction, label);
            }
        }
    }

    fn binary_instruction(&self, instruction: Value, op: Op) -> Value {
        let (left, right) = (instruction.operand(0), instruction.operand(1));
        if matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem) {
            let divisor = self.label(right);
            if !is_zero(divisor) {
                let width = self.handle.label(bits(right.ty()));
                let is_zero = self.builder.equal(right, right.ty().zero());
                self.probe("plx_divisor", &[self.site(instruction), divisor, width, is_zero]);
            }
        }
        self.binary(op, left, right)
    }

    fn cast(&self, instruction: Value, opcode: Opcode) -> Option<Value> {
        let operand = instruction.operand(0);
        if !is_scalar(operand.ty()) {
            return None;
        }
        let (from, to) = (bits(operand.ty()), bits(instruction.ty()));
        Some(match opcode {
            Opcode::LLVMTrunc
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMFreeze => self.label(operand),
            Opcode::LLVMZExt => self.zero_extension(operand, from),
            Opcode::LLVMSExt => self.unary(Op::SignExtend, operand, to, from),
            Opcode::LLVMFNeg => self.unary(Op::FNeg, operand, to, 0),
            Opcode::LLVMFPExt | Opcode::LLVMFPTrunc => self.unary(Op::FResize, operand, to, from),
            Opcode::LLVMSIToFP => self.unary(Op::FFromSigned, operand, to, from),
            Opcode::LLVMUIToFP => self.unary(Op::FFromUnsigned, operand, to, from),
            Opcode::LLVMFPToSI => self.float_to_int(Op::FToSigned, operand, to, from),
            Opcode::LLVMFPToUI => self.float_to_int(Op::FToUnsigned, operand, to, from),
            _ => return None,
        })
    }

    fn zero_extension(&self, operand: Value, from: u32) -> Value {
        let label = self.label(operand);
        if is_zero(label) {
            return label;
        }
        self.probe("plx_extend", &[label, self.handle.label(from)])
    }

    /// The value is needed too: one that does not fit is undefined.
    fn float_to_int(&self, op: Op, operand: Value, to: u32, from: u32) -> Value {
        let label = self.label(operand);
        if is_zero(label) {
            return label;
        }
        let descriptor = self.descriptor(op, to, from);
        let (zero, value) = (self.handle.label(0), self.bits_as(operand, 64));
        self.probe("plx_binary", &[descriptor, label, zero, value, self.number(64, 0)])
    }

    fn lose_operands(&self, instruction: Value) {
        let counter = match instruction.ty().kind() {
            TypeKind::LLVMX86_FP80TypeKind | TypeKind::LLVMFP128TypeKind => Counter::LongDouble,
            _ => Counter::Vector,
        };
        for operand in instruction.operands() {
            self.lose(instruction, operand, counter);
        }
    }

    fn phi(&mut self, phi: Value) {
        if !self.reach.contains(phi) {
            return;
        }
        let leaves = self.leaves(phi.ty());
        let twins = leaves.iter().map(|_| self.builder.phi(self.handle.int(32))).collect();
        self.labels.insert(phi, twins);
    }

    fn compare(&mut self, instruction: Value, predicate: Option<(Op, bool)>) {
        let (left, right) = (instruction.operand(0), instruction.operand(1));
        if !is_scalar(left.ty()) {
            return self.lose_operands(instruction);
        }
        let Some((op, swapped)) = predicate else { return };
        let label =
            if swapped { self.binary(op, right, left) } else { self.binary(op, left, right) };
        self.set_label(instruction, label);
    }

    fn select(&mut self, instruction: Value) {
        let [condition, yes, no] = [0, 1, 2].map(|index| instruction.operand(index));
        if !is_scalar(condition.ty()) || is_opaque(instruction.ty()) {
            return self.lose_operands(instruction);
        }
        let mut labels = Vec::new();
        for (index, leaf) in self.leaves(instruction.ty()).iter().enumerate() {
            let (a, b) = (self.labels_of(yes)[index], self.labels_of(no)[index]);
            let label = self.label(condition);
            if is_zero(label) {
                labels.push(if a == b { a } else { self.builder.select(condition, a, b) });
                continue;
            }
            let descriptor = self.descriptor(Op::Ite, bits(leaf.ty), 0);
            if bits(leaf.ty) > 64 {
                let values = [condition, self.part(yes, leaf), self.part(no, leaf)];
                let values = values.map(|value| self.bits_as(value, 128));
                let arguments = [&[descriptor, label, a, b][..], &values].concat();
                labels.push(self.probe("plx_ternary", &arguments));
                continue;
            }
            let yes = self.bits_as(self.part(yes, leaf), 64);
            let no = self.bits_as(self.part(no, leaf), 64);
            labels.push(self.probe("plx_select", &[descriptor, label, a, b, condition, yes, no]));
        }
        self.set_labels(instruction, labels);
    }

    fn extract_value(&mut self, instruction: Value) {
        let aggregate = instruction.operand(0);
        let labels = self.labels_of(aggregate);
        let path = instruction.indices();
        let leaves = self.leaves(aggregate.ty());
        let chosen = leaves.iter().zip(labels).filter(|(leaf, _)| leaf.path.starts_with(&path));
        let chosen = chosen.map(|(_, label)| label).collect();
        self.set_labels(instruction, chosen);
    }

    fn insert_value(&mut self, instruction: Value) {
        let (aggregate, value) = (instruction.operand(0), instruction.operand(1));
        let mut labels = self.labels_of(aggregate);
        let path = instruction.indices();
        let leaves = self.leaves(aggregate.ty());
        let places =
            leaves.iter().zip(&mut labels).filter(|(leaf, _)| leaf.path.starts_with(&path));
        for ((_, place), label) in places.zip(self.labels_of(value)) {
            *place = label;
        }
        self.set_labels(instruction, labels);
    }

    fn load(&mut self, load: Value) {
        if is_opaque(load.ty()) {
            let size = self.number(64, self.handle.store_size(load.ty()));
            let counter = match load.ty().kind() {
                TypeKind::LLVMX86_FP80TypeKind => Counter::LongDouble,
                _ => Counter::Vector,
            };
            let counter = self.number(16, counter as u64);
            self.pin(load, load.operand(0), PinReason::Address);
            self.probe("plx_lost_memory", &[self.site(load), load.operand(0), size, counter]);
            return;
        }
        if !self.reach.contains(load) && is_zero(self.label(load.operand(0))) {
            return;
        }
        let address = load.operand(0);
        let labels = self.load_labels(load, address, load.ty());
        self.set_labels(load, labels);
    }

    /// The labels of a value of type `ty` at `address`.
    pub(crate) fn load_labels(&self, at: Value, address: Value, ty: Type) -> Vec<Value> {
        let leaves = self.leaves(ty);
        let pointer_label = match leaves.len() {
            1 => self.label(address),
            // Only scalars are resolved through symbolic addresses.
            _ => {
                self.pin(at, address, PinReason::Address);
                self.handle.label(0)
            }
        };
        let mut labels = Vec::new();
        for leaf in &leaves {
            let size = self.handle.label(self.handle.store_size(leaf.ty) as u32);
            let place = self.offset(address, leaf.offset);
            let probe = if leaf.ty.is_pointer() { "plx_load_pointer" } else { "plx_load" };
            labels.push(self.probe(probe, &[place, pointer_label, size, self.site(at)]));
        }
        labels
    }

    pub(crate) fn offset(&self, address: Value, offset: u64) -> Value {
        if offset == 0 { address } else { self.builder.offset(address, offset) }
    }

    fn store(&mut self, store: Value) {
        let (value, address) = (store.operand(0), store.operand(1));
        if is_opaque(value.ty()) {
            self.pin(store, address, PinReason::Address);
            return self.clear(address, self.handle.store_size(value.ty()));
        }
        if is_scalar(value.ty()) {
            return self.store_scalar(store, value, address);
        }
        self.pin(store, address, PinReason::Address);
        for (leaf, label) in self.leaves(value.ty()).iter().zip(self.labels_of(value)) {
            let size = self.handle.label(self.handle.store_size(leaf.ty) as u32);
            let place = self.offset(address, leaf.offset);
            let (zero, label) = (self.handle.label(0), self.whole_bytes(leaf.ty, label));
            self.probe("plx_store", &[place, zero, label, size, self.site(store)]);
        }
    }

    /// A label may stand for more bits than its value has; memory takes them in whole bytes.
    fn whole_bytes(&self, ty: Type, label: Value) -> Value {
        match bits(ty) {
            width if width % 8 == 0 || is_zero(label) => label,
            width => self.probe("plx_extend", &[label, self.handle.label(width)]),
        }
    }

    fn store_scalar(&self, store: Value, value: Value, address: Value) {
        let size = self.handle.label(self.handle.store_size(value.ty()) as u32);
        let (pointer, site) = (self.label(address), self.site(store));
        let mut label = self.whole_bytes(value.ty(), self.label(value));
        if self.is_proved && value.ty().is_pointer() {
            label = self.probe("plx_stored_pointer", &[label, value]);
        }
        if is_zero(pointer) {
            self.probe("plx_store", &[address, pointer, label, size, site]);
        } else {
            let stored = self.bits_as(value, 128);
            self.probe("plx_store_at", &[address, pointer, label, size, site, stored]);
        }
    }

    /// Makes memory of a known size concrete.
    pub(crate) fn clear(&self, address: Value, size: u64) {
        let count = self.number(64, size);
        match size {
            0 => {}
            1..=256 => self.effect("plx_clear_few", &[address, count]),
            _ => self.effect("plx_clear_many", &[address, count]),
        }
    }

    fn alloca(&mut self, alloca: Value) {
        let (ty, count) = (alloca.allocated(), alloca.operand(0));
        self.pin(alloca, count, PinReason::Size);
        self.after(alloca);
        let size = self.handle.size(ty);
        match count.as_constant_int() {
            Some(count) => {
                match self.is_proved {
                    true => self.mark_unwritten(alloca, self.number(64, size * count)),
                    false => self.clear(alloca, size * count),
                }
                self.stack_object(alloca, self.number(64, size * count), ty, count);
            }
            None => {
                let bytes = self.bits_as(count, 64);
                let bytes = self.builder.multiply(bytes, self.number(64, size));
                match self.is_proved {
                    true => self.mark_unwritten(alloca, bytes),
                    false => self.effect("plx_clear_many", &[alloca, bytes]),
                }
                self.stack_object(alloca, bytes, ty, u64::MAX);
            }
        }
    }

    /// In a proof build, marks memory on whose contents nothing may depend.
    pub(crate) fn mark_unwritten(&self, start: Value, bytes: Value) {
        self.effect("plx_mark_unwritten", &[start, bytes]);
    }

    fn stack_object(&self, alloca: Value, bytes: Value, ty: Type, count: u64) {
        if self.stack.is_some() && (self.is_proved || is_array(ty, count)) {
            self.probe("plx_push_object", &[alloca, bytes]);
        }
    }

    fn address(&mut self, gep: Value) {
        if !is_scalar(gep.ty()) {
            return self.lose_operands(gep);
        }
        let operands = gep.operands();
        if operands.iter().all(|operand| is_zero(self.label(*operand))) {
            return;
        }
        self.after(gep);
        let long = self.handle.int(64);
        let result = self.builder.pointer_to_int(gep, long);
        let mut sum = self.label(operands[0]);
        if !is_zero(sum) {
            let base = self.builder.pointer_to_int(operands[0], long);
            sum = self.probe("plx_pointer", &[sum, base, result]);
        }
        let mut ty = gep.source_element();
        for (position, index) in operands[1..].iter().enumerate() {
            let scale = if position == 0 {
                self.handle.size(ty)
            } else if ty.kind() == TypeKind::LLVMStructTypeKind {
                let field = index.as_constant_int().unwrap_or_default();
                ty = ty.fields()[field as usize];
                continue;
            } else {
                ty = ty.element();
                self.handle.size(ty)
            };
            sum = self.index(sum, *index, result, scale);
        }
        self.set_label(gep, sum);
    }

    fn index(&self, sum: Value, index: Value, result: Value, scale: u64) -> Value {
        let label = self.label(index);
        if is_zero(label) {
            return sum;
        }
        let width = index.ty().bits();
        let value = match width {
            64 => index,
            0..64 => self.builder.sign_extend(index, self.handle.int(64)),
            _ => self.builder.truncate(index, self.handle.int(64)),
        };
        let (width, scale) = (self.handle.label(width), self.number(64, scale));
        self.probe("plx_index", &[sum, label, result, value, width, scale])
    }

    fn atomic(&mut self, instruction: Value) {
        let address = instruction.operand(0);
        let operands = instruction.operands();
        let stored = operands.last().copied().unwrap_or(address);
        let size = self.handle.store_size(stored.ty());
        let counter = self.number(16, Counter::Atomic as u64);
        for operand in operands {
            self.lose(instruction, operand, Counter::Atomic);
        }
        let site = self.site(instruction);
        self.probe("plx_lost_memory", &[site, address, self.number(64, size), counter]);
        self.clear(address, size);
    }

    fn branch(&mut self, branch: Value) {
        let condition = branch.operand(0);
        let label = self.label(condition);
        if !is_zero(label) {
            let name = if self.is_model { "plx_model_branch" } else { "plx_branch" };
            self.probe(name, &[self.own_site(branch), label, condition]);
        }
    }

    fn switch(&mut self, switch: Value) {
        let value = switch.operand(0);
        let label = self.label(value);
        if is_zero(label) {
            return;
        }
        if bits(value.ty()) > 64 {
            return self.pin(switch, value, PinReason::Target);
        }
        let number = self.bits_as(value, 64);
        let width = self.handle.label(bits(value.ty()));
        let name = if self.is_model { "plx_model_switch" } else { "plx_switch" };
        self.probe(name, &[self.own_site(switch), label, number, width]);
    }
}

/// Whether this memory is indexed.
pub(crate) fn is_array(ty: Type, count: u64) -> bool {
    count != 1
        || match ty.kind() {
            TypeKind::LLVMArrayTypeKind => true,
            TypeKind::LLVMStructTypeKind => ty.fields().into_iter().any(|field| is_array(field, 1)),
            _ => false,
        }
}

fn binary_op(opcode: Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::LLVMAdd => Op::Add,
        Opcode::LLVMSub => Op::Sub,
        Opcode::LLVMMul => Op::Mul,
        Opcode::LLVMUDiv => Op::UDiv,
        Opcode::LLVMSDiv => Op::SDiv,
        Opcode::LLVMURem => Op::URem,
        Opcode::LLVMSRem => Op::SRem,
        Opcode::LLVMShl => Op::Shl,
        Opcode::LLVMLShr => Op::LShr,
        Opcode::LLVMAShr => Op::AShr,
        Opcode::LLVMAnd => Op::And,
        Opcode::LLVMOr => Op::Or,
        Opcode::LLVMXor => Op::Xor,
        Opcode::LLVMFAdd => Op::FAdd,
        Opcode::LLVMFSub => Op::FSub,
        Opcode::LLVMFMul => Op::FMul,
        Opcode::LLVMFDiv => Op::FDiv,
        Opcode::LLVMFRem => Op::FRem,
        _ => return None,
    })
}

/// The operator of a predicate, and whether its operands are swapped.
fn int_predicate(predicate: IntPredicate) -> Option<(Op, bool)> {
    Some(match predicate {
        IntPredicate::LLVMIntEQ => (Op::Eq, false),
        IntPredicate::LLVMIntNE => (Op::Ne, false),
        IntPredicate::LLVMIntULT => (Op::ULt, false),
        IntPredicate::LLVMIntULE => (Op::ULe, false),
        IntPredicate::LLVMIntUGT => (Op::ULt, true),
        IntPredicate::LLVMIntUGE => (Op::ULe, true),
        IntPredicate::LLVMIntSLT => (Op::SLt, false),
        IntPredicate::LLVMIntSLE => (Op::SLe, false),
        IntPredicate::LLVMIntSGT => (Op::SLt, true),
        IntPredicate::LLVMIntSGE => (Op::SLe, true),
    })
}

fn real_predicate(predicate: RealPredicate) -> Option<(Op, bool)> {
    Some(match predicate {
        RealPredicate::LLVMRealOEQ => (Op::FOEq, false),
        RealPredicate::LLVMRealOGT => (Op::FOLt, true),
        RealPredicate::LLVMRealOGE => (Op::FOLe, true),
        RealPredicate::LLVMRealOLT => (Op::FOLt, false),
        RealPredicate::LLVMRealOLE => (Op::FOLe, false),
        RealPredicate::LLVMRealONE => (Op::FONe, false),
        RealPredicate::LLVMRealORD => (Op::FOrd, false),
        RealPredicate::LLVMRealUNO => (Op::FUno, false),
        RealPredicate::LLVMRealUEQ => (Op::FUEq, false),
        RealPredicate::LLVMRealUGT => (Op::FULt, true),
        RealPredicate::LLVMRealUGE => (Op::FULe, true),
        RealPredicate::LLVMRealULT => (Op::FULt, false),
        RealPredicate::LLVMRealULE => (Op::FULe, false),
        RealPredicate::LLVMRealUNE => (Op::FUNe, false),
        RealPredicate::LLVMRealPredicateFalse | RealPredicate::LLVMRealPredicateTrue => {
            return None;
        }
    })
}
