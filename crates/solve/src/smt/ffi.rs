//! The functions of libz3 that are used, as `z3_api.h` and `z3_fpa.h` of 4.8.12 declare them.
//!
//! Published bindings are made from the header of a newer Z3 than Debian has and warn about it in
//! each build. These functions have not changed for years; there is nothing here but numbers,
//! pointers and strings.

use std::{
    ffi::{c_char, c_int, c_uint},
    ptr::NonNull,
};

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident of $record:ident;)*) => {
        $(
            #[repr(C)]
            pub(super) struct $record {
                _private: [u8; 0],
            }
            $(#[$doc])*
            pub(super) type $name = NonNull<$record>;
        )*
    };
}

opaque! {
    /// Parameters of a context.
    Config of ConfigRecord;
    /// A context of Z3; contexts share nothing.
    RawContext of ContextRecord;
    /// A term, counted.
    Ast of AstRecord;
    /// A name.
    Symbol of SymbolRecord;
    /// Parameters of a solver, counted.
    Params of ParamsRecord;
    /// A method of solving, counted.
    Tactic of TacticRecord;
    /// A solver, counted.
    RawSolver of SolverRecord;
    /// A model, counted.
    RawModel of ModelRecord;
}

/// A type of terms, which Z3 counts like a term.
pub(super) type Sort = Ast;

/// A callback for errors; without one the call just fails.
pub(super) type ErrorHandler = Option<unsafe extern "C" fn(RawContext, c_uint)>;

macro_rules! functions {
    (
        plain { $(fn $plain:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
        unary { $($unary:ident,)* }
        binary { $($binary:ident,)* }
        ternary { $($ternary:ident,)* }
    ) => {
        #[link(name = "z3")]
        #[allow(non_snake_case, reason = "C calls them so")]
        unsafe extern "C" {
            $(pub(super) fn $plain($($argument: $type),*) $(-> $result)?;)*
            $(pub(super) fn $unary(c: RawContext, a: Ast) -> Option<Ast>;)*
            $(pub(super) fn $binary(c: RawContext, a: Ast, b: Ast) -> Option<Ast>;)*
            $(pub(super) fn $ternary(c: RawContext, a: Ast, b: Ast, d: Ast) -> Option<Ast>;)*
        }
    };
}

functions! {
    plain {
        fn Z3_global_param_set(name: *const c_char, value: *const c_char);
        fn Z3_get_estimated_alloc_size() -> u64;
        fn Z3_mk_config() -> Option<Config>;
        fn Z3_del_config(config: Config);
        fn Z3_mk_context_rc(config: Config) -> Option<RawContext>;
        fn Z3_del_context(c: RawContext);
        fn Z3_interrupt(c: RawContext);
        fn Z3_set_error_handler(c: RawContext, handler: ErrorHandler);
        fn Z3_get_error_code(c: RawContext) -> c_uint;
        fn Z3_inc_ref(c: RawContext, a: Ast);
        fn Z3_dec_ref(c: RawContext, a: Ast);

        fn Z3_mk_int_symbol(c: RawContext, number: c_int) -> Option<Symbol>;
        fn Z3_mk_string_symbol(c: RawContext, name: *const c_char) -> Option<Symbol>;
        fn Z3_mk_bv_sort(c: RawContext, width: c_uint) -> Option<Sort>;
        fn Z3_mk_fpa_sort_32(c: RawContext) -> Option<Sort>;
        fn Z3_mk_fpa_sort_64(c: RawContext) -> Option<Sort>;
        fn Z3_mk_const(c: RawContext, name: Symbol, sort: Sort) -> Option<Ast>;
        fn Z3_mk_unsigned_int64(c: RawContext, value: u64, sort: Sort) -> Option<Ast>;
        fn Z3_mk_numeral(c: RawContext, decimal: *const c_char, sort: Sort) -> Option<Ast>;
        fn Z3_mk_true(c: RawContext) -> Option<Ast>;
        fn Z3_mk_false(c: RawContext) -> Option<Ast>;
        fn Z3_mk_and(c: RawContext, count: c_uint, terms: *const Ast) -> Option<Ast>;
        fn Z3_mk_or(c: RawContext, count: c_uint, terms: *const Ast) -> Option<Ast>;
        fn Z3_mk_extract(c: RawContext, high: c_uint, low: c_uint, a: Ast) -> Option<Ast>;
        fn Z3_mk_zero_ext(c: RawContext, more: c_uint, a: Ast) -> Option<Ast>;
        fn Z3_mk_sign_ext(c: RawContext, more: c_uint, a: Ast) -> Option<Ast>;
        fn Z3_mk_bvmul_no_overflow(c: RawContext, a: Ast, b: Ast, signed: bool) -> Option<Ast>;

        fn Z3_mk_fpa_rne(c: RawContext) -> Option<Ast>;
        fn Z3_mk_fpa_rna(c: RawContext) -> Option<Ast>;
        fn Z3_mk_fpa_rtp(c: RawContext) -> Option<Ast>;
        fn Z3_mk_fpa_rtn(c: RawContext) -> Option<Ast>;
        fn Z3_mk_fpa_rtz(c: RawContext) -> Option<Ast>;
        fn Z3_mk_fpa_to_fp_bv(c: RawContext, bits: Ast, sort: Sort) -> Option<Ast>;
        fn Z3_mk_fpa_to_fp_float(c: RawContext, mode: Ast, a: Ast, sort: Sort) -> Option<Ast>;
        fn Z3_mk_fpa_to_fp_signed(c: RawContext, mode: Ast, a: Ast, sort: Sort) -> Option<Ast>;
        fn Z3_mk_fpa_to_fp_unsigned(c: RawContext, mode: Ast, a: Ast, sort: Sort) -> Option<Ast>;
        fn Z3_mk_fpa_to_sbv(c: RawContext, mode: Ast, a: Ast, width: c_uint) -> Option<Ast>;
        fn Z3_mk_fpa_to_ubv(c: RawContext, mode: Ast, a: Ast, width: c_uint) -> Option<Ast>;
        fn Z3_mk_fpa_fma(c: RawContext, mode: Ast, a: Ast, b: Ast, d: Ast) -> Option<Ast>;

        fn Z3_mk_params(c: RawContext) -> Option<Params>;
        fn Z3_params_inc_ref(c: RawContext, params: Params);
        fn Z3_params_dec_ref(c: RawContext, params: Params);
        fn Z3_params_set_bool(c: RawContext, params: Params, name: Symbol, value: bool);
        fn Z3_params_set_uint(c: RawContext, params: Params, name: Symbol, value: c_uint);
        fn Z3_mk_tactic(c: RawContext, name: *const c_char) -> Option<Tactic>;
        fn Z3_tactic_inc_ref(c: RawContext, tactic: Tactic);
        fn Z3_tactic_dec_ref(c: RawContext, tactic: Tactic);
        fn Z3_mk_solver_from_tactic(c: RawContext, tactic: Tactic) -> Option<RawSolver>;
        fn Z3_solver_inc_ref(c: RawContext, solver: RawSolver);
        fn Z3_solver_dec_ref(c: RawContext, solver: RawSolver);
        fn Z3_solver_set_params(c: RawContext, solver: RawSolver, params: Params);
        fn Z3_solver_assert(c: RawContext, solver: RawSolver, a: Ast);
        fn Z3_solver_check(c: RawContext, solver: RawSolver) -> c_int;
        fn Z3_solver_get_model(c: RawContext, solver: RawSolver) -> Option<RawModel>;
        fn Z3_model_inc_ref(c: RawContext, model: RawModel);
        fn Z3_model_dec_ref(c: RawContext, model: RawModel);
        fn Z3_model_eval(
            c: RawContext, model: RawModel, a: Ast, complete: bool, value: *mut Option<Ast>
        ) -> bool;
        fn Z3_get_numeral_uint64(c: RawContext, a: Ast, value: *mut u64) -> bool;
    }
    unary {
        Z3_mk_not, Z3_mk_bvneg, Z3_mk_fpa_is_nan, Z3_mk_fpa_to_ieee_bv,
    }
    binary {
        Z3_mk_eq, Z3_mk_xor, Z3_mk_concat,
        Z3_mk_bvadd, Z3_mk_bvsub, Z3_mk_bvmul, Z3_mk_bvudiv, Z3_mk_bvsdiv, Z3_mk_bvurem,
        Z3_mk_bvsrem, Z3_mk_bvshl, Z3_mk_bvlshr, Z3_mk_bvashr, Z3_mk_bvand, Z3_mk_bvor,
        Z3_mk_bvxor, Z3_mk_bvult, Z3_mk_bvule, Z3_mk_bvslt, Z3_mk_bvsle,
        Z3_mk_fpa_eq, Z3_mk_fpa_lt, Z3_mk_fpa_leq, Z3_mk_fpa_sqrt, Z3_mk_fpa_round_to_integral,
    }
    ternary {
        Z3_mk_ite, Z3_mk_fpa_add, Z3_mk_fpa_sub, Z3_mk_fpa_mul, Z3_mk_fpa_div,
    }
}
