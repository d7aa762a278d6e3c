//! Whether plain builds of both versions show a difference, every time; and the smallest test that
//! shows it.

use std::{thread, time::Duration};

use anyhow::anyhow;
use parallax_compare::{Difference, Failure, Ignore, LabRunner, Runner, Version, judge};
use parallax_run::{Ending, Limits, Observation, Subject, TestCase, lab::Lab};
use parallax_search::shrunk;

use crate::study::Study;

/// How often each version runs a test before a difference counts.
const REPEAT: usize = 2;
/// A program that prints the time looks stable within a second.
const SETTLE: Duration = Duration::from_millis(1100);
/// Runs of both versions that are spent on making a test smaller.
const MOST_RUNS: usize = 160;
const SLOW_RUNS: usize = 3;

/// Functions by which a program can tell the time.
const CLOCKS: &[&str] = &[
    "time",
    "gettimeofday",
    "clock_gettime",
    "clock",
    "ftime",
    "times",
    "localtime",
    "gmtime",
    "localtime_r",
    "gmtime_r",
    "ctime",
    "ctime_r",
    "strftime",
    "getrusage",
    "timespec_get",
    "stat",
    "fstat",
    "lstat",
    "fstatat",
    "statx",
    "__xstat",
    "__fxstat",
    "utime",
    "utimes",
    "sysinfo",
    "nanosleep",
    "sleep",
    "usleep",
    "alarm",
    "getrandom",
    "syscall",
];

/// What a few runs show.
pub(super) struct Look {
    pub(super) difference: Option<Difference>,
    /// Whether runs of one version differ.
    pub(super) is_noisy: bool,
}

/// How long a run may take: as long as the user says, and as long as most programs need a hundredth of.
pub(super) struct Patience {
    pub(super) full: Limits,
    pub(super) short: Limits,
}

impl Patience {
    pub(super) fn of(full: Limits) -> Patience {
        let short = Limits { time: full.time.min(Duration::from_secs(1)), ..full.clone() };
        Patience { full, short }
    }
}

pub(super) struct Confirmer<'c> {
    /// With a little patience.
    runner: LabRunner<'c>,
    /// With all of it.
    patient: LabRunner<'c>,
    ignore: Ignore,
    /// Whether one of the versions may know the time.
    has_clock: bool,
}

impl<'c> Confirmer<'c> {
    pub(super) fn new(
        labs: Vec<Lab>,
        (old, new): (Subject, Subject),
        patience: &'c Patience,
        ignore: Ignore,
        study: &Study<'_>,
    ) -> Confirmer<'c> {
        let functions = [study.old, study.new].into_iter().flat_map(|it| &it.program.functions);
        let mut outside = functions.filter(|function| function.blocks.is_empty());
        let has_clock = outside.any(|function| CLOCKS.contains(&function.name.as_str()));
        let [one, other]: [Lab; 2] =
            labs.try_into().unwrap_or_else(|_| unreachable!("two were started"));
        Confirmer {
            runner: LabRunner::new(one, old.clone(), new.clone(), &patience.short),
            patient: LabRunner::new(other, old, new, &patience.full),
            ignore,
            has_clock,
        }
    }

    /// The difference that a test shows on plain builds, as far as a few runs tell.
    pub(super) fn look(&mut self, test: &TestCase) -> anyhow::Result<Look> {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for _ in 0..REPEAT {
            old.push(self.run(Version::Old, test)?);
            new.push(self.run(Version::New, test)?);
        }
        let is_noisy = !judge(&old, &new, &self.ignore).masked.is_empty();
        Ok(Look { difference: self.difference(&old, &new), is_noisy })
    }

    /// The difference that a test shows on plain builds, each time; `None` if it does not.
    fn confirm(&mut self, test: &TestCase) -> anyhow::Result<Option<Difference>> {
        let old = [self.run(Version::Old, test)?];
        let new = [self.run(Version::New, test)?];
        if old.iter().chain(&new).all(|seen| seen.ending != Ending::TimeLimit) {
            return self.confirm_soon(test);
        }
        // Whoever is slow is not stuck.
        let old = [observed(self.patient.run(Version::Old, test))?];
        let new = [observed(self.patient.run(Version::New, test))?];
        Ok(self.difference(&old, &new))
    }

    fn confirm_soon(&mut self, test: &TestCase) -> anyhow::Result<Option<Difference>> {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for round in 0..2 {
            for _ in 0..REPEAT {
                old.push(self.run(Version::Old, test)?);
                new.push(self.run(Version::New, test)?);
            }
            if judge(&old, &new, &self.ignore).differs_in.is_empty() {
                return Ok(None);
            }
            if round == 0 && self.has_clock {
                thread::sleep(SETTLE);
            }
        }
        Ok(self.difference(&old, &new))
    }

    /// The smallest test that shows the same kind of difference each time, and what it shows; `None`
    /// if not even the given one does.
    pub(super) fn shrink(
        &mut self,
        test: &TestCase,
        difference: &Difference,
    ) -> anyhow::Result<Option<(TestCase, Difference)>> {
        // A run that does not end takes as long as it may.
        let is_slow =
            [&difference.old, &difference.new].iter().any(|it| it.ending == Ending::TimeLimit);
        let tries = if is_slow { SLOW_RUNS } else { MOST_RUNS };
        let small = shrunk(test, tries, &mut |smaller| -> anyhow::Result<bool> {
            let old = [self.run(Version::Old, smaller)?];
            let new = [self.run(Version::New, smaller)?];
            let found = self.difference(&old, &new);
            Ok(found.is_some_and(|found| is_alike(&found, difference)))
        })?;
        // What was seen once is not enough.
        for test in [&small, test] {
            if let Some(found) = self.confirm(test)? {
                return Ok(Some((test.clone(), found)));
            }
        }
        Ok(None)
    }

    fn difference(&self, old: &[Observation], new: &[Observation]) -> Option<Difference> {
        let judgement = judge(old, new, &self.ignore);
        (!judgement.differs_in.is_empty()).then(|| Difference {
            differs_in: judgement.differs_in,
            files: judgement.files,
            old: old[0].clone(),
            new: new[0].clone(),
        })
    }

    fn run(&mut self, version: Version, test: &TestCase) -> anyhow::Result<Observation> {
        observed(self.runner.run(version, test))
    }
}

fn observed(seen: Result<Observation, Failure>) -> anyhow::Result<Observation> {
    seen.map_err(|failure| match failure {
        Failure::Test(why) | Failure::Runner(why) => anyhow!("failed to {why}"),
    })
}

/// Whether two differences are of one kind.
fn is_alike(one: &Difference, other: &Difference) -> bool {
    let kind = |ending: parallax_run::Ending| std::mem::discriminant(&ending);
    one.differs_in == other.differs_in
        && kind(one.old.ending) == kind(other.old.ending)
        && kind(one.new.ending) == kind(other.new.ending)
}
