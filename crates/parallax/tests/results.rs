//! The results of a search: they can be read whatever ended it, and continued from.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    os::unix::fs::symlink,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use place::Place;
use serde_json::Value;

/// Versions with a difference that is found at once, and one that cannot be found.
fn versions(place: &Place) {
    let program = |word: &str, number: u32| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  int c;\n  unsigned n = 0;\n  \
             if (argc > 1 && argv[1][0] == 'x') puts(\"{word}\");\n  \
             while ((c = getchar()) != EOF) n = (n ^ c) * 16777619u + (n >> 7);\n  \
             return n == {number}u;\n}}\n"
        )
    };
    place.write("old.c", &program("old", 3735928559));
    place.write("new.c", &program("new", 3735928558));
}

fn start(place: &Place, more: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    command.args(["check", "old.c", "new.c", "--budget", "10m"]).args(more);
    command.current_dir(place.path(".")).env("PARALLAX_CACHE", place.cache());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn result(place: &Place) -> Value {
    serde_json::from_str(&place.read("parallax.out/result.json")).unwrap()
}

/// Waits until the written result has a finding, and returns the change that it belongs to.
fn wait_for_a_finding(place: &Place) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let has_one = || {
        let text = fs::read_to_string(place.path("parallax.out/result.json"));
        text.is_ok_and(|text| text.contains("\"attribution\": \"exact\""))
    };
    while !has_one() {
        assert!(Instant::now() < deadline, "nothing was found");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Kills a search that has found something.
fn killed(place: &Place) {
    versions(place);
    let mut child = start(place, &["--all"]);
    wait_for_a_finding(place);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_search_that_was_killed_leaves_what_it_found_and_can_be_gone_on_with() {
    let place = Place::new();
    killed(&place);
    let first = result(&place);
    assert_eq!((&first["verdict"], &first["finished"]), (&"different".into(), &false.into()));
    let finding = &first["findings"][0];
    assert!(place.read("parallax.out/findings/f1/test.toml").contains("\"x\""));
    assert!(place.path("parallax.out/corpus/00001.toml").is_file());
    let log = place.read("parallax.out/log.txt");
    for part in
        ["s  begin: ", "s  reached c", "s  candidate: ", "s  found f1: difference in stdout"]
    {
        assert!(log.contains(part), "{part} in {log}");
    }

    let words = ["check", "old.c", "new.c", "--resume", "--runs", "20"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    let second = result(&place);
    let findings = second["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((&findings[0]["id"], &findings[0]["test"]), (&finding["id"], &finding["test"]));
    assert_eq!(findings[0]["changes"], finding["changes"]);
    let number = |result: &Value, path: &str| result.pointer(path).unwrap().as_f64().unwrap();
    for path in ["/runs/new", "/runs/old", "/seconds"] {
        assert!(number(&second, path) > number(&first, path), "{path}: {first} {second}");
    }
    assert_eq!(second["runs_to_reach"], first["runs_to_reach"]);
    let whole = place.read("parallax.out/log.txt");
    assert!(whole.starts_with(&log));
    for part in ["s  f1 was found by an earlier search", "s  end: different, 1 finding,"] {
        assert!(whole.contains(part), "{part} in {whole}");
    }
    assert!(!place.path("parallax.out.old").exists());
}

#[test]
fn only_a_search_for_the_same_versions_is_gone_on_with() {
    let place = Place::new();
    versions(&place);
    let words = ["check", "old.c", "new.c", "--resume", "--runs", "5"];
    let nothing = place.parallax(&words);
    assert_eq!(nothing.status, 2);
    assert!(nothing.stderr.contains("failed to go on from parallax.out/result.json"));
    assert!(!place.path("parallax.out").exists());

    assert_ne!(place.parallax(&["check", "old.c", "new.c", "--runs", "5"]).status, 2);
    let before = place.read("parallax.out/result.json");
    place.write("new.c", &place.read("new.c").replace("3735928558", "17"));
    let other = place.parallax(&words);
    assert_eq!(other.status, 2);
    assert!(other.stderr.contains("it is of other versions"), "{}", other.stderr);
    assert_eq!(place.read("parallax.out/result.json"), before);

    place.write("parallax.out/result.json", "{ \"schema\": 1 }");
    let broken = place.parallax(&words);
    assert_eq!(broken.status, 2);
    assert!(broken.stderr.contains("missing field"), "{}", broken.stderr);
}

#[test]
fn a_directory_of_something_else_is_left_alone() {
    let place = Place::new();
    versions(&place);
    place.write("src/main.c", "int main;\n");
    place.write("file", "text");
    for (out, why) in [("src", "something other than results"), ("file", "Not a directory")] {
        let printed = place.parallax(&["check", "old.c", "new.c", "--runs", "5", "--out", out]);
        assert_eq!(printed.status, 2);
        assert!(
            printed.stderr.contains(&format!("failed to prepare {out}: ")),
            "{}",
            printed.stderr
        );
        assert!(printed.stderr.contains(why), "{}", printed.stderr);
    }
    assert_eq!(place.read("src/main.c"), "int main;\n");
    // Nothing can be created there.
    let printed = place.parallax(&["check", "old.c", "new.c", "--out", "/proc/parallax.out"]);
    assert_eq!(printed.status, 2);
    assert!(
        printed.stderr.contains("failed to prepare /proc/parallax.out: "),
        "{}",
        printed.stderr
    );
}

#[test]
fn a_full_disk_ends_the_search_and_what_was_found_is_told() {
    let place = Place::new();
    killed(&place);
    fs::remove_file(place.path("parallax.out/log.txt")).unwrap();
    // Every write there fails as on a full disk.
    symlink("/dev/full", place.path("parallax.out/log.txt")).unwrap();
    let printed = place.parallax(&["check", "old.c", "new.c", "--resume", "--budget", "10m"]);
    assert_eq!(printed.status, 2, "{}{}", printed.stdout, printed.stderr);
    let why = "parallax: failed to write parallax.out/log.txt: No space left on device";
    assert!(printed.stderr.contains(why), "{}", printed.stderr);
    assert!(printed.stdout.contains("the versions differ (1 difference"), "{}", printed.stdout);
    assert_eq!(result(&place)["findings"][0]["id"], "f1");
}

#[test]
fn two_searches_do_not_share_a_directory() {
    let place = Place::new();
    versions(&place);
    let mut child = start(&place, &["--all"]);
    wait_for_a_finding(&place);
    for more in [&[][..], &["--resume"]] {
        let printed = place.parallax(&[&["check", "old.c", "new.c"], more].concat());
        assert_eq!(printed.status, 2);
        assert!(printed.stderr.contains("another search uses it"), "{}", printed.stderr);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
