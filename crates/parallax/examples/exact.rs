//! Checks traces of many random programs against the machine: `exact [PROGRAMS [FIRST [FOLDER]]]`.
//!
//! Programs with a wrong trace are left in FOLDER, with their inputs.

#![allow(clippy::unwrap_used, reason = "a benchmark's panic is its report")]

#[path = "../tests/generator/mod.rs"]
mod generator;
mod sweep;
#[path = "../tests/tracing/mod.rs"]
mod tracing;

use std::{fs, path::Path};

use generator::Chance;
use sweep::{Sweep, Verdict};
use tracing::{Checker, Stats, build};

/// Inputs for each program.
const INPUTS: usize = 12;
/// Inputs close to each, of which those that take the same path are run too.
const NEIGHBOURS: usize = 12;
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

fn main() {
    let total = Sweep::from_command_line(500, 1000, "target/exact").run(Checker::new, check);
    let Stats { conditions, values, predictions } = total.stats;
    println!(
        "exact: {} programs, {values} values, {conditions} conditions, {predictions} predictions, {} wrong",
        total.judged(),
        total.wrong
    );
    std::process::exit(i32::from(total.wrong > 0));
}

fn check(checker: &mut Checker, seed: u64, folder: &Path) -> Result<Verdict, String> {
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
    Ok(Verdict::Right(all))
}
