//! Reading a trace, whatever its contents.

use parallax_abi::{
    Counter, Event, Header, Input, InputKind, LABEL_NODE_MASK, Label, Layout, Node, SURVEY,
};

use super::{
    Events, OwnedTrace,
    mapping::Mapping,
    memory::{BLOB_UNIT, FIRST},
};

/// Bytes of a word of the arena of blobs.
const WORD: u64 = 4;
/// Words of the head of a blob.
const HEAD: usize = (BLOB_UNIT / WORD) as usize;

/// The trace of a run.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'m> {
    pub(super) attached: bool,
    pub(super) nodes: &'m [Node],
    pub(super) events: &'m [Event],
    pub(super) inputs: &'m [Input],
    /// In units of words, as labels are.
    pub(super) blobs: &'m [u32],
    pub(super) coverage: &'m [u8],
    /// The records of a survey, in place of events.
    pub(super) firsts: &'m [u64],
    pub(super) counters: [u64; Counter::ROOM],
}

/// An input of the program; nodes refer to it by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceInput<'m> {
    /// Its kind; `None` if the program has written a code that does not exist.
    pub kind: Option<InputKind>,
    /// The index of an argument, the program's name being number 0; `u32::MAX` in a record of the
    /// host that fixes all arguments, files or variables.
    pub index: u32,
    /// The name of a file or variable; empty if it has none.
    pub name: &'m [u8],
    /// Whether the test fixes it.
    pub fixed: bool,
}

/// Bytes that the program has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobView<'m> {
    /// Their address.
    pub address: u64,
    /// The bytes.
    pub bytes: &'m [u8],
    /// A label for each byte, or nothing if all of them are concrete.
    pub labels: &'m [Label],
}

impl<'m> Trace<'m> {
    /// Reads a trace.
    ///
    /// # Safety
    /// There are no writes to the memory as long as the trace lives.
    pub(super) unsafe fn read(mapping: &'m Mapping, layout: &Layout) -> Trace<'m> {
        // SAFETY: as the caller promises, for this and all that follow.
        let Some(header) = (unsafe { mapping.slice::<Header>(0, 1) }).first() else {
            return Trace::nothing();
        };
        let count = |count: u64, room: u64| count.min(room);
        let nodes = count(header.nodes.into(), layout.nodes_room);
        let events = count(header.events, layout.events_room);
        let inputs = count(header.inputs.into(), layout.inputs_room);
        let blobs = count(header.blobs, layout.blobs_room) / WORD;
        let room = layout.events_room * size_of::<Event>() as u64 / FIRST;
        let firsts = if header.record_from == SURVEY { layout.shares_room.min(room) } else { 0 };
        // SAFETY: see above.
        unsafe {
            Trace {
                attached: header.attached != 0,
                nodes: mapping.slice(layout.nodes, nodes),
                events: mapping.slice(layout.events, events),
                inputs: mapping.slice(layout.inputs, inputs),
                blobs: mapping.slice(layout.blobs, blobs),
                coverage: mapping.slice(layout.sites, layout.sites_room),
                firsts: mapping.slice(layout.events, firsts),
                counters: header.counters,
            }
        }
    }

    /// The trace of a run that has left none.
    pub(super) fn nothing() -> Trace<'m> {
        Trace {
            attached: false,
            nodes: &[],
            events: &[],
            inputs: &[],
            blobs: &[],
            coverage: &[],
            firsts: &[],
            counters: [0; Counter::ROOM],
        }
    }

    /// Whether the program has found the memory. If not, it is not an instrumented one, or it
    /// could not map its shadow, and there is nothing to be read.
    pub fn attached(&self) -> bool {
        self.attached
    }

    /// All nodes; the first is empty.
    pub fn nodes(&self) -> &'m [Node] {
        self.nodes
    }

    /// The node that a label names. `None` if it is concrete, or names none.
    pub fn node(&self, label: Label) -> Option<&'m Node> {
        match label.0 & LABEL_NODE_MASK {
            0 => None,
            _ => self.nodes.get(label.node()),
        }
    }

    /// The events, in order.
    pub fn events(&self) -> Events<'m> {
        Events::new(self.events)
    }

    /// Number of records that the events take.
    pub fn event_records(&self) -> usize {
        self.events.len()
    }

    /// Of a survey: one more than the number of the first record of a place, or 0 if there is none.
    pub fn first_record(&self, slot: usize) -> u64 {
        self.firsts.get(slot).copied().unwrap_or_default()
    }

    /// The inputs, first those that the test fixes.
    pub fn inputs(&self) -> Vec<TraceInput<'m>> {
        self.inputs.iter().map(|input| self.input(input)).collect()
    }

    /// The blob of this number. `None` if there is none, or if it is not all there.
    pub fn blob(&self, id: u32) -> Option<BlobView<'m>> {
        if id == 0 {
            return None;
        }
        let blob = self.blobs.get(usize::try_from(id).ok()?.checked_mul(HEAD)?..)?;
        let (&[low, high, length, labelled], rest) = blob.split_first_chunk()?;
        let length = usize::try_from(length).ok()?;
        let words = length.div_ceil(BLOB_UNIT as usize).checked_mul(HEAD)?;
        let (bytes, labels) = rest.split_at_checked(words)?;
        Some(BlobView {
            address: u64::from(low) | u64::from(high) << 32,
            bytes: as_bytes(bytes).get(..length)?,
            labels: if labelled == 0 { &[] } else { as_labels(labels.get(..length)?) },
        })
    }

    /// A byte for each slot: whether, or how, it was reached.
    pub fn coverage(&self) -> &'m [u8] {
        self.coverage
    }

    /// The count of this counter.
    pub fn counter(&self, counter: Counter) -> u64 {
        self.counters.get(counter as usize).copied().unwrap_or_default()
    }

    /// All counters that were reached, with their counts.
    pub fn counters(&self) -> impl Iterator<Item = (Counter, u64)> {
        let all = Counter::ALL.iter().map(|counter| (*counter, self.counter(*counter)));
        all.filter(|(_, count)| *count > 0)
    }

    /// Number of bytes that a copy of it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes)
            + size_of_val(self.events)
            + size_of_val(self.inputs)
            + size_of_val(self.blobs)
            + size_of_val(self.coverage)
    }

    /// A copy, so that the memory can be used again.
    pub fn to_owned(&self) -> OwnedTrace {
        OwnedTrace::copy(self)
    }

    fn input(&self, input: &Input) -> TraceInput<'m> {
        TraceInput {
            kind: kind(input.kind),
            index: input.index,
            name: self.blob(input.name).map_or(&[], |blob| blob.bytes),
            fixed: input.fixed != 0,
        }
    }
}

fn kind(code: u32) -> Option<InputKind> {
    use InputKind::{Argument, Count, Environment, File, Stdin};
    [Argument, Stdin, File, Environment, Count].into_iter().find(|kind| *kind as u32 == code)
}

fn as_bytes(words: &[u32]) -> &[u8] {
    // SAFETY: the same memory, any byte of which is a `u8`.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

fn as_labels(words: &[u32]) -> &[Label] {
    // SAFETY: a label is a `u32` and nothing else.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}
