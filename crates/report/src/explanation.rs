//! How the effect of each change travels through one test.

mod terminal;

use serde::Serialize;

use crate::changes::Passage;

/// How the changes between two versions travel through one test.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// How long it took to make the builds that are recorded.
    pub recording_seconds: f64,
    /// Whether the budget ended before the changes were followed: there are none then.
    pub is_out_of_time: bool,
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
    /// Whether its effect was not followed to the ends of the runs.
    pub cut: bool,
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

impl Explanation {
    /// As JSON.
    pub fn to_json(&self) -> String {
        crate::json::text(self)
    }
}
