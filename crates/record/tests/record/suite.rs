//! Records a suite that gives a tool its inputs in every possible way, and checks each test.

use crate::project::{Project, assert_tests, case, with_env, with_file, with_stdin};
use parallax_run::TestCase;

const A: &str = "alpha\nbeta\n";
const B: &str = "gamma\n";

/// The expected test for each call of `tests/project/suite.sh`.
fn expected() -> Vec<TestCase> {
    let both = with_file("data/b.txt", B, case(&["data/a.txt", "data/b.txt"]));
    let prefixed = with_env("LC_ALL", "C", with_file("data/b.txt", B, case(&["data/b.txt"])));
    vec![
        with_stdin("one two\n", case(&["-u"])),
        with_stdin("here and\nthere\n", case(&["-u"])),
        with_file("data/a.txt", A, both),
        with_stdin(A, case(&["-u"])),
        with_env("TOOL_PREFIX", "> ", prefixed),
        case(&["missing.txt"]),
        with_file("a.txt", A, case(&["a.txt"])),
        with_file("data/b.txt", B, case(&["data/b.txt"])),
        case(&["-w"]),
        with_stdin(A, case(&["-n", "1"])),
        with_stdin("x\n", case(&["-n", "1"])),
        case(&["-V"]),
        with_stdin("y\ny\n", case(&["-n", "2"])),
        with_stdin("polled\n", case(&["-p"])),
        with_stdin("opened\n", case(&["/dev/stdin"])),
        case(&["-a"]),
        case(&[]),
        with_file("data/b.txt", B, case(&["-c", "data/b.txt"])),
        case(&["-t", "scratch.txt"]),
        with_file("data/a.txt", A, case(&["-d", "data/a.txt"])),
        case(&["-i"]),
    ]
}

fn check(flags: &[&str]) {
    let (Some(plain), Some(project)) =
        (Project::compiled_with(flags), Project::compiled_with(flags))
    else {
        eprintln!("skipped: the compiler cannot do {flags:?}");
        return;
    };
    let unrecorded = plain.command("sh").arg("suite.sh").output().unwrap();
    let before = project.identity("tool");
    let recorded = project.record("exec sh suite.sh");

    assert_eq!(recorded.0.status.code(), Some(7));
    assert_eq!(unrecorded.status.code(), Some(7));
    let stdout = recorded.stdout();
    let (output, _summary) = stdout.split_once("tests ").expect("a summary after the output");
    assert_eq!(output, String::from_utf8_lossy(&unrecorded.stdout));
    assert_eq!(recorded.stderr(), String::from_utf8_lossy(&unrecorded.stderr));
    assert_eq!(project.identity("tool"), before);

    assert_tests(&project.tests(), expected());
    recorded.says(&[
        "tests 21",
        "invocations 24",
        "unobserved 0",
        "unfinished 0",
        "restoration Original",
        "skipped 1: inputs larger than 4 MiB together",
    ]);
}

#[test]
fn a_suite_becomes_its_tests_and_does_not_notice() {
    check(&[]);
}

#[test]
fn a_statically_linked_program_is_recorded_like_any_other() {
    check(&["-static"]);
}

#[test]
fn a_sanitized_program_is_recorded_like_any_other() {
    check(&["-fsanitize=address"]);
}
