//! A query as terms of Z3.
//!
//! A one-bit condition stays a Boolean for Z3 until it is used as a bit, and a float stays a float
//! until its pattern is used: comparisons need neither.

use parallax_deadline::Deadline;

use super::{
    float,
    span::Span,
    terms::{Term, Terms},
};
use crate::{Binary, Expr, ExprId, Graph, Query, Ternary, hash::QuickMap};

/// The terms for a solver.
pub(super) struct Translation<'t> {
    /// Terms that have to hold.
    pub(super) conditions: Vec<Term<'t>>,
    /// The variables of the query, in its order.
    pub(super) variables: Vec<Term<'t>>,
    /// Under these, all loads stay in their snapshots.
    pub(super) inside: Vec<Term<'t>>,
    /// Whether there are terms of the theory of floats.
    pub(super) has_floats: bool,
}

/// The result of a translation.
pub(super) enum Translated<'t> {
    Whole(Translation<'t>),
    /// The time for the query is over.
    TooLate,
    /// Z3 could not make a term.
    Failed,
}

/// The terms of an expression, made on demand.
#[derive(Clone, Copy, Default)]
pub(super) struct Form<'t> {
    pub(super) bits: Option<Term<'t>>,
    /// Of one bit: the condition that it is set.
    pub(super) truth: Option<Term<'t>>,
    /// Of 32 or 64 bits: the float with this pattern; any NaN for a NaN.
    pub(super) float: Option<Term<'t>>,
}

impl<'t> Form<'t> {
    pub(super) fn bits(term: Term<'t>) -> Form<'t> {
        Form { bits: Some(term), ..Form::default() }
    }

    pub(super) fn truth(term: Term<'t>) -> Form<'t> {
        Form { truth: Some(term), ..Form::default() }
    }

    pub(super) fn float(term: Term<'t>) -> Form<'t> {
        Form { float: Some(term), ..Form::default() }
    }
}

/// Translates the expressions of one query, operands first.
pub(super) struct Translator<'t, 'c> {
    pub(super) graph: &'t Graph,
    pub(super) terms: &'t Terms<'c>,
    pub(super) has_floats: bool,
    pub(super) inside: Vec<Term<'t>>,
    position: QuickMap<ExprId, u32>,
    forms: Vec<Form<'t>>,
    /// Possible values of the expressions; empty if there is no load.
    spans: Vec<Span>,
    variables: Vec<Term<'t>>,
}

impl<'t, 'c> Translator<'t, 'c> {
    /// The terms of a query, unless making them takes too long or fails.
    pub(super) fn translate(
        graph: &'t Graph,
        query: &Query,
        terms: &'t Terms<'c>,
        deadline: Deadline,
    ) -> Translated<'t> {
        let mut translator = Translator {
            graph,
            terms,
            has_floats: false,
            inside: Vec::new(),
            position: QuickMap::default(),
            forms: Vec::with_capacity(query.order.len()),
            spans: Vec::new(),
            variables: Vec::with_capacity(query.variables.len()),
        };
        let is_load = |id: &ExprId| matches!(graph.expr(*id), Expr::Load { .. });
        let wants_spans = query.order.iter().any(is_load);
        for (position, id) in query.order.iter().enumerate() {
            // A solver without memory left needs no more terms.
            if terms.has_failed() {
                return Translated::Failed;
            }
            if position % 1024 == 1023 && deadline.is_over() {
                return Translated::TooLate;
            }
            translator.position.insert(*id, position as u32);
            if wants_spans {
                let span = Span::of(graph, *id, |operand| translator.span(operand));
                translator.spans.push(span);
            }
            let form = translator.form(*id);
            translator.forms.push(form);
        }
        let conditions = query.conditions.iter().map(|id| translator.truth(*id)).collect();
        if terms.has_failed() {
            return Translated::Failed;
        }
        let Translator { variables, inside, has_floats, .. } = translator;
        Translated::Whole(Translation { conditions, variables, inside, has_floats })
    }

    fn place(&self, id: ExprId) -> usize {
        self.position[&id] as usize
    }

    /// The possible values of an expression.
    pub(super) fn span(&self, id: ExprId) -> Span {
        self.spans[self.place(id)]
    }

    pub(super) fn width(&self, id: ExprId) -> u32 {
        self.graph.width(id)
    }

    /// Whether an expression of one bit exists as a condition.
    pub(super) fn is_truth(&self, id: ExprId) -> bool {
        self.forms[self.place(id)].truth.is_some()
    }

    /// An expression as a bit vector.
    pub(super) fn bits(&mut self, id: ExprId) -> Term<'t> {
        let place = self.place(id);
        let form = self.forms[place];
        if let Some(bits) = form.bits {
            return bits;
        }
        let terms = self.terms;
        let bits = match (self.graph.as_constant(id), form.truth) {
            (Some(value), _) => terms.number(self.width(id), value),
            (None, Some(truth)) => terms.ite(truth, terms.number(1, 1), terms.number(1, 0)),
            (None, None) => float::patterns(self, id),
        };
        self.forms[place].bits = Some(bits);
        bits
    }

    /// The bit vector of an expression if there is one already.
    pub(super) fn known_bits(&self, id: ExprId) -> Option<Term<'t>> {
        self.forms[self.place(id)].bits
    }

    pub(super) fn set_bits(&mut self, id: ExprId, bits: Term<'t>) {
        let place = self.place(id);
        self.forms[place].bits = Some(bits);
    }

    /// Whether an expression of one bit is set.
    pub(super) fn truth(&mut self, id: ExprId) -> Term<'t> {
        let place = self.place(id);
        if let Some(truth) = self.forms[place].truth {
            return truth;
        }
        let terms = self.terms;
        let truth = match self.graph.as_constant(id) {
            Some(value) => terms.truth(value == 1),
            None => terms.eq(self.bits(id), terms.number(1, 1)),
        };
        self.forms[place].truth = Some(truth);
        truth
    }

    /// The float whose pattern an expression is.
    pub(super) fn float(&mut self, id: ExprId) -> Term<'t> {
        let place = self.place(id);
        if let Some(float) = self.forms[place].float {
            return float;
        }
        self.has_floats = true;
        let float = self.terms.float(self.width(id), self.bits(id));
        self.forms[place].float = Some(float);
        float
    }

    fn form(&mut self, id: ExprId) -> Form<'t> {
        let terms = self.terms;
        match self.graph.expr(id) {
            // Made on demand, in the form that is used.
            Expr::Constant { .. } => Form::default(),
            Expr::Variable { width, .. } => {
                let variable = terms.unknown(width.into());
                self.variables.push(variable);
                Form::bits(variable)
            }
            Expr::Extract { width, low, a } => {
                Form::bits(terms.extract(self.bits(a), low.into(), width.into()))
            }
            Expr::Unary { operator, width, a } => {
                if operator.takes_float() || operator.gives_float() {
                    self.float_unary(operator, width.into(), a)
                } else {
                    Form::bits(self.integer_unary(operator, width.into(), a))
                }
            }
            Expr::Binary { operator: Binary::FRem, width, .. } => {
                // The theory only has another remainder.
                Form::bits(terms.unknown(width.into()))
            }
            Expr::Binary { operator, a, b, .. } => {
                if operator.takes_floats() {
                    self.float_binary(operator, a, b)
                } else {
                    self.integer_binary(operator, a, b)
                }
            }
            Expr::Ternary { operator: Ternary::FMulAdd, a, b, c, .. } => {
                self.has_floats = true;
                let (a, b, c) = (self.float(a), self.float(b), self.float(c));
                Form::float(terms.float_mul_add(a, b, c))
            }
            Expr::Ternary { operator, a, b, c, .. } => self.integer_ternary(operator, a, b, c),
            Expr::Load { width, snapshot, address } => {
                Form::bits(self.load(snapshot, address, width.into()))
            }
        }
    }
}
