//! The possible values of a variable.

use super::interval::{Interval, Stretch};
use crate::{Domain, arithmetic::mask};

/// Possible values of a variable, exact up to a limit on gaps.
#[derive(Clone)]
pub(super) enum Values {
    /// Of up to eight bits.
    Bytes(Domain),
    /// Of more: ascending, with gaps between them.
    Intervals { width: u32, list: Vec<Interval> },
}

/// Limit on gaps.
const GAPS: usize = 64;

impl Values {
    pub(super) fn all(width: u32) -> Values {
        if width > 8 {
            return Values::Intervals { width, list: vec![Interval::all(width)] };
        }
        Values::Bytes(Domain::between(0, mask(width) as u8))
    }

    /// The least interval around them, unless there are none.
    pub(super) fn hull(&self) -> Option<Interval> {
        match self {
            Values::Bytes(bytes) => {
                bytes.bounds().map(|(least, most)| Interval::new(least.into(), most.into()))
            }
            Values::Intervals { list, .. } => {
                let (first, last) = (list.first()?, list.last()?);
                Some(Interval::new(first.low, last.high))
            }
        }
    }

    /// Restricts them to a stretch. Returns whether that changes anything.
    pub(super) fn narrow(&mut self, stretch: Stretch) -> bool {
        match self {
            Values::Bytes(bytes) => {
                let mut allowed = Domain::NONE;
                for part in stretch.parts(8).into_iter().flatten() {
                    allowed = allowed.union(&Domain::between(part.low as u8, part.high as u8));
                }
                let left = bytes.intersection(&allowed);
                std::mem::replace(bytes, left) != left
            }
            Values::Intervals { width, list } => {
                let parts = stretch.parts(*width);
                let mut left: Vec<Interval> = Vec::with_capacity(list.len() + 1);
                for interval in list.iter() {
                    left.extend(parts.iter().flatten().filter_map(|part| interval.meet(*part)));
                }
                // Another gap, but no room for it.
                if left.len() > GAPS && left.len() > list.len() {
                    return false;
                }
                let changes = *list != left;
                *list = left;
                changes
            }
        }
    }

    /// Restricts bytes to a set.
    pub(super) fn meet_bytes(&mut self, other: &Domain) -> bool {
        let Values::Bytes(bytes) = self else { return false };
        let left = bytes.intersection(other);
        std::mem::replace(bytes, left) != left
    }

    /// How many there are.
    pub(super) fn count(&self) -> u128 {
        match self {
            Values::Bytes(bytes) => bytes.len().into(),
            Values::Intervals { list, .. } => {
                list.iter().fold(0, |sum, interval| sum + interval.extent() + 1)
            }
        }
    }

    pub(super) fn contains(&self, value: u64) -> bool {
        match self {
            Values::Bytes(bytes) => u8::try_from(value).is_ok_and(|byte| bytes.contains(byte)),
            Values::Intervals { list, .. } => {
                list.iter().any(|interval| (interval.low..=interval.high).contains(&value.into()))
            }
        }
    }

    /// All of them, ascending.
    pub(super) fn list(&self) -> Vec<u64> {
        match self {
            Values::Bytes(bytes) => bytes.iter().map(u64::from).collect(),
            Values::Intervals { list, .. } => list
                .iter()
                .flat_map(|interval| interval.low as u64..=interval.high as u64)
                .collect(),
        }
    }
}
