//! All pairs of tests/pairs, each for a fixed number of runs: what `check` says of them is never wrong, and most
//! differences and proofs are found. Pairs marked `slow` need more, and are left to `./x bench pairs`.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use place::Place;
use serde_json::Value;

/// Runs for each pair.
const RUNS: &str = "600";
/// Pairs that are checked at the same time.
const WORKERS: usize = 3;
/// Differences and proofs that may be missed: how a search goes depends on addresses in the builds.
const MAY_BE_MISSED: usize = 4;

struct Pair {
    folder: PathBuf,
    verdict: String,
    /// How the versions differ, if they do.
    aspects: BTreeSet<String>,
}

/// What became of a pair.
enum Outcome {
    Right,
    Missed,
    Wrong(String),
}

#[test]
fn verdicts_are_right_and_most_differences_are_found() {
    let pairs = pairs();
    let outcomes = judged(&pairs);
    let name = |pair: &Pair| pair.folder.file_name().unwrap().to_str().unwrap().to_owned();
    let mut wrong = String::new();
    let mut missed = Vec::new();
    for (pair, outcome) in pairs.iter().zip(outcomes) {
        match outcome {
            Outcome::Wrong(why) => wrong += &format!("{}: {why}\n", name(pair)),
            Outcome::Missed => missed.push(name(pair)),
            Outcome::Right => {}
        }
    }
    assert!(wrong.is_empty() && missed.len() <= MAY_BE_MISSED, "{wrong}missed: {missed:?}");
}

/// The outcomes, in the order of the pairs.
fn judged(pairs: &[Pair]) -> Vec<Outcome> {
    let (next, place) = (AtomicUsize::new(0), Place::new());
    let work = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let numbers = numbers.take_while(|number| *number < pairs.len());
        numbers.map(|number| (number, judge(&place, number, &pairs[number]))).collect::<Vec<_>>()
    };
    let mut outcomes: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn judge(place: &Place, number: usize, pair: &Pair) -> Outcome {
    let [old, new] = ["old.c", "new.c"].map(|name| pair.folder.join(name));
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let out = format!("out-{number}");
    let limits = ["--runs", RUNS, "--jobs", "1", "--budget", "60s"];
    let printed =
        place.parallax(&[&["check", old, new, "--json", "--out", &out][..], &limits].concat());
    if printed.status > 1 {
        return Outcome::Wrong(printed.stderr);
    }
    let result: Value = serde_json::from_str(&printed.stdout).unwrap();
    let verdict = result["verdict"].as_str().unwrap();
    match (pair.verdict.as_str(), verdict) {
        ("different", "equivalent" | "unchanged") => Outcome::Wrong(format!("it is {verdict}")),
        ("different", "different") if shows(&result, &pair.aspects) => Outcome::Right,
        (_, "different") => Outcome::Wrong("a difference was found".to_owned()),
        ("equivalent", "equivalent") | ("no-difference-found", _) => Outcome::Right,
        ("different" | "equivalent", _) => Outcome::Missed,
        (other, _) => Outcome::Wrong(format!("{other} is no verdict of a pair")),
    }
}

/// Whether the findings show a difference in each of some aspects.
fn shows(result: &Value, aspects: &BTreeSet<String>) -> bool {
    let findings = result["findings"].as_array().unwrap();
    let seen = findings.iter().flat_map(|finding| finding["differs_in"].as_array().unwrap());
    let seen: BTreeSet<&str> = seen.filter_map(Value::as_str).collect();
    aspects.iter().all(|aspect| seen.contains(aspect.as_str()))
}

/// The pairs that are not slow, in order of their names.
fn pairs() -> Vec<Pair> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/pairs");
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut pairs: Vec<_> = entries
        .filter(|folder| folder.join("pair.toml").exists())
        .filter_map(|folder| read(folder.canonicalize().unwrap()))
        .collect();
    pairs.sort_by(|left, right| left.folder.cmp(&right.folder));
    pairs
}

/// The pair in a directory, unless it is slow.
fn read(folder: PathBuf) -> Option<Pair> {
    let text = fs::read_to_string(folder.join("pair.toml")).unwrap();
    let entry: toml::Table = text.parse().unwrap();
    let aspects = entry.get("differs_in").and_then(toml::Value::as_array);
    let aspects = aspects.into_iter().flatten().filter_map(toml::Value::as_str);
    if entry.contains_key("slow") {
        return None;
    }
    Some(Pair {
        verdict: entry["verdict"].as_str().unwrap().to_owned(),
        aspects: aspects.map(str::to_owned).collect(),
        folder,
    })
}
