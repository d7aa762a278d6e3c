//! The other version: every test is run on it, too, and what is seen of both is compared.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use parallax_compare::{Explanation, Ignore, judge};
use parallax_deadline::Deadline;
use parallax_path::{Numbers, Path};
use parallax_run::{
    Ending, Limits, Observation, Subject, TestCase,
    lab::{Lab, RunError},
    trace::{Trace, TraceError, TraceMemory, TraceOptions},
};
use parallax_solve::Graph;

use crate::{Aim, Cases, Expense, Guide, Known, Mark, Marks, decision::decisions, recent::Recent};

/// The old version of the program that is explored, which is the new one.
pub struct Counterpart {
    /// A lab for each worker.
    pub labs: Vec<Lab>,
    /// Its symbolic build.
    pub subject: Subject,
    /// The values of the switch at a place.
    pub cases: Cases,
    /// How many places it has.
    pub sites: u64,
    /// What is known of both versions.
    pub guide: Arc<dyn Guide>,
    /// What is noise.
    pub ignore: Ignore,
}

/// What two versions did with one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// Whether what they did looks different, and not only in what was learnt to be noise.
    pub differs: bool,
    /// What could be noise about it, if all of it could.
    pub explanation: Option<Box<Explanation>>,
    /// The changes that were executed.
    pub executed: Vec<usize>,
    /// All decisions of the old one, hashed, if that is of interest.
    pub(crate) old_path: u64,
    /// The places that only one of them came to, by their numbers in the new one.
    pub(crate) alone: Vec<u32>,
}

/// The other version, as a worker runs it.
pub(crate) struct CounterpartRunner {
    pub(crate) lab: Lab,
    pub(crate) memory: TraceMemory,
    pub(crate) recent: Arc<Mutex<Recent>>,
    pub(crate) subject: Subject,
    pub(crate) cases: Cases,
    pub(crate) guide: Arc<dyn Guide>,
    /// The places that both versions have.
    pub(crate) counterparts: Arc<[(u32, u32)]>,
    pub(crate) ignore: Ignore,
    /// How often it was run.
    pub(crate) runs: u64,
    /// What its runs have cost since the job was begun.
    pub(crate) expense: Expense,
    /// How often both versions looked different in nothing but noise that was learnt.
    pub(crate) learnt: u64,
    /// What it is run for.
    pub(crate) aim: Aim,
    /// What is known of both versions, such as whether the program looks different each time.
    pub(crate) known: Arc<Known>,
}

impl CounterpartRunner {
    /// Runs a test that the new version was seen to do this with, and covered this.
    pub(crate) fn relate(
        &mut self,
        test: &TestCase,
        seen: &Observation,
        trace: Trace<'_>,
        limits: &Limits,
    ) -> Result<Relation, RunError> {
        let guide = Arc::clone(&self.guide);
        let changes = guide.changes();
        let mut executed: Vec<usize> = (0..changes.len())
            .filter(|change| is_executed(&changes[*change].new, trace, seen.ending))
            .collect();
        let may_be =
            |marks: &Marks| marks.new.before.is_empty() || has_any(trace, &marks.new.before);
        if self.aim == Aim::Find && !changes.iter().any(may_be) {
            return Ok(Relation::default());
        }
        let old = match self.aim {
            Aim::Find => self.cover(test, limits)?,
            Aim::Prove => self.trace(test, limits)?,
        };
        let own = self.memory.trace();
        if self.aim == Aim::Prove && matches!(old.ending, Ending::Exit(_) | Ending::Signal(_)) {
            self.recent.lock().unwrap_or_else(PoisonError::into_inner).keep(test, own);
        }
        let old_path = match self.aim {
            Aim::Find => 0,
            Aim::Prove => decisions(own, &*self.cases).path,
        };
        executed.extend(
            (0..changes.len()).filter(|change| is_executed(&changes[*change].old, own, old.ending)),
        );
        if self.aim == Aim::Prove {
            executed = (0..changes.len()).collect();
        }
        executed.sort_unstable();
        executed.dedup();
        let alone = match executed.is_empty() {
            true => Vec::new(),
            false => {
                let pairs = self.counterparts.iter();
                let alone = pairs.filter(|(old, new)| has(own, *old) != has(trace, *new));
                alone.map(|(_, new)| *new).collect()
            }
        };
        let (differs, explanation) = self.difference(test, (old, seen), limits)?;
        Ok(Relation { differs, explanation, executed, old_path, alone })
    }

    /// Whether both versions look different, and what could be noise about it.
    fn difference(
        &mut self,
        test: &TestCase,
        (old, new): (Observation, &Observation),
        limits: &Limits,
    ) -> Result<(bool, Option<Box<Explanation>>), RunError> {
        let judgement = judge(std::slice::from_ref(&old), std::slice::from_ref(new), &self.ignore);
        if judgement.differs_in.is_empty() {
            return Ok((false, None));
        }
        if self.aim == Aim::Prove {
            return Ok((true, None));
        }
        let explanation = Explanation::of(&old, new, &self.ignore);
        if let Some(explanation) = explanation {
            let noise = &self.known.noise;
            if noise.explains(&explanation) {
                self.learnt += 1;
                return Ok((false, Some(Box::new(explanation))));
            }
            if noise.can_learn(&explanation) {
                return Ok((true, Some(Box::new(explanation))));
            }
        }
        Ok((!self.is_noise(test, (old, new), limits)?, None))
    }

    /// Whether two versions that look different do so because one of them looks different each time, in a way that
    /// cannot be learnt: only asked of programs that are known to vary.
    fn is_noise(
        &mut self,
        test: &TestCase,
        (old, new): (Observation, &Observation),
        limits: &Limits,
    ) -> Result<bool, RunError> {
        if !self.known.is_noisy {
            return Ok(false);
        }
        let again = [self.cover(test, limits)?, self.cover(test, limits)?];
        let olds = [old, again[0].clone(), again[1].clone()];
        let judgement = judge(&olds, std::slice::from_ref(new), &self.ignore);
        Ok(judgement.differs_in.is_empty())
    }

    fn cover(&mut self, test: &TestCase, limits: &Limits) -> Result<Observation, RunError> {
        let start = Instant::now();
        let seen = self.lab.cover(&self.subject, test, limits, &mut self.memory)?;
        self.runs += 1;
        self.expense.add_run(start, &seen, self.memory.trace());
        Ok(seen)
    }

    fn trace(&mut self, test: &TestCase, limits: &Limits) -> Result<Observation, RunError> {
        let start = Instant::now();
        let seen = self.lab.trace(&self.subject, test, limits, &mut self.memory)?;
        self.runs += 1;
        self.expense.add_run(start, &seen, self.memory.trace());
        Ok(seen)
    }

    /// The path that a test takes, with expressions in a graph that has those of the new version.
    pub(crate) fn path(
        &mut self,
        test: &TestCase,
        limits: &Limits,
        graph: &mut Graph,
        numbers: Numbers,
        deadline: Deadline,
    ) -> Result<Path, RunError> {
        let known = self.recent.lock().unwrap_or_else(PoisonError::into_inner).of(test);
        if let Some(known) = known {
            let trace = known.view();
            self.expense.add_reading(trace);
            return Ok(parallax_path::read_by(trace, graph, &*self.cases, numbers, deadline)?);
        }
        self.trace(test, limits)?;
        let trace = self.memory.trace();
        self.expense.add_reading(trace);
        Ok(parallax_path::read_by(trace, graph, &*self.cases, numbers, deadline)?)
    }

    /// Whether a run of the new version has executed a change; `false` if that is only seen in the old one.
    pub(crate) fn is_executed(&self, change: usize, trace: Trace<'_>) -> bool {
        is_executed(&self.guide.changes()[change].new, trace, Ending::Exit(0))
    }

    /// How many decisions were left to each change on a run of the new version that has covered these places.
    pub(crate) fn distances(&self, places: impl Iterator<Item = u32> + Clone) -> Vec<Option<u32>> {
        let changes = 0..self.guide.changes().len();
        let distance =
            |change| places.clone().filter_map(|place| self.guide.distance(place, change)).min();
        changes.map(distance).collect()
    }

    /// Those of some changes that more is to be found out about.
    pub(crate) fn open(&self, changes: &[usize]) -> Vec<usize> {
        changes.iter().copied().filter(|change| !self.known.done.contains(change)).collect()
    }
}

/// Tells which changes a test executes, beside a search.
pub struct Probe {
    lab: Lab,
    limits: Limits,
    guide: Arc<dyn Guide>,
    old: Probed,
    new: Probed,
}

/// One version, and where its runs leave what they cover.
struct Probed {
    subject: Subject,
    memory: TraceMemory,
}

impl Probe {
    /// A probe for the symbolic builds of the old and the new version, each with the number of its places.
    pub fn new(
        lab: Lab,
        limits: Limits,
        guide: Arc<dyn Guide>,
        [old, new]: [(Subject, u64); 2],
    ) -> Result<Probe, TraceError> {
        let probed = |(subject, sites): (Subject, u64)| {
            let memory = TraceMemory::new(TraceOptions { sites, nodes: 1, ..Default::default() })?;
            // Two programs take turns in one lab, so that neither stays.
            Ok::<_, TraceError>(Probed { subject: Subject { forks: false, ..subject }, memory })
        };
        Ok(Probe { lab, limits, guide, old: probed(old)?, new: probed(new)? })
    }

    /// The changes that a test executes, in one of the versions or in both.
    pub fn executed(
        &mut self,
        test: &TestCase,
        deadline: Deadline,
    ) -> Result<BTreeSet<usize>, RunError> {
        let Probe { lab, limits, guide, old, new } = self;
        lab.set_deadline(deadline);
        let mut executed = BTreeSet::new();
        let changes = guide.changes();
        let olds: Vec<&Mark> = changes.iter().map(|marks| &marks.old).collect();
        let news: Vec<&Mark> = changes.iter().map(|marks| &marks.new).collect();
        for (Probed { subject, memory }, marks) in [(old, olds), (new, news)] {
            let seen = lab.cover(subject, test, limits, memory)?;
            let trace = memory.trace();
            let met =
                marks.iter().enumerate().filter(|(_, it)| is_executed(it, trace, seen.ending));
            executed.extend(met.map(|(change, _)| change));
        }
        Ok(executed)
    }
}

/// Whether a run has executed a change: if it went on after it, or died where it may have been in the middle
/// of it.
fn is_executed(mark: &Mark, trace: Trace<'_>, ending: Ending) -> bool {
    let has_died = !matches!(ending, Ending::Exit(_));
    has_any(trace, &mark.before)
        && (has_died || mark.after.is_empty() || has_any(trace, &mark.after))
}

/// Whether one of some places was covered.
fn has_any(trace: Trace<'_>, places: &[u32]) -> bool {
    places.iter().any(|place| has(trace, *place))
}

/// Whether a place was covered.
pub(crate) fn has(trace: Trace<'_>, place: u32) -> bool {
    // Number 0 is nowhere: places count from 1.
    trace.coverage().get(place as usize - 1).is_some_and(|byte| *byte != 0)
}
