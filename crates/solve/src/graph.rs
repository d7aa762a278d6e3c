//! All expressions of a session, hash-consed: equal expressions are stored once.
//!
//! Operands are interned before what uses them, so the array is in an order in which it can be
//! worked off from the start, and cycles cannot be written down.

use std::sync::Arc;

use crate::{
    Expr, ExprId, Snapshot, SnapshotId, Variable, VariableId, arithmetic,
    expr::ConstantId,
    hash::{Fingerprint, Index, QuickMap},
    simplify::Simplification,
};

/// Hash-consed expressions.
#[derive(Default)]
pub struct Graph {
    exprs: Vec<Expr>,
    known: Index,
    constants: Vec<u128>,
    known_constants: QuickMap<u128, ConstantId>,
    variables: Vec<Variable>,
    known_variables: QuickMap<Variable, VariableId>,
    snapshots: Vec<Arc<Snapshot>>,
    known_snapshots: QuickMap<Arc<Snapshot>, SnapshotId>,
    pub(crate) simplification: Simplification,
}

impl Graph {
    /// An empty graph that simplifies what is built in it.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// An empty graph that does not simplify. Tests compare the two.
    pub fn literal() -> Graph {
        Graph { simplification: Simplification::Off, ..Graph::default() }
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.0 as usize]
    }

    /// Bits of an expression.
    pub fn width(&self, id: ExprId) -> u32 {
        self.expr(id).width()
    }

    /// The value of an expression that is a constant.
    pub fn as_constant(&self, id: ExprId) -> Option<u128> {
        match self.expr(id) {
            Expr::Constant { constant, .. } => Some(self.constants[constant.0 as usize]),
            _ => None,
        }
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// All variables, in the order of their numbers.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// A snapshot.
    pub fn snapshot(&self, id: SnapshotId) -> &Snapshot {
        &self.snapshots[id.0 as usize]
    }

    /// A number, cut to its width.
    pub fn constant(&mut self, width: u32, value: u128) -> ExprId {
        let value = arithmetic::cut(value, width);
        let next = ConstantId(number(self.constants.len()));
        let constant = *self.known_constants.entry(value).or_insert(next);
        if constant == next {
            self.constants.push(value);
        }
        self.intern(Expr::Constant { width: width as u8, constant })
    }

    /// The expression that is a variable.
    pub fn variable_expr(&mut self, variable: &Variable) -> ExprId {
        let id = match self.known_variables.get(variable) {
            Some(id) => *id,
            None => self.new_variable(variable.clone()),
        };
        self.intern(Expr::Variable { width: variable.width() as u8, variable: id })
    }

    /// Keeps a snapshot.
    pub fn add_snapshot(&mut self, snapshot: Snapshot) -> SnapshotId {
        if let Some(id) = self.known_snapshots.get(&snapshot) {
            return *id;
        }
        let id = SnapshotId(number(self.snapshots.len()));
        let snapshot = Arc::new(snapshot);
        self.snapshots.push(Arc::clone(&snapshot));
        self.known_snapshots.insert(snapshot, id);
        id
    }

    /// Everything reachable from the given expressions, operands first.
    pub fn reachable(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut seen = vec![false; self.exprs.len()];
        let mut found = Vec::new();
        let mut pending = roots.to_vec();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut seen[id.0 as usize], true) {
                found.push(id);
                self.push_operands(id, &mut pending);
            }
        }
        found.sort_unstable();
        found
    }

    /// Pushes the operands of an expression and, of a load, what its snapshot is made of.
    fn push_operands(&self, id: ExprId, pending: &mut Vec<ExprId>) {
        let expr = self.expr(id);
        pending.extend(expr.operands());
        if let Expr::Load { snapshot, .. } = expr {
            pending.extend(self.snapshot(snapshot).symbolic().iter().map(|(_, cell)| *cell));
        }
    }

    /// The number of an expression if there is such a one already.
    pub(crate) fn find(&self, expr: &Expr) -> Option<ExprId> {
        self.find_by(Fingerprint::of(expr), expr)
    }

    pub(crate) fn intern(&mut self, expr: Expr) -> ExprId {
        let fingerprint = Fingerprint::of(&expr);
        if let Some(id) = self.find_by(fingerprint, &expr) {
            return id;
        }
        let id = number(self.exprs.len());
        self.exprs.push(expr);
        self.known.insert(fingerprint, id);
        ExprId(id)
    }

    fn find_by(&self, fingerprint: Fingerprint, expr: &Expr) -> Option<ExprId> {
        self.known.find(fingerprint, |id| self.exprs[id as usize] == *expr).map(ExprId)
    }

    fn new_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId(number(self.variables.len()));
        self.variables.push(variable.clone());
        self.known_variables.insert(variable, id);
        id
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("memory ends before four thousand million records do")
}
