//! The errors in the text of a test case.
//!
//! All problems of a file are reported at once: a person who wrote ten tests by hand should not
//! have to run ten times to see ten typing errors.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A test case that could not be read, and all its errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCaseError {
    /// The file, as it was named by the caller.
    pub path: PathBuf,
    /// The errors, in the order of the lines; never empty.
    pub problems: Vec<Problem>,
}

/// One error in the text of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub message: String,
}

impl TestCaseError {
    pub(super) fn new(path: &Path, mut problems: Vec<Problem>) -> TestCaseError {
        problems.sort_by_key(|problem| problem.line);
        TestCaseError { path: path.to_owned(), problems }
    }
}

impl Problem {
    /// A problem at a byte offset of `text`.
    pub(super) fn at(text: &[u8], offset: usize, message: impl Into<String>) -> Problem {
        let before = &text[..offset.min(text.len())];
        Problem {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            message: message.into(),
        }
    }

    pub(super) fn not_utf8(bytes: &[u8], offset: usize) -> Problem {
        Problem::at(
            bytes,
            offset,
            "this is not UTF-8 text; bytes that are not text are written as { hex = \"…\" }",
        )
    }
}

impl fmt::Display for TestCaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            let (path, line) = (self.path.display(), problem.line);
            write!(f, "{separator}{path}:{line}: {}", problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for TestCaseError {}
