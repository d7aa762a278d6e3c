//! Smaller tests that do the same.
//!
//! What a search finds is full of what it needed on the way. A short test says more to its reader,
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
/// parts of this one and putting plain characters in the place of others, again and again.
pub fn shrunk<E>(
    test: &TestCase,
    tries: usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut left = tries;
    let mut best = test.clone();
    loop {
        let smaller = cut_all(&best, &mut left, is_as_good)?;
        let plainer = plain(&smaller, &mut left, is_as_good)?;
        // With plain characters in it, more of it may be left out.
        if plainer == best || plainer == smaller || left == 0 {
            return Ok(plainer);
        }
        best = plainer;
    }
}

/// Leaves out what can be left out, again and again.
fn cut_all<E>(
    test: &TestCase,
    left: &mut usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut best = test.clone();
    loop {
        let smaller = cut(&best, left, is_as_good)?;
        let smaller = cut_at_seams(&smaller, left, is_as_good)?;
        if smaller == best || *left == 0 {
            return Ok(smaller);
        }
        best = smaller;
    }
}

/// The best test so far, and how much may be spent on better ones.
struct Attempts<'a, E> {
    given: &'a TestCase,
    best: TestCase,
    left: &'a mut usize,
    is_as_good: &'a mut dyn FnMut(&TestCase) -> Result<bool, E>,
}

impl<'a, E> Attempts<'a, E> {
    fn new(
        given: &'a TestCase,
        left: &'a mut usize,
        is_as_good: &'a mut dyn FnMut(&TestCase) -> Result<bool, E>,
    ) -> Attempts<'a, E> {
        Attempts { given, best: given.clone(), left, is_as_good }
    }

    /// Changes the best test, if that is as good.
    fn attempt(&mut self, change: impl FnOnce(&mut TestCase)) -> Result<bool, E> {
        let mut other = self.best.clone();
        change(&mut other);
        if *self.left == 0 || other == self.best || !self.given.is_kept_by(&other) {
            return Ok(false);
        }
        *self.left -= 1;
        let is_good = (self.is_as_good)(&other)?;
        if is_good {
            self.best = other;
        }
        Ok(is_good)
    }

    /// One of the texts of the best test.
    fn text(&mut self, part: usize) -> &[u8] {
        parts(&mut self.best).swap_remove(part)
    }

    fn texts(&mut self) -> usize {
        parts(&mut self.best).len()
    }
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
    let mut attempts = Attempts::new(test, left, is_as_good);
    let bytes: BTreeSet<u8> =
        parts(&mut test.clone()).into_iter().flatten().map(|it| *it).collect();
    for byte in bytes {
        for plainer in plainer(byte) {
            let exchange = |test: &mut TestCase| {
                let all = parts(test).into_iter().flatten();
                all.filter(|it| **it == byte).for_each(|it| *it = plainer);
            };
            if attempts.attempt(exchange)? {
                break;
            }
        }
    }
    for part in 0..attempts.texts() {
        for at in 0..attempts.text(part).len() {
            for plainer in plainer(attempts.text(part)[at]) {
                if attempts.attempt(|test| parts(test)[part][at] = plainer)? {
                    break;
                }
            }
        }
    }
    Ok(attempts.best)
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
    let mut attempts = Attempts::new(test, left, is_as_good);
    attempts.attempt(|test| test.stdin = None)?;
    for name in test.files.keys() {
        attempts.attempt(|test| drop(test.files.remove(name)))?;
    }
    for variable in test.env.keys() {
        attempts.attempt(|test| drop(test.env.remove(variable)))?;
    }
    for place in (0..test.args.len()).rev() {
        attempts.attempt(|test| drop(test.args.remove(place)))?;
    }
    for part in 0..attempts.texts() {
        for pieces in PIECES {
            let length = attempts.text(part).len();
            let size = length.div_ceil(pieces);
            // The end of a text is what is needed least.
            let mut end = length;
            while end > 0 && size > 0 {
                let start = end.saturating_sub(size);
                attempts.attempt(|test| drop(parts(test)[part].drain(start..end)))?;
                end = start;
            }
            if size <= 1 {
                break;
            }
        }
    }
    Ok(attempts.best)
}

/// Texts up to this long lose single bytes.
const SHORT: usize = 32;

/// Leaves out what equal pieces miss, once: single lines, and single bytes of texts that are short.
fn cut_at_seams<E>(
    test: &TestCase,
    left: &mut usize,
    is_as_good: &mut dyn FnMut(&TestCase) -> Result<bool, E>,
) -> Result<TestCase, E> {
    let mut attempts = Attempts::new(test, left, is_as_good);
    for part in 0..attempts.texts() {
        for seams in [lines, bytes] {
            // What comes before a piece stays where it is when the piece goes.
            for piece in seams(attempts.text(part)).into_iter().rev() {
                attempts.attempt(|test| drop(parts(test)[part].drain(piece)))?;
            }
        }
    }
    Ok(attempts.best)
}

fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let lines = text.split_inclusive(|byte| *byte == b'\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end - line.len()..*end)
    });
    lines.collect()
}

fn bytes(text: &[u8]) -> Vec<Range<usize>> {
    let count = if text.len() <= SHORT { text.len() } else { 0 };
    (0..count).map(|at| at..at + 1).collect()
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
    fn what_plain_characters_make_needless_is_left_out() {
        let test = TestCase { args: vec![b"1x%%-1x%%".to_vec()], ..TestCase::default() };
        // Both halves are alike, and a sign ends its text.
        let mut is_as_good = |test: &TestCase| -> Result<bool, ()> {
            let [argument] = &test.args[..] else { return Ok(false) };
            let halves: Vec<_> = argument.split(|byte| *byte == b'-').collect();
            let [one, other] = &halves[..] else { return Ok(false) };
            let signs = |half: &[u8]| half.iter().filter(|byte| **byte == b'%').count();
            let is_number = one.first() == Some(&b'1') && other.first() == Some(&b'1');
            Ok(is_number && signs(one) == signs(other) && (signs(one) == 0 || one == other))
        };
        let shrunk = shrunk(&test, 400, &mut is_as_good).expect("nothing can fail");
        assert_eq!(shrunk.args, [b"1-1".to_vec()]);
    }

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
