//! The details of one difference, for a person who asks how the two versions differ.

use std::fmt::Display;

use parallax_compare::{Aspect, Compared, Difference, Masked, MemoryError, Version};
use parallax_run::{Captured, Contents, FileChange, FileState};

use crate::{
    diff::diff,
    ending,
    style::{Ink, Style},
    visible::{harmless_line, visible},
};

/// Characters of a shell line that are shown: most from its beginning, and its end, where the
/// program and its arguments are.
const LINE_START: usize = 800;
const LINE_END: usize = 200;

/// The line to run a test again, without the middle if it is too long to paste.
pub(crate) fn run_line(test: &Compared, program: &str) -> String {
    shortened(&test.case.shell_line(program), &test.name)
}

/// A line without the middle if it is too long to paste; all of it is in `file`.
pub(crate) fn shortened(line: &str, file: &str) -> String {
    let length = line.chars().count();
    let left_out = length.saturating_sub(LINE_START + LINE_END);
    if left_out == 0 {
        return line.to_owned();
    }
    let start: String = line.chars().take(LINE_START).collect();
    let end: String = line.chars().skip(length - LINE_END).collect();
    let name = visible(file.as_bytes());
    format!("{start} […{left_out} characters are left out; all of it is in {name}…] {end}")
}

/// Lines that show each aspect in which the versions differ.
pub(crate) fn details(difference: &Difference, style: Style) -> Vec<String> {
    let [old, new] = &*difference.shown;
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
            Aspect::Memory => {
                for (version, run) in [("old", &difference.old), ("new", &difference.new)] {
                    let error = MemoryError::of(run);
                    let error = error.map_or_else(|| "no error".to_owned(), |it| it.to_string());
                    let error = harmless_line(&error);
                    lines.push(format!("memory of the {version} version: {error}"));
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

/// The sentence that these parts differ, such as `stdout and exit differ`.
pub(crate) fn that_differ(parts: &[impl Display]) -> String {
    match parts {
        [] => "nothing differs".to_owned(),
        [one] => format!("{one} differs"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("{} and {last} differ", others.join(", "))
        }
    }
}

/// The remark about noise beside a result.
pub(crate) fn noise(masked: &[Masked]) -> Option<String> {
    let (vary, unsure): (Vec<&Masked>, Vec<&Masked>) =
        masked.iter().partition(|masked| !masked.varies_in.is_empty());
    let aspects: Vec<Aspect> = vary.iter().map(|masked| masked.aspect).collect();
    let verb = if aspects.len() == 1 { "varies" } else { "vary" };
    let from_run_to_run = (!aspects.is_empty()).then(|| {
        format!("{} {verb} from run to run; the varying parts were not compared", list(&aspects))
    });
    let more = vary.iter().filter_map(|masked| {
        masked_because(masked).map(|because| format!("{} {because}", masked.aspect))
    });
    let unsure = unsure.iter().map(|masked| format!("{}: {BEYOND_RULES}", masked.aspect));
    let parts: Vec<String> = from_run_to_run.into_iter().chain(more).chain(unsure).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Each aspect with the known reason why it was not compared.
pub(crate) fn list_masked(masked: &[Masked]) -> String {
    let phrase = |masked: &Masked| match masked_because(masked) {
        Some(because) => format!("{} ({because})", masked.aspect),
        None if masked.varies_in.is_empty() => format!("{} ({BEYOND_RULES})", masked.aspect),
        None => masked.aspect.to_string(),
    };
    masked.iter().map(phrase).collect::<Vec<String>>().join(", ")
}

/// The reason why an aspect that does not vary was not compared.
const BEYOND_RULES: &str = "the bytes beyond those kept differ, and ignored text may be among them";

/// Further facts about a variation: in which version alone, and between which endings.
fn masked_because(masked: &Masked) -> Option<String> {
    let only = masked.only_in().map(|version| format!("varies only in {}", version_name(version)));
    let endings: Vec<String> = masked.endings.iter().copied().map(ending::describe).collect();
    match (only, endings.is_empty()) {
        (only, true) => only,
        (Some(only), false) => Some(format!("{only}: {}", endings.join(", "))),
        (None, false) => Some(format!("varies: {}", endings.join(", "))),
    }
}

/// The name of a version.
pub(crate) fn version_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

fn push_diff(name: &str, old: &Captured, new: &Captured, style: Style, lines: &mut Vec<String>) {
    lines.push(style.paint(Ink::Old, &format!("--- old {name}{}", kept(old))));
    lines.push(style.paint(Ink::New, &format!("+++ new {name}{}", kept(new))));
    let differing = diff(&old.bytes, &new.bytes, style);
    if differing.is_empty() {
        lines.push(format!("  {}", beyond(old, new)));
    }
    lines.extend(differing);
}

/// The difference between two captures of which the kept bytes are the same.
fn beyond(old: &Captured, new: &Captured) -> String {
    let kept = old.bytes.len();
    match old.total == new.total {
        true => format!("they differ beyond the first {kept} bytes"),
        false => format!(
            "they differ beyond the first {kept} bytes: they are {} and {} bytes long",
            old.total, new.total
        ),
    }
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
    let (old, new) = (difference.shown[0].files.get(path), difference.shown[1].files.get(path));
    let name = format!("file {}", visible(path));
    push_modes(&name, [old, new], lines);
    match (old.and_then(FileChange::captured), new.and_then(FileChange::captured)) {
        (Some(old), Some(new)) if old == new => {}
        (Some(old), Some(new)) => push_diff(&name, old, new, style, lines),
        (old_contents, new_contents) => {
            let (before, after) = (happened(old), happened(new));
            if before != after {
                lines.push(format!("{name}: {before} → {after}"));
            }
            let empty = Captured::default();
            let (old, new) = (old_contents.unwrap_or(&empty), new_contents.unwrap_or(&empty));
            lines.extend(diff(&old.bytes, &new.bytes, style));
        }
    }
}

/// A line if the same thing is there with other permissions.
fn push_modes(name: &str, versions: [Option<&FileChange>; 2], lines: &mut Vec<String>) {
    let [Some(old), Some(new)] = versions.map(|change| change.and_then(FileChange::state)) else {
        return;
    };
    if old.mode != new.mode && what(old) == what(new) {
        lines.push(format!("{name}: mode {:04o} → {:04o}", old.mode, new.mode));
    }
}

/// The change of a path, in words.
pub(crate) fn happened(change: Option<&FileChange>) -> String {
    match change {
        None => String::from("untouched"),
        Some(FileChange::Removed) => String::from("removed"),
        Some(FileChange::Created(state)) => format!("created{}", what(state)),
        Some(FileChange::Changed(state)) => format!("changed{}", what(state)),
    }
}

fn what(state: &FileState) -> String {
    match &state.contents {
        Contents::File(_) => String::new(),
        Contents::Symlink(target) => format!(", a symbolic link to {}", visible(target)),
        Contents::Directory => String::from(", a directory"),
        Contents::Special => String::from(", a special file"),
    }
}

#[cfg(test)]
mod tests {
    use parallax_compare::{MEMORY_ERROR_STATUS, Outcome};
    use parallax_run::{Ending, Observation, TestCase};

    use super::*;
    use crate::fixture;

    fn masked(aspect: Aspect, versions: &[Version], endings: &[Ending]) -> Masked {
        Masked { aspect, varies_in: versions.to_vec(), endings: endings.to_vec() }
    }

    #[test]
    fn noise_in_one_version_is_said() {
        let both = masked(Aspect::Stdout, &[Version::Old, Version::New], &[]);
        let new = masked(Aspect::Stderr, &[Version::New], &[]);
        let endings = [Ending::Exit(0), Ending::Signal(libc::SIGSEGV)];
        let exit = masked(Aspect::Exit, &[Version::Old], &endings);
        let unsure = masked(Aspect::Files, &[], &[]);
        assert_eq!(
            list_masked(&[both.clone(), new.clone(), exit]),
            "stdout, stderr (varies only in new), \
             exit (varies only in old: exit status 0, killed by SIGSEGV)"
        );
        assert_eq!(
            noise(&[both, new]).as_deref(),
            Some(
                "stdout, stderr vary from run to run; the varying parts were not compared; \
                 stderr varies only in new"
            )
        );
        assert_eq!(noise(&[unsure]), Some(format!("files: {BEYOND_RULES}")));
        assert_eq!(noise(&[]), None);
    }

    #[test]
    fn a_memory_error_is_told_of_the_version_that_has_it() {
        let run = |status, stderr: &str| Observation {
            ending: Ending::Exit(status),
            stdout: Captured::default(),
            stderr: Captured::whole(stderr.as_bytes()),
            files: Default::default(),
        };
        let report =
            "    #0 0x55 in main /src/a.c:7:3\nSUMMARY: AddressSanitizer: bad-free a.c:7:3";
        let (old, new) = (run(0, ""), run(MEMORY_ERROR_STATUS, report));
        let difference = Difference::between(old, new, vec![Aspect::Memory]);
        assert_eq!(
            details(&difference, Style::Plain),
            ["memory of the old version: no error", "memory of the new version: bad-free at a.c:7"]
        );
    }

    #[test]
    fn a_difference_beyond_what_was_kept_is_said() {
        let captured = |total, rest| Captured { bytes: b"abc\n".to_vec(), total, rest };
        let check = |old: &Captured, new: &Captured, expected: &[&str]| {
            let mut lines = Vec::new();
            push_diff("stdout", old, new, Style::Plain, &mut lines);
            assert_eq!(lines, expected);
        };
        check(
            &captured(9, 1),
            &captured(9, 2),
            &[
                "--- old stdout (the first 4 of 9 bytes)",
                "+++ new stdout (the first 4 of 9 bytes)",
                "  they differ beyond the first 4 bytes",
            ],
        );
        check(
            &captured(9, 1),
            &captured(4, 0),
            &[
                "--- old stdout (the first 4 of 9 bytes)",
                "+++ new stdout",
                "  they differ beyond the first 4 bytes: they are 9 and 4 bytes long",
            ],
        );
    }

    #[test]
    fn a_long_line_to_run_is_cut() {
        let test = |length| Compared {
            case: TestCase { stdin: Some(vec![b'x'; length]), ..TestCase::default() },
            ..fixture::compared("big", &[], Outcome::Same, &[])
        };
        assert_eq!(run_line(&test(900), "./cut"), test(900).case.shell_line("./cut"));
        let line = run_line(&test(3_000_000), "./cut");
        assert!(line.starts_with("printf 'xxx") && line.ends_with("xx' | ./cut"), "{line}");
        assert!(line.contains("characters are left out; all of it is in big…]"), "{line}");
        assert!(line.chars().count() < 1100, "{line}");
    }
}
