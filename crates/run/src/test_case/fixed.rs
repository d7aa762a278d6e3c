//! The parts of a test case that a search must not change.
//!
//! They are named as they are written: `args[0]` or all of `args`, `argc`, `stdin`, `files.a.txt`
//! or `files.*`, `env.HOME` or `env.*`. A file or variable that the test does not have can be
//! fixed, too: then none may be added.

use crate::TestCase;

/// A part of a test case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fixed {
    /// One argument, counted from 0 after the program's name.
    Argument(usize),
    /// Every argument.
    Arguments,
    /// The number of arguments.
    Count,
    /// Standard input.
    Stdin,
    /// One file, by its relative path. `*` is all of them.
    File(Vec<u8>),
    /// Every file.
    Files,
    /// One environment variable. `*` is all of them.
    Variable(Vec<u8>),
    /// Every environment variable.
    Variables,
}

impl TestCase {
    /// Whether another test has all parts that are fixed in this one.
    pub fn is_kept_by(&self, other: &TestCase) -> bool {
        self.fixed.iter().all(|part| part.is_same(self, other))
    }
}

/// The forms that need no name.
pub(super) const PLAIN: [(&str, Fixed); 5] = [
    ("args", Fixed::Arguments),
    ("argc", Fixed::Count),
    ("stdin", Fixed::Stdin),
    ("files.*", Fixed::Files),
    ("env.*", Fixed::Variables),
];

/// All forms, for messages.
pub(super) const FORMS: &str = "args, args[0], argc, stdin, files.*, files.NAME, env.*, env.NAME";

impl Fixed {
    /// Whether the part is the same in two tests.
    fn is_same(&self, one: &TestCase, other: &TestCase) -> bool {
        match self {
            Fixed::Argument(index) => one.args.get(*index) == other.args.get(*index),
            Fixed::Arguments => one.args == other.args,
            Fixed::Count => one.args.len() == other.args.len(),
            Fixed::Stdin => one.stdin == other.stdin,
            Fixed::File(path) => one.files.get(path) == other.files.get(path),
            Fixed::Files => one.files == other.files,
            Fixed::Variable(name) => one.env.get(name) == other.env.get(name),
            Fixed::Variables => one.env == other.env,
        }
    }

    /// The part with this spelling; names are not checked.
    pub(super) fn read(written: &[u8]) -> Option<Fixed> {
        let plain = PLAIN.into_iter().find(|(form, _)| form.as_bytes() == written);
        if let Some((_, part)) = plain {
            return Some(part);
        }
        if let Some(path) = written.strip_prefix(b"files.") {
            return Some(Fixed::File(path.to_vec()));
        }
        if let Some(name) = written.strip_prefix(b"env.") {
            return Some(Fixed::Variable(name.to_vec()));
        }
        let index = written.strip_prefix(b"args[")?.strip_suffix(b"]")?;
        if index.is_empty() || !index.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(index).ok()?.parse().ok().map(Fixed::Argument)
    }

    /// Its spelling.
    pub(super) fn written(&self) -> Vec<u8> {
        match self {
            Fixed::Argument(index) => format!("args[{index}]").into_bytes(),
            Fixed::File(path) => [b"files.", &path[..]].concat(),
            Fixed::Variable(name) => [b"env.", &name[..]].concat(),
            Fixed::Arguments => b"args".to_vec(),
            Fixed::Count => b"argc".to_vec(),
            Fixed::Stdin => b"stdin".to_vec(),
            Fixed::Files => b"files.*".to_vec(),
            Fixed::Variables => b"env.*".to_vec(),
        }
    }
}
