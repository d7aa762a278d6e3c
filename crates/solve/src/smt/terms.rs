//! The terms of one query: created, counted, and released together.
//!
//! Making a term can fail, for example for lack of memory. To spare each operator the error
//! handling, the first failure is remembered, all terms after it are a dummy, and the caller checks
//! once at the end.

use std::{
    cell::{Cell, RefCell},
    ffi::{CString, c_int},
    marker::PhantomData,
};

use super::{
    context::Context,
    ffi::{self, Ast},
};

/// The terms made for one query.
pub(super) struct Terms<'c> {
    context: &'c Context,
    made: RefCell<Vec<Ast>>,
    fresh: Cell<c_int>,
    failed: Cell<bool>,
    dummy: Ast,
}

/// A term that is valid as long as the [`Terms`] it was made by.
#[derive(Clone, Copy)]
pub(super) struct Term<'t>(Ast, PhantomData<&'t ()>);

impl Term<'_> {
    pub(super) fn raw(self) -> Ast {
        self.0
    }
}

macro_rules! operators {
    ($($name:ident($($operand:ident),*) $function:ident;)*) => {
        $(
            pub(super) fn $name<'t>(&'t self, $($operand: Term<'t>),*) -> Term<'t> {
                // SAFETY: the context and the operands are valid while they are borrowed.
                self.make(|| unsafe { ffi::$function(self.context.raw(), $($operand.0),*) })
            }
        )*
    };
}

macro_rules! modes {
    ($($name:ident $function:ident;)*) => {
        $(
            pub(super) fn $name(&self) -> Term<'_> {
                // SAFETY: the context is valid.
                self.make(|| unsafe { ffi::$function(self.context.raw()) })
            }
        )*
    };
}

impl<'c> Terms<'c> {
    /// An empty set of terms, or `None` if not even that can be allocated.
    pub(super) fn new(context: &'c Context) -> Option<Terms<'c>> {
        // SAFETY: the context is valid.
        let dummy = unsafe { ffi::Z3_mk_true(context.raw())? };
        // SAFETY: Z3 just returned it; the count is given back on drop, as of all that is made.
        unsafe { ffi::Z3_inc_ref(context.raw(), dummy) };
        let made = RefCell::new(vec![dummy]);
        Some(Terms { context, made, fresh: Cell::new(0), failed: Cell::new(false), dummy })
    }

    /// Whether a term could not be made.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    fn make(&self, make: impl FnOnce() -> Option<Ast>) -> Term<'_> {
        let made = if self.failed.get() { None } else { make() };
        match made {
            Some(term) => {
                // SAFETY: Z3 just returned it; the count is given back on drop.
                unsafe { ffi::Z3_inc_ref(self.context.raw(), term) };
                self.made.borrow_mut().push(term);
                Term(term, PhantomData)
            }
            None => {
                self.failed.set(true);
                Term(self.dummy, PhantomData)
            }
        }
    }

    /// A fresh unconstrained value.
    pub(super) fn unknown(&self, width: u32) -> Term<'_> {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        let context = self.context.raw();
        // SAFETY: the context, its sort and the symbol are valid.
        self.make(|| unsafe {
            let symbol = ffi::Z3_mk_int_symbol(context, number)?;
            ffi::Z3_mk_const(context, symbol, self.context.vector(width))
        })
    }

    pub(super) fn number(&self, width: u32, value: u128) -> Term<'_> {
        let (context, sort) = (self.context.raw(), self.context.vector(width));
        match u64::try_from(value) {
            // SAFETY: the context and its sort are valid.
            Ok(value) => self.make(|| unsafe { ffi::Z3_mk_unsigned_int64(context, value, sort) }),
            Err(_) => {
                let decimal = CString::new(value.to_string()).unwrap_or_default();
                // SAFETY: the same, and the text ends with zero.
                self.make(|| unsafe { ffi::Z3_mk_numeral(context, decimal.as_ptr(), sort) })
            }
        }
    }

    pub(super) fn truth(&self, value: bool) -> Term<'_> {
        let context = self.context.raw();
        // SAFETY: the context is valid.
        self.make(|| unsafe {
            if value { ffi::Z3_mk_true(context) } else { ffi::Z3_mk_false(context) }
        })
    }

    pub(super) fn and<'t>(&'t self, a: Term<'t>, b: Term<'t>) -> Term<'t> {
        let both = [a.0, b.0];
        // SAFETY: the context and the two operands are valid while they are borrowed.
        self.make(|| unsafe { ffi::Z3_mk_and(self.context.raw(), 2, both.as_ptr()) })
    }

    pub(super) fn or<'t>(&'t self, a: Term<'t>, b: Term<'t>) -> Term<'t> {
        let both = [a.0, b.0];
        // SAFETY: the context and the two operands are valid while they are borrowed.
        self.make(|| unsafe { ffi::Z3_mk_or(self.context.raw(), 2, both.as_ptr()) })
    }

    /// `width` bits from bit `low` on.
    pub(super) fn extract<'t>(&'t self, a: Term<'t>, low: u32, width: u32) -> Term<'t> {
        let high = low + width - 1;
        // SAFETY: the context and the operand are valid; Z3 checks the bounds.
        self.make(|| unsafe { ffi::Z3_mk_extract(self.context.raw(), high, low, a.0) })
    }

    pub(super) fn zero_extend<'t>(&'t self, a: Term<'t>, more: u32) -> Term<'t> {
        // SAFETY: the context and the operand are valid.
        self.make(|| unsafe { ffi::Z3_mk_zero_ext(self.context.raw(), more, a.0) })
    }

    pub(super) fn sign_extend<'t>(&'t self, a: Term<'t>, more: u32) -> Term<'t> {
        // SAFETY: the context and the operand are valid.
        self.make(|| unsafe { ffi::Z3_mk_sign_ext(self.context.raw(), more, a.0) })
    }

    /// Whether the unsigned product fits.
    pub(super) fn mul_fits<'t>(&'t self, a: Term<'t>, b: Term<'t>) -> Term<'t> {
        let context = self.context.raw();
        // SAFETY: the context and the operands are valid.
        self.make(|| unsafe { ffi::Z3_mk_bvmul_no_overflow(context, a.0, b.0, false) })
    }

    /// The float of 32 or 64 bits with this pattern.
    pub(super) fn float<'t>(&'t self, width: u32, bits: Term<'t>) -> Term<'t> {
        let (context, sort) = (self.context.raw(), self.context.float(width));
        // SAFETY: the context, its sort and the operand are valid.
        self.make(|| unsafe { ffi::Z3_mk_fpa_to_fp_bv(context, bits.0, sort) })
    }

    /// A float in another format.
    pub(super) fn float_resize<'t>(&'t self, width: u32, a: Term<'t>) -> Term<'t> {
        let (context, sort, mode) = (self.context.raw(), self.context.float(width), self.nearest());
        // SAFETY: the context, its sort and the operands are valid.
        self.make(|| unsafe { ffi::Z3_mk_fpa_to_fp_float(context, mode.0, a.0, sort) })
    }

    /// An integer as a float.
    pub(super) fn float_from<'t>(&'t self, width: u32, a: Term<'t>, signed: bool) -> Term<'t> {
        let (context, sort, mode) = (self.context.raw(), self.context.float(width), self.nearest());
        // SAFETY: the context, its sort and the operands are valid.
        self.make(|| unsafe {
            if signed {
                ffi::Z3_mk_fpa_to_fp_signed(context, mode.0, a.0, sort)
            } else {
                ffi::Z3_mk_fpa_to_fp_unsigned(context, mode.0, a.0, sort)
            }
        })
    }

    /// A float that fits as an integer, rounded towards zero.
    pub(super) fn float_to<'t>(&'t self, width: u32, a: Term<'t>, signed: bool) -> Term<'t> {
        let (context, mode) = (self.context.raw(), self.toward_zero());
        // SAFETY: the context and the operands are valid.
        self.make(|| unsafe {
            if signed {
                ffi::Z3_mk_fpa_to_sbv(context, mode.0, a.0, width)
            } else {
                ffi::Z3_mk_fpa_to_ubv(context, mode.0, a.0, width)
            }
        })
    }

    /// `a * b + c`, rounded once.
    pub(super) fn float_mul_add<'t>(&'t self, a: Term<'t>, b: Term<'t>, c: Term<'t>) -> Term<'t> {
        let (context, mode) = (self.context.raw(), self.nearest());
        // SAFETY: the context and the operands are valid.
        self.make(|| unsafe { ffi::Z3_mk_fpa_fma(context, mode.0, a.0, b.0, c.0) })
    }

    modes! {
        nearest Z3_mk_fpa_rne;
        nearest_away Z3_mk_fpa_rna;
        upward Z3_mk_fpa_rtp;
        downward Z3_mk_fpa_rtn;
        toward_zero Z3_mk_fpa_rtz;
    }

    operators! {
        not(a) Z3_mk_not;
        neg(a) Z3_mk_bvneg;
        is_nan(a) Z3_mk_fpa_is_nan;
        float_bits(a) Z3_mk_fpa_to_ieee_bv;
        eq(a, b) Z3_mk_eq;
        xor(a, b) Z3_mk_xor;
        concat(a, b) Z3_mk_concat;
        add(a, b) Z3_mk_bvadd;
        sub(a, b) Z3_mk_bvsub;
        mul(a, b) Z3_mk_bvmul;
        udiv(a, b) Z3_mk_bvudiv;
        sdiv(a, b) Z3_mk_bvsdiv;
        urem(a, b) Z3_mk_bvurem;
        srem(a, b) Z3_mk_bvsrem;
        shl(a, b) Z3_mk_bvshl;
        lshr(a, b) Z3_mk_bvlshr;
        ashr(a, b) Z3_mk_bvashr;
        bit_and(a, b) Z3_mk_bvand;
        bit_or(a, b) Z3_mk_bvor;
        bit_xor(a, b) Z3_mk_bvxor;
        ult(a, b) Z3_mk_bvult;
        ule(a, b) Z3_mk_bvule;
        slt(a, b) Z3_mk_bvslt;
        sle(a, b) Z3_mk_bvsle;
        float_eq(a, b) Z3_mk_fpa_eq;
        float_lt(a, b) Z3_mk_fpa_lt;
        float_le(a, b) Z3_mk_fpa_leq;
        float_sqrt(mode, a) Z3_mk_fpa_sqrt;
        float_round(mode, a) Z3_mk_fpa_round_to_integral;
        ite(a, b, c) Z3_mk_ite;
        float_add(mode, a, b) Z3_mk_fpa_add;
        float_sub(mode, a, b) Z3_mk_fpa_sub;
        float_mul(mode, a, b) Z3_mk_fpa_mul;
        float_div(mode, a, b) Z3_mk_fpa_div;
    }
}

impl Drop for Terms<'_> {
    fn drop(&mut self) {
        for term in self.made.get_mut().drain(..) {
            // SAFETY: each was counted once when it was made.
            unsafe { ffi::Z3_dec_ref(self.context.raw(), term) };
        }
    }
}
