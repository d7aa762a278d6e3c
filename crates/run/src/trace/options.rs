//! The room of a trace, and the place of each arena in the memory.

use std::mem::size_of;

use parallax_abi::{Event, Header, Input, LABEL_NODE_MASK, Layout, Node};

use super::TraceError;

/// Pages are at most this large where Parallax runs; arenas start at multiples of it.
const PAGE: u64 = 64 << 10;
/// The blobs' room in bytes, such that a number of 32 bits names each.
const MOST_BLOBS: u64 = 16 << 32;
/// The most of everything else: far more than there is memory, far less than overflows.
const MOST: u64 = 1 << 32;

/// The room of a trace. Unused room costs addresses only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Bytes of coverage: one for each slot of the program's sites.
    pub sites: u64,
    /// Bytes of shares: one for each slot, and one more, of a program that records; or none.
    pub shares: u64,
    /// The most inputs.
    pub inputs: u64,
    /// The most nodes, node 0 included.
    pub nodes: u64,
    /// The most records of events.
    pub events: u64,
    /// Bytes of blobs.
    pub blobs: u64,
    /// The length to which an argument or an environment variable may grow.
    pub argument_room: u32,
    /// The number to which arguments may grow.
    pub arguments_room: u32,
    /// The largest object that a symbolic address is resolved in.
    pub object_room: u32,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions {
            sites: 1 << 16,
            shares: 0,
            inputs: 4096,
            nodes: 32 << 20,
            events: 16 << 20,
            blobs: 256 << 20,
            argument_room: 64,
            arguments_room: 16,
            object_room: 4096,
        }
    }
}

impl TraceOptions {
    /// Lays out the arenas, one after the other.
    pub(super) fn layout(&self) -> Result<Layout, TraceError> {
        self.check()?;
        let mut end = pages(size_of::<Header>() as u64);
        let mut arena = |bytes: u64| {
            let start = end;
            end += pages(bytes);
            start
        };
        let mut layout = Layout {
            sites: arena(self.sites),
            sites_room: self.sites,
            shares: arena(self.shares),
            shares_room: self.shares,
            inputs: arena(self.inputs * size_of::<Input>() as u64),
            inputs_room: self.inputs,
            nodes: arena(self.nodes * size_of::<Node>() as u64),
            nodes_room: self.nodes,
            events: arena(self.events * size_of::<Event>() as u64),
            events_room: self.events,
            blobs: arena(self.blobs),
            blobs_room: self.blobs,
            total: 0,
        };
        layout.total = end;
        Ok(layout)
    }

    fn check(&self) -> Result<(), TraceError> {
        let rooms = [
            ("sites", self.sites, 0, MOST),
            ("shares", self.shares, 0, MOST),
            ("inputs", self.inputs, 0, MOST),
            ("nodes", self.nodes, 1, u64::from(LABEL_NODE_MASK) + 1),
            ("events", self.events, 0, MOST),
            ("blobs", self.blobs, 16, MOST_BLOBS),
        ];
        match rooms.iter().find(|(_, room, least, most)| room < least || room > most) {
            Some(&(what, room, ..)) => Err(TraceError::Room { what, room }),
            None => Ok(()),
        }
    }
}

fn pages(bytes: u64) -> u64 {
    bytes.next_multiple_of(PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arenas_do_not_overlap_and_start_at_pages() {
        let options =
            TraceOptions { sites: 1, inputs: 1, nodes: 1, events: 0, ..TraceOptions::default() };
        let layout = options.layout().expect("there is room");
        let starts = [layout.sites, layout.inputs, layout.nodes, layout.events, layout.blobs];
        assert_eq!(starts, [1, 2, 3, 4, 4].map(|page| page * PAGE));
        assert_eq!(layout.total, layout.blobs + options.blobs);
    }

    #[test]
    fn room_that_labels_cannot_number_is_refused() {
        for options in [
            TraceOptions { nodes: (1 << 28) + 1, ..TraceOptions::default() },
            TraceOptions { nodes: 0, ..TraceOptions::default() },
            TraceOptions { blobs: u64::MAX, ..TraceOptions::default() },
            TraceOptions { sites: u64::MAX, ..TraceOptions::default() },
        ] {
            assert!(matches!(options.layout(), Err(TraceError::Room { .. })), "{options:?}");
        }
    }
}
