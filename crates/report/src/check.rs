//! The result of the search for a difference.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use parallax_compare::{Difference, Example, Variation};
use parallax_run::TestCase;
use serde::{Deserialize, Serialize};

use crate::{
    changes::Passage,
    counted,
    details::{details, shortened, that_differ, version_name},
    diff::cut,
    exploration::Queries,
    stats::Stats,
    style::{Ink, Style},
    visible::harmless_line,
};

/// The result in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A difference was confirmed.
    Different,
    /// There is no difference, within the bounds.
    Equivalent,
    /// No difference was found.
    #[default]
    NoDifferenceFound,
    /// No difference was found, and not all changes were executed.
    Unreached,
    /// The code is the same.
    Unchanged,
}

impl Verdict {
    /// Its spelling in results.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Different => "different",
            Verdict::Equivalent => "equivalent",
            Verdict::NoDifferenceFound => "no-difference-found",
            Verdict::Unreached => "unreached",
            Verdict::Unchanged => "unchanged",
        }
    }
}

/// The result of `parallax check`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Check {
    /// The version of this format.
    pub schema: u32,
    /// The verb: `check`.
    pub verb: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// The name of the program.
    pub program: String,
    /// The directory of the results.
    pub out: String,
    /// The compared versions.
    pub versions: Versions,
    /// The changes.
    pub changes: Vec<CheckedChange>,
    /// The differences.
    pub findings: Vec<Finding>,
    /// Runs of each version with new inputs.
    pub runs: Runs,
    /// Number of runs until all changes that were executed were.
    pub runs_to_reach: Option<u64>,
    /// Answers of the solvers.
    pub queries: Queries,
    /// The duration, builds aside.
    pub seconds: f64,
    /// The duration of the builds, which no budget covers.
    pub build_seconds: f64,
    /// The approximations of the symbolic view.
    pub approximations: Approximations,
    /// The limits of the growth of inputs.
    pub bounds: Bounds,
    /// The environment that a proof is about, and the queries of the versions to it.
    pub environment: Vec<String>,
    /// Apparent differences that were not confirmed.
    pub unconfirmed: u64,
    /// Those of them that there was no time to confirm: their tests, from the directory of the
    /// results.
    pub unconfirmed_tests: Vec<String>,
    /// An example of a variation from run to run.
    pub noise: Option<String>,
    /// Whether nothing was left to try.
    pub finished: bool,
    /// The reasons why this is no proof.
    pub unproved: Vec<String>,
    /// Where the time and the work of the search went.
    pub stats: Stats,
}

/// Digests of the compared programs, by which a search recognises its own results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The old version.
    pub old: String,
    /// The new version.
    pub new: String,
}

/// Runs of each version.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Runs {
    /// Of the old version.
    pub old: u64,
    /// Of the new version.
    pub new: u64,
}

/// The approximations of the symbolic view, summed over all runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Approximations {
    /// Addresses, sizes and names that were concretised.
    pub concretised_addresses: u64,
    /// Functions without a model, by the number of runs that called them.
    pub unmodelled_calls: BTreeMap<String, u64>,
    /// Inputs that met all conditions and took another path.
    pub diverged_runs: u64,
    /// All other approximations, with the number of times.
    pub others: BTreeMap<String, u64>,
}

impl Approximations {
    /// The sum of these and others.
    pub fn and(mut self, others: &Approximations) -> Approximations {
        self.concretised_addresses += others.concretised_addresses;
        self.diverged_runs += others.diverged_runs;
        for (name, runs) in &others.unmodelled_calls {
            *self.unmodelled_calls.entry(name.clone()).or_default() += runs;
        }
        for (what, count) in &others.others {
            *self.others.entry(what.clone()).or_default() += count;
        }
        self
    }
}

/// The limits of the growth of inputs.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Bounds {
    /// The most arguments.
    pub arguments: u32,
    /// The most bytes of each argument.
    pub argument_bytes: u32,
    /// The most bytes of standard input and of each file.
    pub bytes: u32,
}

/// A change, and how far its effect was followed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckedChange {
    /// Its name.
    pub id: String,
    /// The file it is in.
    pub file: String,
    /// The function it is in.
    pub function: String,
    /// Its lines in the old version.
    pub old_lines: Option<(u32, u32)>,
    /// Its lines in the new version.
    pub new_lines: Option<(u32, u32)>,
    /// Its kind.
    pub kind: &'static str,
    /// Whether it can be executed at all, as far as the code tells.
    pub reachable: bool,
    /// Whether it was executed.
    pub reached: bool,
    /// Whether the versions differed in state after it.
    pub infected: bool,
    /// Whether its effect was visible.
    pub propagated: bool,
    /// The reason why its effect was not visible, if it was not.
    pub why: Option<String>,
    /// Where its effect ended, or where runs that came near took another path, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<Stopped>,
    /// The source of the old version.
    #[serde(skip)]
    pub old: Option<Passage>,
    /// The source of the new version.
    #[serde(skip)]
    pub new: Option<Passage>,
}

/// The place where the effect of a change ended.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stopped {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The reason.
    pub why: String,
}

/// How the changes of a difference are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attribution {
    /// The effects of these changes were followed to the difference, or its test executes only one.
    #[default]
    Exact,
    /// The test executes these changes: at least one of them is visible.
    Guess,
}

/// A confirmed difference.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Its name.
    pub id: String,
    /// Its test, from the directory of the results.
    pub test: String,
    /// The changes that it belongs to, as `attribution` says.
    pub changes: Vec<String>,
    /// How these changes are known.
    pub attribution: Attribution,
    /// The aspects in which the versions differ.
    pub differs_in: Vec<&'static str>,
    /// Whether plain builds of both versions show it, repeatedly, or builds that check memory
    /// accesses if it is in memory: always.
    pub confirmed: bool,
    /// Other tests that show the same difference.
    pub others: u64,
    /// The test case.
    #[serde(skip)]
    pub case: TestCase,
    /// The difference.
    #[serde(skip)]
    pub difference: Difference,
}

impl Finding {
    /// Whether it is known to show the effect of a change: a guess of one change only is certain.
    pub fn shows(&self, change: &str) -> bool {
        let is_certain = self.attribution == Attribution::Exact || self.changes.len() == 1;
        is_certain && self.changes.iter().any(|id| id == change)
    }

    /// The remark that the list of its changes needs.
    pub(crate) fn caution(&self) -> Option<&'static str> {
        let is_guess = self.attribution == Attribution::Guess && self.changes.len() > 1;
        is_guess.then_some("of one or more of these changes, which its test executes (a guess):")
    }
}

impl Check {
    /// As JSON.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }

    /// As text.
    pub fn terminal(&self, style: Style) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &self.sentence()));
        for finding in &self.findings {
            text.push('\n');
            self.write_finding(finding, style, &mut text);
        }
        let open: Vec<_> = self.changes.iter().filter(|change| !change.propagated).collect();
        if !open.is_empty() && self.verdict != Verdict::Equivalent {
            text.push_str("\nchanges without an observed difference\n");
            for change in open {
                let why = change.why.as_deref().unwrap_or("nothing was found");
                let _ = writeln!(text, "  {}: {}", change.place(), harmless_line(why));
            }
        }
        if matches!(self.verdict, Verdict::NoDifferenceFound | Verdict::Unreached) {
            let _ = writeln!(text, "\nnot proved: {}", harmless_line(&self.unproved.join("; ")));
        }
        if self.verdict == Verdict::Equivalent {
            let environment = self.environment.join("; ");
            let _ = writeln!(text, "\nfor a fixed environment: {}", harmless_line(&environment));
        }
        self.write_effort(&mut text);
        text
    }

    /// The verdict.
    pub(crate) fn sentence(&self) -> String {
        let Check { findings, changes, .. } = self;
        let program = harmless_line(&self.program);
        let seen = changes.iter().filter(|change| change.propagated).count();
        let unreached = changes.iter().filter(|change| !change.reached).count();
        match self.verdict {
            Verdict::Different => {
                // A guess stands for at least one of several changes.
                let is_sure = findings.iter().all(|finding| finding.caution().is_none());
                let seen =
                    if is_sure { seen.to_string() } else { format!("at least {}", seen.max(1)) };
                format!(
                    "{program}: the versions differ ({}, of {seen} of {})",
                    counted(findings.len(), "difference", "differences"),
                    counted(changes.len(), "change", "changes"),
                )
            }
            Verdict::Equivalent => format!(
                "{program}: the versions do the same for all inputs of up to {} of {} and {} of \
                 standard input and of each file",
                counted(self.bounds.arguments, "argument", "arguments"),
                counted(self.bounds.argument_bytes, "byte", "bytes"),
                counted(self.bounds.bytes, "byte", "bytes"),
            ),
            Verdict::NoDifferenceFound => format!(
                "{program}: no difference was found ({} executed)",
                match unreached {
                    0 => counted(changes.len(), "change", "changes"),
                    // No code leads to the others.
                    _ => format!(
                        "{} of {}",
                        changes.len() - unreached,
                        counted(changes.len(), "change", "changes")
                    ),
                }
            ),
            Verdict::Unreached => format!(
                "{program}: no difference was found, and {unreached} of {} {} not executed",
                counted(changes.len(), "change", "changes"),
                if unreached == 1 { "was" } else { "were" }
            ),
            Verdict::Unchanged => format!("{program}: the code is the same in both versions"),
        }
    }

    fn write_finding(&self, finding: &Finding, style: Style, text: &mut String) {
        let heading = format!("{}: {}", finding.id, that_differ(&finding.difference.differs_in));
        let _ = writeln!(text, "{}", style.paint(Ink::Heading, &heading));
        if let Some(caution) = finding.caution() {
            let _ = writeln!(text, "  {caution}");
        }
        let named = self.changes.iter().filter(|change| finding.changes.contains(&change.id));
        for change in named {
            let _ = writeln!(text, "  {}", change.place());
            change.write_lines(style, text);
        }
        let line = finding.case.shell_line(&format!("./{}", self.program));
        let test = self.path_of(finding);
        let _ = writeln!(text, "  $ {}", harmless_line(&shortened(&line, &test)));
        for line in details(&finding.difference, style) {
            let _ = writeln!(text, "  {line}");
        }
        if finding.others > 0 {
            let others = counted(finding.others, "more input shows", "more inputs show");
            let _ = writeln!(text, "  {others} the same difference");
        }
        let _ = writeln!(text, "  {}", harmless_line(&test));
    }

    /// The path of the test of a finding.
    pub(crate) fn path_of(&self, finding: &Finding) -> String {
        Path::new(&self.out).join(&finding.test).display().to_string()
    }

    fn write_effort(&self, text: &mut String) {
        if self.verdict == Verdict::Unchanged {
            return;
        }
        let runs = counted(self.runs.new, "run", "runs");
        let Queries { sat, unsat, unknown, .. } = self.queries;
        let solved = counted(sat, "query solved", "queries solved");
        let _ = write!(text, "\n{runs} in {:.1}s", self.seconds);
        let _ = writeln!(text, ", {solved}, {unsat} infeasible, {unknown} unknown");
        if self.unconfirmed > 0 {
            let seen = counted(self.unconfirmed, "test", "tests");
            let _ = writeln!(
                text,
                "{seen} looked different and did not on plain builds, or not every time"
            );
        }
        if let Some(noise) = &self.noise {
            let _ = writeln!(text, "{noise}");
        }
        for test in &self.unconfirmed_tests {
            let path = Path::new(&self.out).join(test).display().to_string();
            let _ = writeln!(text, "unconfirmed, as there was no time: {path}");
        }
    }
}

/// An example of a variation from run to run, in a sentence.
pub fn noise(variation: &Variation) -> String {
    format!(
        "{} of the {} version varies from run to run, for example: {} and {}",
        variation.aspect,
        version_name(variation.version),
        example_line(&variation.one),
        example_line(&variation.other)
    )
}

/// An example of a variation that only the builds for the search show, in a sentence.
pub fn learnt_noise(example: &Example) -> String {
    format!(
        "{} differs between the builds for the search and not between plain builds, for example: {} and {}",
        example.aspect,
        example_line(&example.one),
        example_line(&example.other)
    )
}

/// Number of comparisons that showed only noise that had been seen before, in a sentence.
pub fn left_out(comparisons: u64) -> String {
    let comparisons = counted(comparisons, "comparison", "comparisons");
    format!("{comparisons} showed only such noise, which had been learnt by then")
}

fn example_line(line: &[u8]) -> String {
    match line.strip_suffix(b"\n").unwrap_or(line) {
        [] => "nothing".to_owned(),
        line => format!("`{}`", cut(line, None)),
    }
}

impl CheckedChange {
    /// Its kind and its place.
    pub(crate) fn place(&self) -> String {
        let (function, file) = (harmless_line(&self.function), harmless_line(&self.file));
        let what = format!("{} {} in {function}", self.id, self.kind);
        match self.new_lines.or(self.old_lines) {
            Some((line, _)) => format!("{what}, {file}:{line}"),
            None => what,
        }
    }

    fn write_lines(&self, style: Style, text: &mut String) {
        const SHOWN: usize = 6;
        for (passage, sign, ink) in [(&self.old, '-', Ink::Old), (&self.new, '+', Ink::New)] {
            let lines = passage.iter().flat_map(|passage| &passage.text).take(SHOWN);
            for line in lines {
                let _ = writeln!(
                    text,
                    "    {}",
                    style.paint(ink, &format!("{sign} {}", harmless_line(line)))
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_guess_of_several_changes_is_told_as_one() {
        let mut guess = fixture::search();
        guess.findings[0].changes.push("c2".to_owned());
        guess.findings[0].attribution = Attribution::Guess;
        guess.changes[0].propagated = false;
        let text = guess.terminal(Style::Plain);
        assert!(text.contains("(1 difference, of at least 1 of 3 changes)"), "{text}");
        assert!(
            text.contains("of one or more of these changes, which its test executes"),
            "{text}"
        );
        assert!(guess.html().contains("(a guess)") && guess.to_json().contains("\"guess\""));
        let finding = &mut guess.findings[0];
        assert!(!finding.shows("c1") && !finding.shows("c2"));
        finding.changes.truncate(1);
        assert!(finding.shows("c1") && finding.caution().is_none(), "there is no other");
    }

    /// Strings from a user's program and files that move cursors, set colours and reverse lines.
    fn hostile() -> Check {
        let evil =
            |name: &str| format!("{name}\x1b[2J\x1b[35m\x1b]8;;x\x07\r\x08\u{9b}K\u{202e}\x7f");
        let mut hostile = fixture::search();
        hostile.verdict = Verdict::NoDifferenceFound;
        hostile.program = evil("cut");
        hostile.out = evil("out");
        hostile.unproved = vec![evil("a call of f")];
        hostile.environment = vec![evil("HOME")];
        hostile.findings[0].test = evil("test.toml");
        for change in &mut hostile.changes {
            (change.file, change.function) = (evil("cut.c"), evil("parse"));
            change.why = change.why.as_ref().map(|why| evil(why));
            let text = vec![evil("x = 1;")];
            change.old = Some(Passage { file: evil("cut.c"), text, ..Passage::default() });
            change.new.clone_from(&change.old);
        }
        hostile
    }

    #[test]
    fn what_a_terminal_would_obey_is_visible_in_every_form() {
        let hostile = hostile();
        let coloured = hostile.terminal(Style::Colour);
        let codes = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m"];
        let bare = codes.iter().fold(coloured, |text, code| text.replace(code, ""));
        assert_eq!(bare, hostile.terminal(Style::Plain));
        for verdict in [Verdict::Different, Verdict::Equivalent, Verdict::NoDifferenceFound] {
            let hostile = Check { verdict, ..hostile.clone() };
            let forms = [
                hostile.terminal(Style::Plain),
                hostile.html(),
                hostile.junit(),
                hostile.to_json(),
            ];
            for text in forms {
                assert!(text.contains("[35m"), "it is quoted: {text}");
                let hidden = |c: &char| (c.is_control() && *c != '\n') || *c == '\u{202e}';
                assert_eq!(text.chars().find(hidden), None, "{text:?}");
            }
        }
        let read: serde_json::Value = serde_json::from_str(&hostile.to_json()).expect("it is JSON");
        assert_eq!(read["program"], hostile.program, "programs get what there is");
    }

    #[test]
    fn a_verdict_is_called_the_same_everywhere() {
        for verdict in [
            Verdict::Different,
            Verdict::Equivalent,
            Verdict::NoDifferenceFound,
            Verdict::Unreached,
            Verdict::Unchanged,
        ] {
            let written = serde_json::to_value(verdict).expect("it is a word");
            assert_eq!(written, verdict.name());
        }
    }
}
