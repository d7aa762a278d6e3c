//! `parallax demo`: a small change, an input that shows it, and the only test of seven that does.

use std::{fs, path::Path, process::Command};

use anyhow::Context;

use crate::{cli::Status, screen::Screen};

const OLD: &str = include_str!("../../demo/old.c");
const NEW: &str = include_str!("../../demo/new.c");

macro_rules! tests {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../demo/tests/", $name)))),*]
    };
}

const TESTS: [(&str, &str); 7] = tests![
    "decreasing.toml",
    "list.toml",
    "no-list.toml",
    "one-wide.toml",
    "range.toml",
    "single.toml",
    "zero.toml"
];

pub(crate) fn run(screen: &Screen) -> anyhow::Result<Status> {
    let folder = tempfile::tempdir().context("failed to make a temporary directory")?;
    lay_out(folder.path()).context("failed to lay out the demo")?;
    screen.print(
        "A small program picks fields from lines. Someone has tightened its check of ranges:\n\n",
    )?;
    screen.print(&changed_lines())?;
    screen.print("\nIs there an input on which the versions differ?\n\n")?;
    let check = ["check", "old/pick.c", "new/pick.c"];
    let found = play(&check, folder.path(), screen)?;
    screen.print("\nIt has seven tests. Do they see the change?\n\n")?;
    let compare = ["compare", "old/pick.c", "new/pick.c", "--tests", "tests"];
    let seen = play(&compare, folder.path(), screen)?;
    Ok(if found && seen { Status::Fine } else { Status::Trouble })
}

/// Runs a command as the user would, and returns whether it found a difference.
fn play(words: &[&str], folder: &Path, screen: &Screen) -> anyhow::Result<bool> {
    screen.print(&format!("$ parallax {}\n", words.join(" ")))?;
    let own = std::env::current_exe().context("failed to find the parallax executable")?;
    let status = Command::new(own).args(words).current_dir(folder).status();
    let status = status.with_context(|| format!("failed to run parallax {}", words[0]))?;
    screen.print(&format!("\n$ echo $?\n{}\n", status.code().unwrap_or(-1)))?;
    Ok(status.code() == Some(Status::Different as i32))
}

fn lay_out(folder: &Path) -> std::io::Result<()> {
    for name in ["old", "new", "tests"] {
        fs::create_dir(folder.join(name))?;
    }
    fs::write(folder.join("old/pick.c"), OLD)?;
    fs::write(folder.join("new/pick.c"), NEW)?;
    TESTS.iter().try_for_each(|(name, text)| fs::write(folder.join("tests").join(name), text))
}

/// The lines in which the two versions differ; they have the same number of lines.
fn changed_lines() -> String {
    let pairs = OLD.lines().zip(NEW.lines()).zip(1..);
    let changed = pairs.filter(|((old, new), _)| old != new);
    changed.map(|((old, new), line)| format!("pick.c:{line}\n- {old}\n+ {new}\n")).collect()
}
