//! The command line as a user sees it: results, and every kind of bad input.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::{Place, Printed};

const OLD: &str = "#include <stdio.h>\nint main(int argc, char **argv) { int c, n = 0; while ((c = getchar()) != EOF) n += c == 'a'; printf(\"%d %d\\n\", argc, n); return 0; }\n";

/// A place with two versions and two tests, one of which shows the change.
fn pair() -> Place {
    let place = Place::new();
    place.write("old.c", OLD);
    place.write("new.c", &OLD.replace("return 0", "return n > 2"));
    place.write("tests/few.toml", "stdin = \"aa\"\n");
    place.write("tests/many.toml", "args = [\"x\"]\nstdin = \"banana\"\n");
    place
}

#[test]
fn compare_names_the_tests_that_see_the_change() {
    let place = pair();
    let Printed { stdout, stderr, status } =
        place.parallax(&["compare", "old.c", "new.c", "--tests", "tests"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.starts_with("1 of 2 tests tells the versions apart."), "{stdout}");
    assert!(stdout.contains("many.toml") && stdout.contains("exit status 0 → 1"), "{stdout}");
    assert!(!stdout.contains("few.toml"), "{stdout}");
    // A missing part of the sandbox is reported; a pipe gets no other messages.
    assert_eq!(stderr.lines().find(|line| !line.starts_with("note: ")), None);
    place.assert_clean();
    assert_eq!(place.listing(), ["new.c", "old.c", "tests"]);
}

#[test]
fn a_version_does_not_differ_from_itself() {
    let place = pair();
    let same = place.parallax(&["compare", "old.c", "old.c", "--tests", "tests"]);
    assert_eq!(same.status, 0, "{}", same.stderr);
    let open = place.parallax(&[
        "compare",
        "old.c",
        "old.c",
        "--tests",
        "tests",
        "--no-sandbox",
        "-j",
        "1",
    ]);
    assert_eq!(open.status, 0, "{}", open.stderr);
}

#[test]
fn results_come_as_json_and_junit() {
    let place = pair();
    let words =
        ["compare", "old.c", "new.c", "--tests", "tests", "--json", "--junit", "result.xml"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1);
    assert!(printed.stdout.contains("\"verdict\": \"different\""), "{}", printed.stdout);
    assert!(place.read("result.xml").contains("failures=\"1\""), "{}", place.read("result.xml"));
}

#[test]
fn differences_that_are_meant_can_be_ignored() {
    let place = Place::new();
    place.write(
        "old.c",
        "#include <stdio.h>\nint main(void) { puts(\"tool 1.0\"); puts(\"ok\"); return 0; }\n",
    );
    place.write(
        "new.c",
        "#include <stdio.h>\nint main(void) { puts(\"tool 1.1\"); puts(\"ok\"); return 0; }\n",
    );
    place.write("t.toml", "args = []\n");
    let plain = ["compare", "old.c", "new.c", "--tests", "t.toml"];
    assert_eq!(place.parallax(&plain).status, 1);
    let words = [&plain[..], &["--ignore", r"stdout:tool \d\.\d"]].concat();
    assert_eq!(place.parallax(&words).status, 0);
    let words = [&plain[..], &["--ignore", r"stderr:tool \d\.\d"]].concat();
    assert_eq!(place.parallax(&words).status, 1);
}

#[test]
fn noise_is_masked_and_said() {
    let place = Place::new();
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t);\n printf(\"at %ld.%09ld\\nresult %d\\n\", (long)t.tv_sec, t.tv_nsec, 6 * 7); return 0; }\n";
    place.write("old.c", text);
    place.write("new.c", &text.replace("6 * 7", "7 * 6 + 0 * rand()"));
    place.write("worse.c", &text.replace("6 * 7", "6 * 8"));
    place.write("t.toml", "args = []\n");
    let same = place.parallax(&["compare", "old.c", "new.c", "--tests", "t.toml"]);
    assert_eq!(same.status, 0, "{}", same.stdout);
    assert!(same.stdout.contains("varies from run to run"), "{}", same.stdout);
    let different = place.parallax(&["compare", "old.c", "worse.c", "--tests", "t.toml"]);
    assert_eq!(different.status, 1, "{}", different.stdout);
}

#[test]
fn messages_that_name_their_source_compare() {
    let place = Place::new();
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(int argc, char **argv) { fprintf(stderr, \"%s\\n\", argv[0]); assert(argc > 5); return 0; }\n";
    place.write("a/old.c", text);
    place.write("b/new.c", text);
    place.write("t.toml", "args = []\n");
    let same = place.parallax(&["compare", "a/old.c", "b/new.c", "--tests", "t.toml"]);
    assert_eq!(same.status, 0, "{}", same.stdout);
}

#[test]
fn replay_shows_what_happened() {
    let place = pair();
    let printed = place.parallax(&["replay", "tests/many.toml", "new.c"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(
        printed.stdout.contains("printf 'banana' | new x\nexit status 1\nstdout\n  2 3\n"),
        "{}",
        printed.stdout
    );
    let uncaptured = place.parallax(&["replay", "tests/many.toml", "/bin/echo"]);
    assert!(uncaptured.stdout.contains("exit status 0\nstdout\n  x\n"), "{}", uncaptured.stdout);
}

#[test]
fn replay_on_a_sanitizer_build_shows_errors_that_a_plain_run_hides() {
    let place = Place::new();
    place.write("p.c", "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) { char *p = malloc(4); int n = atoi(argv[1]);\n p[0] = 0; if (n == 1) return p[n + 4] == 77;\n return n == 2 && n + 2147483647 == 5; }\n");
    for (argument, message) in
        [("1", "heap-buffer-overflow"), ("2", "p.c:5:21: runtime error: signed integer overflow")]
    {
        place.write("t.toml", &format!("args = [\"{argument}\"]\n"));
        let plain = place.parallax(&["replay", "t.toml", "p.c"]);
        assert!(plain.stdout.contains("exit status 0"), "{}", plain.stdout);
        let sane = place.parallax(&["replay", "t.toml", "p.c", "--sanitize"]);
        assert!(
            sane.stdout.contains("exit status 86") && sane.stdout.contains(message),
            "{}",
            sane.stdout
        );
    }
    place.write("t.toml", "args = [\"3\"]\n");
    let fine = place.parallax(&["replay", "t.toml", "p.c", "--sanitize"]);
    assert!(fine.stdout.contains("exit status 0"), "{}", fine.stdout);
    place.assert_clean();
}

#[test]
fn doctor_finds_this_machine_fit() {
    let printed = Place::new().parallax(&["doctor"]);
    assert_eq!(printed.status, 0, "{}", printed.stdout);
    assert!(!printed.stdout.contains("BROKEN"), "{}", printed.stdout);
}

#[test]
fn the_demo_plays() {
    let place = Place::new();
    let printed = place.parallax(&["demo"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(
        printed.stdout.contains("1 of 7 tests tells the versions apart."),
        "{}",
        printed.stdout
    );
    let readme = include_str!("../../../README.md");
    // The machine decides which input is found first; its difference is fixed.
    let search = "  c1 modified in parse, pick.c:28\n    -         if (range->high < range->low)\n";
    let verdict = "pick: the versions differ (1 difference, of 1 of 1 change)\n";
    assert!(printed.stdout.contains(search) && printed.stdout.contains(verdict));
    let session = printed.stdout.split_once("\n$ parallax compare").unwrap().1;
    let session = session.split_once("\n\n$ echo").unwrap().0;
    for shown in [search, verdict, session] {
        assert!(readme.contains(shown), "the README shows another session than the demo:\n{shown}");
    }
    place.assert_clean();
}

/// Bad input: exit status 2, a message with these parts, and nothing left behind.
#[track_caller]
fn check_bad(place: &Place, words: &[&str], says: &[&str]) {
    let before = place.listing();
    let Printed { stdout, stderr, status } = place.parallax(words);
    assert_eq!(status, 2, "{words:?}\n{stdout}{stderr}");
    assert_eq!(stdout, "", "{words:?}");
    for part in says {
        assert!(stderr.contains(part), "{words:?} should say {part:?}:\n{stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert_eq!(place.listing(), before);
    place.assert_clean();
}

#[test]
fn bad_input_gets_one_clear_message() {
    let place = pair();
    place.write("broken.c", "int main(void) { return 0 }\n");
    place.write("text", "no program\n");
    place.write("bad/typo.toml", "args = [\"a\"]\nstdni = \"x\"\n");
    place.write("bad/syntax.toml", "args = [\n");
    place.sh("mkdir empty; echo 'int main(void){return 0;}' | clang-19 -x c - -o foreign");
    let compare = |old: &'static str, new: &'static str, tests: &'static str| {
        ["compare", old, new, "--tests", tests]
    };

    check_bad(
        &place,
        &compare("gone.c", "new.c", "tests"),
        &["failed to find \"gone.c\": there is no such file"],
    );
    check_bad(
        &place,
        &compare("gone", "new.c", "tests"),
        &["\"gone\"", "git revision needs --build"],
    );
    check_bad(
        &place,
        &compare("broken.c", "new.c", "tests"),
        &["failed to compile broken.c", "broken.c:1:26: error: expected ';'"],
    );
    check_bad(
        &place,
        &compare("foreign", "new.c", "tests"),
        &["was not built with parallax-cc", "CC=parallax-cc"],
    );
    check_bad(&place, &compare("text", "new.c", "tests"), &["text: it is not an ELF executable"]);
    check_bad(
        &place,
        &compare("tests", "new.c", "tests"),
        &["failed to build tests", "needs --build CMD and --bin PATH"],
    );
    check_bad(
        &place,
        &compare("old.c", "new.c", "bad"),
        &["typo.toml:2", "stdni", "syntax.toml:1"],
    );
    check_bad(&place, &compare("old.c", "new.c", "empty"), &["empty", "no test"]);
    check_bad(&place, &compare("old.c", "new.c", "nowhere"), &["nowhere"]);
    check_bad(&place, &["compare", "old.c", "new.c"], &["--tests"]);
    check_bad(&place, &["compare", "old.c", "new.c", "--tests", "tests", "--ignore", "("], &["("]);
    check_bad(&place, &["frobnicate"], &["frobnicate"]);
    check_bad(&place, &["replay", "tests/gone.toml", "old.c"], &["tests/gone.toml"]);
    check_bad(&place, &["record", "--bin", "gone", "--out", "rec", "--", "true"], &["gone"]);
    check_bad(
        &place,
        &["compare", "HEAD~3", "HEAD", "--build", "make", "--bin", "p", "--tests", "tests"],
        &["HEAD~3", "git repository"],
    );
    place.sh("git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x");
    check_bad(
        &place,
        &["compare", "no-such-rev", "HEAD", "--build", "make", "--bin", "p", "--tests", "tests"],
        &["\"no-such-rev\"", "no such revision"],
    );
}

#[test]
fn addresses_that_are_printed_are_noise() {
    let place = Place::new();
    let text = "#include <stdio.h>\nstatic int pad(void) { return 0; }\nint main(void) { printf(\"%p %d\\n\", (void *)main, pad()); return 0; }\n";
    place.write("old.c", text);
    place.write(
        "new.c",
        &text.replace(
            "return 0; }\nint main",
            "int x = 0; for (int i = 0; i < 9; i++) x += i - i; return x; }\nint main",
        ),
    );
    place.write("t.toml", "args = []\n");
    let same = place.parallax(&["compare", "old.c", "new.c", "--tests", "t.toml"]);
    assert_eq!(same.status, 0, "{}", same.stdout);
}

#[test]
fn a_program_built_with_a_sanitizer_by_its_user_runs() {
    let place = pair();
    let flags = ["--cflags=-fsanitize=address", "--ldflags=-fsanitize=address"];
    let words = [&["compare", "old.c", "new.c", "--tests", "tests"][..], &flags].concat();
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stdout.contains("exit status 0 → 1"), "{}", printed.stdout);
}

#[test]
fn a_result_is_shown_even_if_its_file_cannot_be_written() {
    let place = pair();
    let words = ["compare", "old.c", "new.c", "--tests", "tests", "--junit", "no/such/folder.xml"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 2);
    assert!(printed.stdout.contains("many.toml"), "{}", printed.stdout);
    assert!(
        printed.stderr.contains("no/such/folder.xml") && printed.stderr.contains("No such file"),
        "{}",
        printed.stderr
    );
    let module = place.parallax(&["module", "old.c", "-o", "/dev/full"]);
    assert_eq!(module.status, 2, "{}", module.stderr);
    assert!(module.stderr.contains("No space left"), "{}", module.stderr);
}

#[test]
fn a_recording_without_a_call_is_trouble() {
    let place = pair();
    place.sh("$CC old.c -o prog");
    let printed = place.parallax(&["record", "--bin", "prog", "--out", "rec", "--", "true"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("recorded 0 distinct tests of 0 calls"), "{}", printed.stderr);
}

#[test]
fn a_program_that_a_test_cannot_start_is_told_once() {
    let place = Place::new();
    let program = |unused: &str| {
        format!(
            "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n\
             static volatile int unused = {unused};\n\
             static void start(const char *name)\n{{\n\
             fflush(stdout);\n\
             if (fork() == 0) {{ execlp(name, name, (char *)0); _exit(127); }}\n\
             wait(0);\n}}\n\
             int main(int argc, char **argv)\n{{\n\
             if (argc > 1 && !argv[1][0]) start(\"compiler-pass\");\n\
             start(\"true\"); start(\"./helper\"); start(\"lost-helper\");\n\
             puts(\"done\");\n\
             return unused * 0;\n}}\n"
        )
    };
    place.write("old.c", &program("1"));
    place.write("new.c", &program("2"));
    for test in ["tests/one.toml", "tests/two.toml"] {
        place.write(test, "args = [\"x\"]\n");
    }
    let note = |name: &str| {
        format!("note: the program tried to run `{name}`, which is not there in the sandbox\n")
    };
    let words: [&[&str]; 3] = [
        &["compare", "old.c", "new.c", "--tests", "tests"],
        &["check", "old.c", "new.c", "--seeds", "tests", "--runs", "20"],
        &["replay", "tests/one.toml", "new.c"],
    ];
    for words in words {
        let told = place.parallax(words).stderr;
        for name in ["./helper", "lost-helper"] {
            assert_eq!(told.matches(&note(name)).count(), 1, "{words:?}: {told}");
        }
        assert!(!told.contains("`true`") && !told.contains("compiler-pass"), "{words:?}: {told}");
    }
}
