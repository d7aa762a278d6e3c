//! Memory errors of one version only: runs tests that look the same on plain builds under
//! AddressSanitizer.
//!
//! Only memory errors count: arithmetic overflow is defined on the machine that plain builds run
//! on, and shows there if it matters.

use parallax_capture::{Build, toolchain};
use parallax_compare::{Aspect, Difference, MEMORY_ERROR_STATUS, MemoryError};
use parallax_deadline::Deadline;
use parallax_instrument::memory_build;
use parallax_run::{Limits, MemoryLimit, Subject, TestCase, lab::Lab};
use parallax_search::shrunk;
use tempfile::TempDir;

use crate::{
    CheckError, Pair, Running, Sink,
    error::in_time,
    pair::{sanitizer_options, subject},
};

/// Runs of each version before a difference counts.
const REPEAT: usize = 3;
/// The most smaller tests to try.
const SHRINKING: usize = 60;

/// Detects memory errors while both versions run a test.
pub(crate) trait Watch {
    /// Ends runs and builds at this deadline from now on, with an
    /// [`OutOfTime`](parallax_deadline::OutOfTime).
    fn set_deadline(&mut self, deadline: Deadline);

    /// The difference, if exactly one version has a memory error.
    fn look(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError>;

    /// Whether a version, or both, has a memory error.
    fn has_error(&mut self, test: &TestCase) -> Result<bool, CheckError>;

    /// Minimises a test: the smallest one with the same error each time, and its difference; `None`
    /// if that is the given one.
    fn shrink(
        &mut self,
        test: &TestCase,
        difference: &Difference,
    ) -> Result<Option<(TestCase, Difference)>, CheckError> {
        let small = shrunk(test, SHRINKING, &mut |smaller| -> Result<bool, CheckError> {
            let found = in_time(self.look(smaller))?.flatten();
            Ok(found.is_some_and(|found| is_alike(&found, difference)))
        })?;
        if small == *test {
            return Ok(None);
        }
        let found = in_time(self.confirm(&small))?.flatten();
        Ok(found.filter(|found| is_alike(found, difference)).map(|found| (small, found)))
    }

    /// The difference, if it occurs each time.
    fn confirm(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        let Some(first) = self.look(test)? else { return Ok(None) };
        for _ in 1..REPEAT {
            if !self.look(test)?.is_some_and(|again| is_alike(&again, &first)) {
                return Ok(None);
            }
        }
        Ok(Some(first))
    }
}

/// Whether two differences are the same error of the same version.
fn is_alike(one: &Difference, other: &Difference) -> bool {
    let errors = |difference: &Difference| {
        [&difference.old, &difference.new].map(|run| MemoryError::of(run).map(|error| error.kind))
    };
    errors(one) == errors(other)
}

/// Both versions under AddressSanitizer, in builds that are made on first use.
pub(crate) struct Guard<'g> {
    pair: &'g Pair,
    running: &'g Running,
    sink: &'g dyn Sink,
    guarded: Option<Guarded>,
    deadline: Deadline,
}

struct Guarded {
    old: Sides,
    new: Sides,
    lab: Lab,
    limits: Limits,
    /// The directory of the builds.
    _folder: TempDir,
}

/// One version, as users run it and under AddressSanitizer.
struct Sides {
    plain: Subject,
    watched: Subject,
}

impl<'g> Guard<'g> {
    pub(crate) fn new(pair: &'g Pair, running: &'g Running, sink: &'g dyn Sink) -> Guard<'g> {
        Guard { pair, running, sink, guarded: None, deadline: Deadline::NEVER }
    }

    fn build(&self) -> Result<Guarded, CheckError> {
        if self.is_watched_already() {
            return Err(CheckError::failed("add a sanitizer: the program is built with one"));
        }
        self.sink.phase("making the AddressSanitizer builds");
        let folder = tempfile::tempdir().map_err(CheckError::of)?;
        let memory = self.running.memory;
        let sides = |build: &Build, name: &str| {
            let program = folder.path().join(name);
            memory_build(build, &program, self.deadline)?;
            let plain = subject(build, &self.pair.name, memory)?;
            let env = vec![sanitizer_options(&options())];
            let memory = MemoryLimit::Resident(memory);
            let watched = Subject { program, env, memory, ..plain.clone() };
            Ok::<_, CheckError>(Sides { plain, watched })
        };
        let (old, new) = (sides(&self.pair.old, "old")?, sides(&self.pair.new, "new")?);
        let lab = self.running.start_lab(self.sink)?;
        self.sink.idle();
        Ok(Guarded { old, new, lab, limits: self.running.limits.clone(), _folder: folder })
    }

    fn is_watched_already(&self) -> bool {
        self.pair.old.has_shadow() || self.pair.new.has_shadow()
    }

    fn guarded(&mut self) -> Result<&mut Guarded, CheckError> {
        let deadline = self.deadline;
        let guarded = match self.guarded.take() {
            Some(guarded) => guarded,
            None => self.build()?,
        };
        let guarded = self.guarded.insert(guarded);
        guarded.lab.set_deadline(deadline);
        Ok(guarded)
    }
}

impl Watch for Guard<'_> {
    fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    fn look(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        self.guarded()?.look(test)
    }

    fn has_error(&mut self, test: &TestCase) -> Result<bool, CheckError> {
        // A program with a sanitizer of its own shows its errors in plain runs.
        if self.is_watched_already() {
            return Ok(false);
        }
        self.guarded()?.has_error(test)
    }
}

impl Guarded {
    fn has_error(&mut self, test: &TestCase) -> Result<bool, CheckError> {
        let Guarded { old, new, lab, limits, .. } = self;
        for sides in [old, new] {
            let seen = lab.run(&sides.watched, test, limits)?;
            if MemoryError::of(&seen).is_some_and(|error| error.is_certain()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn look(&mut self, test: &TestCase) -> Result<Option<Difference>, CheckError> {
        let Guarded { old, new, lab, limits, .. } = self;
        let mut run = |subject: &Subject| lab.run(subject, test, limits);
        let (seen_old, seen_new) = (run(&old.watched)?, run(&new.watched)?);
        let (fine, seen) = match (MemoryError::of(&seen_old), MemoryError::of(&seen_new)) {
            (None, Some(error)) if error.is_certain() => (&old.plain, &seen_old),
            (Some(error), None) if error.is_certain() => (&new.plain, &seen_new),
            _ => return Ok(None),
        };
        // The sanitizer must not be the reason for the missing error.
        if run(fine)? != *seen {
            return Ok(None);
        }
        Ok(Some(Difference::between(seen_old, seen_new, vec![Aspect::Memory])))
    }
}

/// Options of AddressSanitizer. It reports lines only if it finds a symbolizer.
fn options() -> String {
    let base = format!("detect_leaks=0:exitcode={MEMORY_ERROR_STATUS}");
    let clang = toolchain::clang().ok().and_then(|clang| clang.canonicalize().ok());
    let beside = clang.map(|clang| clang.with_file_name("llvm-symbolizer"));
    match beside.filter(|path| path.is_file()) {
        Some(path) => format!("{base}:external_symbolizer_path={}", path.display()),
        None => base,
    }
}
