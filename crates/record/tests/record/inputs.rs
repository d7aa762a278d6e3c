//! Files that are given to the program without being opened for reading.

use crate::project::{Project, assert_tests, case, with_file};

const B: &str = "gamma\n";

/// Records one invocation in a project with `log.txt`; its files must be `expected`.
fn check(args: &[&str], expected: &[(&str, &str)]) {
    let project = Project::new();
    std::fs::write(project.path("log.txt"), "old\n").unwrap();
    let recorded = project.record(&format!("./tool {}", args.join(" ")));
    assert_eq!(recorded.0.status.code(), Some(0), "{}", recorded.stderr());
    let test = expected.iter().fold(case(args), |test, (name, text)| with_file(name, text, test));
    assert_tests(&project.tests(), [test]);
}

#[test]
fn a_file_that_is_only_asked_about_is_an_input() {
    check(&["-s", "data/b.txt"], &[("data/b.txt", B)]);
}

#[test]
fn a_file_that_is_removed_is_an_input() {
    check(&["-r", "data/b.txt"], &[("data/b.txt", B)]);
}

#[test]
fn a_file_that_is_renamed_is_an_input_by_its_old_name() {
    check(&["-m", "data/b.txt", "moved.txt"], &[("data/b.txt", B)]);
}

#[test]
fn a_file_that_is_appended_to_is_an_input_as_it_was() {
    check(&["-e", "data/b.txt"], &[("data/b.txt", B)]);
    check(&["-l"], &[("log.txt", "old\n")]);
}

#[test]
fn a_file_that_the_program_creates_is_no_input() {
    check(&["-e", "new.txt"], &[]);
    check(&["-t", "scratch.txt"], &[]);
}

#[test]
fn a_named_file_that_is_too_large_and_never_read_does_not_cost_the_test() {
    let project = Project::new();
    std::fs::write(project.path("large"), vec![0; 5 << 20]).unwrap();
    let recorded = project.record("./tool -s large; ./tool large > /dev/null");
    recorded.says(&["tests 1", "skipped 1: inputs larger than 4 MiB together"]);
    assert_tests(&project.tests(), [case(&["-s", "large"])]);
}
