//! Tests in which a part is repeated many times: limits are not reached one step at a time.
//!
//! A table that is full, a name that is too long, a nesting that is too deep: what a path lacks for
//! these is not another value but the same once more, and once more again.

use std::{collections::VecDeque, sync::Arc};

use parallax_run::TestCase;

use super::{Generator, Quota, Room, Round, together};
use crate::{
    knowledge::{Knowledge, Observed},
    splice::{Place, text_at, texts},
    worker::Job,
};

/// How often a line or an argument is repeated: few times, and so that it is beyond what programs put
/// up with.
const TIMES: [usize; 4] = [5, 20, 70, 300];
/// The same for a byte: programs ask for names of a certain length.
const LENGTHS: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 25, 70, 300];
/// The most parts of each kind that are repeated.
const MOST_PARTS: usize = 6;
/// The longest that a text may become.
const LONGEST: usize = 4000;
/// Tests that wait.
const MOST_WAITING: usize = 4000;

/// Has tests grow.
#[derive(Default)]
pub(crate) struct Growth {
    waiting: VecDeque<(Arc<TestCase>, Step)>,
}

/// What is repeated how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    part: Part,
    times: usize,
}

/// A part of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// An argument, as often as it comes.
    Argument(usize),
    /// A byte of an argument.
    InArgument(usize, usize),
    /// Bytes of a text. `varied`: no two copies are alike.
    Text { place: Place, start: usize, end: usize, varied: bool },
}

impl Generator for Growth {
    fn name(&self) -> &'static str {
        "growth"
    }

    fn purpose(&self) -> &'static str {
        "repeats parts of tests many times"
    }

    fn quota(&self) -> Quota {
        Quota { even: 24.0, bounds: 8..=128, room: Room::Unsolved(1) }
    }

    fn observe(&mut self, Observed { test, discovery, .. }: &Observed<'_>, _: &Knowledge) {
        if discovery.is_kept() {
            self.add(test);
        }
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let mut made = self.next(quota);
        made.retain(|test| knowledge.corpus.is_wanted(test));
        together(&made)
    }
}

impl Growth {
    /// Adds a test. Those that came last are the first.
    fn add(&mut self, test: &Arc<TestCase>) {
        for part in parts(test).into_iter().rev() {
            for times in part.times().iter().copied().rev() {
                self.waiting.push_front((Arc::clone(test), Step { part, times }));
            }
        }
        self.waiting.truncate(MOST_WAITING);
    }

    /// The next tests.
    fn next(&mut self, count: usize) -> Vec<TestCase> {
        let count = count.min(self.waiting.len());
        self.waiting.drain(..count).filter_map(|(test, step)| grown(&test, step)).collect()
    }
}

fn parts(test: &TestCase) -> Vec<Part> {
    let mut parts = Vec::new();
    for (place, text) in texts(test) {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            lines.push((start, start + line.len()));
            start += line.len();
        }
        let last = lines.len().saturating_sub(MOST_PARTS);
        for (start, end) in lines.drain(last..) {
            let line = |varied| Part::Text { place, start, end, varied };
            parts.extend([line(true), line(false)]);
        }
        let byte = |at| Part::Text { place, start: at, end: at + 1, varied: false };
        parts.extend(ends(text).map(byte));
    }
    for (number, argument) in test.args.iter().enumerate().take(MOST_PARTS) {
        parts.push(Part::Argument(number));
        parts.extend(ends(argument).map(|at| Part::InArgument(number, at)));
    }
    parts
}

impl Part {
    fn times(self) -> &'static [usize] {
        match self {
            Part::InArgument(..) => &LENGTHS,
            Part::Text { start, end, .. } if end - start == 1 => &LENGTHS,
            Part::Argument(_) | Part::Text { .. } => &TIMES,
        }
    }
}

/// The last bytes of the last words, and of what is between them.
fn ends(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_word = |at: usize| text[at].is_ascii_alphanumeric();
    let is_end = move |at: &usize| at + 1 == text.len() || is_word(*at) != is_word(at + 1);
    (0..text.len()).rev().filter(is_end).take(MOST_PARTS)
}

/// `None` if it would be too large.
fn grown(test: &TestCase, step: Step) -> Option<TestCase> {
    let mut made = test.clone();
    let times = step.times;
    match step.part {
        Part::Argument(number) => {
            let again = made.args[number].clone();
            made.args.splice(number..number, std::iter::repeat_n(again, times));
        }
        Part::InArgument(number, at) => {
            let again = made.args[number][at];
            made.args[number].splice(at..at, std::iter::repeat_n(again, times));
        }
        Part::Text { place, start, end, varied } => {
            let text = text_at(&mut made, place);
            if text.len() + times * (end - start) > LONGEST {
                return None;
            }
            let mut piece = text[start..end].to_vec();
            if end - start > 1 && piece.last() != Some(&b'\n') {
                piece.push(b'\n');
            }
            let copies = (0..times).flat_map(|number| match varied {
                true => numbered(&piece, number),
                false => piece.clone(),
            });
            let copies: Vec<u8> = copies.collect();
            text.splice(start..start, copies);
        }
    }
    Some(made)
}

/// The line with its first word made another one by a number.
fn numbered(line: &[u8], number: usize) -> Vec<u8> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let Some(start) = line.iter().position(is_word) else { return line.to_vec() };
    let length = line[start..].iter().take_while(|byte| is_word(byte)).count();
    // Letters, as most names are not numbers.
    let letters = [b'a' + (number / 26 % 26) as u8, b'a' + (number % 26) as u8];
    let mut made = line.to_vec();
    made.splice(start + length..start + length, letters);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_letters_and_arguments_come_many_times() {
        let test = TestCase {
            args: vec![b"-x".to_vec()],
            stdin: Some(b"let a\n(b".to_vec()),
            ..TestCase::default()
        };
        let mut growth = Growth::default();
        growth.add(&Arc::new(test));
        let made = growth.next(10_000);
        let has =
            |text: &str| made.iter().any(|test| test.stdin.as_deref() == Some(text.as_bytes()));
        assert!(has(&format!("let a\n{}(b", "(".repeat(300))));
        assert!(has(&format!("{}let a\n(b", "let a\n".repeat(5))));
        assert!(has("letaa a\nletab a\nletac a\nletad a\nletae a\nlet a\n(b"));
        assert!(made.iter().any(|test| test.args.len() == 21));
        assert!(made.iter().any(|test| test.args == [format!("-{}", "x".repeat(8)).into_bytes()]));
        assert!(growth.next(1).is_empty());
    }
}
