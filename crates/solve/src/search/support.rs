//! The variables that each condition depends on.

use super::program::{Kind, Program};

/// A set of variables for each condition, as bits.
pub(super) struct Supports {
    count: u32,
    words: usize,
    /// `None` if there were too many: every variable may matter then.
    bits: Option<Vec<u64>>,
}

/// Sets of all operations that take more words than that are not computed.
const WORDS: usize = 1 << 20;

impl Supports {
    pub(super) fn new(program: &Program) -> Supports {
        let count = program.variables.len() as u32;
        let words = program.variables.len().div_ceil(64);
        let size = words * program.operations.len();
        if size > WORDS || words * program.conditions.len() > WORDS {
            return Supports { count, words, bits: None };
        }
        let mut all = vec![0; size];
        for (at, operation) in program.operations.iter().enumerate() {
            let (before, set) = all.split_at_mut(at * words);
            let mut join = |from: u32| {
                let other = &before[from as usize * words..][..words];
                set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
            };
            match operation.kind {
                Kind::Constant(_) => {}
                Kind::Variable(index) => set[index as usize / 64] |= 1 << (index % 64),
                Kind::Extract { a, .. } | Kind::Unary { a, .. } => join(a),
                Kind::Binary { a, b, .. } => [a, b].into_iter().for_each(join),
                Kind::Ternary { a, b, c, .. } => [a, b, c].into_iter().for_each(join),
                Kind::Load { table, address } => {
                    join(address);
                    let cells = &program.tables[table as usize].symbolic;
                    cells.iter().for_each(|(_, cell)| join(*cell));
                }
            }
        }
        let row = |at: &u32| all[*at as usize * words..][..words].iter().copied();
        let bits = program.conditions.iter().flat_map(row).collect();
        Supports { count, words, bits: Some(bits) }
    }

    /// Adds the variables of a condition to a set.
    pub(super) fn join(&self, condition: usize, set: &mut Vec<u64>) {
        set.resize(self.words, 0);
        match &self.bits {
            Some(bits) => {
                let row = &bits[condition * self.words..][..self.words];
                set.iter_mut().zip(row).for_each(|(word, other)| *word |= other);
            }
            None => set.fill(u64::MAX),
        }
    }

    /// The variables of a set, in ascending order.
    pub(super) fn list(&self, set: &[u64]) -> Vec<u32> {
        let mut found = Vec::new();
        for (index, word) in set.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                found.push(64 * index as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        found.retain(|variable| *variable < self.count);
        found
    }

    /// The variable of a condition that depends on only one.
    pub(super) fn only(&self, condition: usize) -> Option<u32> {
        let row = &self.bits.as_ref()?[condition * self.words..][..self.words];
        let mut used = row.iter().enumerate().filter(|(_, word)| **word != 0);
        let (index, word) = used.next()?;
        let is_one = word.is_power_of_two() && used.next().is_none();
        is_one.then(|| 64 * index as u32 + word.trailing_zeros())
    }
}
