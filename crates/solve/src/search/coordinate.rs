//! Coordinates: what the descent moves as one number, a variable or several that a program reads as
//! one.

use super::program::{Kind, Program};
use crate::{Binary, arithmetic::mask};

/// Variables and where their bits are in the number, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coordinate {
    parts: Vec<(u32, u32)>,
    /// The greatest number.
    pub(super) most: u64,
}

/// How many coordinates of several variables there can be.
const FIELDS: usize = 64;

impl Coordinate {
    /// Each variable alone, and then the fields that are assembled from bytes.
    pub(super) fn of_program(program: &Program) -> Vec<Coordinate> {
        let mut found = Vec::new();
        for (index, width) in program.variables.iter().enumerate() {
            let most = mask(*width) as u64;
            found.push(Coordinate { parts: vec![(index as u32, 0)], most });
        }
        let end = found.len() + FIELDS;
        let mut fields: Vec<Option<Coordinate>> = Vec::with_capacity(program.operations.len());
        for operation in &program.operations {
            let field = match operation.kind {
                Kind::Variable(index) => Some(found[index as usize].clone()),
                Kind::Binary { operator: Binary::Concat, a, b } if operation.width <= 64 => {
                    let (high, low) = (&fields[a as usize], &fields[b as usize]);
                    let joined = high.as_ref().zip(low.as_ref());
                    joined.and_then(|(high, low)| high.above(low, program.width(b)))
                }
                _ => None,
            };
            if let Some(field) = &field
                && field.parts.len() > 1
                && found.len() < end
            {
                found.push(field.clone());
            }
            fields.push(field);
        }
        found
    }

    fn above(&self, low: &Coordinate, by: u32) -> Option<Coordinate> {
        let is_shared = |(index, _): &(u32, u32)| low.parts.iter().any(|(other, _)| other == index);
        if self.parts.iter().any(is_shared) {
            return None;
        }
        let moved = self.parts.iter().map(|(index, place)| (*index, place + by));
        let parts = low.parts.iter().copied().chain(moved).collect();
        Some(Coordinate { parts, most: self.most << by | low.most })
    }

    /// The variable, if there is only one.
    pub(super) fn variable(&self) -> Option<u32> {
        if let [(index, _)] = self.parts[..] { Some(index) } else { None }
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|(index, _)| *index)
    }

    pub(super) fn get(&self, values: &[u64]) -> u64 {
        self.parts
            .iter()
            .fold(0, |number, (index, place)| number | values[*index as usize] << place)
    }

    /// Sets the variables to the number, as far as it fits.
    pub(super) fn set(&self, program: &Program, values: &mut [u64], number: u64) {
        for (index, place) in &self.parts {
            let width = program.variables[*index as usize];
            values[*index as usize] = number >> place & mask(width) as u64;
        }
    }
}
