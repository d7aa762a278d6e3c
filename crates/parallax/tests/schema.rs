//! `result.json` matches the output of `parallax schema`, whatever the verdict.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;
use serde_json::Value;

/// Checks a value against the part of JSON Schema that the schema uses.
fn validate(value: &Value, schema: &Value, root: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let number = || value.as_f64();
        let length = || value.as_array().map(Vec::len);
        let is_right = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                validate(value, &root["$defs"][name], root, at, wrong);
                true
            }
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(value, kind)),
                kind => is_of_type(value, kind),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => number().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "minItems" => length().is_none_or(|length| length >= rule.as_u64().unwrap() as usize),
            "maxItems" => length().is_none_or(|length| length <= rule.as_u64().unwrap() as usize),
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(item, rule, root, &format!("{at}[{place}]"), wrong);
                }
                true
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let missing: Vec<_> = names.filter(|name| value.get(name).is_none()).collect();
                wrong.extend(missing.iter().map(|name| format!("{at}.{name} is missing")));
                true
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        validate(value, rule, root, &format!("{at}.{name}"), wrong);
                    }
                }
                true
            }
            // Only used where there are no named properties.
            "additionalProperties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    validate(value, rule, root, &format!("{at}.{name}"), wrong);
                }
                true
            }
            other => panic!("this validator does not know {other}"),
        };
        if !is_right {
            wrong.push(format!("{at}: {value} is against {keyword} {rule}"));
        }
    }
}

fn is_of_type(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("there is no type {other}"),
    }
}

fn program(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n{body}\n}}\n"
    )
}

#[test]
fn results_of_all_verdicts_are_as_the_schema_says() {
    let place = Place::new();
    let schema: Value = serde_json::from_str(&place.parallax(&["schema"]).stdout).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    // A hash that cannot be inverted with a few runs.
    let hash = "unsigned h = 1;\nif (argc > 1) for (char *p = argv[1]; *p; p++) h = (h ^ *p) * \
                16777619u + (h >> 7);\n";
    let hidden =
        |word: &str| program(&format!("{hash}if (h == 0xdeadbeefu) puts(\"{word}\");\nreturn 0;"));
    let masked =
        |x: &str| program(&format!("int x = {x};\n{hash}return h == 0xdeadbeefu ? x : 0;"));
    let cases = [
        ("different", 1, program("return argc > 1;"), program("return argc > 2;")),
        ("equivalent", 0, program("return argc * 2;"), program("return argc + argc;")),
        ("unreached", 0, hidden("yes"), hidden("no")),
        ("no-difference-found", 0, masked("1"), masked("2")),
        ("unchanged", 0, program("return 0;"), program("return 0; /* the same */")),
    ];
    for (verdict, status, old, new) in cases {
        place.write("old.c", &old);
        place.write("new.c", &new);
        let printed = place.parallax(&["check", "old.c", "new.c", "--runs", "20", "--json"]);
        assert_eq!(printed.status, status, "{verdict}: {}{}", printed.stdout, printed.stderr);
        let written = place.read("parallax.out/result.json");
        assert_eq!(written, printed.stdout, "{verdict}");
        let result: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(result["verdict"], verdict, "{written}");
        let mut wrong = Vec::new();
        validate(&result, &schema, &schema, "result", &mut wrong);
        assert!(wrong.is_empty(), "{verdict}: {wrong:?}");
        for finding in result["findings"].as_array().unwrap() {
            let test = format!("parallax.out/{}", finding["test"].as_str().unwrap());
            assert!(place.path(&test).is_file(), "{test}");
        }
    }
}

#[test]
fn a_wrong_result_is_against_the_schema() {
    let place = Place::new();
    let schema: Value = serde_json::from_str(&place.parallax(&["schema"]).stdout).unwrap();
    let wrong_result = serde_json::json!({
        "schema": 2, "verdict": "fine", "seconds": "long",
        "changes": [{ "id": 1, "old_lines": [0] }],
        "findings": [{ "confirmed": false }],
    });
    let mut wrong = Vec::new();
    validate(&wrong_result, &schema, &schema, "", &mut wrong);
    for part in [
        ".schema: 2",
        ".verdict:",
        ".seconds: \"long\"",
        ".changes[0].id: 1",
        ".changes[0].old_lines[0]: 0",
        ".changes[0].old_lines: [0]",
        ".findings[0].confirmed: false",
        ".runs is missing",
    ] {
        assert!(wrong.iter().any(|text| text.starts_with(part)), "{part} in {wrong:?}");
    }
}
