//! Runs many programs that Csmith writes traced and natively: `csmith [PROGRAMS [FIRST [FOLDER]]]`.
//!
//! Programs that differ are left in FOLDER.

#![allow(clippy::unwrap_used, reason = "a benchmark's panic is its report")]

#[path = "../tests/csmith/mod.rs"]
mod csmith;
mod sweep;
#[path = "../tests/tracing/mod.rs"]
mod tracing;

use sweep::{Sweep, Verdict};

fn main() {
    let sweep = Sweep::from_command_line(2000, 1, "target/csmith");
    let total = sweep.run(csmith::checker, |checker, seed, folder| {
        csmith::check(checker, seed, folder).map(|verdict| match verdict {
            csmith::Verdict::Right(stats) => Verdict::Right(stats),
            csmith::Verdict::Skipped(why) => Verdict::Skipped(why),
        })
    });
    for (why, count) in &total.skipped {
        println!("{count} programs skipped that {why}");
    }
    println!(
        "{} values and {} conditions, {:.2} programs a second",
        total.stats.values,
        total.stats.conditions,
        total.done as f64 / total.time.as_secs_f64()
    );
    println!("csmith: {} programs, {} differ", total.judged(), total.wrong);
    std::process::exit(i32::from(total.wrong > 0));
}
