//! Records both versions on tests and follows the effects of changes.

mod excerpt;

use std::{
    collections::BTreeSet,
    slice,
    sync::Arc,
    time::{Duration, Instant},
};

use parallax_capture::Build;
use parallax_deadline::Deadline;
use parallax_effect::{Code, Effects, Fact, Lines, Record, Run, Side, Sight, Stop, Why};
use parallax_instrument::{
    Recording, SymbolicBuild, recording_build_cached, symbolic_build_cached,
};
use parallax_program::{FunctionId, SiteId, Version, graph::Bits};
use parallax_report::disturbed;
use parallax_run::{
    Ending, Fixed, Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::Lab,
    trace::{Trace, TraceEvent, TraceMemory, TraceOptions},
};

use self::excerpt::How;
use crate::{CheckError, Pair, Running, Sink, pair::subject, study::Study};

/// The most records of a run: some millions of instances, and less than a gigabyte to follow them in.
const RECORDS: u64 = 4 << 20;
/// The longest recorded run: a longer one has filled its records long ago.
const LONGEST: Duration = Duration::from_secs(5);
/// The most bytes that are kept of the output of one call.
const PRINTED: usize = 1 << 12;

/// Both versions, ready for recording.
pub(crate) struct Recorder<'s> {
    study: &'s Study<'s>,
    old: Recorded<'s>,
    new: Recorded<'s>,
    lab: Lab,
    limits: Limits,
    sink: &'s dyn Sink,
}

/// The symbolic builds of both versions, whose coverage says what to record.
pub(crate) struct Builds {
    pub(crate) old: Arc<SymbolicBuild>,
    pub(crate) new: Arc<SymbolicBuild>,
}

impl Builds {
    /// Makes the builds, or takes them from the cache.
    pub(crate) fn of(pair: &Pair) -> Result<Builds, CheckError> {
        let build = |build| symbolic_build_cached(build).map(Arc::new);
        Ok(Builds { old: build(&pair.old)?, new: build(&pair.new)? })
    }
}

/// One version.
struct Recorded<'s> {
    code: Code<'s>,
    build: &'s Build,
    /// The program as users run it.
    native: Subject,
    symbolic: Arc<SymbolicBuild>,
    /// The coverage of the symbolic build.
    coverage: TraceMemory,
    /// The functions to record if they are executed.
    wanted: BTreeSet<FunctionId>,
    /// The functions that any test so far executed, by their names in the symbolic build.
    executed: BTreeSet<String>,
    recording: Option<RecordingProgram>,
    /// The time for making recording builds.
    building: Duration,
    /// The instructions that a change may affect, if known.
    affected: Option<Bits>,
}

/// A build that records the functions executed so far.
struct RecordingProgram {
    subject: Subject,
    /// The instruction as compiled, by place number.
    sites: Vec<Option<SiteId>>,
    memory: TraceMemory,
    /// Whether the last run was recorded in part only.
    is_excerpt: bool,
    /// The changes that it executed, including those that were not recorded.
    executed: BTreeSet<u32>,
}

/// The effects in one test.
pub(crate) struct Followed {
    pub(crate) effects: Effects,
    old: OneRun,
    new: OneRun,
}

/// A recorded run of one version.
struct OneRun {
    run: Run,
    /// Whether it did not exit by itself.
    died: bool,
    /// Whether the recording is limited to what a change may affect, from the first change on.
    is_excerpt: bool,
    /// The aspects in which it differs from a run without recording.
    disturbed: Vec<String>,
}

/// The effect of one change in one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EffectOfChange {
    pub(crate) reached: bool,
    pub(crate) infected: bool,
    pub(crate) propagated: bool,
    /// Whether its propagation is certain.
    pub(crate) certain: bool,
    /// The first variable with another value.
    pub(crate) variable: Option<String>,
    /// The number of lines with the effect.
    pub(crate) lines: usize,
    pub(crate) stopped_at: Option<StoppedAt>,
}

/// The effects of all changes in one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EffectsOfTest {
    /// In the order of the changes.
    pub(crate) changes: Vec<EffectOfChange>,
    /// Whether the runs were not recorded to their ends: effects may travel further.
    pub(crate) is_cut: bool,
    /// Whether there is a difference that no known effect explains.
    pub(crate) is_unexplained: bool,
}

/// The place where the effect of a change got furthest, and why it stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoppedAt {
    /// Whether that place is in the old version.
    pub(crate) old: bool,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) why: Why,
}

impl Followed {
    /// Caveats about the recorded runs.
    pub(crate) fn notes(&self) -> Vec<String> {
        let excerpt = "the runs are too long to be recorded as a whole: the part before the \
                       first executed change and all that no change can affect were left out";
        let cut = "the runs are too long to be recorded to their ends: this covers only the \
                   part after the first executed change";
        let is_excerpt = self.old.is_excerpt || self.new.is_excerpt;
        let notes = [(is_excerpt, excerpt), (self.effects.cut, cut)].into_iter();
        let notes = notes.filter(|(holds, _)| *holds).map(|(_, note)| note.to_owned());
        let mut notes: Vec<String> = notes.collect();
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
    /// Prepares both versions: recording builds are made when a test needs them.
    pub(crate) fn new(
        study: &'s Study<'s>,
        builds: &Builds,
        running: &Running,
        sink: &'s dyn Sink,
    ) -> Result<Recorder<'s>, CheckError> {
        let (old_functions, new_functions) = functions(study);
        let pair = study.pair;
        let dependence = study.old.dependence();
        let outputs = dependence.outputs();
        let old_code = Code::old(&study.old.program, study.changes, outputs.clone());
        let outputs = study.dependence.outputs();
        let new_code = Code::new_version(&study.new.program, study.changes, outputs.clone());
        let side = |code, build, symbolic: &Arc<SymbolicBuild>, wanted| {
            let native = subject(build, &pair.name, running.memory)?;
            Recorded::new((code, wanted), build, Arc::clone(symbolic), native)
        };
        let [old_affected, new_affected] = excerpt::affected(study);
        let limits = running.limits.clone();
        let old = side(old_code, &pair.old, &builds.old, old_functions)?;
        let new = side(new_code, &pair.new, &builds.new, new_functions)?;
        Ok(Recorder {
            study,
            old: Recorded { affected: old_affected, ..old },
            new: Recorded { affected: new_affected, ..new },
            lab: running.start_lab(sink)?,
            limits: Limits { time: limits.time.min(LONGEST), ..limits },
            sink,
        })
    }

    /// Runs a test on both versions, with or without a known difference, and follows the changes.
    pub(crate) fn follow(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<Followed, CheckError> {
        self.lab.set_deadline(deadline);
        for version in [&mut self.old, &mut self.new] {
            version.prepare(test, &mut self.lab, &self.limits, (deadline, self.sink))?;
        }
        // The input is fixed: only the behaviour is recorded.
        let fixed =
            vec![Fixed::Arguments, Fixed::Count, Fixed::Stdin, Fixed::Files, Fixed::Variables];
        let test = &TestCase { fixed, ..test.clone() };
        let [old, new] = self.record(test)?;
        let old = self.old.one_run(&old, test, (&mut self.lab, &self.limits), deadline)?;
        let new = self.new.one_run(&new, test, (&mut self.lab, &self.limits), deadline)?;
        let left = Side { code: &self.old.code, run: &old.run, died: old.died };
        let right = Side { code: &self.new.code, run: &new.run, died: new.died };
        let effects = Effects::new(&left, &right, self.study.changes, sight, deadline)?;
        Ok(Followed { effects, old, new })
    }

    /// Records a run of each version: all of it, or the part that the changes can affect.
    fn record(&mut self, test: &TestCase) -> Result<[Observation; 2], CheckError> {
        let seen = self.record_both(test, How::Whole)?;
        if !self.old.is_cut() && !self.new.is_cut() {
            return Ok(seen);
        }
        self.sink.phase("recording again only what the changes can affect");
        self.record_both(test, How::Survey)?;
        let firsts = [self.old.first_change(), self.new.first_change()];
        // Until then both versions did the same.
        let from = firsts.into_iter().flatten().min().unwrap_or_default();
        let seen = self.record_both(test, How::From(from))?;
        self.sink.idle();
        Ok(seen)
    }

    fn record_both(&mut self, test: &TestCase, how: How) -> Result<[Observation; 2], CheckError> {
        let (lab, limits) = (&mut self.lab, &self.limits);
        Ok([self.old.record(how, test, lab, limits)?, self.new.record(how, test, lab, limits)?])
    }

    /// The time for making recording builds so far.
    pub(crate) fn building(&self) -> Duration {
        self.old.building + self.new.building
    }

    /// Both sides of followed effects.
    pub(crate) fn sides<'f>(&'f self, followed: &'f Followed) -> (Side<'f, 's>, Side<'f, 's>) {
        (
            Side { code: &self.old.code, run: &followed.old.run, died: followed.old.died },
            Side { code: &self.new.code, run: &followed.new.run, died: followed.new.died },
        )
    }

    /// The effect of each change in one test, without the lines.
    pub(crate) fn effects_of(
        &mut self,
        test: &TestCase,
        sight: Sight,
        deadline: Deadline,
    ) -> Result<EffectsOfTest, CheckError> {
        let followed = self.follow(test, sight, deadline)?;
        let (old, new) = self.sides(&followed);
        let effects = followed.effects.changes.iter().enumerate().map(|(number, effect)| {
            let lines = followed.effects.lines(number, &old, &new, self.study.changes);
            // The end of an effect is unknown in a run that was not recorded to its end.
            let stop = effect.stopped_at().filter(|_| !followed.effects.cut);
            EffectOfChange {
                reached: effect.reached,
                infected: effect.infected,
                propagated: effect.propagated,
                certain: effect.certain,
                variable: variable(&lines),
                lines: lines.lines.len(),
                stopped_at: stop.and_then(|stop| self.place(stop)),
            }
        });
        let Effects { cut, unexplained, .. } = followed.effects;
        let changes = effects.collect();
        Ok(EffectsOfTest { changes, is_cut: cut, is_unexplained: unexplained })
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
        (code, wanted): (Code<'s>, BTreeSet<FunctionId>),
        build: &'s Build,
        symbolic: Arc<SymbolicBuild>,
        native: Subject,
    ) -> Result<Recorded<'s>, CheckError> {
        let sites = symbolic.places.size();
        let coverage =
            TraceMemory::new(TraceOptions { sites, nodes: 1, ..TraceOptions::default() });
        Ok(Recorded {
            code,
            build,
            native,
            symbolic,
            coverage: coverage.map_err(CheckError::of)?,
            wanted,
            executed: BTreeSet::new(),
            recording: None,
            building: Duration::ZERO,
            affected: None,
        })
    }

    /// Makes a build that records what a test executes, unless there is one.
    fn prepare(
        &mut self,
        test: &TestCase,
        lab: &mut Lab,
        limits: &Limits,
        (deadline, sink): (Deadline, &dyn Sink),
    ) -> Result<(), CheckError> {
        let memory = limit_of(&self.native);
        let program = self.symbolic.program.clone();
        let covered = Subject { program, memory, ..self.native.clone() };
        lab.cover(&covered, test, limits, &mut self.coverage)?;
        let executed = self.symbolic.executed(self.coverage.trace().coverage());
        if self.recording.is_some() && executed.is_subset(&self.executed) {
            return Ok(());
        }
        self.executed.extend(executed);
        sink.phase("making the recording builds");
        let start = Instant::now();
        let build = recording_build_cached(self.build, &self.recorded(), deadline);
        let build = build?;
        self.recording = Some(self.recording_program(&build)?);
        self.building += start.elapsed();
        sink.idle();
        Ok(())
    }

    /// The functions to record: executed ones that are changed or affected, or lead there.
    fn recorded(&self) -> Recording {
        let model = &self.symbolic.model;
        let mut recording = Recording::default();
        for (_, function) in model.defined() {
            if !self.executed.contains(&function.name) {
                recording.idle.insert(function.name.clone());
                continue;
            }
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            let own = instructions.filter_map(|it| self.code.home(it.origin?)).next();
            let own = own.filter(|home| self.wanted.contains(&home.function));
            let name = own.map(|home| self.code.program.at(home.function).name.clone());
            recording.functions.extend(name);
        }
        recording
    }

    fn recording_program(&self, build: &SymbolicBuild) -> Result<RecordingProgram, CheckError> {
        let size = build.places.size();
        let site = |number| build.places.get(number)?.instruction(&build.model)?.origin;
        let shares = size + 1;
        let room = TraceOptions { sites: size, shares, events: RECORDS, ..TraceOptions::default() };
        let subject = Subject {
            program: build.program.clone(),
            memory: limit_of(&self.native),
            ..self.native.clone()
        };
        Ok(RecordingProgram {
            subject,
            sites: (0..=size as u32).map(site).collect(),
            memory: TraceMemory::new(room).map_err(CheckError::of)?,
            is_excerpt: false,
            executed: BTreeSet::new(),
        })
    }

    /// Reads a recorded run.
    fn one_run(
        &self,
        seen: &Observation,
        test: &TestCase,
        (lab, limits): (&mut Lab, &Limits),
        deadline: Deadline,
    ) -> Result<OneRun, CheckError> {
        let Some(RecordingProgram { sites, memory, is_excerpt, executed, .. }) = &self.recording
        else {
            return Err(no_recording());
        };
        let trace = memory.trace();
        let mut run = Run::read(&self.code, records(&trace, sites), deadline)?;
        let ends = matches!(seen.ending, Ending::Exit(_));
        run.cut = self.is_cut();
        run.reached.extend(executed);
        let untouched = lab.run(&self.native, test, limits)?;
        let disturbed = disturbed(seen, &untouched);
        Ok(OneRun { run, died: !ends, is_excerpt: *is_excerpt, disturbed })
    }
}

fn no_recording() -> CheckError {
    CheckError::failed("record the program: there is no build")
}

/// The limit of memory for a program with a shadow.
fn limit_of(native: &Subject) -> MemoryLimit {
    let (MemoryLimit::AddressSpace(bytes) | MemoryLimit::Resident(bytes)) = native.memory;
    MemoryLimit::Resident(bytes)
}

/// The first variable with another value.
fn variable(lines: &Lines) -> Option<String> {
    let mut facts = lines.lines.iter().flat_map(|line| &line.facts);
    facts.find_map(|(fact, _)| match fact {
        Fact::Variable { name, old, new } if old != new => Some(name.clone()),
        _ => None,
    })
}

/// Converts trace events to records.
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
            TraceEvent::Output { descriptor, blob, .. } => {
                let (bytes, length) = (trace.blob(blob)?.bytes, trace.blob(blob)?.bytes.len());
                let bytes = bytes[..length.min(PRINTED)].to_vec();
                Record::Printed { descriptor, bytes, length }
            }
            _ => return None,
        })
    })
}

/// The functions of both versions to record: changed and affected ones, and those that lead there,
/// as the caller identifies an instance.
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
