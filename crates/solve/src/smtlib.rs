//! Expressions as SMT-LIB 2.
//!
//! Every operation gets a definition of its own, so that the text grows with the graph and not with
//! the trees in it, and readers need no deep nesting. Everything is a bit vector, conditions too.
//!
//! Floats are bit vectors that operations convert to floats. The theory has no way back from a
//! float to its bits, because a NaN has many; so the result of an operation is a fresh constant
//! with an assertion about its float. A solver may choose the bits of a NaN there. It may also
//! choose the result of `fmod`, which the theory does not have, and of loads outside of a snapshot.
//! So callers evaluate a model.

mod float;
mod integer;

use std::{collections::BTreeSet, fmt::Write};

use crate::{Binary, Expr, ExprId, Graph, SnapshotId, Ternary, Unary, Variable, snapshot::Cell};

/// A text for a solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Declarations, definitions and assertions, without `check-sat`.
    pub text: String,
    /// The constants that stand for variables, as they are written in the text.
    pub symbols: Vec<(String, Variable)>,
    /// Operations that the theory does not have. The solver chooses their results.
    pub free: Vec<ExprId>,
}

/// A script that asserts conditions, each one bit wide.
pub fn export(graph: &Graph, conditions: &[ExprId]) -> Script {
    let mut writer = Writer { graph, script: Script::default(), declared: BTreeSet::new() };
    let reachable = graph.reachable(conditions);
    writer.line(&format!("(set-logic {})", logic(graph, &reachable)));
    for id in reachable {
        writer.define(id);
    }
    for condition in conditions {
        writer.line(&format!("(assert (= {} #b1))", writer.name(*condition)));
    }
    writer.script
}

impl Script {
    /// The name of an expression that occurs in the text and is neither variable nor constant.
    pub fn name(id: ExprId) -> String {
        format!("e{}", id.0)
    }
}

/// The smallest logic with all operations that occur: solvers choose their methods by it, and not
/// all of them know the name of the one with everything.
fn logic(graph: &Graph, reachable: &[ExprId]) -> &'static str {
    let has = |test: fn(&Expr) -> bool| reachable.iter().any(|id| test(&graph.expr(*id)));
    match (has(|expr| matches!(expr, Expr::Load { .. })), has(is_float)) {
        (false, false) => "QF_BV",
        (true, false) => "QF_ABV",
        (false, true) => "QF_BVFP",
        (true, true) => "ALL",
    }
}

fn is_float(expr: &Expr) -> bool {
    match expr {
        Expr::Unary { operator, .. } => operator.takes_float() || operator.gives_float(),
        Expr::Binary { operator, .. } => operator.takes_floats(),
        Expr::Ternary { operator, .. } => *operator == Ternary::FMulAdd,
        _ => false,
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    script: Script,
    declared: BTreeSet<SnapshotId>,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.script.text.push_str(line);
        self.script.text.push('\n');
    }

    fn name(&self, id: ExprId) -> String {
        match self.graph.expr(id) {
            Expr::Constant { width, .. } => {
                literal(width.into(), self.graph.as_constant(id).unwrap_or_default())
            }
            Expr::Variable { variable, .. } => symbol(self.graph.variable(variable)),
            _ => Script::name(id),
        }
    }

    fn define(&mut self, id: ExprId) {
        let expr = self.graph.expr(id);
        match expr {
            Expr::Constant { .. } => {}
            Expr::Variable { width, variable } => {
                let variable = self.graph.variable(variable);
                let symbol = symbol(variable);
                self.line(&format!("(declare-const {symbol} (_ BitVec {width}))"));
                self.script.symbols.push((symbol, variable.clone()));
            }
            Expr::Binary { operator: Binary::FRem, width, .. } => self.free(id, width),
            _ => match self.float_result(&expr) {
                Some(float) => self.constrain(id, expr.width(), &float),
                None => self.bind(id, &expr),
            },
        }
    }

    fn free(&mut self, id: ExprId, width: u8) {
        let name = Script::name(id);
        self.line(&format!("; {name} is a result of fmod: here it can be anything"));
        self.line(&format!("(declare-const {name} (_ BitVec {width}))"));
        self.script.free.push(id);
    }

    fn constrain(&mut self, id: ExprId, width: u32, float: &str) {
        let name = Script::name(id);
        self.line(&format!("(declare-const {name} (_ BitVec {width}))"));
        self.line(&format!("(assert (= {} {float}))", float::read(width, &name)));
    }

    fn bind(&mut self, id: ExprId, expr: &Expr) {
        let term = self.term(expr);
        let (name, width) = (Script::name(id), expr.width());
        self.line(&format!("(define-fun {name} () (_ BitVec {width}) {term})"));
    }

    fn term(&mut self, expr: &Expr) -> String {
        match *expr {
            Expr::Extract { width, low, a } => {
                let high = u32::from(low) + u32::from(width) - 1;
                format!("((_ extract {high} {low}) {})", self.name(a))
            }
            Expr::Unary { operator, width, a } => self.unary(operator, width.into(), a),
            Expr::Binary { operator, a, b, .. } => self.binary(operator, a, b),
            Expr::Ternary { operator, a, b, c, .. } => self.ternary(operator, a, b, c),
            Expr::Load { width, snapshot, address } => self.load(snapshot, address, width.into()),
            Expr::Constant { .. } | Expr::Variable { .. } => String::new(),
        }
    }

    fn unary(&self, operator: Unary, width: u32, a: ExprId) -> String {
        let (from, a) = (self.graph.width(a), self.name(a));
        if operator.takes_float() {
            float::unary(operator, from, width, &a)
        } else {
            integer::unary(operator, from, width, &a)
        }
    }

    fn binary(&self, operator: Binary, a: ExprId, b: ExprId) -> String {
        let width = self.graph.width(b);
        let (a, b) = (self.name(a), self.name(b));
        if operator.takes_floats() {
            float::binary(operator, width, &a, &b)
        } else {
            integer::binary(operator, width, &a, &b)
        }
    }

    fn ternary(&self, operator: Ternary, a: ExprId, b: ExprId, c: ExprId) -> String {
        let width = self.graph.width(b);
        integer::ternary(operator, width, &self.name(a), &self.name(b), &self.name(c))
    }

    /// The float result of an operation, if only the theory of floats can express it.
    fn float_result(&self, expr: &Expr) -> Option<String> {
        match *expr {
            Expr::Unary { operator, width, a } => {
                let from = self.graph.width(a);
                float::unary_result(operator, from, width.into(), &self.name(a))
            }
            Expr::Binary { operator, width, a, b } => {
                float::binary_result(operator, width.into(), &self.name(a), &self.name(b))
            }
            Expr::Ternary { operator: Ternary::FMulAdd, width, a, b, c } => {
                let read = |id| float::read(width.into(), &self.name(id));
                Some(format!("(fp.fma RNE {} {} {})", read(a), read(b), read(c)))
            }
            _ => None,
        }
    }

    fn load(&mut self, snapshot: SnapshotId, address: ExprId, width: u32) -> String {
        self.declare_snapshot(snapshot);
        let count = width.div_ceil(8);
        let length = self.graph.snapshot(snapshot).bytes().len();
        let address = self.name(address);
        let select = |index: u32| {
            let offset = literal(64, index.into());
            format!("(select m{}_{length} (bvadd {address} {offset}))", snapshot.0)
        };
        let whole =
            (1..count).fold(select(0), |low, index| format!("(concat {} {low})", select(index)));
        if width.is_multiple_of(8) {
            whole
        } else {
            format!("((_ extract {} 0) {whole})", width - 1)
        }
    }

    /// A snapshot is any array with its bytes stored in it; `m0_5` is the first one after five
    /// stores.
    fn declare_snapshot(&mut self, id: SnapshotId) {
        if !self.declared.insert(id) {
            return;
        }
        let sort = "(Array (_ BitVec 64) (_ BitVec 8))";
        let snapshot = self.graph.snapshot(id);
        self.line(&format!("(declare-const m{}_0 {sort})", id.0));
        for offset in 0..snapshot.bytes().len() as u32 {
            let byte = match snapshot.cell(offset) {
                Cell::Concrete(byte) => literal(8, byte.into()),
                Cell::Symbolic(cell) => self.name(cell),
            };
            let place = literal(64, snapshot.address().wrapping_add(offset.into()).into());
            let (number, next) = (id.0, offset + 1);
            let store = format!("(store m{number}_{offset} {place} {byte})");
            self.line(&format!("(define-fun m{number}_{next} () {sort} {store})"));
        }
    }
}

/// A number as a bit vector.
fn literal(width: u32, value: u128) -> String {
    let mut text = String::new();
    let written = if width.is_multiple_of(4) {
        write!(text, "#x{value:0digits$x}", digits = (width / 4) as usize)
    } else {
        write!(text, "#b{value:0digits$b}", digits = width as usize)
    };
    debug_assert!(written.is_ok(), "a String takes all that is written to it");
    text
}

/// The symbol of a variable. Quoted symbols hold anything but two characters, which are written
/// with a third.
fn symbol(variable: &Variable) -> String {
    let mut symbol = String::from("|");
    for character in variable.to_string().chars() {
        match character {
            '!' => symbol.push_str("!!"),
            '|' => symbol.push_str("!p"),
            '\\' => symbol.push_str("!b"),
            other => symbol.push(other),
        }
    }
    symbol.push('|');
    symbol
}
