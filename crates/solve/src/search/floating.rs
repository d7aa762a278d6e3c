//! The operators on floats, as instructions.
//!
//! The operators are defined like x86-64 on NaN, so there its instructions are used directly; other
//! processors leave operations that can give a NaN to the helper.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, condcodes::FloatCC};
use cranelift_codegen::ir::{condcodes::IntCC, types};

use super::compiler::Emitter;
use crate::{Binary, Unary};

const IS_MODEL: bool = cfg!(target_arch = "x86_64");

impl Emitter<'_> {
    /// A pattern as a float.
    fn float(&mut self, at: u32) -> Value {
        let value = self.value(at);
        if self.width(at) == 32 {
            let pattern = self.build.ins().ireduce(types::I32, value);
            self.build.ins().bitcast(types::F32, MemFlagsData::new(), pattern)
        } else {
            self.build.ins().bitcast(types::F64, MemFlagsData::new(), value)
        }
    }

    /// A float as its pattern.
    fn pattern(&mut self, float: Value, width: u32) -> Value {
        if width == 32 {
            let pattern = self.build.ins().bitcast(types::I32, MemFlagsData::new(), float);
            self.build.ins().uextend(types::I64, pattern)
        } else {
            self.build.ins().bitcast(types::I64, MemFlagsData::new(), float)
        }
    }

    pub(super) fn float_binary(&mut self, operator: Binary, a: u32, b: u32) -> Option<Value> {
        use Binary::*;
        let width = self.width(a);
        let (x, y) = (self.float(a), self.float(b));
        let result = match operator {
            FCopySign => {
                let sign = self.word(1 << (width - 1));
                let rest = self.word((1 << (width - 1)) - 1);
                let (a, b) = (self.value(a), self.value(b));
                let (sign, rest) = (self.build.ins().band(b, sign), self.build.ins().band(a, rest));
                return Some(self.build.ins().bor(sign, rest));
            }
            FMin | FMax => {
                let (less, more) = if operator == FMin { (y, x) } else { (x, y) };
                let other = self.build.ins().fcmp(FloatCC::LessThan, less, more);
                let nan = self.build.ins().fcmp(FloatCC::Unordered, x, x);
                let other = self.build.ins().bor(other, nan);
                let (a, b) = (self.value(a), self.value(b));
                return Some(self.build.ins().select(other, b, a));
            }
            _ if !IS_MODEL => return None,
            FAdd => self.build.ins().fadd(x, y),
            FSub => self.build.ins().fsub(x, y),
            FMul => self.build.ins().fmul(x, y),
            FDiv => self.build.ins().fdiv(x, y),
            _ => return None,
        };
        Some(self.pattern(result, width))
    }

    pub(super) fn float_compare(&mut self, operator: Binary, a: u32, b: u32) -> Value {
        use Binary::*;
        let (x, y) = (self.float(a), self.float(b));
        let condition = match operator {
            FOEq => FloatCC::Equal,
            FOLt => FloatCC::LessThan,
            FOLe => FloatCC::LessThanOrEqual,
            FONe => FloatCC::OrderedNotEqual,
            FUno => FloatCC::Unordered,
            FUNe => FloatCC::NotEqual,
            FULt => FloatCC::UnorderedOrLessThan,
            FULe => FloatCC::UnorderedOrLessThanOrEqual,
            FUEq => FloatCC::UnorderedOrEqual,
            _ => FloatCC::Ordered,
        };
        self.build.ins().fcmp(condition, x, y)
    }

    pub(super) fn float_unary(&mut self, operator: Unary, a: u32, width: u32) -> Option<Value> {
        use Unary::*;
        let from = self.width(a);
        match operator {
            FNeg | FAbs => {
                let (value, sign) = (self.value(a), self.word(1 << (from - 1)));
                let rest = self.word((1 << (from - 1)) - 1);
                return Some(match operator {
                    FNeg => self.build.ins().bxor(value, sign),
                    _ => self.build.ins().band(value, rest),
                });
            }
            FFromSigned | FFromUnsigned => return self.integer_to_float(operator, a, width),
            FToSigned => return self.float_to_signed(a, width),
            FToUnsigned => return self.float_to_unsigned(a, width),
            FResize if from == width => return Some(self.value(a)),
            _ if !IS_MODEL => return None,
            _ => {}
        }
        let x = self.float(a);
        let result = match operator {
            FSqrt => self.build.ins().sqrt(x),
            FFloor => self.build.ins().floor(x),
            FCeil => self.build.ins().ceil(x),
            FTrunc => self.build.ins().trunc(x),
            FRoundEven => self.build.ins().nearest(x),
            FResize if width == 64 => self.build.ins().fpromote(types::F64, x),
            FResize => self.build.ins().fdemote(types::F32, x),
            _ => return None,
        };
        Some(self.pattern(result, width))
    }

    fn integer_to_float(&mut self, operator: Unary, a: u32, width: u32) -> Option<Value> {
        let from = self.width(a);
        if from > 64 {
            return None;
        }
        let target = float_type(width);
        let result = if operator == Unary::FFromSigned {
            let value = self.signed(a);
            self.build.ins().fcvt_from_sint(target, value)
        } else if from < 64 {
            let value = self.value(a);
            self.build.ins().fcvt_from_sint(target, value)
        } else {
            let value = self.value(a);
            self.build.ins().fcvt_from_uint(target, value)
        };
        Some(self.pattern(result, width))
    }

    fn float_to_signed(&mut self, a: u32, width: u32) -> Option<Value> {
        let value = self.double(a);
        let result = match width {
            0..=32 => self.machine_32(value),
            33..=64 => self.machine_64(value),
            _ => return None,
        };
        Some(self.cut(result, width))
    }

    fn float_to_unsigned(&mut self, a: u32, width: u32) -> Option<Value> {
        let value = self.double(a);
        let result = match width {
            0..=16 => self.machine_32(value),
            17..=32 => self.machine_64(value),
            33..=64 => {
                let limit = self.build.ins().f64const(2_f64.powi(63));
                let rest = self.build.ins().fsub(value, limit);
                let (first, second) = (self.machine_64(value), self.machine_64(rest));
                let by = self.word(63);
                let counts = self.build.ins().sshr(first, by);
                let second = self.build.ins().band(second, counts);
                self.build.ins().bor(first, second)
            }
            _ => return None,
        };
        Some(self.cut(result, width))
    }

    /// A float as one of 64 bits, which is exact.
    fn double(&mut self, at: u32) -> Value {
        let value = self.float(at);
        if self.width(at) == 32 { self.build.ins().fpromote(types::F64, value) } else { value }
    }

    /// As the processor converts to 32 bits, with the sign in the bits above.
    fn machine_32(&mut self, value: Value) -> Value {
        let whole = self.machine_64(value);
        let (half, limit) = (self.word(1 << 31), self.word(1 << 32));
        let shifted = self.build.ins().iadd(whole, half);
        let fits = self.build.ins().icmp(IntCC::UnsignedLessThan, shifted, limit);
        self.build.ins().select(fits, whole, half)
    }

    /// As the processor converts to 64 bits. NaN is not inside of the limits.
    fn machine_64(&mut self, value: Value) -> Value {
        let least = self.build.ins().f64const(-(2_f64.powi(63)));
        let limit = self.build.ins().f64const(2_f64.powi(63));
        let above = self.build.ins().fcmp(FloatCC::GreaterThanOrEqual, value, least);
        let below = self.build.ins().fcmp(FloatCC::LessThan, value, limit);
        let fits = self.build.ins().band(above, below);
        let whole = self.build.ins().fcvt_to_sint_sat(types::I64, value);
        let misfit = self.word(1 << 63);
        self.build.ins().select(fits, whole, misfit)
    }
}

fn float_type(width: u32) -> Type {
    if width == 32 { types::F32 } else { types::F64 }
}
