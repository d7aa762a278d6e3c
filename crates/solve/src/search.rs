//! A search for values, guided by how far each condition is from holding.
//!
//! Most queries of a program's branches are easy: a byte that is compared with a constant, a length
//! with another. They need no proof, only a value, and machine code tries millions of values each
//! second. So the conditions are compiled into a function that computes how far they are from
//! holding, and values are changed as long as that becomes less; besides, wanted values are carried
//! back through the operations to the variables. Each model found this way is checked by an exact
//! evaluation. A query without a found model may still be satisfiable, unless all candidates were
//! tried.

mod bound;
mod cache;
mod code;
mod compiler;
mod coordinate;
mod deduction;
mod descent;
mod distance;
mod floating;
mod helper;
mod integer;
mod inversion;
mod memory;
mod motion;
mod program;
mod random;
mod range;
mod support;
mod trial;

use self::{
    cache::{Cache, Entry},
    compiler::Compiler,
    deduction::{Deduced, Deduction},
    descent::Descent,
    program::Program,
    trial::Judge,
};
use crate::{Answer, Evaluation, Graph, Key, Model, Query, Variable, hash::QuickMap};

/// The compiled search. It caches compiled code for other queries of the same structure.
pub struct GuidedSearch {
    compiler: Option<Compiler>,
    cache: Cache,
    counters: SearchCounters,
}

/// Counters of a [`GuidedSearch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounters {
    /// Queries for which code was made.
    pub compiled: u64,
    /// Queries whose structure was in the cache.
    pub reused: u64,
    /// Queries that cannot be compiled, or are too large.
    pub refused: u64,
    /// Candidates for values of the variables.
    pub candidates: u64,
}

/// Operations that candidates may cost before anything is compiled; the number of candidates is
/// bounded, too.
const GUESSED: u64 = 2_000_000;
const FEWEST_GUESSES: u64 = 12;
const MOST_GUESSES: u64 = 300;

/// Largest query to guess for, in operations.
const OPERATIONS: usize = 250_000;

/// Largest query to compile, in operations.
const COMPILED: usize = 20_000;

/// Bytes of tables that a query may refer to.
const TABLES: usize = 8 << 20;

impl Default for GuidedSearch {
    fn default() -> GuidedSearch {
        GuidedSearch::new()
    }
}

impl GuidedSearch {
    /// A search that has compiled nothing yet.
    pub fn new() -> GuidedSearch {
        let compiler = Compiler::new();
        GuidedSearch { compiler, cache: Cache::default(), counters: SearchCounters::default() }
    }

    /// The counters so far.
    pub fn counters(&self) -> SearchCounters {
        self.counters
    }

    /// Searches for values near `start`, which has one for each variable of the query. It tries up
    /// to `limit` candidates, more only where it can try all: then it may also find that the query
    /// is unsatisfiable. The answer depends on nothing else.
    pub fn solve(&mut self, graph: &Graph, query: &Query, start: &[u64], limit: u64) -> Answer {
        let before = self.counters.candidates;
        match self.guess(graph, query, start, limit) {
            Answer::Unknown => {
                let tried = self.counters.candidates - before;
                self.search(graph, query, start, limit - tried)
            }
            answer => answer,
        }
    }

    /// The quick part: a contradiction between the conditions, values carried back from wanted
    /// ones, or enumeration of a few remaining values.
    pub fn guess(&mut self, graph: &Graph, query: &Query, start: &[u64], limit: u64) -> Answer {
        let Some(entry) = self.entry(graph, query) else { return Answer::Unknown };
        let program = &entry.program;
        let mut deduction = Deduction::new(program);
        if !deduction.conclude() {
            return Answer::Unsat;
        }
        // Most answers are found sooner than code is compiled.
        let guesses = (GUESSED / query.size().max(1) as u64).clamp(FEWEST_GUESSES, MOST_GUESSES);
        let judge = Judge::Evaluation(Vec::new());
        let mut descent = Descent::new(program, judge, start, limit.min(guesses));
        let found = descent.guess();
        let tried = descent.tried();
        // The evaluation is exact, except for loads outside of the known memory.
        let is_settled = descent.is_hopeless() && program.table_size() == 0;
        let deduced = match found {
            Some(model) => Deduced::Sat(model),
            None if is_settled => Deduced::Unsat,
            None => deduction.enumerate(start),
        };
        self.counters.candidates += tried;
        match deduced {
            Deduced::Sat(model) => verified(graph, query, model),
            Deduced::Unsat => Answer::Unsat,
            Deduced::Unknown => Answer::Unknown,
        }
    }

    /// Searches for values with compiled code.
    pub fn search(&mut self, graph: &Graph, query: &Query, start: &[u64], limit: u64) -> Answer {
        // Compiling for a few runs does not pay.
        let is_worth_code = (query.size() as u64) < limit / 5 && query.size() <= COMPILED;
        if !is_worth_code || self.entry(graph, query).is_none() {
            return Answer::Unknown;
        }
        let Some(entry) = self.compiled(query.key) else { return Answer::Unknown };
        let Some(code) = &mut entry.code else { return Answer::Unknown };
        let mut descent = Descent::new(&entry.program, Judge::Code(code), start, limit);
        let found = descent.search();
        let is_settled = descent.is_hopeless();
        self.counters.candidates += descent.tried();
        match found {
            Some(model) => verified(graph, query, model),
            None if is_settled => Answer::Unsat,
            None => Answer::Unknown,
        }
    }

    /// The distance of each condition from holding, by compiled code; zero where it holds. For tests.
    #[doc(hidden)]
    pub fn distances(&mut self, graph: &Graph, query: &Query, inputs: &[u64]) -> Option<Vec<u64>> {
        self.entry(graph, query)?;
        let code = self.compiled(query.key)?.code.as_mut()?;
        let mut distances = vec![0; query.conditions.len()];
        code.run(inputs, &mut distances);
        Some(distances)
    }

    /// A query that is not too large, from the cache or new.
    fn entry(&mut self, graph: &Graph, query: &Query) -> Option<&mut Entry> {
        if self.cache.contains(query.key) {
            self.counters.reused += 1;
        } else {
            if query.size() > OPERATIONS || query.conditions.len() > OPERATIONS {
                self.counters.refused += 1;
                return None;
            }
            let program = Program::new(graph, query);
            if program.table_size() > TABLES {
                self.counters.refused += 1;
                return None;
            }
            self.cache.insert(query.key, Entry { program, code: None });
        }
        self.cache.get(query.key)
    }

    /// A query of the cache, with code.
    fn compiled(&mut self, key: Key) -> Option<&mut Entry> {
        let entry = self.cache.get(key)?;
        if entry.code.is_none() {
            let compiler = self.compiler.as_mut();
            let Some(code) = compiler.and_then(|compiler| compiler.compile(&entry.program)) else {
                self.counters.refused += 1;
                return None;
            };
            self.counters.compiled += 1;
            self.cache.add_code(key, code);
        }
        self.cache.get(key)
    }
}

/// A model, if all conditions evaluate to true.
fn verified(graph: &Graph, query: &Query, model: Model) -> Answer {
    if holds(graph, query, &model) {
        return Answer::Sat(model);
    }
    debug_assert!(false, "{model:?} is no model of {query:?}");
    Answer::Unknown
}

/// Whether all conditions evaluate to true.
fn holds(graph: &Graph, query: &Query, model: &Model) -> bool {
    let names = query.variables.iter().map(|id| graph.variable(*id));
    let known: QuickMap<&Variable, u64> = names.zip(model.iter().copied()).collect();
    let values = |variable: &Variable| known.get(variable).map(|value| u128::from(*value));
    let mut evaluation = Evaluation::new(graph, &values);
    query.conditions.iter().all(|condition| evaluation.value(*condition) == Ok(1))
}
