//! How the changes between two versions travel through tests: both versions, recorded.

use std::{collections::BTreeSet, slice, time::Duration};

use anyhow::anyhow;
use parallax_abi::Counter;
use parallax_capture::Build;
use parallax_effect::{Code, Effects, Fact, Lines, Record, Run, Side, Sight, Stop, Why};
use parallax_instrument::{Recording, SymbolicBuild, recording_build};
use parallax_program::{FunctionId, SiteId, Version};
use parallax_run::{
    Ending, Fixed, Limits, MemoryLimit, Subject, TestCase,
    lab::Lab,
    trace::{Trace, TraceEvent, TraceMemory, TraceOptions},
};
use tempfile::TempDir;

use crate::{
    cli::Running,
    screen::Screen,
    study::Study,
    verbs::{compare::start_labs, trace::disturbed},
    versions::{failed_to, subject},
};

/// The most records of a run: some millions of instances, and less than a gigabyte to follow them in.
const RECORDS: u64 = 4 << 20;
/// The longest that a recorded run may take: what does so has filled its records long ago.
const LONGEST: Duration = Duration::from_secs(5);
/// The most bytes that are kept of what one call prints.
const PRINTED: usize = 1 << 12;

/// Both versions, ready to be recorded.
pub(crate) struct Recorder<'s> {
    study: &'s Study<'s>,
    old: Recorded<'s>,
    new: Recorded<'s>,
    lab: Lab,
    limits: Limits,
    /// Where the builds are.
    _folder: TempDir,
}

/// One version.
struct Recorded<'s> {
    code: Code<'s>,
    /// The program as users run it.
    native: Subject,
    subject: Subject,
    /// The instruction as compiled, by the number of a place.
    sites: Vec<Option<SiteId>>,
    memory: TraceMemory,
}

/// What one test showed.
pub(crate) struct Followed {
    pub(crate) effects: Effects,
    old: OneRun,
    new: OneRun,
}

/// What one version did.
struct OneRun {
    run: Run,
    /// Whether it did not end by itself.
    died: bool,
    /// In what it differs from a run that is not recorded.
    disturbed: Vec<String>,
}

/// What became of one change in one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EffectOfChange {
    pub(crate) reached: bool,
    pub(crate) infected: bool,
    pub(crate) propagated: bool,
    /// The first variable that was given another value.
    pub(crate) variable: Option<String>,
    /// How many lines it has come to.
    pub(crate) lines: usize,
    pub(crate) stopped_at: Option<StoppedAt>,
}

/// Where the effect of a change came furthest, and why no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoppedAt {
    /// Whether that is a place of the old version.
    pub(crate) old: bool,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) why: Why,
}

impl Followed {
    /// What has to be known of the runs to believe what is said of them.
    pub(crate) fn notes(&self) -> Vec<String> {
        let cut = "the runs are too long to be recorded to their ends: what is said holds for their \
                   beginnings";
        let mut notes = Vec::from_iter(self.effects.cut.then(|| cut.to_owned()));
        for (version, run) in [("old", &self.old), ("new", &self.new)] {
            let what = run.disturbed.join(", ");
            let note = format!(
                "the {version} version differs from run to run, or when it is recorded: {what}"
            );
            notes.extend((!what.is_empty()).then_some(note));
        }
        notes
    }
}

impl<'s> Recorder<'s> {
    /// Makes both builds.
    pub(crate) fn new(
        study: &'s Study<'s>,
        running: &Running,
        screen: &Screen,
    ) -> anyhow::Result<Recorder<'s>> {
        screen.status("making the builds that are recorded");
        let folder = tempfile::tempdir().map_err(failed_to)?;
        let (old_functions, new_functions) = functions(study);
        let make = |build: &Build, version: &Version, functions: &BTreeSet<FunctionId>, name| {
            let names = functions.iter().map(|id| version.program.at(*id).name.clone());
            let recording = Recording { functions: names.collect() };
            recording_build(build, &recording, &folder.path().join(name)).map_err(failed_to)
        };
        let pair = study.pair;
        let old = make(&pair.old, study.old, &old_functions, "old")?;
        let new = make(&pair.new, study.new, &new_functions, "new")?;
        screen.clear();
        let outputs = study.old.dependence().outputs();
        let old_code = Code::old(&study.old.program, study.changes, outputs);
        let outputs = study.dependence.outputs();
        let new_code = Code::new_version(&study.new.program, study.changes, outputs);
        let native = |build: &Build| subject(build, &pair.name, running.memory());
        let mut labs = start_labs(1, &[], running, screen)?;
        let limits = running.limits();
        Ok(Recorder {
            study,
            old: Recorded::new(old_code, native(&pair.old)?, &old, running.memory())?,
            new: Recorded::new(new_code, native(&pair.new)?, &new, running.memory())?,
            lab: labs.pop().ok_or_else(|| anyhow!("failed to start a lab"))?,
            limits: Limits { time: limits.time.min(LONGEST), ..limits },
            _folder: folder,
        })
    }

    /// How many instructions of both versions have to be recorded.
    pub(crate) fn size(study: &Study<'_>) -> usize {
        let (old, new) = functions(study);
        let size = |version: &Version, functions: &BTreeSet<FunctionId>| -> usize {
            let blocks = functions.iter().flat_map(|id| &version.program.at(*id).blocks);
            blocks.map(|block| block.instructions.len()).sum()
        };
        size(study.old, &old) + size(study.new, &new)
    }

    /// Runs a test, of which it is known whether the versions look different on it, on both and follows
    /// the changes.
    pub(crate) fn follow(&mut self, test: &TestCase, sight: Sight) -> anyhow::Result<Followed> {
        let old = self.old.run(test, &mut self.lab, &self.limits)?;
        let new = self.new.run(test, &mut self.lab, &self.limits)?;
        let left = Side { code: &self.old.code, run: &old.run, died: old.died };
        let right = Side { code: &self.new.code, run: &new.run, died: new.died };
        let effects = Effects::new(&left, &right, self.study.changes, sight);
        Ok(Followed { effects, old, new })
    }

    /// Both sides of what was followed.
    pub(crate) fn sides<'f>(&'f self, followed: &'f Followed) -> (Side<'f, 's>, Side<'f, 's>) {
        (
            Side { code: &self.old.code, run: &followed.old.run, died: followed.old.died },
            Side { code: &self.new.code, run: &followed.new.run, died: followed.new.died },
        )
    }

    /// What became of each change in one test, for who shows no lines.
    pub(crate) fn effect_of(
        &mut self,
        test: &TestCase,
        sight: Sight,
    ) -> anyhow::Result<Vec<EffectOfChange>> {
        let followed = self.follow(test, sight)?;
        let (old, new) = self.sides(&followed);
        let effects = followed.effects.changes.iter().enumerate().map(|(number, effect)| {
            let lines = followed.effects.lines(number, &old, &new, self.study.changes);
            // Where a run that was not recorded to its end comes to is not known.
            let stop = effect.stopped_at().filter(|_| !followed.effects.cut);
            EffectOfChange {
                reached: effect.reached,
                infected: effect.infected,
                propagated: effect.propagated,
                variable: variable(&lines),
                lines: lines.lines.len(),
                stopped_at: stop.and_then(|stop| self.place(stop)),
            }
        });
        Ok(effects.collect())
    }

    fn place(&self, stop: &Stop) -> Option<StoppedAt> {
        let code = if stop.old { &self.old.code } else { &self.new.code };
        let location = code.location(stop.site)?;
        let file = code.program.files.get(location.file as usize)?.clone();
        Some(StoppedAt { old: stop.old, file, line: location.line, why: stop.why })
    }
}

impl<'s> Recorded<'s> {
    fn new(
        code: Code<'s>,
        native: Subject,
        build: &SymbolicBuild,
        memory: u64,
    ) -> anyhow::Result<Recorded<'s>> {
        let size = build.places.size();
        let site = |number| build.places.get(number)?.instruction(&build.model)?.origin;
        let sites = (0..=size as u32).map(site).collect();
        let room = TraceOptions { sites: size, events: RECORDS, ..TraceOptions::default() };
        let subject = Subject {
            program: build.program.clone(),
            memory: MemoryLimit::Resident(memory),
            ..native.clone()
        };
        let memory = TraceMemory::new(room).map_err(failed_to)?;
        Ok(Recorded { code, native, subject, sites, memory })
    }

    /// Records one run.
    fn run(&mut self, test: &TestCase, lab: &mut Lab, limits: &Limits) -> anyhow::Result<OneRun> {
        // Nothing is asked of the run but what it did.
        let fixed =
            vec![Fixed::Arguments, Fixed::Count, Fixed::Stdin, Fixed::Files, Fixed::Variables];
        let test = TestCase { fixed, ..test.clone() };
        let seen = lab.trace(&self.subject, &test, limits, &mut self.memory).map_err(failed_to)?;
        let trace = self.memory.trace();
        if !trace.attached() {
            let said = String::from_utf8_lossy(&seen.stderr.bytes).into_owned();
            return Err(anyhow!("failed to record the program: {said}"));
        }
        let mut run = Run::read(&self.code, records(&trace, &self.sites));
        let ends = matches!(seen.ending, Ending::Exit(_));
        run.cut = trace.counter(Counter::EventLimit) > 0;
        let untouched = lab.run(&self.native, &test, limits).map_err(failed_to)?;
        let disturbed = disturbed(&seen, &untouched);
        Ok(OneRun { run, died: !ends, disturbed })
    }
}

/// The first variable that is given another value.
fn variable(lines: &Lines) -> Option<String> {
    let mut facts = lines.lines.iter().flat_map(|line| &line.facts);
    facts.find_map(|(fact, _)| match fact {
        Fact::Variable { name, old, new } if old != new => Some(name.clone()),
        _ => None,
    })
}

/// What a trace says of recorded functions.
fn records<'t>(trace: &'t Trace<'t>, sites: &'t [Option<SiteId>]) -> impl Iterator<Item = Record> {
    let at = |site: u32| sites.get(site as usize).copied().flatten();
    trace.events().numbered().filter_map(move |(number, event)| {
        Some(match event {
            TraceEvent::Enter { site } => Record::Enter { site: at(site)? },
            TraceEvent::Leave { site } => Record::Leave { site: at(site)? },
            TraceEvent::Branch { site, taken, model_site: 0, .. } => {
                Record::Branch { site: at(site)?, taken }
            }
            TraceEvent::Switch { site, value, model_site: 0, .. } => {
                Record::Switch { site: at(site)?, value }
            }
            TraceEvent::Instance { site, value, width, .. } => {
                Record::Value { site: at(site)?, number, value, width }
            }
            TraceEvent::Called { site } => Record::Called { site: at(site)?, number },
            TraceEvent::Writer { site, record } => Record::Read { site: at(site)?, writer: record },
            TraceEvent::Output { blob, .. } => {
                let bytes = trace.blob(blob)?.bytes;
                Record::Printed { bytes: bytes[..bytes.len().min(PRINTED)].to_vec() }
            }
            _ => return None,
        })
    })
}

/// The functions of both versions that have to be recorded: those that are changed or affected, and
/// those that lead there, as an instance is known by who called.
fn functions(study: &Study<'_>) -> (BTreeSet<FunctionId>, BTreeSet<FunctionId>) {
    let matching = &study.changes.matching;
    let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
    for (change, impact) in study.changes.changes.iter().zip(&study.impacts) {
        old.extend(change.old_function);
        new.extend(change.new_function);
        let affected = impact.affected.sites.iter().map(|site| SiteId(site as u32));
        new.extend(affected.filter_map(|site| study.dependence.function_of(site)));
    }
    for (changes, version, own) in
        [(&study.changes.deleted, study.old, &mut old), (&study.changes.added, study.new, &mut new)]
    {
        own.extend(changes.iter().copied());
        add_callers(version, own);
    }
    old.extend(new.iter().filter_map(|id| matching.old_function(*id)));
    new.extend(old.iter().filter_map(|id| matching.new_function(*id)));
    add_callers(study.old, &mut old);
    add_callers(study.new, &mut new);
    (old, new)
}

fn add_callers(version: &Version, functions: &mut BTreeSet<FunctionId>) {
    let mut waiting: Vec<_> = functions.iter().copied().collect();
    waiting.extend(version.whole.main);
    functions.extend(version.whole.main);
    while let Some(function) = waiting.pop() {
        for call in version.whole.calls.callers(function) {
            if functions.insert(call.caller) {
                waiting.extend(slice::from_ref(&call.caller));
            }
        }
    }
}
