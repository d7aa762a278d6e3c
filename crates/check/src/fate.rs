//! Fates of changes without an observed difference: records tests that execute them and follows the
//! effects to where they end.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use parallax_deadline::Deadline;
use parallax_effect::Sight;
use parallax_report::check::Stopped;
use parallax_run::TestCase;
use parallax_search::Suspect;

use crate::{
    CheckError, Running, Sink,
    confirm::Confirmer,
    error::in_time,
    recorder::{Builds, EffectOfChange, EffectsOfTest, Recorder},
    source::short,
    study::Study,
};

/// The number of tests that are followed for each change.
const TESTS: usize = 3;

/// Follows the effects of changes through a test.
pub(crate) trait Follow {
    /// Follows the effect of each change.
    fn follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<EffectsOfTest, CheckError>;
}

/// Follows effects by recording both versions, in builds that are made on first use.
pub(crate) struct Tracker<'s> {
    study: &'s Study<'s>,
    running: &'s Running,
    sink: &'s dyn Sink,
    builds: Builds,
    recorder: Option<Recorder<'s>>,
    /// The error that prevents recording.
    trouble: Option<String>,
}

impl<'s> Tracker<'s> {
    pub(crate) fn new(
        study: &'s Study<'s>,
        running: &'s Running,
        sink: &'s dyn Sink,
        builds: Builds,
    ) -> Tracker<'s> {
        Tracker { study, running, sink, builds, recorder: None, trouble: None }
    }

    fn try_follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<EffectsOfTest, CheckError> {
        let recorder = match &mut self.recorder {
            Some(recorder) => recorder,
            None => {
                let Tracker { study, builds, running, sink, .. } = self;
                self.recorder.insert(Recorder::new(study, builds, running, *sink)?)
            }
        };
        recorder.effects_of(test, sight, deadline)
    }
}

impl Follow for Tracker<'_> {
    fn follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<EffectsOfTest, CheckError> {
        if let Some(trouble) = &self.trouble {
            return Err(CheckError::failed(trouble.clone()));
        }
        // A panic in the explanation must not lose findings.
        let followed = catch_unwind(AssertUnwindSafe(|| self.try_follow(test, sight, deadline)));
        let followed = followed.unwrap_or_else(|_| Err(CheckError::failed("follow a test")));
        // One test that runs out of time says nothing about others.
        if let Err(trouble) = &followed
            && !matches!(trouble, CheckError::OutOfTime(_))
        {
            self.trouble = Some(trouble.to_string());
            self.recorder = None;
        }
        followed
    }
}

/// The progress of a change without an observed difference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fate {
    /// Whether it infected any value.
    pub(crate) infected: bool,
    /// The first infected variable.
    pub(crate) variable: Option<String>,
    /// The number of lines with its effect.
    lines: usize,
    /// The place where its effect ends, or where the nearest runs went another way.
    pub(crate) stopped_at: Option<Stopped>,
    /// Whether that place is in the old version.
    pub(crate) in_old: bool,
}

impl Fate {
    /// The fate of a change that was not executed: where the nearest runs went another way.
    pub(crate) fn near_miss(file: &str, line: u32) -> Fate {
        let why = "went another way".to_owned();
        let stopped = Stopped { file: short(file).to_owned(), line, why };
        Fate { stopped_at: Some(stopped), ..Fate::default() }
    }

    fn of(effect: &EffectOfChange) -> Fate {
        let stopped = effect.stopped_at.as_ref().map(|stop| Stopped {
            file: short(&stop.file).to_owned(),
            line: stop.line,
            why: stop.why.text().to_owned(),
        });
        Fate {
            infected: effect.infected,
            variable: effect.variable.clone(),
            lines: effect.lines,
            stopped_at: stopped,
            in_old: effect.stopped_at.as_ref().is_some_and(|stop| stop.old),
        }
    }

    /// Whether this effect got further.
    fn is_beyond(&self, other: &Fate) -> bool {
        let rank = |fate: &Fate| (fate.infected, fate.stopped_at.is_some(), fate.lines);
        rank(self) > rank(other)
    }
}

/// Inputs of the analysis of changes without an observed difference.
#[derive(Default)]
pub(crate) struct Leads {
    /// Tests that execute a change, those likely to show most of it first.
    pub(crate) witnesses: BTreeMap<usize, Vec<Arc<TestCase>>>,
    /// The near misses of changes that no run has executed.
    pub(crate) nearest: BTreeMap<usize, Fate>,
    /// Tests that may access memory outside of the program's objects.
    pub(crate) suspects: Vec<Suspect>,
}

/// The results of following changes.
#[derive(Default)]
pub(crate) struct Pursued {
    pub(crate) fates: BTreeMap<usize, Fate>,
    /// Tests that do show differences of changes that had none.
    pub(crate) shown: Vec<(Arc<TestCase>, Vec<usize>)>,
    /// The reason why following stopped early.
    pub(crate) trouble: Option<String>,
}

/// Follows executed changes without an observed difference until a deadline.
pub(crate) fn pursue<'f>(
    open: &[usize],
    leads: &Leads,
    (follower, confirmer): (&mut (dyn Follow + 'f), &mut Confirmer<'_>),
    deadline: Deadline,
) -> Result<Pursued, CheckError> {
    let mut pursued = Pursued::default();
    confirmer.set_deadline(deadline);
    for test in in_turn(open, leads) {
        if deadline.is_over() {
            break;
        }
        let Some(look) = in_time(confirmer.look(&test))? else { break };
        let sight = match look.difference {
            Some(_) => Sight::Different,
            None => Sight::Same,
        };
        let effects = match follower.follow(&test, sight, deadline) {
            Ok(effects) => effects.changes,
            Err(trouble) => {
                pursued.trouble = Some(trouble.to_string());
                break;
            }
        };
        let of_open = open.iter().filter_map(|change| Some((*change, effects.get(*change)?)));
        let mut shown = Vec::new();
        for (change, effect) in of_open.filter(|(_, effect)| effect.reached) {
            shown.extend((effect.propagated && sight == Sight::Different).then_some(change));
            let fate = Fate::of(effect);
            let known = pursued.fates.entry(change).or_default();
            if known.stopped_at.is_none() || fate.is_beyond(known) {
                *known = fate;
            }
        }
        if !shown.is_empty() {
            pursued.shown.push((test, shown));
        }
    }
    Ok(pursued)
}

/// The tests to follow, each once: the first test of each change, then the second ones.
fn in_turn(open: &[usize], leads: &Leads) -> Vec<Arc<TestCase>> {
    let mut known = BTreeSet::new();
    let mut tests = Vec::new();
    for rank in 0..TESTS {
        let of_rank = open.iter().filter_map(|change| leads.witnesses.get(change)?.get(rank));
        tests.extend(of_rank.filter(|test| known.insert(Arc::clone(test))).cloned());
    }
    tests
}
