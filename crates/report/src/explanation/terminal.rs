//! The explanation for a terminal: a tree of lines from each change downwards.

use std::{collections::VecDeque, fmt::Write};

use super::{ExplainedChange, ExplainedFact, ExplainedLine, ExplainedStop, Explanation};
use crate::{
    changes::Passage,
    details::that_differ,
    style::{Ink, Style},
    visible::harmless_line,
};

/// The most lines of one change that are shown.
const SHOWN: usize = 40;

impl Explanation {
    /// An explanation for a terminal, `width` columns wide.
    pub fn terminal(&self, style: Style, width: usize) -> String {
        let mut text = String::new();
        for note in &self.notes {
            let _ = writeln!(text, "note: {}", harmless_line(note));
        }
        let _ = writeln!(text, "{}", self.headline());
        for change in &self.changes {
            text.push('\n');
            change.write(style, width, &mut text);
        }
        text
    }

    fn headline(&self) -> String {
        let (program, test) = (harmless_line(&self.program), harmless_line(&self.test));
        let is_unchanged = self.changes.is_empty() && !self.is_out_of_time;
        match (is_unchanged, self.differs_in.is_empty()) {
            (true, true) => format!("{program}: unchanged"),
            (_, true) => format!("{program}: no difference can be seen on {test}"),
            (_, false) => format!("{program}: {} on {test}", that_differ(&self.differs_in)),
        }
    }
}

impl ExplainedChange {
    fn write(&self, style: Style, width: usize, text: &mut String) {
        let place = self.new.as_ref().or(self.old.as_ref()).map(Passage::place).unwrap_or_default();
        let fate = self.fate();
        let heading = format!("{} {} in {}, {place}: {fate}", self.id, self.kind, self.function);
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &harmless_line(&heading)));
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
            (_, true, false) if self.cut => "has an effect, which was not followed to its end",
            (_, false, false) if self.cut => "executed, and not followed to the end of the run",
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
            // A line that only code without lines leads to is a root of its own.
            let Some(left) = known.iter().position(|known| !known) else { break };
            known[left] = true;
            roots.push(left);
            waiting.push_back(left);
        }
        (roots, children)
    }

    /// A line and its successors; a single successor is not moved to the right.
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
            "old" => format!("old {}:{}", harmless_line(&self.file), self.line),
            _ => format!("{}:{}", harmless_line(&self.file), self.line),
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
        let name = harmless_line(self.name.as_deref().unwrap_or_default());
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
        let place = format!("{old}{}:{}", harmless_line(&self.file), self.line);
        format!("{place}  {}", cut(&self.text, width.saturating_sub(place.len() + 4)))
    }

    fn write(&self, indent: &str, within: Option<&ExplainedLine>, text: &mut String) {
        if self.is_printed {
            let what = harmless_line(self.operation.as_deref().unwrap_or_default());
            let _ = writeln!(text, "{indent}seen from outside: {what}");
            return;
        }
        let is_elsewhere = within.is_some_and(|line| {
            (&line.file, line.line) != (&self.file, self.line) && self.line > 0
        });
        let place = match is_elsewhere {
            true => {
                let file = harmless_line(&self.file);
                format!(" at {file}:{} `{}`", self.line, cut(&self.text, 50))
            }
            false => String::new(),
        };
        let operation = match &self.operation {
            Some(operation) => format!(": {}", harmless_line(operation)),
            None => String::new(),
        };
        let times = match self.times {
            0 | 1 => String::new(),
            times => format!(" ({times} times)"),
        };
        let _ = writeln!(text, "{indent}ends{place}, {}{times}{operation}", self.why);
        if let Some(needs) = &self.needs {
            let _ = writeln!(text, "{indent}to live on: {}", harmless_line(needs));
        }
    }
}

/// A quoted text in at most so many characters.
fn cut(text: &str, room: usize) -> String {
    let text = harmless_line(text);
    match text.chars().count() > room {
        true => format!("{}…", text.chars().take(room.saturating_sub(1)).collect::<String>()),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: usize, text: &str, leads_to: &[usize]) -> ExplainedLine {
        ExplainedLine {
            id,
            version: "both",
            file: "a.c".into(),
            line: id as u32 + 1,
            text: text.into(),
            changed: id == 0,
            leads_to: leads_to.to_vec(),
            ..ExplainedLine::default()
        }
    }

    fn explanation() -> Explanation {
        let mut change = line(0, "y = x + 2;", &[1, 2]);
        change.old_text = Some("y = x + 1;".into());
        let (old, new) = (Some("4".into()), Some("5".into()));
        change.facts =
            vec![ExplainedFact { what: "variable", name: Some("y".into()), old, new, times: 3 }];
        let mut and = line(1, "z = y & 8;", &[]);
        and.stops = vec![ExplainedStop {
            why: "swallowed",
            file: "a.c".into(),
            line: 2,
            operation: Some("4 & 8 → 5 & 8".into()),
            needs: Some("a bit must be set".into()),
            times: 2,
            ..ExplainedStop::default()
        }];
        let mut print = line(2, "printf(y);", &[0]);
        print.stops = vec![ExplainedStop {
            why: "printed",
            is_printed: true,
            operation: Some("printf(…)".into()),
            times: 1,
            ..ExplainedStop::default()
        }];
        Explanation {
            schema: 1,
            verb: "explain",
            program: "a".into(),
            test: "t.toml".into(),
            differs_in: vec!["stdout".into()],
            changes: vec![ExplainedChange {
                id: "c1".into(),
                kind: "modified",
                function: "main".into(),
                reached: true,
                infected: true,
                propagated: true,
                lines: vec![change, and, print],
                ..ExplainedChange::default()
            }],
            recording_seconds: 0.0,
            is_out_of_time: false,
            notes: vec!["one thing".into()],
        }
    }

    #[test]
    fn each_line_is_told_once_below_what_leads_to_it() {
        let expected = "\
note: one thing
a: stdout differs on t.toml

c1 modified in main, : can be seen
  a.c:1  y = x + 2;   (old: y = x + 1;)
      y: 4 → 5, and 2 more like it
    a.c:2  z = y & 8;
        ends, swallowed (2 times): 4 & 8 → 5 & 8
        to live on: a bit must be set
    a.c:3  printf(y);
        seen from outside: printf(…)
";
        assert_eq!(explanation().terminal(Style::Plain, 100), expected);
    }

    #[test]
    fn programs_get_the_same_as_json() {
        let json = explanation().to_json();
        for part in
            ["\"schema\": 1", "\"verb\": \"explain\"", "\"why\": \"swallowed\"", "\"times\": 3"]
        {
            assert!(json.contains(part), "{part}\n{json}");
        }
    }

    #[test]
    fn an_effect_of_many_lines_is_cut() {
        let mut long = explanation();
        long.changes[0].lines = (0..90).map(|id| line(id, "x", &[(id + 1) % 90])).collect();
        let text = long.terminal(Style::Plain, 80);
        assert!(text.ends_with("and 50 more lines (--json has all)\n"), "{text}");
    }

    #[test]
    fn what_there_was_no_time_to_follow_is_not_called_unchanged() {
        let mut none = Explanation { changes: Vec::new(), ..explanation() };
        none.differs_in.clear();
        assert!(none.headline().ends_with("unchanged"));
        none.is_out_of_time = true;
        assert!(none.headline().contains("no difference can be seen on"), "{}", none.headline());
    }
}
