//! A unified diff of two byte strings, made to be read.
//!
//! A diff in a report is there to show *how* two outputs differ, not to be applied: it is cut
//! after some lines, a long line is cut around its first difference, and of very long outputs only
//! the part from the first difference on is looked at. Each cut says how much was left out.

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::{
    style::{Ink, Style},
    visible::visible_to_the_end,
};

/// Lines around each difference.
const CONTEXT: usize = 3;
/// Lines of a diff that are shown.
const SHOWN: usize = 60;
/// Lines of each side that are looked at, from the first difference on.
const WINDOW: usize = 2000;
/// Bytes of a line that are shown.
const WIDTH: usize = 300;
/// Bytes that are shown before the first difference of a long line.
const LEAD: usize = 40;

/// The lines of the diff, without headers for the files.
pub(crate) fn diff(old: &[u8], new: &[u8], style: Style) -> Vec<String> {
    let (old_lines, new_lines) = (split(old), split(new));
    let same = old_lines.iter().zip(&new_lines).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(CONTEXT);
    let sides =
        Sides { old: window(&old_lines, start), new: window(&new_lines, start), start, style };
    let mut lines = sides.hunks();
    let mut left_out = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    left_out += old_lines.len().saturating_sub(start + WINDOW);
    left_out += new_lines.len().saturating_sub(start + WINDOW);
    if left_out > 0 {
        let lines_left = if left_out == 1 { "line is" } else { "lines are" };
        let text = format!("… {left_out} more {lines_left} left out");
        lines.push(style.paint(Ink::Faint, &text));
    }
    lines
}

fn split(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

fn window<'a>(lines: &[&'a [u8]], start: usize) -> Vec<&'a [u8]> {
    lines.iter().skip(start).take(WINDOW).copied().collect()
}

/// The parts of both sides that are looked at.
struct Sides<'a> {
    old: Vec<&'a [u8]>,
    new: Vec<&'a [u8]>,
    /// The number of lines before them.
    start: usize,
    style: Style,
}

impl Sides<'_> {
    fn hunks(&self) -> Vec<String> {
        let ops = capture_diff_slices(Algorithm::Myers, &self.old, &self.new);
        let mut lines = Vec::new();
        for hunk in group_diff_ops(ops, CONTEXT) {
            lines.push(self.style.paint(Ink::Faint, &self.header(&hunk)));
            for op in &hunk {
                self.push_op(op, &mut lines);
            }
        }
        lines
    }

    fn header(&self, hunk: &[DiffOp]) -> String {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
            return String::new();
        };
        let range = |from: usize, to: usize| {
            // As diff has it: an empty range is named by the line before it.
            let first_line = self.start + from + usize::from(to > from);
            format!("{first_line},{}", to - from)
        };
        let old = range(first.old_range().start, last.old_range().end);
        let new = range(first.new_range().start, last.new_range().end);
        format!("@@ -{old} +{new} @@")
    }

    fn push_op(&self, op: &DiffOp, lines: &mut Vec<String>) {
        let (old, new) = (&self.old[op.old_range()], &self.new[op.new_range()]);
        if let DiffOp::Equal { .. } = op {
            lines.extend(old.iter().flat_map(|line| shown(" ", line, None)));
            return;
        }
        for (index, line) in old.iter().enumerate() {
            let line = shown("-", line, new.get(index).copied());
            lines.extend(line.iter().map(|line| self.style.paint(Ink::Old, line)));
        }
        for (index, line) in new.iter().enumerate() {
            let line = shown("+", line, old.get(index).copied());
            lines.extend(line.iter().map(|line| self.style.paint(Ink::New, line)));
        }
    }
}

/// A line of the diff, and another that says so if it has no newline.
fn shown(mark: &str, line: &[u8], counterpart: Option<&[u8]>) -> Vec<String> {
    let text = line.strip_suffix(b"\n");
    let mut lines = vec![format!("{mark}{}", cut(text.unwrap_or(line), counterpart))];
    if text.is_none() {
        lines.push(String::from("\\ no newline at the end"));
    }
    lines
}

/// The visible part of a line; a long one from a little before where it differs.
pub(crate) fn cut(line: &[u8], counterpart: Option<&[u8]>) -> String {
    if line.len() <= WIDTH {
        return visible_to_the_end(line);
    }
    let counterpart = counterpart.unwrap_or_default();
    let same = line.iter().zip(counterpart).take_while(|(a, b)| a == b).count();
    let from = if same < WIDTH { 0 } else { same - LEAD };
    let to = line.len().min(from + WIDTH);
    let before = match from {
        0 => String::new(),
        from => format!("[{from} bytes] "),
    };
    let after = match line.len() - to {
        0 => String::new(),
        after => format!(" [{after} bytes]"),
    };
    format!("{before}{}{after}", visible_to_the_end(&line[from..to]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &[&str]) {
        assert_eq!(diff(old.as_bytes(), new.as_bytes(), Style::Plain), expected);
    }

    #[test]
    fn a_changed_line_stands_in_its_context() {
        check(
            "1\n2\n3\n4\n5\n6\n",
            "1\n2\n3\n4\nfive\n6\n",
            &["@@ -2,5 +2,5 @@", " 2", " 3", " 4", "-5", "+five", " 6"],
        );
    }

    #[test]
    fn nothing_is_a_range_too() {
        check("", "a\n", &["@@ -0,0 +1,1 @@", "+a"]);
        check("a\n", "", &["@@ -1,1 +0,0 @@", "-a"]);
    }

    #[test]
    fn a_missing_newline_is_said() {
        check("a\n", "a", &["@@ -1,1 +1,1 @@", "-a", "+a", "\\ no newline at the end"]);
    }

    #[test]
    fn white_space_and_control_characters_can_be_seen() {
        check("a\n", "a \n", &["@@ -1,1 +1,1 @@", "-a", "+a\\x20"]);
        check("a\n", "a\x1b\n", &["@@ -1,1 +1,1 @@", "-a", "+a\\x1b"]);
    }

    #[test]
    fn a_long_line_is_cut_around_its_difference() {
        let (old, new) = (format!("{}a", "x".repeat(5000)), format!("{}b", "x".repeat(5000)));
        let lines = diff(old.as_bytes(), new.as_bytes(), Style::Plain);
        let lead = "x".repeat(LEAD);
        assert_eq!(lines[1], format!("-[4960 bytes] {lead}a"));
        assert_eq!(lines[3], format!("+[4960 bytes] {lead}b"));
    }

    #[test]
    fn a_long_diff_is_cut() {
        let text = |word: &str| -> String { (0..9000).map(|i| format!("{word} {i}\n")).collect() };
        let lines = diff(text("old").as_bytes(), text("new").as_bytes(), Style::Plain);
        assert_eq!(lines.len(), SHOWN + 1);
        // A header and all lines of both sides, but for those shown.
        assert_eq!(lines[SHOWN], "… 17941 more lines are left out");
    }

    #[test]
    fn colour_is_only_there_when_asked_for() {
        let lines = diff(b"a\n", b"b\n", Style::Colour);
        assert_eq!(lines[1], "\x1b[31m-a\x1b[0m");
        assert_eq!(lines[2], "\x1b[32m+b\x1b[0m");
    }
}
