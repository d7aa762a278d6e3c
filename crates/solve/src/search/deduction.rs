//! What conditions leave for values, found without trying any.
//!
//! Most questions that are not answered at once have no answer: a length that was compared before
//! is to be something else, a byte is to differ from what it equals. So each operation has an
//! interval, and each variable the values that are left for it; conditions narrow what they are
//! made of, and what is narrowed narrows what is made of it, until nothing moves. If nothing is
//! left for something that matters, the conditions cannot hold together. What remains can then be
//! few enough to try all of it.
//!
//! An operation that only an arm of a choice needs may have no value, where a load would leave its
//! table. So what matters is told apart from what only may matter, and only the former narrows.

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

/// What was found about a query.
pub(super) enum Deduced {
    /// All conditions hold for these values.
    Sat(Model),
    Unsat,
    Unknown,
}

/// Something has to be what it cannot be.
#[derive(Debug)]
struct Contradiction;

/// What is known about the values of a program's operations.
pub(super) struct Deduction<'p> {
    program: &'p Program,
    known: Vec<Interval>,
    /// For each variable.
    values: Vec<Values>,
    /// Where each variable is.
    places: Vec<u32>,
    /// Whether an operation has a value wherever all conditions hold.
    matters: Vec<bool>,
    has_changed: bool,
}

/// How often conditions are gone through. Each round costs as much as an evaluation or two, and
/// some loops that count would take as many rounds as they count.
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

    /// Draws conclusions. Says whether the conditions may hold together.
    pub(super) fn conclude(&mut self) -> bool {
        self.narrow_all().is_ok()
    }

    /// Tries all values that are left, if they are few. `start` are values to try first.
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

    /// Leaves only values of a stretch for an operation that matters.
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

    /// Leaves for two variables of up to eight bits what both can be.
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
