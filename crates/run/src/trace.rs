//! The record of a traced program: expressions, branches, outputs, as records in memory that it
//! shares with Parallax.
//!
//! * **Memory, not a file or a pipe.** A run may end at any instruction, and all that it has
//!   written by then must be readable: after `_exit`, a signal, on a full disk.
//! * **Recycled.** Page faults on fresh memory are most of the cost of a symbolic run, so a
//!   [`TraceMemory`] serves one run after the other, and the records of an earlier one stay there,
//!   behind counters that start again.
//! * **Nothing in it is believed.** The program can write anything anywhere in it, so where the
//!   arenas are is known to the host alone, each counter is cut to its room, each reference is
//!   checked, and all records are plain numbers, of which any bits are a value. The memory cannot
//!   shrink below the host's feet: it is sealed.

mod event;
mod fixed;
mod mapping;
mod memory;
mod options;
mod owned;
mod view;

pub use event::{Events, Exit, TraceEvent};
pub use memory::{Excerpt, TraceError, TraceMemory};
pub use options::TraceOptions;
pub use owned::OwnedTrace;
pub use view::{BlobView, Trace, TraceInput};

#[cfg(test)]
mod tests;
