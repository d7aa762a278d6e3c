//! Traces of the last runs: what was seen of a test is read again without running it again.
//!
//! A test is run once to see what it does, and its path is read later, when branches of it are flipped and when
//! it is held against the path of the other version. By then other runs have used the memory that
//! it was traced to. A run is the same each time, so a copy of its trace is as good as another run.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use parallax_run::{
    TestCase,
    trace::{OwnedTrace, Trace},
};

/// Bytes of all traces that are kept.
const MOST_BYTES: usize = 64 << 20;
/// Bytes of a trace that is kept.
const MOST_OF_ONE: usize = 1 << 20;

/// Traces of the last runs.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    traces: HashMap<Arc<TestCase>, Arc<OwnedTrace>>,
    /// The tests in the order in which they were run, with the sizes of their traces.
    order: VecDeque<(Arc<TestCase>, usize)>,
    bytes: usize,
}

impl Recent {
    /// Keeps the trace of a test, if it is not too large.
    pub(crate) fn keep(&mut self, test: &TestCase, trace: Trace<'_>) {
        let size = trace.bytes();
        if size > MOST_OF_ONE || self.traces.contains_key(test) {
            return;
        }
        while self.bytes + size > MOST_BYTES {
            let Some((oldest, size)) = self.order.pop_front() else { break };
            self.traces.remove(&oldest);
            self.bytes -= size;
        }
        let test = Arc::new(test.clone());
        self.traces.insert(Arc::clone(&test), Arc::new(trace.to_owned()));
        self.order.push_back((test, size));
        self.bytes += size;
    }

    /// The trace of a test.
    pub(crate) fn of(&self, test: &TestCase) -> Option<Arc<OwnedTrace>> {
        self.traces.get(test).map(Arc::clone)
    }
}

#[cfg(test)]
mod tests {
    use parallax_run::trace::{TraceMemory, TraceOptions};

    use super::*;

    #[test]
    fn the_oldest_traces_make_room_for_new_ones() {
        let sites = (MOST_OF_ONE - 4096) as u64;
        let memory = TraceMemory::new(TraceOptions { sites, ..TraceOptions::default() });
        let memory = memory.expect("there is memory for a trace");
        let test = |number: u8| TestCase { args: vec![vec![number]], ..TestCase::default() };
        let mut recent = Recent::default();
        for number in 0..80 {
            recent.keep(&test(number), memory.trace());
        }
        assert!(recent.of(&test(0)).is_none() && recent.bytes <= MOST_BYTES);
        assert!(recent.of(&test(79)).is_some());
        assert_eq!(recent.traces.len(), recent.order.len());
    }
}
