//! A test case: everything a program is given from outside, as data.

use std::collections::BTreeMap;

/// What one run of a program is given. Every part may hold any byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestCase {
    /// The arguments after the program's name.
    pub args: Vec<Vec<u8>>,
    /// What is on standard input; `None` is an empty one, and is written as no key at all.
    pub stdin: Option<Vec<u8>>,
    /// Environment variables on top of the fixed environment of the lab.
    pub env: BTreeMap<Vec<u8>, Vec<u8>>,
    /// What the fresh working directory holds before the run, by relative path.
    pub files: BTreeMap<Vec<u8>, Entry>,
    /// Parts that a search must not change, such as `args[0]` or `files.*`.
    pub fixed: Vec<String>,
}

/// Something in the working directory of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A regular file.
    File {
        /// Its contents.
        data: Vec<u8>,
        /// Whether it can be executed.
        executable: bool,
    },
    /// A symbolic link and where it points.
    Symlink(Vec<u8>),
    /// A directory. Parents of other entries need not be named.
    Directory,
}
