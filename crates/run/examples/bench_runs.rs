//! The number of runs of a small program that a lab makes in a second, on one core.
//!
//! `cargo run --release -p parallax-run --example bench_runs` prints a table and, as its last line,
//! the figure for the sandbox: `runs: 480/s`.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use parallax_run::{
    Limits, MemoryLimit, Subject, TestCase,
    lab::{Isolation, Lab},
};

const SOURCE: &str = r#"
#include <stdio.h>
int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin))
        ;
    puts("a line");
}
"#;
const INPUT: &[u8] = b"one\ntwo\nthree\n";
/// Each way is measured this often and this long, in turn, and the best counts: whatever else the
/// machine does can only make a measurement worse.
const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_millis(600);

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let directory = env::temp_dir().join(format!("parallax-bench-{}", std::process::id()));
    fs::create_dir(&directory)?;
    let measured = measure(&directory);
    fs::remove_dir_all(&directory)?;
    let [sandboxed, open, bare] = measured?;
    println!("way               runs/s  ms/run");
    for (name, rate) in [("sandboxed lab", sandboxed), ("open lab", open), ("bare fork", bare)] {
        println!("{name:<16} {rate:>7.0}  {:>6.2}", 1000.0 / rate);
    }
    println!("runs: {sandboxed:.0}/s");
    Ok(())
}

fn measure(directory: &Path) -> Result<[f64; 3], Failure> {
    stay_on_one_core()?;
    let program = build(directory)?;
    let mut sandboxed = Lab::start(Isolation::Sandboxed)?;
    sandboxed.missing().iter().for_each(|sentence| println!("note: {sentence}"));
    let mut open = Lab::start(Isolation::Open)?;
    let mut best = [0.0_f64; 3];
    for _ in 0..ROUNDS {
        best[0] = best[0].max(rate(|| run(&mut sandboxed, &program))?);
        best[1] = best[1].max(rate(|| run(&mut open, &program))?);
        best[2] = best[2].max(rate(|| run_bare(&program))?);
    }
    Ok(best)
}

fn stay_on_one_core() -> io::Result<()> {
    // SAFETY: an all-zero set is a valid empty one; the call reads it for its size.
    let result = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(0, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn build(directory: &Path) -> Result<PathBuf, Failure> {
    let (source, program) = (directory.join("line.c"), directory.join("line"));
    fs::write(&source, SOURCE)?;
    let status =
        Command::new("clang-19").arg("-O2").arg("-o").args([&program, &source]).status()?;
    if status.success() { Ok(program) } else { Err("cc failed".into()) }
}

fn rate(mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut runs = 0_u32;
    while start.elapsed() < TIME {
        run()?;
        runs += 1;
    }
    Ok(f64::from(runs) / start.elapsed().as_secs_f64())
}

fn run(lab: &mut Lab, program: &Path) -> Result<(), Failure> {
    let subject = Subject {
        program: program.to_owned(),
        name: b"line".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::AddressSpace(1 << 30),
        addresses: Default::default(),
        forks: false,
    };
    let test = TestCase { stdin: Some(INPUT.to_vec()), ..TestCase::default() };
    let observation = lab.run(&subject, &test, &Limits::default())?;
    check(&observation.stdout.bytes)
}

fn run_bare(program: &Path) -> Result<(), Failure> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().ok_or("no stdin")?.write_all(INPUT)?;
    check(&child.wait_with_output()?.stdout)
}

fn check(output: &[u8]) -> Result<(), Failure> {
    if output == b"a line\n" { Ok(()) } else { Err("the program printed something else".into()) }
}
