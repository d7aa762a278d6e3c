//! New tests from old ones by small random changes.
//!
//! Solving finds what is behind a condition; it does not find that a line should come twice, or that
//! an option belongs to a text. Changes at random do, now and then, and cost nothing but a run that
//! is not traced.

use std::{collections::VecDeque, sync::Arc};

use parallax_run::TestCase;

use crate::{
    generator::Round,
    knowledge::Knowledge,
    splice::{Chance, cross, some_text, text_at, texts},
};

/// The most changes to one test.
const MOST_CHANGES: usize = 6;
/// How many tests came last.
const RECENT: usize = 24;
/// Bytes that mean something to many programs.
const BYTES: &[u8] = b" \n\t0123456789-+.,:;=/\\*()[]{}<>\"'`|&%$#@!?~^_aAzZxX\0\x7f\x80\xff";
/// Numbers at which something changes, and some that just are there.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "10",
    "12",
    "16",
    "31",
    "32",
    "60",
    "64",
    "99",
    "100",
    "127",
    "128",
    "255",
    "256",
    "365",
    "999",
    "1000",
    "1024",
    "2000",
    "4096",
    "32767",
    "32768",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "1e3",
    "0.5",
    "1e400",
];

/// What changes are made of.
pub(crate) struct Material<'m> {
    /// Tests that have found something; the last ones know most.
    pub(crate) kept: &'m [Arc<TestCase>],
    /// Tests that have done something that no other had, but covered nothing.
    pub(crate) others: &'m VecDeque<Arc<TestCase>>,
    /// Tokens of the dictionary.
    pub(crate) words: &'m [Vec<u8>],
}

impl<'m> Material<'m> {
    /// What a campaign knows, with the tokens of a round.
    pub(crate) fn of(knowledge: &'m Knowledge, round: &Round) -> Material<'m> {
        let Knowledge { corpus, tokens, .. } = knowledge;
        let words = if round.uses_learnt { &tokens.learnt } else { &tokens.program };
        Material { kept: corpus.kept(), others: corpus.others(), words }
    }

    fn any<'s>(&'s self, chance: &mut Chance) -> Option<&'s TestCase> {
        let (kept, others) = (self.kept.len(), self.others.len());
        let test = match chance.below(5) {
            0 if others > 0 => self.others.get(chance.below(others)),
            1 | 2 if kept > 0 => self.kept.get(kept - 1 - chance.below(kept.min(RECENT))),
            _ => self.kept.get(chance.below(kept)),
        };
        test.map(|test| &**test)
    }

    fn word(&self, chance: &mut Chance) -> Option<&[u8]> {
        self.words.get(chance.below(self.words.len())).map(Vec::as_slice)
    }
}

/// A test with parts of two; `None` if there are none.
pub(crate) fn crossed(chance: &mut Chance, material: &Material<'_>) -> Option<TestCase> {
    let one = material.any(chance)?;
    let other = material.any(chance)?;
    Some(cross(chance, one, other))
}

/// A test with some changes; `None` if there is nothing to change.
pub(crate) fn mutant(chance: &mut Chance, material: &Material<'_>) -> Option<TestCase> {
    let mut test = material.any(chance)?.clone();
    for _ in 0..=chance.below(MOST_CHANGES).min(chance.below(MOST_CHANGES)) {
        change(chance, material, &mut test);
    }
    Some(test)
}

fn change(chance: &mut Chance, material: &Material<'_>, test: &mut TestCase) {
    match chance.below(8) {
        0..=2 => {
            if let Some(other) = material.any(chance) {
                *test = cross(chance, test, other);
            }
        }
        3 => change_arguments(chance, material, &mut test.args),
        // Where there are arguments and a text, either may be what matters.
        4 if !test.args.is_empty() => {
            let place = chance.below(test.args.len());
            change_bytes(chance, material, &mut test.args[place]);
            test.args[place].retain(|byte| *byte != 0);
        }
        _ if !test.args.is_empty() && texts(test).is_empty() && chance.below(4) > 0 => {
            let place = chance.below(test.args.len());
            change_bytes(chance, material, &mut test.args[place]);
            test.args[place].retain(|byte| *byte != 0);
        }
        _ => {
            let place = some_text(chance, test);
            change_bytes(chance, material, text_at(test, place));
        }
    }
}

fn change_arguments(chance: &mut Chance, material: &Material<'_>, args: &mut Vec<Vec<u8>>) {
    let place = chance.below(args.len());
    match chance.below(5) {
        0 if !args.is_empty() => drop(args.remove(place)),
        1 if !args.is_empty() => args.insert(place, args[place].clone()),
        2 if !args.is_empty() => {
            let other = chance.below(args.len());
            args.swap(place, other);
        }
        3 => {
            let others = material.any(chance).map_or(&[][..], |other| &other.args);
            if let Some(other) = others.get(chance.below(others.len())) {
                args.insert(chance.below(args.len() + 1), other.clone());
            }
        }
        _ => {
            let letter = b'!' + chance.below(94) as u8;
            args.insert(chance.below(args.len() + 1), vec![b'-', letter]);
        }
    }
}

fn change_bytes(chance: &mut Chance, material: &Material<'_>, bytes: &mut Vec<u8>) {
    let place = chance.below(bytes.len());
    let some = |chance: &mut Chance| BYTES[chance.below(BYTES.len())];
    if bytes.is_empty() {
        bytes.push(some(chance));
        return;
    }
    match chance.below(10) {
        0 => bytes[place] ^= 1 << chance.below(8),
        1 => bytes[place] = some(chance),
        2 => bytes[place] = bytes[place].wrapping_add(1 + chance.below(3) as u8).wrapping_sub(2),
        3 => bytes.insert(chance.below(bytes.len() + 1), some(chance)),
        4 => {
            let range = range(chance, bytes.len());
            bytes.drain(range);
        }
        5 => {
            let piece = bytes[range(chance, bytes.len())].to_vec();
            let place = chance.below(bytes.len() + 1);
            bytes.splice(place..place, piece);
        }
        6 => {
            if let Some(word) = material.word(chance) {
                let place = chance.below(bytes.len() + 1);
                bytes.splice(place..place, word.iter().copied());
            }
        }
        7 => {
            let texts = material.any(chance).map(texts).unwrap_or_default();
            let piece = texts.get(chance.below(texts.len())).map_or(&[][..], |(_, text)| text);
            let piece = piece[range(chance, piece.len())].to_vec();
            let place = chance.below(bytes.len() + 1);
            let end =
                if chance.below(2) == 0 { place } else { bytes.len().min(place + piece.len()) };
            bytes.splice(place..end, piece);
        }
        8 => {
            let number = NUMBERS[chance.below(NUMBERS.len())];
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            let start =
                bytes[..place].iter().rposition(|byte| !is_digit(byte)).map_or(0, |at| at + 1);
            let length = bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
            bytes.splice(start..start + length, number.bytes());
        }
        _ => {
            // A binary number of some width in some order.
            let width = 1 << chance.below(3);
            let number = [0_u32, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, u32::MAX];
            let number = number[chance.below(number.len())];
            let all = if chance.below(2) == 0 {
                number.to_le_bytes()
            } else {
                number.swap_bytes().to_le_bytes()
            };
            for (byte, new) in bytes[place..].iter_mut().zip(&all[..width]) {
                *byte = *new;
            }
        }
    }
}

/// A piece of something with this length; short ones are more likely.
fn range(chance: &mut Chance, length: usize) -> std::ops::Range<usize> {
    let start = chance.below(length);
    let most = (length - start).min(1 << chance.below(8));
    start..start + chance.below(most + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn mutants_differ_and_are_the_same_each_time() {
        let test = TestCase {
            args: vec![b"-n".to_vec(), b"12".to_vec()],
            stdin: Some(b"let a 1\nprint a\n".to_vec()),
            ..TestCase::default()
        };
        let (kept, words) = (vec![Arc::new(test)], vec![b"word".to_vec()]);
        let make = || {
            let mut chance = Chance::new(3);
            let material = Material { kept: &kept, others: &VecDeque::new(), words: &words };
            (0..300).filter_map(|_| mutant(&mut chance, &material)).collect::<Vec<_>>()
        };
        let made = make();
        assert_eq!(made, make());
        let different: HashSet<_> = made.iter().collect();
        assert!(different.len() > 200, "{}", different.len());
        assert!(made.iter().all(|test| test.args.iter().all(|arg| !arg.contains(&0))));
    }

    #[test]
    fn of_nothing_there_is_no_mutant() {
        let material = Material { kept: &[], others: &VecDeque::new(), words: &[] };
        assert_eq!(mutant(&mut Chance::new(1), &material), None);
    }
}
