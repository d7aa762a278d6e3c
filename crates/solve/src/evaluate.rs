//! The exact value of an expression, given values for the variables.
//!
//! Only needed operands are evaluated: of a choice the arm that is selected, of a snapshot the
//! bytes that are read. So a load that would be outside of its memory does no harm in the other
//! arm, just as in the program.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{
    Expr, ExprId, Graph, SnapshotId, Ternary, Variable,
    arithmetic::{self, cut},
    snapshot::Cell,
};

/// Where the values of variables come from.
pub trait Values {
    /// The value of a variable, if there is one; bits above its width are ignored.
    fn value(&self, variable: &Variable) -> Option<u128>;
}

impl<F: Fn(&Variable) -> Option<u128>> Values for F {
    fn value(&self, variable: &Variable) -> Option<u128> {
        self(variable)
    }
}

/// Values of variables, written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment(pub BTreeMap<Variable, u128>);

impl Values for Assignment {
    fn value(&self, variable: &Variable) -> Option<u128> {
        self.0.get(variable).copied()
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluateError {
    /// A needed variable has no value.
    #[error("nothing says what {0} is")]
    Unassigned(Variable),
    /// A load reads memory that its snapshot does not hold.
    #[error("a load of {count} bytes at {address:#x} leaves the memory that was seen")]
    OutOfBounds {
        /// Its address.
        address: u64,
        /// Its bytes.
        count: u32,
    },
}

/// Evaluation under one assignment, which caches the value of each expression.
pub struct Evaluation<'a> {
    graph: &'a Graph,
    values: &'a dyn Values,
    known: Vec<u128>,
    is_known: Vec<bool>,
    pending: Vec<ExprId>,
}

/// The result of visiting an expression.
enum Step {
    Value(u128),
    Needs(ExprId),
}

impl<'a> Evaluation<'a> {
    /// An evaluation without any values yet. The tables are zero pages until they are used.
    pub fn new(graph: &'a Graph, values: &'a dyn Values) -> Evaluation<'a> {
        let (known, is_known) = (vec![0; graph.len()], vec![false; graph.len()]);
        Evaluation { graph, values, known, is_known, pending: Vec::new() }
    }

    /// The value of an expression.
    pub fn value(&mut self, root: ExprId) -> Result<u128, EvaluateError> {
        self.pending.clear();
        self.pending.push(root);
        while let Some(&id) = self.pending.last() {
            match self.step(id)? {
                Step::Needs(operand) => self.pending.push(operand),
                Step::Value(value) => {
                    self.keep(id, value);
                    self.pending.pop();
                }
            }
        }
        Ok(self.known[root.0 as usize])
    }

    fn keep(&mut self, id: ExprId, value: u128) {
        self.known[id.0 as usize] = value;
        self.is_known[id.0 as usize] = true;
    }

    fn get(&self, id: ExprId) -> Result<u128, Step> {
        let index = id.0 as usize;
        if self.is_known[index] { Ok(self.known[index]) } else { Err(Step::Needs(id)) }
    }

    fn step(&self, id: ExprId) -> Result<Step, EvaluateError> {
        if let Ok(value) = self.get(id) {
            return Ok(Step::Value(value));
        }
        match self.graph.expr(id) {
            Expr::Variable { width, variable } => {
                let variable = self.graph.variable(variable);
                let value = self.values.value(variable);
                let value = value.ok_or_else(|| EvaluateError::Unassigned(variable.clone()))?;
                Ok(Step::Value(cut(value, width.into())))
            }
            Expr::Load { width, snapshot, address } => match self.get(address) {
                Ok(address) => self.load(snapshot, address as u64, width.into()),
                Err(needs) => Ok(needs),
            },
            expr => Ok(self.operation(id, expr).map_or_else(|needs| needs, Step::Value)),
        }
    }

    fn operation(&self, id: ExprId, expr: Expr) -> Result<u128, Step> {
        match expr {
            Expr::Extract { width, low, a } => Ok(cut(self.get(a)? >> low, width.into())),
            Expr::Unary { operator, width, a } => {
                let value = self.get(a)?;
                Ok(arithmetic::unary(operator, self.graph.width(a), width.into(), value))
            }
            Expr::Binary { operator, a, b, .. } => {
                let (left, right) = (self.get(a)?, self.get(b)?);
                Ok(arithmetic::binary(operator, self.graph.width(b), left, right))
            }
            Expr::Ternary { operator: Ternary::Ite, a, b, c, .. } => {
                self.get(if self.get(a)? == 1 { b } else { c })
            }
            Expr::Ternary { operator, width, a, b, c } => {
                let (a, b, c) = (self.get(a)?, self.get(b)?, self.get(c)?);
                Ok(arithmetic::ternary(operator, width.into(), a, b, c))
            }
            _ => Ok(self.graph.as_constant(id).unwrap_or_default()),
        }
    }

    fn load(&self, snapshot: SnapshotId, address: u64, width: u32) -> Result<Step, EvaluateError> {
        let snapshot = self.graph.snapshot(snapshot);
        let count = width.div_ceil(8);
        let outside = EvaluateError::OutOfBounds { address, count };
        let offset = snapshot.locate(address, count).ok_or(outside)?;
        let mut value = 0;
        for index in 0..count {
            let byte = match snapshot.cell(offset + index) {
                Cell::Concrete(byte) => byte.into(),
                Cell::Symbolic(cell) => match self.get(cell) {
                    Ok(byte) => byte,
                    Err(needs) => return Ok(needs),
                },
            };
            value |= byte << (8 * index);
        }
        Ok(Step::Value(cut(value, width)))
    }
}

impl Graph {
    /// The value of one expression. For several under one assignment use an [`Evaluation`].
    pub fn evaluate(&self, root: ExprId, values: &dyn Values) -> Result<u128, EvaluateError> {
        Evaluation::new(self, values).value(root)
    }
}
