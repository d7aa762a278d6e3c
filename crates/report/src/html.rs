//! A search as a page: one file that needs nothing else, to be opened from a disk or kept by a CI
//! system.

use std::fmt::Write;

use crate::{
    check::{Check, CheckedChange, Finding, Verdict},
    counted,
    details::{details, shortened, that_differ},
    junit::escape,
    style::Style,
};

const LOOK: &str = "\
:root { color-scheme: light dark; --old: #b3261e; --new: #146c2e; --line: #8884; --faint: #8881; }
@media (prefers-color-scheme: dark) { :root { --old: #ff8a80; --new: #81c995; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
pre { background: var(--faint); padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
.old { color: var(--old); } .new { color: var(--new); }
";

impl Check {
    /// As a page of HTML.
    pub fn html(&self) -> String {
        let title = escape(&self.sentence());
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{LOOK}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        self.push_changes(&mut page);
        for finding in &self.findings {
            self.push_finding(finding, &mut page);
        }
        if matches!(self.verdict, Verdict::NoDifferenceFound | Verdict::Unreached) {
            let _ = writeln!(page, "<h2>Not proved</h2>\n<ul>");
            for why in &self.unproved {
                let _ = writeln!(page, "<li>{}</li>", escape(why));
            }
            page.push_str("</ul>\n");
        }
        let _ = writeln!(
            page,
            "<p>{} in {:.1} s.</p>\n</body>\n</html>",
            counted(self.runs.new, "run", "runs"),
            self.seconds
        );
        page
    }

    fn push_changes(&self, page: &mut String) {
        if self.changes.is_empty() {
            return;
        }
        page.push_str(
            "<h2>Changes</h2>\n<table>\n<tr><th>change</th><th>how far it came</th><th></th></tr>\n",
        );
        for change in &self.changes {
            let why = change.why.as_deref().map(escape).unwrap_or_default();
            let shown = self.findings.iter().filter(|it| it.changes.contains(&change.id));
            let shown: Vec<_> = shown.map(|it| link(&it.id)).collect();
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}{why}</td></tr>",
                escape(&change.place()),
                how_far(change),
                shown.join(", "),
            );
        }
        page.push_str("</table>\n");
    }

    fn push_finding(&self, finding: &Finding, page: &mut String) {
        let id = escape(&finding.id);
        let differ = escape(&that_differ(&finding.difference.differs_in));
        let _ = writeln!(page, "<h2 id=\"{id}\">{id}: {differ}</h2>");
        if let Some(caution) = finding.caution() {
            let _ = writeln!(page, "<p>{caution}</p>");
        }
        for change in self.changes.iter().filter(|change| finding.changes.contains(&change.id)) {
            let _ = writeln!(page, "<p>{}</p>", escape(&change.place()));
            let lines = [("-", &change.old), ("+", &change.new)];
            let lines = lines.into_iter().flat_map(|(sign, passage)| {
                let text = passage.iter().flat_map(|passage| &passage.text);
                text.map(move |line| format!("{sign} {line}"))
            });
            push_lines(lines, page);
        }
        let test = self.path_of(finding);
        let line = finding.case.shell_line(&format!("./{}", self.program));
        let _ = writeln!(page, "<pre>$ {}</pre>", escape(&shortened(&line, &test)));
        push_lines(details(&finding.difference, Style::Plain).into_iter(), page);
        if finding.others > 0 {
            let others = counted(finding.others, "more input shows", "more inputs show");
            let _ = writeln!(page, "<p>{others} the same difference.</p>");
        }
        // Relative to the page.
        let test = escape(&finding.test);
        let _ = writeln!(page, "<p><a href=\"{test}\">{test}</a></p>");
    }
}

fn link(id: &str) -> String {
    let id = escape(id);
    format!("<a href=\"#{id}\">{id}</a>")
}

fn how_far(change: &CheckedChange) -> &'static str {
    match change {
        CheckedChange { propagated: true, .. } => "seen",
        CheckedChange { infected: true, .. } => "had an effect",
        CheckedChange { reached: true, .. } => "executed",
        CheckedChange { reachable: true, .. } => "not executed",
        _ => "cannot be executed",
    }
}

/// Lines of a difference, those of each version in its own colour.
fn push_lines(lines: impl Iterator<Item = String>, page: &mut String) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    page.push_str("<pre>");
    for line in lines {
        let text = escape(&line);
        let _ = match line.as_bytes().first() {
            Some(b'-') => writeln!(page, "<span class=\"old\">{text}</span>"),
            Some(b'+') => writeln!(page, "<span class=\"new\">{text}</span>"),
            _ => writeln!(page, "{text}"),
        };
    }
    page.push_str("</pre>\n");
}

#[cfg(test)]
mod tests {
    use crate::fixture;

    #[test]
    fn a_search_is_a_page() {
        fixture::check("check.html", &fixture::search().html());
    }

    #[test]
    fn what_a_program_prints_is_no_markup() {
        let page = fixture::search().html();
        assert!(page.contains("&lt;&amp;&gt;") && !page.contains("<&>"), "{page}");
    }
}
