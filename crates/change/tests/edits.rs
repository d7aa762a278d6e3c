//! Small edits, each with the changes that a reader would expect.
//!
//! A file of `edits/` says in its first line why it exists, then has the files of both versions and
//! what is expected of them. A section is `//--- old`, `//--- new` or `//--- both`, with the name of
//! a file unless it is `main.c`; lines are counted from its start.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use std::{fs, path::Path};

use parallax_change::{Cause, Change, Changes, Kind, Lines, changes};
use parallax_program::{Program, SiteId};

#[test]
fn every_edit_gives_the_expected_changes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edits");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let wrong: Vec<_> = files.iter().filter_map(|file| check(file).err()).collect();
    assert!(files.len() >= 40, "the table is there");
    assert!(wrong.is_empty(), "{} of {} edits:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

fn check(path: &Path) -> Result<(), String> {
    let edit = Edit::read(&fs::read_to_string(path).unwrap());
    let old = support::program(&edit.files("old"), support::DEBUG);
    let new = support::program(&edit.files("new"), support::DEBUG);
    let found = describe(&changes(&old, &new), &old, &new);
    // An expectation that does not say where a one-sided change would be elsewhere leaves it open.
    let plain = |line: &String| line.split(" at ").next().unwrap().to_owned();
    let agrees = found.len() == edit.expected.len()
        && found.iter().zip(&edit.expected).all(|(found, expected)| {
            found == expected || !expected.contains(" at ") && plain(found) == *expected
        });
    match agrees {
        true => Ok(()),
        false => Err(format!(
            "{}: {}\n  expected\n    {}\n  found\n    {}",
            path.file_name().unwrap().display(),
            edit.purpose,
            edit.expected.join("\n    "),
            found.join("\n    ")
        )),
    }
}

/// One file of the table.
struct Edit {
    purpose: String,
    sections: Vec<(String, String, String)>,
    expected: Vec<String>,
}

impl Edit {
    fn read(text: &str) -> Edit {
        let mut parts = text.split("//--- ");
        let purpose = parts.next().unwrap().trim_start_matches("// ").trim().to_owned();
        assert!(!purpose.is_empty(), "an edit says why it exists");
        let (mut sections, mut expected) = (Vec::new(), Vec::new());
        for part in parts {
            let (title, body) = part.split_once('\n').unwrap();
            let (version, file) = title.split_once(' ').unwrap_or((title, "main.c"));
            match version {
                "expect" => expected = body.lines().map(str::to_owned).collect(),
                _ => sections.push((version.to_owned(), file.to_owned(), body.to_owned())),
            }
        }
        assert!(!expected.is_empty(), "{purpose}: an edit has an expectation");
        Edit { purpose, sections, expected }
    }

    fn files(&self, version: &str) -> Vec<(&str, &str)> {
        let mine = self.sections.iter().filter(|(it, ..)| it == version || it == "both");
        mine.map(|(_, file, text)| (file.as_str(), text.as_str())).collect()
    }
}

fn describe(changes: &Changes, old: &Program, new: &Program) -> Vec<String> {
    let renamed = changes.renamed.iter();
    let renamed = renamed.map(|&(x, y)| format!("renamed {} {}", old.at(x).name, new.at(y).name));
    let found = changes.changes.iter().map(|change| line(change, old, new));
    let mut lines: Vec<_> = renamed.chain(found).collect();
    if changes.is_unchanged() {
        lines.push("unchanged".to_owned());
    }
    lines
}

fn line(change: &Change, old: &Program, new: &Program) -> String {
    let kind = match change.kind {
        Kind::Modified => "modified",
        Kind::Added => "added",
        Kind::Deleted => "deleted",
    };
    let function = change.new_function.map(|it| new.at(it).name.as_str());
    let function = function.or(change.old_function.map(|it| old.at(it).name.as_str())).unwrap();
    // The linker chooses the number that distinguishes static functions of one name.
    let function = function.split('.').next().unwrap();
    let cause = match &change.cause {
        Cause::Code => String::new(),
        Cause::Global(name) => format!(" because global {name}"),
        Cause::Layout => " because layout".to_owned(),
        Cause::Signature => " because signature".to_owned(),
        Cause::Frame(what) => format!(" because {what}"),
    };
    let old_lines = change.old_lines.map(|it| lines("old", old, it)).unwrap_or_default();
    let new_lines = change.new_lines.map(|it| lines("new", new, it)).unwrap_or_default();
    let at = match change.kind {
        Kind::Modified => String::new(),
        Kind::Added => at(old, change.old_site),
        Kind::Deleted => at(new, change.site),
    };
    format!("{kind} {function}{old_lines}{new_lines}{cause}{at}")
}

fn lines(version: &str, program: &Program, lines: Lines) -> String {
    let file = program.files[lines.file as usize].rsplit('/').next().unwrap();
    let file = if file == "main.c" { String::new() } else { format!("{file}:") };
    format!(" {version} {file}{}-{}", lines.first, lines.last)
}

fn at(program: &Program, site: Option<SiteId>) -> String {
    let Some(site) = site else { return String::new() };
    let location = program.instructions().nth(site.0 as usize).unwrap().location;
    format!(" at {}", location.map_or(0, |location| location.line))
}
