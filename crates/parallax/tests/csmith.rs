//! A handful of programs that Csmith writes; `./x bench csmith` takes thousands.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

#[path = "csmith/mod.rs"]
mod csmith;
mod tracing;

use csmith::Verdict;

#[test]
fn programs_do_the_same_when_they_are_traced() {
    let folder = tempfile::tempdir().unwrap();
    let mut checker = csmith::checker();
    let mut judged = 0;
    for seed in 1..=6 {
        match csmith::check(&mut checker, seed, folder.path()) {
            Ok(Verdict::Right(_)) => judged += 1,
            Ok(Verdict::Skipped(_)) => {}
            Err(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(judged >= 3, "{judged} of 6 programs could be judged");
}
