//! Evaluation of candidates within a limit.

use super::{code::Code, distance::UNIT, program::Program};
use crate::arithmetic::mask;

/// The measure of how far conditions are from holding.
pub(super) enum Judge<'a> {
    /// An evaluation, which only knows whether they hold.
    Evaluation(Vec<u128>),
    /// Compiled code.
    Code(&'a mut Code),
}

impl Judge<'_> {
    fn judge(&mut self, program: &Program, inputs: &[u64], distances: &mut [u64]) -> u64 {
        let values = match self {
            Judge::Code(code) => return code.run(inputs, distances),
            Judge::Evaluation(values) => values,
        };
        let is_complete = program.values(inputs, values);
        for (distance, at) in distances.iter_mut().zip(&program.conditions) {
            *distance = if values[*at as usize] == 1 { 0 } else { UNIT };
        }
        // Whether a load from outside matters is decided elsewhere.
        if let (false, Some(last)) = (is_complete, distances.last_mut()) {
            *last = UNIT;
        }
        distances.iter().sum()
    }
}

/// Values for all variables, and how far they are from making the conditions hold.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) values: Vec<u64>,
    pub(super) distances: Vec<u64>,
    pub(super) total: u64,
}

/// Why a search ends.
pub(super) enum Stop {
    /// All conditions hold.
    Found(Vec<u64>),
    /// The limit on candidates is reached.
    Exhausted,
}

/// The conditions, and the remaining evaluations.
pub(super) struct Trial<'a> {
    pub(super) program: &'a Program,
    judge: Judge<'a>,
    tried: u64,
    limit: u64,
}

impl<'a> Trial<'a> {
    pub(super) fn new(program: &'a Program, judge: Judge<'a>, limit: u64) -> Trial<'a> {
        Trial { program, judge, tried: 0, limit }
    }

    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// Allows this many candidates from now on, if fewer are left.
    pub(super) fn allow(&mut self, count: u64) {
        self.limit = self.limit.max(self.tried + count);
    }

    /// Counts other work, in candidates.
    pub(super) fn spend(&mut self, count: u64) {
        self.tried += count;
    }

    /// The greatest value of a variable.
    pub(super) fn most(&self, variable: u32) -> u64 {
        mask(self.program.variables[variable as usize]) as u64
    }

    /// The distance of a point from a model.
    pub(super) fn measure(&mut self, point: &mut Point) -> Result<u64, Stop> {
        if self.tried >= self.limit {
            return Err(Stop::Exhausted);
        }
        self.tried += 1;
        point.total = self.judge.judge(self.program, &point.values, &mut point.distances);
        if point.total == 0 {
            return Err(Stop::Found(std::mem::take(&mut point.values)));
        }
        Ok(point.total)
    }

    /// Whether the conditions hold, without regard to the limit.
    pub(super) fn holds(&mut self, values: &[u64], distances: &mut [u64]) -> bool {
        self.tried += 1;
        self.judge.judge(self.program, values, distances) == 0
    }
}

impl Point {
    pub(super) fn new(program: &Program, values: Vec<u64>) -> Point {
        Point { values, distances: vec![0; program.conditions.len()], total: u64::MAX }
    }

    /// The conditions that do not hold.
    pub(super) fn failing(&self) -> impl Iterator<Item = usize> {
        let all = self.distances.iter().enumerate();
        all.filter(|(_, distance)| **distance != 0).map(|(index, _)| index)
    }

    /// The variables that they depend on.
    pub(super) fn related(&self, program: &Program) -> Vec<u32> {
        let mut set = Vec::new();
        for condition in self.failing() {
            program.supports().join(condition, &mut set);
        }
        program.supports().list(&set)
    }
}
