//! The promise of `equivalent`, attacked: each pair of tests/promises names the verdicts that are
//! wrong for it.
//!
//! A pair that differs has a witness, a test that shows the difference on plain builds: it keeps the pair
//! honest. A near miss looks like such a pair and is the same for all inputs; most of them must be proved,
//! or a checker that never proves anything would pass. Pairs marked `slow` are left to `./x bench promises`.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use place::{Place, Printed};
use serde_json::Value;

/// Pairs that are judged at the same time: more than a machine may have cores, as confirming a difference waits.
const WORKERS: usize = 3;
/// Of a hundred near misses, how many must be proved.
const PROVED: usize = 80;

/// The verdicts that are allowed for a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The versions differ on some input: `equivalent` is wrong.
    Different,
    /// The versions are the same for all inputs: `different` is wrong, and `equivalent` best.
    Equivalent,
    /// The versions differ in another environment only: `equivalent` must name the environment.
    Environment,
}

struct Pair {
    name: String,
    folder: PathBuf,
    expected: Expected,
    flags: Vec<String>,
}

/// The verdict of `check`, or the error.
type Outcome = Result<String, String>;

#[test]
fn equivalent_is_said_of_no_pair_that_differs_and_of_most_near_misses() {
    let pairs = quick_pairs();
    let outcomes = judged(&pairs);
    let faults: Vec<_> = pairs
        .iter()
        .zip(&outcomes)
        .filter_map(|(pair, outcome)| Some(format!("{}: {}\n", pair.name, outcome.as_ref().err()?)))
        .collect();
    let same =
        || pairs.iter().zip(&outcomes).filter(|(pair, _)| pair.expected == Expected::Equivalent);
    let is_proved = |outcome: &Outcome| outcome.as_deref() == Ok("equivalent");
    let proved = same().filter(|(_, outcome)| is_proved(outcome)).count();
    let unproved: Vec<_> = same()
        .filter(|(_, outcome)| !is_proved(outcome))
        .map(|(pair, _)| format!("not proved: {}\n", pair.name))
        .collect();
    let enough = proved * 100 >= same().count() * PROVED;
    assert!(
        faults.is_empty() && enough,
        "{} of {} pairs are wrong, {proved} of {} near misses proved\n{}{}",
        faults.len(),
        pairs.len(),
        same().count(),
        faults.concat(),
        unproved.concat(),
    );
}

/// The outcome of each pair, in their order.
fn judged(pairs: &[Pair]) -> Vec<Outcome> {
    let (next, place) = (AtomicUsize::new(0), Place::new());
    let work = || {
        let mut done = Vec::new();
        while let Some((index, pair)) = take(&next, pairs) {
            done.push((index, judge(&place, pair)));
        }
        done
    };
    let mut outcomes: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn take<'a>(next: &AtomicUsize, pairs: &'a [Pair]) -> Option<(usize, &'a Pair)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, pairs.get(index)?))
}

fn judge(place: &Place, pair: &Pair) -> Outcome {
    check_witness(place, pair)?;
    let budget = if pair.expected == Expected::Equivalent { "5s" } else { "1s" };
    let words = ["--budget", budget, "--jobs", "1", "--out", &pair.name];
    let printed = run(place, pair, "check", &words);
    if printed.status > 1 {
        return Err(format!("check failed: {}", printed.stderr));
    }
    let result: Value =
        serde_json::from_str(&place.read(&format!("{}/result.json", pair.name))).unwrap();
    let verdict = result["verdict"].as_str().unwrap().to_string();
    match (pair.expected, verdict.as_str()) {
        (Expected::Different, "equivalent") => Err("false equivalent".into()),
        (Expected::Equivalent, "different") => Err("false difference".into()),
        (Expected::Environment, "equivalent") if !printed.stdout.contains("environment") => {
            Err("equivalent, and the environment is not named".into())
        }
        _ => Ok(verdict),
    }
}

/// Runs the witness on plain builds, which must show the difference.
fn check_witness(place: &Place, pair: &Pair) -> Result<(), String> {
    let witness = pair.folder.join("witness.toml");
    match (pair.expected, witness.exists()) {
        (Expected::Different, false) => Err("it has no witness".into()),
        (Expected::Different, true) => {
            let printed = run(place, pair, "compare", &["--tests", witness.to_str().unwrap()]);
            let shown = printed.status == 1;
            shown.then_some(()).ok_or(format!("the witness shows nothing: {}", printed.stderr))
        }
        (_, false) => Ok(()),
        (_, true) => Err("it has a witness of a difference that it does not have".into()),
    }
}

fn run(place: &Place, pair: &Pair, verb: &str, more: &[&str]) -> Printed {
    let versions = ["old.c", "new.c"].map(|name| pair.folder.join(name));
    let mut words = vec![verb, versions[0].to_str().unwrap(), versions[1].to_str().unwrap()];
    words.extend(pair.flags.iter().map(String::as_str));
    words.extend(more);
    place.parallax(&words)
}

/// The pairs that are not marked as slow, in order of their names.
fn quick_pairs() -> Vec<Pair> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/promises");
    let mut pairs: Vec<_> = folders(&root)
        .iter()
        .flat_map(|class| folders(class))
        .filter_map(|folder| read(folder.canonicalize().unwrap()))
        .collect();
    pairs.sort_by(|left, right| left.name.cmp(&right.name));
    pairs
}

fn folders(of: &Path) -> Vec<PathBuf> {
    fs::read_dir(of)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect()
}

/// The pair in a directory, unless it is slow.
fn read(folder: PathBuf) -> Option<Pair> {
    let text = fs::read_to_string(folder.join("pair.toml")).unwrap();
    let entry: toml::Table = text.parse().unwrap();
    if entry.contains_key("slow") {
        return None;
    }
    let flags = ["cflags", "ldflags"].iter().filter_map(|name| {
        let value = entry.get(*name)?.as_str().unwrap();
        Some(format!("--{name}={value}"))
    });
    let expected = match entry["verdict"].as_str().unwrap() {
        "different" => Expected::Different,
        "equivalent" => Expected::Equivalent,
        "environment" => Expected::Environment,
        other => panic!("{}: {other} is no verdict", folder.display()),
    };
    let part = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    let name = format!("{}/{}", part(folder.parent().unwrap()), part(&folder));
    Some(Pair { name, flags: flags.collect(), expected, folder })
}
