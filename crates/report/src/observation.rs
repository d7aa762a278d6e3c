//! One run as text, for a replay of a test.

use parallax_run::{Captured, Ending, Observation};

use crate::{
    counted,
    details::{happened, kept},
    diff::cut,
    ending,
    style::{Ink, Style},
    visible::visible,
};

/// Lines of a stream that are shown.
const SHOWN: usize = 200;

/// All that could be seen of a run.
pub fn observation(observation: &Observation, style: Style) -> String {
    let mut text = format!("{}\n", ending::describe(observation.ending));
    text += &stream("stdout", &observation.stdout, style);
    text += &stream("stderr", &observation.stderr, style);
    for (path, change) in &observation.files {
        let name = format!("file {}: {}", visible(path), happened(Some(change)));
        text += &match change.captured() {
            Some(captured) => stream(&name, captured, style),
            None => format!("{}\n", style.paint(Ink::Heading, &name)),
        };
    }
    text
}

/// The ending of a run, in words.
pub fn ended(observation: &Observation) -> String {
    ending::describe(observation.ending)
}

fn stream(name: &str, captured: &Captured, style: Style) -> String {
    let heading = format!("{name}{}", kept(captured));
    if captured.bytes.is_empty() {
        return format!("{} (empty)\n", style.paint(Ink::Heading, &heading));
    }
    let mut text = format!("{}\n", style.paint(Ink::Heading, &heading));
    let lines: Vec<&[u8]> = captured.bytes.split_inclusive(|&byte| byte == b'\n').collect();
    for line in lines.iter().take(SHOWN) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        text += &format!("  {}\n", cut(line, None));
    }
    match lines.len().saturating_sub(SHOWN) {
        0 if captured.bytes.ends_with(b"\n") => text,
        0 => text + "  \\ no newline at the end\n",
        more => {
            let more = counted(more, "more line is", "more lines are");
            format!("{text}  … {more} left out\n")
        }
    }
}

/// Differences between the traced run and the program's own. A limit cuts them off anywhere.
pub fn disturbed(traced: &Observation, untouched: &Observation) -> Vec<String> {
    let is_limit = |ending| !matches!(ending, Ending::Exit(_) | Ending::Signal(_));
    if is_limit(traced.ending) && is_limit(untouched.ending) {
        return Vec::new();
    }
    let ends = format!("it ends with {}", ended(untouched));
    let differences = [
        (traced.ending != untouched.ending, ends.as_str()),
        (traced.stdout != untouched.stdout, "what it prints on stdout"),
        (traced.stderr != untouched.stderr, "what it prints on stderr"),
        (traced.files != untouched.files, "the files that it leaves"),
    ];
    differences.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_run_reads_well() {
        let text = observation(&fixture::difference().new, Style::Plain);
        fixture::check("observation.txt", &text);
    }
}
