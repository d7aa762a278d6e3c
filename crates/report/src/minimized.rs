//! A test that was made smaller.

use std::fmt::Write;

use parallax_compare::Difference;
use parallax_run::{Entry, TestCase};

use crate::{
    details::{details, shortened, that_differ},
    style::{Ink, Style},
    visible::harmless_line,
};

/// The result of `parallax minimize`.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The name of the program.
    pub program: String,
    /// The test that was given.
    pub given: TestCase,
    /// The smaller test.
    pub test: TestCase,
    /// The difference that it shows.
    pub difference: Difference,
    /// Whether the time was over before all was tried.
    pub is_out_of_time: bool,
}

impl Minimized {
    /// As a test case, with all remarks in comments.
    pub fn to_toml(&self) -> String {
        let said = self.terminal(Style::Plain);
        let comments = said.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
        comments.chain([self.test.to_toml()]).collect()
    }

    /// The remarks about the test.
    pub fn terminal(&self, style: Style) -> String {
        let mut text = String::new();
        let heading = that_differ(&self.difference.differs_in);
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &heading));
        let line = self.test.shell_line(&format!("./{}", self.program));
        let _ = writeln!(text, "  $ {}", harmless_line(&shortened(&line, "the test")));
        for line in details(&self.difference, style) {
            let _ = writeln!(text, "  {line}");
        }
        let _ = writeln!(text, "{}", self.saved());
        if self.is_out_of_time {
            text.push_str("the budget is used up: it may become smaller still\n");
        }
        text
    }

    /// The reduction of the test's size.
    fn saved(&self) -> String {
        let (before, after) = (Size::of(&self.given), Size::of(&self.test));
        match (before == after, self.given == self.test) {
            (_, true) => String::from("nothing could be left out or made plainer"),
            (true, false) => format!("as large as before ({after}), with plainer characters"),
            (false, _) => format!("from {before} to {after}"),
        }
    }
}

/// The size of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    arguments: usize,
    variables: usize,
    files: usize,
    bytes: usize,
}

impl Size {
    fn of(test: &TestCase) -> Size {
        let files = test.files.values().map(|entry| match entry {
            Entry::File { data, .. } => data.len(),
            Entry::Symlink(target) => target.len(),
            Entry::Directory => 0,
        });
        let variables = test.env.values().map(Vec::len);
        let stdin = test.stdin.as_ref().map_or(0, Vec::len);
        Size {
            arguments: test.args.len(),
            variables: test.env.len(),
            files: test.files.len(),
            bytes: test.args.iter().map(Vec::len).chain(files).chain(variables).sum::<usize>()
                + stdin,
        }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.arguments, "argument", "arguments"),
            (self.variables, "variable", "variables"),
            (self.files, "file", "files"),
        ];
        for (count, one, many) in counts.into_iter().filter(|(count, ..)| *count > 0) {
            write!(f, "{count} {}, ", if count == 1 { one } else { many })?;
        }
        write!(f, "{} {}", self.bytes, if self.bytes == 1 { "byte" } else { "bytes" })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture;

    fn minimized(given: &[&str], left: &[&str]) -> Minimized {
        let test = |args: &[&str]| TestCase {
            args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
            ..TestCase::default()
        };
        Minimized {
            program: String::from("cut"),
            given: test(given),
            test: test(left),
            difference: fixture::difference(),
            is_out_of_time: false,
        }
    }

    #[test]
    fn what_is_printed_is_a_test() {
        let small = minimized(&["-v", "abc"], &["b"]);
        let text = small.to_toml();
        assert_eq!(TestCase::parse(&text, Path::new("it")).ok(), Some(small.test.clone()));
        for part in
            ["# stdout, exit and files differ", "# from 2 arguments, 5 bytes to 1 argument, 1 byte"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn what_was_not_saved_is_not_claimed() {
        assert!(minimized(&["b"], &["b"]).saved().contains("nothing could be left out"));
        assert!(minimized(&["z"], &["a"]).saved().contains("plainer characters"));
    }
}
