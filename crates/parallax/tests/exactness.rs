//! Traces against the machine, on small programs that once went wrong and on random ones.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod generator;
mod tracing;

use std::{fs, path::Path};

use generator::Chance;
use parallax_run::TestCase;
use tracing::{Checker, build};

/// Seeds of the random programs, and how they are compiled. Many more run in `./x bench exact`.
const PROGRAMS: [(u64, &str); 5] = [(1, "-O0"), (2, "-O1"), (3, "-O2"), (4, "-O3"), (5, "-O2")];

#[test]
fn traces_of_random_programs_say_what_the_machine_does() {
    let mut checker = Checker::new();
    for (seed, level) in PROGRAMS {
        let source = generator::program(seed);
        let program = build("random", &source, &[level]).unwrap();
        let mut chance = Chance::new(seed);
        for _ in 0..6 {
            let test = generator::input(&mut chance);
            let others = [(); 8].map(|()| generator::neighbour(&mut chance, &test));
            let checked = checker.check_with_neighbours(&program, &test, &others);
            let stats =
                checked.unwrap_or_else(|why| panic!("seed {seed}:\n{why}{}", test.to_toml()));
            assert!(stats.values > 0 || test.stdin.as_deref() == Some(&[]), "seed {seed}");
        }
    }
}

/// The first lines of each file of `exact` give its purpose and, with each `// stdin: …`, its
/// inputs; `\xNN` and `\n` are as in C.
#[test]
fn what_once_was_wrong_is_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exact");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut checker = Checker::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let program = build("small", &source, &["-O1"]).unwrap();
        let mut chance = Chance::new(7);
        for test in tests_of(&source) {
            let others = [(); 4].map(|()| generator::neighbour(&mut chance, &test));
            if let Err(why) = checker.check_with_neighbours(&program, &test, &others) {
                panic!("{}:\n{why}", file.display());
            }
        }
    }
}

/// The inputs of a file.
fn tests_of(source: &str) -> Vec<TestCase> {
    let named = source.lines().filter_map(|line| line.strip_prefix("// stdin: "));
    let tests: Vec<_> =
        named.map(|text| TestCase { stdin: Some(unescape(text)), ..TestCase::default() }).collect();
    assert!(!tests.is_empty(), "no `// stdin:` says what to run it on");
    tests
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        (bytes, rest) = match (first, after) {
            (b'\\', [b'x', high, low, tail @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                (bytes, tail)
            }
            (b'\\', [b'n', tail @ ..]) => {
                bytes.push(b'\n');
                (bytes, tail)
            }
            _ => {
                bytes.push(first);
                (bytes, after)
            }
        };
    }
    bytes
}
