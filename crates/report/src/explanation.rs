//! The effect of each change on one test, step by step.

mod terminal;

use serde::Serialize;

use crate::changes::Passage;

/// The effects of the changes between two versions on one test.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// The version of this format.
    pub schema: u32,
    /// The verb that made this report.
    pub verb: &'static str,
    /// The name of the program.
    pub program: String,
    /// The test.
    pub test: String,
    /// The aspects in which the versions differ visibly: `stdout`, `exit` and so on.
    pub differs_in: Vec<String>,
    /// The changes.
    pub changes: Vec<ExplainedChange>,
    /// The duration of the recording builds.
    pub recording_seconds: f64,
    /// Whether the budget ended before the changes were followed: there are none then.
    pub is_out_of_time: bool,
    /// Remarks that are needed to read the rest.
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
    /// Its place in the old version.
    pub old: Option<Passage>,
    /// Its place in the new version.
    pub new: Option<Passage>,
    /// Whether it was executed, in either version.
    pub reached: bool,
    /// Whether it changed any value or decision.
    pub infected: bool,
    /// Whether it is visible from outside.
    pub propagated: bool,
    /// Whether its effect was not followed to the ends of the runs.
    pub cut: bool,
    /// Where its effect got furthest, if it is not visible from outside.
    pub stopped_at: Option<ExplainedStop>,
    /// The lines that its effect reaches, its own first.
    pub lines: Vec<ExplainedLine>,
}

/// A line that the effect of a change reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedLine {
    /// Its id, which other lines use.
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
    /// The text in the old version, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    /// Whether it belongs to the change.
    pub changed: bool,
    /// The values that differ there.
    pub facts: Vec<ExplainedFact>,
    /// The effects that end there.
    pub stops: Vec<ExplainedStop>,
    /// The ids of the lines that it leads to.
    pub leads_to: Vec<usize>,
}

/// A value that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedFact {
    /// `variable`, `decision`, `returned`, `printed` or `executed`.
    pub what: &'static str,
    /// The name of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The value in the old version, if there is one.
    pub old: Option<String>,
    /// The value in the new version, if there is one.
    pub new: Option<String>,
    /// The number of times; the values are those of the first time.
    pub times: u32,
}

/// The place where an effect ends, and the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExplainedStop {
    /// `printed`, `never used`, `swallowed`, `decided alike`, `computed alike` or `nothing follows`.
    pub why: &'static str,
    /// Whether it ends because it is visible.
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
    /// The operation there, old and new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The condition under which the effect would live on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// The number of times; the rest is about the first time.
    pub times: u32,
}

impl Explanation {
    /// As JSON.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }
}
