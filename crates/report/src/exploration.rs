//! What exploring a program has brought.

use std::{collections::BTreeMap, fmt::Write};

use serde::{Deserialize, Serialize};

use crate::visible::harmless_line;

/// The result of `parallax explore`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Exploration {
    /// The version of this form.
    pub schema: u32,
    /// What was asked for: `explore`.
    pub verb: &'static str,
    /// Where the tests are.
    pub out: String,
    /// Ways of branches that were gone, and all there are.
    pub covered: usize,
    /// See `covered`.
    pub branches: usize,
    /// Runs with new inputs.
    pub runs: u64,
    /// How long it took.
    pub seconds: f64,
    /// Tests that cover something new, that end with a signal, that do not end.
    pub kept: u64,
    /// See `kept`.
    pub crashes: u64,
    /// See `kept`.
    pub hangs: u64,
    /// Time of all workers together: running the program and reading what it did, solving.
    pub seconds_running: f64,
    /// See `seconds_running`.
    pub seconds_solving: f64,
    /// Answers of the solvers, all together and by who gave them.
    pub queries: Queries,
    /// See `queries`.
    pub answered_by: BTreeMap<String, Queries>,
    /// Inputs by what was known of them, and how many went where they were meant to.
    pub inputs: BTreeMap<&'static str, Kept>,
    /// Inputs by where they come from, and the ways of branches that they were the first to go.
    pub found_by: BTreeMap<&'static str, Found>,
    /// Decisions that could still be made otherwise.
    #[serde(rename = "turns_left")]
    pub flips_left: usize,
    /// Those that were dropped because there were too many like them.
    #[serde(rename = "turns_dropped")]
    pub flips_dropped: u64,
    /// Whether there was nothing left to try.
    pub finished: bool,
    /// Functions without a model, by the number of runs that called them.
    pub unmodelled: BTreeMap<String, u64>,
    /// What made traces less than exact: how often, summed over all runs.
    pub approximations: BTreeMap<String, u64>,
}

/// Answers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Queries {
    /// Values were found.
    pub sat: u64,
    /// There are none.
    pub unsat: u64,
    /// Nobody knows.
    pub unknown: u64,
    /// How long it took.
    pub seconds: f64,
}

/// What inputs of one kind have brought.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Found {
    /// How many were tried.
    pub tried: u64,
    /// Ways of branches that they were the first to go.
    pub new: u64,
}

/// Inputs that were made for something.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Kept {
    /// How many.
    pub made: u64,
    /// How many went where they were meant to.
    pub as_meant: u64,
}

impl Exploration {
    /// Inputs that were solved for with the whole path.
    pub const EXACT: &'static str = "exact";
    /// Inputs that were solved for with their last condition only.
    pub const OPTIMISTIC: &'static str = "optimistic";

    /// As a JSON document that ends in a newline.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }

    /// As text for a terminal.
    pub fn terminal(&self) -> String {
        let mut lines = vec![
            format!(
                "{} of {} branches covered ({:.1}%)",
                self.covered,
                self.branches,
                percent(self.covered, self.branches)
            ),
            format!(
                "{} runs in {:.1} s ({:.0}/s); {} tests, {} crashes and {} hangs in {}",
                self.runs,
                self.seconds,
                self.runs as f64 / self.seconds.max(1e-9),
                self.kept,
                self.crashes,
                self.hangs,
                self.out
            ),
            format!(
                "time: {:.1} s running, {:.1} s solving",
                self.seconds_running, self.seconds_solving
            ),
        ];
        lines.extend(
            self.found_by.iter().map(|(by, Found { tried, new })| {
                format!("{by}: {tried} tried, {new} new branches")
            }),
        );
        lines.push(format!("queries: {}", self.queries.text()));
        let by = self.answered_by.iter();
        lines.extend(by.map(|(by, queries)| format!("  by {by}: {}", queries.text())));
        for (name, what) in [
            (Exploration::EXACT, "solved with the whole path"),
            (Exploration::OPTIMISTIC, "solved for the last condition only"),
        ] {
            if let Some(Kept { made, as_meant }) = self.inputs.get(name) {
                lines.push(format!("{what}: {as_meant} of {made} inputs went where they should"));
            }
        }
        let end = if self.finished { "; nothing left to try" } else { "" };
        let (left, dropped) = (self.flips_left, self.flips_dropped);
        lines.push(format!("{left} flips left to try, {dropped} like others dropped{end}"));
        let unmodelled = self.unmodelled.iter();
        lines.extend(
            unmodelled.map(|(name, runs)| format!("not modelled: {name} (in {runs} runs)")),
        );
        let approximations = self.approximations.iter();
        lines.extend(approximations.map(|(what, count)| format!("approximated: {what} ({count})")));
        lines.iter().fold(String::new(), |mut text, line| {
            let written = writeln!(text, "{}", harmless_line(line));
            debug_assert!(written.is_ok(), "a String takes all that is written to it");
            text
        })
    }
}

impl Queries {
    /// These and others.
    pub fn and(self, others: Queries) -> Queries {
        Queries {
            sat: self.sat + others.sat,
            unsat: self.unsat + others.unsat,
            unknown: self.unknown + others.unknown,
            seconds: self.seconds + others.seconds,
        }
    }

    fn text(&self) -> String {
        format!(
            "{} satisfiable, {} unsatisfiable, {} unknown in {:.2} s",
            self.sat, self.unsat, self.unknown, self.seconds
        )
    }
}

/// A part of a whole, of which there may be nothing.
pub fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_programs_see_the_same() {
        let mut exploration = Exploration {
            schema: 1,
            verb: "explore",
            covered: 3,
            branches: 4,
            runs: 10,
            seconds: 2.0,
            finished: true,
            ..Exploration::default()
        };
        exploration.inputs.insert(Exploration::EXACT, Kept { made: 9, as_meant: 8 });
        let text = exploration.terminal();
        for part in ["3 of 4 branches covered (75.0%)", "(5/s)", "8 of 9 inputs", "nothing left"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(exploration.to_json().contains("\"as_meant\": 8"));
    }
}
