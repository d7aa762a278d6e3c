//! Smaller tests that do the same.
//!
//! What a search finds is full of what it needed on the way. A short test says more to who reads it,
//! runs faster, and is better material for the next ones.

use std::{collections::BTreeSet, ops::Range};

use parallax_run::{Entry, TestCase};

/// The most runs that are spent on one test.
const MOST_RUNS: usize = 32;
/// Pieces that a text is cut into, from large to small.
const PIECES: [usize; 4] = [2, 4, 8, 16];

/// The smallest test that `is_as_good` and that is found by leaving out parts of this one.
pub(crate) fn trimmed<E>(
    test: &TestCase,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    cut(test, &mut { MOST_RUNS }, is_as_good)
}

/// The smallest and plainest test that `is_as_good` and that is found in so many tries: by leaving out
/// parts of this one again and again, and then by putting plain characters in the place of others.
pub fn shrunk<E>(
    test: &TestCase,
    tries: usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut left = tries;
    let mut best = test.clone();
    loop {
        let smaller = cut(&best, &mut left, is_as_good)?;
        let smaller = cut_at_seams(&smaller, &mut left, is_as_good)?;
        if smaller == best || left == 0 {
            break;
        }
        best = smaller;
    }
    plain(&best, &mut left, is_as_good)
}

/// The plainest characters, the plainest first.
const PLAIN: &[u8] = b"a01 b-A";

/// How strange a character is.
fn strangeness(byte: u8) -> u16 {
    let plain = PLAIN.iter().position(|plain| *plain == byte);
    match (plain, byte) {
        (Some(place), _) => place as u16,
        (None, b'\n') => 10,
        (None, b'a'..=b'z' | b'0'..=b'9') => 100 + u16::from(byte),
        (None, 33..=126) => 400 + u16::from(byte),
        (None, _) => 800 + u16::from(byte),
    }
}

/// Puts plain characters in the place of others: of all that are alike, and then of each.
fn plain<E>(
    test: &TestCase,
    left: &mut usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut best = test.clone();
    let mut attempt = |best: &mut TestCase, change: &dyn Fn(&mut TestCase)| {
        let mut other = best.clone();
        change(&mut other);
        if *left == 0 || other == *best || !test.is_kept_by(&other) {
            return Ok(false);
        }
        *left -= 1;
        let is_good = is_as_good(&other)?;
        if is_good {
            *best = other;
        }
        Ok(is_good)
    };
    let bytes: BTreeSet<u8> =
        parts(&mut best.clone()).into_iter().flatten().map(|it| *it).collect();
    for byte in bytes {
        for plainer in plainer(byte) {
            let exchange = |test: &mut TestCase| {
                let all = parts(test).into_iter().flatten();
                all.filter(|it| **it == byte).for_each(|it| *it = plainer);
            };
            if attempt(&mut best, &exchange)? {
                break;
            }
        }
    }
    for part in 0..parts(&mut best.clone()).len() {
        for at in 0..parts(&mut best)[part].len() {
            let byte = parts(&mut best)[part][at];
            for plainer in plainer(byte) {
                if attempt(&mut best, &|test| parts(test)[part][at] = plainer)? {
                    break;
                }
            }
        }
    }
    Ok(best)
}

/// The characters that are plainer than this one, the plainest first.
fn plainer(byte: u8) -> impl Iterator<Item = u8> {
    PLAIN.iter().copied().filter(move |plain| strangeness(*plain) < strangeness(byte))
}

/// Leaves out what can be left out, once.
fn cut<E>(
    test: &TestCase,
    left: &mut usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut best = test.clone();
    let mut attempt = |best: &mut TestCase, smaller: TestCase| {
        if *left == 0 || smaller == *best || !test.is_kept_by(&smaller) {
            return Ok(false);
        }
        *left -= 1;
        let is_good = is_as_good(&smaller)?;
        if is_good {
            *best = smaller;
        }
        Ok(is_good)
    };
    if best.stdin.is_some() {
        let smaller = TestCase { stdin: None, ..best.clone() };
        attempt(&mut best, smaller)?;
    }
    let names: Vec<_> = best.files.keys().cloned().collect();
    for name in names {
        let mut smaller = best.clone();
        smaller.files.remove(&name);
        attempt(&mut best, smaller)?;
    }
    let variables: Vec<_> = best.env.keys().cloned().collect();
    for variable in variables {
        let mut smaller = best.clone();
        smaller.env.remove(&variable);
        attempt(&mut best, smaller)?;
    }
    for place in (0..best.args.len()).rev() {
        let mut smaller = best.clone();
        smaller.args.remove(place);
        attempt(&mut best, smaller)?;
    }
    for part in 0..parts(&mut best.clone()).len() {
        for pieces in PIECES {
            let length = parts(&mut best)[part].len();
            let size = length.div_ceil(pieces);
            // The end of a text is what is needed least.
            let mut end = length;
            while end > 0 && size > 0 {
                let start = end.saturating_sub(size);
                let mut smaller = best.clone();
                let mut texts = parts(&mut smaller);
                let until = end.min(texts[part].len());
                texts[part].drain(start.min(until)..until);
                attempt(&mut best, smaller)?;
                end = start;
            }
            if size <= 1 {
                break;
            }
        }
    }
    Ok(best)
}

/// Texts up to this long lose single bytes.
const SHORT: usize = 32;

/// Leaves out what equal pieces miss, once: single lines, and single bytes of texts that are short.
fn cut_at_seams<E>(
    test: &TestCase,
    left: &mut usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut best = test.clone();
    for part in 0..parts(&mut best.clone()).len() {
        let lines = |text: &[u8]| {
            let lines = text.split_inclusive(|byte| *byte == b'\n').scan(0, |end, line| {
                *end += line.len();
                Some(*end - line.len()..*end)
            });
            lines.collect::<Vec<_>>()
        };
        let bytes = |text: &[u8]| match text.len() {
            0..=SHORT => (0..text.len()).map(|at| at..at + 1).collect(),
            _ => Vec::new(),
        };
        for seams in [&lines as &dyn Fn(&[u8]) -> Vec<Range<usize>>, &bytes] {
            let pieces = seams(parts(&mut best)[part]);
            // What comes before a piece stays where it is when the piece goes.
            for piece in pieces.into_iter().rev() {
                let mut smaller = best.clone();
                parts(&mut smaller)[part].drain(piece);
                if *left == 0 || !test.is_kept_by(&smaller) {
                    continue;
                }
                *left -= 1;
                if is_as_good(&smaller)? {
                    best = smaller;
                }
            }
        }
    }
    Ok(best)
}

/// All texts of a test.
fn parts(test: &mut TestCase) -> Vec<&mut Vec<u8>> {
    let files = test.files.values_mut().filter_map(|entry| match entry {
        Entry::File { data, .. } => Some(data),
        Entry::Symlink(_) | Entry::Directory => None,
    });
    test.stdin.iter_mut().chain(files).chain(&mut test.args).collect()
}

#[cfg(test)]
mod tests {
    use parallax_run::Fixed;

    use super::*;

    #[test]
    fn what_is_not_needed_is_left_out() {
        let test = TestCase {
            args: vec![b"-v".to_vec(), b"-n".to_vec(), b"x".to_vec()],
            stdin: Some(b"one two needle three".to_vec()),
            env: [(b"LANG".to_vec(), b"C".to_vec())].into(),
            ..TestCase::default()
        };
        let mut runs = 0;
        let small = trimmed(&test, &mut |test: &TestCase| {
            runs += 1;
            let text = test.stdin.clone().unwrap_or_default();
            let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
            Ok::<_, ()>(has(b"needle") && test.args.contains(&b"-n".to_vec()))
        });
        let small = small.unwrap();
        assert_eq!(small.args, [b"-n"]);
        assert!(small.env.is_empty(), "{:?}", small.env);
        let text = small.stdin.unwrap();
        assert!(text.len() <= 12 && text.windows(6).any(|part| part == b"needle"), "{text:?}");
        assert!(runs <= MOST_RUNS);
    }

    #[test]
    fn what_is_strange_becomes_plain() {
        let test = TestCase { stdin: Some(b"x\xff\x01q}".to_vec()), ..TestCase::default() };
        let small = shrunk(&test, 200, &mut |test: &TestCase| {
            let text = test.stdin.clone().unwrap_or_default();
            Ok::<_, ()>(text.len() >= 3 && text.contains(&b'q'))
        });
        assert_eq!(small.unwrap().stdin.unwrap(), b"aqa");
    }

    #[test]
    fn lines_and_bytes_that_are_not_needed_are_left_out_wherever_they_are() {
        let text = "open a\nop\nset a 100\nlook at something else\nshow a\n";
        let test = TestCase { stdin: Some(text.into()), ..TestCase::default() };
        let small = shrunk(&test, 200, &mut |test: &TestCase| {
            let text = String::from_utf8(test.stdin.clone().unwrap_or_default()).unwrap();
            let mut lines = text.lines();
            let needed = ["open a", "set a 100", "show a"];
            Ok::<_, ()>(needed.iter().all(|needed| lines.any(|line| line == *needed)))
        });
        assert_eq!(small.unwrap().stdin.unwrap(), b"open a\nset a 100\nshow a");
    }

    #[test]
    fn what_is_fixed_stays() {
        let test = TestCase {
            args: vec![b"xyz".to_vec(), b"b".to_vec()],
            stdin: Some(b"text".to_vec()),
            fixed: vec![Fixed::Argument(0)],
            ..TestCase::default()
        };
        let small = shrunk(&test, 200, &mut |_: &TestCase| Ok::<_, ()>(true)).unwrap();
        assert_eq!((&small.args[..], small.stdin), (&[b"xyz".to_vec()][..], None));
    }

    #[test]
    fn what_is_needed_stays() {
        let test = TestCase { stdin: Some(b"abc".to_vec()), ..TestCase::default() };
        let same = trimmed(&test, &mut |smaller: &TestCase| Ok::<_, ()>(*smaller == test));
        assert_eq!(same.unwrap(), test);
    }
}
