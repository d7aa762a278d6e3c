//! The path of a run.

use std::collections::BTreeMap;

use parallax_abi::{Counter, PinReason, Undefined};
use parallax_run::trace::Exit;
use parallax_solve::ExprId;

use crate::{Comparison, Number, Output};

/// What a trace says of a run.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// What had to hold for the run to go where it went, in order.
    pub steps: Vec<Step>,
    /// Events and where they were, of which the trace says that they could have been others, but which could not.
    pub settled: Vec<(u32, u32)>,
    /// Texts of the input that were compared with something concrete, in order.
    pub comparisons: Vec<Comparison>,
    /// Pieces of the input that were read as numbers, in order.
    pub numbers: Vec<Number>,
    /// What must be impossible, in order: of a proof build only.
    pub obligations: Vec<Obligation>,
    /// What was printed, in order.
    pub outputs: Vec<Output>,
    /// How it ended, if it lived to say so.
    pub ending: Option<Ending>,
    /// What makes this less than exact.
    pub approximations: Approximations,
}

/// Something undefined that an input on this path may bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The number of the event that says so.
    pub event: u32,
    /// Where, as a number of the symbolic build's places.
    pub site: u32,
    /// What it is.
    pub kind: Undefined,
    /// When it happens (1 bit).
    pub condition: ExprId,
}

/// A condition of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the event that says so.
    pub event: u32,
    /// Where, as a number of the symbolic build's places.
    pub site: u32,
    /// Where inside the model of the library function that `site` calls; 0 if not in one.
    pub model_site: u32,
    /// What it comes from.
    pub kind: StepKind,
    /// What holds (1 bit).
    pub condition: ExprId,
}

/// What a condition comes from.
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
    /// A value that was taken for concrete.
    Pin(PinReason),
    /// The same in a proof build, where its other values are gone through as well.
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
    /// Whether the program itself could go another way here.
    pub fn is_decision(self) -> bool {
        !matches!(self, StepKind::Pin(reason) if reason != PinReason::Choice)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Where.
    pub site: u32,
    /// By which way.
    pub exit: Exit,
    /// The status that was asked for.
    pub status: u64,
    /// Its expression (32 bits), if it is symbolic.
    pub expression: Option<ExprId>,
}

/// What makes the symbolic view less than exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approximations {
    /// How often each was met.
    pub counters: BTreeMap<Counter, u64>,
    /// The places where each was met first.
    pub places: Vec<(Counter, u32)>,
    /// Functions that were called and are not modelled.
    pub unmodelled: BTreeMap<String, Vec<u32>>,
    /// Other functions that are counted by their names, in proof builds.
    pub named: BTreeMap<(Counter, String), Vec<u32>>,
    /// Records of the trace that make no sense: the program wrote over them.
    pub damaged: u64,
}
