//! A suite that copies the program while it is recorded gets something that runs the program.

use std::process::Output;

use crate::project::{Project, Recorded, assert_tests, case};

/// Copies the recorder in every possible way.
const COPIES: &str = "mkdir -p inst/bin; install -m755 tool inst/bin/tool; cp tool copy; \
                      ln tool link; cp -p tool 'inst/tool (deleted)'";
const NAMES: [&str; 4] = ["inst/bin/tool", "copy", "link", "inst/tool (deleted)"];

fn version(project: &Project, name: &str) -> Output {
    project.command(project.path(name)).arg("-V").output().unwrap()
}

#[track_caller]
fn assert_runs(project: &Project, name: &str) {
    let said = format!("{} 1.0\n", project.path(name).display());
    let output = version(project, name);
    assert_eq!(Recorded(output).stdout(), said);
}

#[test]
fn a_copy_runs_the_program_during_the_recording_and_after_it() {
    let project = Project::new();
    let calls = NAMES.map(|name| format!("'./{name}' -V")).join("; ");
    let recorded = project.record(&format!("{COPIES}; {calls}; echo text | ./copy -u; ./tool -V"));
    assert_eq!(recorded.stderr(), "");
    recorded.says(&["./inst/bin/tool 1.0", "./copy 1.0", "./link 1.0", "TEXT", "./tool 1.0"]);
    recorded.says(&["invocations 1", "tests 1", "restoration Original"]);
    assert_tests(&project.tests(), [case(&["-V"])]);
    for name in NAMES {
        assert_runs(&project, name);
    }
}

#[test]
fn a_copy_put_in_the_programs_place_again_is_still_the_recorder() {
    let project = Project::new();
    let before = project.identity("tool");
    let recorded = project.record("cp -p tool copy; rm tool; mv copy tool; ./tool -V");
    recorded.says(&["./tool 1.0", "invocations 1", "restoration Original"]);
    assert_eq!(project.identity("tool"), before);
}

#[test]
fn a_copy_that_finds_no_program_says_so() {
    let project = Project::new();
    project.record(COPIES);
    std::fs::remove_file(project.path("tool")).unwrap();
    for name in NAMES {
        let output = version(&project, name);
        assert_eq!(output.status.code(), Some(127));
        let said = Recorded(output).stderr();
        assert!(said.starts_with("parallax: failed to run the recorded program /"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
    // Two copies must not start each other in a circle.
    std::fs::copy(project.path("copy"), project.path("tool")).unwrap();
    assert_eq!(version(&project, "copy").status.code(), Some(127));
    assert_eq!(version(&project, "tool").status.code(), Some(127));
}

#[test]
fn a_copy_cannot_be_recorded() {
    let project = Project::new();
    project.record("cp tool copy");
    let before = project.identity("copy");
    let refused = Recorded(project.recording("copy", "true").output().unwrap());
    assert_eq!(refused.0.status.code(), Some(97));
    assert!(refused.stderr().contains("a copy made while"), "{}", refused.stderr());
    assert_eq!(project.identity("copy"), before);
}

#[test]
fn an_executable_that_may_not_be_read_is_recorded() {
    let project = Project::new();
    let chmod = "chmod 711 tool";
    assert!(project.command("sh").args(["-c", chmod]).status().unwrap().success());
    let identity = project.identity("tool");
    project.record("./tool -V").says(&["invocations 1", "restoration Original"]);
    assert_eq!(project.identity("tool"), identity);
}

/// A project whose tool is in a directory of its own, `pb`.
fn with_directory() -> Project {
    let project = Project::new();
    std::fs::create_dir(project.path("pb")).unwrap();
    std::fs::rename(project.path("tool"), project.path("pb/tool")).unwrap();
    project
}

fn record_directory(project: &Project, script: &str) -> Recorded {
    Recorded(project.recording("pb/tool", script).output().unwrap())
}

#[test]
fn a_copy_of_the_directory_leaves_the_recording_alone() {
    let project = with_directory();
    let before = project.identity("pb/tool");
    let recorded = record_directory(
        &project,
        "cp -a pb inst2; inst2/tool -V; ls inst2 | sort; echo x | inst2/tool -u; pb/tool -V",
    );
    assert_eq!(recorded.stderr(), "");
    recorded.says(&["inst2/tool 1.0", "X", "pb/tool 1.0", "tool.parallax-real"]);
    recorded.says(&["invocations 1", "tests 1", "restoration Original"]);
    assert_tests(&project.tests(), [case(&["-V"])]);
    assert_eq!(project.identity("pb/tool"), before);
    assert_runs(&project, "inst2/tool");
    // It has the program with it.
    std::fs::remove_file(project.path("pb/tool")).unwrap();
    assert_runs(&project, "inst2/tool");
}

#[test]
fn recording_in_a_copy_of_the_directory_leaves_the_recording_alone() {
    let project = with_directory();
    let before = project.identity("pb/tool");
    let harness = env!("CARGO_BIN_EXE_record-harness");
    let script = format!(
        "cp -a pb inst2; {harness} inst2/tool seeds inst2/tool -i > inner.txt; \
         cmp inst2/tool pb/tool.parallax-real && pb/tool -V"
    );
    let recorded = record_directory(&project, &script);
    assert!(recorded.0.status.success(), "{}{}", recorded.stdout(), recorded.stderr());
    recorded.says(&["pb/tool 1.0", "invocations 1", "tests 1"]);
    let inner = std::fs::read_to_string(project.path("inner.txt")).unwrap();
    assert!(inner.contains("invocations 1\n") && inner.contains("recovered Some(Original)\n"));
    assert_tests(&project.tests(), [case(&["-V"]), case(&["-i"])]);
    assert_eq!(project.identity("pb/tool"), before);
}

#[test]
fn a_directory_that_was_moved_away_and_copied_back_is_still_recorded() {
    let project = with_directory();
    let harness = env!("CARGO_BIN_EXE_record-harness");
    let script = format!(
        "mv pb away; cp -a away pb; {harness} pb/tool seeds true; test $? = 97; \
         away/tool -V && pb/tool -i > /dev/null"
    );
    let recorded = record_directory(&project, &script);
    assert!(recorded.stderr().contains("another recording of it is running"));
    recorded.says(&["away/tool 1.0", "invocations 1", "tests 1", "restoration Original"]);
    assert_runs(&project, "pb/tool");
    assert_runs(&project, "away/tool");
    assert_eq!(project.path("seeds").read_dir().unwrap().count(), 1);
}
