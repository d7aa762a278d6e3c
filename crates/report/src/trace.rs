//! A traced run: why it took its path.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    style::{Ink, Style},
    visible::{harmless, harmless_line},
};

/// The behaviour of a program on one test, and its conditions.
#[derive(Clone, Debug, Serialize)]
pub struct TracedRun {
    /// The version of this format.
    pub schema: u32,
    /// The verb: `trace`.
    pub verb: &'static str,
    /// The ending of the run, in words.
    pub ended: String,
    /// Differences from a run without tracing. There should be none.
    pub disturbed: Vec<String>,
    /// Whether the trace goes to the end of the run and stayed within all limits.
    pub complete: bool,
    /// The path condition, in order.
    pub conditions: Vec<Condition>,
    /// The output, in order.
    pub outputs: Vec<Piece>,
    /// The status that the program asked for, as an expression, if it depends on the input.
    pub status: Option<String>,
    /// The approximations, with the number of times.
    pub approximations: Vec<Approximation>,
    /// The size of the trace.
    pub size: Size,
}

/// A condition of the path.
#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    /// The place in the source.
    pub place: String,
    /// The function it is in.
    pub function: String,
    /// The library function whose model made it, if it was one.
    pub model: Option<String>,
    /// `branch`, `switch`, `pin`, `bounds` or `divisor`.
    pub kind: &'static str,
    /// The condition.
    pub text: String,
}

/// A piece of output.
#[derive(Clone, Debug, Serialize)]
pub struct Piece {
    /// The place in the source.
    pub place: String,
    /// The descriptor it was printed on.
    pub descriptor: u16,
    /// Text in quotes and expressions, in order.
    pub text: String,
    /// Whether it depends on the input.
    pub symbolic: bool,
}

/// An approximation.
#[derive(Clone, Debug, Serialize)]
pub struct Approximation {
    /// Its name.
    pub what: String,
    /// The number of times.
    pub count: u64,
    /// The first place.
    pub places: Vec<String>,
}

/// The size of a trace.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Size {
    /// Operations on symbolic values.
    pub nodes: u64,
    /// Records of events.
    pub events: u64,
    /// Covered edges of the program.
    pub edges: u64,
}

impl TracedRun {
    /// As a JSON document that ends in a newline.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }

    /// As text for a terminal.
    pub fn terminal(&self, style: Style) -> String {
        let mut text = format!("{}\n", harmless_line(&self.ended));
        for otherwise in &self.disturbed {
            let line = format!("not as it runs without being traced: {otherwise}");
            text += &format!("{}\n", style.paint(Ink::Trouble, &harmless_line(&line)));
        }
        text += &self.condition_lines(style);
        text += &self.output_lines(style);
        if let Some(status) = &self.status {
            let status = indented(status, 2);
            text += &format!("{}\n  {status}\n", style.paint(Ink::Heading, "exit status"));
        }
        text += &self.approximation_lines(style);
        let Size { nodes, events, edges } = self.size;
        let size = format!("{nodes} symbolic operations, {events} events, {edges} edges covered");
        text + &style.paint(Ink::Faint, &size) + "\n"
    }

    fn condition_lines(&self, style: Style) -> String {
        if self.conditions.is_empty() {
            return "no branch depended on the input\n".to_owned();
        }
        let lines = lines_of(&self.conditions);
        let said: usize = lines.iter().map(Line::stands_for).sum();
        let repeated = match self.conditions.len() - said {
            0 => String::new(),
            count => format!(", {count} of them said before"),
        };
        let heading = format!("path condition ({}{repeated})", self.conditions.len());
        let mut text = style.paint(Ink::Heading, &heading) + "\n";
        let width = column(lines.iter().map(Line::place));
        for line in &lines {
            text += &line.paint(width, style);
        }
        text
    }

    fn output_lines(&self, style: Style) -> String {
        let mut text = String::new();
        let mut last = None;
        let width =
            column(self.outputs.iter().map(|piece| harmless_line(&piece.place).into_owned()));
        for piece in &self.outputs {
            if last != Some(piece.descriptor) {
                text += &style.paint(Ink::Heading, &stream(piece.descriptor));
                text.push('\n');
            }
            last = Some(piece.descriptor);
            let place = format!("{:width$}", harmless_line(&piece.place));
            let shown = indented(&piece.text, width + 4);
            text += &format!("  {}  {shown}\n", style.paint(Ink::Faint, &place));
        }
        text
    }

    fn approximation_lines(&self, style: Style) -> String {
        if self.approximations.is_empty() {
            return "nothing was approximated\n".to_owned();
        }
        let mut text = style.paint(Ink::Heading, "approximations") + "\n";
        for Approximation { what, count, places } in &self.approximations {
            let places = match places.is_empty() {
                true => String::new(),
                false => {
                    format!("  {}", style.paint(Ink::Faint, &harmless_line(&places.join(" "))))
                }
            };
            text += &format!("  {count:>6}  {}{places}\n", harmless_line(what));
        }
        text
    }
}

/// The most pins of one call that are shown individually: a file name is pinned byte by byte.
const PINS_SHOWN: usize = 4;

/// A line of the path condition.
enum Line<'c> {
    /// A condition that did not occur before.
    Condition(&'c Condition),
    /// So many more pins, at the place of this one.
    Pins(&'c Condition, usize),
}

/// The conditions as lines: repeated conditions are left out, and long rows of pins are cut.
fn lines_of(conditions: &[Condition]) -> Vec<Line<'_>> {
    let mut seen = BTreeSet::new();
    let new: Vec<_> = conditions.iter().filter(|c| seen.insert(c.text.as_str())).collect();
    let together = |one: &&Condition, other: &&Condition| {
        one.kind == "pin" && other.kind == "pin" && one.place == other.place
    };
    let mut lines = Vec::new();
    for group in new.chunk_by(together) {
        let shown = if group.len() > PINS_SHOWN + 1 { PINS_SHOWN } else { group.len() };
        lines.extend(group[..shown].iter().map(|condition| Line::Condition(condition)));
        lines.extend(group.get(shown).map(|first| Line::Pins(first, group.len() - shown)));
    }
    lines
}

impl Line<'_> {
    fn stands_for(&self) -> usize {
        match self {
            Line::Condition(_) => 1,
            Line::Pins(_, count) => *count,
        }
    }

    fn place(&self) -> String {
        match self {
            Line::Condition(condition) | Line::Pins(condition, _) => condition.where_to(),
        }
    }

    fn paint(&self, width: usize, style: Style) -> String {
        let place = style.paint(Ink::Faint, &format!("{:width$}", self.place()));
        let (text, note) = match self {
            Line::Pins(_, count) => (format!("… {count} more"), "pins"),
            Line::Condition(Condition { kind: "branch" | "switch", text, .. }) => {
                (text.clone(), "")
            }
            Line::Condition(condition) => (condition.text.clone(), condition.kind),
        };
        let note = match note {
            "" => String::new(),
            note => style.paint(Ink::Faint, &format!("  ({note})")),
        };
        format!("  {place}  {}{note}\n", indented(&text, width + 4))
    }
}

/// Subexpressions that are used more than once come first, on lines of their own: they stay in the
/// column.
fn indented(text: &str, by: usize) -> String {
    harmless(text).replace('\n', &format!("\n{:by$}", ""))
}

/// The width of a column of places; a few long ones do not push the rest to the right.
fn column(places: impl Iterator<Item = String>) -> usize {
    places.map(|place| place.chars().count()).filter(|width| *width <= 40).max().unwrap_or_default()
}

impl Condition {
    fn where_to(&self) -> String {
        match &self.model {
            Some(model) => harmless_line(&format!("{} {model}", self.place)).into_owned(),
            None => harmless_line(&self.place).into_owned(),
        }
    }
}

fn stream(descriptor: u16) -> String {
    match descriptor {
        1 => "stdout".to_owned(),
        2 => "stderr".to_owned(),
        other => format!("descriptor {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(place: &str, kind: &'static str, text: &str) -> Condition {
        let (place, function, text) = (place.to_owned(), "main".to_owned(), text.to_owned());
        Condition { place, function, model: None, kind, text }
    }

    fn run(conditions: Vec<Condition>) -> TracedRun {
        TracedRun {
            schema: 1,
            verb: "trace",
            ended: "exit status 0".into(),
            complete: true,
            disturbed: Vec::new(),
            conditions,
            outputs: Vec::new(),
            status: None,
            approximations: Vec::new(),
            size: Size::default(),
        }
    }

    #[test]
    fn what_was_said_is_not_said_again() {
        let mut again = condition("a.c:10:1", "pin", "argc > 1");
        again.model = Some("atoi".into());
        let run = run(vec![
            condition("a.c:9:1", "branch", "argc > 1"),
            again,
            condition("a.c:11:1", "divisor", "arg[1][0] != 0"),
        ]);
        let text = run.terminal(Style::Plain);
        assert!(
            text.contains(
                "path condition (3, 1 of them said before)\n  \
             a.c:9:1   argc > 1\n  \
             a.c:11:1  arg[1][0] != 0  (divisor)\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_was_disturbed_is_not_to_be_trusted() {
        let mut run = run(Vec::new());
        run.disturbed = vec!["what it prints on stdout".into()];
        let text = run.terminal(Style::Plain);
        let wanted =
            "exit status 0\nnot as it runs without being traced: what it prints on stdout\n";
        assert!(text.starts_with(wanted), "{text}");
    }

    #[test]
    fn long_rows_of_pins_are_cut() {
        let pins = |count: usize| {
            let pin = |index| condition("a.c:1:1", "pin", &format!("arg[1][{index}] == 'x'"));
            run((0..count).map(pin).collect()).terminal(Style::Plain)
        };
        assert!(pins(5).contains("arg[1][4] == 'x'  (pin)\n"), "{}", pins(5));
        assert!(
            pins(9).contains("arg[1][3] == 'x'  (pin)\n  a.c:1:1  … 5 more  (pins)\n"),
            "{}",
            pins(9)
        );
    }

    #[test]
    fn expressions_of_several_lines_stay_in_their_column() {
        let run = run(vec![condition("a.c:1:1", "branch", "t1 = argc + 1\nt1 * t1 == 9")]);
        let text = run.terminal(Style::Plain);
        assert!(text.contains("  a.c:1:1  t1 = argc + 1\n           t1 * t1 == 9\n"), "{text}");
    }

    #[test]
    fn a_long_place_does_not_move_the_others() {
        let long = "a/very/long/way/to/a/file/with/a/long/name/types.c:1:1";
        let run = run(vec![condition(long, "branch", "p"), condition("b.c:1:1", "branch", "q")]);
        let text = run.terminal(Style::Plain);
        assert!(text.contains(&format!("  {long}  p\n  b.c:1:1  q\n")), "{text}");
    }
}
