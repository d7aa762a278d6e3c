//! A budget is a budget, whatever the programs do, and a signal ends every phase within a second.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use place::{Place, Printed};
use serde_json::Value;

/// Extra time that a busy machine may take.
const BUSY: Duration = Duration::from_secs(3);

/// A place with a pair of `bench/budget`.
fn hostile(name: &str) -> Place {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/budget");
    for version in ["old.c", "new.c"] {
        place.write(version, &fs::read_to_string(format!("{folder}/{name}/{version}")).unwrap());
    }
    place
}

/// The output and duration of a command.
fn timed(place: &Place, words: &[&str]) -> (Printed, Duration) {
    let start = Instant::now();
    (place.parallax(words), start.elapsed())
}

#[track_caller]
fn keeps(name: &str, budget: u32) -> Printed {
    let place = hostile(name);
    let words = ["check", "old.c", "new.c", "--budget", &format!("{budget}s")];
    let (printed, wall) = timed(&place, &words);
    assert!(printed.status <= 1, "{name}: {printed:?}");
    let result: Value = serde_json::from_str(&place.read("parallax.out/result.json")).unwrap();
    let builds = Duration::from_secs_f64(result["build_seconds"].as_f64().unwrap());
    let most = Duration::from_secs(budget.into()).mul_f64(1.1) + Duration::from_secs(3) + BUSY;
    assert!(wall <= builds + most, "{name}: {wall:?} with {builds:?} of builds");
    printed
}

#[test]
fn programs_that_take_long_do_not_take_more_than_the_budget() {
    for name in ["sleeping-new", "counting", "nested"] {
        let printed = keeps(name, 2);
        // An unconfirmed difference does not count: the versions only differ in how long they take.
        assert!(name != "sleeping-new" || printed.status == 0, "{printed:?}");
    }
}

#[test]
fn programs_that_take_all_they_get_do_not_take_more_than_the_budget() {
    for name in ["printing", "allocating", "forking"] {
        keeps(name, 2);
    }
}

/// Versions with a difference that is found at once, and one that is not found.
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

fn start(place: &Place, words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    command.args(words).current_dir(place.path(".")).env("PARALLAX_CACHE", place.cache());
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Sends a signal, and returns how the command ended and how long that took.
fn signalled(child: Child, signal: &str) -> (Option<i32>, String, Duration) {
    let start = Instant::now();
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), start.elapsed())
}

#[test]
fn a_signal_ends_every_phase_at_once() {
    let most = Duration::from_secs(1) + BUSY;
    // In the builds, in the search, and in runs that take seconds.
    for (name, signal, after) in [
        ("nested", "-TERM", 50),
        ("nested", "-INT", 700),
        ("nested", "-TERM", 3000),
        ("counting", "-TERM", 4000),
        ("sleeping", "-INT", 2500),
    ] {
        let place = hostile(name);
        let child = start(&place, &["check", "old.c", "new.c", "--budget", "10m"]);
        thread::sleep(Duration::from_millis(after));
        let (status, printed, took) = signalled(child, signal);
        assert!(took <= most, "{name} after {after} ms: {took:?}");
        // Without a finding: before a search there is no result, and a program that has hardly
        // started is ended by the signal itself.
        assert!(
            matches!(status, None | Some(0 | 130 | 143)),
            "{name} after {after} ms: {status:?} {printed}"
        );
    }
}

#[test]
fn what_is_confirmed_is_on_disk_before_it_is_made_better() {
    let place = Place::new();
    versions(&place);
    let words = ["check", "old.c", "new.c", "--budget", "10m", "--all"];
    let mut child = start(&place, &words);
    let finding = place.path("parallax.out/findings/f1/test.toml");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !finding.exists() {
        assert!(Instant::now() < deadline, "nothing was found");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let again = ["compare", "old.c", "new.c", "--tests", "parallax.out/findings/f1/test.toml"];
    assert_eq!(place.parallax(&again).status, 1);
    let log = place.read("parallax.out/log.txt");
    assert!(log.contains("candidate: ") && !log.contains("f1 is of"), "{log}");
}

/// A suite of so many tests, each with its number as an argument.
fn suite(place: &Place, tests: usize) {
    for test in 0..tests {
        place.write(&format!("tests/{test:02}.toml"), &format!("args = [\"{test}\"]\n"));
    }
}

/// A program that sleeps for half a second and prints a word if its argument is 0.
fn slow(word: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char **argv) {{\n  \
         usleep(500000);\n  if (argc > 1 && argv[1][0] == '0') puts(\"{word}\");\n  return 0;\n}}\n"
    )
}

#[test]
fn a_comparison_counts_what_there_was_no_time_for() {
    let place = Place::new();
    suite(&place, 40);
    place.write("old.c", &slow("same"));
    place.write("new.c", &slow("same").replace("return 0", "return argc > 9"));
    let words = ["compare", "old.c", "new.c", "--tests", "tests", "--budget", "3s"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 2, "not all was compared: {printed:?}");
    assert!(printed.stdout.contains("of 40 tests were not compared: the budget is used up."));
    // The first tests differ, and there is time to confirm that.
    place.write("new.c", &slow("other"));
    let words = ["compare", "old.c", "new.c", "--tests", "tests", "--budget", "20s"];
    let (printed, wall) = timed(&place, &words);
    assert_eq!(printed.status, 1, "{printed:?}");
    assert!(printed.stdout.contains("the budget is used up."), "{printed:?}");
    assert!(wall < Duration::from_secs(25) + 2 * BUSY, "{wall:?}");
}

#[test]
fn the_other_verbs_have_budgets_too() {
    let place = Place::new();
    suite(&place, 30);
    place.write("old.c", &slow("old"));
    place.write("new.c", &slow("new"));
    let printed = place.parallax(&["coverage", "old.c", "--tests", "tests", "--budget", "3s"]);
    assert_eq!(printed.status, 0, "{printed:?}");
    assert!(
        printed.stdout.contains("of 30 tests were not run: the budget is used up"),
        "{printed:?}"
    );
    place.write("long.toml", "args = [\"0abcdefghijklmnopqrstuvwxyz\", \"more\", \"and more\"]\n");
    let words = ["minimize", "old.c", "new.c", "long.toml", "--budget", "9s"];
    let (printed, wall) = timed(&place, &words);
    assert_eq!(printed.status, 1, "{printed:?}");
    assert!(printed.stdout.contains("# the budget is used up: it may become smaller still"));
    assert!(wall < Duration::from_secs(15) + BUSY, "{wall:?}");
    // Too little time for anything is an error.
    let words = ["explain", "old.c", "new.c", "long.toml", "--budget", "0.01s"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 2, "{printed:?}");
    assert!(printed.stderr.contains("the budget is used up"), "{printed:?}");
}
