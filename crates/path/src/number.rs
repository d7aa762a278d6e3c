//! A piece of the input that the program read as a number.
//!
//! Digit for digit, a number is as many conditions as it has digits, and it cannot have more of
//! them than the input. As a whole it is one value that can be replaced by any other, and written
//! again.

use parallax_solve::{ExprId, Graph, Origin, Part, Supports, Values, Variable};

use crate::{Given, Step, comparison::place};

/// Digits of an input, with their sign, that were read as a number; empty where digits could have
/// been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The input.
    pub origin: Origin,
    /// The offset of its first byte.
    pub offset: u32,
    /// Its length in bytes.
    pub length: u32,
    /// The base.
    pub base: u32,
    /// Whether it may be negative.
    pub signed: bool,
    /// Its value.
    pub value: u64,
}

impl Number {
    /// The number in a text with the byte behind it, if it is a piece of one input.
    pub(crate) fn new(
        graph: &Graph,
        cells: &[Option<ExprId>],
        (base, signed, value): (u8, bool, u64),
    ) -> Option<Number> {
        let first = cells.iter().position(Option::is_some)?;
        let (origin, at) = place(graph, cells[first]?)?;
        let offset = at.checked_sub(first as u32)?;
        let length = cells.len() - 1;
        let is_there = |(position, cell): (usize, &Option<ExprId>)| {
            cell.is_some_and(|cell| place(graph, cell) == Some((origin, offset + position as u32)))
        };
        if !cells[..length].iter().enumerate().all(is_there) {
            return None;
        }
        let (origin, base) = (origin.clone(), u32::from(base));
        Some(Number { origin, offset, length: length as u32, base, signed, value })
    }

    /// The variable for its value, independent of its digits.
    pub fn variable(&self) -> Variable {
        Variable { origin: self.origin.clone(), part: Part::Number(self.offset) }
    }

    /// The text of another value.
    pub fn written(&self, value: u64) -> Vec<u8> {
        let is_negative = self.signed && (value as i64) < 0;
        let mut rest = if is_negative { value.wrapping_neg() } else { value };
        let base = u64::from(self.base.clamp(2, 36));
        let mut text = Vec::new();
        while rest > 0 || text.is_empty() {
            text.extend(char::from_digit((rest % base) as u32, 36).map(|digit| digit as u8));
            rest /= base;
        }
        text.extend(is_negative.then_some(b'-'));
        text.reverse();
        text
    }

    /// Whether a variable is one of its bytes.
    fn has(&self, variable: &Variable) -> bool {
        let bytes = self.offset..self.offset + self.length;
        matches!(variable.part, Part::Byte(offset) if bytes.contains(&offset))
            && variable.origin == self.origin
    }
}

/// Removes conditions on the digits of numbers that have a variable of their own.
pub fn forget_digits(steps: &mut Vec<Step>, graph: &Graph, numbers: &[Number]) {
    let is_digit: Vec<bool> = graph
        .variables()
        .iter()
        .map(|variable| numbers.iter().any(|number| number.has(variable)))
        .collect();
    let mut supports = Supports::new();
    steps.retain(|step| {
        let mut variables = supports.of(graph, step.condition).iter();
        !variables.any(|variable| is_digit[variable.0 as usize])
    });
}

/// The values of a test case, including those of its numbers.
#[derive(Clone, Copy, Debug)]
pub struct GivenNumbers<'t> {
    /// The test case.
    pub given: Given<'t>,
    /// The numbers.
    pub numbers: &'t [Number],
}

impl Values for GivenNumbers<'_> {
    fn value(&self, variable: &Variable) -> Option<u128> {
        let Part::Number(offset) = variable.part else { return self.given.value(variable) };
        let mut numbers = self.numbers.iter();
        let number =
            numbers.find(|number| number.offset == offset && number.origin == variable.origin)?;
        Some(number.value.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_with_its_sign_and_in_its_base() {
        let number = |base, signed| Number {
            origin: Origin::Stdin,
            offset: 0,
            length: 1,
            base,
            signed,
            value: 0,
        };
        assert_eq!(number(10, true).written(0), b"0");
        assert_eq!(number(10, true).written((-600i64) as u64), b"-600");
        assert_eq!(number(10, false).written(u64::MAX), b"18446744073709551615");
        assert_eq!(number(16, false).written(0xbeef), b"beef");
    }
}
