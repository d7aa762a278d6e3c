//! Operands for which a comparison holds, or does not.

use super::Inversion;
use crate::{
    Binary,
    arithmetic::{mask, sign_bit},
    search::random::Random,
};

impl Inversion<'_> {
    pub(super) fn predicate(
        &mut self,
        operator: Binary,
        a: u32,
        b: u32,
        holds: bool,
        random: &mut Random,
    ) {
        use Binary::*;
        let sign = sign_bit(self.program.width(a));
        match operator {
            Eq | Ne if (operator == Eq) == holds => {
                let (side, other) = self.side(a, b, random);
                self.wish_all(side, self.value(other));
            }
            Eq | Ne => {
                let (side, other) = self.side(a, b, random);
                let value = self.value(other);
                let other = [value.wrapping_add(1), value.wrapping_sub(1), random.wide()];
                self.wish_all(side, other[random.below(3)]);
            }
            ULt | USubOverflow if holds => self.order(a, b, 1, 0, random),
            ULt | USubOverflow => self.order(b, a, 0, 0, random),
            ULe if holds => self.order(a, b, 0, 0, random),
            ULe => self.order(b, a, 1, 0, random),
            SLt if holds => self.order(a, b, 1, sign, random),
            SLt => self.order(b, a, 0, sign, random),
            SLe if holds => self.order(a, b, 0, sign, random),
            SLe => self.order(b, a, 1, sign, random),
            _ if operator.takes_floats() => self.float_predicate(operator, a, b, holds, random),
            _ => {
                // Large numbers overflow, small ones do not.
                let (side, _) = self.side(a, b, random);
                let large = if random.once_in(2) { mask(128) } else { sign };
                let some = random.wide() >> random.below(128);
                self.wish_all(
                    side,
                    if random.once_in(2) { some } else { large * u128::from(holds) },
                );
            }
        }
    }

    /// The first operand is to be less than the second by `gap` at least, in the order in which
    /// `bias` flips the sign bits.
    fn order(&mut self, low: u32, high: u32, gap: u128, bias: u128, random: &mut Random) {
        let most = mask(self.program.width(low));
        let (least, greatest) = (self.value(low) ^ bias, self.value(high) ^ bias);
        let (side, _) = self.side(low, high, random);
        let lowers = side == low && greatest >= gap;
        let (side, from, to, nearest) = if lowers || least > most - gap {
            let to = greatest.saturating_sub(gap);
            (low, 0, to, to)
        } else {
            (high, least + gap, most, least + gap)
        };
        let wanted = match random.below(4) {
            0 => {
                // Near the bound more often than far from it.
                let away = (random.wide() & mask(128)) >> random.below(128);
                let away = away % (to - from).saturating_add(1).max(1);
                if nearest == from { from + away } else { to - away }
            }
            1 => from + random.wide() % (to - from).saturating_add(1).max(1),
            _ => nearest,
        };
        self.wish_all(side, wanted ^ bias);
    }
}
