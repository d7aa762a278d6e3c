//! A path that is not a regular file is refused where a file is wanted, and nothing waits for it.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::time::{Duration, Instant};

use place::Place;

fn place() -> Place {
    let place = Place::new();
    place.write("a.c", "int main(int argc, char **argv) { (void)argv; return argc > 1; }\n");
    place.write("b.c", "int main(int argc, char **argv) { (void)argv; return argc > 2; }\n");
    place.write("tests/one.toml", "args = [\"x\"]\n");
    place
}

/// Checks that a command is refused at once, and with which reason.
#[track_caller]
fn assert_refused(place: &Place, words: &[&str], why: &str) {
    let start = Instant::now();
    let printed = place.parallax(words);
    assert_eq!(printed.status, 2, "{words:?}: {}{}", printed.stdout, printed.stderr);
    assert!(printed.stderr.contains(why), "{words:?}: {}", printed.stderr);
    assert!(start.elapsed() < Duration::from_secs(60), "{words:?}");
}

#[test]
fn a_result_that_is_no_file_is_not_gone_on_from() {
    let place = place();
    let resume = ["check", "a.c", "b.c", "--resume", "--budget", "1s"];
    for (make, why) in [
        ("mkfifo", "it is a fifo"),
        ("mkdir", "it is a directory"),
        ("ln -s /dev/zero", "it is a device"),
        ("truncate -s 1T", "it has more than"),
        ("printf '\\377' >", "it is not UTF-8"),
        ("printf '{' >", "EOF"),
        ("ln -s nowhere", "No such file"),
    ] {
        place.sh(&format!(
            "rm -rf parallax.out; mkdir parallax.out; {make} parallax.out/result.json"
        ));
        assert_refused(&place, &resume, why);
    }
}

#[test]
fn a_directory_of_results_may_hold_anything() {
    let place = place();
    assert_eq!(place.parallax(&["check", "a.c", "b.c", "--budget", "1s"]).status, 1);
    let resume = ["check", "a.c", "b.c", "--resume", "--budget", "1s"];
    for name in [".lock", "log.txt", "corpus/00001.toml", "result.json.new"] {
        place.sh(&format!(
            "cp -a parallax.out whole; rm -f parallax.out/{name}; mkfifo parallax.out/{name}"
        ));
        assert_refused(&place, &resume, "fifo");
        place.sh("rm -rf parallax.out; mv whole parallax.out");
    }
    assert_eq!(place.parallax(&resume).status, 1, "it can be gone on from");
}

#[test]
fn tests_and_programs_are_files() {
    let place = place();
    place.sh("mkfifo tests/pipe.toml lone.toml prog; truncate -s 1T huge");
    for (tests, why) in [
        ("tests", "pipe.toml: a fifo is not a test"),
        ("lone.toml", "a fifo is not a test"),
        ("/dev/zero", "a device is not a test"),
        ("huge", "it has more than"),
    ] {
        assert_refused(&place, &["compare", "a.c", "b.c", "--tests", tests], why);
        assert_refused(&place, &["check", "a.c", "b.c", "--seeds", tests], why);
    }
    place.sh("truncate -s 1T huge.c");
    assert_refused(&place, &["changes", "huge.c", "b.c"], "it has more than");
    assert_refused(&place, &["compare", "prog", "b.c", "--tests", "huge"], "it has more than");
    assert_refused(&place, &["changes", "prog", "b.c"], "it is not an ELF executable");
}

#[test]
fn results_go_where_they_can_be_written() {
    let place = place();
    place.sh("mkfifo pipe; mkdir folder");
    let check = ["check", "a.c", "b.c", "--budget", "1s"];
    let compare = ["compare", "a.c", "b.c", "--tests", "tests"];
    for words in [&check[..], &compare] {
        for (target, why) in [
            ("folder", "failed to write folder: it is a directory"),
            ("gone/x.xml", "No such file"),
            ("pipe", "failed to write pipe: it is a fifo that nothing reads from"),
            ("/dev/full", "No space left"),
        ] {
            assert_refused(&place, &[words, &["--junit", target]].concat(), why);
        }
    }
    for out in ["pipe", "a.c", "/dev/null", "/dev/null/x"] {
        assert_refused(&place, &[&check[..], &["--out", out]].concat(), "failed to prepare");
    }
    for out in ["pipe", "a.c"] {
        let words = ["explore", "a.c", "--budget", "1s", "--out", out];
        assert_refused(&place, &words, "it is no directory");
    }
    let module = ["module", "a.c", "--output"];
    for target in ["pipe", "folder", "/dev/full"] {
        assert_refused(&place, &[&module[..], &[target]].concat(), "failed to write");
    }
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let read =
        format!("cat pipe & {parallax} {} --junit pipe > /dev/null; wait", compare.join(" "));
    assert!(place.output(&read).contains("<testsuites"), "a fifo that is read is written to");
}
