//! Moves of a point to where the conditions are nearer to holding.

use super::{
    coordinate::Coordinate,
    descent::Descent,
    trial::{Point, Stop},
};

/// How many coordinates one descent moves.
const COORDINATES: usize = 64;

/// Candidates that moves of pairs may take in one descent.
const PAIRS: u64 = 3_000;

impl Descent<'_> {
    /// Moves a point for as long as the distance decreases.
    pub(super) fn descend(&mut self, point: &mut Point) -> Result<(), Stop> {
        loop {
            let before = point.total;
            let related = self.related(point);
            for coordinate in &related {
                self.settle(point, coordinate)?;
            }
            self.slide(point, &related)?;
            if point.total < before {
                continue;
            }
            self.move_pairs(point, &related)?;
            if point.total >= before {
                return Ok(());
            }
        }
    }

    /// Coordinates of failing conditions, fields first.
    fn related(&mut self, point: &Point) -> Vec<Coordinate> {
        let is_related = point.related(self.trial.program);
        let matters = |coordinate: &&Coordinate| {
            coordinate.variables().any(|index| is_related.binary_search(&index).is_ok())
        };
        let mut related: Vec<Coordinate> =
            self.coordinates.iter().rev().filter(matters).cloned().collect();
        while related.len() > COORDINATES {
            related.remove(self.random.below(related.len()));
        }
        related
    }

    /// Moves one coordinate to the best number found for it.
    fn settle(&mut self, point: &mut Point, coordinate: &Coordinate) -> Result<bool, Stop> {
        let program = self.trial.program;
        let before = point.total;
        let mut next = point.clone();
        if let Some(index) = coordinate.variable().filter(|_| coordinate.most <= 255) {
            for choice in 0..self.choices[index as usize].len() {
                next.values[index as usize] = self.choices[index as usize][choice];
                self.keep_better(&mut next, point)?;
            }
            return Ok(point.total < before);
        }
        for number in 0..self.constants.len() {
            let constant = self.constants[number];
            for value in [constant, constant.wrapping_add(1), constant.wrapping_sub(1)] {
                coordinate.set(program, &mut next.values, value);
                self.keep_better(&mut next, point)?;
            }
        }
        loop {
            let (total, base) = (point.total, coordinate.get(&point.values));
            for bit in 0..coordinate.most.count_ones() {
                let power = 1_u64 << bit;
                for value in [base.wrapping_add(power), base.wrapping_sub(power), base ^ power] {
                    coordinate.set(program, &mut next.values, value);
                    self.keep_better(&mut next, point)?;
                }
            }
            if point.total >= total {
                return Ok(point.total < before);
            }
        }
    }

    /// Measures a point and copies it over the other one if it is nearer.
    fn keep_better(&mut self, next: &mut Point, point: &mut Point) -> Result<bool, Stop> {
        let is_better = self.trial.measure(next)? < point.total;
        if is_better {
            point.clone_from(next);
        }
        Ok(is_better)
    }

    /// Moves all coordinates at once, each in its better direction, in growing steps.
    fn slide(&mut self, point: &mut Point, related: &[Coordinate]) -> Result<(), Stop> {
        let program = self.trial.program;
        let mut directions = Vec::new();
        let mut next = point.clone();
        for coordinate in related {
            let number = coordinate.get(&point.values);
            for step in [1, u64::MAX] {
                coordinate.set(program, &mut next.values, number.wrapping_add(step));
                if self.trial.measure(&mut next)? < point.total {
                    directions.push((coordinate, step));
                    break;
                }
            }
            coordinate.set(program, &mut next.values, number);
        }
        let mut length: u64 = 1;
        while !directions.is_empty() && length < 1 << 62 {
            next.values.clone_from(&point.values);
            for (coordinate, step) in &directions {
                let moved = coordinate.get(&next.values).wrapping_add(step.wrapping_mul(length));
                coordinate.set(program, &mut next.values, moved);
            }
            if !self.keep_better(&mut next, point)? {
                break;
            }
            length *= 2;
        }
        Ok(())
    }

    /// Moves one coordinate by one and another one to its best value then.
    fn move_pairs(&mut self, point: &mut Point, related: &[Coordinate]) -> Result<(), Stop> {
        let program = self.trial.program;
        let end = self.trial.tried() + PAIRS;
        for first in related {
            for second in related {
                if first == second || self.trial.tried() > end {
                    continue;
                }
                for step in [1, u64::MAX] {
                    let mut next = point.clone();
                    let number = first.get(&next.values).wrapping_add(step);
                    first.set(program, &mut next.values, number);
                    self.trial.measure(&mut next)?;
                    self.settle(&mut next, second)?;
                    if next.total < point.total {
                        *point = next;
                    }
                }
            }
        }
        Ok(())
    }
}
