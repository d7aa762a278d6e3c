//! The JSON Schema of `result.json`.
//!
//! Written by hand: it explains the fields to their readers, and a test checks it against the
//! types. Fields that it does not name are allowed, so that a field can be added without breaking
//! validators.

use serde_json::{Value, json};

/// The schema of the output of `parallax check`.
pub fn check_schema() -> String {
    crate::json::text(&check())
}

fn check() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The result of parallax check",
        "type": "object",
        "required": [
            "schema", "verb", "verdict", "program", "out", "versions", "changes", "findings", "runs",
            "runs_to_reach", "queries", "seconds", "build_seconds", "approximations", "bounds", "unconfirmed",
            "unconfirmed_tests", "noise",
            "finished", "unproved", "environment", "stats"
        ],
        "properties": properties(),
        "$defs": {
            "change": change(),
            "finding": finding(),
            "approximations": approximations(),
            "bounds": {
                "type": "object",
                "description": "The limits of the growth of inputs.",
                "required": ["arguments", "argument_bytes", "bytes"],
                "properties": {
                    "arguments": count("The most arguments."),
                    "argument_bytes": count("The most bytes of each argument."),
                    "bytes": count("The most bytes of standard input and of each file.")
                }
            },
            "lines": {
                "type": ["array", "null"],
                "description": "The first and the last line; null where there is none.",
                "items": { "type": "integer", "minimum": 1 },
                "minItems": 2,
                "maxItems": 2
            }
        }
    })
}

fn properties() -> Value {
    json!({
        "schema": { "const": 1, "description": "The version of this format." },
        "verb": { "const": "check" },
        "verdict": {
            "enum": ["different", "equivalent", "no-difference-found", "unreached", "unchanged"],
            "description": "different: a difference was confirmed on plain builds; equivalent: there is none within the bounds; unreached: none was found, and not all changes were executed; unchanged: the code is the same."
        },
        "program": text("The name of the program."),
        "out": text("The directory of the results."),
        "versions": {
            "type": "object",
            "description": "Digests of the compared programs.",
            "required": ["old", "new"],
            "properties": { "old": text("Of the old version."), "new": text("Of the new version.") }
        },
        "changes": list("change", "The changes."),
        "findings": list("finding", "The differences."),
        "runs": {
            "type": "object",
            "description": "Runs of each version with new inputs.",
            "required": ["old", "new"],
            "properties": { "old": count("Of the old version."), "new": count("Of the new version.") }
        },
        "runs_to_reach": {
            "type": ["integer", "null"],
            "minimum": 0,
            "description": "Number of runs until all changes that were executed were; null if none was."
        },
        "queries": {
            "type": "object",
            "description": "Answers of the solvers.",
            "required": ["sat", "unsat", "unknown", "seconds"],
            "properties": {
                "sat": count("Values were found."),
                "unsat": count("There are no such values."),
                "unknown": count("The solver gave up."),
                "seconds": seconds("The duration.")
            }
        },
        "seconds": seconds("The duration, builds aside."),
        "build_seconds": seconds("The duration of the builds, which no budget covers."),
        "approximations": { "$ref": "#/$defs/approximations" },
        "bounds": { "$ref": "#/$defs/bounds" },
        "unconfirmed": count("Tests that looked different, but not on plain builds, or not each time."),
        "unconfirmed_tests": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Those of them that there was no time to confirm: their tests, from the directory of the results."
        },
        "noise": {
            "type": ["string", "null"],
            "description": "An example of a variation from run to run."
        },
        "finished": {
            "type": "boolean",
            "description": "Whether nothing was left to try."
        },
        "environment": {
            "type": "array",
            "items": { "type": "string" },
            "description": "The environment that a proof is about: its conditions, and the functions by which the program queries it. Empty without a proof."
        },
        "stats": stats(),
        "unproved": {
            "type": "array",
            "description": "The reasons why this is no proof; empty if it is one.",
            "items": { "type": "string" }
        }
    })
}

fn stats() -> Value {
    let table = |description: &str| json!({ "type": "object", "description": description });
    json!({
        "type": "object",
        "description": "Where the time and the work of the search went, all workers together.",
        "required": ["generators", "waiting", "phases"],
        "properties": {
            "generators": table("What each way of making inputs has brought and cost; given tests are `given`."),
            "waiting": seconds("How long workers waited for the last jobs of rounds."),
            "phases": table("Seconds that the search waited, by what was done meanwhile.")
        }
    })
}

fn change() -> Value {
    json!({
        "type": "object",
        "required": [
            "id", "file", "function", "old_lines", "new_lines", "kind", "reachable", "reached",
            "infected", "propagated", "why"
        ],
        "properties": {
            "id": text("Its name, which findings use."),
            "file": text("The file it is in."),
            "function": text("The function it is in."),
            "old_lines": { "$ref": "#/$defs/lines" },
            "new_lines": { "$ref": "#/$defs/lines" },
            "kind": { "enum": ["modified", "added", "deleted"] },
            "reachable": flag("Whether it can be executed at all, as far as the code tells."),
            "reached": flag("Whether it was executed."),
            "infected": flag("Whether the versions differed in state after it."),
            "propagated": flag("Whether its effect was visible."),
            "why": {
                "type": ["string", "null"],
                "description": "The reason why its effect was not visible, if it was not."
            },
            "stopped_at": {
                "type": "object",
                "description": "If no difference was observed and it is known: where its effect ended; for a change that was not executed, the nearest decision that runs reached and where all took another direction.",
                "required": ["file", "line", "why"],
                "properties": {
                    "file": text("The file."),
                    "line": { "type": "integer", "minimum": 1 },
                    "why": text("The reason.")
                }
            }
        }
    })
}

fn finding() -> Value {
    json!({
        "type": "object",
        "required": ["id", "test", "changes", "attribution", "differs_in", "confirmed", "others"],
        "properties": {
            "id": text("Its name."),
            "test": text("Its test, from the directory of the results."),
            "changes": {
                "type": "array",
                "description": "The changes that it belongs to, as attribution says.",
                "items": { "type": "string" }
            },
            "attribution": {
                "enum": ["exact", "guess"],
                "description": "exact: the effects of these changes were followed to the difference, or its test executes only one; guess: its test executes these changes, and at least one of them is visible."
            },
            "differs_in": {
                "type": "array",
                "minItems": 1,
                "items": { "enum": ["stdout", "stderr", "exit", "files", "memory"] }
            },
            "confirmed": {
                "const": true,
                "description": "Plain builds of both versions show it, each time, or builds that check memory accesses if it differs in memory: there are no others."
            },
            "others": count("Other tests that showed the same difference.")
        }
    })
}

fn approximations() -> Value {
    let counts = |what: &str| {
        json!({
            "type": "object",
            "description": what,
            "additionalProperties": { "type": "integer", "minimum": 0 }
        })
    };
    json!({
        "type": "object",
        "description": "The approximations of the symbolic view, summed over all runs.",
        "required": ["concretised_addresses", "unmodelled_calls", "diverged_runs", "others"],
        "properties": {
            "concretised_addresses": count("Addresses, sizes and names that were concretised."),
            "unmodelled_calls": counts("Functions without a model, by the runs that called them."),
            "diverged_runs": count("Inputs that met all conditions and took another path."),
            "others": counts("All other approximations.")
        }
    })
}

fn text(what: &str) -> Value {
    json!({ "type": "string", "description": what })
}

fn count(what: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": what })
}

fn seconds(what: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "description": what })
}

fn flag(what: &str) -> Value {
    json!({ "type": "boolean", "description": what })
}

fn list(of: &str, what: &str) -> Value {
    json!({ "type": "array", "description": what, "items": { "$ref": format!("#/$defs/{of}") } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    /// Fields of a value that its schema does not name, and those that it requires and that are not
    /// there.
    fn unlike(value: &Value, schema: &Value, at: &str, found: &mut Vec<String>) {
        let schema = match schema["$ref"].as_str() {
            Some(name) => &check()["$defs"][name.trim_start_matches("#/$defs/")],
            None => schema,
        };
        for (name, value) in value.as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            match schema["properties"].get(name) {
                Some(schema) => unlike(value, schema, &at, found),
                None => found.push(format!("{at} is not in the schema")),
            }
        }
        for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
            if value.is_object() && value.get(name).is_none() {
                found.push(format!("{at}.{name} is only in the schema"));
            }
        }
        for item in value.as_array().into_iter().flatten() {
            unlike(item, &schema["items"], &format!("{at}[]"), found);
        }
    }

    #[test]
    fn the_schema_names_what_the_types_have() {
        let mut full = fixture::search();
        full.changes.truncate(2);
        full.changes.remove(0);
        let value = serde_json::to_value(full).expect("a result is JSON");
        let mut found = Vec::new();
        unlike(&value, &check(), "", &mut found);
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn the_contract_of_the_design_is_kept() {
        let design = json!({
            "schema": 1, "verdict": "different",
            "changes": [{
                "id": "c1", "file": "cut.c", "old_lines": [8, 8], "new_lines": [8, 8],
                "kind": "modified", "reached": true, "infected": true, "propagated": true,
                "stopped_at": { "file": "cut.c", "line": 9, "why": "branch" }
            }],
            "findings": [{
                "id": "f1", "test": "findings/f1/test.toml", "changes": ["c1"],
                "differs_in": ["stdout", "exit"], "confirmed": true
            }],
            "runs": { "old": 12, "new": 14 }, "runs_to_reach": 3,
            "queries": { "sat": 5, "unsat": 2, "unknown": 0 }, "seconds": 0.4,
            "approximations": {
                "concretised_addresses": 0, "unmodelled_calls": {}, "diverged_runs": 0
            }
        });
        let mut found = Vec::new();
        unlike(&design, &check(), "", &mut found);
        let missing: Vec<_> =
            found.iter().filter(|text| text.ends_with("is not in the schema")).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
