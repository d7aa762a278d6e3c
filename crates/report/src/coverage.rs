//! The lines and branches that a suite covers.

use std::fmt::Write;

use serde::Serialize;

use crate::{exploration::percent, visible::harmless_line};

/// Lines and branches of a program, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The version of this format.
    pub schema: u32,
    /// The verb that made this report.
    pub verb: &'static str,
    /// Number of tests that were run.
    pub tests: usize,
    /// Number of tests that were not run, as there was no time.
    pub not_run: usize,
    /// All files, by name.
    pub files: Vec<File>,
}

/// One source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Lines with code, ascending, and whether each ran.
    pub lines: Vec<(u32, bool)>,
    /// Branches: the line, and whether each direction was taken.
    pub branches: Vec<(u32, Vec<bool>)>,
}

/// The share of lines or branches that was covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The number covered.
    pub covered: usize,
    /// The number of all.
    pub all: usize,
}

impl Share {
    fn of(parts: impl Iterator<Item = bool>) -> Share {
        parts.fold(Share::default(), |share, is_covered| Share {
            covered: share.covered + usize::from(is_covered),
            all: share.all + 1,
        })
    }

    fn text(self) -> String {
        format!("{} of {} ({:.1}%)", self.covered, self.all, percent(self.covered, self.all))
    }
}

impl File {
    /// Its lines.
    pub fn line_share(&self) -> Share {
        Share::of(self.lines.iter().map(|(_, ran)| *ran))
    }

    /// The directions of its branches.
    pub fn branch_share(&self) -> Share {
        Share::of(self.branches.iter().flat_map(|(_, ways)| ways.iter().copied()))
    }
}

impl Coverage {
    /// A table for a terminal.
    pub fn terminal(&self) -> String {
        let mut text = String::new();
        let names: Vec<_> = self.files.iter().map(|file| harmless_line(&file.name)).collect();
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(5);
        let mut row = |name: &str, lines: String, branches: String| {
            let _ = writeln!(text, "{name:width$}  {lines:>24}  {branches:>24}");
        };
        row("file", "lines".into(), "branches".into());
        for (file, name) in self.files.iter().zip(&names) {
            row(name, file.line_share().text(), file.branch_share().text());
        }
        let lines = Share::of(self.files.iter().flat_map(|f| f.lines.iter().map(|(_, ran)| *ran)));
        let ways = self.files.iter().flat_map(|file| &file.branches).flat_map(|(_, ways)| ways);
        row("all", lines.text(), Share::of(ways.copied()).text());
        if self.not_run > 0 {
            let all = self.tests + self.not_run;
            let were = if self.not_run == 1 { "was" } else { "were" };
            let _ = writeln!(
                text,
                "{} of {all} tests {were} not run: the budget is used up",
                self.not_run
            );
        }
        text
    }

    /// The format that `genhtml` and most editors read.
    pub fn lcov(&self) -> String {
        let mut text = String::from("TN:\n");
        for file in &self.files {
            let _ = writeln!(text, "SF:{}", file.name);
            for (number, (line, ways)) in file.branches.iter().enumerate() {
                let ran = ways.iter().any(|gone| *gone);
                for (way, gone) in ways.iter().enumerate() {
                    let taken = if ran { u8::from(*gone).to_string() } else { "-".into() };
                    let _ = writeln!(text, "BRDA:{line},{number},{way},{taken}");
                }
            }
            let (branches, lines) = (file.branch_share(), file.line_share());
            let _ = writeln!(text, "BRF:{}\nBRH:{}", branches.all, branches.covered);
            for (line, ran) in &file.lines {
                let _ = writeln!(text, "DA:{line},{}", u8::from(*ran));
            }
            let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered);
        }
        text
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage() -> Coverage {
        let file = File {
            name: "a.c".into(),
            lines: vec![(3, true), (4, false)],
            branches: vec![(3, vec![true, false]), (9, vec![false, false])],
        };
        Coverage { schema: 1, verb: "coverage", tests: 2, not_run: 0, files: vec![file] }
    }

    #[test]
    fn people_see_shares() {
        let text = coverage().terminal();
        let row = text.lines().nth(1).unwrap_or_default();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words.join(" "), "a.c 1 of 2 (50.0%) 1 of 4 (25.0%)");
        assert!(text.lines().last().is_some_and(|line| line.starts_with("all")), "{text}");
    }

    #[test]
    fn tests_that_were_not_run_are_counted() {
        let text = Coverage { tests: 28, not_run: 12, ..coverage() }.terminal();
        assert!(text.ends_with("12 of 40 tests were not run: the budget is used up\n"), "{text}");
    }

    #[test]
    fn lcov_knows_branches_that_were_never_met() {
        let text = coverage().lcov();
        for line in ["SF:a.c", "BRDA:3,0,1,0", "BRDA:9,1,0,-", "BRF:4", "BRH:1", "DA:4,0", "LH:1"] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
