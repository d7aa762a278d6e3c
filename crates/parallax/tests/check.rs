//! `parallax check` as a user sees it: differences are found, confirmed and written; versions that
//! cannot differ are proved equivalent; noise is no difference; and an interruption loses nothing.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use place::{Place, Printed};
use serde_json::Value;

/// Checks a pair of tests/pairs.
fn check(place: &Place, name: &str, more: &[&str]) -> Printed {
    let pairs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/pairs");
    for version in ["old.c", "new.c"] {
        place.write(version, &fs::read_to_string(format!("{pairs}/{name}/{version}")).unwrap());
    }
    // A search goes on for changes without visible effects.
    place.parallax(&[&["check", "old.c", "new.c", "--budget", "12s"], more].concat())
}

#[track_caller]
fn differs(name: &str) -> Printed {
    let place = Place::new();
    let printed = check(&place, name, &["--junit", "check.xml"]);
    assert_eq!(printed.status, 1, "{name}: {}{}", printed.stdout, printed.stderr);
    let again = ["compare", "old.c", "new.c", "--tests", "parallax.out/findings/f1/test.toml"];
    let confirmed = place.parallax(&again);
    assert_eq!(confirmed.status, 1, "{name}: {}", confirmed.stdout);
    assert!(place.read("parallax.out/result.json").contains("\"verdict\": \"different\""));
    let page = place.read("parallax.out/report.html");
    assert!(page.contains("<h2 id=\"f1\">") && page.ends_with("</html>\n"), "{name}: {page}");
    let junit = place.read("check.xml");
    assert!(junit.contains("classname=\"parallax.check\" name=\"c1 "), "{name}: {junit}");
    assert!(junit.contains("<failure type=\"difference\""), "{name}: {junit}");
    printed
}

#[test]
fn a_difference_that_needs_a_search_is_found_and_can_be_run_again() {
    for name in ["urandom-and-signed-byte", "pid-and-option-abbreviated"] {
        differs(name);
    }
}

#[test]
fn what_many_workers_do_at_once_proves_nothing_that_is_not_so() {
    let printed = check(&Place::new(), "fletcher-file", &["--jobs", "8"]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn what_is_found_is_not_up_to_how_many_look_for_it() {
    let found = ["1", "3"].map(|jobs| {
        let place = Place::new();
        let printed = check(&place, "line-editor", &["--jobs", jobs]);
        assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
        let result: Value = serde_json::from_str(&place.read("parallax.out/result.json")).unwrap();
        let queries = result["queries"]["sat"].clone();
        (result["runs"].clone(), queries, place.read("parallax.out/findings/f1/test.toml"))
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn what_cannot_differ_is_proved() {
    for name in ["multiply-by-shifts", "chain-to-switch", "table-to-arithmetic"] {
        let printed = check(&Place::new(), name, &[]);
        assert_eq!(printed.status, 0, "{name}: {}{}", printed.stdout, printed.stderr);
        assert!(printed.stdout.contains("the versions do the same"), "{name}: {}", printed.stdout);
    }
}

#[test]
fn a_proof_names_the_bounds_that_it_holds_for() {
    let place = Place::new();
    // The first arguments of five bytes tell the versions apart.
    let program = |most: &str| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  int n = 0;\n  \
             if (argc < 2) return 0;\n  while (argv[1][n]) n++;\n  if (n > {most}) puts(\"long\");\n  \
             return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("4"));
    place.write("new.c", &program("5"));
    let words = ["check", "old.c", "new.c", "--budget", "30s"];
    let small = place.parallax(&[&words[..], &["--bounds", "args=1,arg-bytes=3,bytes=0"]].concat());
    assert_eq!(small.status, 0, "{}{}", small.stdout, small.stderr);
    let sentence = "the versions do the same for all inputs of up to 1 argument of 3 bytes and 0 bytes \
                    of standard input and of each file";
    assert!(small.stdout.contains(sentence), "{}", small.stdout);
    let result = place.read("parallax.out/result.json");
    assert!(result.contains("\"argument_bytes\": 3"), "{result}");
    assert_eq!(place.parallax(&words).status, 1);
    let wrong = place.parallax(&[&words[..], &["--bounds", "files=1"]].concat());
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("files is not one of args, arg-bytes, bytes"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn what_must_not_be_changed_is_not_and_nothing_is_proved_of_it() {
    let place = Place::new();
    let program = |least: &str| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  if (argc != 3) return 0;\n  \
             if (argv[1][0] == 'x' && argv[2][0] > '{least}') puts(\"x\");\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("b"));
    place.write("new.c", &program("c"));
    for (fixed, status) in [("args[0]", 0), ("args[1]", 0), ("stdin", 1)] {
        place.write("seeds/a.toml", &format!("args = [\"a\", \"b\"]\nfixed = [\"{fixed}\"]\n"));
        let words = ["check", "old.c", "new.c", "--seeds", "seeds", "--budget", "2s"];
        let printed = place.parallax(&words);
        assert_eq!(printed.status, status, "{fixed}: {}", printed.stdout);
        assert!(!printed.stdout.contains("do the same"), "{fixed}: {}", printed.stdout);
        let corpus = fs::read_dir(place.path("parallax.out/corpus")).unwrap();
        for test in corpus.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()) {
            let kept = match fixed {
                "args[0]" => test.contains("args = [\"a\""),
                "args[1]" => test.contains(", \"b\""),
                _ => !test.contains("stdin ="),
            };
            assert!(kept, "{fixed}: {test}");
        }
    }
}

#[test]
fn noise_is_no_difference_and_no_proof() {
    for name in ["noise-heap-address", "noise-urandom-coin"] {
        let printed = check(&Place::new(), name, &["--runs", "150"]);
        assert_eq!(printed.status, 0, "{name}: {}{}", printed.stdout, printed.stderr);
        assert!(printed.stdout.contains("no difference was found"), "{name}: {}", printed.stdout);
    }
}

#[test]
fn nothing_that_was_not_compared_is_called_the_same() {
    let place = Place::new();
    place.write("old.c", "int main(void) { return 0; }\n");
    place.write("new.c", "int main(void) { return 0; } /* the same */\n");
    let printed = place.parallax(&["check", "old.c", "new.c"]);
    assert_eq!((printed.status, printed.stdout.contains("the code is the same")), (0, true));
    // A hash that cannot be inverted in half a second.
    let hidden = |answer: &str| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  unsigned h = 1;\n  \
             if (argc > 1) for (char *p = argv[1]; *p; p++) h = (h ^ *p) * 16777619u + (h >> 7);\n  \
             if (h == 0xdeadbeefu) puts(\"{answer}\");\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &hidden("yes"));
    place.write("new.c", &hidden("no"));
    let words = ["check", "old.c", "new.c", "--runs", "60"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
    assert!(printed.stdout.contains("1 of 1 change was not executed"), "{}", printed.stdout);
    assert_eq!(place.parallax(&[&words[..], &["--strict"]].concat()).status, 2);
}

#[test]
fn where_a_change_that_shows_no_difference_ended_is_told() {
    let place = Place::new();
    // The change is masked, or guarded by a hash that cannot be inverted with a few runs.
    let program = |sum: &str, word: &str| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  unsigned h = 1;\n  \
             if (argc > 1) for (char *p = argv[1]; *p; p++) h = (h ^ *p) * 16777619u + (h >> 7);\n  \
             int sum = {sum};\n  if (sum + (int)(h >> 1) == 0x5eadbee1) return 1;\n  \
             if (argc > 2)\n    if (h == 0xdeadbeefu)\n      puts(\"{word}\");\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("1", "yes"));
    place.write("new.c", &program("3", "no"));
    let printed = place.parallax(&["check", "old.c", "new.c", "--runs", "30"]);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
    for part in [
        "new.c:5: it was executed and changed sum, which ends at new.c:6, decided alike",
        "new.c:9: no input was found that executes it; the nearest place that runs reached is \
         new.c:8, where all went another way",
    ] {
        assert!(printed.stdout.contains(part), "{part}: {}", printed.stdout);
    }
    let result: Value = serde_json::from_str(&place.read("parallax.out/result.json")).unwrap();
    let told = |change: usize| {
        let change = &result["changes"][change];
        let stop = &change["stopped_at"];
        (change["infected"].clone(), stop["line"].clone(), stop["why"].clone())
    };
    assert_eq!(told(0), (true.into(), 6.into(), "decided alike".into()));
    assert_eq!(told(1), (false.into(), 8.into(), "went another way".into()));
}

#[test]
fn a_difference_is_that_of_the_changes_whose_effects_it_shows() {
    let place = Place::new();
    // All tests execute both changes, and one of them shows if the argument starts with an x.
    let program = |first: u8, second: u8| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  int first = {first};\n  \
             int c = argc > 1 ? argv[1][0] : 0;\n  int second = {second};\n  \
             printf(\"%d\\n\", first);\n  if (c == 'x') printf(\"%d\\n\", second);\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program(1, 1));
    place.write("new.c", &program(2, 2));
    let printed = place.parallax(&["check", "old.c", "new.c", "--budget", "30s"]);
    assert_eq!(printed.status, 1, "{}", printed.stdout);
    let result: Value = serde_json::from_str(&place.read("parallax.out/result.json")).unwrap();
    let findings = result["findings"].as_array().unwrap();
    assert_eq!(findings[0]["changes"], Value::from(vec!["c1"]), "{}", printed.stdout);
    let second = &findings[1];
    assert!(second["changes"].as_array().unwrap().contains(&"c2".into()), "{}", printed.stdout);
    assert!(place.read("parallax.out/findings/f2/test.toml").contains("args = [\"x\"]"));
    let log = place.read("parallax.out/log.txt");
    assert!(log.contains("each change has a finding"), "{log}");
}

#[test]
fn what_was_found_before_an_interrupt_is_kept() {
    let place = Place::new();
    place.write(
        "old.c",
        "#include <stdio.h>\nint main(int argc, char **argv) {\n  int c, n = 0;\n  \
         if (argc > 1 && argv[1][0] == 'x') puts(\"old\");\n  \
         while ((c = getchar()) != EOF) n = n * 31 + c;\n  return n == 12345677;\n}\n",
    );
    let new = place.read("old.c").replace("\"old\"", "\"new\"");
    place.write("new.c", &new.replace("n == 12345677", "n == 12345678"));
    let mut words = Command::new(env!("CARGO_BIN_EXE_parallax"));
    words
        .args(["check", "old.c", "new.c", "--budget", "10m", "--all"])
        .current_dir(place.path("."));
    words.env("PARALLAX_CACHE", place.cache()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = words.spawn().unwrap();
    let finding = place.path("parallax.out/findings/f1/test.toml");
    while !finding.exists() {
        thread::sleep(Duration::from_millis(50));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("the versions differ"), "{printed}");
    assert!(place.read("parallax.out/result.json").contains("\"verdict\": \"different\""));
}

/// A calculator whose option `-d` prints the address of each cell. Its versions allocate
/// differently, so that the addresses differ.
const CELLS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cell { char name; long value; struct cell *next; };
static struct cell *cells;
static int debug;

static struct cell *cell(char name)
{
    struct cell *it;
    for (it = cells; it; it = it->next)
        if (it->name == name) break;
    if (!it) {
        it = malloc(sizeof *it);
        *it = (struct cell){name, 0, cells};
        cells = it;
    }
    if (debug) printf("cell %p: %c = %ld\n", (void *)it, it->name, it->value);
    return it;
}

int main(int argc, char **argv)
{
    int c, at = 1;
    if (at < argc && !strcmp(argv[at], "-d")) { debug = 1; at++; }
    SPARE
    struct cell *now = cell('a');
    while ((c = getchar()) != EOF) {
        if (c >= 'a' && c <= 'z') now = cell(c);
        else if (c >= '0' && c <= '9') now->value = now->value * 10 + c - '0';
        else if (c == '-') MINUS
        else if (c == '=') printf("%c is %ld\n", now->name, now->value);
        else if (c != '\n') { fprintf(stderr, "bad input %d\n", c); return 2; }
        if (debug) printf("at %p after %d\n", (void *)now, c);
    }
    return 0;
}
"#;

/// The report of a search of so many runs on two versions of [`CELLS`] that differ in what a minus
/// does.
fn check_cells(minus: &str, more: &[&str]) -> (Printed, Value) {
    let place = Place::new();
    let plain = "now->value -= cell('a')->value;";
    for (version, spare, minus) in
        [("old.c", "", plain), ("new.c", "if (!malloc(100)) return 3;", minus)]
    {
        place.write(version, &CELLS.replace("SPARE", spare).replace("MINUS", minus));
    }
    place.write("seeds/debug.toml", "args = [\"-d\"]\nstdin = \"a1b2-=\\n\"\n");
    let words = ["check", "old.c", "new.c", "--seeds", "seeds", "--runs", "3000"];
    let printed = place.parallax(&[&words[..], more].concat());
    (printed, serde_json::from_str(&place.read("parallax.out/result.json")).unwrap())
}

#[test]
fn noise_is_learnt_once() {
    let (printed, result) =
        check_cells("{ now->value -= cell('a')->value; }", &["--budget", "90s"]);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
    let unconfirmed = result["unconfirmed"].as_u64().unwrap();
    assert!((1..=20).contains(&unconfirmed), "{}", printed.stdout);
    let noise = result["noise"].as_str().unwrap();
    assert!(noise.contains("for example: `cell 0x"), "{noise}");
    assert!(noise.contains("showed only such noise"), "{noise}");
}

#[test]
fn a_difference_beside_learnt_noise_is_found_by_any_number_of_workers() {
    let minus = "{ now->value -= cell('a')->value; if (now->value == -777) now->value = 77; }";
    let found = ["1", "3"].map(|jobs| {
        let (printed, result) = check_cells(minus, &["--jobs", jobs, "--budget", "10m"]);
        assert_eq!(printed.status, 1, "{}", printed.stdout);
        assert!(result["unconfirmed"].as_u64().unwrap() <= 20, "{}", printed.stdout);
        ["runs", "unconfirmed", "findings"].map(|part| result[part].clone())
    });
    assert_eq!(found[0], found[1]);
}
