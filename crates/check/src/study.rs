//! Two versions, what changed between them, and what each change can do: what `changes` tells, and what
//! `check` is guided by.

use std::{panic::resume_unwind, thread};

use parallax_capture::Build;
use parallax_change::{
    Before, Change, ChangeSequenceGraph, Changes, Definitions, Impact, Material, changes, diverted,
    sites,
};
use parallax_deadline::Deadline;
use parallax_instrument::whole_program;
use parallax_program::{
    FunctionId, Program, SiteId, Version,
    dependence::{Dependence, Slice},
};

use crate::{CheckError, Pair, Sink};

/// Both versions, what changed between them, and what each change can do.
pub struct Study<'v> {
    /// The executables.
    pub(crate) pair: &'v Pair,
    pub(crate) old: &'v Version,
    pub(crate) new: &'v Version,
    /// What depends on what in the new version.
    pub(crate) dependence: Dependence<'v>,
    pub(crate) changes: &'v Changes,
    /// What has depended on each change.
    pub(crate) before: &'v [Before],
    pub(crate) impacts: Vec<Impact>,
    pub(crate) sequences: ChangeSequenceGraph,
}

/// What has to be there for a study.
pub struct Analysed {
    old: Version,
    new: Version,
    changes: Changes,
    before: Vec<Before>,
    deadline: Deadline,
}

impl Analysed {
    /// Reads and analyses both versions.
    ///
    /// What changes can do is followed until a deadline; after that it is taken for all that they lead to.
    pub fn new(pair: &Pair, deadline: Deadline, sink: &dyn Sink) -> Result<Analysed, CheckError> {
        sink.phase("reading both versions");
        let (old, new) = beside(|| read(&pair.old), || read(&pair.new));
        let (old, new) = (old?, new?);
        let changes = changes(&old, &new);
        sink.phase("analysing both versions");
        let ((old, before), new) =
            beside(|| analyse_old(old, &changes, deadline), || Version::new(new));
        Ok(Analysed { old, new, changes, before, deadline })
    }

    /// Follows the changes.
    pub fn study<'v>(&'v self, pair: &'v Pair, sink: &dyn Sink) -> Study<'v> {
        let Analysed { old, new, changes, before, deadline } = self;
        let dependence = new.dependence().within(*deadline);
        let definitions = Definitions::new(&new.program);
        let diverted = diverted(old, new, changes);
        let mut impacts = Vec::new();
        for (number, (change, before)) in changes.changes.iter().zip(before).enumerate() {
            sink.phase(&format!("following change {} of {}", number + 1, self.before.len()));
            let known = (&dependence, &definitions);
            impacts.push(Impact::of(new, known, before, &diverted[number], change));
        }
        sink.phase("ordering changes");
        let places: Vec<Vec<SiteId>> = changes.changes.iter().map(sites).collect();
        let affected: Vec<Slice> = impacts.iter().map(|impact| impact.affected.clone()).collect();
        let sequences = ChangeSequenceGraph::new(&Material {
            whole: &new.whole,
            dependence: &dependence,
            statements: &new.statements,
            changes: &places,
            affected: &affected,
        });
        sink.idle();
        Study { pair, old, new, dependence, changes, before, impacts, sequences }
    }
}

fn read(build: &Build) -> Result<Program, CheckError> {
    let module = whole_program(build)?;
    Ok(module.program())
}

/// Does something for each of the versions, at the same time.
fn beside<O: Send, N>(old: impl FnOnce() -> O + Send, new: impl FnOnce() -> N) -> (O, N) {
    thread::scope(|scope| {
        let old = scope.spawn(old);
        let new = new();
        (old.join().unwrap_or_else(|panic| resume_unwind(panic)), new)
    })
}

/// The old version, and what has depended on each change in it.
fn analyse_old(program: Program, changes: &Changes, deadline: Deadline) -> (Version, Vec<Before>) {
    let version = Version::new(program);
    let dependence = version.dependence().within(deadline);
    // When no time is left, the answer is the same for all that remain.
    let mut late: Option<Before> = None;
    let of = |change| Before::of(&dependence, &changes.matching, change);
    let before = |change| match dependence.is_late() {
        true => late.get_or_insert_with(|| Before::of_any(&dependence, &changes.matching)).clone(),
        false => of(change),
    };
    let before = changes.changes.iter().map(before).collect();
    drop(dependence);
    (version, before)
}

impl Study<'_> {
    /// Whether there was no time to follow what all changes can do.
    pub(crate) fn is_cut(&self) -> bool {
        self.impacts.iter().any(|impact| impact.affected.cut)
    }

    /// The name of a change.
    pub(crate) fn id(&self, change: usize) -> String {
        format!("c{}", change + 1)
    }

    /// The function that a change is in.
    pub(crate) fn function_name(&self, change: &Change) -> String {
        let new = change.new_function.map(|id| &self.new.program.at(id).name);
        let old = change.old_function.map(|id| &self.old.program.at(id).name);
        new.or(old).cloned().unwrap_or_default()
    }

    /// A function of the new version, by its name.
    pub(crate) fn function(&self, name: &str) -> Result<FunctionId, CheckError> {
        let mut defined = self.new.program.defined();
        let found = defined.find(|(_, function)| function.name == name);
        let found = found.map(|(id, _)| id);
        let missing = || format!("draw a graph: the new version has no function called {name}");
        found.ok_or_else(|| CheckError::failed(missing()))
    }
}
