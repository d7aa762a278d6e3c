//! `parallax minimize` as a user sees it: the output is a small test that still shows the
//! difference.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;

/// Versions that differ in a word, if `-v` is given and the file has an `x`; and in an exit status, with
/// `-q`.
fn versions(place: &Place) {
    let program = |word: &str, status: u8| {
        format!(
            "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {{\n  \
             int v = 0, c;\n  for (int i = 1; i < argc; i++) {{\n    if (!strcmp(argv[i], \"-v\")) \
             v = 1;\n    if (!strcmp(argv[i], \"-q\")) return {status};\n  }}\n  \
             FILE *f = fopen(\"in\", \"r\");\n  if (!f) return 0;\n  \
             while ((c = getc(f)) != EOF) if (v && c == 'x') puts(\"{word}\");\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("old", 1));
    place.write("new.c", &program("new", 2));
}

const LARGE: &str = "args = [\"--\", \"-v\", \"-v\", \"more\"]\nstdin = \"not read\\n\"\n\
                     env = { TERM = \"xterm\" }\n[files]\n\"in\" = \"one xylophone\\n\"\n\"other\" = \"y\"\n";

#[test]
fn a_test_becomes_small_and_differs_in_the_same_way() {
    let place = Place::new();
    versions(&place);
    place.write("large.toml", LARGE);
    let printed = place.parallax(&["minimize", "old.c", "new.c", "large.toml"]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    let saved = "# from 4 arguments, 1 variable, 2 files, 39 bytes to 1 argument, 1 file, 3 bytes";
    for part in ["# stdout differs", saved] {
        assert!(printed.stdout.contains(part), "{part} in {}", printed.stdout);
    }
    assert!(
        printed.stdout.ends_with("args = [\"-v\"]\n\n[files]\nin = \"x\"\n"),
        "{}",
        printed.stdout
    );
    // The printed test can be run, and cannot get smaller.
    place.write("small.toml", &printed.stdout);
    let again =
        place.parallax(&["minimize", "old.c", "new.c", "small.toml", "--out", "smaller.toml"]);
    assert_eq!(again.status, 1, "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains("nothing could be left out"), "{}", again.stdout);
    assert!(printed.stdout.ends_with(&place.read("smaller.toml")));
}

#[test]
fn what_is_fixed_stays() {
    let place = Place::new();
    versions(&place);
    place.write("large.toml", &format!("fixed = [\"args[0]\", \"files.other\"]\n{LARGE}"));
    let printed = place.parallax(&["minimize", "old.c", "new.c", "large.toml"]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    for part in ["args = [\"--\", \"-v\"]\n", "other = \"y\"\n", "in = \"x\"\n"] {
        assert!(printed.stdout.contains(part), "{part} in {}", printed.stdout);
    }
}

#[test]
fn a_test_that_hangs_becomes_small() {
    let place = Place::new();
    let program = |on_x: &str| {
        format!(
            "int main(int argc, char **argv) {{\n  volatile int n = 0;\n  \
             for (int i = 1; i < argc; i++) if (argv[i][0] == 'x') {on_x};\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("n++"));
    place.write("new.c", &program("while (1) n++"));
    place.write("large.toml", "args = [\"one\", \"xy\", \"three\"]\n");
    let words = ["minimize", "old.c", "new.c", "large.toml", "--time-limit", "0.2"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stdout.ends_with("args = [\"x\"]\n"), "{}", printed.stdout);
}

#[test]
fn a_test_without_a_difference_is_said_to_have_none() {
    let place = Place::new();
    versions(&place);
    place.write("same.toml", "args = [\"x\"]\n");
    let same = place.parallax(&["minimize", "old.c", "new.c", "same.toml", "--out", "small.toml"]);
    assert_eq!((same.status, same.stdout.contains("do not differ")), (0, true), "{}", same.stderr);
    assert!(!place.path("small.toml").exists());
    // Ignored parts are no difference.
    place.write("large.toml", LARGE);
    let ignored = ["minimize", "old.c", "new.c", "large.toml", "--ignore", "old|new"];
    assert_eq!(place.parallax(&ignored).status, 0);
    let missing = place.parallax(&["minimize", "old.c", "new.c", "none.toml"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("none.toml"), "{}", missing.stderr);
}
