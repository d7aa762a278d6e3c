//! From values of variables back to a test case: the inverse of [`Given`](crate::Given).

use std::{collections::BTreeMap, ops::Range};

use parallax_run::{Entry, TestCase};
use parallax_solve::{Origin, Part, Variable};

use crate::{Comparison, Number};

/// A test case that is derived from another one.
#[derive(Clone)]
pub struct Altered<'f> {
    test: TestCase,
    /// Byte for an offset without a value.
    filler: &'f dyn Fn(u32) -> u8,
}

/// Changes to one input.
#[derive(Default)]
struct Changes {
    bytes: BTreeMap<u32, u8>,
    length: Option<u32>,
    exists: Option<bool>,
}

impl<'f> Altered<'f> {
    /// The unchanged test case. Inputs that grow are filled with `filler` of the offset.
    pub fn new(test: &TestCase, filler: &'f dyn Fn(u32) -> u8) -> Altered<'f> {
        Altered { test: test.clone(), filler }
    }

    /// The test case with these values of the variables. `None` if there is none: for a file that
    /// is not below the working directory.
    pub fn with(mut self, values: &[(Variable, u64)]) -> Option<TestCase> {
        let mut changes: BTreeMap<&Origin, Changes> = BTreeMap::new();
        for (variable, value) in values {
            let changes = changes.entry(&variable.origin).or_default();
            match variable.part {
                Part::Byte(offset) => drop(changes.bytes.insert(offset, *value as u8)),
                Part::Length => changes.length = Some(u32::try_from(*value).ok()?),
                Part::Exists => changes.exists = Some(value & 1 == 1),
                // `with_number` writes another number.
                Part::Number(_) => {}
            }
        }
        let names = self.test.args.clone();
        if let Some(count) = changes.get(&Origin::Count).and_then(|count| count.length) {
            self.test.args.resize(count.saturating_sub(1) as usize, Vec::new());
        }
        for (origin, changes) in &changes {
            match origin {
                Origin::Argument(number) => self.argument(*number, changes),
                Origin::Environment(name) => self.environment(name, changes),
                Origin::Stdin => {
                    let old = self.test.stdin.take().unwrap_or_default();
                    self.test.stdin = Some(self.contents(old, changes));
                }
                Origin::File(name) => self.file(name, changes)?,
                // No test case can set memory that was never written.
                Origin::Count | Origin::Unwritten => {}
            }
        }
        self.rename_files(&names);
        Some(self.test)
    }

    /// The test case with a piece of the input replaced by the bytes it was compared with.
    pub fn as_wanted(self, comparison: &Comparison) -> Option<TestCase> {
        let Comparison { origin, offset, length, wanted, .. } = comparison;
        self.exchanged(origin, *offset..*offset + *length, wanted)
    }

    /// The test case with another value of a number.
    pub fn with_number(self, number: &Number, value: u64) -> Option<TestCase> {
        let Number { origin, offset, length, .. } = number;
        self.exchanged(origin, *offset..*offset + *length, &number.written(value))
    }

    fn exchanged(mut self, origin: &Origin, range: Range<u32>, text: &[u8]) -> Option<TestCase> {
        let range = range.start as usize..range.end as usize;
        let names = self.test.args.clone();
        let bytes = match origin {
            Origin::Argument(number) => {
                self.test.args.get_mut((*number as usize).checked_sub(1)?)?
            }
            Origin::Stdin => self.test.stdin.get_or_insert_default(),
            Origin::Environment(name) => self.test.env.get_mut(&name[..])?,
            Origin::File(name) => match self.test.files.get_mut(&name[..])? {
                Entry::File { data, .. } => data,
                Entry::Symlink(_) | Entry::Directory => return None,
            },
            Origin::Count | Origin::Unwritten => return None,
        };
        let end = range.end.min(bytes.len());
        bytes.splice(range.start.min(end)..end, text.iter().copied());
        if !matches!(origin, Origin::Stdin | Origin::File(_)) {
            bytes.retain(|byte| *byte != 0);
        }
        self.rename_files(&names);
        Some(self.test)
    }

    fn argument(&mut self, number: u32, changes: &Changes) {
        let index = (number as usize).checked_sub(1);
        if let Some(argument) = index.and_then(|index| self.test.args.get_mut(index)) {
            write_text(argument, &changes.bytes);
        }
    }

    fn environment(&mut self, name: &[u8], changes: &Changes) {
        if changes.exists == Some(false) {
            self.test.env.remove(name);
        } else if changes.exists == Some(true) || self.test.env.contains_key(name) {
            write_text(self.test.env.entry(name.to_vec()).or_default(), &changes.bytes);
        }
    }

    fn file(&mut self, name: &[u8], changes: &Changes) -> Option<()> {
        if changes.exists == Some(false) {
            self.test.files.remove(name);
            return Some(());
        }
        let (old, executable) = match self.test.files.get(name) {
            Some(Entry::File { data, executable }) => (data.clone(), *executable),
            Some(Entry::Symlink(_) | Entry::Directory) => return Some(()),
            None if changes.exists == Some(true) => (Vec::new(), false),
            None => return Some(()),
        };
        let is_below = !name.is_empty()
            && name.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."));
        let data = self.contents(old, changes);
        self.test.files.insert(name.to_vec(), Entry::File { data, executable });
        is_below.then_some(())
    }

    fn contents(&self, mut bytes: Vec<u8>, changes: &Changes) -> Vec<u8> {
        if let Some(length) = changes.length {
            bytes.truncate(length as usize);
            bytes.extend((bytes.len() as u32..length).map(self.filler));
        }
        for (offset, byte) in &changes.bytes {
            if let Some(place) = bytes.get_mut(*offset as usize) {
                *place = *byte;
            }
        }
        bytes
    }

    /// A file that was named by an argument follows it.
    fn rename_files(&mut self, names: &[Vec<u8>]) {
        for (old, new) in names.iter().zip(self.test.args.clone()) {
            let is_named = self.test.args.contains(old);
            if *old == new || new.is_empty() || is_named || new.contains(&b'/') {
                continue;
            }
            if let Some(entry) = self.test.files.remove(old) {
                self.test.files.entry(new).or_insert(entry);
            }
        }
    }
}

/// Writes to a text that ends with its first zero byte.
fn write_text(text: &mut Vec<u8>, bytes: &BTreeMap<u32, u8>) {
    for (offset, byte) in bytes {
        let offset = *offset as usize;
        if offset >= text.len() {
            text.resize(offset + 1, 0);
        }
        text[offset] = *byte;
    }
    if let Some(end) = text.iter().position(|byte| *byte == 0) {
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn altered(test: &TestCase, values: &[(Origin, Part, u64)]) -> Option<TestCase> {
        let values: Vec<_> = values
            .iter()
            .map(|(origin, part, value)| (Variable { origin: origin.clone(), part: *part }, *value))
            .collect();
        Altered::new(test, &|_| b'.').with(&values)
    }

    #[test]
    fn arguments_grow_and_end_at_their_first_zero() {
        let test = TestCase { args: vec![b"ab".to_vec()], ..TestCase::default() };
        let byte = |number, offset, value| (Origin::Argument(number), Part::Byte(offset), value);
        let grown = altered(&test, &[byte(1, 2, b'c'.into())]).expect("it can be given");
        assert_eq!(grown.args, [b"abc"]);
        let cut = altered(&test, &[byte(1, 1, 0)]).expect("it can be given");
        assert_eq!(cut.args, [b"a"]);
        let count = (Origin::Count, Part::Length, 3);
        let more = altered(&test, &[count, byte(2, 0, b'x'.into())]).expect("it can be given");
        assert_eq!(more.args, [b"ab".to_vec(), b"x".to_vec()]);
    }

    #[test]
    fn input_grows_with_what_fills_it_up() {
        let test = TestCase { stdin: Some(b"xy".to_vec()), ..TestCase::default() };
        let length = (Origin::Stdin, Part::Length, 5);
        let grown = altered(&test, &[length, (Origin::Stdin, Part::Byte(3), b'!'.into())]);
        assert_eq!(grown.expect("it can be given").stdin, Some(b"xy.!.".to_vec()));
    }

    #[test]
    fn files_come_to_be_and_follow_their_names() {
        let test = TestCase { args: vec![b"f".to_vec()], ..TestCase::default() };
        let file = Origin::File(b"f"[..].into());
        let there = altered(&test, &[(file.clone(), Part::Exists, 1)]).expect("it can be given");
        assert_eq!(there.files.get(&b"f"[..]), Some(&Entry::file("")));
        let named = altered(&there, &[(Origin::Argument(1), Part::Byte(0), b'g'.into())]);
        let named = named.expect("it can be given");
        assert_eq!(named.files.get(&b"g"[..]), Some(&Entry::file("")));
        assert!(!named.files.contains_key(&b"f"[..]));
        let outside = Origin::File(b"../f"[..].into());
        assert_eq!(altered(&test, &[(outside, Part::Exists, 1)]), None);
    }

    #[test]
    fn a_piece_becomes_what_it_was_compared_with() {
        let test = TestCase { stdin: Some(b"x + 1".to_vec()), ..TestCase::default() };
        let comparison = Comparison {
            event: 0,
            site: 0,
            origin: Origin::Stdin,
            offset: 0,
            length: 1,
            wanted: b"print".to_vec(),
        };
        let spliced = Altered::new(&test, &|_| 0).as_wanted(&comparison);
        assert_eq!(spliced.expect("it is there").stdin, Some(b"print + 1".to_vec()));
    }
}
