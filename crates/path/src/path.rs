//! The path of a run.

use std::collections::BTreeMap;

use parallax_abi::{Counter, PinReason, Undefined};
use parallax_run::trace::Exit;
use parallax_solve::ExprId;

use crate::{Comparison, Number, Output};

/// The path of a run, as read from a trace.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The path conditions, in order.
    pub steps: Vec<Step>,
    /// Events and their places whose other outcomes are infeasible although the trace marks them as
    /// symbolic.
    pub settled: Vec<(u32, u32)>,
    /// Texts of the input that were compared with something concrete, in order.
    pub comparisons: Vec<Comparison>,
    /// Pieces of the input that were read as numbers, in order.
    pub numbers: Vec<Number>,
    /// Conditions that must be unsat, in order: of a proof build only.
    pub obligations: Vec<Obligation>,
    /// The output, in order.
    pub outputs: Vec<Output>,
    /// The end of the run, if it was recorded.
    pub ending: Option<Ending>,
    /// Sources of imprecision.
    pub approximations: Approximations,
}

/// Undefined behaviour that an input on this path may trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The number of the event in the trace.
    pub event: u32,
    /// Its place, as a number of the symbolic build's places.
    pub site: u32,
    /// Its kind.
    pub kind: Undefined,
    /// The condition under which it happens (1 bit).
    pub condition: ExprId,
}

/// A condition of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the event in the trace.
    pub event: u32,
    /// Its place, as a number of the symbolic build's places.
    pub site: u32,
    /// The place inside the model of the library function that `site` calls; 0 if not in one.
    pub model_site: u32,
    /// Its source.
    pub kind: StepKind,
    /// The condition that holds (1 bit).
    pub condition: ExprId,
}

/// The source of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A branch, and whether it went the first way.
    Branch {
        /// The direction.
        taken: bool,
    },
    /// A switch, and the value it was on.
    Switch {
        /// The value.
        value: u64,
        /// Its expression.
        on: ExprId,
    },
    /// A value that was concretised.
    Pin(PinReason),
    /// The same in a proof build, which also explores its other values.
    Value {
        /// The value.
        value: u64,
        /// Its expression.
        on: ExprId,
    },
    /// A load or store that stayed inside its object.
    Bounds,
    /// A divisor that was not zero.
    Divisor,
}

impl StepKind {
    /// Whether the program itself could take another branch here.
    pub fn is_decision(self) -> bool {
        !matches!(self, StepKind::Pin(reason) if reason != PinReason::Choice)
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Its place.
    pub site: u32,
    /// How it ended.
    pub exit: Exit,
    /// The exit status.
    pub status: u64,
    /// Its expression (32 bits), if it is symbolic.
    pub expression: Option<ExprId>,
}

/// Sources of imprecision of the symbolic execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approximations {
    /// How often each occurred.
    pub counters: BTreeMap<Counter, u64>,
    /// The places of the first occurrence of each.
    pub places: Vec<(Counter, u32)>,
    /// Functions that were called and are not modelled.
    pub unmodelled: BTreeMap<String, Vec<u32>>,
    /// Other functions that are counted by name, in proof builds.
    pub named: BTreeMap<(Counter, String), Vec<u32>>,
    /// Invalid records of the trace: the program wrote over them.
    pub damaged: u64,
}
