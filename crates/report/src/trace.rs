//! A traced run, for those who want to know why it went where it went.

use serde::Serialize;

use crate::style::{Ink, Style};

/// What one test made a program do, and under which conditions.
#[derive(Clone, Debug, Serialize)]
pub struct TracedRun {
    /// The version of this format.
    pub schema: u32,
    /// What was asked for: `trace`.
    pub verb: &'static str,
    /// How the run ended, in words.
    pub ended: String,
    /// What had to hold for the run to go where it went, in order.
    pub conditions: Vec<Condition>,
    /// What was printed, in order.
    pub outputs: Vec<Piece>,
    /// The status that the program asked for, as an expression, if it depends on the input.
    pub status: Option<String>,
    /// What makes this less than exact: how often, by what it is.
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
    /// What holds.
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

/// Something that is not exact.
#[derive(Clone, Debug, Serialize)]
pub struct Approximation {
    /// What it is.
    pub what: String,
    /// How often it was met.
    pub count: u64,
    /// Where it was met first.
    pub places: Vec<String>,
}

/// How large a trace is.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Size {
    /// Operations on symbolic values.
    pub nodes: u64,
    /// Records of what happened.
    pub events: u64,
    /// Edges of the program that were covered.
    pub edges: u64,
}

impl TracedRun {
    /// As a JSON document that ends in a newline.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("strings, numbers and lists can always be JSON") + "\n"
    }

    /// As text for a terminal.
    pub fn terminal(&self, style: Style) -> String {
        let mut text = format!("{}\n", self.ended);
        text += &self.condition_lines(style);
        text += &self.output_lines(style);
        if let Some(status) = &self.status {
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
        let heading = format!("path condition ({})", self.conditions.len());
        let mut text = style.paint(Ink::Heading, &heading) + "\n";
        let width = self.conditions.iter().map(|c| c.where_to().chars().count()).max();
        let width = width.unwrap_or_default().min(40);
        for condition in &self.conditions {
            let place = format!("{:width$}", condition.where_to());
            let note = match condition.kind {
                "branch" | "switch" => String::new(),
                kind => style.paint(Ink::Faint, &format!("  ({kind})")),
            };
            text += &format!("  {}  {}{note}\n", style.paint(Ink::Faint, &place), condition.text);
        }
        text
    }

    fn output_lines(&self, style: Style) -> String {
        let mut text = String::new();
        let mut last = None;
        for piece in &self.outputs {
            if last != Some(piece.descriptor) {
                text += &style.paint(Ink::Heading, &stream(piece.descriptor));
                text.push('\n');
            }
            last = Some(piece.descriptor);
            let place = format!("{:16}", piece.place);
            text += &format!("  {}  {}\n", style.paint(Ink::Faint, &place), piece.text);
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
                false => format!("  {}", style.paint(Ink::Faint, &places.join(" "))),
            };
            text += &format!("  {count:>6}  {what}{places}\n");
        }
        text
    }
}

impl Condition {
    fn where_to(&self) -> String {
        match &self.model {
            Some(model) => format!("{} {model}", self.place),
            None => self.place.clone(),
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
