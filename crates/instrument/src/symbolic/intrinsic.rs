//! LLVM's intrinsics: operations that have no instruction of their own.

use parallax_abi::{Counter, Op, PinReason};

use super::{
    leaf::{bits, is_scalar},
    weaver::{Weaver, is_zero},
};
use crate::llvm::Value;

impl Weaver<'_> {
    pub(crate) fn intrinsic(&mut self, call: Value, name: &str) {
        let base = base_name(name);
        match base {
            "memcpy" | "memmove" | "memcpy.inline" => return self.copy(call),
            "memset" | "memset.inline" => return self.fill(call),
            "va_start" => return self.va_start(call),
            "va_copy" => return self.va_copy(call),
            "lifetime.start" if self.is_proved => return self.lifetime_starts(call),
            "stackrestore" if self.stack.is_some() => {
                return self.effect("plx_pop_objects", &[call.operand(0)]);
            }
            _ => {}
        }
        if let Some(label) = self.intrinsic_label(call, base) {
            return self.set_label(call, label);
        }
        if let Some((op, flag)) = with_overflow(base) {
            return self.overflow(call, op, flag);
        }
        if !is_silent(base) {
            self.lose_arguments(call);
            self.note_route(call, name);
        }
    }

    /// The lifetime of a variable starts again: its contents are gone.
    fn lifetime_starts(&self, call: Value) {
        let (size, start) = (call.operand(0), call.operand(1));
        if size.as_signed_constant().is_some_and(|size| size > 0) {
            self.mark_unwritten(start, size);
        }
    }

    fn intrinsic_label(&self, call: Value, base: &str) -> Option<Value> {
        if !is_scalar(call.ty()) {
            return None;
        }
        let argument = |index| call.operand(index);
        if base == "expect" || base == "ssa.copy" || base.ends_with("invariant.group") {
            return Some(self.label(argument(0)));
        }
        if let Some(op) = one_operand(base) {
            return Some(self.unary(op, argument(0), bits(call.ty()), 0));
        }
        if let Some(op) = two_operands(base) {
            return Some(self.binary(op, argument(0), argument(1)));
        }
        three_operands(base).map(|op| self.ternary(call, op))
    }

    fn ternary(&self, call: Value, op: Op) -> Value {
        let operands = [0, 1, 2].map(|index| call.operand(index));
        let labels = operands.map(|operand| self.label(operand));
        if labels.into_iter().all(is_zero) {
            return self.handle.label(0);
        }
        let descriptor = self.descriptor(op, bits(call.ty()), 0);
        let values = operands.map(|operand| self.bits_as(operand, 128));
        let arguments = [&[descriptor][..], &labels, &values].concat();
        self.probe("plx_ternary", &arguments)
    }

    fn overflow(&mut self, call: Value, op: Op, flag: Op) {
        let (left, right) = (call.operand(0), call.operand(1));
        if !is_scalar(left.ty()) {
            return self.lose_arguments(call);
        }
        let labels = vec![self.binary(op, left, right), self.binary(flag, left, right)];
        self.set_labels(call, labels);
    }

    fn copy(&mut self, call: Value) {
        let [to, from, size] = [0, 1, 2].map(|index| call.operand(index));
        for operand in [to, from] {
            self.pin(call, operand, PinReason::Address);
        }
        self.pin(call, size, PinReason::Size);
        let count = self.bits_as(size, 64);
        self.record_write(to, count);
        match size.as_constant_int() {
            Some(0) => {}
            Some(1..=256) => self.effect("plx_copy_few", &[to, from, count]),
            _ => self.effect("plx_copy_many", &[to, from, count]),
        }
    }

    fn fill(&mut self, call: Value) {
        let [to, value, size] = [0, 1, 2].map(|index| call.operand(index));
        self.pin(call, to, PinReason::Address);
        self.pin(call, size, PinReason::Size);
        let label = self.label(value);
        let count = self.bits_as(size, 64);
        self.record_write(to, count);
        if !is_zero(label) {
            let number = self.bits_as(value, 64);
            self.probe("plx_fill", &[to, label, number, count]);
            return;
        }
        match size.as_constant_int() {
            Some(size) => self.clear(to, size),
            None => self.effect("plx_clear_many", &[to, count]),
        }
    }

    fn va_start(&mut self, call: Value) {
        let Some(saved) = self.variadic else { return };
        self.after(call);
        self.probe("plx_va_started", &[call.operand(0), saved]);
    }

    fn va_copy(&mut self, call: Value) {
        const LIST: u64 = 24;
        self.clear(call.operand(0), LIST);
    }

    fn lose_arguments(&self, call: Value) {
        for argument in call.arguments() {
            self.lose(call, argument, Counter::Vector);
        }
    }
}

/// `llvm.ctpop.i32` becomes `ctpop`: the rest are types.
fn base_name(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    let is_type = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        part.starts_with(['i', 'f', 'p', 'v', 'n', 's'])
            && part.len() > 1
            && (rest.chars().next().is_some_and(|c| c.is_ascii_digit()))
            && !matches!(part, "f2i")
    };
    let mut end = name.len();
    while let Some((start, last)) = name[..end].rsplit_once('.') {
        if !is_type(last) {
            break;
        }
        end = start.len();
    }
    &name[..end]
}

fn one_operand(base: &str) -> Option<Op> {
    Some(match base {
        "ctpop" => Op::PopCount,
        "ctlz" => Op::LeadingZeros,
        "cttz" => Op::TrailingZeros,
        "bswap" => Op::ByteSwap,
        "bitreverse" => Op::BitReverse,
        "abs" => Op::Abs,
        "fabs" => Op::FAbs,
        "sqrt" => Op::FSqrt,
        "floor" => Op::FFloor,
        "ceil" => Op::FCeil,
        "trunc" => Op::FTrunc,
        "rint" | "nearbyint" | "roundeven" => Op::FRoundEven,
        "round" => Op::FRound,
        _ => return None,
    })
}

fn two_operands(base: &str) -> Option<Op> {
    Some(match base {
        "umin" => Op::UMin,
        "umax" => Op::UMax,
        "smin" => Op::SMin,
        "smax" => Op::SMax,
        "uadd.sat" => Op::UAddSat,
        "sadd.sat" => Op::SAddSat,
        "usub.sat" => Op::USubSat,
        "ssub.sat" => Op::SSubSat,
        "ptrmask" => Op::And,
        "minnum" => Op::FMin,
        "maxnum" => Op::FMax,
        "copysign" => Op::FCopySign,
        _ => return None,
    })
}

fn three_operands(base: &str) -> Option<Op> {
    Some(match base {
        "fshl" => Op::FunnelLeft,
        "fshr" => Op::FunnelRight,
        "fma" => Op::FMulAdd,
        _ => return None,
    })
}

fn with_overflow(base: &str) -> Option<(Op, Op)> {
    Some(match base {
        "uadd.with.overflow" => (Op::Add, Op::UAddOverflow),
        "sadd.with.overflow" => (Op::Add, Op::SAddOverflow),
        "usub.with.overflow" => (Op::Sub, Op::USubOverflow),
        "ssub.with.overflow" => (Op::Sub, Op::SSubOverflow),
        "umul.with.overflow" => (Op::Mul, Op::UMulOverflow),
        "smul.with.overflow" => (Op::Mul, Op::SMulOverflow),
        _ => return None,
    })
}

/// Whether an intrinsic is pure arithmetic.
pub(crate) fn is_arithmetic(name: &str) -> bool {
    let base = base_name(name);
    one_operand(base).is_some()
        || two_operands(base).is_some()
        || three_operands(base).is_some()
        || with_overflow(base).is_some()
}

/// Whether an intrinsic has no effect on the program's values.
fn is_silent(base: &str) -> bool {
    const STARTS: [&str; 12] = [
        "dbg.",
        "lifetime.",
        "assume",
        "invariant.",
        "stack",
        "va_end",
        "prefetch",
        "objectsize",
        "is.constant",
        "threadlocal",
        "experimental.noalias",
        "donothing",
    ];
    STARTS.iter().any(|start| base.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_at_the_end_are_not_part_of_the_name() {
        let names = [
            ("llvm.ctpop.i32", "ctpop"),
            ("llvm.memcpy.p0.p0.i64", "memcpy"),
            ("llvm.memcpy.inline.p0.p0.i64", "memcpy.inline"),
            ("llvm.uadd.with.overflow.i64", "uadd.with.overflow"),
            ("llvm.sadd.sat.v4i32", "sadd.sat"),
            ("llvm.fabs.f64", "fabs"),
            ("llvm.va_start.p0", "va_start"),
            ("llvm.ssa.copy.i8", "ssa.copy"),
            ("llvm.stacksave", "stacksave"),
        ];
        for (name, base) in names {
            assert_eq!(base_name(name), base);
        }
    }
}
