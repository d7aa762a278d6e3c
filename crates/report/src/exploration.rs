//! The result of exploring a program.

use std::{collections::BTreeMap, fmt::Write};

use serde::{Deserialize, Serialize};

use crate::{counted, visible::harmless_line};

/// The result of `parallax explore`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Exploration {
    /// The version of this format.
    pub schema: u32,
    /// The verb: `explore`.
    pub verb: &'static str,
    /// The directory of the tests.
    pub out: String,
    /// Branch directions that were taken, and all of them.
    pub covered: usize,
    /// See `covered`.
    pub branches: usize,
    /// Runs with new inputs.
    pub runs: u64,
    /// The duration.
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
    /// Answers of the solvers, all together and by solver.
    pub queries: Queries,
    /// See `queries`.
    pub answered_by: BTreeMap<String, Queries>,
    /// Inputs by the kind of their query, and how many took the intended path.
    pub inputs: BTreeMap<&'static str, Kept>,
    /// Inputs by their origin, and the branch directions that they were the first to take.
    pub found_by: BTreeMap<&'static str, Found>,
    /// Pending branch flips.
    #[serde(rename = "turns_left")]
    pub flips_left: usize,
    /// Branch flips that were dropped because there were too many like them.
    #[serde(rename = "turns_dropped")]
    pub flips_dropped: u64,
    /// Whether nothing was left to try.
    pub finished: bool,
    /// Functions without a model, by the number of runs that called them.
    pub unmodelled: BTreeMap<String, u64>,
    /// The approximations of traces, with the number of times over all runs.
    pub approximations: BTreeMap<String, u64>,
}

/// Answers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Queries {
    /// Values were found.
    pub sat: u64,
    /// There are no such values.
    pub unsat: u64,
    /// The solver gave up.
    pub unknown: u64,
    /// The duration.
    pub seconds: f64,
}

/// The yield of inputs of one kind.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Found {
    /// Number of inputs that were tried.
    pub tried: u64,
    /// Branch directions that they were the first to take.
    pub new: u64,
}

/// Inputs that were made for a goal.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Kept {
    /// Number of inputs.
    pub made: u64,
    /// Number of inputs that took the intended path.
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
                "{} runs in {:.1} s ({:.0}/s); {} tests, {} and {} in {}",
                self.runs,
                self.seconds,
                self.runs as f64 / self.seconds.max(1e-9),
                self.kept,
                counted(self.crashes, "crash", "crashes"),
                counted(self.hangs, "hang", "hangs"),
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
        let left = counted(left, "flip", "flips");
        lines.push(format!("{left} left to try, {dropped} like others dropped{end}"));
        let unmodelled = self.unmodelled.iter();
        lines.extend(unmodelled.map(|(name, runs)| {
            format!("not modelled: {name} (in {})", counted(*runs, "run", "runs"))
        }));
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
    /// The sum of these and others.
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

/// The percentage of a part of a whole that may be empty.
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
