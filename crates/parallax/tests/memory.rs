//! `parallax check` and memory: a memory error in one version only is a difference although plain
//! builds look the same.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;
use serde_json::Value;

/// A program that copies its argument to memory of this size, and then a part of it that is long enough.
fn copy(size: &str, start: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) \
         {{\n  if (argc < 2)\n    return 0;\n  size_t length = strlen(argv[1]);\n  \
         char *copy = malloc({size});\n  strcpy(copy, argv[1]);\n  puts(copy + {start});\n  \
         free(copy);\n  return 0;\n}}\n"
    )
}

fn check(place: &Place, more: &[&str]) -> (i32, String, Value) {
    let printed = place.parallax(&[&["check", "old.c", "new.c", "--runs", "40"], more].concat());
    let result = serde_json::from_str(&place.read("parallax.out/result.json")).unwrap();
    (printed.status, printed.stdout + &printed.stderr, result)
}

#[test]
fn an_error_of_one_version_only_is_found_and_kept() {
    let place = Place::new();
    place.write("old.c", &copy("length + 1", "0"));
    place.write("new.c", &copy("length", "0"));
    let (status, printed, result) = check(&place, &[]);
    assert_eq!(status, 1, "{printed}");
    assert!(printed.contains("memory of the old version: no error"), "{printed}");
    let error = "memory of the new version: heap-buffer-overflow";
    assert!(printed.contains(error), "{printed}");
    let finding = &result["findings"][0];
    assert_eq!(finding["differs_in"], Value::from(vec!["memory"]), "{printed}");
    assert_eq!(finding["changes"], Value::from(vec!["c1"]));
    let repro = place.read("parallax.out/findings/f1/repro.sh");
    assert!(repro.contains("-fsanitize=address"), "{repro}");
    let test = place.path("parallax.out/findings/f1/test.toml");
    let replayed = place.parallax(&["replay", test.to_str().unwrap(), "new.c", "--sanitize"]);
    assert!(replayed.stdout.contains("heap-buffer-overflow"), "{}", replayed.stdout);
    let (status, printed, result) = check(&place, &["--resume"]);
    assert_eq!((status, &result["findings"][0]["id"]), (1, &"f1".into()), "{printed}");
    assert_eq!(result["findings"].as_array().unwrap().len(), 1, "{printed}");
}

#[test]
fn an_error_of_both_versions_is_no_difference() {
    let place = Place::new();
    place.write("old.c", &copy("length", "0"));
    place.write("new.c", &copy("length", "1 - 1 + (length > 1000000)"));
    let (status, printed, result) = check(&place, &[]);
    assert_eq!(status, 0, "{printed}");
    assert_eq!(result["changes"][0]["reached"], Value::from(true), "{printed}");
    assert_eq!(result["findings"].as_array().unwrap().len(), 0, "{printed}");
}
