//! The order of candidates.
//!
//! First wanted values are carried back to the variables, which answers most queries at once. Then
//! the descent moves one variable after the other to where the conditions are nearest to holding,
//! several together, and pairs; when nothing brings them nearer, it changes some at random and
//! starts again. It touches only variables of failing conditions, and in the end undoes all
//! unnecessary changes.

use super::{
    coordinate::Coordinate,
    inversion::Inversion,
    program::{Kind, Program},
    random::Random,
    trial::{Judge, Point, Stop, Trial},
};
use crate::Model;

/// A search for the values of one query.
pub(super) struct Descent<'a> {
    pub(super) trial: Trial<'a>,
    inversion: Inversion<'a>,
    pub(super) random: Random,
    start: Vec<u64>,
    best: Point,
    /// Numbers that occur in the query.
    pub(super) constants: Vec<u64>,
    /// For each variable of up to eight bits the values that conditions on it alone allow.
    pub(super) choices: Vec<Vec<u64>>,
    pub(super) coordinates: Vec<Coordinate>,
    is_hopeless: bool,
}

/// Wishes that are followed first, and between descents.
const FIRST_WISHES: u32 = 48;
const MORE_WISHES: u32 = 512;

/// How many wishes in a row may fail to improve.
const ASTRAY: u32 = 8;

/// Combinations few enough to try all of them first, and after a first descent.
const FEW: u64 = 1 << 12;
const MANY: u64 = 1 << 17;

/// How many constants are tried as values.
const CONSTANTS: usize = 64;

impl<'a> Descent<'a> {
    pub(super) fn new(
        program: &'a Program,
        judge: Judge<'a>,
        start: &[u64],
        limit: u64,
    ) -> Descent<'a> {
        let trial = Trial::new(program, judge, limit);
        let start: Vec<u64> = (0..program.variables.len())
            .map(|index| start.get(index).copied().unwrap_or(0) & trial.most(index as u32))
            .collect();
        Descent {
            trial,
            inversion: Inversion::new(program),
            random: Random::new(0x5eed),
            best: Point::new(program, start.clone()),
            start,
            constants: Vec::new(),
            choices: Vec::new(),
            coordinates: Vec::new(),
            is_hopeless: false,
        }
    }

    /// How many candidates were tried.
    pub(super) fn tried(&self) -> u64 {
        self.trial.tried()
    }

    /// Whether all candidates were tried, so that there is nothing to find.
    pub(super) fn is_hopeless(&self) -> bool {
        self.is_hopeless
    }

    /// A model from carrying wishes back, if there is one.
    pub(super) fn guess(&mut self) -> Option<Model> {
        let outcome = self.first_look();
        self.outcome(outcome)
    }

    /// A model found within the limit.
    pub(super) fn search(&mut self) -> Option<Model> {
        let outcome = self.look();
        self.outcome(outcome)
    }

    fn outcome(&mut self, outcome: Result<(), Stop>) -> Option<Model> {
        match outcome {
            Err(Stop::Found(values)) => Some(self.restored(values)),
            Err(Stop::Exhausted) | Ok(()) => None,
        }
    }

    fn first_look(&mut self) -> Result<(), Stop> {
        if let [width @ 1..=8] = self.trial.program.variables[..] {
            let mut values: Vec<u64> = (0..1 << width).collect();
            values.sort_by_key(|value| value.abs_diff(self.start[0]));
            self.choices = vec![values];
            return self.try_all();
        }
        self.trial.measure(&mut self.best)?;
        self.follow_wishes(self.best.clone(), FIRST_WISHES)
    }

    fn look(&mut self) -> Result<(), Stop> {
        let program = self.trial.program;
        self.trial.measure(&mut self.best)?;
        self.find_choices()?;
        if self.combinations() == Some(0) {
            self.is_hopeless = true;
            return Ok(());
        }
        if self.combinations().is_some_and(|count| count <= FEW) {
            return self.try_all();
        }
        self.constants = constants(program);
        self.coordinates = Coordinate::of_program(program);
        self.inversion.narrow(&self.choices);
        self.follow_wishes(self.best.clone(), FIRST_WISHES)?;
        for round in 0.. {
            let mut point = self.starting_point(round);
            if round > 0 {
                self.trial.measure(&mut point)?;
            }
            self.descend(&mut point)?;
            if point.total < self.best.total {
                self.best.clone_from(&point);
            }
            self.follow_wishes(point, MORE_WISHES)?;
            if self.combinations().is_some_and(|count| count <= MANY) {
                return self.try_all();
            }
        }
        Ok(())
    }

    /// Finds the values that conditions on one variable of up to eight bits leave for it. All of
    /// these variables are tried at once.
    fn find_choices(&mut self) -> Result<(), Stop> {
        let program = self.trial.program;
        let is_small = |index: u32| program.variables[index as usize] <= 8;
        let alone: Vec<(usize, u32)> = (0..program.conditions.len())
            .filter_map(|condition| Some((condition, program.supports().only(condition)?)))
            .filter(|(_, index)| is_small(*index))
            .collect();
        let all = |width: &u32| if *width <= 8 { (0..1 << width).collect() } else { Vec::new() };
        self.choices = program.variables.iter().map(all).collect();
        if alone.is_empty() {
            return Ok(());
        }
        let mut point = self.best.clone();
        for value in 0..256 {
            for index in 0..program.variables.len() as u32 {
                if is_small(index) {
                    point.values[index as usize] = value & self.trial.most(index);
                }
            }
            self.trial.measure(&mut point)?;
            for (condition, index) in &alone {
                if point.distances[*condition] != 0 {
                    self.choices[*index as usize].retain(|choice| *choice != value);
                }
            }
        }
        Ok(())
    }

    /// How many values all variables together can have, if that is not too many to count.
    fn combinations(&self) -> Option<u64> {
        let widths = self.trial.program.variables.iter();
        let counts = widths.zip(&self.choices).map(|(width, choices)| match width {
            0..=8 => choices.len() as u64,
            _ => u64::MAX,
        });
        // A variable without any value decides, however many values the others have.
        if counts.clone().any(|count| count == 0) {
            return Some(0);
        }
        counts.into_iter().try_fold(1, u64::checked_mul)
    }

    fn try_all(&mut self) -> Result<(), Stop> {
        let count = self.combinations().unwrap_or(0);
        // It ends and settles the query: that is worth more than the limit.
        self.trial.allow(count);
        let mut point = self.best.clone();
        for number in 0..count {
            let mut rest = number;
            for (value, choices) in point.values.iter_mut().zip(&self.choices) {
                *value = choices[(rest % choices.len() as u64) as usize];
                rest /= choices.len() as u64;
            }
            self.trial.measure(&mut point)?;
        }
        self.is_hopeless = true;
        Ok(())
    }

    /// Follows wishes from a point on, even if a single step does not improve.
    fn follow_wishes(&mut self, mut home: Point, count: u32) -> Result<(), Stop> {
        let mut point = home.clone();
        let mut astray = 0;
        for _ in 0..count {
            let failing: Vec<usize> = point.failing().collect();
            let condition = failing[self.random.below(failing.len())];
            let at = self.trial.program.conditions[condition];
            let proposal = self.inversion.propose(&point.values, at, &mut self.random);
            if proposal == point.values {
                self.change_one(&mut point);
            } else {
                point.values.copy_from_slice(proposal);
            }
            self.trial.spend(self.inversion.effort());
            self.trial.measure(&mut point)?;
            astray += 1;
            if point.total <= home.total {
                home.clone_from(&point);
                astray = 0;
            } else if astray == ASTRAY {
                point.clone_from(&home);
                astray = 0;
            }
            if point.total < self.best.total {
                self.best.clone_from(&point);
            }
        }
        Ok(())
    }

    /// The start of a round of descent.
    fn starting_point(&mut self, round: u32) -> Point {
        let mut point = self.best.clone();
        if round == 0 {
            return point;
        }
        match round % 4 {
            1 => point.values.clone_from(&self.start),
            2 if round == 2 => {
                for variable in self.best.related(self.trial.program) {
                    point.values[variable as usize] = 0;
                }
            }
            _ => {}
        }
        for _ in 0..1 + self.random.below(3) {
            self.change_one(&mut point);
        }
        point
    }

    /// Gives one of the related variables another value.
    fn change_one(&mut self, point: &mut Point) {
        let related = self.best.related(self.trial.program);
        if related.is_empty() {
            return;
        }
        let variable = related[self.random.below(related.len())];
        let most = self.trial.most(variable);
        let value = match self.random.below(4) {
            0 if !self.constants.is_empty() => {
                self.constants[self.random.below(self.constants.len())]
            }
            1 => u64::from(b' ') + self.random.below(95) as u64,
            2 => self.random.next() >> self.random.below(64),
            _ => self.random.next(),
        };
        point.values[variable as usize] = value & most;
    }

    /// Undoes unnecessary changes.
    fn restored(&mut self, mut values: Vec<u64>) -> Model {
        let mut distances = vec![0; self.trial.program.conditions.len()];
        for (index, start) in self.start.iter().enumerate() {
            let value = std::mem::replace(&mut values[index], *start);
            if value != *start && !self.trial.holds(&values, &mut distances) {
                values[index] = value;
            }
        }
        values
    }
}

/// Some of the numbers of a program, each once.
fn constants(program: &Program) -> Vec<u64> {
    let mut found = Vec::new();
    for operation in &program.operations {
        if let Kind::Constant(value) = operation.kind
            && let value = value as u64
            && !found.contains(&value)
        {
            found.push(value);
            if found.len() == CONSTANTS {
                break;
            }
        }
    }
    found
}
