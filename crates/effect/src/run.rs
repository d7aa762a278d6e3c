//! A run: instances of instructions, and what each of them depended on.

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
    /// What it computed, stored, returned or decided.
    pub value: Option<u64>,
    /// How many bits that has.
    pub width: u8,
    /// The change that it belongs to, or that an address belongs to which it uses.
    pub change: Option<u32>,
    /// Of a call: whether what is called was recorded, too.
    pub entered: bool,
    first_use: u32,
}

impl Step {
    /// Whether it happened in what was recorded first: nobody that was recorded called it.
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

/// What an instance depended on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The instance that it depended on.
    pub source: StepId,
    /// How.
    pub kind: UseKind,
    next: u32,
}

/// How one instance depends on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// By an operand, by its position.
    Operand(u32),
    /// By memory that it reads.
    Memory,
    /// By the value that the called function returned.
    Returned,
    /// By the decision that chose which operand it is.
    Chosen,
}

/// What a call printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// On which descriptor; `None` if on several.
    pub descriptor: Option<u16>,
    /// The first part of it, or all.
    pub bytes: Vec<u8>,
    /// How many bytes it was.
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
    /// What calls printed.
    pub printed: HashMap<StepId, Print>,
    /// The changes whose code was executed, or jumped through.
    pub reached: BTreeSet<u32>,
    /// Whether something is missing at the end.
    pub cut: bool,
    uses: Vec<Use>,
}

const NONE: u32 = u32::MAX;
/// How many uses of an instance are looked through for one that is there already.
const REMEMBERED: usize = 64;
/// What a switch decides if the value is none of its cases: no program has this one.
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

    /// What an instance depended on.
    pub fn uses(&self, step: StepId) -> impl Iterator<Item = Use> + '_ {
        let at = |number: u32| self.uses.get(number as usize).copied();
        std::iter::successors(at(self.at(step).first_use), move |last| at(last.next))
    }

    fn add_use(&mut self, step: StepId, source: StepId, kind: UseKind) {
        // What was used last is what is likely to be used again; an instance that uses very much is one of a
        // call that reads much memory, of which each part is told once anyway.
        if self.uses(step).take(REMEMBERED).any(|it| it.source == source && it.kind == kind) {
            return;
        }
        let number = self.uses.len() as u32;
        let step = &mut self.steps[step.0 as usize];
        self.uses.push(Use { source, kind, next: step.first_use });
        step.first_use = number;
    }
}
