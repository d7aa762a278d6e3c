//! Differences and noise, on observations written by hand.

use parallax_compare::{Aspect, Ignore, Judgement, Masked, Version, judge};
use parallax_run::{Captured, Contents, Ending, FileChange, FileState, Observation};

fn captured(text: &str) -> Captured {
    Captured::whole(text)
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

fn left(contents: Contents, mode: u32) -> FileChange {
    FileChange::Created(FileState { contents, mode })
}

fn created(contents: &str) -> FileChange {
    left(Contents::File(captured(contents)), 0o644)
}

fn check(old: &[Observation], new: &[Observation], differs_in: &[Aspect], masked: &[Aspect]) {
    let judgement = judge(old, new, &Ignore::default());
    assert_eq!(judgement.differs_in, differs_in, "differs, {old:?} {new:?}");
    assert_eq!(aspects(&judgement), masked, "masked, {old:?} {new:?}");
    let reversed = judge(new, old, &Ignore::default());
    let parts = |judgement: &Judgement| {
        let Judgement { differs_in, files, undecided, .. } = judgement.clone();
        (differs_in, files, undecided, aspects(judgement))
    };
    assert_eq!(parts(&judgement), parts(&reversed), "it does not matter which version is which");
}

fn aspects(judgement: &Judgement) -> Vec<Aspect> {
    judgement.masked.iter().map(|masked| masked.aspect).collect()
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
        stdout: Captured { bytes: bytes.into(), total, rest: total },
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
    let capped = |total| capped("kept", total, 1);
    check(&[capped(10), capped(10)], &[capped(11), capped(11)], &[Stdout], &[]);
    check(&[capped(10), capped(12)], &[capped(11), capped(11)], &[], &[Stdout]);
}

fn capped(kept: &str, total: u64, rest: u64) -> Observation {
    Observation { stdout: Captured { bytes: kept.into(), total, rest }, ..printed("") }
}

#[test]
fn the_same_length_beyond_the_cap_is_not_the_same() {
    let capped = |rest| capped("kept", 10, rest);
    check(&[capped(1), capped(1)], &[capped(1), capped(1)], &[], &[]);
    check(&[capped(1), capped(1)], &[capped(2), capped(2)], &[Stdout], &[]);
    check(&[capped(1), capped(2)], &[capped(3), capped(3)], &[], &[Stdout]);
    let file = |rest| {
        let captured = Captured { bytes: b"kept".to_vec(), total: 10, rest };
        wrote(&[("log", left(Contents::File(captured), 0o644))])
    };
    check(&[file(1), file(1)], &[file(2), file(2)], &[Files], &[]);
    check(&[file(1), file(2)], &[file(3), file(3)], &[], &[Files]);
}

#[test]
fn rules_that_matched_may_match_beyond_the_cap() {
    let judged = |rule: &str| {
        let ignore = Ignore::new(&[rule]).expect("the rule is a regular expression");
        let run = |rest| [capped("at 5\n", 10, rest), capped("at 5\n", 10, rest)];
        judge(&run(1), &run(2), &ignore)
    };
    assert_eq!(judged("never").differs_in, [Stdout]);
    let doubtful = judged("at [0-9]+");
    assert_eq!(doubtful.differs_in, []);
    let masked = Masked { aspect: Stdout, varies_in: Vec::new(), endings: Vec::new() };
    assert_eq!(doubtful.masked, [masked]);
}

#[test]
fn the_version_that_varies_is_named() {
    let judged =
        |old: [Observation; 2], new: [Observation; 2]| judge(&old, &new, &Ignore::default()).masked;
    let noise = |aspect, versions: &[Version], endings: &[Ending]| {
        [Masked { aspect, varies_in: versions.to_vec(), endings: endings.to_vec() }]
    };
    let stdout = |old: [&str; 2], new: [&str; 2]| judged(old.map(printed), new.map(printed));
    let (old, new) = (Version::Old, Version::New);
    assert_eq!(stdout(["1", "1"], ["2", "3"]), noise(Stdout, &[new], &[]));
    assert_eq!(stdout(["1", "2"], ["2", "2"]), noise(Stdout, &[old], &[]));
    assert_eq!(stdout(["1", "2"], ["3", "4"]), noise(Stdout, &[old, new], &[]));
    let run = |ending| ended(ending, "");
    let (fine, killed) = (Ending::Exit(0), Ending::Signal(11));
    assert_eq!(
        judged([run(fine), run(fine)], [run(fine), run(killed)]),
        noise(Exit, &[new], &[fine, killed])
    );
    let wrote = |name: &str| wrote(&[(name, created(""))]);
    assert_eq!(
        judged([wrote("tmp.1"), wrote("tmp.2")], [wrote("tmp.3"), wrote("tmp.4")]),
        noise(Files, &[old, new], &[])
    );
}

#[test]
fn runs_without_a_known_end_decide_nothing() {
    let run = |ending| ended(ending, "a\n");
    let undecided = |old: [Ending; 2], new: [Ending; 2]| {
        judge(&old.map(run), &new.map(run), &Ignore::default()).undecided
    };
    let (time, memory) = (Ending::TimeLimit, Ending::MemoryLimit);
    let stopped = |at: &str| Some(format!("see the end of it: both versions were stopped at {at}"));
    assert_eq!(undecided([time, time], [time, time]), stopped("the time limit"));
    let both = stopped("the time limit or the memory limit");
    assert_eq!(undecided([memory, time], [time, time]), both);
    assert_eq!(undecided([time, time], [memory, memory]), None, "that is a difference");
    assert_eq!(undecided([time, time], [time, Ending::Exit(0)]), None);
    let endless = |stdout| [ended(time, stdout), ended(time, stdout)];
    let judgement = judge(&endless("a\n"), &endless("b\n"), &Ignore::default());
    assert_eq!((judgement.differs_in, judgement.undecided), (vec![Stdout], None));
}

#[test]
fn files_differ_by_name_kind_and_contents() {
    let some = |files: &[(&str, FileChange)]| [wrote(files), wrote(files)];
    let none = some(&[]);
    check(&none, &some(&[("a", created("x"))]), &[Files], &[]);
    check(&some(&[("a", created("x"))]), &some(&[("a", created("y"))]), &[Files], &[]);
    check(&some(&[("a", created("x"))]), &some(&[("a", FileChange::Removed)]), &[Files], &[]);
    let directory = left(Contents::Directory, 0o755);
    check(&some(&[("a", created("x"))]), &some(&[("a", directory.clone())]), &[Files], &[]);
    check(&some(&[("a", directory.clone())]), &some(&[("a", directory)]), &[], &[]);
    let closed = left(Contents::File(captured("x")), 0o600);
    check(&some(&[("a", created("x"))]), &some(&[("a", closed)]), &[Files], &[]);
    let link = |target: &[u8]| left(Contents::Symlink(target.to_vec()), 0o777);
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
