//! Traces of many random programs against the machine: `exact [PROGRAMS [FIRST [FOLDER]]]`.
//!
//! Programs for which a trace says something wrong are left in FOLDER, with their inputs.

#![allow(clippy::unwrap_used, reason = "a benchmark's panic is its report")]

#[path = "../tests/generator/mod.rs"]
mod generator;
#[path = "../tests/tracing/mod.rs"]
mod tracing;

use std::{
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use generator::Chance;
use tracing::{Checker, Stats, build};

/// Inputs for each program.
const INPUTS: usize = 12;
/// Inputs close to each, of which those that go the same way are run too.
const NEIGHBOURS: usize = 12;
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let number =
        |index: usize, otherwise| words.get(index).map_or(otherwise, |w| w.parse().unwrap());
    let (count, first) = (number(0, 500), number(1, 1000));
    let folder = words.get(2).map_or("target/exact", String::as_str);
    fs::create_dir_all(folder).unwrap();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let checkers: Vec<_> = (0..workers).map(|_| Checker::new()).collect();
    let next = AtomicU64::new(first);
    let total = Mutex::new((Stats::default(), 0));
    thread::scope(|scope| {
        for mut checker in checkers {
            let (next, total) = (&next, &total);
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let checked = check(&mut checker, seed, Path::new(folder));
                    let mut total = total.lock().unwrap();
                    match checked {
                        Ok(stats) => total.0 += stats,
                        Err(why) => {
                            total.1 += 1;
                            println!("seed {seed}: {why}");
                        }
                    }
                }
            });
        }
    });
    let (stats, wrong) = total.into_inner().unwrap();
    let Stats { conditions, values, predictions } = stats;
    println!(
        "exact: {count} programs, {values} values, {conditions} conditions, {predictions} predictions, {wrong} wrong"
    );
    std::process::exit(i32::from(wrong > 0));
}

fn check(checker: &mut Checker, seed: u64, folder: &Path) -> Result<Stats, String> {
    let source = generator::program(seed);
    let level = LEVELS[seed as usize % LEVELS.len()];
    let save = |why: String, test: &str| {
        fs::write(folder.join(format!("{seed}.c")), &source).unwrap();
        fs::write(folder.join(format!("{seed}.toml")), test).unwrap();
        format!("{level}\n{why}")
    };
    let program = build("random", &source, &[level]).map_err(|why| save(why, ""))?;
    let mut chance = Chance::new(seed);
    let mut all = Stats::default();
    for _ in 0..INPUTS {
        let test = generator::input(&mut chance);
        let others: Vec<_> =
            (0..NEIGHBOURS).map(|_| generator::neighbour(&mut chance, &test)).collect();
        all += checker
            .check_with_neighbours(&program, &test, &others)
            .map_err(|why| save(why.to_string(), &test.to_toml()))?;
    }
    Ok(all)
}
