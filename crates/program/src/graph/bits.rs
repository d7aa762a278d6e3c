//! A set of small numbers.

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits { words: vec![0; bound.div_ceil(64)] }
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a number; says whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        if number / 64 >= self.words.len() {
            self.words.resize(number / 64 + 1, 0);
        }
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds all members of another set.
    pub fn add_all(&mut self, other: &Bits) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Adds all members of another set and returns the new ones.
    pub fn add_new(&mut self, other: &Bits) -> Bits {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let new = |(word, more): (&mut u64, &u64)| {
            let new = more & !*word;
            *word |= new;
            new
        };
        Bits { words: self.words.iter_mut().zip(&other.words).map(new).collect() }
    }

    /// Removes a number.
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// The intersection.
    pub fn and(&self, other: &Bits) -> Bits {
        let words = self.words.iter().zip(&other.words);
        Bits { words: words.map(|(one, other)| one & other).collect() }
    }

    /// The difference.
    pub fn without(&self, other: &Bits) -> Bits {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        Bits { words: self.words.iter().zip(others).map(|(one, other)| one & !other).collect() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Bits {
        let mut bits = Bits::default();
        for number in numbers {
            bits.insert(number);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_ascending_and_once() {
        let mut bits = Bits::new(10);
        assert!(bits.insert(130) && bits.insert(3) && bits.insert(63) && !bits.insert(3));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [3, 63, 130]);
        assert!(bits.contains(63) && !bits.contains(64) && !bits.contains(1000));
        assert_eq!(bits.len(), 3);
    }
}
