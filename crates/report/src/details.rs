//! The details of one difference: what a person wants to see after "these two differ".

use std::collections::BTreeMap;

use parallax_compare::{Aspect, Difference};
use parallax_run::{Captured, FileChange, FileState};

use crate::{
    diff::diff,
    ending,
    style::{Ink, Style},
    visible::visible,
};

/// Lines that show each aspect in which the versions differ.
pub(crate) fn details(difference: &Difference, style: Style) -> Vec<String> {
    let (old, new) = (&difference.old, &difference.new);
    let mut lines = Vec::new();
    for aspect in &difference.differs_in {
        match aspect {
            Aspect::Exit => lines.push(ending::describe_change(old.ending, new.ending)),
            Aspect::Stdout => push_diff("stdout", &old.stdout, &new.stdout, style, &mut lines),
            Aspect::Stderr => push_diff("stderr", &old.stderr, &new.stderr, style, &mut lines),
            Aspect::Files => {
                for path in &difference.files {
                    push_file(difference, path, style, &mut lines);
                }
            }
        }
    }
    lines
}

/// The aspects in one phrase.
pub(crate) fn list(aspects: &[Aspect]) -> String {
    let names: Vec<&str> = aspects.iter().map(|aspect| aspect.name()).collect();
    names.join(", ")
}

/// What is said about noise beside a result.
pub(crate) fn noise(masked: &[Aspect]) -> Option<String> {
    let verb = if masked.len() == 1 { "varies" } else { "vary" };
    (!masked.is_empty())
        .then(|| format!("{} {verb} from run to run; what varies was not compared", list(masked)))
}

fn push_diff(name: &str, old: &Captured, new: &Captured, style: Style, lines: &mut Vec<String>) {
    lines.push(style.paint(Ink::Old, &format!("--- old {name}{}", kept(old))));
    lines.push(style.paint(Ink::New, &format!("+++ new {name}{}", kept(new))));
    let differing = diff(&old.bytes, &new.bytes, style);
    if differing.is_empty() {
        lines.push(format!("  they are {} and {} bytes long", old.total, new.total));
    }
    lines.extend(differing);
}

/// A remark if not all of it was kept.
pub(crate) fn kept(captured: &Captured) -> String {
    let kept = captured.bytes.len() as u64;
    match captured.total > kept {
        true => format!(" (the first {kept} of {} bytes)", captured.total),
        false => String::new(),
    }
}

fn push_file(difference: &Difference, path: &[u8], style: Style, lines: &mut Vec<String>) {
    let (old, new) = (difference.old.files.get(path), difference.new.files.get(path));
    let name = format!("file {}", visible(path));
    match (contents(&difference.old.files, path), contents(&difference.new.files, path)) {
        (Some(old), Some(new)) => push_diff(&name, old, new, style, lines),
        (old_contents, new_contents) => {
            lines.push(format!("{name}: {} → {}", happened(old), happened(new)));
            let empty = Captured::default();
            let (old, new) = (old_contents.unwrap_or(&empty), new_contents.unwrap_or(&empty));
            lines.extend(diff(&old.bytes, &new.bytes, style));
        }
    }
}

fn contents<'a>(files: &'a BTreeMap<Vec<u8>, FileChange>, path: &[u8]) -> Option<&'a Captured> {
    match files.get(path)? {
        FileChange::Created(FileState::File(captured))
        | FileChange::Changed(FileState::File(captured)) => Some(captured),
        _ => None,
    }
}

/// What happened to a path, in words.
pub(crate) fn happened(change: Option<&FileChange>) -> String {
    match change {
        None => String::from("untouched"),
        Some(FileChange::Removed) => String::from("removed"),
        Some(FileChange::Created(state)) => format!("created{}", what(state)),
        Some(FileChange::Changed(state)) => format!("changed{}", what(state)),
    }
}

fn what(state: &FileState) -> String {
    match state {
        FileState::File(_) => String::new(),
        FileState::Symlink(target) => format!(", a symbolic link to {}", visible(target)),
        FileState::Directory => String::from(", a directory"),
        FileState::Special => String::from(", a special file"),
    }
}
