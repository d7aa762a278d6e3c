//! Each shape on a small example, and properties of all of them.

use proptest::{collection, prelude::*};

use super::*;

fn sample(text: &[u8]) -> Sample<'_> {
    Sample { bytes: Cow::Borrowed(text), beyond: Some(Beyond::default()) }
}

fn template(runs: &[&str]) -> Template {
    let samples: Vec<Sample<'_>> = runs.iter().map(|run| sample(run.as_bytes())).collect();
    let template = Template::of(&samples);
    for run in &samples {
        assert!(template.matches(run), "{template:?} was made from {run:?}");
    }
    template
}

fn check(runs: &[&str], matching: &[&str], others: &[&str]) {
    let template = template(runs);
    for text in matching {
        assert!(template.matches(&sample(text.as_bytes())), "{template:?} and {text:?}");
    }
    for text in others {
        assert!(!template.matches(&sample(text.as_bytes())), "{template:?} and {text:?}");
    }
}

#[test]
fn runs_that_agree_match_only_themselves() {
    check(&["a\nb\n", "a\nb\n"], &["a\nb\n"], &["a\nb", "b\na\n", "", "a\nb\nc\n"]);
    check(&["", ""], &[""], &["\n"]);
}

#[test]
fn lines_in_any_order_must_all_be_there() {
    check(
        &["a\nb\nc\n", "c\na\nb\n"],
        &["b\nc\na\n"],
        &["a\nb\n", "a\nb\nd\n", "a\nb\nc\nc\n", "a\na\nb\n"],
    );
}

#[test]
fn what_stands_beside_a_time_stamp_still_counts() {
    check(
        &["start 10:01\nsum 5\n", "start 10:02\nsum 5\n"],
        &["start 10:59\nsum 5\n"],
        &["start 10:59\nsum 6\n", "begin 10:01\nsum 5\n", "start 10:59\n\nsum 5\n"],
    );
}

#[test]
fn a_varying_number_of_lines_leaves_gaps() {
    check(
        &["begin\ntry\ntry\nend\n", "begin\ntry\nend\n"],
        &["begin\ntry\nretry\ntry\ntry\nend\n"],
        &["begin\nend\n", "begin\ntry\n", "x\nbegin\ntry\nend\n", "begin\ntry\nend\nx\n"],
    );
}

#[test]
fn lines_that_moved_are_not_taken_for_lines_that_vary() {
    check(
        &["a\nwarning\nb\nc\n", "a\nb\nc\nwarned\n"],
        &["a\nb\nc\n", "a\nx\ny\nb\nc\n"],
        &["a\nb\n", "b\nc\n"],
    );
}

#[test]
fn blocks_are_found_after_false_starts() {
    check(
        &["x\na\na\nb\nend\n", "a\na\nb\ny\nz\nend\n"],
        &["a\na\na\nb\nend\n", "a\nb\na\na\na\na\nb\nend\n"],
        &["a\nb\na\nb\nend\n"],
    );
}

#[test]
fn nothing_in_common_is_all_noise() {
    check(&["x\n", "y\nz\n"], &["", "anything\nat all"], &[]);
}

#[test]
fn what_is_beyond_the_cap_counts_if_it_is_known() {
    let capped = |length: Option<u64>| Sample {
        bytes: Cow::Borrowed(b"kept".as_slice()),
        beyond: length.map(|length| Beyond { length, digest: 1 }),
    };
    let other = Sample { beyond: Some(Beyond { length: 5, digest: 2 }), ..capped(None) };
    let template = Template::of(&[capped(Some(5)), capped(Some(5))]);
    assert!(template.matches(&capped(Some(5))));
    assert!(!template.matches(&capped(Some(6))));
    assert!(!template.matches(&other));
    assert!(template.matches(&capped(None)));
    let varying = Template::of(&[capped(Some(5)), capped(Some(7))]);
    assert!(varying.matches(&capped(Some(6))));
    let varying = Template::of(&[capped(Some(5)), other]);
    assert!(varying.matches(&capped(Some(6))));
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "[ab1 -]{0,3}(\n[ab1 -]{0,3}){0,8}\n?".prop_map(String::into_bytes),
        collection::vec(any::<u8>(), 0..40),
    ]
}

proptest! {
    #[test]
    fn every_run_matches_its_template(
        runs in collection::vec(text(), 1..5),
        beyond in prop_oneof![
            Just(Some(Beyond::default())),
            Just(Some(Beyond { length: 7, digest: 9 })),
            Just(None),
        ],
    ) {
        let sample = |run| Sample { beyond, ..sample(run) };
        let samples: Vec<Sample<'_>> = runs.iter().map(|run| sample(run)).collect();
        let template = Template::of(&samples);
        for run in &samples {
            prop_assert!(template.matches(run), "{:?} and {:?}", template, run);
        }
    }

    #[test]
    fn a_stable_run_matches_nothing_else(run in text(), other in text()) {
        let template = Template::of(&[sample(&run), sample(&run)]);
        prop_assert_eq!(template.matches(&sample(&other)), run == other);
    }
}
