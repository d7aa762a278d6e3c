//! Confirmation: whether plain builds of both versions show a difference every time; and the
//! smallest test that shows it.

use std::time::Duration;

use parallax_compare::{
    Difference, Experience, Failure, Ignore, Judgement, LabRunner, Runner, Runs, Variation,
    Version, confirm,
};
use parallax_deadline::{Deadline, OutOfTime};
use parallax_program::Program;
use parallax_run::{Ending, Limits, Observation, Subject, TestCase, lab::Lab};
use parallax_search::shrunk;

use crate::{CheckError, error::in_time};

/// Runs of each version before a difference is proposed.
const REPEAT: usize = 2;
/// A program that prints the time looks stable within a second.
const SETTLE: Duration = Duration::from_millis(1100);

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

/// The result of a few runs.
pub(crate) struct Look {
    pub(crate) difference: Option<Difference>,
    /// Whether runs of one version differ.
    pub(crate) is_noisy: bool,
    /// Whether all runs were observed to their ends, so that no difference means that there is
    /// none.
    pub(crate) is_decided: bool,
}

/// The number of smaller tests to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tries {
    pub(crate) usual: usize,
    /// If a run reaches its time limit.
    pub(crate) slow: usize,
}

/// The effort for minimising one test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shrinking {
    pub(crate) tries: Tries,
    /// When to stop trying.
    pub(crate) until: Deadline,
}

/// Limits of runs: those of the user, and shorter ones that are enough for most programs.
pub(crate) struct TimeLimits {
    pub(crate) full: Limits,
    pub(crate) short: Limits,
}

impl TimeLimits {
    pub(crate) fn of(full: Limits) -> TimeLimits {
        let short = Limits { time: full.time.min(Duration::from_secs(1)), ..full.clone() };
        TimeLimits { full, short }
    }
}

/// Whether a program can read the time and so look stable only while it is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Neither version reads the time.
    None,
    /// One of them may.
    Possible,
}

impl Clock {
    /// Decides by the names of the functions that the versions call.
    pub(crate) fn of(versions: [&Program; 2]) -> Clock {
        let functions = versions.into_iter().flat_map(|program| &program.functions);
        let mut outside = functions.filter(|function| function.blocks.is_empty());
        match outside.any(|function| CLOCKS.contains(&function.name.as_str())) {
            true => Clock::Possible,
            false => Clock::None,
        }
    }
}

/// Runs plain builds of both versions.
pub(crate) struct Confirmer<'c> {
    /// With the short limits.
    runner: Box<dyn Runner + 'c>,
    /// With the full limits.
    patient: Box<dyn Runner + 'c>,
    ignore: Ignore,
    clock: Clock,
    deadline: Deadline,
    /// The end of extra runs for programs that have not varied.
    enough: Deadline,
    experience: Experience,
    /// The first variation between runs of one version.
    variation: Option<Variation>,
}

impl<'c> Confirmer<'c> {
    /// The number of labs that it needs.
    pub(crate) const LABS: usize = 2;

    pub(crate) fn new(
        labs: Vec<Lab>,
        [old, new]: [Subject; 2],
        time_limits: &'c TimeLimits,
        ignore: Ignore,
        clock: Clock,
    ) -> Confirmer<'c> {
        let [one, other]: [Lab; Confirmer::LABS] =
            labs.try_into().unwrap_or_else(|_| unreachable!("two were started"));
        let runner = LabRunner::new(one, old.clone(), new.clone(), &time_limits.short);
        let patient = LabRunner::new(other, old, new, &time_limits.full);
        Confirmer::with((Box::new(runner), Box::new(patient)), ignore, clock)
    }

    /// Makes one with a runner for each of the limits.
    pub(crate) fn with(
        (runner, patient): (Box<dyn Runner + 'c>, Box<dyn Runner + 'c>),
        ignore: Ignore,
        clock: Clock,
    ) -> Confirmer<'c> {
        let (deadline, enough, experience, variation) = Default::default();
        Confirmer { runner, patient, ignore, clock, deadline, enough, experience, variation }
    }

    /// Ends runs at this deadline from now on, with an [`OutOfTime`].
    pub(crate) fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.runner.set_deadline(deadline);
        self.patient.set_deadline(deadline);
    }

    fn settle(&self) -> Result<(), OutOfTime> {
        if self.deadline.sleep(SETTLE) { Ok(()) } else { Err(OutOfTime) }
    }

    /// Sets the end of extra runs: after it, fewer runs confirm a difference if none has varied.
    pub(crate) fn set_enough(&mut self, enough: Deadline) {
        self.enough = enough;
    }

    /// Runs a test a few times: the difference that plain builds show.
    pub(crate) fn look(&mut self, test: &TestCase) -> Result<Look, CheckError> {
        let (runs, judgement) = self.proposed(test)?;
        let difference = Difference::of(&judgement, &runs, &self.ignore);
        let (is_noisy, is_decided) = (!judgement.masked.is_empty(), judgement.undecided.is_none());
        Ok(Look { difference, is_noisy, is_decided })
    }

    /// Confirms a difference on plain builds, apart from noise; `None` if there is none.
    pub(crate) fn confirm(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        let old = self.run(Version::Old, test)?;
        let new = self.run(Version::New, test)?;
        if [&old, &new].iter().all(|seen| seen.ending != Ending::TimeLimit) {
            return self.confirm_soon(test);
        }
        // A slow program is not stuck. A run that ended is reused; one that did not is repeated
        // with the full limit.
        let seen = |run: Observation| match run.ending {
            Ending::TimeLimit => Vec::new(),
            _ => vec![run],
        };
        let mut runs = Runs { old: seen(old), new: seen(new) };
        let patient = self.patient.as_mut();
        judged(runs.add(1, patient, test))?;
        let judgement = match self.experience.has_varied() {
            true => {
                let rigour = self.experience.next(self.enough);
                judged(confirm(&mut runs, rigour, patient, test, &self.ignore))?
            }
            false => runs.judge(&self.ignore),
        };
        Ok(Difference::of(&judgement, &runs, &self.ignore))
    }

    fn confirm_soon(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        let (mut runs, judgement) = self.proposed(test)?;
        if judgement.differs_in.is_empty() {
            return Ok(None);
        }
        if self.clock == Clock::Possible {
            self.settle()?;
        }
        let rigour = self.experience.next(self.enough);
        let judgement = confirm(&mut runs, rigour, self.runner.as_mut(), test, &self.ignore);
        let judgement = judged(judgement)?;
        self.learn(&runs, &judgement);
        Ok(Difference::of(&judgement, &runs, &self.ignore))
    }

    /// Runs a test a few times and judges the runs.
    fn proposed(&mut self, test: &TestCase) -> Result<(Runs, Judgement), CheckError> {
        let mut runs = Runs::default();
        judged(runs.add(REPEAT, self.runner.as_mut(), test))?;
        let judgement = runs.judge(&self.ignore);
        self.learn(&runs, &judgement);
        Ok((runs, judgement))
    }

    fn learn(&mut self, runs: &Runs, judgement: &Judgement) {
        self.experience.learn(runs, judgement);
        if judgement.varies() && self.variation.is_none() {
            self.variation = Variation::of(runs);
        }
    }

    /// Whether runs of one version have ever differed. Earlier findings were confirmed by fewer
    /// runs than varying programs need.
    pub(crate) fn has_varied(&self) -> bool {
        self.experience.has_varied()
    }

    /// An example of what varies from run to run, if something does.
    pub(crate) fn variation(&self) -> Option<&Variation> {
        self.variation.as_ref()
    }

    /// Minimises a test: the smallest one that has the same kind of difference each time and that
    /// the caller accepts, and its difference; `None` if that is the given one.
    pub(crate) fn shrink(
        &mut self,
        test: &TestCase,
        difference: &Difference,
        Shrinking { tries, until }: Shrinking,
        is_wanted: &mut dyn FnMut(&TestCase) -> bool,
    ) -> Result<Option<(TestCase, Difference)>, CheckError> {
        let is_slow =
            [&difference.old, &difference.new].iter().any(|it| it.ending == Ending::TimeLimit);
        let tries = if is_slow { tries.slow } else { tries.usual };
        let small = shrunk(test, tries, &mut |smaller| -> Result<bool, CheckError> {
            let has_time = !until.is_over();
            Ok(has_time && self.seems_alike(smaller, difference)? && is_wanted(smaller))
        })?;
        if small == *test {
            return Ok(None);
        }
        // One observation is not enough, and repeating a run that does not end takes long.
        let deadline = self.deadline;
        self.set_deadline(if is_slow { until } else { deadline });
        let confirmed = in_time(self.confirm(&small));
        self.set_deadline(deadline);
        let found = confirmed?.flatten();
        Ok(found.filter(|found| is_alike(found, difference)).map(|found| (small, found)))
    }

    /// Whether one observation of a test has the same kind of difference; `false` if there is no
    /// time.
    fn seems_alike(
        &mut self,
        test: &TestCase,
        difference: &Difference,
    ) -> Result<bool, CheckError> {
        let found = in_time((|| {
            // One run does not show variation.
            if self.experience.has_varied() {
                return Ok(self.look(test)?.difference);
            }
            let old = [self.run(Version::Old, test)?];
            let new = [self.run(Version::New, test)?];
            Ok(self.difference(&old, &new))
        })())?;
        Ok(found.flatten().is_some_and(|found| is_alike(&found, difference)))
    }

    fn difference(&self, old: &[Observation], new: &[Observation]) -> Option<Difference> {
        let runs = Runs { old: old.to_vec(), new: new.to_vec() };
        Difference::of(&runs.judge(&self.ignore), &runs, &self.ignore)
    }

    fn run(&mut self, version: Version, test: &TestCase) -> Result<Observation, CheckError> {
        judged(self.runner.run(version, test))
    }
}

fn judged<T>(done: Result<T, Failure>) -> Result<T, CheckError> {
    done.map_err(|failure| match failure {
        Failure::Test(why) | Failure::Runner(why) => CheckError::Failed(why),
        Failure::OutOfTime => OutOfTime.into(),
    })
}

/// Whether two differences are of one kind: in the same aspects, and both versions end alike.
fn is_alike(one: &Difference, other: &Difference) -> bool {
    one.differs_in == other.differs_in
        && ends_alike(one.old.ending, other.old.ending)
        && ends_alike(one.new.ending, other.new.ending)
}

/// Success matches success, and a signal the same signal; a failure matches any failure, as its
/// status may depend on the parts that were removed.
fn ends_alike(one: Ending, other: Ending) -> bool {
    match (one, other) {
        (Ending::Exit(one), Ending::Exit(other)) => (one == 0) == (other == 0),
        (one, other) => one == other,
    }
}
