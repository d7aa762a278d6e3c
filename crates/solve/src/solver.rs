//! Solutions for a goal together with the conditions of a path.
//!
//! The cheap ways come first: sets of bytes, cached answers, recent models, then bounds and
//! guesses. Most remaining queries are unsatisfiable, so an SMT solver gets a little work before a
//! guided search compiles code, and the rest at the end. Every model is evaluated before it leaves
//! this file.

mod statistics;

use std::{collections::VecDeque, time::Instant};

use parallax_deadline::Deadline;

use crate::{
    Answer, Assumptions, Backend, Evaluation, ExprId, Graph, GuidedSearch, Key, Model, Query,
    Values, Variable, VariableId, Work, domain::Domains, hash::QuickMap, smt::gates,
};
pub use statistics::{Answerer, Statistics, Tally};

/// Limits on the effort for one goal.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Candidates that the guided search may try.
    pub candidates: u64,
    /// The work of the SMT solver.
    pub work: Work,
    /// Whether earlier results are used.
    pub cache: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { candidates: 20_000, work: Work(500_000), cache: true }
    }
}

/// The result for a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// With these values the goal and the assumptions hold. Other variables stay.
    Found(Vec<(Variable, u64)>),
    /// The goal contradicts the assumptions.
    Impossible,
    /// The solver gave up.
    Unknown,
}

/// Candidates of the search for a goal with little effort.
const HASTY: u64 = 2000;
/// Work of the SMT solver before anything is compiled for the search.
const FIRST_WORK: Work = Work(100_000);
/// How many models are retried.
const RECENT_MODELS: usize = 8;
/// Queries of more operations are not evaluated for each of them.
const MOST_FOR_RECENT: usize = 4000;
/// How many answers are kept.
const MOST_KEPT: usize = 1 << 18;

/// All answerers and their results. Each thread has one.
pub struct Solver {
    effort: Effort,
    domains: Domains,
    answers: QuickMap<u128, Answer>,
    /// The work after which a query was given up.
    given_up: QuickMap<u128, Work>,
    recent: VecDeque<Vec<(Variable, u64)>>,
    search: GuidedSearch,
    smt: Option<Box<dyn Backend>>,
    statistics: Statistics,
    is_hasty: bool,
    deadline: Deadline,
    on_query: Option<Watcher>,
}

/// Callback for queries, each with the current values of its variables.
pub type Watcher = Box<dyn FnMut(&Graph, &Query, &[u64]) + Send>;

impl Solver {
    /// A solver that asks `smt`, if there is one, where its own methods fail.
    pub fn new(effort: Effort, smt: Option<Box<dyn Backend>>) -> Solver {
        Solver {
            effort,
            domains: Domains::default(),
            answers: QuickMap::default(),
            given_up: QuickMap::default(),
            recent: VecDeque::new(),
            search: GuidedSearch::new(),
            smt,
            statistics: Statistics::default(),
            is_hasty: false,
            deadline: Deadline::NEVER,
            on_query: None,
        }
    }

    /// Calls a watcher with each query: the goal, after all related conditions.
    pub fn watch(&mut self, watcher: Watcher) {
        self.on_query = Some(watcher);
    }

    /// Sets the work of the SMT solver for each query from now on.
    pub fn set_work(&mut self, work: Work) {
        self.effort.work = work;
    }

    /// Sets the deadline: from then on, answers that take time are unknown.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        if let Some(smt) = &mut self.smt {
            smt.set_deadline(deadline);
        }
    }

    /// Forgets all answers: later queries are answered as by a new solver.
    pub fn forget(&mut self) {
        self.answers.clear();
        self.given_up.clear();
        self.recent.clear();
    }

    /// Counts of answers so far, by answerer.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Assumes a condition from now on.
    pub fn assume(&mut self, assumptions: &mut Assumptions, graph: &Graph, condition: ExprId) {
        assumptions.assume(graph, &mut self.domains, condition);
    }

    /// Values for which a goal holds together with the assumptions, which hold for `current`.
    pub fn solve(
        &mut self,
        assumptions: &mut Assumptions,
        graph: &Graph,
        goal: ExprId,
        current: &dyn Values,
    ) -> Solution {
        let start = Instant::now();
        let (by, solution) = self.find(assumptions, graph, goal, current);
        self.statistics.count(by, &solution, start.elapsed());
        if let Solution::Found(values) = &solution
            && values.len() > 1
        {
            self.recent.push_front(values.clone());
            self.recent.truncate(RECENT_MODELS);
        }
        solution
    }

    /// As [`Solver::solve`], but gives up soon: for a goal with alternatives.
    pub fn solve_soon(
        &mut self,
        assumptions: &mut Assumptions,
        graph: &Graph,
        goal: ExprId,
        current: &dyn Values,
    ) -> Solution {
        self.is_hasty = true;
        let solution = self.solve(assumptions, graph, goal, current);
        self.is_hasty = false;
        solution
    }

    fn find(
        &mut self,
        assumptions: &mut Assumptions,
        graph: &Graph,
        goal: ExprId,
        current: &dyn Values,
    ) -> (Answerer, Solution) {
        match graph.as_constant(goal) {
            Some(1) => return (Answerer::Bytes, Solution::Found(Vec::new())),
            Some(_) => return (Answerer::Bytes, Solution::Impossible),
            None => {}
        }
        if let Some(watcher) = &mut self.on_query {
            let related = assumptions.related(graph, goal);
            let all = [related.byte_conditions, related.conditions, vec![goal]].concat();
            let query = Query::new(graph, all);
            watcher(graph, &query, &values_of(graph, &query, current));
        }
        let byte = assumptions.byte_of(graph, &mut self.domains, goal);
        if let Some((variable, domain)) = byte {
            let left = assumptions.domain(variable).intersection(&domain);
            if left.is_empty() {
                return (Answerer::Bytes, Solution::Impossible);
            }
            if assumptions.is_lone(variable) {
                let variable = graph.variable(variable).clone();
                let now = current.value(&variable).unwrap_or_default() as u8;
                let value = left.pick(now, u64::from(goal.0));
                return (Answerer::Bytes, Solution::Found(vec![(variable, value.into())]));
            }
        }
        let related = assumptions.related(graph, goal);
        // Conditions that share a variable with the goal itself.
        let near = assumptions.near(graph, goal, &related.conditions);
        let far = related.conditions.len() > near.len();
        let question = |conditions: &[ExprId]| {
            let mut all = related.byte_conditions.clone();
            all.extend(conditions);
            all.push(goal);
            Query::new(graph, all)
        };
        if far {
            // An unsatisfiable part makes the whole unsatisfiable; a model of a part often
            // satisfies the rest.
            let query = question(&near);
            let (by, answer) = self.answer(graph, &query, current);
            match answer {
                Answer::Unsat => return (by, Solution::Impossible),
                Answer::Sat(model) => {
                    let values = changed(graph, &query.variables, &model, current);
                    if holds(graph, &related.conditions, &values, current) {
                        return (by, Solution::Found(values));
                    }
                }
                Answer::Unknown => {}
            }
        }
        let query = question(&related.conditions);
        let (by, answer) = self.answer(graph, &query, current);
        let solution = match answer {
            Answer::Sat(model) => {
                Solution::Found(changed(graph, &query.variables, &model, current))
            }
            Answer::Unsat => Solution::Impossible,
            Answer::Unknown => Solution::Unknown,
        };
        (by, solution)
    }

    /// Answers a query as it stands.
    pub fn answer(
        &mut self,
        graph: &Graph,
        query: &Query,
        current: &dyn Values,
    ) -> (Answerer, Answer) {
        let Key(key) = query.key;
        if self.effort.cache {
            match self.answers.get(&key) {
                Some(Answer::Sat(model)) if query.holds(graph, model) => {
                    return (Answerer::Cache, Answer::Sat(model.clone()));
                }
                Some(Answer::Unsat) => return (Answerer::Cache, Answer::Unsat),
                Some(_) | None => {}
            }
            if self.given_up.get(&key).is_some_and(|work| self.effort.work <= *work) {
                return (Answerer::Cache, Answer::Unknown);
            }
            if let Some(model) = self.fits_again(graph, query, current) {
                return (Answerer::Models, Answer::Sat(model));
            }
        }
        let tried = self.search.counters().candidates;
        let (by, answer) = self.work_out(graph, query, current);
        let tried = self.search.counters().candidates - tried;
        self.statistics.operations += (tried + 1) * query.size() as u64;
        if self.effort.cache {
            if self.answers.len() + self.given_up.len() >= MOST_KEPT {
                self.answers.clear();
                self.given_up.clear();
            }
            match answer {
                // With more work, or more time, there may be an answer.
                Answer::Unknown if self.is_hasty || self.deadline.is_over() => {}
                Answer::Unknown => drop(self.given_up.insert(key, self.effort.work)),
                _ => drop(self.answers.insert(key, answer.clone())),
            }
        }
        (by, answer)
    }

    fn work_out(
        &mut self,
        graph: &Graph,
        query: &Query,
        current: &dyn Values,
    ) -> (Answerer, Answer) {
        // One query has several answerers, and each may take long.
        if self.deadline.is_over() {
            return (Answerer::Search, Answer::Unknown);
        }
        let start: Model = values_of(graph, query, current);
        match self.search.guess(graph, query, &start, self.effort.candidates) {
            Answer::Unknown => {}
            answer => return (Answerer::Search, answer),
        }
        if self.is_hasty {
            return (Answerer::Search, self.search.search(graph, query, &start, HASTY));
        }
        // A query that guessing does not answer is more often unsatisfiable than hard.
        let most = self.effort.work;
        match self.ask(graph, query, most.min(FIRST_WORK)) {
            Answer::Unknown => {}
            answer => return (Answerer::Smt, answer),
        }
        if self.deadline.is_over() {
            return (Answerer::Search, Answer::Unknown);
        }
        match self.search.search(graph, query, &start, self.effort.candidates) {
            Answer::Unknown if most > FIRST_WORK && !self.deadline.is_over() => {
                (Answerer::Smt, self.ask(graph, query, most))
            }
            answer => (Answerer::Search, answer),
        }
    }

    /// The answer of the SMT solver, if there is one.
    fn ask(&mut self, graph: &Graph, query: &Query, work: Work) -> Answer {
        let Some(smt) = &mut self.smt else { return Answer::Unknown };
        let answer = smt.solve(graph, query, work);
        // The actual work for an answer depends on earlier queries of the solver.
        self.statistics.smt += match answer {
            Answer::Unknown => work.0,
            Answer::Sat(_) | Answer::Unsat => gates(graph, query).min(work.0),
        };
        match answer {
            Answer::Sat(model) if !query.holds(graph, &model) => {
                self.statistics.wrong_models += 1;
                Answer::Unknown
            }
            answer => answer,
        }
    }

    /// A model of another query that, with the current values for the rest, fits this one.
    fn fits_again(&self, graph: &Graph, query: &Query, current: &dyn Values) -> Option<Model> {
        if query.size() > MOST_FOR_RECENT {
            return None;
        }
        self.recent.iter().find_map(|values| {
            let known: QuickMap<&Variable, u64> =
                values.iter().map(|(variable, value)| (variable, *value)).collect();
            let variables = query.variables.iter().map(|id| graph.variable(*id));
            if !variables.clone().any(|variable| known.contains_key(variable)) {
                return None;
            }
            let model = variables.map(|variable| match known.get(variable) {
                Some(value) => *value,
                None => current.value(variable).unwrap_or_default() as u64,
            });
            let model: Model = model.collect();
            query.holds(graph, &model).then_some(model)
        })
    }
}

fn values_of(graph: &Graph, query: &Query, current: &dyn Values) -> Model {
    let variables = query.variables.iter().map(|id| graph.variable(*id));
    variables.map(|variable| current.value(variable).unwrap_or_default() as u64).collect()
}

/// The values of a model that differ from the current ones.
fn changed(
    graph: &Graph,
    variables: &[VariableId],
    model: &[u64],
    current: &dyn Values,
) -> Vec<(Variable, u64)> {
    let named = variables.iter().map(|id| graph.variable(*id)).zip(model.iter().copied());
    named
        .filter(|(variable, value)| current.value(variable) != Some(u128::from(*value)))
        .map(|(variable, value)| (variable.clone(), value))
        .collect()
}

/// Whether conditions hold with some values changed.
fn holds(
    graph: &Graph,
    conditions: &[ExprId],
    changes: &[(Variable, u64)],
    current: &dyn Values,
) -> bool {
    let changes: QuickMap<&Variable, u64> =
        changes.iter().map(|(variable, value)| (variable, *value)).collect();
    let given = |variable: &Variable| match changes.get(variable) {
        Some(value) => Some(u128::from(*value)),
        None => current.value(variable),
    };
    let mut evaluation = Evaluation::new(graph, &given);
    conditions.iter().all(|condition| evaluation.value(*condition) == Ok(1))
}
