//! Whether runs are fresh: two copies of a program that prints all that it finds, and then changes
//! all that it can reach, are compared many times. Any trace that one run leaves for the next is a
//! difference.
//!
//! `cargo run --release -p parallax-run --example bench_fresh -- 10000` prints the number of comparisons,
//! of differences and of runs a second. It exits with 1 if there was a difference.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use parallax_run::{
    Addresses, Entry, Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::{Isolation, Lab},
};

/// Number of comparisons by default.
const COMPARISONS: u32 = 10_000;
/// Number of differences that are shown.
const SHOWN: u32 = 3;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<ExitCode, Failure> {
    let comparisons = env::args().nth(1).map_or(Ok(COMPARISONS), |count| count.parse())?;
    let directory = env::temp_dir().join(format!("parallax-fresh-{}", std::process::id()));
    let compared = compare(&directory, comparisons);
    fs::remove_dir_all(&directory)?;
    let differences = compared?;
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the two copies this often; returns how often they differed.
fn compare(directory: &Path, comparisons: u32) -> Result<u32, Failure> {
    let versions = [build(&directory.join("old"))?, build(&directory.join("new"))?];
    let mut lab = Lab::start(Isolation::Sandboxed)?;
    lab.missing().iter().for_each(|sentence| println!("note: {sentence}"));
    let namespaces = !lab.missing().iter().any(|sentence| sentence.contains("no namespaces"));
    let test = TestCase {
        args: namespaces.then(|| b"all".to_vec()).into_iter().collect(),
        files: [(b"given".to_vec(), Entry::file("given\n"))].into(),
        ..TestCase::default()
    };
    let start = Instant::now();
    let mut differences = 0;
    for _ in 0..comparisons {
        let mut run = |program: &Path| lab.run(&subject(program), &test, &Limits::default());
        let [old, new] = [run(&versions[0])?, run(&versions[1])?];
        if old != new {
            differences += 1;
            if differences <= SHOWN {
                show(&old, &new);
            }
        }
    }
    let rate = f64::from(comparisons) * 2.0 / start.elapsed().as_secs_f64();
    println!("comparisons: {comparisons}, differences: {differences}, runs: {rate:.0}/s");
    Ok(differences)
}

fn build(directory: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(directory)?;
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/mutate.c");
    let program = directory.join("mutate");
    let status = Command::new("clang-19").args(["-O1", "-o"]).arg(&program).arg(source).status()?;
    if status.success() { Ok(program) } else { Err("clang-19 failed".into()) }
}

fn subject(program: &Path) -> Subject {
    Subject {
        program: program.to_owned(),
        name: b"mutate".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::AddressSpace(1 << 30),
        addresses: Addresses::Fixed,
        forks: false,
    }
}

/// The lines that differ, and the other differences.
fn show(old: &Observation, new: &Observation) {
    let text = |seen: &Observation| String::from_utf8_lossy(&seen.stdout.bytes).into_owned();
    let (old_text, new_text) = (text(old), text(new));
    for (old, new) in old_text.lines().zip(new_text.lines()).filter(|(old, new)| old != new) {
        println!("- {old}\n+ {new}");
    }
    println!("endings: {:?} {:?}, files: {}", old.ending, new.ending, old.files == new.files);
}
