//! Enumeration of all remaining values.
//!
//! Conditions without a common variable left are tried separately. Variables get their values one
//! after the other; each operation is computed as soon as its last variable has one, and a
//! condition that fails ends all attempts with these values at once. Operations are counted, which
//! bounds the effort.

use super::{
    super::program::{Kind, Operation, Program},
    Deduced, Deduction, forward,
    interval::Interval,
    values::Values,
};
use crate::{
    Ternary,
    arithmetic::{self, cut},
};

/// Limits on operations to compute for a group of variables: where all combinations together need
/// no more, and where the number is not known in advance.
const MANY_STEPS: u64 = 2_000_000;
const SOME_STEPS: u64 = 50_000;

/// Values of one variable that are few enough to try.
const FEW: u128 = 1 << 13;

/// Variables that can be told apart by bits of a word.
const VARIABLES: usize = 64;

/// All values of the remaining variables.
struct Enumeration<'p> {
    program: &'p Program,
    /// Possible values of each operation, given only those of the variables.
    known: Vec<Interval>,
    /// Whether it always has a value.
    is_total: Vec<bool>,
    /// The variables with more than one value that each operation depends on, as bits.
    supports: Vec<u64>,
    values: Vec<Option<u128>>,
}

/// A variable to enumerate.
struct Level {
    place: u32,
    choices: Vec<u64>,
    /// Operations to compute once it has a value.
    operations: Vec<u32>,
    /// Conditions to check then.
    conditions: Vec<u32>,
}

impl Level {
    /// Operations for one of its values.
    fn steps(&self) -> u64 {
        1 + self.operations.len() as u64
    }
}

/// Operations for all values.
fn effort(levels: &[Level]) -> u64 {
    let mut count: u64 = 1;
    levels.iter().fold(0, |sum: u64, level| {
        count = count.saturating_mul(level.choices.len() as u64);
        sum.saturating_add(count.saturating_mul(level.steps()))
    })
}

/// The end of an enumeration.
enum End {
    Found,
    Nowhere,
    TooLong,
}

pub(super) fn run(deduction: &Deduction, start: &[u64]) -> Deduced {
    let program = deduction.program;
    let open: Vec<u32> = (0..program.variables.len() as u32)
        .filter(|index| deduction.values[*index as usize].count() > 1)
        .collect();
    let mut enumeration = Enumeration::new(deduction);
    let left: Vec<u32> = program
        .conditions
        .iter()
        .copied()
        .filter(|condition| !enumeration.is_certain(*condition))
        .collect();
    if left.iter().any(|condition| enumeration.known[*condition as usize].high == 0) {
        return Deduced::Unsat;
    }
    let needed = enumeration.needed(&left);
    let open: Vec<u32> = open
        .into_iter()
        .filter(|index| needed[deduction.places[*index as usize] as usize])
        .collect();
    if open.len() > VARIABLES {
        return Deduced::Unknown;
    }
    enumeration.find_supports(&open, &needed);
    let (decided, left): (Vec<u32>, Vec<u32>) =
        left.into_iter().partition(|condition| enumeration.supports[*condition as usize] == 0);
    if decided.iter().any(|condition| enumeration.values[*condition as usize] != Some(1)) {
        return Deduced::Unsat;
    }
    let mut model: Vec<u64> = (0..program.variables.len())
        .map(|index| nearest(&deduction.values[index], start.get(index).copied().unwrap_or(0)))
        .collect();
    let mut is_complete = true;
    for group in enumeration.groups(&left) {
        let levels = enumeration.levels(deduction, &open, &left, &needed, group, start);
        let Some(levels) = levels else {
            is_complete = false;
            continue;
        };
        match enumeration.try_all(&levels) {
            End::Nowhere => return Deduced::Unsat,
            End::TooLong => is_complete = false,
            End::Found => {
                for level in &levels {
                    let Kind::Variable(index) = program.operation(level.place).kind else {
                        continue;
                    };
                    let value = enumeration.values[level.place as usize];
                    model[index as usize] = value.unwrap_or_default() as u64;
                }
            }
        }
    }
    if is_complete { Deduced::Sat(model) } else { Deduced::Unknown }
}

/// The wanted value, or else the least.
fn nearest(values: &Values, wanted: u64) -> u64 {
    match values.hull() {
        Some(hull) if !values.contains(wanted) => hull.low as u64,
        _ => wanted,
    }
}

impl<'p> Enumeration<'p> {
    fn new(deduction: &Deduction<'p>) -> Enumeration<'p> {
        let program = deduction.program;
        let count = program.operations.len();
        let mut known: Vec<Interval> = Vec::with_capacity(count);
        let mut is_total: Vec<bool> = Vec::with_capacity(count);
        for (at, operation) in program.operations.iter().enumerate() {
            let found = match operation.kind {
                Kind::Variable(_) => deduction.known[at],
                _ => forward::values(program, &known, *operation),
            };
            let total = |operand: u32| is_total[operand as usize];
            let has_value = match operation.kind {
                Kind::Constant(_) | Kind::Variable(_) => true,
                Kind::Extract { a, .. } | Kind::Unary { a, .. } => total(a),
                Kind::Binary { a, b, .. } => total(a) && total(b),
                Kind::Ternary { operator: Ternary::Ite, a, b, c } => {
                    total(a)
                        && match known[a as usize].single() {
                            Some(1) => total(b),
                            Some(_) => total(c),
                            None => total(b) && total(c),
                        }
                }
                Kind::Ternary { a, b, c, .. } => total(a) && total(b) && total(c),
                Kind::Load { address, .. } => {
                    let offsets = forward::offsets(program, &known, *operation);
                    let mut cells = forward::cells(program, *operation, &offsets);
                    offsets.is_inside && total(address) && cells.all(total)
                }
            };
            known.push(found);
            is_total.push(has_value);
        }
        let (supports, values) = (vec![0; count], vec![None; count]);
        Enumeration { program, known, is_total, supports, values }
    }

    /// Whether a condition holds for all values of the variables.
    fn is_certain(&self, condition: u32) -> bool {
        self.constant(condition) == Some(1)
    }

    /// The value of an operation with only one.
    fn constant(&self, at: u32) -> Option<u128> {
        self.known[at as usize].single().filter(|_| self.is_total[at as usize])
    }

    /// The operands that the value of an operation depends on.
    fn for_operands(&self, operation: Operation, mut visit: impl FnMut(u32)) {
        match operation.kind {
            Kind::Constant(_) | Kind::Variable(_) => {}
            Kind::Extract { a, .. } | Kind::Unary { a, .. } => visit(a),
            Kind::Binary { a, b, .. } => [a, b].into_iter().for_each(visit),
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => match self.constant(a) {
                Some(1) => visit(b),
                Some(_) => visit(c),
                None => [a, b, c].into_iter().for_each(visit),
            },
            Kind::Ternary { a, b, c, .. } => [a, b, c].into_iter().for_each(visit),
            Kind::Load { address, .. } => {
                visit(address);
                let offsets = forward::offsets(self.program, &self.known, operation);
                forward::cells(self.program, operation, &offsets).for_each(visit);
            }
        }
    }

    /// The operations to compute for some conditions.
    fn needed(&self, conditions: &[u32]) -> Vec<bool> {
        let mut needed = vec![false; self.program.operations.len()];
        for condition in conditions {
            needed[*condition as usize] = true;
        }
        for at in (0..needed.len()).rev() {
            if needed[at] && self.constant(at as u32).is_none() {
                let operation = self.program.operations[at];
                self.for_operands(operation, |operand| needed[operand as usize] = true);
            }
        }
        needed
    }

    fn find_supports(&mut self, open: &[u32], needed: &[bool]) {
        for (at, operation) in self.program.operations.iter().enumerate() {
            if !needed[at] {
                continue;
            }
            if let Some(value) = self.constant(at as u32) {
                self.values[at] = Some(value);
                continue;
            }
            let mut support = match operation.kind {
                Kind::Variable(index) => {
                    open.iter().position(|open| *open == index).map_or(0, |bit| 1 << bit)
                }
                _ => 0,
            };
            self.for_operands(*operation, |operand| support |= self.supports[operand as usize]);
            self.supports[at] = support;
            if support == 0 {
                self.values[at] = self.value(at as u32);
            }
        }
    }

    /// Sets of variables that no condition relates to each other.
    fn groups(&self, conditions: &[u32]) -> Vec<u64> {
        let mut groups: Vec<u64> = Vec::new();
        for condition in conditions {
            let mut group = self.supports[*condition as usize];
            groups.retain(|other| {
                let is_apart = other & group == 0;
                group |= if is_apart { 0 } else { *other };
                is_apart
            });
            groups.push(group);
        }
        groups.sort_by_key(|group| group.count_ones());
        groups
    }

    /// The variables of a group in the order in which they get their values, if these are few.
    fn levels(
        &self,
        deduction: &Deduction,
        open: &[u32],
        conditions: &[u32],
        needed: &[bool],
        group: u64,
        start: &[u64],
    ) -> Option<Vec<Level>> {
        let mut levels: Vec<Level> = Vec::new();
        let mut rest: Vec<u32> = conditions
            .iter()
            .copied()
            .filter(|condition| self.supports[*condition as usize] & group != 0)
            .collect();
        let mut assigned = 0;
        // Next are the variables of the condition that lacks the fewest.
        while assigned != group {
            let lacks =
                |condition: &u32| (self.supports[*condition as usize] & !assigned).count_ones();
            let next = rest
                .iter()
                .filter(|condition| lacks(condition) > 0)
                .min_by_key(|condition| lacks(condition));
            let mut missing = self.supports[*next? as usize] & !assigned;
            while missing != 0 {
                let bit = missing.trailing_zeros();
                missing &= missing - 1;
                assigned |= 1 << bit;
                let index = open[bit as usize] as usize;
                let values = &deduction.values[index];
                if values.count() > FEW {
                    return None;
                }
                let mut choices = values.list();
                let wanted = start.get(index).copied().unwrap_or(0);
                choices.sort_by_key(|choice| choice.abs_diff(wanted));
                let is_ready = |at: u32| self.supports[at as usize] & !assigned == 0;
                let ready = rest.iter().copied().filter(|condition| is_ready(*condition)).collect();
                rest.retain(|condition| !is_ready(*condition));
                levels.push(Level {
                    place: deduction.places[index],
                    choices,
                    operations: Vec::new(),
                    conditions: ready,
                });
            }
        }
        self.share_out(&mut levels, needed, group);
        Some(levels)
    }

    /// Assigns each operation to the last variable that it depends on.
    fn share_out(&self, levels: &mut [Level], needed: &[bool], group: u64) {
        let mut before = Vec::with_capacity(levels.len());
        let mut assigned = 0;
        for level in levels.iter() {
            assigned |= self.supports[level.place as usize];
            before.push(assigned);
        }
        for (at, is_needed) in needed.iter().enumerate() {
            let support = self.supports[at];
            let is_variable = matches!(self.program.operations[at].kind, Kind::Variable(_));
            if !is_needed || is_variable || support & group == 0 {
                continue;
            }
            let last = before.iter().position(|assigned| support & !assigned == 0);
            if let Some(last) = last {
                levels[last].operations.push(at as u32);
            }
        }
    }

    fn try_all(&mut self, levels: &[Level]) -> End {
        let limit = if effort(levels) > MANY_STEPS { SOME_STEPS } else { MANY_STEPS };
        let mut steps = 0;
        let mut chosen = vec![0; levels.len()];
        let mut depth = 0;
        loop {
            let level = &levels[depth];
            let Some(choice) = level.choices.get(chosen[depth]) else {
                if depth == 0 {
                    return End::Nowhere;
                }
                depth -= 1;
                continue;
            };
            chosen[depth] += 1;
            steps += level.steps();
            if steps > limit {
                return End::TooLong;
            }
            self.values[level.place as usize] = Some((*choice).into());
            for at in &level.operations {
                self.values[*at as usize] = self.value(*at);
            }
            let holds = |condition: &u32| self.values[*condition as usize] == Some(1);
            if !level.conditions.iter().all(holds) {
                continue;
            }
            if depth + 1 == levels.len() {
                return End::Found;
            }
            depth += 1;
            chosen[depth] = 0;
        }
    }

    fn value(&self, at: u32) -> Option<u128> {
        let operation = self.program.operation(at);
        let of = |operand: u32| self.values[operand as usize];
        let from = |operand: u32| self.program.width(operand);
        let width = operation.width;
        Some(match operation.kind {
            Kind::Constant(value) => value,
            Kind::Variable(_) => return of(at),
            Kind::Extract { low, a } => cut(of(a)? >> low, width),
            Kind::Unary { operator, a } => arithmetic::unary(operator, from(a), width, of(a)?),
            Kind::Binary { operator, a, b } => {
                arithmetic::binary(operator, from(b), of(a)?, of(b)?)
            }
            Kind::Ternary { operator: Ternary::Ite, a, b, c } => match self.constant(a) {
                Some(1) => of(b)?,
                Some(_) => of(c)?,
                None => of(if of(a)? == 1 { b } else { c })?,
            },
            Kind::Ternary { operator, a, b, c } => {
                arithmetic::ternary(operator, width, of(a)?, of(b)?, of(c)?)
            }
            Kind::Load { table, address } => {
                let table = &self.program.tables[table as usize];
                return table.read_with(of(address)? as u64, width, of);
            }
        })
    }
}
