//! The parts of a `result.json` that a search needs to resume from it.

use serde::Deserialize;

use crate::{
    check::{Approximations, Attribution, Runs, Versions},
    exploration::Queries,
};

/// The result of an earlier search.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Earlier {
    /// The version of the format.
    schema: u32,
    /// The verb.
    verb: String,
    /// The compared versions.
    pub versions: Versions,
    /// The changes.
    pub changes: Vec<EarlierChange>,
    /// The differences.
    pub findings: Vec<EarlierFinding>,
    /// Runs of each version.
    pub runs: Runs,
    /// Number of runs until all changes that were executed were.
    pub runs_to_reach: Option<u64>,
    /// Answers of the solvers.
    pub queries: Queries,
    /// The duration.
    pub seconds: f64,
    /// The approximations of the symbolic view.
    pub approximations: Approximations,
    /// Apparent differences that were refuted.
    pub unconfirmed: u64,
}

/// How far the effect of a change was followed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EarlierChange {
    /// Its name.
    pub id: String,
    /// Whether it was executed.
    pub reached: bool,
    /// Whether the versions differed in state after it.
    pub infected: bool,
}

/// A difference that was found.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EarlierFinding {
    /// Its name.
    pub id: String,
    /// Its test, from the directory of the results.
    pub test: String,
    /// The changes that it belongs to.
    pub changes: Vec<String>,
    /// How the attribution is known.
    #[serde(default)]
    pub attribution: Attribution,
    /// The aspects in which it differs.
    pub differs_in: Vec<String>,
    /// Other tests that show the same difference.
    pub others: u64,
}

impl Earlier {
    /// Reads a result; the error says what is wrong with it.
    pub fn read(text: &str) -> Result<Earlier, String> {
        let earlier: Earlier = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match (earlier.schema, earlier.verb.as_str()) {
            (1, "check") => Ok(earlier),
            (1, verb) => Err(format!("it is a result of {verb}")),
            (schema, _) => Err(format!("it has schema {schema}, and this release reads schema 1")),
        }
    }

    /// The known state of a change.
    pub fn change(&self, id: &str) -> EarlierChange {
        let known = self.changes.iter().find(|change| change.id == id);
        known.cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn what_is_written_can_be_gone_on_from() {
        let written = fixture::search();
        let earlier = Earlier::read(&written.to_json()).expect("it was written by us");
        assert_eq!(earlier.versions, written.versions);
        assert_eq!(earlier.findings[0].test, "findings/f1/test.toml");
        assert_eq!((earlier.findings[0].others, earlier.seconds), (2, 1.5));
        let of = |id| (earlier.change(id).reached, earlier.change(id).infected);
        assert_eq!([of("c1"), of("c2"), of("c3")], [(true, true), (true, false), (false, false)]);
    }

    #[test]
    fn what_is_something_else_is_refused() {
        let text = fixture::search().to_json();
        let why = |text: &str| Earlier::read(text).expect_err("it is something else");
        assert!(why(&text.replace("\"check\"", "\"explore\"")).contains("a result of explore"));
        assert!(why(&text.replace("\"schema\": 1", "\"schema\": 7")).contains("schema 7"));
        assert!(why(&text[..text.len() / 2]).contains("EOF"));
    }
}
