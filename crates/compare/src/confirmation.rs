//! Confirmation: whether a difference is real, or noise that happens to look like one.
//!
//! The first runs of a test only propose a difference. It is then tested on runs that were not used
//! to propose it: as many of *old* as of *new*, in an order drawn from a seed. Each has to look
//! like the first runs of its own version and not like those of the other. If a program's output is
//! independent of the version, every order of `n` and `n` runs is equally likely to fit the
//! observations, and at most one of them fits: noise passes with a chance of 1 in `binomial(2n,
//! n)`, however it is distributed, and also if it changes slowly, as clocks and counters do. The
//! chances of all candidates of a command add up to [`RISK`].
//!
//! A test over the first runs themselves (how many divisions of them into two halves look as different as
//! this one) was rejected: output with many places that vary has many chances to differ somewhere, and
//! counting them needs as many judgements as there are divisions.
//!
//! Where many runs of a command were repeated and none ever varied, two more runs of each version are enough.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use parallax_deadline::Deadline;
use parallax_run::{Addresses, Observation, TestCase};

use crate::{Aspect, Failure, Ignore, Judgement, Runner, Version, aspect::Place, judge};

/// The chance that a command reports a difference that is noise, for values that do not depend on the version.
pub const RISK: f64 = 1e-4;

/// Repeated runs that have to agree with the run before them until a program counts as one that
/// does not vary. If runs of a program agree with chance `1 - 2x`, as those of a coin of which `x`
/// is the product of both chances, all of these agree and a candidate passes with two more runs
/// each with a chance of at most `2x⁴(1 - 2x)³²`, which is below 1 in 100,000 for all `x`.
const QUIET: u64 = 32;

/// Runs of each version that are always made to confirm a difference.
const FEWEST: usize = 2;

/// The most times that a test is proposed, each time with the noise learned before.
const ATTEMPTS: u32 = 4;

/// Runs of each version that are made to learn which parts vary before a test is proposed for the
/// second time; twice as many before the third time, and so on. A trial ends with the first run
/// that does not fit, so that it teaches little: a test that varies in several places independently
/// would never fit.
const LEARNING: usize = 4;

/// Runs of one test on both versions.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The runs of *old*.
    pub old: Vec<Observation>,
    /// The runs of *new*.
    pub new: Vec<Observation>,
}

impl Runs {
    /// Runs a test this often on each version, neither always before the other.
    pub fn add(
        &mut self,
        repeat: usize,
        runner: &mut dyn Runner,
        test: &TestCase,
    ) -> Result<(), Failure> {
        for round in 0..repeat {
            let order = match round % 2 {
                0 => [Version::Old, Version::New],
                _ => [Version::New, Version::Old],
            };
            for version in order {
                let seen = runner.run(version, test)?;
                self.of(version).push(seen);
            }
        }
        Ok(())
    }

    /// The judgement of these runs.
    pub fn judge(&self, ignore: &Ignore) -> Judgement {
        judge(&self.old, &self.new, ignore)
    }

    fn of(&mut self, version: Version) -> &mut Vec<Observation> {
        match version {
            Version::Old => &mut self.old,
            Version::New => &mut self.new,
        }
    }

    /// Number of runs that repeat an earlier one.
    fn repeated(&self) -> u64 {
        (self.old.len().saturating_sub(1) + self.new.len().saturating_sub(1)) as u64
    }
}

/// The experience of a command with the noise of its programs.
#[derive(Clone, Debug, Default)]
pub struct Experience {
    has_varied: bool,
    repeated: u64,
    candidates: u32,
}

impl Experience {
    /// Records the variation among the runs of a test.
    pub fn learn(&mut self, runs: &Runs, judgement: &Judgement) {
        self.has_varied |= judgement.varies();
        self.repeated += runs.repeated();
    }

    /// Whether a repeated run ever differed from the one before it.
    pub fn has_varied(&self) -> bool {
        self.has_varied
    }

    /// The rigour for the next candidate of a command that does not know how many there will be:
    /// the chances of an endless series add up. If no run has varied, more runs than the fewest are
    /// only made until `enough`.
    pub fn next(&mut self, enough: Deadline) -> Rigour {
        self.candidates = self.candidates.saturating_add(1);
        let number = f64::from(self.candidates);
        let chance = RISK * 6.0 / (std::f64::consts::PI * number).powi(2);
        self.rigour(chance, FEWEST, enough)
    }

    /// The rigour for each of so many candidates, with at least so many runs of each version.
    pub fn each_of(&self, candidates: usize, fewest: usize) -> Rigour {
        self.rigour(RISK / candidates.max(1) as f64, fewest.max(FEWEST), Deadline::NEVER)
    }

    fn rigour(&self, chance: f64, fewest: usize, enough: Deadline) -> Rigour {
        let trust = match () {
            () if self.has_varied => Trust::None,
            () if self.repeated >= QUIET => Trust::Earned,
            () => Trust::Until(enough),
        };
        Rigour { chance, fewest, trust }
    }
}

/// The rigour with which a difference is tested.
#[derive(Clone, Copy, Debug)]
pub struct Rigour {
    /// The chance with which noise may pass.
    chance: f64,
    /// Runs of each version that are always made.
    fewest: usize,
    trust: Trust,
}

/// Whether the fewest runs are enough, as long as the runs of this test do not vary either.
#[derive(Clone, Copy, Debug)]
enum Trust {
    /// They are not: runs of the command have varied.
    None,
    /// They are after this deadline: none has varied, and there were few.
    Until(Deadline),
    /// They are: none of many has varied.
    Earned,
}

impl Rigour {
    /// Whether the fewest runs were enough if no run varied.
    pub(crate) fn is_trusting(&self) -> bool {
        matches!(self.trust, Trust::Earned)
    }

    /// Runs of each version that a difference in so many places needs.
    fn runs(&self, attempt: u32, places: usize, has_varied: bool) -> usize {
        if self.is_trusting() && !has_varied {
            return self.fewest;
        }
        let share = self.chance / f64::from(1_u32 << (attempt + 1)) / places as f64;
        runs_for(share).max(self.fewest)
    }
}

/// The least number of runs of each version of which at most this share of all orders is one order.
fn runs_for(share: f64) -> usize {
    let (mut runs, mut orders) = (1_u32, 2.0);
    while orders * share < 1.0 - f64::EPSILON && runs < 100 {
        runs += 1;
        let n = f64::from(runs);
        orders *= 2.0 * (2.0 * n - 1.0) / n;
    }
    runs as usize
}

fn places(judgement: &Judgement) -> BTreeSet<Place> {
    let aspects = judgement.differs_in.iter().filter(|aspect| **aspect != Aspect::Files);
    let files = judgement.files.iter().cloned().map(Place::File);
    aspects.copied().map(Place::Aspect).chain(files).collect()
}

/// The judgement without the refuted places.
fn only_in(mut judgement: Judgement, places: &BTreeSet<Place>) -> Judgement {
    judgement.files.retain(|file| places.contains(&Place::File(file.clone())));
    let has_files = !judgement.files.is_empty();
    judgement.differs_in.retain(|aspect| match aspect {
        Aspect::Files => has_files,
        _ => places.contains(&Place::Aspect(*aspect)),
    });
    judgement
}

/// Tests a difference that some runs show, on more runs, which are added to them. Differences that
/// remain in the judgement are confirmed.
pub fn confirm(
    runs: &mut Runs,
    rigour: Rigour,
    runner: &mut dyn Runner,
    test: &TestCase,
    ignore: &Ignore,
) -> Result<Judgement, Failure> {
    let mut hasher = DefaultHasher::new();
    test.hash(&mut hasher);
    let mut draws = Draws(hasher.finish());
    for attempt in 0..ATTEMPTS {
        let mut judgement = runs.judge(ignore);
        if attempt > 0 && !places(&judgement).is_empty() {
            // Most false differences are refuted by now, or are refuted here.
            runner.set_addresses(Some(Addresses::Random));
            let learned = runs.add(LEARNING << (attempt - 1), runner, test);
            runner.set_addresses(None);
            learned?;
            judgement = runs.judge(ignore);
        }
        let proposed = places(&judgement);
        if proposed.is_empty() {
            return Ok(judgement);
        }
        let has_varied = judgement.varies();
        let each = rigour.runs(attempt, proposed.len(), has_varied);
        let enough = match rigour.trust {
            Trust::Until(enough) if !has_varied => Some(enough),
            _ => None,
        };
        if !rigour.is_trusting() || has_varied {
            // At fixed addresses, output that depends on them depends on the version.
            runner.set_addresses(Some(Addresses::Random));
        }
        let trial = Trial { each, fewest: rigour.fewest, enough, test, ignore };
        let held = trial.run(runs, proposed, runner, &mut draws);
        runner.set_addresses(None);
        let held = held?;
        let judgement = only_in(runs.judge(ignore), &held);
        if !judgement.differs_in.is_empty() {
            return Ok(judgement);
        }
    }
    Ok(only_in(runs.judge(ignore), &BTreeSet::new()))
}

/// One test of the proposed places.
struct Trial<'t> {
    /// Runs of each version.
    each: usize,
    fewest: usize,
    /// The deadline after which the fewest are enough; never, if there is none.
    enough: Option<Deadline>,
    test: &'t TestCase,
    ignore: &'t Ignore,
}

impl Trial<'_> {
    /// The proposed places that all runs confirmed.
    fn run(
        &self,
        runs: &mut Runs,
        mut held: BTreeSet<Place>,
        runner: &mut dyn Runner,
        draws: &mut Draws,
    ) -> Result<BTreeSet<Place>, Failure> {
        let (olds, news) = (runs.old.len(), runs.new.len());
        let (mut old, mut new) = (0, 0);
        while !held.is_empty() && (old < self.each || new < self.each) {
            let is_enough = |enough: Deadline| enough.is_over() && old.min(new) >= self.fewest;
            if self.enough.is_some_and(is_enough) {
                break;
            }
            let version = match draws.is_first(self.each - old, self.each - new) {
                true => Version::Old,
                false => Version::New,
            };
            let seen = match runner.run(version, self.test) {
                // The fewest runs were made.
                Err(Failure::OutOfTime) if self.enough.is_some() && old.min(new) >= self.fewest => {
                    break;
                }
                seen => seen?,
            };
            let to_old = judge(&runs.old[..olds], std::slice::from_ref(&seen), self.ignore);
            let to_new = judge(&runs.new[..news], std::slice::from_ref(&seen), self.ignore);
            let (own, other) = match version {
                Version::Old => (places(&to_old), places(&to_new)),
                Version::New => (places(&to_new), places(&to_old)),
            };
            held.retain(|place| !own.contains(place) && other.contains(place));
            runs.of(version).push(seen);
            match version {
                Version::Old => old += 1,
                Version::New => new += 1,
            }
        }
        Ok(held)
    }
}

/// Numbers that look random and are the same each time.
struct Draws(u64);

impl Draws {
    /// Whether the next item drawn from so many of a first kind and so many of a second is of the
    /// first.
    fn is_first(&mut self, first: usize, second: usize) -> bool {
        self.next() % ((first + second) as u64) < first as u64
    }

    /// The next number of the generator splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

#[cfg(test)]
mod tests;
