//! The static study of two versions: their changes and possible effects, for `changes` and for
//! guiding `check`.

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

/// Two versions, their changes and the possible effects of each.
pub struct Study<'v> {
    /// The executables.
    pub(crate) pair: &'v Pair,
    pub(crate) old: &'v Version,
    pub(crate) new: &'v Version,
    /// The dependences of the new version.
    pub(crate) dependence: Dependence<'v>,
    pub(crate) changes: &'v Changes,
    /// The dependents of each change in the old version.
    pub(crate) before: &'v [Before],
    pub(crate) impacts: Vec<Impact>,
    pub(crate) sequences: ChangeSequenceGraph,
}

/// The analyses that a study needs.
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
    /// Effects are followed until a deadline; after that all that a change leads to is assumed to
    /// be affected.
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

    /// Follows the effects of changes.
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

/// Runs two functions, one for each version, in parallel.
fn beside<O: Send, N>(old: impl FnOnce() -> O + Send, new: impl FnOnce() -> N) -> (O, N) {
    thread::scope(|scope| {
        let old = scope.spawn(old);
        let new = new();
        (old.join().unwrap_or_else(|panic| resume_unwind(panic)), new)
    })
}

/// The old version, and the dependents of each change in it.
fn analyse_old(program: Program, changes: &Changes, deadline: Deadline) -> (Version, Vec<Before>) {
    let version = Version::new(program);
    let dependence = version.dependence().within(deadline);
    // After the deadline the remaining answers are the same.
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
    /// Whether time ran out before the effects of all changes were followed.
    pub(crate) fn is_cut(&self) -> bool {
        self.impacts.iter().any(|impact| impact.affected.cut)
    }

    /// The id of a change.
    pub(crate) fn id(&self, change: usize) -> String {
        format!("c{}", change + 1)
    }

    /// The name of a change's function.
    pub(crate) fn function_name(&self, change: &Change) -> String {
        let new = change.new_function.map(|id| &self.new.program.at(id).name);
        let old = change.old_function.map(|id| &self.old.program.at(id).name);
        new.or(old).cloned().unwrap_or_default()
    }

    /// The function of the new version with a name.
    pub(crate) fn function(&self, name: &str) -> Result<FunctionId, CheckError> {
        let mut defined = self.new.program.defined();
        let found = defined.find(|(_, function)| function.name == name);
        let found = found.map(|(id, _)| id);
        let missing = || format!("draw a graph: the new version has no function called {name}");
        found.ok_or_else(|| CheckError::failed(missing()))
    }
}
