//! A comparison as JUnit XML, which every continuous integration shows.
//!
//! Written by hand: it is four elements, and the one hard part, characters that XML cannot hold at
//! all, is one that a library leaves to its user.

use parallax_compare::{Compared, Comparison, Outcome};

use crate::{
    details::{details, list, noise, run_line},
    style::Style,
};

/// One test case for each test; a difference is a failure, trouble is an error. `program` is what
/// the lines to run a test again call the program.
pub fn junit(comparison: &Comparison, program: &str) -> String {
    let summary = comparison.summary();
    let cases: String = comparison.tests.iter().map(|test| case(test, program)).collect();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        comparison.tests.len(),
        summary.different,
        summary.trouble
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites {counts}>\n\
         <testsuite name=\"parallax compare\" {counts}>\n{cases}</testsuite>\n</testsuites>\n"
    )
}

fn case(test: &Compared, program: &str) -> String {
    let open = format!("<testcase classname=\"parallax.compare\" name=\"{}\"", escape(&test.name));
    let inside = [result(test, program), noise(&test.masked).map(|noise| output(&noise))];
    match inside.into_iter().flatten().collect::<String>() {
        nothing if nothing.is_empty() => format!("{open}/>\n"),
        inside => format!("{open}>\n{inside}</testcase>\n"),
    }
}

fn result(test: &Compared, program: &str) -> Option<String> {
    match &test.outcome {
        Outcome::Same => None,
        Outcome::Different(difference) => {
            let message = format!("the versions differ in {}", list(&difference.differs_in));
            let mut lines = vec![run_line(test, program)];
            lines.extend(details(difference, Style::Plain));
            Some(element("failure", "difference", &message, &lines.join("\n")))
        }
        Outcome::Trouble(why) => Some(element("error", "trouble", &format!("failed to {why}"), "")),
    }
}

fn element(name: &str, kind: &str, message: &str, body: &str) -> String {
    let (message, body) = (escape(message), escape(body));
    format!("<{name} type=\"{kind}\" message=\"{message}\">{body}</{name}>\n")
}

fn output(text: &str) -> String {
    format!("<system-out>{}</system-out>\n", escape(text))
}

/// Text for an element or an attribute; what XML cannot hold is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_comparison_is_a_suite() {
        let xml = junit(&fixture::comparison(), "./cut");
        fixture::check("comparison.xml", &xml);
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(
            escape("<a & \"b\">\0\u{ffff}\n"),
            "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}\u{fffd}\n"
        );
    }
}
