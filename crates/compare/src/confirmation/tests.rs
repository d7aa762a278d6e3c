//! Programs whose output is independent of their version, in place of runs.

use std::time::Duration;

use parallax_run::{Captured, Ending};
use proptest::prelude::*;

use super::*;

/// A program: its output in its n-th run, which a pseudorandom number may decide.
struct Scripted<F> {
    print: F,
    runs: u64,
    draws: Draws,
}

impl<F: FnMut(Version, u64, u64) -> String + Send> Runner for Scripted<F> {
    fn run(&mut self, version: Version, _: &TestCase) -> Result<Observation, Failure> {
        self.runs += 1;
        let drawn = self.draws.next();
        Ok(Observation {
            ending: Ending::Exit(0),
            stdout: Captured::whole((self.print)(version, self.runs, drawn)),
            stderr: Captured::default(),
            files: Default::default(),
        })
    }
}

fn scripted<F>(print: F, seed: u64) -> Scripted<F> {
    Scripted { print, runs: 0, draws: Draws(seed) }
}

fn test(seed: u64) -> TestCase {
    TestCase { args: vec![seed.to_string().into_bytes()], ..TestCase::default() }
}

/// Whether a program is found to differ from itself, or two from each other, and the number of runs
/// that took.
fn found<F: FnMut(Version, u64, u64) -> String + Send>(
    print: F,
    rigour: Rigour,
    seed: u64,
) -> (bool, u64) {
    let mut runner = scripted(print, seed);
    let (mut runs, test, ignore) = (Runs::default(), test(seed), Ignore::default());
    runs.add(2, &mut runner, &test).expect("it runs");
    if runs.judge(&ignore).differs_in.is_empty() {
        return (false, runner.runs);
    }
    let judgement = confirm(&mut runs, rigour, &mut runner, &test, &ignore).expect("it runs");
    (!judgement.differs_in.is_empty(), runner.runs)
}

fn strict(chance: f64) -> Rigour {
    Rigour { chance, fewest: FEWEST, trust: Trust::None }
}

#[test]
fn the_number_of_runs_follows_from_the_chance() {
    assert_eq!(runs_for(1.0), 1);
    assert_eq!(runs_for(1.0 / 6.0), 2);
    assert_eq!(runs_for(1.0 / 7.0), 3);
    assert_eq!(runs_for(1.0 / 48_620.0), 9);
    let first = Experience::default().next(Deadline::NEVER);
    assert_eq!(first.runs(0, 1, false), 9);
    let mut experience = Experience { has_varied: true, ..Experience::default() };
    let chances: f64 = (0..2000).map(|_| experience.next(Deadline::NEVER).chance).sum();
    assert!(chances <= RISK && chances > 0.99 * RISK, "{chances}");
}

#[test]
fn few_runs_are_enough_where_many_were_the_same() {
    let differ = |version, _, _| format!("{version:?}\n");
    let quiet = Experience { repeated: QUIET, ..Experience::default() };
    assert_eq!(found(differ, quiet.each_of(1, 2), 1), (true, 4 + 4));
    assert_eq!(found(differ, quiet.each_of(1, 5), 1), (true, 4 + 10), "the user may want more");
    let noisy = Experience { has_varied: true, ..quiet.clone() };
    assert!(found(differ, noisy.each_of(1, 2), 1).1 > 4 + 4);
    // A test that varies is not trusted, whatever others do.
    let beside = |version, run, _| format!("{run}\n{version:?}\n");
    let (differs, runs) = found(beside, quiet.each_of(1, 2), 1);
    assert!(differs && runs > 4 + 4, "{runs}");
}

#[test]
fn few_runs_have_to_be_enough_when_time_is_short() {
    let differ = |version, _, _| format!("{version:?}\n");
    let over = Deadline::NEVER.within(Duration::ZERO);
    let (differs, runs) = found(differ, Experience::default().next(over), 1);
    assert!(differs && (4 + 4..4 + 18).contains(&runs), "{runs}");
    let noisy = Experience { has_varied: true, ..Experience::default() }.next(over);
    assert_eq!(found(differ, noisy, 1), (true, 4 + 18), "not if something varies");
}

/// Runs for which the time is over after so many.
struct Short<R> {
    runner: R,
    left: u32,
}

impl<R: Runner> Runner for Short<R> {
    fn run(&mut self, version: Version, test: &TestCase) -> Result<Observation, Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::OutOfTime)?;
        self.runner.run(version, test)
    }
}

#[test]
fn what_there_is_no_time_to_confirm_is_not_confirmed() {
    let runner = scripted(|version, _, _| format!("{version:?}\n"), 1);
    let mut short = Short { runner, left: 12 };
    let (mut runs, test, ignore) = (Runs::default(), test(1), Ignore::default());
    runs.add(2, &mut short, &test).expect("there is time for it");
    let confirmed = confirm(&mut runs, strict(RISK), &mut short, &test, &ignore);
    assert_eq!(confirmed, Err(Failure::OutOfTime));
}

/// Number of times that a program is found to differ from itself, in so many independent tests.
fn false_findings(print: fn(u64, u64) -> String, rigour: Rigour, tests: u64) -> usize {
    let differs = |seed: &u64| found(|_, run, drawn| print(run, drawn), rigour, *seed).0;
    (0..tests).filter(differs).count()
}

fn coin(_: u64, drawn: u64) -> String {
    format!("{}\n", drawn % 2)
}

/// Forty bits, of which some look the same in a few runs of one version.
fn coins(_: u64, drawn: u64) -> String {
    (0..40).map(|bit| format!("{}\n", drawn >> bit & 1)).collect()
}

fn parity(run: u64, _: u64) -> String {
    format!("{}\n", run % 2)
}

fn clock(run: u64, _: u64) -> String {
    format!("second {}\n", run / 5)
}

fn turns_once(run: u64, _: u64) -> String {
    format!("{}\n", run > 2)
}

#[test]
fn noise_passes_as_rarely_as_is_said() {
    // One chance in twenty, so that some can be seen to pass.
    for (name, print) in [
        ("coin", coin as fn(u64, u64) -> String),
        ("coins", coins),
        ("parity", parity),
        ("clock", clock),
        ("turns once", turns_once),
    ] {
        let passed = false_findings(print, strict(0.05), 800);
        assert!(passed < 40, "{name}: {passed} of 800");
        assert_eq!(false_findings(print, strict(RISK), 800), 0, "{name}");
    }
    let trusting = Rigour { trust: Trust::Earned, ..strict(RISK) };
    assert!(false_findings(coin, trusting, 4000) > 0, "fewer runs are not enough for a coin");
}

#[test]
fn a_coin_costs_little() {
    let (mut runs, tests) = (0, 3000);
    for seed in 0..tests {
        let (differs, cost) = found(|_, run, drawn| coin(run, drawn), strict(1e-8), seed);
        assert!(!differs, "test {seed}");
        runs += cost;
    }
    let mean = runs as f64 / tests as f64;
    assert!(mean < 5.0, "{mean} runs for each comparison");
}

#[test]
fn differences_beside_noise_pass() {
    let beside = |version: Version, run: u64, drawn: u64| {
        let word = if version == Version::Old { "sum 5" } else { "sum 50" };
        format!("[{run}] {word} {}\ndone\n", drawn % 2)
    };
    for seed in 0..50 {
        assert!(found(beside, strict(RISK), seed).0, "seed {seed}");
    }
}

#[test]
fn differences_beside_much_that_varies_by_itself_pass() {
    let beside = |version: Version, _: u64, drawn: u64| {
        let bits: String = (0..8).map(|bit| format!("{}\n", drawn >> bit & 1)).collect();
        format!("{bits}{}\n", if version == Version::Old { 12 } else { 13 })
    };
    let passed = (0..100).filter(|seed| found(beside, strict(RISK), *seed).0).count();
    assert!(passed >= 90, "{passed} of 100");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One order of all fits the observations of a fixed program: whatever it prints, the share of
    /// seeds for which it passes is bounded.
    #[test]
    fn a_fixed_sequence_passes_rarely(bits in any::<u64>()) {
        let print = |run: u64| format!("{}\n", bits >> (run % 64) & 1);
        let passed = (0..200).filter(|seed| found(|_, run, _| print(run), strict(0.01), *seed).0);
        prop_assert!(passed.count() <= 10);
    }
}
