//! Deduction of possible values from conditions, without trying any.
//!
//! Most queries that are not answered at once are unsatisfiable: a length that was compared before
//! is to be something else, a byte is to differ from a value it equals. So each operation has an
//! interval, and each variable a set of possible values; conditions narrow their operands, and a
//! narrowed operand narrows its users, until a fixpoint. If nothing is left for an operation that
//! matters, the conditions contradict each other. The remaining values can then be few enough to
//! try all.
//!
//! An operation that only an arm of a choice needs may have no value, where a load would leave its
//! table. So operations that matter are distinguished from those that may matter, and only the
//! former narrow.

mod backward;
mod enumeration;
mod forward;
mod interval;
mod relation;
mod values;

use super::program::{Kind, Program};
use crate::{Model, Ternary};
use interval::{Interval, Stretch};
use values::Values;

/// The result for a query.
pub(super) enum Deduced {
    /// All conditions hold for these values.
    Sat(Model),
    Unsat,
    Unknown,
}

/// An operation that matters has no possible value left.
#[derive(Debug)]
struct Contradiction;

/// Possible values of a program's operations.
pub(super) struct Deduction<'p> {
    program: &'p Program,
    known: Vec<Interval>,
    /// For each variable.
    values: Vec<Values>,
    /// The position of each variable.
    places: Vec<u32>,
    /// Whether an operation has a value wherever all conditions hold.
    matters: Vec<bool>,
    has_changed: bool,
}

/// Limit on passes over the conditions. Each pass costs as much as an evaluation or two, and some
/// loops that count would take as many passes as they count.
const ROUNDS: u32 = 12;

impl<'p> Deduction<'p> {
    pub(super) fn new(program: &'p Program) -> Deduction<'p> {
        let mut places = vec![0; program.variables.len()];
        let mut known = Vec::with_capacity(program.operations.len());
        for (at, operation) in program.operations.iter().enumerate() {
            if let Kind::Variable(index) = operation.kind {
                places[index as usize] = at as u32;
            }
            known.push(Interval::all(operation.width));
        }
        let values = program.variables.iter().map(|width| Values::all(*width)).collect();
        let matters = vec![false; program.operations.len()];
        Deduction { program, known, values, places, matters, has_changed: false }
    }

    /// Runs the deduction. Returns whether the conditions may hold together.
    pub(super) fn conclude(&mut self) -> bool {
        self.narrow_all().is_ok()
    }

    /// Tries all remaining values, if they are few. `start` are values to try first.
    pub(super) fn enumerate(&self, start: &[u64]) -> Deduced {
        enumeration::run(self, start)
    }

    fn narrow_all(&mut self) -> Result<(), Contradiction> {
        for condition in &self.program.conditions {
            self.matters[*condition as usize] = true;
            self.narrow(*condition, Interval::one(1).into())?;
        }
        for _ in 0..ROUNDS {
            self.has_changed = false;
            self.go_forward()?;
            self.go_backward()?;
            if !self.has_changed {
                break;
            }
        }
        relation::check(self.program, &self.known, &self.matters)
    }

    fn go_forward(&mut self) -> Result<(), Contradiction> {
        let program = self.program;
        for (at, operation) in program.operations.iter().enumerate() {
            if let Kind::Variable(_) = operation.kind {
                continue;
            }
            let found = forward::values(program, &self.known, *operation);
            match self.known[at].meet(found) {
                Some(left) => self.known[at] = left,
                None if self.matters[at] => return Err(Contradiction),
                None => {}
            }
        }
        Ok(())
    }

    fn go_backward(&mut self) -> Result<(), Contradiction> {
        let program = self.program;
        for (at, operation) in program.operations.iter().enumerate().rev() {
            if !self.matters[at] {
                continue;
            }
            self.narrow_operands(at as u32, *operation)?;
            let mut matter = |operand: u32| self.matters[operand as usize] = true;
            match operation.kind {
                Kind::Constant(_) | Kind::Variable(_) => {}
                Kind::Extract { a, .. } | Kind::Unary { a, .. } => matter(a),
                Kind::Load { address, .. } => matter(address),
                Kind::Binary { a, b, .. } => [a, b].into_iter().for_each(matter),
                Kind::Ternary { operator: Ternary::Ite, a, b, c } => {
                    matter(a);
                    match self.known[a as usize].single() {
                        Some(1) => self.matters[b as usize] = true,
                        Some(_) => self.matters[c as usize] = true,
                        None => {}
                    }
                }
                Kind::Ternary { a, b, c, .. } => [a, b, c].into_iter().for_each(matter),
            }
        }
        Ok(())
    }

    fn of(&self, at: u32) -> Interval {
        self.known[at as usize]
    }

    /// Restricts an operation that matters to a stretch.
    fn narrow(&mut self, at: u32, to: Stretch) -> Result<(), Contradiction> {
        let operation = self.program.operation(at);
        let before = self.known[at as usize];
        let after = match operation.kind {
            Kind::Variable(index) => {
                let values = &mut self.values[index as usize];
                self.has_changed |= values.narrow(to);
                values.hull()
            }
            _ => before.within(to, operation.width),
        };
        let after = after.ok_or(Contradiction)?;
        self.has_changed |= after != before;
        self.known[at as usize] = after;
        Ok(())
    }

    /// Restricts two variables of up to eight bits to their common values.
    fn narrow_variables(&mut self, a: u32, b: u32) -> Result<(), Contradiction> {
        let kinds = (self.program.operation(a).kind, self.program.operation(b).kind);
        let (Kind::Variable(one), Kind::Variable(other)) = kinds else { return Ok(()) };
        for (to, from, at) in [(one, other, a), (other, one, b)] {
            if let Values::Bytes(bytes) = self.values[from as usize] {
                let values = &mut self.values[to as usize];
                self.has_changed |= values.meet_bytes(&bytes);
                self.known[at as usize] = values.hull().ok_or(Contradiction)?;
            }
        }
        Ok(())
    }
}
