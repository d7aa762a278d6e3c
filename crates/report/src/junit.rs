//! A comparison or a search as JUnit XML, which every CI system shows.
//!
//! Written by hand: it is four elements, and the one hard part, characters that XML cannot hold at
//! all, is one that a library leaves to its user.

use parallax_compare::{Compared, Comparison, Outcome};

use crate::{
    check::{Check, CheckedChange, Finding},
    details::{details, list, noise, run_line, shortened},
    style::Style,
    visible::harmless,
};

/// One test case for each test; a difference is a failure, trouble is an error. `program` is the
/// name of the program in the lines to run a test again.
pub fn junit(comparison: &Comparison, program: &str) -> String {
    let summary = comparison.summary();
    let cases: String = comparison.tests.iter().map(|test| case(test, program)).collect();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        comparison.tests.len(),
        summary.different,
        summary.trouble,
        summary.out_of_time
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites {counts}>\n\
         <testsuite name=\"parallax compare\" {counts}>\n{cases}</testsuite>\n</testsuites>\n"
    )
}

impl Check {
    /// One test case for each change: a difference is a failure, and a change that was never
    /// executed is skipped. Differences without a known change have one of their own.
    pub fn junit(&self) -> String {
        let of = |change: &CheckedChange| -> Vec<&Finding> {
            self.findings.iter().filter(|it| it.changes.contains(&change.id)).collect()
        };
        let mut cases: Vec<(String, String)> =
            self.changes.iter().map(|it| (it.place(), self.outcome(it, &of(it)))).collect();
        let others: Vec<_> = self.findings.iter().filter(|it| it.changes.is_empty()).collect();
        if !others.is_empty() {
            cases.push(("no known change".to_owned(), self.failures(&others)));
        }
        let count = |element: &str| cases.iter().filter(|(_, it)| it.starts_with(element)).count();
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
            cases.len(),
            count("<failure"),
            count("<skipped"),
        );
        let cases = cases.iter().map(|(name, inside)| {
            let open = format!("<testcase classname=\"parallax.check\" name=\"{}\"", escape(name));
            match inside.is_empty() {
                true => format!("{open}/>\n"),
                false => format!("{open}>\n{inside}</testcase>\n"),
            }
        });
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites {counts}>\n\
             <testsuite name=\"parallax check {}\" {counts} time=\"{:.3}\">\n{}</testsuite>\n\
             </testsuites>\n",
            escape(&self.program),
            self.seconds,
            cases.collect::<String>(),
        )
    }

    /// The message for one change.
    fn outcome(&self, change: &CheckedChange, findings: &[&Finding]) -> String {
        let why = change.why.as_deref().unwrap_or_default();
        match findings {
            [] if !change.reached => format!("<skipped message=\"{}\"/>\n", escape(why)),
            [] if why.is_empty() => String::new(),
            [] => output(why),
            findings => self.failures(findings),
        }
    }

    /// Differences as one failure: a test case has no more.
    fn failures(&self, findings: &[&Finding]) -> String {
        let lines = findings.iter().flat_map(|finding| {
            let line = finding.case.shell_line(&format!("./{}", self.program));
            let test = self.path_of(finding);
            let heading = [shortened(&line, &test), test];
            heading.into_iter().chain(details(&finding.difference, Style::Plain))
        });
        let aspects: Vec<_> =
            findings.iter().map(|finding| list(&finding.difference.differs_in)).collect();
        let message = format!("the versions differ in {}", aspects.join("; "));
        element("failure", "difference", &message, &lines.collect::<Vec<_>>().join("\n"))
    }
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
        Outcome::OutOfTime { .. } => {
            Some("<skipped message=\"the budget is used up\"/>\n".to_owned())
        }
    }
}

fn element(name: &str, kind: &str, message: &str, body: &str) -> String {
    let (message, body) = (escape(message), escape(body));
    format!("<{name} type=\"{kind}\" message=\"{message}\">{body}</{name}>\n")
}

fn output(text: &str) -> String {
    format!("<system-out>{}</system-out>\n", escape(text))
}

/// Text for an element or an attribute of XML or HTML. Characters that they cannot hold are made
/// visible, and so are those that affect the text around them, such as a mark that reverses its
/// direction.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
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
    fn each_change_is_a_case() {
        fixture::check("check.xml", &fixture::search().junit());
    }

    #[test]
    fn what_xml_cannot_hold_can_be_seen() {
        assert_eq!(
            escape("<a & \"b\">\0\u{ffff}\n"),
            "&lt;a &amp; &quot;b&quot;&gt;\\x00\\u{ffff}\n"
        );
    }
}
