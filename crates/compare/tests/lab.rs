//! Real programs in real labs: what the runner and the lab make of each other.

use std::path::{Path, PathBuf};

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
        .map(|lab| LabRunner { lab, old: &old, new: &new, limits: &limits })
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
    let masked: Vec<&[Aspect]> = comparison.tests.iter().map(|test| &test.masked[..]).collect();
    assert_eq!(masked[2], [Aspect::Stdout], "the time beside the difference is noise");
    assert_eq!(masked[5], [Aspect::Files], "one file is noise, the other is not");
}
