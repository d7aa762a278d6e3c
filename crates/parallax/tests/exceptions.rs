//! C++ programs that handle exceptions: verbs work on them, or report that they cannot.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;

const CATCH: &str = "#include <cstdio>\nint f(int n) { if (n > BOUND) throw n; return n; }\n\
    int main(int c, char **) {\n  try { printf(\"%d\\n\", f(c)); }\n  catch (int n) { puts(\"caught\"); }\n  return 0;\n}\n";
const DESTRUCTOR: &str = "#include <cstdio>\nint f(int n);\nstruct S { int n; ~S() { printf(\"%d\\n\", n); } };\n\
    int main(int c, char **) {\n  S s{c};\n  return f(c);\n}\nint f(int n) { return n > BOUND; }\n";
const NOEXCEPT: &str = "int g(int n);\nint f(int n) noexcept { return g(n); }\n\
    int main(int c, char **) { return f(c); }\nint g(int n) { return n > BOUND; }\n";
/// An uncaught exception ends the program, and headers are full of unused handlers.
const THROW: &str = "#include <string>\nint f(int n) { if (n > BOUND) throw n; return n; }\n\
    int main(int c, char **) { return f(c); }\n";

fn place(text: &str) -> Place {
    let place = Place::new();
    place.write("old.cpp", &text.replace("BOUND", "1"));
    place.write("new.cpp", &text.replace("BOUND", "2"));
    place.write("t.toml", "args = [\"x\"]\n");
    place
}

const TRACING: [&[&str]; 5] = [
    &["check", "old.cpp", "new.cpp", "--budget", "2s"],
    &["trace", "new.cpp", "t.toml"],
    &["explore", "new.cpp", "--budget", "1s"],
    &["explain", "old.cpp", "new.cpp", "t.toml"],
    &["coverage", "new.cpp", "--tests", "t.toml"],
];

#[test]
fn a_program_that_handles_exceptions_is_refused_in_one_sentence() {
    for (text, line) in [(CATCH, 4), (DESTRUCTOR, 6), (NOEXCEPT, 2)] {
        let place = place(text);
        for words in TRACING {
            let printed = place.parallax(words);
            assert_eq!(printed.status, 2, "{words:?}: {}{}", printed.stdout, printed.stderr);
            let said: Vec<_> =
                printed.stderr.lines().filter(|line| line.starts_with("parallax:")).collect();
            let [said] = said[..] else { panic!("{words:?}: {}", printed.stderr) };
            assert!(said.contains("handles exceptions, which is not supported"), "{said}");
            assert!(said.contains(&format!(".cpp:{line} ")) && said.contains("compare"), "{said}");
            assert!(!printed.stderr.to_lowercase().contains("landingpad"), "{}", printed.stderr);
        }
    }
}

#[test]
fn what_needs_no_trace_works_with_exceptions() {
    let place = place(CATCH);
    assert_eq!(place.parallax(&["compare", "old.cpp", "new.cpp", "--tests", "t.toml"]).status, 1);
    assert_eq!(place.parallax(&["minimize", "old.cpp", "new.cpp", "t.toml"]).status, 1);
    assert_eq!(place.parallax(&["replay", "t.toml", "new.cpp"]).status, 0);
    let changes = place.parallax(&["changes", "old.cpp", "new.cpp"]);
    assert_eq!(changes.status, 0, "{}", changes.stderr);
    assert!(changes.stdout.contains("1 change"), "{}", changes.stdout);
}

#[test]
fn a_program_that_handles_none_is_searched() {
    let place = place(THROW);
    let printed = place.parallax(&["check", "old.cpp", "new.cpp", "--budget", "5s"]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
}
