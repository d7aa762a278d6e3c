//! How the effect of each change travels through one test.

use std::{collections::VecDeque, fmt::Write};

use serde::Serialize;

use crate::{
    changes::Passage,
    style::{Ink, Style},
};

/// How the changes between two versions travel through one test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The version of this form.
    pub schema: u32,
    /// The verb that made it.
    pub verb: &'static str,
    /// What the program is called.
    pub program: String,
    /// The test.
    pub test: String,
    /// In what the versions are seen to differ: `stdout`, `exit` and so on.
    pub differs_in: Vec<String>,
    /// The changes.
    pub changes: Vec<ExplainedChange>,
    /// What has to be known to read the rest.
    pub notes: Vec<String>,
}

/// One change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedChange {
    /// `c1` and so on.
    pub id: String,
    /// `modified`, `added` or `deleted`.
    pub kind: &'static str,
    /// The function it is in.
    pub function: String,
    /// Where it is in the old version.
    pub old: Option<Passage>,
    /// Where it is in the new version.
    pub new: Option<Passage>,
    /// Whether it was executed, in either version.
    pub reached: bool,
    /// Whether anything became another one by it.
    pub infected: bool,
    /// Whether it can be seen from outside.
    pub propagated: bool,
    /// Where it came furthest, if it cannot be seen from outside.
    pub stopped_at: Option<ExplainedStop>,
    /// The lines that it comes to, its own first.
    pub lines: Vec<ExplainedLine>,
}

/// A line that the effect of a change comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedLine {
    /// What other lines call it.
    pub id: usize,
    /// `both`, or the only version that has it.
    pub version: &'static str,
    /// The file.
    pub file: String,
    /// The line, in the new version if that has it.
    pub line: u32,
    /// The line in the old version.
    pub old_line: Option<u32>,
    /// The function.
    pub function: String,
    /// The text of the line.
    pub text: String,
    /// The text in the old version, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    /// Whether it belongs to the change.
    pub changed: bool,
    /// What is another one there.
    pub facts: Vec<ExplainedFact>,
    /// What ends there.
    pub stops: Vec<ExplainedStop>,
    /// The lines that it leads to, by their ids.
    pub leads_to: Vec<usize>,
}

/// Something that is another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedFact {
    /// `variable`, `decision`, `returned`, `printed` or `executed`.
    pub what: &'static str,
    /// The name of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is in the old version, if it is there.
    pub old: Option<String>,
    /// What it is in the new version, if it is there.
    pub new: Option<String>,
    /// How often; the values are those of the first time.
    pub times: u32,
}

/// Where an effect ends, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedStop {
    /// `printed`, `never used`, `swallowed`, `decided alike`, `computed alike` or `nothing follows`.
    pub why: &'static str,
    /// Whether it ends because it can be seen.
    #[serde(skip)]
    pub is_printed: bool,
    /// The version that the place is in.
    pub version: &'static str,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// What is done there, old and new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What would have to be true for the effect to live on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// How often; the rest is about the first time.
    pub times: u32,
}

/// The most lines that are shown of one change.
const SHOWN: usize = 40;

impl Explanation {
    /// As JSON.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// An account for people, `width` columns wide.
    pub fn terminal(&self, style: Style, width: usize) -> String {
        let mut text = String::new();
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        let _ = writeln!(text, "{}", self.headline());
        for change in &self.changes {
            text.push('\n');
            change.write(style, width, &mut text);
        }
        text
    }

    fn headline(&self) -> String {
        let Explanation { program, test, .. } = self;
        match (self.changes.is_empty(), self.differs_in.is_empty()) {
            (true, true) => format!("{program}: unchanged"),
            (_, true) => format!("{program}: no difference can be seen on {test}"),
            (_, false) => format!("{program}: {} differs on {test}", self.differs_in.join(", ")),
        }
    }
}

impl ExplainedChange {
    fn write(&self, style: Style, width: usize, text: &mut String) {
        let place = self.new.as_ref().or(self.old.as_ref()).map(Passage::place).unwrap_or_default();
        let fate = self.fate();
        let heading = format!("{} {} in {}, {place}: {fate}", self.id, self.kind, self.function);
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &heading));
        let mut tree = Tree { change: self, style, width, text, shown: 0 };
        tree.write();
        let is_told = self.lines.iter().any(|line| !line.stops.is_empty());
        if let Some(stop) = self.stopped_at.as_ref().filter(|_| !is_told) {
            let _ = writeln!(text, "  {}", stop.place_and_text(width));
            stop.write("    ", None, text);
        }
    }

    fn fate(&self) -> &'static str {
        match (self.reached, self.infected, self.propagated) {
            (false, ..) => "not executed",
            (_, _, true) => "can be seen",
            (_, true, false) => "dies on the way",
            (_, false, false) => "executed without effect",
        }
    }
}

/// The lines as a tree: each below the first line that leads to it, as near to the change as it can be.
struct Tree<'t> {
    change: &'t ExplainedChange,
    style: Style,
    width: usize,
    text: &'t mut String,
    shown: usize,
}

impl Tree<'_> {
    fn write(&mut self) {
        let (roots, children) = self.children();
        for root in roots {
            self.write_below(root, &children, 1);
        }
        let rest = self.change.lines.len().saturating_sub(self.shown);
        let noun = if rest == 1 { "line" } else { "lines" };
        if rest > 0 {
            let _ = writeln!(self.text, "  and {rest} more {noun} (--json has all)");
        }
    }

    fn children(&self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let lines = &self.change.lines;
        let mut roots: Vec<_> =
            lines.iter().filter(|line| line.changed).map(|line| line.id).collect();
        let mut children = vec![Vec::new(); lines.len()];
        let mut known = vec![false; lines.len()];
        roots.iter().for_each(|root| known[*root] = true);
        let mut waiting: VecDeque<usize> = roots.iter().copied().collect();
        loop {
            while let Some(line) = waiting.pop_front() {
                for next in &lines[line].leads_to {
                    if !std::mem::replace(&mut known[*next], true) {
                        children[line].push(*next);
                        waiting.push_back(*next);
                    }
                }
            }
            // What only code without lines leads to stands for itself.
            let Some(left) = known.iter().position(|known| !known) else { break };
            known[left] = true;
            roots.push(left);
            waiting.push_back(left);
        }
        (roots, children)
    }

    /// A line and what follows from it; a single thing that follows is not moved to the right.
    fn write_below(&mut self, id: usize, children: &[Vec<usize>], depth: usize) {
        const DEEPEST: usize = 10;
        if self.shown == SHOWN {
            return;
        }
        self.shown += 1;
        let line = &self.change.lines[id];
        let indent = "  ".repeat(depth.min(DEEPEST));
        let room = self.width.saturating_sub(indent.len()).max(20);
        let _ = writeln!(self.text, "{indent}{}", line.place_and_text(self.style, room));
        for fact in &line.facts {
            let _ = writeln!(self.text, "{indent}    {}", fact.text(self.style));
        }
        for stop in &line.stops {
            stop.write(&format!("{indent}    "), Some(line), self.text);
        }
        let below = &children[id];
        let depth = if below.len() > 1 || line.changed { depth + 1 } else { depth };
        for child in below {
            self.write_below(*child, children, depth);
        }
    }
}

impl ExplainedLine {
    fn place_and_text(&self, style: Style, room: usize) -> String {
        let place = match self.version {
            "old" => format!("old {}:{}", self.file, self.line),
            _ => format!("{}:{}", self.file, self.line),
        };
        let text = match &self.old_text {
            Some(old) => format!("{}   (old: {old})", self.text),
            None => self.text.clone(),
        };
        let room = room.saturating_sub(place.chars().count() + 2);
        format!("{}  {}", style.paint(Ink::Faint, &place), cut(&text, room))
    }
}

impl ExplainedFact {
    fn text(&self, style: Style) -> String {
        let none = |what: &str| style.paint(Ink::Faint, what);
        let old = self.old.as_ref().map_or_else(|| none("nothing"), |old| cut(old, 60));
        let new = self.new.as_ref().map_or_else(|| none("nothing"), |new| cut(new, 60));
        let old = style.paint(Ink::Old, &old);
        let new = style.paint(Ink::New, &new);
        let name = self.name.as_deref().unwrap_or_default();
        let text = match (self.what, &self.old) {
            ("variable", Some(_)) if self.old == self.new => {
                format!("{name}: {new}, stored elsewhere")
            }
            ("variable", _) => format!("{name}: {old} → {new}"),
            ("decision", _) => format!("decides {old} → {new}"),
            ("returned", _) => format!("returns {old} → {new}"),
            ("printed", _) => format!("prints {old} → {new}"),
            (_, Some(_)) => "executed in the old version only".to_owned(),
            (_, None) => "executed in the new version only".to_owned(),
        };
        match self.times {
            1 => text,
            times => format!("{text}, and {} more like it", times - 1),
        }
    }
}

impl ExplainedStop {
    fn place_and_text(&self, width: usize) -> String {
        let old = if self.version == "old" { "old " } else { "" };
        let place = format!("{old}{}:{}", self.file, self.line);
        format!("{place}  {}", cut(&self.text, width.saturating_sub(place.len() + 4)))
    }

    fn write(&self, indent: &str, within: Option<&ExplainedLine>, text: &mut String) {
        if self.is_printed {
            let what = self.operation.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{indent}seen from outside: {what}");
            return;
        }
        let is_elsewhere = within.is_some_and(|line| {
            (&line.file, line.line) != (&self.file, self.line) && self.line > 0
        });
        let place = match is_elsewhere {
            true => format!(" at {}:{} `{}`", self.file, self.line, cut(&self.text, 50)),
            false => String::new(),
        };
        let operation = match &self.operation {
            Some(operation) => format!(": {operation}"),
            None => String::new(),
        };
        let times = match self.times {
            0 | 1 => String::new(),
            times => format!(" ({times} times)"),
        };
        let _ = writeln!(text, "{indent}ends{place}, {}{times}{operation}", self.why);
        if let Some(needs) = &self.needs {
            let _ = writeln!(text, "{indent}to live on: {needs}");
        }
    }
}

/// A text of at most so many characters.
fn cut(text: &str, room: usize) -> String {
    match text.chars().count() > room {
        true => format!("{}…", text.chars().take(room.saturating_sub(1)).collect::<String>()),
        false => text.to_owned(),
    }
}
