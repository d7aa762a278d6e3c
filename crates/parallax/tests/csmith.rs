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
    let (mut judged, mut conditions, mut skipped) = (0, 0, Vec::new());
    for seed in 1..=6 {
        match csmith::check(&mut checker, seed, folder.path()) {
            Ok(Verdict::Right(stats)) => {
                judged += 1;
                conditions += stats.conditions;
            }
            Ok(Verdict::Skipped(why)) => skipped.push(why),
            Err(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(
        judged >= 3 && conditions > 0,
        "{judged} programs, {conditions} conditions, {skipped:?}"
    );
}
