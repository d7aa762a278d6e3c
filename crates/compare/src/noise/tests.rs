//! Which variations are noise after they were seen, and which are still differences.

use std::collections::BTreeMap;

use parallax_run::{Captured, Ending};

use super::*;

fn run(text: &str) -> Observation {
    Observation {
        ending: Ending::Exit(0),
        stdout: Captured::whole(text),
        stderr: Captured::default(),
        files: BTreeMap::new(),
    }
}

fn explained(one: &str, other: &str) -> Option<Explanation> {
    Explanation::of(&run(one), &run(other), &Ignore::default())
}

/// Learns from two texts that do not differ; tells whether two others count as noise.
#[track_caller]
fn check(seen: [&str; 2], noise: &[[&str; 2]], differences: &[[&str; 2]]) {
    let mut learnt = Noise::default();
    learnt.learn(&explained(seen[0], seen[1]).expect("it can be explained"));
    let is_noise = |texts: &[&str; 2]| {
        explained(texts[0], texts[1]).is_some_and(|explanation| learnt.explains(&explanation))
    };
    assert!(is_noise(&seen));
    for texts in noise {
        assert!(is_noise(texts), "{texts:?} after {seen:?}");
    }
    for texts in differences {
        assert!(!is_noise(texts), "{texts:?} after {seen:?}");
    }
}

#[test]
fn addresses_are_learnt_for_all_lines() {
    check(
        ["setsval 0x555500a1: x = 5\n", "setsval 0x555520b2: x = 5\n"],
        &[
            ["getfval 0x7ffe10 y\n", "getfval 0x7ffe20 y\n"],
            ["0x7ffe10\n7\n", "0x7ffe20\n7\n"],
            ["at 94310002334512 ok\n", "at 94310002334600 ok\n"],
            ["at 55d0c3a012a0 ok\n", "at 55d0c3a01bb0 ok\n"],
        ],
        &[
            ["setsval 0x555500a1: x = 5\n", "setsval 0x555520b2: x = 6\n"],
            ["setsval 0x555500a1: x = 5\n", "setsval 0x555520b2: y = 5\n"],
            ["mask 0x1f\n", "mask 0x2f\n"],
            ["0x555500a1\n", "0x555520b2\nmore\n"],
            ["0x555500a1\n", "(nil)\n"],
        ],
    );
}

#[test]
fn a_number_is_learnt_after_its_word() {
    check(
        ["pid 17 sum 5\n", "pid 18 sum 5\n"],
        &[["the pid 4\n", "the pid 5\n"], ["pid -1\n", "pid 1\n"]],
        &[
            ["pid 17 sum 5\n", "pid 18 sum 6\n"],
            ["pid 17\n", "pid unknown\n"],
            ["pid 17\n", "pid 17 18\n"],
            ["17\n", "18\n"],
        ],
    );
    check(
        ["of 3 7 items\n", "of 3 8 items\n"],
        &[["of 4 1 items\n", "of 4 2 items\n"]],
        &[["of 3 7 items\n", "of 4 7 items\n"]],
    );
    check(
        ["  9 items\n", " 10 items\n"],
        &[[" 12 items\n", "  1 items\n"]],
        &[["1  items\n", "1 items\n"]],
    );
    check(["node12 = a1\n", "node12 = b1\n"], &[["node7 = x\n", "node7 = y\n"]], &[]);
}

#[test]
fn a_number_without_words_is_learnt_by_its_position() {
    check(["5\n7\n", "5\n8\n"], &[["1\n2\n", "1\n3\n"]], &[["5\n7\n", "6\n7\n"]]);
}

#[test]
fn the_order_of_lines_is_learnt() {
    check(
        ["a\nb\nc\n", "b\na\nc\n"],
        &[["x\ny\n", "y\nx\n"]],
        &[["x\ny\n", "x\nx\n"], ["x\ny\n", "x\nz\n"]],
    );
    check(
        ["a 0x7ffe10\nb 0x7ffe20 1\n", "b 0x7ffe30 1\na 0x7ffe40\n"],
        &[["a 0x7ffe10\n", "a 0x7ffe20\n"]],
        &[["a 1\n", "b 1\n"]],
    );
}

#[test]
fn endings_files_and_other_streams_are_not_explained() {
    let one = run("0x555500a1\n");
    let other = Observation { ending: Ending::Exit(1), ..run("0x555520b2\n") };
    assert_eq!(Explanation::of(&one, &other, &Ignore::default()), None);
    let mut noise = Noise::default();
    noise.learn(&explained("0x555500a1\n", "0x555520b2\n").expect("it can be"));
    let elsewhere = |text: &str| Observation { stderr: Captured::whole(text), ..run("") };
    let found =
        Explanation::of(&elsewhere("0x555500a1\n"), &elsewhere("0x555520b2\n"), &Ignore::default());
    assert!(!noise.explains(&found.expect("it can be")));
}

#[test]
fn what_hides_a_difference_is_not_learnt_again() {
    let found = explained("sum 5\n", "sum 6\n").expect("it can be");
    let mut noise = Noise::default();
    noise.learn(&found);
    noise.refute(&found);
    assert!(!noise.explains(&found) && !noise.can_learn(&found));
    noise.learn(&found);
    assert!(!noise.explains(&found));
}

#[test]
fn what_is_explained_is_looked_at_ever_less_often() {
    let found = explained("sum 5\n", "sum 6\n").expect("it can be");
    let mut noise = Noise::default();
    let due: Vec<u32> = (1..=1000).filter(|_| noise.is_due(&found, &[0])).collect();
    assert_eq!(due, [1, 4, 16, 64, 256]);
    assert!(noise.is_due(&found, &[0, 1]), "another change may show there");
}
