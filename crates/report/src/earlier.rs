//! What a search needs to know of a `result.json` to go on from there.

use serde::Deserialize;

use crate::{
    check::{Approximations, Attribution, Runs, Versions},
    exploration::Queries,
};

/// The result of an earlier search.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Earlier {
    /// The version of the form.
    schema: u32,
    /// What was asked for.
    verb: String,
    /// What was compared.
    pub versions: Versions,
    /// The changes.
    pub changes: Vec<EarlierChange>,
    /// The differences.
    pub findings: Vec<EarlierFinding>,
    /// Runs of each version.
    pub runs: Runs,
    /// The runs that it took to execute the changes that were.
    pub runs_to_reach: Option<u64>,
    /// Answers of the solvers.
    pub queries: Queries,
    /// How long it took.
    pub seconds: f64,
    /// What made the symbolic view less than exact.
    pub approximations: Approximations,
    /// What looked like a difference and was none.
    pub unconfirmed: u64,
}

/// How far a change had been followed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EarlierChange {
    /// Its name.
    pub id: String,
    /// Whether it was executed.
    pub reached: bool,
    /// Whether the versions did something different after it.
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
    /// How that is known.
    #[serde(default)]
    pub attribution: Attribution,
    /// What it differs in.
    pub differs_in: Vec<String>,
    /// Other tests that show the same.
    pub others: u64,
}

impl Earlier {
    /// Reads a result; the error says what is wrong with it.
    pub fn read(text: &str) -> Result<Earlier, String> {
        let earlier: Earlier = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match (earlier.schema, earlier.verb.as_str()) {
            (1, "check") => Ok(earlier),
            (1, verb) => Err(format!("it is a result of {verb}")),
            (schema, _) => Err(format!("it has the form {schema}, and this is for 1")),
        }
    }

    /// What is known of a change.
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
        assert!(why(&text.replace("\"schema\": 1", "\"schema\": 7")).contains("the form 7"));
        assert!(why(&text[..text.len() / 2]).contains("EOF"));
    }
}
