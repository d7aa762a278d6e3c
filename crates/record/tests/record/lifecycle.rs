//! The program is unchanged after a recording, whatever happens to the recording.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::project::{
    Project, assert_tests, case, eventually, finished, signal, with_file, with_stdin,
};

/// A suite that waits in the middle.
const WAITS: &str = "./tool -V; ./tool -w > ready; touch after";

/// The same with the ids of the processes to end, for tests in which nothing else ends them.
const WAITS_NOTED: &str = "echo $$ > suite.pid; ./tool -w > ready & echo $! > wait.pid; wait";

#[test]
fn a_failing_command_is_no_error() {
    let project = Project::new();
    let before = project.identity("tool");
    let recorded = project.record("./tool data/a.txt; exit 3");
    assert_eq!(recorded.0.status.code(), Some(3));
    assert_eq!(project.identity("tool"), before);
    recorded.says(&["tests 1", "invocations 1", "recovered None", "interrupted None"]);
}

#[test]
fn a_command_that_cannot_be_started_leaves_the_program_alone() {
    let project = Project::new();
    let before = project.identity("tool");
    let mut command = project.command(env!("CARGO_BIN_EXE_record-harness"));
    let output = command.args(["tool", "seeds", "./no-such-command"]).output().unwrap();
    assert_eq!(output.status.code(), Some(97));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("failed to run ./no-such-command"));
    assert_eq!(project.identity("tool"), before);
    assert_eq!(project.path("seeds").read_dir().unwrap().count(), 0);
}

fn check_signal(name: &str, number: i32) {
    let project = Project::new();
    let before = project.identity("tool");
    let child = project.recording("tool", WAITS).stdout(Stdio::piped()).spawn().unwrap();
    project.wait_for("ready");
    signal(child.id(), name);
    let recorded = finished(child);
    assert_eq!(recorded.0.status.code(), Some(128 + number));
    recorded.says(&[&format!("interrupted Some({number})"), "restoration Original"]);
    assert!(!project.path("after").exists());
    assert_eq!(project.identity("tool"), before);
    assert_tests(&project.tests(), [case(&["-V"]), case(&["-w"])]);
}

#[test]
fn an_interrupt_reaches_the_suite_and_the_program_is_restored() {
    check_signal("INT", 2);
}

#[test]
fn a_request_to_terminate_reaches_the_suite_and_the_program_is_restored() {
    check_signal("TERM", 15);
}

#[test]
fn a_hangup_reaches_the_suite_and_the_program_is_restored() {
    check_signal("HUP", 1);
}

/// Kills a recording in the middle, and its suite; the recorder stays in the program's place.
fn kill_recording(project: &Project) {
    let mut child = project.recording("tool", WAITS_NOTED).stdout(Stdio::null()).spawn().unwrap();
    project.wait_for("ready");
    signal(child.id(), "KILL");
    child.wait().unwrap();
    for name in ["suite.pid", "wait.pid"] {
        signal(std::fs::read_to_string(project.path(name)).unwrap().trim(), "KILL");
    }
}

#[test]
fn the_next_recording_restores_what_a_killed_one_left() {
    let project = Project::new();
    let before = project.identity("tool");
    kill_recording(&project);
    assert_ne!(project.identity("tool"), before);
    let recorded = project.record("./tool data/a.txt");
    recorded.says(&["recovered Some(Original)", "restoration Original", "invocations 1"]);
    assert_eq!(project.identity("tool"), before);
    let again = project.record("true");
    again.says(&["recovered None", "tests 0"]);
    eventually(|| {
        project.path("seeds").read_dir().unwrap().all(|entry| entry.unwrap().path().is_file())
    });
}

#[test]
fn the_next_run_restores_what_a_killed_recording_left() {
    let project = Project::new();
    let before = project.identity("tool");
    kill_recording(&project);
    let output = project.command("./tool").arg("data/b.txt").output().unwrap();
    assert_eq!(output.stdout, b"gamma\n");
    assert_eq!(project.identity("tool"), before);
}

#[test]
fn two_recordings_of_one_program_do_not_mix() {
    let project = Project::new();
    let before = project.identity("tool");
    let harness = env!("CARGO_BIN_EXE_record-harness");
    let recorded =
        project.record(&format!("{harness} tool other-seeds true; test $? = 97 && ./tool -V"));
    assert!(recorded.0.status.success(), "{}", recorded.stderr());
    assert!(recorded.stderr().contains("another recording of it is running"));
    assert_eq!(project.identity("tool"), before);
}

#[test]
fn a_program_that_the_command_rebuilds_is_left_as_built() {
    let project = Project::new();
    let recorded =
        project.record("./tool -V; clang-19 -DNEW -o tool tool.c; cp tool copy; ./tool -V");
    recorded.says(&["restoration Rebuilt", "invocations 1"]);
    let built = std::fs::read(project.path("copy")).unwrap();
    let after = project.identity("tool");
    assert_eq!(std::fs::read(project.path("tool")).unwrap(), built);
    assert!(!format!("{after:?}").contains("parallax"));
}

#[test]
fn make_sees_a_program_that_is_up_to_date() {
    let project = Project::new();
    let makefile = "check: tool\n\t./tool data/b.txt\ntool: tool.c\n\t$(CC) -o $@ $<\n";
    std::fs::write(project.path("Makefile"), makefile).unwrap();
    let recorded = project.record("exec make -s check");
    recorded.says(&["restoration Original", "tests 1"]);
    assert_tests(&project.tests(), [with_file("data/b.txt", "gamma\n", case(&["data/b.txt"]))]);
}

#[test]
fn a_symbolic_link_leads_to_the_program() {
    let project = Project::new();
    let before = project.identity("tool");
    std::os::unix::fs::symlink("tool", project.path("alias")).unwrap();
    let recorded = finished(
        project.recording("alias", "./tool -V; ./alias -V").stdout(Stdio::piped()).spawn().unwrap(),
    );
    recorded.says(&["./tool 1.0", "./alias 1.0", "invocations 2", "tests 1"]);
    assert_eq!(project.identity("tool"), before);
}

#[test]
fn a_script_is_recorded_with_what_its_children_open() {
    for first_line in ["#!/bin/sh\n", ""] {
        let project = Project::new();
        std::fs::create_dir(project.path(".libs")).unwrap();
        std::fs::rename(project.path("tool"), project.path(".libs/tool")).unwrap();
        let wrapper = "here=${0%/*}; exec \"$here/.libs/tool\" \"$@\"\n";
        project.script("tool", &format!("{first_line}{wrapper}"));
        let before = project.identity("tool");
        let recorded = project.record("echo text | ./tool -u; ./tool data/b.txt");
        recorded.says(&["TEXT", "gamma", "tests 2", "unobserved 0"]);
        let file = with_file("data/b.txt", "gamma\n", case(&["data/b.txt"]));
        assert_tests(&project.tests(), [with_stdin("text\n", case(&["-u"])), file]);
        assert_eq!(project.identity("tool"), before);
    }
}

#[test]
fn a_program_that_runs_itself_is_recorded_each_time() {
    let project = Project::new();
    let recorded = project.record("echo text | ./tool -x ./tool -u; ./tool -x ./tool data/b.txt");
    recorded.says(&["TEXT", "gamma", "invocations 4", "unfinished 0"]);
    let file = with_file("data/b.txt", "gamma\n", case(&["data/b.txt"]));
    assert!(project.tests().contains(&file));
    assert!(project.tests().contains(&with_stdin("text\n", case(&["-u"]))));
}

#[test]
fn a_privileged_program_is_known_by_its_arguments() {
    let project = Project::new();
    std::fs::set_permissions(project.path("tool"), PermissionsExt::from_mode(0o4755)).unwrap();
    let before = project.identity("tool");
    let recorded = project.record("./tool data/b.txt; echo text | ./tool -u");
    recorded.says(&["gamma", "TEXT", "unobserved 2", "tests 2"]);
    let file = with_file("data/b.txt", "gamma\n", case(&["data/b.txt"]));
    assert_tests(&project.tests(), [file, with_stdin("text\n", case(&["-u"]))]);
    assert_eq!(project.identity("tool"), before);
}

#[test]
fn a_parallel_suite_needs_no_order() {
    let project = Project::new();
    let calls = "for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4; do \
                 echo $i | ./tool -u > /dev/null & done; done; wait";
    let recorded = project.record(calls);
    recorded.says(&["invocations 40", "tests 10", "unfinished 0"]);
    let numbers = (1..=10).map(|number| with_stdin(&format!("{number}\n"), case(&["-u"])));
    assert_tests(&project.tests(), numbers);
}

#[test]
fn a_program_left_running_is_reported() {
    let project = Project::new();
    let before = project.identity("tool");
    let recorded = project.record(
        "./tool -w > ready 2>&1 & echo $! > wait.pid; \
                  while ! test -s ready; do sleep 0.05; done; ./tool -V",
    );
    recorded.says(&["invocations 2", "tests 1", "unfinished 1"]);
    let pid = std::fs::read_to_string(project.path("wait.pid")).unwrap();
    signal(pid.trim(), "KILL");
    assert_eq!(project.identity("tool"), before);
}
