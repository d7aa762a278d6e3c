//! The values of one byte for which a condition holds.
//!
//! Most conditions of programs that read text are about a single byte. All 256 answers are found
//! by trying, once for each question up to renaming, and conditions on one byte are then solved by
//! intersecting sets, exactly.

use crate::{Graph, Key, Query, hash::QuickMap};

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain([u64; 4]);

impl Domain {
    /// All bytes.
    pub const ALL: Domain = Domain([u64::MAX; 4]);
    /// No byte.
    pub const NONE: Domain = Domain([0; 4]);

    /// Whether a byte is in it.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// The bytes in both.
    pub fn intersection(&self, other: &Domain) -> Domain {
        Domain(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The bytes in either.
    pub(crate) fn union(&self, other: &Domain) -> Domain {
        Domain(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The bytes from the first to the last.
    pub(crate) fn between(first: u8, last: u8) -> Domain {
        let above = |from: u32| match from {
            0..=63 => u64::MAX << from,
            _ => 0,
        };
        let (first, next) = (u32::from(first), u32::from(last) + 1);
        Domain(std::array::from_fn(|word| {
            let start = 64 * word as u32;
            let of_word = |bound: u32| above(bound.saturating_sub(start));
            of_word(first) & !of_word(next)
        }))
    }

    /// The least byte and the greatest, unless there is nothing in it.
    pub(crate) fn bounds(&self) -> Option<(u8, u8)> {
        let first = self.0.iter().position(|word| *word != 0)?;
        let last = self.0.iter().rposition(|word| *word != 0)?;
        let least = 64 * first as u32 + self.0[first].trailing_zeros();
        let most = 64 * last as u32 + 63 - self.0[last].leading_zeros();
        Some((least as u8, most as u8))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// How many bytes are in it.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// A byte of it: `now` if it is there, else the nearest of the kind that texts are made of,
    /// different for different `salt`. It must not be empty.
    pub(crate) fn pick(&self, now: u8, salt: u64) -> u8 {
        if self.contains(now) {
            return now;
        }
        let kinds: [fn(&u8) -> bool; 4] = [
            u8::is_ascii_alphanumeric,
            u8::is_ascii_graphic,
            |byte| byte.is_ascii_whitespace(),
            |_| true,
        ];
        let of_kind = |kind: &fn(&u8) -> bool| self.iter().filter(kind).collect::<Vec<_>>();
        let found = kinds.iter().map(of_kind).find(|found| !found.is_empty()).unwrap_or_default();
        let index = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        found.get(index as usize % found.len().max(1)).copied().unwrap_or(now)
    }

    /// The bytes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255).filter(|byte| self.contains(*byte))
    }
}

/// Domains of conditions, cached.
#[derive(Default)]
pub(crate) struct Domains {
    by_key: QuickMap<u128, Domain>,
}

/// Conditions of more operations are not worth 256 evaluations. Each condition of a loop may contain
/// all earlier ones: visiting all of them again each time takes too long.
pub(crate) const MOST_OPERATIONS: usize = 256;
/// How many domains are kept.
const MOST_KEPT: usize = 1 << 20;

impl Domains {
    /// The bytes for which a query about a single byte holds; `None` if it is about something else
    /// or too large. Where it has no value, because a load leaves its memory, it does not hold.
    pub(crate) fn of(&mut self, graph: &Graph, query: &Query) -> Option<Domain> {
        let [variable] = query.variables[..] else { return None };
        if graph.variable(variable).width() > 8 || query.size() > MOST_OPERATIONS {
            return None;
        }
        let Key(key) = query.key;
        if let Some(domain) = self.by_key.get(&key) {
            return Some(*domain);
        }
        let domain = tabulate(graph, query);
        if self.by_key.len() >= MOST_KEPT {
            self.by_key.clear();
        }
        self.by_key.insert(key, domain);
        Some(domain)
    }
}

fn tabulate(graph: &Graph, query: &Query) -> Domain {
    let (mut domain, mut values) = (Domain::NONE, Vec::new());
    for byte in 0..=255 {
        if query.holds_with(graph, &[byte.into()], &mut values) {
            domain.insert(byte);
        }
    }
    domain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Origin, Unary, Variable};

    #[test]
    fn neighbours_are_a_set() {
        for (first, last) in [(0, 255), (0, 0), (255, 255), (63, 64), (10, 200), (128, 191)] {
            let set = Domain::between(first, last);
            assert!(set.iter().eq(first..=last), "{first} to {last}");
            assert_eq!(set.bounds(), Some((first, last)));
        }
        assert_eq!(Domain::NONE.bounds(), None);
    }

    #[test]
    fn a_condition_on_a_byte_is_a_set() {
        let graph = &mut Graph::literal();
        let byte = graph.variable_expr(&Variable::byte(Origin::Stdin, 3));
        let wide = graph.unary(Unary::ZeroExtend, 32, byte);
        let zero = graph.constant(32, 48);
        let digit = graph.binary(Binary::Sub, wide, zero);
        let ten = graph.constant(32, 10);
        let condition = graph.binary(Binary::ULt, digit, ten);
        let query = Query::new(graph, vec![condition]);
        let domain = Domains::default().of(graph, &query).expect("it is about one byte");
        assert_eq!(domain.iter().collect::<Vec<_>>(), b"0123456789");
        assert_eq!(domain.len(), 10);
    }
}
