//! Sources, names and messages that would move a cursor are shown and not obeyed.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::{Place, Printed};

/// Clears the screen, sets a link and a colour, goes back, is a C1 control, reverses the following
/// text.
const EVIL: &str = "\x1b[2J\x1b]8;;http://x\x07\x1b[35m\x08\u{9b}K\u{202e}";

fn source(bound: &str) -> String {
    format!(
        "#include <stdio.h>\nstatic int pick(int n) {{\n  return n > {bound}; /* {EVIL} */\n}}\n\
         int main(int argc, char **argv) {{\n  (void)argv;\n  printf(\"%d\\n\", pick(argc));\n  return 0;\n}}\n"
    )
}

fn place() -> (Place, [String; 2]) {
    let place = Place::new();
    let names = ["old", "new"].map(|version| format!("{version}/a{EVIL}.c"));
    place.write(&names[0], &source("1"));
    place.write(&names[1], &source("2"));
    place.write(&format!("tests/t{EVIL}.toml"), "args = [\"a\"]\n");
    (place, names)
}

#[track_caller]
fn assert_harmless(what: &str, text: &str) {
    let is_obeyed = |c: &char| (c.is_control() && !"\n\t".contains(*c)) || *c == '\u{202e}';
    assert_eq!(text.chars().find(is_obeyed), None, "{what}: {text:?}");
}

#[track_caller]
fn assert_printed(verb: &str, printed: &Printed, status: i32) {
    assert_eq!(printed.status, status, "{verb}: {} {}", printed.stdout, printed.stderr);
    for text in [&printed.stdout, &printed.stderr] {
        assert_harmless(verb, text);
    }
}

#[test]
fn what_every_verb_prints_is_harmless() {
    let (place, [old, new]) = place();
    let test = format!("tests/t{EVIL}.toml");
    let compare = ["compare", &old, &new, "--tests", "tests", "--junit", "compare.xml"];
    for (words, status) in [
        (&["changes", &old, &new][..], 0),
        (&["changes", &old, &new, "--json"], 0),
        (&["changes", &old, &new, "--graph", "cfg"], 0),
        (&["changes", &old, &new, "--graph", "cfg", "--format", "dot"], 0),
        (&compare, 1),
        (&["explain", &old, &new, &test], 1),
        (&["explain", &old, &new, &test, "--json"], 1),
        (&["trace", &new, &test], 0),
        (&["coverage", &new, "--tests", "tests"], 0),
        (&["replay", &test, &new], 0),
    ] {
        let printed = place.parallax(words);
        assert_printed(words[0], &printed, status);
        assert!(words[0] == "replay" || printed.stdout.len() > 20, "{}", printed.stdout);
    }
    assert_harmless("compare.xml", &place.read("compare.xml"));
}

#[test]
fn what_a_search_prints_and_writes_is_harmless() {
    let (place, [old, new]) = place();
    let words = ["check", &old, &new, "--budget", "3s", "--junit", "check.xml"];
    let printed = place.parallax(&words);
    assert_printed("check", &printed, 1);
    assert!(
        printed
            .stdout
            .contains("/* \\x1b[2J\\x1b]8;;http://x\\x07\\x1b[35m\\x08\\u{9b}K\\u{202e} */")
    );
    for name in [
        "check.xml",
        "parallax.out/log.txt",
        "parallax.out/report.html",
        "parallax.out/result.json",
    ] {
        assert_harmless(name, &place.read(name));
    }
}

#[test]
fn messages_that_quote_names_are_harmless() {
    let (place, [old, _]) = place();
    let missing = format!("gone{EVIL}.c");
    assert_printed("missing", &place.parallax(&["changes", &old, &missing]), 2);
    place.write("wrong.c", &format!("#error {EVIL}\n"));
    assert_printed("wrong", &place.parallax(&["changes", &old, "wrong.c"]), 2);
    place.write(&format!("suite/x{EVIL}.toml"), &format!("x{EVIL} = 1\n"));
    assert_printed("suite", &place.parallax(&["compare", &old, &old, "--tests", "suite"]), 2);
    place.write("says.c", &format!("#warning {EVIL}\nint main(void) {{ return 0; }}\n"));
    let build = format!("echo '{EVIL}'; exit 1");
    let words = ["module", "suite", "--build", &build, "--bin", "a"];
    assert_printed("build", &place.parallax(&words), 2);
}
