//! The operators on integers, as instructions.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types};

use super::compiler::{Emitter, kept_in};
use crate::{
    Binary, Unary,
    arithmetic::{mask, sign_bit},
};

impl Emitter<'_> {
    pub(super) fn extract(&mut self, a: u32, low: u32, width: u32) -> Value {
        let value = self.value(a);
        let part = if self.width(a) <= 64 {
            self.shift_right(value, low)
        } else if width > 64 {
            let by = self.word(low.into());
            self.build.ins().ushr(value, by)
        } else {
            let (bottom, top) = self.build.ins().isplit(value);
            if low >= 64 {
                self.shift_right(top, low - 64)
            } else if low + width <= 64 {
                self.shift_right(bottom, low)
            } else {
                // It straddles, so it begins above the lowest bit.
                let bottom = self.shift_right(bottom, low);
                let top = self.shift_left(top, 64 - low);
                self.build.ins().bor(bottom, top)
            }
        };
        if low + width == self.width(a) { part } else { self.cut(part, width) }
    }

    pub(super) fn concat(&mut self, a: u32, b: u32, width: u32) -> Value {
        let (high, low, by) = (self.value(a), self.value(b), self.width(b));
        if width <= 64 {
            let high = self.shift_left(high, by);
            return self.build.ins().bor(high, low);
        }
        if by == 64 {
            return self.build.ins().iconcat(low, high);
        }
        let (high, low) = (self.widened(a), self.widened(b));
        let by = self.word(by.into());
        let high = self.build.ins().ishl(high, by);
        self.build.ins().bor(high, low)
    }

    /// A value in 128 bits.
    fn widened(&mut self, at: u32) -> Value {
        let value = self.value(at);
        if self.width(at) > 64 {
            return value;
        }
        let zero = self.word(0);
        self.build.ins().iconcat(value, zero)
    }

    pub(super) fn shift_left(&mut self, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.word(by.into());
        self.build.ins().ishl(value, by)
    }

    pub(super) fn shift_right(&mut self, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.word(by.into());
        self.build.ins().ushr(value, by)
    }

    /// A value of up to 64 bits with its sign in all the bits above.
    pub(super) fn signed(&mut self, at: u32) -> Value {
        let value = self.value(at);
        self.sign_extended(value, self.width(at))
    }

    fn sign_extended(&mut self, value: Value, width: u32) -> Value {
        let narrow = match width {
            64 => return value,
            8 => types::I8,
            16 => types::I16,
            32 => types::I32,
            _ => {
                let by = self.word((64 - width).into());
                let high = self.build.ins().ishl(value, by);
                return self.build.ins().sshr(high, by);
            }
        };
        let reduced = self.build.ins().ireduce(narrow, value);
        self.build.ins().sextend(types::I64, reduced)
    }

    pub(super) fn integer_unary(&mut self, operator: Unary, a: u32, width: u32) -> Option<Value> {
        let (from, value) = (self.width(a), self.value(a));
        if operator == Unary::ZeroExtend {
            return Some(if from > 64 || width <= 64 { value } else { self.widened(a) });
        }
        if from > 64 {
            return None;
        }
        if operator == Unary::SignExtend && width > 64 {
            let low = self.signed(a);
            let by = self.word(63);
            let high = self.build.ins().sshr(low, by);
            let wide = self.build.ins().iconcat(low, high);
            return Some(self.cut(wide, width));
        }
        if width > 64 {
            return None;
        }
        let result = match operator {
            Unary::SignExtend => self.signed(a),
            Unary::PopCount => self.build.ins().popcnt(value),
            Unary::LeadingZeros => {
                let (zeros, unused) = (self.build.ins().clz(value), self.word((64 - from).into()));
                self.build.ins().isub(zeros, unused)
            }
            Unary::TrailingZeros if from == 64 => self.build.ins().ctz(value),
            Unary::TrailingZeros => {
                let end = self.word(1 << from);
                let ended = self.build.ins().bor(value, end);
                self.build.ins().ctz(ended)
            }
            Unary::ByteSwap => {
                let swapped = self.build.ins().bswap(value);
                self.shift_right(swapped, 64 - from)
            }
            Unary::BitReverse => {
                let reversed = self.build.ins().bitrev(value);
                self.shift_right(reversed, 64 - from)
            }
            Unary::Abs => {
                let value = self.signed(a);
                self.build.ins().iabs(value)
            }
            _ => return None,
        };
        Some(self.cut(result, width))
    }

    pub(super) fn integer_binary(
        &mut self,
        operator: Binary,
        a: u32,
        b: u32,
        width: u32,
    ) -> Option<Value> {
        use Binary::*;
        let (x, y) = (self.value(a), self.value(b));
        let result = match operator {
            Add => self.build.ins().iadd(x, y),
            Sub => self.build.ins().isub(x, y),
            Mul => self.build.ins().imul(x, y),
            And => return Some(self.build.ins().band(x, y)),
            Or => return Some(self.build.ins().bor(x, y)),
            Xor => return Some(self.build.ins().bxor(x, y)),
            _ if width > 64 => return None,
            UMin => return Some(self.build.ins().umin(x, y)),
            UMax => return Some(self.build.ins().umax(x, y)),
            SMin | SMax => return Some(self.extreme(operator, a, b)),
            UDiv | URem => return Some(self.unsigned_division(operator, x, y, width)),
            SDiv | SRem => self.signed_division(operator, a, b),
            Shl | LShr | AShr => self.shift(operator, a, b),
            UAddSat if width < 64 => {
                let (sum, most) = (self.build.ins().iadd(x, y), self.word(mask(width) as u64));
                return Some(self.build.ins().umin(sum, most));
            }
            USubSat => {
                let (difference, zero) = (self.build.ins().isub(x, y), self.word(0));
                let fits = self.build.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, x, y);
                return Some(self.build.ins().select(fits, difference, zero));
            }
            _ => return None,
        };
        Some(self.cut(result, width))
    }

    fn extreme(&mut self, operator: Binary, a: u32, b: u32) -> Value {
        let (x, y) = (self.signed(a), self.signed(b));
        let less = self.build.ins().icmp(IntCC::SignedLessThan, x, y);
        let (a, b) = (self.value(a), self.value(b));
        let (then, otherwise) = if operator == Binary::SMin { (a, b) } else { (b, a) };
        self.build.ins().select(less, then, otherwise)
    }

    fn unsigned_division(&mut self, operator: Binary, x: Value, y: Value, width: u32) -> Value {
        let (zero, one) = (self.word(0), self.word(1));
        let by_zero = self.build.ins().icmp(IntCC::Equal, y, zero);
        let safe = self.build.ins().select(by_zero, one, y);
        let (result, otherwise) = if operator == Binary::UDiv {
            (self.build.ins().udiv(x, safe), self.word(mask(width) as u64))
        } else {
            (self.build.ins().urem(x, safe), x)
        };
        self.build.ins().select(by_zero, otherwise, result)
    }

    /// Neither zero nor minus one reaches the instruction: of 64 bits the least number divided by
    /// minus one would trap.
    fn signed_division(&mut self, operator: Binary, a: u32, b: u32) -> Value {
        let (x, y) = (self.signed(a), self.signed(b));
        let (zero, one, minus) = (self.word(0), self.word(1), self.word(u64::MAX));
        let by_zero = self.build.ins().icmp(IntCC::Equal, y, zero);
        let by_minus = self.build.ins().icmp(IntCC::Equal, y, minus);
        let special = self.build.ins().bor(by_zero, by_minus);
        let safe = self.build.ins().select(special, one, y);
        if operator == Binary::SRem {
            // The remainder by one is that by minus one.
            let result = self.build.ins().srem(x, safe);
            return self.build.ins().select(by_zero, x, result);
        }
        let result = self.build.ins().sdiv(x, safe);
        let negated = self.build.ins().isub(zero, x);
        let result = self.build.ins().select(by_minus, negated, result);
        let negative = self.build.ins().icmp(IntCC::SignedLessThan, x, zero);
        let unit = self.build.ins().select(negative, one, minus);
        self.build.ins().select(by_zero, unit, result)
    }

    fn shift(&mut self, operator: Binary, a: u32, b: u32) -> Value {
        let (value, by, width) = (self.value(a), self.value(b), self.width(a));
        if operator == Binary::AShr {
            let (value, most) = (self.signed(a), self.word((width - 1).into()));
            let by = self.build.ins().umin(by, most);
            return self.build.ins().sshr(value, by);
        }
        let (limit, zero) = (self.word(width.into()), self.word(0));
        let fits = self.build.ins().icmp(IntCC::UnsignedLessThan, by, limit);
        let shifted = if operator == Binary::Shl {
            self.build.ins().ishl(value, by)
        } else {
            self.build.ins().ushr(value, by)
        };
        self.build.ins().select(fits, shifted, zero)
    }

    pub(super) fn integer_predicate(&mut self, operator: Binary, a: u32, b: u32) -> Option<Value> {
        use Binary::*;
        let (width, x, y) = (self.width(a), self.value(a), self.value(b));
        let unsigned = match operator {
            Eq => Some(IntCC::Equal),
            Ne => Some(IntCC::NotEqual),
            ULt | USubOverflow => Some(IntCC::UnsignedLessThan),
            ULe => Some(IntCC::UnsignedLessThanOrEqual),
            _ => None,
        };
        if let Some(condition) = unsigned {
            return Some(self.build.ins().icmp(condition, x, y));
        }
        match operator {
            SLt | SLe => {
                let (x, y) = self.biased(a, b);
                let strict = operator == SLt;
                let condition = [IntCC::UnsignedLessThanOrEqual, IntCC::UnsignedLessThan];
                Some(self.build.ins().icmp(condition[usize::from(strict)], x, y))
            }
            UAddOverflow => {
                let sum = self.build.ins().iadd(x, y);
                if width == 64 || width == 128 {
                    return Some(self.build.ins().icmp(IntCC::UnsignedLessThan, sum, x));
                }
                let most = self.constant(width, mask(width));
                Some(self.build.ins().icmp(IntCC::UnsignedGreaterThan, sum, most))
            }
            SAddOverflow | SSubOverflow | SMulOverflow if width < 64 => {
                self.signed_overflow(operator, a, b)
            }
            UMulOverflow if width <= 32 => {
                let (product, most) = (self.build.ins().imul(x, y), self.word(mask(width) as u64));
                Some(self.build.ins().icmp(IntCC::UnsignedGreaterThan, product, most))
            }
            UMulOverflow if width == 64 => {
                let (high, zero) = (self.build.ins().umulhi(x, y), self.word(0));
                Some(self.build.ins().icmp(IntCC::NotEqual, high, zero))
            }
            _ => None,
        }
    }

    /// Values as unsigned numbers in the order of the signed ones.
    pub(super) fn biased(&mut self, a: u32, b: u32) -> (Value, Value) {
        let width = self.width(a);
        debug_assert_eq!(kept_in(width), kept_in(self.width(b)));
        let sign = self.constant(width, sign_bit(width));
        let (x, y) = (self.value(a), self.value(b));
        (self.build.ins().bxor(x, sign), self.build.ins().bxor(y, sign))
    }

    /// The exact result fits into 64 bits, and is compared with its truncation.
    fn signed_overflow(&mut self, operator: Binary, a: u32, b: u32) -> Option<Value> {
        let (x, y, width) = (self.signed(a), self.signed(b), self.width(a));
        let exact = match operator {
            Binary::SAddOverflow => self.build.ins().iadd(x, y),
            Binary::SSubOverflow => self.build.ins().isub(x, y),
            _ if width <= 32 => self.build.ins().imul(x, y),
            _ => return None,
        };
        let wrapped = self.sign_extended(exact, width);
        Some(self.build.ins().icmp(IntCC::NotEqual, exact, wrapped))
    }
}
