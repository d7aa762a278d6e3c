//! A trace that is kept.

use parallax_abi::{Counter, Event, Input, Node};

use super::Trace;

/// A copy of a [`Trace`], apart from the memory that the program wrote it to.
#[derive(Clone, Debug, Default)]
pub struct OwnedTrace {
    attached: bool,
    nodes: Vec<Node>,
    events: Vec<Event>,
    inputs: Vec<Input>,
    blobs: Vec<u32>,
    coverage: Vec<u8>,
    counters: [u64; Counter::ROOM],
}

impl OwnedTrace {
    pub(super) fn copy(trace: &Trace<'_>) -> OwnedTrace {
        OwnedTrace {
            attached: trace.attached,
            nodes: trace.nodes.to_vec(),
            events: trace.events.to_vec(),
            inputs: trace.inputs.to_vec(),
            blobs: trace.blobs.to_vec(),
            coverage: trace.coverage.to_vec(),
            counters: trace.counters,
        }
    }

    /// The trace in the copy.
    pub fn view(&self) -> Trace<'_> {
        Trace {
            attached: self.attached,
            nodes: &self.nodes,
            events: &self.events,
            inputs: &self.inputs,
            blobs: &self.blobs,
            coverage: &self.coverage,
            firsts: &[],
            counters: self.counters,
        }
    }
}
