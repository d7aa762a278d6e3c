//! What is a difference and what is noise, on observations written by hand.

use parallax_compare::{Aspect, Ignore, judge};
use parallax_run::{Captured, Ending, FileChange, FileState, Observation};

fn captured(text: &str) -> Captured {
    Captured { bytes: text.as_bytes().to_vec(), total: text.len() as u64 }
}

fn printed(stdout: &str) -> Observation {
    Observation {
        ending: Ending::Exit(0),
        stdout: captured(stdout),
        stderr: Captured::default(),
        files: Default::default(),
    }
}

fn ended(ending: Ending, stdout: &str) -> Observation {
    Observation { ending, ..printed(stdout) }
}

fn wrote(files: &[(&str, FileChange)]) -> Observation {
    let files = files.iter().map(|(path, change)| (path.as_bytes().to_vec(), change.clone()));
    Observation { files: files.collect(), ..printed("") }
}

fn created(contents: &str) -> FileChange {
    FileChange::Created(FileState::File(captured(contents)))
}

fn check(old: &[Observation], new: &[Observation], differs_in: &[Aspect], masked: &[Aspect]) {
    let judgement = judge(old, new, &Ignore::default());
    assert_eq!(judgement.differs_in, differs_in, "differs, {old:?} {new:?}");
    assert_eq!(judgement.masked, masked, "masked, {old:?} {new:?}");
    let reversed = judge(new, old, &Ignore::default());
    assert_eq!(judgement, reversed, "it does not matter which version is which");
}

fn check_stdout(old: [&str; 2], new: [&str; 2], differs_in: &[Aspect], masked: &[Aspect]) {
    check(&old.map(printed), &new.map(printed), differs_in, masked);
}

use Aspect::{Exit, Files, Stderr, Stdout};

#[test]
fn equal_runs_are_the_same() {
    check_stdout(["a\n", "a\n"], ["a\n", "a\n"], &[], &[]);
}

#[test]
fn any_stable_byte_is_a_difference() {
    check_stdout(["a\n", "a\n"], ["b\n", "b\n"], &[Stdout], &[]);
    check_stdout(["a\n", "a\n"], ["a", "a"], &[Stdout], &[]);
    check_stdout(["a\nb\n", "a\nb\n"], ["b\na\n", "b\na\n"], &[Stdout], &[]);
    check_stdout(["\0", "\0"], ["\u{1}", "\u{1}"], &[Stdout], &[]);
}

#[test]
fn what_varies_in_one_version_is_noise_in_both() {
    check_stdout(["pid 1\n", "pid 2\n"], ["pid 3\n", "pid 4\n"], &[], &[Stdout]);
    check_stdout(["pid 1\n", "pid 1\n"], ["pid 3\n", "pid 4\n"], &[], &[Stdout]);
    check_stdout(["x\ny\nz\n", "y\nx\nz\n"], ["z\ny\nx\n", "z\ny\nx\n"], &[], &[Stdout]);
    check_stdout(["try\nok\n", "try\ntry\nok\n"], ["ok\n", "try\nok\n"], &[], &[Stdout]);
}

#[test]
fn a_difference_beside_noise_is_found() {
    check_stdout(
        ["at 10:01 sum 5\n", "at 10:02 sum 5\n"],
        ["at 10:03 sum 6\n", "at 10:04 sum 6\n"],
        &[Stdout],
        &[Stdout],
    );
    check_stdout(["x\ny\n", "y\nx\n"], ["x\nz\n", "z\nx\n"], &[Stdout], &[Stdout]);
    check_stdout(
        ["try\nok\n", "try\ntry\nok\n"],
        ["try\nfailed\n", "try\ntry\nfailed\n"],
        &[Stdout],
        &[Stdout],
    );
}

#[test]
fn endings_are_one_aspect() {
    let exit = |status| ended(Ending::Exit(status), "");
    let killed = ended(Ending::Signal(11), "");
    check(&[exit(0), exit(0)], &[exit(1), exit(1)], &[Exit], &[]);
    check(&[exit(0), exit(0)], &[killed.clone(), killed.clone()], &[Exit], &[]);
    check(&[exit(0), exit(0)], &[killed, exit(0)], &[], &[Exit]);
    check(&[exit(0), exit(1)], &[exit(2), exit(2)], &[], &[Exit]);
}

#[test]
fn a_run_cut_short_may_have_gone_on() {
    let endless = |stdout| ended(Ending::TimeLimit, stdout);
    let done = [printed("a\nb\n"), printed("a\nb\n")];
    check(&done, &[endless("a\n"), endless("a\n")], &[Exit], &[]);
    check(&done, &[endless(""), endless("")], &[Exit], &[]);
    check(&done, &[endless("b\n"), endless("b\n")], &[Stdout, Exit], &[]);
    let printing = |bytes: &str, total| Observation {
        stdout: Captured { bytes: bytes.into(), total },
        ..ended(Ending::OutputLimit, "")
    };
    check(
        &[printing("yyy", 100), printing("yyy", 120)],
        &[printing("yyy", 90), printing("yyy", 90)],
        &[],
        &[],
    );
}

#[test]
fn what_is_beyond_the_cap_counts() {
    let capped =
        |total| Observation { stdout: Captured { bytes: b"kept".to_vec(), total }, ..printed("") };
    check(&[capped(10), capped(10)], &[capped(11), capped(11)], &[Stdout], &[]);
    check(&[capped(10), capped(12)], &[capped(11), capped(11)], &[], &[Stdout]);
}

#[test]
fn files_differ_by_name_kind_and_contents() {
    let some = |files: &[(&str, FileChange)]| [wrote(files), wrote(files)];
    let none = some(&[]);
    check(&none, &some(&[("a", created("x"))]), &[Files], &[]);
    check(&some(&[("a", created("x"))]), &some(&[("a", created("y"))]), &[Files], &[]);
    check(&some(&[("a", created("x"))]), &some(&[("a", FileChange::Removed)]), &[Files], &[]);
    let directory = FileChange::Created(FileState::Directory);
    check(&some(&[("a", created("x"))]), &some(&[("a", directory.clone())]), &[Files], &[]);
    check(&some(&[("a", directory.clone())]), &some(&[("a", directory)]), &[], &[]);
    let link = |target: &[u8]| FileChange::Created(FileState::Symlink(target.to_vec()));
    check(&some(&[("a", link(b"x"))]), &some(&[("a", link(b"y"))]), &[Files], &[]);
}

#[test]
fn files_that_come_and_go_are_noise() {
    check(
        &[wrote(&[("tmp.1", created(""))]), wrote(&[("tmp.2", created(""))])],
        &[wrote(&[("tmp.3", created(""))]), wrote(&[("tmp.4", created(""))])],
        &[],
        &[Files],
    );
    let both = |name: &str, log: &str| wrote(&[(name, created("")), ("log", created(log))]);
    check(
        &[both("tmp.1", "a\n"), both("tmp.2", "a\n")],
        &[both("tmp.3", "b\n"), both("tmp.4", "b\n")],
        &[Files],
        &[Files],
    );
    let judgement = judge(
        &[both("tmp.1", "a\n"), both("tmp.2", "a\n")],
        &[both("tmp.3", "b\n"), both("tmp.4", "b\n")],
        &Ignore::default(),
    );
    assert_eq!(judgement.files, [b"log"], "only the log differs");
}

#[test]
fn what_the_user_ignores_is_not_compared() {
    let warned = |version: &str| {
        let stderr = captured(&format!("tool {version}: warning\n"));
        Observation { stderr, ..printed("done\n") }
    };
    let (old, new) = ([warned("1.0"), warned("1.0")], [warned("1.1"), warned("1.1")]);
    let differs_in = |rules: &[&str]| {
        let ignore = Ignore::new(rules).expect("the rules are regular expressions");
        judge(&old, &new, &ignore).differs_in
    };
    assert_eq!(differs_in(&[]), [Stderr]);
    assert_eq!(differs_in(&["stdout:^tool [0-9.]+"]), [Stderr]);
    assert_eq!(differs_in(&["stderr:^tool [0-9.]+"]), []);
    assert_eq!(differs_in(&["[0-9.]+"]), []);
}

#[test]
fn large_outputs_take_no_time() {
    let lines = |noise: u32, sum: u32| -> String {
        let line = |i: u32| format!("line {i} at {} of {sum}\n\n", i.wrapping_mul(noise));
        (0..30_000).map(line).collect()
    };
    let old = [printed(&lines(3, 5)), printed(&lines(7, 5))];
    check(&old, &[printed(&lines(11, 5)), printed(&lines(13, 5))], &[], &[Stdout]);
    check(&old, &[printed(&lines(11, 6)), printed(&lines(13, 6))], &[Stdout], &[Stdout]);
    let varying = [printed(&lines(3, 5)), printed(&format!("{}end\n", lines(7, 5)))];
    check(&varying, &old, &[], &[Stdout]);
    let one_line = "x".repeat(1 << 20);
    let other = format!("{one_line}-");
    check(
        &[printed(&one_line), printed(&one_line)],
        &[printed(&other), printed(&other)],
        &[Stdout],
        &[],
    );
    let blank = "\n".repeat(1 << 20);
    let more = "\n".repeat((1 << 20) - 5);
    check(&[printed(&blank), printed(&more)], &[printed(&blank), printed(&blank)], &[], &[Stdout]);
}
