//! The memory that a traced program writes its trace to.
//!
//! It is made once and used for many runs: [`reset`](TraceMemory::reset) writes the header anew and
//! clears coverage, and leaves the rest as it is, pages and contents, behind counters that start
//! again. Memory far beyond the needs of most runs is given back by [`TraceMemory::give_back`].

use std::{
    io,
    os::fd::{AsFd, BorrowedFd},
};

use parallax_abi::{Counter, Event, Header, Input, Layout, MAGIC, Node, SURVEY, Share, VERSION};

use super::{Trace, TraceOptions, fixed, mapping::Mapping};
use crate::Fixed;

/// Blobs are aligned to this, and numbered by it; the first has number 1.
pub(super) const BLOB_UNIT: u64 = 16;

/// Bytes of the number of the first record of a place.
pub(super) const FIRST: u64 = size_of::<u64>() as u64;

/// The recorded part of a run that is too long to be recorded as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Number of records that are counted and left out before the first one is kept.
    pub from: u64,
    /// A [`Share`] for each slot, the first of which has the number 1.
    pub shares: Vec<u8>,
}

impl Excerpt {
    /// Leaves out the records of a place.
    pub fn leave_out(&mut self, slot: usize) {
        self.shares.resize(self.shares.len().max(slot + 1), Share::Whole as u8);
        self.shares[slot] = Share::Nothing as u8;
    }
}

/// The kind of record that a run is to leave.
enum Ask<'a> {
    Trace,
    Coverage,
    Excerpt(&'a Excerpt),
    Survey,
}

/// Memory for the trace of one run at a time.
#[derive(Debug)]
pub struct TraceMemory {
    options: TraceOptions,
    layout: Layout,
    mapping: Mapping,
    /// Whether a process may still be writing to it: then it is neither read nor used again.
    abandoned: bool,
}

/// The reason why there is no memory for a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The options ask for an impossible size.
    #[error("lay out the trace memory: there cannot be room for {room} {what}")]
    Room {
        /// The arena.
        what: &'static str,
        /// The room asked for.
        room: u64,
    },
    /// The system refused it.
    #[error("make the trace memory: {0}")]
    Make(#[source] io::Error),
    /// The system does not take it back.
    #[error("give trace memory back: {0}")]
    GiveBack(#[source] io::Error),
    /// A test fixes more parts than there is room for.
    #[error("name the fixed inputs: there is no room for {0} of them")]
    Fixed(usize),
}

impl TraceMemory {
    /// Memory with this much room, ready for a run.
    pub fn new(options: TraceOptions) -> Result<TraceMemory, TraceError> {
        let layout = options.layout()?;
        let refused = |_| TraceError::Make(io::ErrorKind::OutOfMemory.into());
        let length = usize::try_from(layout.total).map_err(refused)?;
        let mapping = Mapping::new(length).map_err(TraceError::Make)?;
        let mut memory = TraceMemory { options, layout, mapping, abandoned: false };
        memory.reset(&[])?;
        Ok(memory)
    }

    /// The room of this memory.
    pub fn options(&self) -> &TraceOptions {
        &self.options
    }

    /// Makes it ready for the next run, which must leave these parts of its input concrete.
    ///
    /// [`Lab::trace`](crate::lab::Lab::trace) does so itself, with what the test case fixes.
    pub fn reset(&mut self, fixed: &[Fixed]) -> Result<(), TraceError> {
        self.reset_for(&Ask::Trace, fixed)
    }

    /// Makes it ready for a run that leaves only its coverage.
    pub(crate) fn reset_quiet(&mut self) -> Result<(), TraceError> {
        self.reset_for(&Ask::Coverage, &[])
    }

    /// Makes it ready for a run that is recorded in part.
    pub(crate) fn reset_excerpt(
        &mut self,
        fixed: &[Fixed],
        excerpt: &Excerpt,
    ) -> Result<(), TraceError> {
        self.reset_for(&Ask::Excerpt(excerpt), fixed)
    }

    /// Makes it ready for a run that only records when each place was reached first.
    pub(crate) fn reset_survey(&mut self, fixed: &[Fixed]) -> Result<(), TraceError> {
        self.reset_for(&Ask::Survey, fixed)
    }

    fn reset_for(&mut self, ask: &Ask<'_>, fixed: &[Fixed]) -> Result<(), TraceError> {
        if self.abandoned {
            let fresh = TraceMemory::new(self.options.clone())?;
            *self = fresh;
        }
        let (inputs, names) = fixed::records(fixed);
        let blobs = BLOB_UNIT + size_of_val(&names[..]) as u64;
        if inputs.len() as u64 > self.options.inputs || blobs > self.options.blobs {
            return Err(TraceError::Fixed(inputs.len()));
        }
        let header = self.header(inputs.len() as u32, blobs, ask);
        let layout = self.layout;
        self.fill::<u8>(layout.sites, &[], layout.sites_room);
        let shares = if let Ask::Excerpt(excerpt) = ask { &excerpt.shares[..] } else { &[] };
        let shares = &shares[..shares.len().min(layout.shares_room as usize)];
        self.fill::<u8>(layout.shares, shares, layout.shares_room - shares.len() as u64);
        if matches!(ask, Ask::Survey) {
            let room = layout.events_room * size_of::<Event>() as u64;
            self.fill::<u8>(layout.events, &[], (FIRST * layout.shares_room).min(room));
        }
        self.fill::<Node>(layout.nodes, &[Node::default()], 0);
        self.fill::<Input>(layout.inputs, &inputs, 0);
        self.fill::<u32>(layout.blobs + BLOB_UNIT, &names, 0);
        self.fill::<Header>(0, &[header], 0);
        Ok(())
    }

    /// Gives memory back to the system: of nodes, of events and of blobs at most `keep` bytes
    /// each are kept for the next run.
    pub fn give_back(&mut self, keep: u64) -> Result<(), TraceError> {
        if self.allocated()? <= keep {
            return Ok(());
        }
        let Layout { nodes, events, blobs, total, .. } = self.layout;
        let keep = keep.checked_next_multiple_of(BLOB_UNIT).unwrap_or(total);
        for (start, end) in [(nodes, events), (events, blobs), (blobs, total)] {
            let from = start.saturating_add(keep).min(end);
            self.mapping.punch(from..end).map_err(TraceError::GiveBack)?;
        }
        Ok(())
    }

    /// Number of bytes of memory it takes now.
    pub fn allocated(&self) -> Result<u64, TraceError> {
        self.mapping.allocated().map_err(TraceError::GiveBack)
    }

    /// The trace of the last run.
    pub fn trace(&self) -> Trace<'_> {
        if self.abandoned {
            return Trace::nothing();
        }
        // SAFETY: there are no writes while the trace lives: code that gives the memory to a
        // program borrows it mutably, and abandons it unless all processes of the run are gone.
        unsafe { Trace::read(&self.mapping, &self.layout) }
    }

    /// Marks the memory as one that a process which could not be stopped may write to.
    pub(crate) fn abandon(&mut self) {
        self.abandoned = true;
    }

    fn header(&self, inputs: u32, blobs: u64, ask: &Ask<'_>) -> Header {
        Header {
            magic: MAGIC,
            version: VERSION,
            attached: 0,
            layout: self.layout,
            argument_room: self.options.argument_room,
            arguments_room: self.options.arguments_room,
            object_room: self.options.object_room,
            quiet: matches!(ask, Ask::Coverage).into(),
            record_from: match ask {
                Ask::Excerpt(excerpt) => excerpt.from,
                Ask::Survey => SURVEY,
                Ask::Trace | Ask::Coverage => 0,
            },
            inputs,
            nodes: 1,
            events: 0,
            blobs,
            counters: [0; Counter::ROOM],
        }
    }

    /// Writes `values` at `offset`, then zeros over this many bytes.
    fn fill<T: super::mapping::Plain>(&mut self, offset: u64, values: &[T], zeros: u64) {
        // SAFETY: there is no other user of the memory; see `trace`.
        let target = unsafe { self.mapping.slice_mut::<T>(offset, values.len() as u64) };
        target.copy_from_slice(&values[..target.len()]);
        let after = offset + size_of_val(values) as u64;
        // SAFETY: the same.
        unsafe { self.mapping.slice_mut::<u8>(after, zeros) }.fill(0);
    }
}

/// The descriptor that a traced program finds at [`parallax_abi::TRACE_FD`]. Code that hands it to
/// a program by other means than a [`Lab`](crate::lab::Lab) reads the trace only after its end.
impl AsFd for TraceMemory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.mapping.file().as_fd()
    }
}
