//! Whole suites, run by a scripted runner in place of programs.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use parallax_compare::{
    Aspect, Event, Failure, Options, Outcome, Runner, Summary, Verdict, Version, compare_suite,
};
use parallax_deadline::Deadline;
use parallax_run::{
    Captured, Ending, Observation, TestCase,
    suite::{Suite, Test},
};

/// A program: its output, by the number of the run among all runs.
type Program = fn(Version, u64) -> Result<String, Failure>;

/// Programs by the first argument of a test, run as if each run took a tick of the clock.
struct Scripted<'a> {
    programs: &'a [(&'static str, Program)],
    clock: &'a AtomicU64,
}

impl Runner for Scripted<'_> {
    fn run(&mut self, version: Version, test_case: &TestCase) -> Result<Observation, Failure> {
        let name = &test_case.args[0];
        let (_, program) = self
            .programs
            .iter()
            .find(|(program, _)| program.as_bytes() == name)
            .expect("the test names a program");
        let stdout = program(version, self.clock.fetch_add(1, Ordering::Relaxed))?;
        Ok(Observation {
            ending: Ending::Exit(0),
            stdout: Captured::whole(stdout),
            stderr: Captured::default(),
            files: Default::default(),
        })
    }
}

fn suite(programs: &[(&'static str, Program)]) -> Suite {
    let test = |(name, _): &(&str, Program)| Test {
        name: String::from(*name),
        case: TestCase { args: vec![name.as_bytes().to_vec()], ..TestCase::default() },
    };
    Suite { tests: programs.iter().map(test).collect() }
}

/// Compares with so many workers; returns, for each test, the differences or the error.
fn outcomes(programs: &[(&'static str, Program)], workers: usize, seed: u64) -> Vec<Vec<String>> {
    let clock = AtomicU64::new(seed);
    let mut runners: Vec<Scripted<'_>> =
        (0..workers).map(|_| Scripted { programs, clock: &clock }).collect();
    let options = Options { settle: Duration::ZERO, ..Options::default() };
    let comparison = compare_suite(&suite(programs), &options, &mut runners, &mut |_| ());
    let outcome = |outcome: &Outcome| match outcome {
        Outcome::Same => Vec::new(),
        Outcome::Different(difference) => {
            difference.differs_in.iter().map(Aspect::to_string).collect()
        }
        Outcome::Trouble(why) => vec![format!("failed to {why}")],
        Outcome::OutOfTime { seemed } => vec![format!("out of time, seemed: {seemed}")],
    };
    comparison.tests.iter().map(|test| outcome(&test.outcome)).collect()
}

/// A number that looks random and is the same in every test run.
fn scramble(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn shuffled(words: &[&str], run: u64) -> String {
    let mut words: Vec<(u64, String)> = words
        .iter()
        .zip(0..)
        .map(|(word, index)| (scramble(run * 100 + index), format!("{word}\n")))
        .collect();
    words.sort();
    words.into_iter().map(|(_, word)| word).collect()
}

const NOISY: [(&str, Program); 8] = [
    ("time", |_, run| Ok(format!("it is 10:{:02}\n", run % 60))),
    ("slow clock", |_, run| Ok(format!("second {}\n", run / 6))),
    ("pid", |_, run| Ok(format!("[{}] started\n", 1000 + run))),
    ("address", |_, run| Ok(format!("at 0x{:x}: ok\n", scramble(run)))),
    ("random", |_, run| Ok(format!("{} {}\n", scramble(run) as i32, scramble(run + 9) % 100))),
    ("hash order", |_, run| Ok(shuffled(&["ant", "bee", "cat", "dog", "eel"], run))),
    ("line count", |_, run| {
        Ok(format!("go\n{}done\n", "wait\n".repeat(scramble(run) as usize % 9)))
    }),
    ("bytes", |_, run| Ok(format!("{:?}", scramble(run).to_le_bytes()))),
];

#[test]
fn noise_is_never_a_finding() {
    for seed in 0..300 {
        for (index, found) in outcomes(&NOISY, 1, seed * 1000).iter().enumerate() {
            assert!(found.is_empty(), "{} with seed {seed}", NOISY[index].0);
        }
    }
}

fn if_new(version: Version, text: &'static str) -> &'static str {
    match version {
        Version::Old => "",
        Version::New => text,
    }
}

const REAL: [(&str, Program); 6] = [
    ("plain", |version, _| Ok(format!("sum 5{}\n", if_new(version, "0")))),
    ("beside time", |version, run| Ok(format!("at {run} sum 5{}\n", if_new(version, " off")))),
    ("beside order", |version, run| {
        Ok(shuffled(&["ant", "bee", "cat"], run) + if_new(version, "dog\n"))
    }),
    ("beside count", |version, run| {
        let waits = "wait\n".repeat(run as usize % 3);
        Ok(format!("go\n{waits}{}done\n", if_new(version, "almost ")))
    }),
    ("order", |version, _| {
        Ok(String::from(if version == Version::Old { "a\nb\n" } else { "b\na\n" }))
    }),
    ("newline", |version, _| Ok(format!("end{}", if_new(version, "\n")))),
];

#[test]
fn differences_beside_noise_are_found() {
    for seed in 0..100 {
        for (index, found) in outcomes(&REAL, 1, seed * 1000).iter().enumerate() {
            assert_eq!(found, &["stdout"], "{} with seed {seed}", REAL[index].0);
        }
    }
}

#[test]
fn results_do_not_depend_on_the_workers() {
    let programs: Vec<(&'static str, Program)> = NOISY.into_iter().chain(REAL).collect();
    let one = outcomes(&programs, 1, 5);
    for workers in 2..6 {
        assert_eq!(outcomes(&programs, workers, 5), one, "{workers} workers");
    }
}

const TROUBLED: [(&str, Program); 3] = [
    ("fine", |_, _| Ok(String::new())),
    ("broken", |_, _| Err(Failure::Test(String::from("execute it")))),
    ("different", |version, _| Ok(format!("{version:?}"))),
];

#[test]
fn trouble_with_one_test_does_not_lose_the_others() {
    let expected =
        [vec![], vec![String::from("failed to execute it")], vec![String::from("stdout")]];
    assert_eq!(outcomes(&TROUBLED, 2, 0), expected);
}

#[test]
fn a_runner_that_is_gone_takes_no_more_tests() {
    let programs: [(&str, Program); 3] = [
        ("deadly", |_, _| Err(Failure::Runner(String::from("reach the lab")))),
        ("fine", |_, _| Ok(String::new())),
        ("fine too", |_, _| Ok(String::new())),
    ];
    let trouble = String::from("failed to reach the lab");
    assert_eq!(outcomes(&programs, 2, 0), [vec![trouble.clone()], vec![], vec![]]);
    let nowhere = String::from("failed to find a lab that is still there");
    let expected = [vec![trouble], vec![nowhere.clone()], vec![nowhere]];
    assert_eq!(outcomes(&programs, 1, 0), expected);
}

#[test]
fn events_tell_the_whole_story() {
    let clock = AtomicU64::new(0);
    let mut runners = [Scripted { programs: &TROUBLED, clock: &clock }];
    let options = Options { settle: Duration::ZERO, ..Options::default() };
    let mut story = Vec::new();
    let mut listen = |event: Event<'_>| {
        story.push(match event {
            Event::Started { tests } => format!("started {tests}"),
            Event::Finished { index, outcome: Outcome::Same } => format!("{index} same"),
            Event::Finished { index, outcome: Outcome::Different(_) } => {
                format!("{index} different")
            }
            Event::Finished { index, outcome: Outcome::Trouble(_) } => format!("{index} trouble"),
            Event::Finished { index, outcome: Outcome::OutOfTime { .. } } => {
                format!("{index} late")
            }
            Event::Confirming { tests } => format!("confirming {tests}"),
            Event::Done { summary: Summary { same, different, trouble, .. } } => {
                format!("done {same} {different} {trouble}")
            }
        });
    };
    let comparison = compare_suite(&suite(&TROUBLED), &options, &mut runners, &mut listen);
    let expected =
        ["started 3", "0 same", "1 trouble", "confirming 1", "2 different", "done 1 1 1"];
    assert_eq!(story, expected);
    assert_eq!(comparison.verdict(), Verdict::Different);
    assert_eq!(clock.load(Ordering::Relaxed), 4 + 1 + 4 + 18, "what differs is tested");
}

#[test]
fn what_there_is_no_time_for_is_counted() {
    let clock = AtomicU64::new(0);
    let compared = |options: &Options| {
        let mut runners = [Scripted { programs: &TROUBLED, clock: &clock }];
        compare_suite(&suite(&TROUBLED), options, &mut runners, &mut |_| ())
    };
    let over = Deadline::NEVER.within(Duration::ZERO);
    let comparison = compared(&Options { deadline: over, ..Options::default() });
    assert!(comparison.tests.iter().all(|it| it.outcome == Outcome::OutOfTime { seemed: false }));
    assert_eq!(comparison.verdict(), Verdict::Trouble, "that is not the same");
    assert_eq!((clock.load(Ordering::Relaxed), comparison.summary().out_of_time), (0, 3));
    // A proposed difference is confirmed only while its result is still wanted.
    let (settle, deadline) =
        (Duration::from_secs(3600), Deadline::NEVER.within(Duration::from_millis(300)));
    let comparison = compared(&Options { settle, deadline, ..Options::default() });
    let outcomes: Vec<_> = comparison.tests.iter().map(|test| &test.outcome).collect();
    assert_eq!(*outcomes[0], Outcome::Same);
    assert_eq!(*outcomes[2], Outcome::OutOfTime { seemed: true });
}

#[test]
fn what_differs_runs_again_only_after_a_while() {
    let clock = AtomicU64::new(0);
    let mut runners = [Scripted { programs: &REAL, clock: &clock }];
    let options = Options { settle: Duration::from_millis(200), ..Options::default() };
    let begin = std::time::Instant::now();
    compare_suite(&suite(&REAL), &options, &mut runners, &mut |_| ());
    let taken = begin.elapsed();
    assert!(taken >= Duration::from_millis(200), "{taken:?}");
    assert!(
        taken < Duration::from_millis(200 * REAL.len() as u64),
        "one wait serves all: {taken:?}"
    );
}

#[test]
fn a_suite_without_differences_does_not_wait() {
    let programs: [(&str, Program); 1] = [("fine", |_, _| Ok(String::new()))];
    let clock = AtomicU64::new(0);
    let mut runners = [Scripted { programs: &programs, clock: &clock }];
    let options = Options { settle: Duration::from_secs(3600), ..Options::default() };
    let comparison = compare_suite(&suite(&programs), &options, &mut runners, &mut |_| ());
    assert_eq!(comparison.verdict(), Verdict::Same);
}
