//! Real programs in real labs: the runner and the lab together.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use parallax_compare::{Aspect, LabRunner, Options, Outcome, compare_suite};
use parallax_run::{
    Limits, MemoryLimit, Subject, TestCase,
    lab::{Isolation, Lab},
    suite::{Suite, Test},
};

fn shell() -> Subject {
    Subject {
        program: Path::new("/bin/sh").canonicalize().unwrap_or_else(|_| PathBuf::from("/bin/sh")),
        name: b"sh".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::AddressSpace(1 << 30),
        addresses: Default::default(),
        forks: false,
    }
}

/// The versions are one shell with a variable that tells scripts which they are in.
fn version(name: &str) -> Subject {
    Subject { env: vec![(b"VERSION".to_vec(), name.as_bytes().to_vec())], ..shell() }
}

fn script(name: &str, text: &str) -> Test {
    let args = vec![b"-c".to_vec(), text.as_bytes().to_vec()];
    Test { name: String::from(name), case: TestCase { args, ..TestCase::default() } }
}

#[test]
fn programs_in_labs_are_compared() {
    let (old, new, limits) = (version("old"), version("new"), Limits::default());
    let suite = Suite {
        tests: vec![
            script("same", "echo hello; cat"),
            script("time", "date +%s.%N; date +%s > stamp"),
            script("stdout", "echo at $(date +%N) $VERSION"),
            script("exit", "[ $VERSION = old ]"),
            script("signal", "[ $VERSION = old ] || kill -SEGV $$"),
            script("files", "echo $VERSION > log; date +%N > other"),
        ],
    };
    let mut runners: Vec<LabRunner<'_>> = (0..2)
        .map(|_| Lab::start(Isolation::Sandboxed).expect("a lab can be started"))
        .map(|lab| LabRunner::new(lab, old.clone(), new.clone(), &limits))
        .collect();
    let options = Options::default();
    let comparison = compare_suite(&suite, &options, &mut runners, &mut |_| ());
    let found: Vec<(&str, Vec<Aspect>)> = comparison
        .tests
        .iter()
        .map(|test| match &test.outcome {
            Outcome::Same => (test.name.as_str(), Vec::new()),
            Outcome::Different(difference) => (test.name.as_str(), difference.differs_in.clone()),
            Outcome::Trouble(why) => panic!("{}: failed to {why}", test.name),
            Outcome::OutOfTime { .. } => panic!("{}: out of time", test.name),
        })
        .collect();
    let expected = [
        ("same", vec![]),
        ("time", vec![]),
        ("stdout", vec![Aspect::Stdout]),
        ("exit", vec![Aspect::Exit]),
        ("signal", vec![Aspect::Exit]),
        ("files", vec![Aspect::Files]),
    ];
    assert_eq!(found, expected);
    let masked: Vec<Vec<Aspect>> = comparison
        .tests
        .iter()
        .map(|test| test.masked.iter().map(|masked| masked.aspect).collect())
        .collect();
    assert_eq!(masked[2], [Aspect::Stdout], "the time beside the difference is noise");
    assert_eq!(masked[5], [Aspect::Files], "one file is noise, the other is not");
}

/// The outcomes of these tests, each run for at most a second.
fn outcomes(tests: Vec<Test>) -> Vec<Outcome> {
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = Lab::start(Isolation::Sandboxed).expect("a lab can be started");
    let mut runners = [LabRunner::new(lab, version("old"), version("new"), &limits)];
    let options = Options { settle: Duration::ZERO, ..Options::default() };
    let comparison = compare_suite(&Suite { tests }, &options, &mut runners, &mut |_| ());
    comparison.tests.into_iter().map(|test| test.outcome).collect()
}

#[test]
fn what_is_beyond_the_cap_is_compared() {
    let long = "head -c 2000000 /dev/zero | tr '\\0' x";
    let sparse = "dd if=/dev/null of=log bs=1 seek=200000000 2>/dev/null";
    let found = outcomes(vec![
        script("same output", &format!("{long}; echo end")),
        script("output", &format!("{long}; echo $VERSION")),
        script("same file", &format!("{long} > log; {sparse}; echo end >> log")),
        script("file", &format!("{long} > log; {sparse}; echo $VERSION >> log")),
        script("links", &format!("{long} > log; echo $VERSION >> log; ln log a; ln log b")),
        script("noise", &format!("{long}; date +%N; echo $VERSION")),
    ]);
    let differs_in: Vec<&[Aspect]> = found
        .iter()
        .map(|outcome| match outcome {
            Outcome::Same => &[],
            Outcome::Different(difference) => &difference.differs_in[..],
            Outcome::Trouble(why) => panic!("failed to {why}"),
            Outcome::OutOfTime { .. } => panic!("out of time"),
        })
        .collect();
    assert_eq!(
        differs_in,
        [&[][..], &[Aspect::Stdout], &[], &[Aspect::Files], &[Aspect::Files], &[]]
    );
}

#[test]
fn versions_that_are_both_stopped_are_not_the_same() {
    let found = outcomes(vec![script("endless", "echo a; while :; do :; done")]);
    let why = "see the end of it: both versions were stopped at the time limit";
    assert_eq!(found, [Outcome::Trouble(String::from(why))]);
}
