//! What became of changes of which no difference was seen: tests that execute them are recorded, and the
//! effects are followed to where they end.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use anyhow::anyhow;
use parallax_deadline::{Deadline, OutOfTime};
use parallax_effect::Sight;
use parallax_report::check::Stopped;
use parallax_run::TestCase;
use parallax_search::Suspect;

use crate::{
    cli::Running,
    confirm::{Confirmer, in_time},
    effect::{Builds, EffectOfChange, EffectsOfTest, Recorder},
    screen::Screen,
    study::Study,
    verbs::changes::short,
};

/// How many tests are followed for each change.
const TESTS: usize = 3;

/// Follows the effects of changes through a test.
pub(super) trait Follow {
    /// What became of each change.
    fn follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> anyhow::Result<EffectsOfTest>;
}

/// Follows by recording both versions, in builds that are made when they are needed first.
pub(super) struct Tracker<'s> {
    study: &'s Study<'s>,
    running: &'s Running,
    screen: &'s Screen,
    builds: Builds,
    recorder: Option<Recorder<'s>>,
    /// Why nothing can be recorded.
    trouble: Option<String>,
}

impl<'s> Tracker<'s> {
    pub(super) fn new(
        study: &'s Study<'s>,
        running: &'s Running,
        screen: &'s Screen,
        builds: Builds,
    ) -> Tracker<'s> {
        Tracker { study, running, screen, builds, recorder: None, trouble: None }
    }

    fn try_follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> anyhow::Result<EffectsOfTest> {
        let recorder = match &mut self.recorder {
            Some(recorder) => recorder,
            None => {
                let Tracker { study, builds, running, screen, .. } = self;
                self.recorder.insert(Recorder::new(study, builds, running, screen)?)
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
    ) -> anyhow::Result<EffectsOfTest> {
        if let Some(trouble) = &self.trouble {
            return Err(anyhow!("{trouble}"));
        }
        // What is only told beside the findings must not cost them.
        let followed = catch_unwind(AssertUnwindSafe(|| self.try_follow(test, sight, deadline)));
        let followed = followed.unwrap_or_else(|_| Err(anyhow!("failed to follow a test")));
        // One run that takes too long says nothing of others.
        if let Err(trouble) = &followed
            && !trouble.is::<OutOfTime>()
        {
            self.trouble = Some(trouble.to_string());
            self.recorder = None;
        }
        followed
    }
}

/// How far the search came with a change of which it has seen no difference.
#[derive(Clone, Debug, Default)]
pub(super) struct Fate {
    /// Whether anything became another one by it.
    pub(super) infected: bool,
    /// The first variable that did.
    pub(super) variable: Option<String>,
    /// How many lines that has come to.
    lines: usize,
    /// Where it ended, or where all runs went another way.
    pub(super) stopped_at: Option<Stopped>,
    /// Whether that is a place of the old version.
    pub(super) in_old: bool,
}

impl Fate {
    /// Of a change that was not executed: where the runs that came nearest to it went another way.
    pub(super) fn turned_away(file: &str, line: u32) -> Fate {
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

    /// What has come further counts.
    fn is_beyond(&self, other: &Fate) -> bool {
        let rank = |fate: &Fate| (fate.infected, fate.stopped_at.is_some(), fate.lines);
        rank(self) > rank(other)
    }
}

/// What the search leaves to whoever wants to know why no difference was seen.
#[derive(Default)]
pub(super) struct Leads {
    /// Tests that execute a change, those that are likely to show most of it first.
    pub(super) witnesses: BTreeMap<usize, Vec<Arc<TestCase>>>,
    /// How near runs came to changes that none has executed.
    pub(super) nearest: BTreeMap<usize, Fate>,
    /// Tests that may access memory that is not the program's own.
    pub(super) suspects: Vec<Suspect>,
}

/// What was found out.
#[derive(Default)]
pub(super) struct Pursued {
    pub(super) fates: BTreeMap<usize, Fate>,
    /// Tests that do show a difference of changes that was not seen to be theirs.
    pub(super) shown: Vec<(Arc<TestCase>, Vec<usize>)>,
    /// Why there is not more to say.
    pub(super) trouble: Option<String>,
}

/// Follows changes that were executed and not seen to differ, as long as there is time.
pub(super) fn pursue<'f>(
    open: &[usize],
    leads: &Leads,
    (follower, confirmer): (&mut (dyn Follow + 'f), &mut Confirmer<'_>),
    deadline: Deadline,
) -> anyhow::Result<Pursued> {
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

/// The tests to follow, each once: the first one of each change, then the second ones.
fn in_turn(open: &[usize], leads: &Leads) -> Vec<Arc<TestCase>> {
    let mut known = BTreeSet::new();
    let mut tests = Vec::new();
    for rank in 0..TESTS {
        let of_rank = open.iter().filter_map(|change| leads.witnesses.get(change)?.get(rank));
        tests.extend(of_rank.filter(|test| known.insert(Arc::clone(test))).cloned());
    }
    tests
}
