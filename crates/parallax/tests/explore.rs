//! Exploration as a user sees it: from nothing to the tests that cover a program. The programs are
//! in `tests/explore`.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{collections::BTreeMap, fs, path::PathBuf};

use place::{Place, Printed};

/// A directory with one of the programs in it.
fn place_with(program: &str) -> Place {
    let place = Place::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/explore");
    place.write(program, &fs::read_to_string(folder.join(program)).unwrap());
    place
}

#[track_caller]
fn explore(place: &Place, program: &str, runs: &str, further: &[&str]) -> Printed {
    let mut words = vec!["explore", program, "--runs", runs, "--budget", "60s", "--jobs", "1"];
    words.extend(["--out", "out"]);
    words.extend(further);
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 0, "{printed:?}");
    printed
}

/// The tests in a directory, by file name.
fn tests(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Checks that some test of a directory makes the program print this.
#[track_caller]
fn assert_prints(place: &Place, program: &str, folder: &str, wanted: &str) {
    let found = tests(place, folder);
    let prints = |name: &String| {
        let printed = place.parallax(&["replay", &format!("{folder}/{name}"), program]);
        printed.stdout.contains(wanted)
    };
    assert!(found.keys().any(prints), "{wanted} is not among {found:?}");
}

/// Checks that the corpus covers as many branches as the exploration reported.
#[track_caller]
fn assert_replays(place: &Place, program: &str, explored: &Printed, further: &[&str]) {
    let figure = explored.stdout.split_once(" branches covered").unwrap().0;
    let words = [&["coverage", program, "--tests", "out/corpus"], further].concat();
    let covered = place.parallax(&words);
    let all = covered.stdout.lines().last().unwrap_or_default();
    let same = all.starts_with("all ") && all.contains(&format!("  {figure} ("));
    assert!(same, "{figure} is not what {covered:?} says");
}

#[test]
fn a_number_is_written_with_as_many_digits_as_it_needs() {
    let place = place_with("numbers.c");
    explore(&place, "numbers.c", "1500", &[]);
    for wanted in ["high", "low", "large", "heavy"] {
        assert_prints(&place, "numbers.c", "out/corpus", wanted);
    }
}

#[test]
fn a_long_option_is_found() {
    let place = place_with("option.c");
    let printed = explore(&place, "option.c", "200", &[]);
    assert!(printed.stdout.contains("4 of 4 branches"), "{printed:?}");
    assert_replays(&place, "option.c", &printed, &[]);
    assert_prints(&place, "option.c", "out/corpus", "loud");
}

#[test]
fn a_number_is_found_and_the_same_tests_by_the_same_runs() {
    let place = place_with("year.c");
    let found = || {
        let printed = explore(&place, "year.c", "200", &[]);
        assert_replays(&place, "year.c", &printed, &[]);
        ["corpus", "crashes", "hangs"].map(|kind| tests(&place, &format!("out/{kind}")))
    };
    let first = found();
    assert_prints(&place, "year.c", "out/corpus", "orwell");
    assert_eq!(first, found());
}

#[test]
fn a_file_that_an_argument_names_comes_to_exist() {
    let place = place_with("file.c");
    let flags = ["--cflags=-DCHECKED"];
    let printed = explore(&place, "file.c", "200", &flags);
    assert_replays(&place, "file.c", &printed, &flags);
    assert_prints(&place, "file.c", "out/corpus", "found");
    let corpus = tests(&place, "out/corpus");
    assert!(corpus.values().any(|test| test.contains("= \"PX\"")), "{corpus:?}");
}

#[test]
fn a_file_comes_to_exist_where_the_empty_name_is_opened_first() {
    let place = place_with("file.c");
    explore(&place, "file.c", "400", &[]);
    assert_prints(&place, "file.c", "out/corpus", "found");
}

#[test]
fn standard_input_grows_to_three_lines() {
    let place = place_with("lines.c");
    let printed = explore(&place, "lines.c", "120", &[]);
    assert_replays(&place, "lines.c", &printed, &[]);
    assert_prints(&place, "lines.c", "out/corpus", "three");
}

#[test]
fn a_crash_is_kept_apart_and_queries_are_written() {
    let place = place_with("crash.c");
    let printed = explore(&place, "crash.c", "300", &["--dump-queries", "queries"]);
    assert!(printed.stdout.contains(" 1 crash and 0 hangs in out"), "{printed:?}");
    let crashes = tests(&place, "out/crashes");
    assert_eq!(crashes.len(), 1, "{crashes:?}");
    assert!(crashes.values().all(|test| test.contains("\"magic\"")), "{crashes:?}");
    assert_prints(&place, "crash.c", "out/crashes", "killed by SIGSEGV");
    assert_replays(&place, "crash.c", &printed, &[]);
    let queries = tests(&place, "queries");
    assert!(!queries.is_empty());
    for (name, text) in queries {
        assert!(name.ends_with(".smt2"), "{name}");
        assert!(text.starts_with("(set-logic ") && text.ends_with("(check-sat)\n"), "{text}");
    }
}

#[test]
fn a_crash_that_the_compiler_can_see_is_found() {
    let place = place_with("null.c");
    explore(&place, "null.c", "300", &[]);
    assert_prints(&place, "null.c", "out/crashes", "killed by SIGSEGV");
}

#[test]
fn what_was_there_is_kept_as_old_unless_it_is_resumed() {
    let place = place_with("crash.c");
    for runs in ["1", "2", "3"] {
        explore(&place, "crash.c", runs, &[]);
        place.write(&format!("out/{runs}"), "");
    }
    assert_eq!(place.listing(), ["crash.c", "out", "out.old"]);
    assert!(place.path("out/3").exists() && place.path("out.old/2").exists());
    assert!(!place.path("out/2").exists() && !place.path("out.old/1").exists());
    place.write("out/corpus/00000.toml", "args = [\"magic\"]\n");
    // The word cannot be found within so few runs, unless it is given.
    let printed = explore(&place, "crash.c", "1", &["--resume"]);
    assert!(printed.stdout.contains(" 1 crash "), "{printed:?}");
    assert!(place.path("out/3").exists() && place.path("out.old/2").exists());
    assert_eq!(place.read("out/corpus/00000.toml"), "args = [\"magic\"]\n");
}

#[test]
fn resuming_adds_only_what_is_new() {
    let place = place_with("year.c");
    explore(&place, "year.c", "150", &[]);
    let first = tests(&place, "out/corpus");
    explore(&place, "year.c", "150", &["--resume"]);
    assert_eq!(first, tests(&place, "out/corpus"));
}

#[test]
fn a_result_comes_as_json() {
    let place = place_with("crash.c");
    let printed = explore(&place, "crash.c", "1", &["--json"]);
    assert!(printed.stdout.starts_with('{'), "{printed:?}");
}

#[test]
fn a_budget_that_is_no_time_is_refused() {
    let place = place_with("crash.c");
    for budget in ["5x", "", "s", "-1s", "0s", "1.2.3s", "1e99"] {
        let word = format!("--budget={budget}");
        let printed = place.parallax(&["explore", "crash.c", &word]);
        assert_eq!(printed.status, 2, "{budget}: {printed:?}");
        assert!(printed.stderr.contains("expected a time such as 30s, 5m or 1h"), "{printed:?}");
    }
    assert_eq!(place.listing(), ["crash.c"]);
}
