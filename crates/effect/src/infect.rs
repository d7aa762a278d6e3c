//! The infected instances.

use parallax_change::Matching;
use parallax_deadline::{Deadline, OutOfTime};
use parallax_program::{Opcode, Operand};
use rustc_hash::FxHashMap;

use crate::{
    align::Alignment,
    code::{Code, is_untold},
    run::{Run, StepId, Use, UseKind},
    value::signed,
};

/// Both runs, and their correspondence.
pub(crate) struct Runs<'r, 'p> {
    pub(crate) old: (&'r Code<'p>, &'r Run),
    pub(crate) new: (&'r Code<'p>, &'r Run),
    pub(crate) matching: &'r Matching,
    pub(crate) alignment: &'r Alignment,
}

/// The infection of each instance.
pub(crate) struct Infection {
    /// Of each instance of the new run.
    states: Vec<State>,
    /// Library calls that differ because of internal state of the library, with the call that has
    /// changed it.
    pub(crate) hidden: Vec<(StepId, StepId)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// Whether the value that it computes, stores or decides differs.
    value: bool,
    /// Of a call: whether the memory that it leaves may differ.
    memory: bool,
}

const INFECTED: State = State { value: true, memory: true };

impl Infection {
    /// Follows the effects of all changes.
    pub(crate) fn new(runs: &Runs<'_, '_>, deadline: Deadline) -> Result<Infection, OutOfTime> {
        let mut pace = deadline.pace();
        let mut infection =
            Infection { states: Vec::with_capacity(runs.new.1.steps.len()), hidden: Vec::new() };
        let mut disturbed = None;
        let calls = calls(runs.new.1);
        for step in runs.new.1.ids() {
            pace.step()?;
            let state = infection.judge(runs, step, disturbed);
            infection.states.push(state);
            if let Some(call) = calls.get(&step) {
                // The result of a call is known when it returns.
                infection.states[call.0 as usize] = infection.judge(runs, *call, disturbed);
            }
            let is_library = runs.is_library_call(step);
            if is_library && (state.value || state.memory) {
                disturbed = Some(step);
            }
        }
        Ok(infection)
    }

    /// Whether an instance of the new run is infected.
    pub(crate) fn has(&self, new: StepId) -> bool {
        let state = self.state(new);
        state.value || state.memory
    }

    /// Whether the source of a use is infected in the way that it is used.
    pub(crate) fn comes_along(&self, runs: &Runs<'_, '_>, used: Use) -> bool {
        let state = self.state(used.source);
        match used.kind {
            UseKind::Memory if runs.is_call(used.source) => state.memory,
            _ => state.value,
        }
    }

    /// The same for the old run.
    pub(crate) fn comes_along_old(&self, runs: &Runs<'_, '_>, used: Use) -> bool {
        match runs.alignment.new_of(used.source) {
            Some(source) => {
                let mut used = used;
                used.source = source;
                self.comes_along(runs, used)
            }
            None => true,
        }
    }

    fn state(&self, new: StepId) -> State {
        self.states.get(new.0 as usize).copied().unwrap_or_default()
    }

    fn judge(&mut self, runs: &Runs<'_, '_>, new: StepId, disturbed: Option<StepId>) -> State {
        let Some(old) = runs.alignment.old_of(new) else { return INFECTED };
        let is_told = runs.new.1.at(new).value.is_some();
        let state = |value| State { value, memory: false };
        match runs.opcode(new) {
            Some(Opcode::Call) => self.judge_call(runs, old, new, disturbed),
            Some(Opcode::Store) => {
                state(self.is_elsewhere(runs, old, new) || self.is_another(runs, old, new))
            }
            // A jump that was changed.
            Some(Opcode::Br) if !is_told => INFECTED,
            Some(_) => state(self.is_another(runs, old, new)),
            None => State::default(),
        }
    }

    fn judge_call(
        &mut self,
        runs: &Runs<'_, '_>,
        old: StepId,
        new: StepId,
        disturbed: Option<StepId>,
    ) -> State {
        let is_changed = runs.new.1.at(new).change.is_some();
        let is_library = runs.is_library_call(new);
        let is_reached = self.is_reached(runs, old, new);
        let memory = is_library && (is_reached || is_changed);
        let differs = runs.differ(old, new);
        let value = is_reached && differs || is_changed && runs.disagree(old, new);
        if is_library && !value && differs && !runs.is_address(new) {
            // The library may have been left in another state.
            self.hidden.extend(disturbed.map(|cause| (new, cause)));
            return State { value: disturbed.is_some(), memory };
        }
        State { value, memory }
    }

    /// Whether the value that an instance computes, decides or stores differs, for a reason.
    fn is_another(&self, runs: &Runs<'_, '_>, old: StepId, new: StepId) -> bool {
        let differs = runs.differ(old, new) || !runs.has_numbers(old, new);
        let is_changed = runs.new.1.at(new).change.is_some();
        differs && self.is_reached(runs, old, new) || is_changed && runs.disagree(old, new)
    }

    /// Whether a store writes to another place.
    fn is_elsewhere(&self, runs: &Runs<'_, '_>, old: StepId, new: StepId) -> bool {
        let by_address = |used: &Use| used.kind == UseKind::Operand(1);
        let mut news = runs.new.1.uses(new).filter(by_address);
        let mut olds = runs.old.1.uses(old).filter(by_address);
        news.any(|used| self.comes_along(runs, used))
            || olds.any(|used| self.comes_along_old(runs, used))
    }

    /// Whether anything that an instance depends on is infected.
    fn is_reached(&self, runs: &Runs<'_, '_>, old: StepId, new: StepId) -> bool {
        runs.new.1.uses(new).any(|used| self.comes_along(runs, used))
            || runs.old.1.uses(old).any(|used| self.comes_along_old(runs, used))
            || runs.reads_other_memory(old, new)
    }
}

/// The call to which each return from a function came back.
fn calls(run: &Run) -> FxHashMap<StepId, StepId> {
    let returned = run.ids().flat_map(|step| {
        let uses = run.uses(step).filter(|used| used.kind == UseKind::Returned);
        uses.map(move |used| (used.source, step))
    });
    returned.collect()
}

impl Runs<'_, '_> {
    pub(crate) fn opcode(&self, new: StepId) -> Option<Opcode> {
        self.new.0.instruction(self.new.1.at(new).site).map(|it| it.opcode)
    }

    pub(crate) fn is_call(&self, new: StepId) -> bool {
        self.opcode(new) == Some(Opcode::Call)
    }

    /// Whether an instance is a call of something that was not recorded.
    pub(crate) fn is_library_call(&self, new: StepId) -> bool {
        self.is_call(new) && !self.new.1.at(new).entered
    }

    fn has_numbers(&self, old: StepId, new: StepId) -> bool {
        self.old.1.at(old).value.is_some() && self.new.1.at(new).value.is_some()
    }

    /// Whether two instances have different values.
    pub(crate) fn differ(&self, old: StepId, new: StepId) -> bool {
        let (old, new) = (self.old.1.at(old), self.new.1.at(new));
        match (old.value, new.value) {
            // A variable of another type may hold the same.
            (Some(x), Some(y)) => x != y && signed(x, old.width) != signed(y, new.width),
            _ => false,
        }
    }

    /// Whether the value that an instance computes or stores is an address.
    fn is_address(&self, new: StepId) -> bool {
        let site = self.new.1.at(new).site;
        let Some(instruction) = self.new.0.instruction(site) else { return false };
        let told = match instruction.opcode {
            Opcode::Store => instruction.operands.first().copied(),
            _ => Some(Operand::Site(site)),
        };
        told.is_some_and(|operand| self.new.0.is_pointer(operand))
    }

    /// Whether changed instances have different values, for a reason other than the places of
    /// objects.
    fn disagree(&self, old: StepId, new: StepId) -> bool {
        if !self.differ(old, new) || !self.is_address(new) {
            return self.differ(old, new);
        }
        let (x, y) = (self.old.1.at(old), self.new.1.at(new));
        let is_null = |value: Option<u64>| value == Some(0);
        if is_null(x.value) != is_null(y.value) {
            return true;
        }
        let (Some(left), Some(right)) =
            (self.old.0.instruction(x.site), self.new.0.instruction(y.site))
        else {
            return false;
        };
        match (left.opcode, right.opcode) {
            (Opcode::Store, Opcode::Store) => {
                let sources = |run: &Run, step| -> Vec<StepId> {
                    let uses = run.uses(step).filter(|used| used.kind == UseKind::Operand(0));
                    uses.map(|used| used.source).collect()
                };
                let olds = sources(self.old.1, old).into_iter();
                let olds: Vec<_> = olds.map(|source| self.alignment.new_of(source)).collect();
                let news = sources(self.new.1, new).into_iter();
                let news: Vec<_> = news.map(Some).collect();
                let operands = left.operands.first().zip(right.operands.first());
                olds != news || !operands.is_some_and(|(x, y)| self.is_same(*x, *y))
            }
            _ => false,
        }
    }

    /// Whether two operands that are addresses refer to the same object.
    fn is_same(&self, old: Operand, new: Operand) -> bool {
        match (old, new) {
            (Operand::Site(x), Operand::Site(y)) => {
                let untold = self.old.0.instruction(x).is_some_and(|it| is_untold(it.opcode));
                !untold || self.matching.new_site(x) == Some(y) && self.new.0.change(y).is_none()
            }
            (Operand::Global(x), Operand::Global(y)) => {
                let (old, new) = (&self.old.0.program.globals, &self.new.0.program.globals);
                old[x.0 as usize].name == new[y.0 as usize].name
            }
            (Operand::Function(x), Operand::Function(y)) => {
                self.matching.new_function(x) == Some(y)
            }
            (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y),
        }
    }

    /// Whether memory that is read was written by other instances.
    fn reads_other_memory(&self, old: StepId, new: StepId) -> bool {
        let is_memory = |used: &Use| used.kind == UseKind::Memory;
        let olds = self.old.1.uses(old).filter(is_memory);
        let mut olds: Vec<_> = olds.map(|used| self.alignment.new_of(used.source)).collect();
        let news = self.new.1.uses(new).filter(is_memory);
        let mut news: Vec<_> = news.map(|used| Some(used.source)).collect();
        for sources in [&mut olds, &mut news] {
            sources.sort_unstable();
            sources.dedup();
        }
        olds != news
    }
}
