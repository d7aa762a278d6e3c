//! The changes between two versions, and what they can affect.

use std::fmt::Write;

use serde::Serialize;

use crate::{
    counted,
    style::{Ink, Style},
    visible::harmless_line,
};

/// The changes between two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// The version of this format.
    pub schema: u32,
    /// The verb that made this report.
    pub verb: &'static str,
    /// `changed` or `unchanged`.
    pub verdict: &'static str,
    /// The name of the program.
    pub program: String,
    /// The changes.
    pub changes: Vec<ReportedChange>,
    /// Functions with another name: the old one and the new one.
    pub renamed: Vec<(String, String)>,
    /// Functions that only the new version has.
    pub added: Vec<String>,
    /// Functions that only the old version has.
    pub deleted: Vec<String>,
    /// Places where changes can interact.
    pub interactions: Vec<Interaction>,
    /// Possible orders of execution: changes by their ids, places by file and line.
    pub sequences: Vec<(String, String)>,
    /// Sizes of the new version.
    pub size: Size,
    /// Remarks that are needed to read the rest.
    pub notes: Vec<String>,
}

/// The size of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Functions with a body.
    pub functions: usize,
    /// Instructions.
    pub instructions: usize,
    /// Directions of branches.
    pub ways: usize,
}

/// One change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportedChange {
    /// `c1` and so on.
    pub id: String,
    /// `modified`, `added` or `deleted`.
    pub kind: &'static str,
    /// The cause, if it is not the code itself that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The function it is in.
    pub function: String,
    /// Its place in the old version.
    pub old: Option<Passage>,
    /// Its place in the new version.
    pub new: Option<Passage>,
    /// Whether it can be executed at all.
    pub reachable: bool,
    /// Whether it can be executed before any other change is.
    pub first: bool,
    /// The code that it can affect.
    pub affects: Affected,
    /// Branch directions that cannot lead to it.
    pub irrelevant_before: usize,
    /// Those of them that cannot follow it either.
    pub irrelevant_after: usize,
    /// Number of branch directions that decide whether it is executed, by the number of decisions.
    pub distances: Vec<Distance>,
}

/// Branch directions that are equally far from a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Distance {
    /// The number of decisions up to the change, this one included.
    pub steps: usize,
    /// Whether there may be more decisions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub or_more: bool,
    /// The number of branch directions.
    pub ways: usize,
}

/// Lines of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Passage {
    /// The file.
    pub file: String,
    /// The first and the last line.
    pub lines: (u32, u32),
    /// Their text, if the file is there.
    pub text: Vec<String>,
    /// Instructions, where there are no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<(u32, u32)>,
}

/// The code that a change can affect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Affected {
    /// The functions.
    pub functions: Vec<String>,
    /// The number of instructions.
    pub instructions: usize,
    /// Places where something is visible, as `file:line`.
    pub outputs: Vec<String>,
    /// Visible places of the old version that have no code in the new one.
    pub gone_outputs: Vec<String>,
}

/// A place where changes interact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Interaction {
    /// The place, as `file:line`.
    pub place: String,
    /// The function.
    pub function: String,
    /// The changes.
    pub changes: Vec<String>,
}

impl ChangeReport {
    /// As JSON.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }

    /// A report for a terminal, `width` columns wide.
    pub fn terminal(&self, style: Style, width: usize) -> String {
        let mut text = String::new();
        for note in &self.notes {
            let _ = writeln!(text, "note: {}", harmless_line(note));
        }
        let _ = writeln!(text, "{}", self.headline());
        for change in &self.changes {
            text.push('\n');
            change.write(self, style, width, &mut text);
        }
        self.write_interactions(&mut text);
        text
    }

    fn headline(&self) -> String {
        let program = harmless_line(&self.program);
        if self.changes.is_empty() {
            return format!("{program}: unchanged");
        }
        let count = |kind| self.changes.iter().filter(|change| change.kind == kind).count();
        let kinds = ["modified", "added", "deleted"].map(|kind| (count(kind), kind));
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<_> = kinds.map(|(count, kind)| format!("{count} {kind}")).collect();
        let number = self.changes.len();
        let noun = if number == 1 { "change" } else { "changes" };
        format!("{program}: {number} {noun} ({})", kinds.join(", "))
    }

    fn write_interactions(&self, text: &mut String) {
        if self.changes.len() < 2 {
            return;
        }
        match self.interactions.is_empty() {
            true => text.push_str("\nno two changes can meet\n"),
            false => text.push_str("\nchanges can meet\n"),
        }
        const SHOWN: usize = 12;
        for Interaction { place, function, changes } in self.interactions.iter().take(SHOWN) {
            let (place, function) = (harmless_line(place), harmless_line(function));
            let _ = writeln!(text, "  at {place} in {function}: {}", changes.join(", "));
        }
        if let Some(more @ 1..) = self.interactions.len().checked_sub(SHOWN) {
            let more = counted(more, "more place", "more places");
            let _ = writeln!(text, "  and at {more} (--json has all)");
        }
    }
}

impl ReportedChange {
    fn write(&self, report: &ChangeReport, style: Style, width: usize, text: &mut String) {
        let cause = self.cause.as_ref().map(|cause| format!(" ({cause})")).unwrap_or_default();
        let place = match (&self.old, &self.new) {
            (_, Some(new)) => new.place(),
            (Some(old), None) => old.place(),
            (None, None) => String::new(),
        };
        let heading = format!("{} {} in {}, {place}{cause}", self.id, self.kind, self.function);
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &harmless_line(&heading)));
        self.write_source(style, width, text);
        if !self.reachable {
            text.push_str("  cannot be executed: nothing leads to it\n");
            return;
        }
        self.write_affected(report, text);
        self.write_irrelevant(report, text);
    }

    fn write_affected(&self, report: &ChangeReport, text: &mut String) {
        let Affected { functions, instructions, outputs, gone_outputs } = &self.affects;
        if !gone_outputs.is_empty() {
            let gone = listed(gone_outputs, "output", "outputs");
            let _ = writeln!(text, "  takes away {gone} of the old version");
        }
        if *instructions == 0 {
            if gone_outputs.is_empty() {
                text.push_str("  nothing depends on it\n");
            }
            return;
        }
        let _ = writeln!(
            text,
            "  can affect {instructions} of {} instructions, in {}",
            report.size.instructions,
            listed(functions, "function", "functions"),
        );
        let _ = match outputs.is_empty() {
            true if !gone_outputs.is_empty() => Ok(()),
            true => writeln!(text, "  no output depends on it"),
            false => writeln!(text, "  seen at {}", listed(outputs, "output", "outputs")),
        };
    }

    /// Writes which branch directions a search for inputs can skip.
    fn write_irrelevant(&self, report: &ChangeReport, text: &mut String) {
        let (before, after) = (self.irrelevant_before, self.irrelevant_after);
        if before == 0 {
            return;
        }
        let _ = write!(
            text,
            "  of {} branch directions {before} can be skipped: after {} it cannot be executed any more",
            report.size.ways,
            if before == 1 { "this one" } else { "them" },
        );
        let _ = match after {
            0 => writeln!(text),
            _ => writeln!(text, "\n    ({after} of them cannot be taken after it either)"),
        };
    }

    /// The source of both versions, side by side.
    fn write_source(&self, style: Style, width: usize, text: &mut String) {
        const SHOWN: usize = 12;
        let (old, new) = (Passage::numbered(&self.old), Passage::numbered(&self.new));
        let half = width.saturating_sub(5).max(40) / 2;
        let rows = old.len().max(new.len());
        for row in 0..rows.min(SHOWN) {
            let [old, new] = beside(old.get(row), new.get(row), half);
            let old = style.paint(Ink::Old, &format!("{old:half$}"));
            let new = style.paint(Ink::New, new.trim_end());
            let _ = writeln!(text, "  {old} | {new}");
        }
        if let Some(more @ 1..) = rows.checked_sub(SHOWN) {
            let _ = writeln!(text, "  and {more} more lines");
        }
    }
}

/// A line and its number.
type Numbered = (u32, Vec<char>);

/// A line of each version, of at most `width` columns. The common beginning is left out if the
/// difference would be cut off otherwise.
fn beside(old: Option<&Numbered>, new: Option<&Numbered>, width: usize) -> [String; 2] {
    const NUMBER: usize = 6;
    /// The visible part of the difference, and of the text before it.
    const SEEN: usize = 8;
    let room = width.saturating_sub(NUMBER);
    let skipped = match (old, new) {
        (Some((_, old)), Some((_, new))) => {
            let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
            let longest = old.len().max(new.len());
            let is_hidden = longest > room && same + SEEN > room && old != new;
            // The text around the difference is shown as far as there is room.
            let most = longest.saturating_sub(room - 1);
            if is_hidden { same.saturating_sub(SEEN).min(most) } else { 0 }
        }
        _ => 0,
    };
    [old, new].map(|line| match line {
        Some((number, line)) => format!("{number:>5} {}", part(line, skipped, room)),
        None => String::new(),
    })
}

/// The visible part of a line: `room` columns from a character on.
fn part(line: &[char], skipped: usize, room: usize) -> String {
    let start = if skipped > 0 { "…" } else { "" };
    let rest = line.get(skipped..).unwrap_or_default();
    let room = room - start.chars().count();
    let end = if rest.len() > room { "…" } else { "" };
    let rest = rest.iter().take(room - end.chars().count());
    format!("{start}{}{end}", rest.collect::<String>())
}

impl Passage {
    /// The lines with their numbers.
    fn numbered(passage: &Option<Passage>) -> Vec<Numbered> {
        let Some(passage) = passage else { return Vec::new() };
        let lines = (passage.lines.0..).zip(&passage.text);
        let shown = |line: &String| harmless_line(&line.replace('\t', "    ")).chars().collect();
        lines.map(|(number, line)| (number, shown(line))).collect()
    }

    /// As a person writes it: `cut.c:12-14`.
    pub fn place(&self) -> String {
        match (self.instructions, self.lines) {
            (Some((first, last)), _) => format!("instructions {first}-{last}"),
            (None, (first, last)) if first == last => format!("{}:{first}", self.file),
            (None, (first, last)) => format!("{}:{first}-{last}", self.file),
        }
    }
}

/// The number, and the first of them.
fn listed(names: &[String], one: &str, several: &str) -> String {
    const SHOWN: usize = 4;
    let shown =
        names.iter().take(SHOWN).map(|name| harmless_line(name)).collect::<Vec<_>>().join(", ");
    let noun = if names.len() == 1 { one } else { several };
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{} {noun} ({shown}{more})", names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ChangeReport {
        let passage = |line, text: &str| Passage {
            file: "cut.c".into(),
            lines: (line, line),
            text: vec![text.into()],
            instructions: None,
        };
        ChangeReport {
            program: "cut".into(),
            changes: vec![ReportedChange {
                id: "c1".into(),
                kind: "modified",
                function: "parse".into(),
                old: Some(passage(7, "y = 3;")),
                new: Some(passage(8, "y = 2;")),
                reachable: true,
                affects: Affected {
                    functions: vec!["parse".into(), "main".into()],
                    instructions: 9,
                    outputs: vec!["cut.c:20".into()],
                    gone_outputs: vec!["cut.c:21".into()],
                },
                irrelevant_before: 3,
                irrelevant_after: 1,
                ..ReportedChange::default()
            }],
            size: Size { functions: 2, instructions: 40, ways: 8 },
            ..ChangeReport::default()
        }
    }

    #[test]
    fn a_change_is_shown_with_both_sources_and_what_it_can_do() {
        let expected = "\
cut: 1 change (1 modified)

c1 modified in parse, cut.c:8
      7 y = 3;                            |     8 y = 2;
  takes away 1 output (cut.c:21) of the old version
  can affect 9 of 40 instructions, in 2 functions (parse, main)
  seen at 1 output (cut.c:20)
  of 8 branch directions 3 can be skipped: after them it cannot be executed any more
    (1 of them cannot be taken after it either)
";
        assert_eq!(report().terminal(Style::Plain, 83), expected);
    }

    #[test]
    fn what_does_not_apply_is_not_said() {
        let mut report = report();
        report.changes[0].affects = Affected::default();
        report.changes[0].irrelevant_before = 0;
        let text = report.terminal(Style::Plain, 83);
        assert!(text.ends_with("y = 2;\n  nothing depends on it\n"), "{text}");
    }

    #[test]
    fn of_long_lines_the_part_that_differs_is_shown() {
        let line = |text: &str| -> Numbered { (7, text.chars().collect()) };
        let sides = |old: &str, new: &str| beside(Some(&line(old)), Some(&line(new)), 36);
        let long = "if (a_rather_long_condition(of, several) && x ";
        let [old, new] = sides(&format!("{long}> 1)"), &format!("{long}< 1)"));
        assert_eq!(old, "    7 …dition(of, several) && x > 1)");
        assert_eq!(new, "    7 …dition(of, several) && x < 1)");
        // The text after the difference may be long as well.
        let more = "more".repeat(20);
        for (old, new) in [
            (format!("{long}{more}"), format!("{long}x{more}")),
            (format!("{long}{more}"), long.to_owned()),
            (format!("x{long}"), format!("y{long}")),
        ] {
            let [old, new] = sides(&old, &new);
            assert_ne!(old, new);
            assert!(old.chars().count() <= 36 && new.chars().count() <= 36, "{old}\n{new}");
        }
        let [old, new] = sides(long, long);
        assert_eq!(old, "    7 if (a_rather_long_condition(o…");
        assert_eq!(new, old);
    }

    #[test]
    fn distances_have_names() {
        let distances = vec![
            Distance { steps: 1, ways: 3, or_more: false },
            Distance { steps: 16, ways: 2, or_more: true },
        ];
        let text = serde_json::to_string(&distances).unwrap_or_default();
        assert_eq!(text, r#"[{"steps":1,"ways":3},{"steps":16,"or_more":true,"ways":2}]"#);
    }

    #[test]
    fn nothing_changed_is_said() {
        let report = ChangeReport { program: "cut".into(), ..ChangeReport::default() };
        assert_eq!(report.terminal(Style::Plain, 80), "cut: unchanged\n");
    }
}
