//! A run: instances of instructions, and their dependences.

mod frame;
mod walk;

use std::collections::{BTreeSet, HashMap};

use parallax_program::SiteId;

/// An instance of an instruction, by its position in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(pub u32);

/// An instance of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The instruction.
    pub site: SiteId,
    /// The decision that had it executed, or the call if no decision did.
    pub control: Option<StepId>,
    /// The value that it computed, stored, returned or decided.
    pub value: Option<u64>,
    /// The number of bits of the value.
    pub width: u8,
    /// Its change, or that of an address that it uses.
    pub change: Option<u32>,
    /// Of a call: whether the callee was recorded, too.
    pub entered: bool,
    first_use: u32,
}

impl Step {
    /// Whether it happened in the first recorded function, which has no recorded caller.
    pub(crate) fn control_is_start(&self, run: &Run) -> bool {
        let mut above = self.control;
        while let Some(step) = above {
            if run.at(step).entered {
                return false;
            }
            above = run.at(step).control;
        }
        true
    }
}

/// A dependence of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The instance that it depended on.
    pub source: StepId,
    /// The kind of dependence.
    pub kind: UseKind,
    next: u32,
}

/// The ways in which one instance depends on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// By an operand, by its position.
    Operand(u32),
    /// By memory that it reads.
    Memory,
    /// By the value that the called function returned.
    Returned,
    /// By the decision that chose the operand.
    Chosen,
}

/// The output of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The descriptor; `None` if there were several.
    pub descriptor: Option<u16>,
    /// The first part of it, or all.
    pub bytes: Vec<u8>,
    /// The number of bytes.
    pub length: usize,
}

impl Print {
    fn add(&mut self, later: &Print) {
        if self.is_whole() {
            self.bytes.extend_from_slice(&later.bytes);
        }
        self.length += later.length;
        self.descriptor = self.descriptor.filter(|own| Some(*own) == later.descriptor);
    }

    /// Whether all of it is known.
    pub(crate) fn is_whole(&self) -> bool {
        self.bytes.len() == self.length
    }
}

/// A run of one version.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The instances, in the order in which they happened; a call before what it calls.
    pub steps: Vec<Step>,
    /// The output of calls.
    pub printed: HashMap<StepId, Print>,
    /// The changes whose code was executed, or jumped through.
    pub reached: BTreeSet<u32>,
    /// Whether something is missing at the end.
    pub cut: bool,
    uses: Vec<Use>,
}

const NONE: u32 = u32::MAX;
/// The most uses of an instance that are searched for a duplicate.
const REMEMBERED: usize = 64;
/// The decision of a switch whose value is none of its cases: no program has this one.
pub(crate) const DEFAULT: u64 = 0x8000_0000_7061_7278;

impl Run {
    /// An instance.
    pub fn at(&self, step: StepId) -> &Step {
        &self.steps[step.0 as usize]
    }

    /// All instances.
    pub fn ids(&self) -> impl Iterator<Item = StepId> + use<> {
        (0..self.steps.len() as u32).map(StepId)
    }

    /// The dependences of an instance.
    pub fn uses(&self, step: StepId) -> impl Iterator<Item = Use> + '_ {
        let at = |number: u32| self.uses.get(number as usize).copied();
        std::iter::successors(at(self.at(step).first_use), move |last| at(last.next))
    }

    fn add_use(&mut self, step: StepId, source: StepId, kind: UseKind) {
        // A recent use is the most likely one to be repeated; an instance with very many uses
        // belongs to a call that reads much memory, of which each part is recorded once anyway.
        if self.uses(step).take(REMEMBERED).any(|it| it.source == source && it.kind == kind) {
            return;
        }
        let number = self.uses.len() as u32;
        let step = &mut self.steps[step.0 as usize];
        self.uses.push(Use { source, kind, next: step.first_use });
        step.first_use = number;
    }
}
