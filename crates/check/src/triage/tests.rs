//! A wrong engine gets nothing past plain builds.

use std::{collections::BTreeMap, fs, sync::Arc, time::Duration};

use parallax_compare::{Aspect, Difference, Failure, Ignore, MEMORY_ERROR_STATUS, Runner, Version};
use parallax_deadline::Deadline;
use parallax_effect::{Sight, Why};
use parallax_report::{
    changes::{ChangeReport, ReportedChange},
    check::{self, Attribution, Verdict, Versions},
    earlier::Earlier,
};
use parallax_run::{Captured, Ending, Observation, TestCase};
use parallax_search::{Bounds, Event, Summary, Suspect};
use tempfile::TempDir;

use super::{Account, Folder, Follow, Leads, Means, Proof, Triage, Watch};
use crate::{
    CheckError, Plan, Silent,
    confirm::{Clock, Confirmer},
    recorder::{EffectOfChange, EffectsOfTest, StoppedAt},
};

/// The output of a version that takes too long.
const TOO_LATE: &str = "too late";

/// Versions as a table: the output of a version in its n-th run.
struct Scripted<F> {
    runs: u32,
    prints: F,
}

impl<F: FnMut(Version, u32, &TestCase) -> Option<String> + Send> Runner for Scripted<F> {
    fn run(&mut self, version: Version, test: &TestCase) -> Result<Observation, Failure> {
        self.runs += 1;
        let text = (self.prints)(version, self.runs, test);
        if text.as_deref() == Some(TOO_LATE) {
            return Err(Failure::OutOfTime);
        }
        let text = text.ok_or(Failure::Runner("go on: the lab is gone".to_owned()))?;
        Ok(Observation {
            ending: Ending::Exit(0),
            stdout: Captured::whole(text.as_bytes()),
            stderr: Captured::whole(b""),
            files: BTreeMap::new(),
        })
    }
}

/// The new version has a memory error if an argument is a 9, and the old one has one as well if two
/// are.
struct Careful;

impl Watch for Careful {
    fn set_deadline(&mut self, _: Deadline) {}

    fn look(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        let run = |is_wrong: bool| Observation {
            ending: Ending::Exit(if is_wrong { MEMORY_ERROR_STATUS } else { 0 }),
            stdout: Captured::whole(b""),
            stderr: Captured::whole(b"SUMMARY: AddressSanitizer: bad-free a.c:1:1 in main\n"),
            files: BTreeMap::new(),
        };
        let nines = test.args.iter().filter(|arg| *arg == b"9").count();
        let difference = Difference::between(run(false), run(true), vec![Aspect::Memory]);
        Ok((nines == 1).then_some(difference))
    }

    fn has_error(&mut self, _: &TestCase) -> Result<bool, CheckError> {
        Ok(false)
    }
}

/// A follower that cannot record anything.
struct Blind;

impl Follow for Blind {
    fn follow(&mut self, _: &TestCase, _: Sight, _: Deadline) -> Result<EffectsOfTest, CheckError> {
        Err(CheckError::failed("record"))
    }
}

/// The outcome for a test that an engine reports so many times as different.
struct Outcome {
    result: check::Check,
    trouble: Option<CheckError>,
    log: String,
    was_stopped: bool,
    folder: TempDir,
}

fn claimed(
    times: usize,
    prints: impl FnMut(Version, u32, &TestCase) -> Option<String> + Send + Clone,
) -> Outcome {
    // A search that is exhausted.
    let summary = Summary { finished: true, executed: [(0, 1)].into(), ..Summary::default() };
    claimed_until(times, prints, Ok(summary))
}

fn claimed_until(
    times: usize,
    prints: impl FnMut(Version, u32, &TestCase) -> Option<String> + Send + Clone,
    ended: Result<Summary, CheckError>,
) -> Outcome {
    let test = TestCase { args: vec![b"-x".to_vec()], ..TestCase::default() };
    hunted(1, prints, Box::new(Blind), |triage| {
        for _ in 0..times {
            triage.note(&Event::Differs { test: &test, executed: &[0], explanation: None });
        }
        triage.end(ended, &Leads::default(), HOUR)
    })
}

/// More time than any test takes.
const HOUR: Duration = Duration::from_secs(3600);

/// An hour, or no time.
fn time(is_left: bool) -> Duration {
    if is_left { HOUR } else { Duration::ZERO }
}

/// Runs an action on a triage of so many changes.
fn hunted(
    changes: usize,
    prints: impl FnMut(Version, u32, &TestCase) -> Option<String> + Send + Clone,
    follower: Box<dyn Follow>,
    act: impl FnOnce(&mut Triage<'_>) -> (check::Check, Option<CheckError>),
) -> Outcome {
    let folder = tempfile::tempdir().expect("there is room for a directory");
    let root = folder.path().join("out");
    let change =
        |number| ReportedChange { id: format!("c{number}"), reachable: true, ..Default::default() };
    let changes = (1..=changes).map(change).collect();
    let report = ChangeReport { changes, ..ChangeReport::default() };
    let account = Account {
        report: &report,
        versions: Versions::default(),
        out: root.display().to_string(),
        bounds: Bounds::default(),
        earlier: Earlier::default(),
    };
    let runner = || Box::new(Scripted { runs: 0, prints: prints.clone() });
    let confirmer = Confirmer::with(
        (runner(), runner()),
        Ignore::new::<&str>(&[]).expect("nothing is ignored"),
        Clock::None,
    );
    let mut results = Folder::prepare(&root).expect("the directory is new");
    let means = Means {
        follower,
        watch: Box::new(Careful),
        executed: Box::new(|_, _| None),
        sink: &Silent,
    };
    let plan = Plan::new(Duration::from_secs(3600), &Silent);
    let mut triage = Triage::new(account, &mut results, confirmer, means, plan, false);
    triage.begin();
    let (result, trouble) = act(&mut triage);
    let was_stopped = triage.is_over;
    let log = fs::read_to_string(root.join("log.txt")).unwrap_or_default();
    Outcome { result, trouble, log, was_stopped, folder }
}

fn assert_nothing(outcome: &Outcome, unconfirmed: u64) {
    let Outcome { result, log, .. } = outcome;
    assert!(result.findings.is_empty(), "{log}");
    assert_eq!((result.unconfirmed, result.verdict), (unconfirmed, Verdict::NoDifferenceFound));
    assert!(outcome.trouble.is_none(), "{:?}", outcome.trouble);
    let findings = fs::read_dir(outcome.folder.path().join("out/findings"));
    assert_eq!(findings.expect("it is there").count(), 0);
    assert!(log.contains("not confirmed on plain builds: a test that executes c1"), "{log}");
}

#[test]
fn a_difference_that_plain_builds_do_not_show_is_none() {
    assert_nothing(&claimed(3, |_, _, _| Some("same".to_owned())), 3);
}

#[test]
fn a_difference_that_is_not_there_each_time_is_none() {
    // The new version differs at first, and prints the same as the old one from then on.
    let at_first = |version, run, _: &TestCase| match version {
        Version::New if run <= 4 => Some("new".to_owned()),
        _ => Some("old".to_owned()),
    };
    assert_nothing(&claimed(1, at_first), 1);
    // Each run prints something else.
    let noise = |version, run, _: &TestCase| match version {
        Version::New => Some(format!("{run}")),
        Version::Old => Some("old".to_owned()),
    };
    assert_nothing(&claimed(5, noise), 5);
}

/// The outcome for versions that continue as a table says after a finding, on another test of
/// another change.
fn retried(
    prints: impl FnMut(Version, u32, &TestCase) -> Option<String> + Send + Clone,
) -> Outcome {
    let test = |arg: &str| TestCase { args: vec![arg.into()], ..TestCase::default() };
    let summary = Summary { executed: [(0, 1), (1, 2)].into(), ..Summary::default() };
    hunted(2, prints, Box::new(Blind), |triage| {
        triage.note(&Event::Differs { test: &test("a"), executed: &[0], explanation: None });
        assert_eq!(triage.findings.len(), 1);
        triage.note(&Event::Differs { test: &test("noise"), executed: &[1], explanation: None });
        triage.note(&Event::Progress(&summary));
        triage.end(Ok(summary), &Leads::default(), HOUR)
    })
}

/// Output that varies on some tests only.
fn varies_late(run: u32, test: &TestCase) -> Option<String> {
    let is_noise = test.args.iter().any(|arg| arg == b"noise");
    is_noise.then(|| format!("{run}"))
}

#[test]
fn a_finding_that_few_runs_have_confirmed_is_tested_again_when_runs_vary() {
    let stays =
        |version, run, test: &TestCase| varies_late(run, test).or(differ(version, run, test));
    let Outcome { result, log, was_stopped, .. } = retried(stays);
    assert_eq!((result.findings.len(), result.unconfirmed, was_stopped), (1, 1, false), "{log}");
    assert!(log.contains("f1 was confirmed by more runs"), "{log}");
    // A rare output looks stable at first.
    let goes = |version, run, test: &TestCase| {
        let seems = if run < 900 { differ(version, run, test) } else { Some("same".to_owned()) };
        varies_late(run, test).or(seems)
    };
    let mut has_varied = false;
    let goes = move |version, run, test: &TestCase| {
        has_varied |= varies_late(run, test).is_some();
        goes(version, if has_varied { 1000 + run } else { run }, test)
    };
    let Outcome { result, log, folder, .. } = retried(goes);
    assert_eq!((result.findings.len(), result.unconfirmed), (0, 2), "{log}");
    assert_eq!(result.verdict, Verdict::NoDifferenceFound, "{log}");
    assert!(log.contains("f1 is noise"), "{log}");
    assert!(!folder.path().join("out/findings/f1").exists());
}

#[test]
fn a_finding_that_there_is_no_time_to_test_again_is_unconfirmed() {
    let mut has_varied = false;
    let late = move |version, run, test: &TestCase| {
        let noise = varies_late(run, test);
        has_varied |= noise.is_some();
        match noise {
            None if has_varied => Some(TOO_LATE.to_owned()),
            noise => noise.or(differ(version, run, test)),
        }
    };
    let Outcome { result, log, .. } = retried(late);
    assert_eq!((result.findings.len(), result.unconfirmed_tests.len()), (0, 1), "{log}");
}

/// Versions that differ on all tests with an argument.
fn differ(version: Version, _: u32, test: &TestCase) -> Option<String> {
    let word = if version == Version::New { "new" } else { "old" };
    Some(if test.args.is_empty() { "same" } else { word }.to_owned())
}

#[test]
fn a_difference_that_plain_builds_show_is_one() {
    let Outcome { result, trouble, log, was_stopped, folder } = claimed(2, differ);
    assert_eq!((result.verdict, result.findings.len()), (Verdict::Different, 1), "{log}");
    assert_eq!((result.unconfirmed, trouble.is_none(), was_stopped), (0, true, true));
    assert_eq!(result.findings[0].case.args, [b""], "it is the smallest");
    assert!(folder.path().join("out/findings/f1/test.toml").is_file());
    assert!(result.changes[0].propagated && result.changes[0].reached);
}

#[test]
fn a_search_that_fails_does_not_lose_what_was_found() {
    let outcome = claimed_until(1, differ, Err(CheckError::failed("go on")));
    assert_eq!((outcome.result.verdict, outcome.result.findings.len()), (Verdict::Different, 1));
    assert_eq!(outcome.trouble.map(|it| it.to_string()).as_deref(), Some("go on"));
    assert!(outcome.log.contains("end: different, 1 finding, 0 runs; trouble"), "{}", outcome.log);
    let written = fs::read_to_string(outcome.folder.path().join("out/result.json"));
    assert!(written.is_ok_and(|text| text.contains("\"id\": \"f1\"")));
}

#[test]
fn a_lab_that_is_gone_ends_the_search() {
    let outcome = claimed(2, |_, _, _| None);
    assert!(outcome.was_stopped && outcome.result.findings.is_empty());
    let trouble = outcome.trouble.map(|trouble| trouble.to_string()).unwrap_or_default();
    assert!(trouble.contains("the lab is gone"), "{trouble}");
}

/// Follows tests as a table says.
struct Told<F>(F);

impl<F: FnMut(&TestCase) -> Vec<EffectOfChange>> Follow for Told<F> {
    fn follow(
        &mut self,
        test: &TestCase,
        _: Sight,
        _: Deadline,
    ) -> Result<EffectsOfTest, CheckError> {
        let changes = (self.0)(test);
        Ok(EffectsOfTest { changes, is_cut: false, is_unexplained: false })
    }
}

/// An effect on so many lines.
fn effect(lines: usize) -> EffectOfChange {
    EffectOfChange {
        reached: true,
        infected: lines > 1,
        propagated: false,
        certain: true,
        variable: Some("sum".to_owned()),
        lines,
        stopped_at: Some(StoppedAt {
            old: lines == 1,
            file: "src/a.c".to_owned(),
            line: lines as u32,
            why: Why::Swallowed,
        }),
    }
}

/// The account of a change that tests with so many arguments execute, each with an effect on one
/// line more.
fn said(tests: &[usize], summary: Summary, has_time: bool) -> (bool, String) {
    let case = |args: &usize| {
        let args = vec![b"x".to_vec(); *args];
        Arc::new(TestCase { args, ..TestCase::default() })
    };
    let witnesses = BTreeMap::from([(0, tests.iter().map(case).collect())]);
    let leads = Leads { witnesses, ..Leads::default() };
    let same = |_, _, _: &TestCase| Some("same".to_owned());
    let follower = Box::new(Told(|test: &TestCase| vec![effect(test.args.len())]));
    let summary = Summary { executed: [(0, 1)].into(), ..summary };
    let outcome = hunted(1, same, follower, |triage| {
        // As if the proof builds had been explored, too.
        triage.proof =
            summary.finished.then(|| Proof { summary: summary.clone(), ..Proof::default() });
        triage.end(Ok(summary), &leads, time(has_time))
    });
    assert!(outcome.trouble.is_none() && outcome.result.findings.is_empty());
    let change = &outcome.result.changes[0];
    (change.infected, change.why.clone().unwrap_or_default())
}

#[test]
fn the_test_on_which_an_effect_came_furthest_says_where_it_ended() {
    let said = |tests: &[usize]| said(tests, Summary::default(), true);
    let furthest = "it was executed and changed sum, which ends at a.c:4, swallowed";
    assert_eq!(said(&[2, 4, 1]), (true, furthest.to_owned()));
    let nothing = "it was executed without effect: old a.c:1, swallowed";
    assert_eq!(said(&[1]), (false, nothing.to_owned()));
}

#[test]
fn effects_are_not_followed_without_time_or_where_there_is_a_proof() {
    let (infected, why) = said(&[2], Summary::default(), false);
    assert_eq!((infected, why.as_str()), (false, "it was executed, and no effect was seen"));
    let proved = Summary { finished: true, ..Summary::default() };
    let (infected, why) = said(&[2], proved, true);
    let all = "it was executed on all paths, and all look the same";
    assert_eq!((infected, why.as_str()), (false, all));
}

#[test]
fn what_cannot_be_recorded_is_logged_and_nothing_else() {
    let leads = Leads {
        witnesses: BTreeMap::from([(0, vec![Arc::new(TestCase::default())])]),
        ..Leads::default()
    };
    let summary = Summary { executed: [(0, 1)].into(), ..Summary::default() };
    let same = |_, _, _: &TestCase| Some("same".to_owned());
    let end = |triage: &mut Triage<'_>| triage.end(Ok(summary), &leads, HOUR);
    let Outcome { result, trouble, log, .. } = hunted(1, same, Box::new(Blind), end);
    assert!(trouble.is_none() && !result.changes[0].infected && result.changes[0].reached);
    assert!(log.contains("effects could not be followed: failed to record"), "{log}");
}

#[test]
fn a_difference_belongs_to_the_changes_whose_effects_it_shows() {
    // All tests execute both changes; the second one shows if there are two arguments.
    let prints = |version, _, test: &TestCase| {
        let word = if version == Version::New { "new" } else { "old" };
        let second = if test.args.len() > 1 { word } else { "" };
        Some(format!("{word}{second}"))
    };
    let follower = Box::new(Told(|test: &TestCase| {
        let seen = |is_seen| EffectOfChange { propagated: is_seen, ..effect(2) };
        vec![seen(test.args.len() < 2), seen(test.args.len() > 1)]
    }));
    let mut open = Vec::new();
    let outcome = hunted(2, prints, follower, |triage| {
        for args in [0, 1, 3] {
            let test = TestCase { args: vec![b"-x".to_vec(); args], ..TestCase::default() };
            triage.note(&Event::Differs { test: &test, executed: &[0, 1], explanation: None });
            open.push(!triage.has_seen_all());
        }
        triage.end(Ok(Summary::default()), &Leads::default(), HOUR)
    });
    assert_eq!(open, [true, true, false]);
    let findings = outcome.result.findings.iter();
    let found: Vec<_> = findings.map(|it| (&it.changes[..], it.case.args.len())).collect();
    // A test with fewer than two arguments does not show the second change.
    assert_eq!(found, [(&["c1".to_owned()][..], 0), (&["c2".to_owned()][..], 2)]);
    assert!(outcome.was_stopped && outcome.log.contains("f1 is of c1\n"));
}

#[test]
fn changes_that_cannot_be_told_apart_are_all_named() {
    let both = ["c1".to_owned(), "c2".to_owned()];
    let test = TestCase { args: vec![b"-x".to_vec()], ..TestCase::default() };
    let outcome = hunted(2, differ, Box::new(Blind), |triage| {
        triage.note(&Event::Differs { test: &test, executed: &[0, 1], explanation: None });
        triage.end(Ok(Summary::default()), &Leads::default(), HOUR)
    });
    let finding = &outcome.result.findings[0];
    assert_eq!((&finding.changes[..], finding.attribution), (&both[..], Attribution::Guess));
    let changes = &outcome.result.changes;
    assert!(changes.iter().all(|change| change.reached && !change.propagated), "it may be either");
    assert!(!outcome.was_stopped, "the search goes on for both");
    assert!(outcome.log.contains("changes could not be told apart: failed to record"));
}

#[test]
fn a_guess_is_of_what_the_smaller_test_executes() {
    // The second change is executed if there are two arguments, and never shows.
    let executed = |test: &TestCase| (0..=usize::from(test.args.len() > 1)).collect::<Vec<_>>();
    let both = TestCase { args: vec![b"-x".to_vec(); 2], ..TestCase::default() };
    let outcome = hunted(2, differ, Box::new(Blind), |triage| {
        triage.means.executed = Box::new(move |test, _| Some(executed(test)));
        triage.note(&Event::Differs { test: &both, executed: &[0, 1], explanation: None });
        assert!(triage.has_seen(&[0]) && !triage.has_seen(&[1]), "one alone is no guess any more");
        triage.end(Ok(Summary::default()), &Leads::default(), HOUR)
    });
    let finding = &outcome.result.findings[0];
    assert_eq!((&finding.changes[..], finding.case.args.len()), (&["c1".to_owned()][..], 1));
    assert!(
        outcome.log.contains("found f1: difference in stdout, of c1, c2 (a guess)"),
        "{}",
        outcome.log
    );
    assert!(outcome.log.contains("f1 is of c1"), "{}", outcome.log);
}

#[test]
fn guesses_that_say_nothing_new_are_one_finding() {
    let test = |args: usize| TestCase { args: vec![b"-x".to_vec(); args], ..TestCase::default() };
    let outcome = hunted(3, differ, Box::new(Blind), |triage| {
        // The first change has a certain finding: only the other changes of a guess count.
        triage.note(&Event::Differs { test: &test(1), executed: &[0], explanation: None });
        triage.note(&Event::Differs { test: &test(2), executed: &[0, 1], explanation: None });
        triage.note(&Event::Differs { test: &test(3), executed: &[1, 2], explanation: None });
        triage.note(&Event::Differs { test: &test(4), executed: &[0, 1, 2], explanation: None });
        triage.end(Ok(Summary::default()), &Leads::default(), HOUR)
    });
    let found: Vec<_> = outcome.result.findings.iter().map(|it| it.changes.join(" ")).collect();
    assert_eq!(found, ["c1", "c1 c2", "c2 c3"], "{}", outcome.log);
    assert_eq!(outcome.result.findings[2].others, 1);
}

#[test]
fn what_there_is_no_time_to_confirm_is_no_finding() {
    let test = TestCase { args: vec![b"-x".to_vec()], ..TestCase::default() };
    let slow = |_, _, _: &TestCase| Some(TOO_LATE.to_owned());
    let outcome = hunted(1, slow, Box::new(Blind), |triage| {
        triage.note(&Event::Differs { test: &test, executed: &[0], explanation: None });
        triage.end(Ok(Summary::default()), &Leads::default(), HOUR)
    });
    assert!(outcome.trouble.is_none() && outcome.result.findings.is_empty());
    assert_eq!(outcome.result.unconfirmed, 1);
    assert!(outcome.log.contains("no time to confirm a test that executes c1"), "{}", outcome.log);
    let kept = fs::read_dir(outcome.folder.path().join("out/corpus")).expect("it is there");
    assert_eq!(kept.count(), 1, "a later search can look at it");
}

#[test]
fn a_memory_error_of_one_version_is_a_difference() {
    let test = |args: &[&str]| {
        let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
        (Arc::new(TestCase { args, ..TestCase::default() }), vec![0])
    };
    let found = |suspects: Vec<Suspect>, has_time: bool| {
        let leads = Leads { suspects, ..Leads::default() };
        let summary = Summary { executed: [(0, 1)].into(), ..Summary::default() };
        let same = |_, _, _: &TestCase| Some("same".to_owned());
        hunted(1, same, Box::new(Blind), |triage| triage.end(Ok(summary), &leads, time(has_time)))
    };
    let outcome = found(vec![test(&["1"]), test(&["2", "9"]), test(&["9"])], true);
    let findings = &outcome.result.findings;
    assert_eq!((findings.len(), outcome.result.verdict), (1, Verdict::Different));
    assert_eq!(
        (&findings[0].differs_in[..], &findings[0].case.args[..]),
        (&["memory"][..], &[b"9".to_vec()][..])
    );
    assert!(outcome.log.contains("found f1: difference in memory, of c1"), "{}", outcome.log);
    assert!(outcome.folder.path().join("out/findings/f1/test.toml").is_file());
    for outcome in [found(vec![test(&["9", "9"])], true), found(vec![test(&["9"])], false)] {
        assert!(outcome.result.findings.is_empty(), "{}", outcome.log);
    }
}

#[test]
fn a_memory_error_is_looked_for_before_the_time_is_over() {
    let test = TestCase { args: vec![b"9".to_vec()], ..TestCase::default() };
    let suspects = [(Arc::new(test), vec![0])];
    let summary = || Summary { executed: [(0, 1)].into(), ..Summary::default() };
    let same = |_, _, _: &TestCase| Some("same".to_owned());
    let outcome = hunted(1, same, Box::new(Blind), |triage| {
        triage.note(&Event::Progress(&summary()));
        triage.note(&Event::Midway { suspects: &suspects, time: Duration::from_secs(9) });
        let leads = Leads { suspects: suspects.to_vec(), ..Leads::default() };
        triage.end(Ok(summary()), &leads, HOUR)
    });
    // No change is open, and tests are not run again.
    assert!(outcome.was_stopped, "{}", outcome.log);
    assert_eq!((outcome.result.findings.len(), outcome.result.findings[0].others), (1, 0));
}
