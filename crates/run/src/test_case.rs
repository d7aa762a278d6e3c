//! A test case: all inputs of a program, as data.
//!
//! On disk a test case is one TOML file that a person can read, edit and commit. TOML holds text
//! only, and a program can be given any byte, so wherever a string stands a `{ hex = "…" }` can
//! stand too. The `toml` crate reads (it knows where each key and value is, for messages); writing
//! is done here, because a written test must be stable and pretty, which no serialiser promises.

mod error;
mod fixed;
mod hex;
mod read;
mod shell;
mod suggest;
mod write;

use std::{collections::BTreeMap, path::Path};

pub use error::{Problem, TestCaseError};
pub use fixed::Fixed;

/// The inputs of one run of a program. Every part may hold any byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestCase {
    /// The arguments after the program's name.
    pub args: Vec<Vec<u8>>,
    /// Standard input; `None` is an empty one, and is written as no key at all.
    pub stdin: Option<Vec<u8>>,
    /// Environment variables on top of the fixed environment of the lab.
    pub env: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The contents of the fresh working directory before the run, by relative path.
    pub files: BTreeMap<Vec<u8>, Entry>,
    /// Parts that a search must not change, such as `args[0]` or `files.*`.
    pub fixed: Vec<Fixed>,
}

/// An entry of the working directory of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A regular file.
    File {
        /// Its contents.
        data: Vec<u8>,
        /// Whether it can be executed.
        executable: bool,
    },
    /// A symbolic link and its target.
    Symlink(Vec<u8>),
    /// A directory. Parents of other entries need not be named.
    Directory,
}

impl TestCase {
    /// Reads a test case; `path` is only named in messages.
    pub fn parse(text: &str, path: &Path) -> Result<TestCase, TestCaseError> {
        read::read(text).map_err(|problems| TestCaseError::new(path, problems))
    }

    /// Reads a test case from the bytes of a file, which may turn out not to be text.
    pub fn parse_bytes(bytes: &[u8], path: &Path) -> Result<TestCase, TestCaseError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => TestCase::parse(text, path),
            Err(error) => {
                Err(TestCaseError::new(path, vec![Problem::not_utf8(bytes, error.valid_up_to())]))
            }
        }
    }

    /// The test case as the text of a TOML file, the same for the same test case always.
    pub fn to_toml(&self) -> String {
        write::write(self)
    }

    /// One line for a POSIX shell that gives `program` exactly what this test case gives it, when
    /// run in an empty directory.
    pub fn shell_line(&self, program: &str) -> String {
        shell::line(self, program)
    }
}

impl Entry {
    /// A regular file that cannot be executed.
    pub fn file(data: impl Into<Vec<u8>>) -> Entry {
        Entry::File { data: data.into(), executable: false }
    }
}

#[cfg(test)]
mod tests;
