//! Operators on floats.
//!
//! The theory has one NaN, the processor many. The NaN of each result is expressed in bits, by the
//! rule of the evaluation; so only `fmod` is left to the solver.

use super::{
    terms::Term,
    translation::{Form, Translator},
};
use crate::{
    Binary, Expr, ExprId, Unary,
    arithmetic::{mask, sign_bit},
    float::machine_width,
};

/// The pattern of an expression that has only a float.
///
/// The NaN of a result depends on the patterns of the operands, and so on. They are processed
/// iteratively, because there can be very many.
pub(super) fn patterns<'t>(translator: &mut Translator<'t, '_>, root: ExprId) -> Term<'t> {
    let mut pending = vec![root];
    while let Some(&id) = pending.last() {
        if translator.known_bits(id).is_some() {
            pending.pop();
            continue;
        }
        let length = pending.len();
        for operand in nan_sources(translator, id) {
            if translator.is_float_only(operand) {
                pending.push(operand);
            }
        }
        if pending.len() == length {
            pending.pop();
            let bits = translator.pattern(id);
            translator.set_bits(id, bits);
        }
    }
    translator.bits(root)
}

/// The operands whose NaN propagates, in this order.
fn nan_sources(translator: &Translator, id: ExprId) -> Vec<ExprId> {
    let expr = translator.graph.expr(id);
    let converts = |operator| matches!(operator, Unary::FFromSigned | Unary::FFromUnsigned);
    match expr {
        Expr::Unary { operator, .. } if converts(operator) => Vec::new(),
        _ => expr.operands().filter(|operand| translator.may_be_nan(*operand)).collect(),
    }
}

impl<'t> Translator<'t, '_> {
    pub(super) fn float_unary(&mut self, operator: Unary, to: u32, a: ExprId) -> Form<'t> {
        use Unary::*;
        let (terms, from) = (self.terms, self.width(a));
        let rounded = |this: &mut Self, mode| Form::float(terms.float_round(mode, this.float(a)));
        match operator {
            FNeg => Form::bits(terms.bit_xor(self.bits(a), terms.number(from, sign_bit(from)))),
            FAbs => Form::bits(terms.bit_and(self.bits(a), terms.number(from, mask(from - 1)))),
            FSqrt => Form::float(terms.float_sqrt(terms.nearest(), self.float(a))),
            FFloor => rounded(self, terms.downward()),
            FCeil => rounded(self, terms.upward()),
            FTrunc => rounded(self, terms.toward_zero()),
            FRoundEven => rounded(self, terms.nearest()),
            FRound => rounded(self, terms.nearest_away()),
            FResize if from == to => Form::bits(self.bits(a)),
            FResize => Form::float(terms.float_resize(to, self.float(a))),
            FFromSigned | FFromUnsigned => {
                self.has_floats = true;
                Form::float(terms.float_from(to, self.bits(a), operator == FFromSigned))
            }
            FToSigned => {
                let (machine, x) = (machine_width(to), self.float(a));
                Form::bits(self.cut(to, machine, self.to_signed(from, machine, x)))
            }
            _ => {
                let x = self.float(a);
                Form::bits(self.to_unsigned(from, to, x))
            }
        }
    }

    pub(super) fn float_binary(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Form<'t> {
        let (terms, width) = (self.terms, self.width(b));
        if operator == Binary::FCopySign {
            let magnitude = terms.number(width, mask(width - 1));
            let sign = terms.number(width, sign_bit(width));
            let (a, b) = (self.bits(a), self.bits(b));
            return Form::bits(terms.bit_or(terms.bit_and(a, magnitude), terms.bit_and(b, sign)));
        }
        let (x, y) = (self.float(a), self.float(b));
        let nearest = terms.nearest();
        match operator {
            Binary::FAdd => Form::float(terms.float_add(nearest, x, y)),
            Binary::FSub => Form::float(terms.float_sub(nearest, x, y)),
            Binary::FMul => Form::float(terms.float_mul(nearest, x, y)),
            Binary::FDiv => Form::float(terms.float_div(nearest, x, y)),
            Binary::FMin | Binary::FMax => {
                let (least, most) = if operator == Binary::FMin { (y, x) } else { (x, y) };
                let second = terms.or(terms.is_nan(x), terms.float_lt(least, most));
                let bits = terms.ite(second, self.bits(b), self.bits(a));
                Form { bits: Some(bits), truth: None, float: Some(terms.ite(second, y, x)) }
            }
            _ => Form::truth(self.float_predicate(operator, x, y)),
        }
    }

    fn float_predicate(&self, operator: Binary, x: Term<'t>, y: Term<'t>) -> Term<'t> {
        use Binary::*;
        let terms = self.terms;
        let differs = || terms.or(terms.float_lt(x, y), terms.float_lt(y, x));
        let unordered = || terms.or(terms.is_nan(x), terms.is_nan(y));
        match operator {
            FOEq => terms.float_eq(x, y),
            FUNe => terms.not(terms.float_eq(x, y)),
            FOLt => terms.float_lt(x, y),
            FOLe => terms.float_le(x, y),
            FULt => terms.not(terms.float_le(y, x)),
            FULe => terms.not(terms.float_lt(y, x)),
            FONe => differs(),
            FUEq => terms.not(differs()),
            FUno => unordered(),
            _ => terms.not(unordered()),
        }
    }

    /// Whether the pattern of an expression would have to be derived from its float.
    fn is_float_only(&self, id: ExprId) -> bool {
        self.known_bits(id).is_none() && self.graph.as_constant(id).is_none()
    }

    fn may_be_nan(&self, id: ExprId) -> bool {
        let infinity = infinity(self.width(id));
        let magnitude = |value: u128| value & mask(self.width(id) - 1);
        self.graph.as_constant(id).is_none_or(|value| magnitude(value) > infinity)
    }

    /// The pattern of one result. The operands have theirs.
    fn pattern(&mut self, id: ExprId) -> Term<'t> {
        let (terms, width) = (self.terms, self.width(id));
        let result = self.float(id);
        let sources = nan_sources(self, id);
        let number = terms.float_bits(result);
        if matches!(self.graph.expr(id), Expr::Unary { .. }) && sources.is_empty() {
            // An integer is never NaN.
            return number;
        }
        let none = sign_bit(width) | infinity(width) | quiet(width);
        let made = terms.ite(terms.is_nan(result), terms.number(width, none), number);
        sources.into_iter().rev().fold(made, |rest, source| {
            let is_nan = terms.is_nan(self.float(source));
            terms.ite(is_nan, self.quieted(source, width), rest)
        })
    }

    /// The pattern of a NaN, made quiet and converted to another width.
    fn quieted(&mut self, source: ExprId, width: u32) -> Term<'t> {
        let (terms, from) = (self.terms, self.width(source));
        let bits = self.bits(source);
        let quiet_bits = terms.bit_or(bits, terms.number(from, quiet(from)));
        if from == width {
            return quiet_bits;
        }
        // The sign and the upper bits of the payload are kept.
        let sign = terms.extract(bits, from - 1, 1);
        let (exponent, fraction) = if width == 32 { (8, 23) } else { (11, 52) };
        let payload = if from < width {
            terms.concat(terms.extract(quiet_bits, 0, 23), terms.number(29, 0))
        } else {
            terms.extract(quiet_bits, 29, fraction)
        };
        let ones = terms.number(exponent, mask(exponent));
        terms.concat(sign, terms.concat(ones, payload))
    }

    /// The processor's conversion: a value that does not fit becomes the least number.
    fn to_signed(&self, from: u32, to: u32, x: Term<'t>) -> Term<'t> {
        let terms = self.terms;
        let whole = terms.float_round(terms.toward_zero(), x);
        let limit = power(from, to - 1);
        let above = terms.float_le(self.float_number(from, sign_bit(from) | limit), whole);
        let below = terms.float_lt(whole, self.float_number(from, limit));
        let misfit = terms.number(to, sign_bit(to));
        terms.ite(terms.and(above, below), terms.float_to(to, x, true), misfit)
    }

    fn to_unsigned(&self, from: u32, to: u32, x: Term<'t>) -> Term<'t> {
        match to {
            0..=16 => self.cut(to, 32, self.to_signed(from, 32, x)),
            17..=32 => self.cut(to, 64, self.to_signed(from, 64, x)),
            33..=64 => self.cut(to, 64, self.to_unsigned_64(from, x)),
            _ => self.cut(to, 128, self.to_unsigned_128(from, x)),
        }
    }

    /// The two conversions of the evaluation.
    fn to_unsigned_64(&self, from: u32, x: Term<'t>) -> Term<'t> {
        let terms = self.terms;
        let first = self.to_signed(from, 64, x);
        let rest = terms.float_sub(terms.nearest(), x, self.float_number(from, power(from, 63)));
        let second = self.to_signed(from, 64, rest);
        let zero = terms.number(64, 0);
        terms.bit_or(first, terms.ite(terms.slt(first, zero), second, zero))
    }

    fn to_unsigned_128(&self, from: u32, x: Term<'t>) -> Term<'t> {
        let terms = self.terms;
        let minus_one = self.float_number(from, sign_bit(from) | power(from, 0));
        // A single below infinity does not reach 2^128; the formula gives the pattern of infinity.
        let below = terms.float_lt(x, self.float_number(from, power(from, 128)));
        let misfit = terms.number(128, sign_bit(128));
        let fits = terms.and(terms.float_lt(minus_one, x), below);
        terms.ite(fits, terms.float_to(128, x, false), misfit)
    }

    fn float_number(&self, width: u32, bits: u128) -> Term<'t> {
        self.terms.float(width, self.terms.number(width, bits))
    }

    fn cut(&self, to: u32, from: u32, term: Term<'t>) -> Term<'t> {
        if to == from { term } else { self.terms.extract(term, 0, to) }
    }
}

/// The pattern of a power of two.
fn power(width: u32, exponent: u32) -> u128 {
    let (bias, fraction) = if width == 32 { (127, 23) } else { (1023, 52) };
    u128::from(bias + exponent) << fraction
}

fn infinity(width: u32) -> u128 {
    if width == 32 { 0xff << 23 } else { 0x7ff << 52 }
}

/// The quiet bit of a NaN.
fn quiet(width: u32) -> u128 {
    if width == 32 { 1 << 22 } else { 1 << 51 }
}
