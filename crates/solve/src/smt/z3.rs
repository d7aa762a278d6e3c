//! Z3 as a library.
//!
//! Each query gets its own terms and solver, so nothing learned for one affects another. The
//! context they live in is reused, because making one takes as long as a small query, and is
//! replaced before its caches can grow. Terms are numbered by the context in an order that depends
//! on earlier ones. Whether that changes which of several models Z3 finds has not been tested, so
//! do not rely on getting the same one.

use std::{ffi::CStr, sync::Once, time::Duration};

use parallax_deadline::Deadline;

use super::{
    Backend, Work,
    context::{Context, Limits, Solver, Verdict, allocated, limit_memory},
    effort,
    terms::{Term, Terms},
    translation::{Translated, Translation, Translator},
};
use crate::{Answer, Graph, Query};

/// The solver for bits and bytes: Z3's SAT solver without the strategy in front of it, which takes
/// longer than most queries.
const BITS: &CStr = c"qffd";
/// The solver for floats.
const FLOATS: &CStr = c"qffpbv";

/// Queries after which a context is replaced.
const QUERIES_PER_CONTEXT: u32 = 1000;

/// Megabytes that all solvers of this process together cannot exceed: above the individual limits,
/// in case that one is not checked.
const MOST_MEMORY: u32 = 6144;

/// Gates above which a query is not started: a base, and one more for so many units of work. A
/// heuristic: of the queries of a calculator's parser none with more than two hundred thousand was
/// answered in a second, and the time passed before much work was counted.
const SOME_GATES: u64 = 100_000;
const WORK_PER_GATE: u64 = 2;

/// libz3, in this process. Each worker has its own.
pub struct Z3 {
    context: Option<Context>,
    /// Queries that the context has seen.
    queries: u32,
    /// Z3's allocation when the context was new.
    allocated: u64,
    time: Duration,
    memory: u32,
    deadline: Deadline,
    failures: Failures,
}

/// Counts of queries without an answer, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Z3 returned unknown, nearly always because of a limit.
    pub unknown: u64,
    /// Z3 reported an error.
    pub errors: u64,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    /// A solver with two seconds for a query, in case that the work is done very slowly, and two
    /// gigabytes, which it shares with all others of this process.
    pub fn new() -> Z3 {
        Z3 {
            context: None,
            queries: 0,
            allocated: 0,
            time: Duration::from_secs(2),
            memory: 2048,
            deadline: Deadline::NEVER,
            failures: Failures::default(),
        }
    }

    /// The same with another time for a query.
    pub fn with_time(self, time: Duration) -> Z3 {
        Z3 { time, ..self }
    }

    /// The same with another bound on megabytes.
    pub fn with_memory(self, memory: u32) -> Z3 {
        Z3 { memory, ..self }
    }

    /// How often there was no answer.
    pub fn failures(&self) -> Failures {
        self.failures
    }

    fn renew(&mut self) {
        let grown = allocated().saturating_sub(self.allocated) >> 20 > u64::from(self.memory / 4);
        if self.queries >= QUERIES_PER_CONTEXT || grown {
            self.context = None;
        }
        if self.context.is_none() {
            self.queries = 0;
            self.context = Context::new();
            self.allocated = allocated();
        }
        self.queries += 1;
    }

    fn limits(&self, limit: Work, time: Duration, parts: u64) -> Limits {
        let time = time.as_millis() as u64 / parts;
        Limits {
            // Zero would be no limit.
            work: u32::try_from(limit.0 / parts).unwrap_or(u32::MAX).max(1),
            time: u32::try_from(time).unwrap_or(u32::MAX).max(1),
            memory: self.memory,
        }
    }

    fn try_solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Option<Answer> {
        let time = self.time.min(self.deadline.left());
        let deadline = self.deadline.within(time);
        if effort::gates(graph, query) > SOME_GATES + limit.0 / WORK_PER_GATE {
            return Some(Answer::Unknown);
        }
        self.renew();
        let context = self.context.as_ref()?;
        let terms = Terms::new(context)?;
        let translation = match Translator::translate(graph, query, &terms, deadline) {
            Translated::Whole(translation) => translation,
            Translated::TooLate => return Some(Answer::Unknown),
            Translated::Failed => return None,
        };
        if translation.inside.is_empty() {
            return ask(context, &translation, &[], self.limits(limit, time, 1), deadline);
        }
        // A model whose loads stay in their snapshots satisfies the query. Only if there is none,
        // reads outside matter.
        let limits = self.limits(limit, time, 2);
        match ask(context, &translation, &translation.inside, limits, deadline)? {
            Answer::Sat(model) => Some(Answer::Sat(model)),
            _ => ask(context, &translation, &[], limits, deadline),
        }
    }
}

impl Backend for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Answer {
        static MEMORY: Once = Once::new();
        MEMORY.call_once(|| limit_memory(MOST_MEMORY));
        match self.try_solve(graph, query, limit) {
            Some(Answer::Unknown) => self.failures.unknown += 1,
            Some(answer) => return answer,
            None => {
                self.failures.errors += 1;
                // It may be in any state.
                self.context = None;
            }
        }
        Answer::Unknown
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }
}

fn ask(
    context: &Context,
    translation: &Translation,
    more: &[Term],
    limits: Limits,
    deadline: Deadline,
) -> Option<Answer> {
    let tactic = if translation.has_floats { FLOATS } else { BITS };
    let solver: Solver = context.solver(tactic, limits)?;
    for condition in translation.conditions.iter().chain(more) {
        if !solver.assert(*condition) {
            return None;
        }
    }
    match solver.check(deadline) {
        Verdict::Sat => Some(Answer::Sat(solver.values(&translation.variables)?)),
        Verdict::Unsat => Some(Answer::Unsat),
        Verdict::Unknown => Some(Answer::Unknown),
        Verdict::Failed => None,
    }
}
