//! Relations between operations that are compared more than once.
//!
//! Bounds do not rule out that two values which can be anything are equal and different. So each
//! pair keeps the ways in which the two can still compare, and equal values join one class.

use super::{
    super::program::{Kind, Program},
    Contradiction,
    interval::Interval,
};
use crate::{Binary, hash::QuickMap};

/// Ways in which two values can compare: equal, and less or more unsigned and signed.
type Ways = u8;

const EQUAL: Ways = 1;
/// The first is less, unsigned.
const BELOW: Ways = 0b00110;
/// The first is less, signed.
const LESS: Ways = 0b01010;
const ALL: Ways = 0b11111;

/// The ways in which a comparison of the first with the second leaves them.
fn ways(operator: Binary, holds: bool) -> Option<Ways> {
    let ways = match operator {
        Binary::Eq => EQUAL,
        Binary::Ne => ALL & !EQUAL,
        Binary::ULt | Binary::USubOverflow => BELOW,
        Binary::ULe => BELOW | EQUAL,
        Binary::SLt => LESS,
        Binary::SLe => LESS | EQUAL,
        _ => return None,
    };
    Some(if holds { ways } else { ALL & !ways })
}

/// The same with the two exchanged.
fn exchanged(ways: Ways) -> Ways {
    let way = |from: Ways, to: Ways| if ways & from != 0 { to } else { 0 };
    ways & EQUAL
        | way(0b00010, 0b10000)
        | way(0b10000, 0b00010)
        | way(0b00100, 0b01000)
        | way(0b01000, 0b00100)
}

/// Checks all comparisons whose outcome is known against each other.
pub(super) fn check(
    program: &Program,
    known: &[Interval],
    matters: &[bool],
) -> Result<(), Contradiction> {
    let mut pairs: QuickMap<(u32, u32), Ways> = QuickMap::default();
    for (at, operation) in program.operations.iter().enumerate() {
        let Kind::Binary { operator, a, b } = operation.kind else { continue };
        let Some(value) = known[at].single().filter(|_| matters[at]) else { continue };
        let Some(left) = ways(operator, value == 1) else { continue };
        let (pair, left) = if a <= b { ((a, b), left) } else { ((b, a), exchanged(left)) };
        let kept = pairs.entry(pair).or_insert(ALL);
        *kept &= left;
        if *kept == 0 {
            return Err(Contradiction);
        }
    }
    let mut classes = Classes::default();
    #[expect(clippy::iter_over_hash_type, reason = "the classes are the same in any order")]
    for ((a, b), ways) in &pairs {
        if *ways == EQUAL {
            classes.join(*a, *b);
        }
    }
    let is_torn = |((a, b), ways): (&(u32, u32), &Ways)| {
        ways & EQUAL == 0 && classes.root(*a) == classes.root(*b)
    };
    if pairs.iter().any(is_torn) { Err(Contradiction) } else { Ok(()) }
}

/// Classes of equal operations.
#[derive(Default)]
struct Classes {
    parents: QuickMap<u32, u32>,
}

impl Classes {
    fn root(&self, mut at: u32) -> u32 {
        while let Some(parent) = self.parents.get(&at) {
            at = *parent;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic;

    #[test]
    fn every_comparison_leaves_the_ways_in_which_it_holds() {
        // One pair of bytes for each way, in the order of the bits.
        let pairs: [(u128, u128); 5] = [(5, 5), (5, 6), (5, 200), (200, 5), (6, 5)];
        use Binary::*;
        for operator in [Eq, Ne, ULt, ULe, SLt, SLe] {
            for (bit, (a, b)) in pairs.into_iter().enumerate() {
                let holds = arithmetic::binary(operator, 8, a, b) == 1;
                let is_left = |ways: Option<Ways>| ways.is_some_and(|ways| ways >> bit & 1 == 1);
                assert!(is_left(ways(operator, holds)), "{operator:?} {a} {b}");
                assert!(!is_left(ways(operator, !holds)), "{operator:?} {a} {b}");
                let turned = arithmetic::binary(operator, 8, b, a) == 1;
                assert!(is_left(ways(operator, turned).map(exchanged)), "{operator:?} {b} {a}");
            }
        }
    }
}
