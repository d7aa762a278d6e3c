//! A context of libz3 and the solvers in it, which rule out use after free and double free.
//!
//! Z3 reports an error by returning null; any other result is valid until its count is zero.

use std::ffi::{CStr, c_uint};

use parallax_deadline::Deadline;

use super::{
    ffi::{self, Params, RawContext, RawModel, RawSolver, Sort, Symbol},
    terms::Term,
    watch::Watch,
};

/// Where terms live. Two contexts have nothing in common.
pub(super) struct Context {
    raw: RawContext,
    /// Sorts of bit vectors by width, and those of the two formats of floats.
    vectors: Vec<Sort>,
    floats: [Sort; 2],
    limits: [Symbol; 3],
    /// Whether Z3 handles ^C itself while it works, and so hides it from the rest of the process.
    takes_signals: Symbol,
}

// SAFETY: a context is not bound to the thread that made it. Z3 asks that no two threads use it at
// once, and all uses are through a reference that only its owner has, for it is not `Sync`.
unsafe impl Send for Context {}

/// Limits of a solver.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Units of work.
    pub(super) work: u32,
    /// Milliseconds.
    pub(super) time: u32,
    /// Megabytes, of all contexts together.
    pub(super) memory: u32,
}

impl Context {
    /// An empty context, if there is memory for one.
    pub(super) fn new() -> Option<Context> {
        // SAFETY: the configuration is used and deleted here once.
        let raw = unsafe {
            let config = ffi::Z3_mk_config()?;
            let raw = ffi::Z3_mk_context_rc(config);
            ffi::Z3_del_config(config);
            raw?
        };
        // SAFETY: the context was just made. Without a handler, calls fail and that is all.
        unsafe { ffi::Z3_set_error_handler(raw, None) };
        let context = Context::fill(raw);
        if context.is_none() {
            // SAFETY: nothing refers to the context, `fill` did not keep it.
            unsafe { ffi::Z3_del_context(raw) };
        }
        context
    }

    fn fill(raw: RawContext) -> Option<Context> {
        let keep = |sort: Option<Sort>| {
            let sort = sort?;
            // SAFETY: Z3 just returned it; the count that is added lasts as long as the context.
            unsafe { ffi::Z3_inc_ref(raw, sort) };
            Some(sort)
        };
        // Twice the greatest width, which overflow checks and funnel shifts compute with.
        let widths = 1..=256;
        // SAFETY: the context is valid, and so are all widths above zero.
        let vectors = widths.map(|width| keep(unsafe { ffi::Z3_mk_bv_sort(raw, width) }));
        let vectors = vectors.collect::<Option<Vec<Sort>>>()?;
        // SAFETY: the context is valid.
        let (single, double) =
            unsafe { (keep(ffi::Z3_mk_fpa_sort_32(raw))?, keep(ffi::Z3_mk_fpa_sort_64(raw))?) };
        // SAFETY: the context is valid and the names end with zero. Symbols are never freed.
        let symbol = |name: &CStr| unsafe { ffi::Z3_mk_string_symbol(raw, name.as_ptr()) };
        let limits = [symbol(c"rlimit")?, symbol(c"timeout")?, symbol(c"max_memory")?];
        let takes_signals = symbol(c"ctrl_c")?;
        Some(Context { raw, vectors, floats: [single, double], limits, takes_signals })
    }

    pub(super) fn raw(&self) -> RawContext {
        self.raw
    }

    /// The sort of bit vectors of a width from 1 to 256.
    pub(super) fn vector(&self, width: u32) -> Sort {
        self.vectors[width as usize - 1]
    }

    /// The sort of floats of 32 or 64 bits.
    pub(super) fn float(&self, width: u32) -> Sort {
        self.floats[usize::from(width == 64)]
    }

    /// A solver that uses a tactic. The solvers that Z3 makes for a logic start working when a
    /// condition is asserted, where no limit applies; this one starts at the check.
    pub(super) fn solver(&self, tactic: &CStr, limits: Limits) -> Option<Solver<'_>> {
        // SAFETY: the context is valid and the name ends with zero. The solver counts the tactic.
        let raw = unsafe {
            let tactic = ffi::Z3_mk_tactic(self.raw, tactic.as_ptr())?;
            ffi::Z3_tactic_inc_ref(self.raw, tactic);
            let solver = ffi::Z3_mk_solver_from_tactic(self.raw, tactic);
            if let Some(solver) = solver {
                ffi::Z3_solver_inc_ref(self.raw, solver);
            }
            ffi::Z3_tactic_dec_ref(self.raw, tactic);
            solver?
        };
        let solver = Solver { context: self, raw };
        solver.limit(limits)?;
        Some(solver)
    }

    /// Whether the last call failed.
    fn has_failed(&self) -> bool {
        // SAFETY: the context is valid.
        unsafe { ffi::Z3_get_error_code(self.raw) != 0 }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: solvers and terms borrow the context, so there are none left. The sorts that are
        // still counted go with it.
        unsafe { ffi::Z3_del_context(self.raw) };
    }
}

/// A solver of a context.
pub(super) struct Solver<'c> {
    context: &'c Context,
    raw: RawSolver,
}

/// The result of a solver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Sat,
    Unsat,
    Unknown,
    /// An error.
    Failed,
}

impl Solver<'_> {
    fn limit(&self, limits: Limits) -> Option<()> {
        let context = self.context.raw;
        // SAFETY: the context is valid; Z3 just returned the parameters, whose count is given back
        // when the solver has taken them over.
        unsafe {
            let params: Params = ffi::Z3_mk_params(context)?;
            ffi::Z3_params_inc_ref(context, params);
            let values = [limits.work, limits.time, limits.memory];
            for (name, value) in self.context.limits.into_iter().zip(values) {
                ffi::Z3_params_set_uint(context, params, name, value as c_uint);
            }
            ffi::Z3_params_set_bool(context, params, self.context.takes_signals, false);
            ffi::Z3_solver_set_params(context, self.raw, params);
            let failed = self.context.has_failed();
            ffi::Z3_params_dec_ref(context, params);
            (!failed).then_some(())
        }
    }

    /// Adds a condition. Returns whether that worked.
    pub(super) fn assert(&self, condition: Term) -> bool {
        // SAFETY: solver and term are valid while they are borrowed.
        unsafe { ffi::Z3_solver_assert(self.context.raw, self.raw, condition.raw()) };
        !self.context.has_failed()
    }

    /// Whether all conditions can hold together.
    pub(super) fn check(&self, deadline: Deadline) -> Verdict {
        let _watch = Watch::over(self.context.raw, deadline);
        // SAFETY: the solver is valid.
        let result = unsafe { ffi::Z3_solver_check(self.context.raw, self.raw) };
        match result {
            _ if self.context.has_failed() => Verdict::Failed,
            1 => Verdict::Sat,
            -1 => Verdict::Unsat,
            _ => Verdict::Unknown,
        }
    }

    /// Values of at most 64 bits for terms, after [`Verdict::Sat`].
    pub(super) fn values(&self, terms: &[Term]) -> Option<Vec<u64>> {
        // SAFETY: the solver is valid; it may have no model, which is an error and nothing.
        let raw = unsafe { ffi::Z3_solver_get_model(self.context.raw, self.raw)? };
        // SAFETY: Z3 just returned it; `Model` gives the count back.
        unsafe { ffi::Z3_model_inc_ref(self.context.raw, raw) };
        let model = Model { context: self.context, raw };
        terms.iter().map(|term| model.value(*term)).collect()
    }
}

impl Drop for Solver<'_> {
    fn drop(&mut self) {
        // SAFETY: the count was added when the solver was made.
        unsafe { ffi::Z3_solver_dec_ref(self.context.raw, self.raw) };
    }
}

struct Model<'c> {
    context: &'c Context,
    raw: RawModel,
}

impl Model<'_> {
    /// The value of a term, also of a variable that does not matter.
    fn value(&self, term: Term) -> Option<u64> {
        let context = self.context.raw;
        let (mut found, mut value) = (None, 0);
        // SAFETY: model and term are valid, and what Z3 returns is counted while it is read.
        unsafe {
            if !ffi::Z3_model_eval(context, self.raw, term.raw(), true, &mut found) {
                return None;
            }
            let found = found?;
            ffi::Z3_inc_ref(context, found);
            let is_number = ffi::Z3_get_numeral_uint64(context, found, &mut value);
            ffi::Z3_dec_ref(context, found);
            is_number.then_some(value)
        }
    }
}

impl Drop for Model<'_> {
    fn drop(&mut self) {
        // SAFETY: the count was added when the model was made.
        unsafe { ffi::Z3_model_dec_ref(self.context.raw, self.raw) };
    }
}

/// Bytes that all contexts of this process together have allocated.
pub(super) fn allocated() -> u64 {
    // SAFETY: it reads a counter.
    unsafe { ffi::Z3_get_estimated_alloc_size() }
}

/// Limits the memory of all contexts of this process together.
pub(super) fn limit_memory(megabytes: u32) {
    let value = std::ffi::CString::new(megabytes.to_string()).unwrap_or_default();
    // SAFETY: both strings end with zero. Z3 copies them.
    unsafe { ffi::Z3_global_param_set(c"memory_max_size".as_ptr(), value.as_ptr()) };
}
