//! New tests from those that have found something, without solving: what two of them do may be done
//! one after the other, and what one does may be done twice.
//!
//! A program that is told what to do line by line gets into a state by one line that matters for
//! another one. No condition on the path of the first leads to the second.

use parallax_run::{Entry, TestCase};
use parallax_solve::Origin;

use crate::{decision::hash, worker::Seam};

/// Numbers that look random and are the same each time.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (hash(0x5eed, self.0) >> 16) as usize % bound.max(1)
    }
}

/// Tests that do what one does and then what the other does, and where that begins.
pub(crate) fn joined(one: &TestCase, other: &TestCase) -> Vec<(TestCase, Seam)> {
    let mut made = Vec::new();
    for (place, second) in texts(other) {
        let mut test = one.clone();
        let origin = origin(&test, place);
        let first = text_at(&mut test, place);
        *first = followed(first, second);
        let begin = first.len() - second.len();
        made.push((test, Seam::Byte(origin, begin)));
    }
    if !other.args.is_empty() && !one.args.is_empty() {
        let mut test = one.clone();
        test.args.extend_from_slice(&other.args);
        if test.stdin.is_none() {
            test.stdin.clone_from(&other.stdin);
        }
        // The first argument is the program.
        made.push((test, Seam::Argument(1 + one.args.len())));
        made.extend(with_options(one, other));
    }
    made
}

/// Tests of a first part and a second one whose names are like those of the first: what one part has done to
/// something is seen by what another one does to the same. Tokens of the program itself are no names.
pub(crate) fn named_alike(
    test: &TestCase,
    seam: &Seam,
    is_word: &dyn Fn(&[u8]) -> bool,
) -> Vec<TestCase> {
    let Seam::Byte(at, begin) = seam else { return Vec::new() };
    let place = texts(test).into_iter().find(|(place, _)| origin(test, *place) == *at);
    let Some((place, text)) = place else { return Vec::new() };
    let (first, second) = text.split_at(*begin);
    let (known, others) = (names(first, is_word), names(second, is_word));
    let pairs = others.iter().flat_map(|other| known.iter().map(move |name| (*other, *name)));
    let pairs = pairs.filter(|(other, name)| other != name).take(MOST_ALIKE);
    let named = pairs.map(|(other, name)| {
        let mut made = test.clone();
        *text_at(&mut made, place) = [first, &renamed(second, other, name)].concat();
        made
    });
    named.collect()
}

/// Tests with names that are alike of one joined test.
const MOST_ALIKE: usize = 2;

fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || *byte == b'_'
}

/// Pieces of a text that are names, and those between them.
fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.chunk_by(|one, other| is_of_name(one) == is_of_name(other))
}

/// The names in a text, each once, the last first.
fn names<'t>(text: &'t [u8], is_word: &dyn Fn(&[u8]) -> bool) -> Vec<&'t [u8]> {
    let mut found: Vec<&[u8]> = Vec::new();
    let all: Vec<_> = pieces(text).filter(|piece| is_of_name(&piece[0])).collect();
    for name in all.into_iter().rev() {
        if !is_word(name) && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

fn renamed(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    pieces(text).map(|piece| if piece == from { to } else { piece }).collect::<Vec<_>>().concat()
}

/// What one test does, as the options of another one say. What else that one is given would be one more
/// thing to do.
fn with_options(one: &TestCase, other: &TestCase) -> Option<(TestCase, Seam)> {
    let is_option = |argument: &&Vec<u8>| argument.len() > 1 && argument[0] == b'-';
    let options = other.args.iter().filter(is_option);
    let new: Vec<_> = options.filter(|option| !one.args.contains(option)).cloned().collect();
    if new.is_empty() {
        return None;
    }
    let seam = Seam::Argument(1 + new.len());
    Some((TestCase { args: [new, one.args.clone()].concat(), ..one.clone() }, seam))
}

/// One text after the other, on a line of its own if they are texts of lines.
fn followed(first: &[u8], second: &[u8]) -> Vec<u8> {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b' '..=b'~');
    let needs_end = first.last().is_some_and(|byte| *byte != b'\n') && first.iter().all(is_text);
    let end: &[u8] = if needs_end { b"\n" } else { b"" };
    [first, end, second].concat()
}

/// A test with parts of both.
pub(crate) fn cross(chance: &mut Chance, one: &TestCase, other: &TestCase) -> TestCase {
    let mut test = one.clone();
    let has_arguments = !one.args.is_empty() || !other.args.is_empty();
    match chance.below(8) {
        0 if has_arguments => test.args = spliced(chance, &one.args, &other.args),
        1 if has_arguments => test.stdin.clone_from(&other.stdin),
        2 if has_arguments => {
            test.args.clone_from(&other.args);
            test.files.clone_from(&other.files);
        }
        _ => cross_text(chance, &mut test, other),
    }
    test
}

/// What a test could go on with, whatever it is: the bytes are as symbolic as the others.
const MORE: [&[u8]; 6] = [b"a", b" a", b"\na", b"\n", b"1", b" 1 1 1"];

/// The test, a little longer. A program that has seen the end of its input asks no more questions
/// about what could have come.
pub(crate) fn longer(test: &TestCase) -> Vec<TestCase> {
    let mut made = Vec::new();
    let mut variant = |change: &dyn Fn(&mut TestCase)| {
        let mut longer = test.clone();
        change(&mut longer);
        made.push(longer);
    };
    for (place, _) in texts(test) {
        for more in MORE {
            variant(&|test| text_at(test, place).extend(more));
        }
    }
    for number in 0..test.args.len() {
        variant(&|test| test.args[number].push(b'1'));
    }
    variant(&|test| test.args.push(b"a".to_vec()));
    made.extend(with_longer_lines(test));
    made
}

/// Lines that are tried a little longer.
const LONGER_LINES: usize = 3;

/// The test with one of its last lines a little longer: a program that has seen the end of a line asks no more about it,
/// either, and what follows has to stay on lines of its own.
pub(crate) fn with_longer_lines(test: &TestCase) -> Vec<TestCase> {
    let mut made = Vec::new();
    for (place, text) in texts(test) {
        let inside = text.len() - 1;
        let ends = (0..inside).rev().filter(|at| text[*at] == b'\n');
        for at in ends.take(LONGER_LINES) {
            let mut longer = test.clone();
            text_at(&mut longer, place).insert(at, b'a');
            made.push(longer);
        }
    }
    made
}

/// Digits that numbers are given room for.
const ROOM: usize = 5;

/// The test with zeros before its numbers. They mean the same to most programs, and have room for other
/// numbers: how many digits a number has is a matter of the path that reads it, and no condition on a number
/// of one digit leads to one of three.
pub(crate) fn roomy(test: &TestCase) -> Option<TestCase> {
    let mut roomy = test.clone();
    for argument in &mut roomy.args {
        *argument = padded(argument);
    }
    for (place, text) in texts(test) {
        *text_at(&mut roomy, place) = padded(text);
    }
    (roomy != *test).then_some(roomy)
}

/// The text with zeros before each number that has few digits.
fn padded(text: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    for piece in text.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit()) {
        if piece[0].is_ascii_digit() {
            made.extend(std::iter::repeat_n(b'0', ROOM.saturating_sub(piece.len())));
        }
        made.extend(piece);
    }
    made
}

fn cross_text(chance: &mut Chance, test: &mut TestCase, other: &TestCase) {
    let others = texts(other);
    if let Some((place, others)) = others.get(chance.below(others.len())) {
        let text = text_at(test, *place);
        *text = crossed(chance, text, others);
    }
}

/// Where a text of a test is: in a file, counted by name, or on standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Stdin,
    File(usize),
}

/// All texts of a test that are not empty.
pub(crate) fn texts(test: &TestCase) -> Vec<(Place, &[u8])> {
    let stdin = test.stdin.as_deref().map(|text| (Place::Stdin, text));
    let files = test.files.values().filter_map(|entry| match entry {
        Entry::File { data, .. } => Some(data.as_slice()),
        Entry::Symlink(_) | Entry::Directory => None,
    });
    let files = files.enumerate().map(|(number, text)| (Place::File(number), text));
    stdin.into_iter().chain(files).filter(|(_, text)| !text.is_empty()).collect()
}

/// What is read from a place.
fn origin(test: &TestCase, place: Place) -> Origin {
    let mut files = test
        .files
        .iter()
        .filter(|(_, entry)| matches!(entry, Entry::File { .. }))
        .map(|(name, _)| name);
    match place {
        Place::File(number) => {
            files.nth(number).map_or(Origin::Stdin, |name| Origin::File(name.as_slice().into()))
        }
        Place::Stdin => Origin::Stdin,
    }
}

/// The text at a place, to be changed; standard input if there is none such.
pub(crate) fn text_at(test: &mut TestCase, place: Place) -> &mut Vec<u8> {
    let files = test.files.values_mut().filter_map(|entry| match entry {
        Entry::File { data, .. } => Some(data),
        Entry::Symlink(_) | Entry::Directory => None,
    });
    match place {
        Place::File(number) => match files.into_iter().nth(number) {
            Some(data) => data,
            None => test.stdin.get_or_insert_default(),
        },
        Place::Stdin => test.stdin.get_or_insert_default(),
    }
}

/// Some text of a test.
pub(crate) fn some_text(chance: &mut Chance, test: &TestCase) -> Place {
    let texts = texts(test);
    texts.get(chance.below(texts.len())).map_or(Place::Stdin, |(place, _)| *place)
}

/// Lines of one text among those of another.
fn crossed(chance: &mut Chance, one: &[u8], other: &[u8]) -> Vec<u8> {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (own, others) = (lines(one), lines(other));
    let mut made = match chance.below(4) {
        // Only one line, at the end: the smallest step from one state to the next.
        0 | 1 if !others.is_empty() => {
            let mut own = own.clone();
            own.push(others[chance.below(others.len())].clone());
            own
        }
        2 if !own.is_empty() => {
            let mut own = own.clone();
            let again = own[chance.below(own.len())].clone();
            own.insert(chance.below(own.len() + 1), again);
            own
        }
        _ => spliced(chance, &own, &others),
    };
    let last = made.len().saturating_sub(1);
    for line in &mut made[..last] {
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
    }
    made.concat()
}

/// The start of one list and the end of another.
fn spliced<T: Clone>(chance: &mut Chance, one: &[T], other: &[T]) -> Vec<T> {
    let start = &one[..one.len() - chance.below(one.len() / 2 + 1)];
    let end = &other[chance.below(other.len() + 1)..];
    [start, end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_room_and_stay_what_they_are() {
        let test = TestCase {
            args: vec![b"-k2".to_vec(), b"x".to_vec()],
            stdin: Some(b"7,123456\n".to_vec()),
            ..TestCase::default()
        };
        let roomy = roomy(&test).unwrap();
        assert_eq!(roomy.args, [b"-k00002".to_vec(), b"x".to_vec()]);
        assert_eq!(roomy.stdin.as_deref(), Some(&b"00007,123456\n"[..]));
        assert_eq!(super::roomy(&roomy), None);
    }

    #[test]
    fn a_second_part_may_speak_of_what_the_first_one_has_named() {
        let test = |text: &str| TestCase { stdin: Some(text.into()), ..TestCase::default() };
        let seam = Seam::Byte(Origin::Stdin, 14);
        let is_word = |word: &[u8]| word == b"set" || word == b"get";
        let made = named_alike(&test("set ab\nset cd\nget x\n"), &seam, &is_word);
        assert_eq!(made, [test("set ab\nset cd\nget cd\n"), test("set ab\nset cd\nget ab\n")]);
        assert!(named_alike(&test("set ab\nset ab\nget ab\n"), &seam, &is_word).is_empty());
    }

    #[test]
    fn options_of_one_go_with_what_another_does() {
        let test = |args: &[&str]| TestCase {
            args: args.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
            ..TestCase::default()
        };
        let one = test(&["a", "-n"]);
        let options = with_options(&one, &test(&["-T", "b", "-n", "-"]));
        assert_eq!(options, Some((test(&["-T", "a", "-n"]), Seam::Argument(2))));
        assert_eq!(with_options(&one, &test(&["b", "-n"])), None);
    }

    #[test]
    fn lines_inside_a_text_grow_as_well() {
        let test = |text: &str| TestCase { stdin: Some(text.into()), ..TestCase::default() };
        assert_eq!(with_longer_lines(&test("a\nb\nc\n")), [test("a\nba\nc\n"), test("aa\nb\nc\n")]);
        assert!(with_longer_lines(&test("a\n")).is_empty());
    }

    #[test]
    fn lines_of_one_follow_those_of_another() {
        let test = |text: &str| TestCase { stdin: Some(text.into()), ..TestCase::default() };
        let (one, other) = (test("a\nb"), test("c\n"));
        let seam = Seam::Byte(Origin::Stdin, 4);
        assert_eq!(joined(&one, &other), [(test("a\nb\nc\n"), seam)]);
        let mut chance = Chance::new(1);
        let made: std::collections::HashSet<_> =
            (0..200).filter_map(|_| cross(&mut chance, &one, &other).stdin).collect();
        for expected in ["a\nb\nc\n", "a\na\nb", "a\nc\n"] {
            assert!(made.contains(expected.as_bytes()), "{expected:?} in {made:?}");
        }
    }

    #[test]
    fn the_same_seed_crosses_the_same() {
        let one = TestCase { args: vec![b"x".to_vec()], ..TestCase::default() };
        let other = TestCase { stdin: Some(b"1\n2\n".to_vec()), ..TestCase::default() };
        let make = || {
            let mut chance = Chance::new(7);
            (0..50).map(|_| cross(&mut chance, &one, &other)).collect::<Vec<_>>()
        };
        assert_eq!(make(), make());
    }
}
