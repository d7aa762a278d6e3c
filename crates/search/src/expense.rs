//! What jobs cost.
//!
//! The scheduler weighs what a generator brings against counts that come out the same each time, so that a campaign
//! goes the same way on a busy machine. Their weights stand for time: `./x bench cost` fits them. The times that
//! are measured beside them are only told.

use std::{
    ops::{Add, AddAssign},
    time::{Duration, Instant},
};

use parallax_run::{Observation, trace::Trace};
use parallax_solve::Statistics;

/// What jobs cost, counted and measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expense {
    /// Runs of both versions.
    pub runs: u64,
    /// Bytes that they printed.
    pub printed: u64,
    /// Events and nodes of expressions that they left.
    pub records: u64,
    /// Those of them that were read into paths.
    pub read: u64,
    /// Queries.
    pub queries: u64,
    /// Operations of queries that were evaluated.
    pub operations: u64,
    /// Units of work of the SMT solver.
    pub smt: u64,
    /// The time that runs took, that solvers took, and all else: reading traces and building queries.
    pub running: Duration,
    /// See `running`.
    pub solving: Duration,
    /// See `running`.
    pub reading: Duration,
}

/// The weight of each count, in nanoseconds.
const RUN: u64 = 680_000;
const PRINTED: u64 = 20;
const RECORD: u64 = 40;
const READ: u64 = 90;
const QUERY: u64 = 15_000;
const OPERATION: u64 = 3;
const SMT: u64 = 780;

impl Expense {
    /// What a plain run costs.
    pub(crate) const RUN: u64 = RUN;

    /// What all of it costs, in nanoseconds of a machine that is always the same.
    pub fn weighed(&self) -> u64 {
        RUN * self.runs
            + PRINTED * self.printed
            + RECORD * self.records
            + READ * self.read
            + QUERY * self.queries
            + OPERATION * self.operations
            + SMT * self.smt
    }

    /// The time that was measured.
    pub(crate) fn time(&self) -> Duration {
        self.running + self.reading + self.solving
    }

    /// Adds a run that was begun at this time, what it was seen to do and what it left.
    pub(crate) fn add_run(&mut self, start: Instant, seen: &Observation, trace: Trace<'_>) {
        self.runs += 1;
        self.printed += (seen.stdout.bytes.len() + seen.stderr.bytes.len()) as u64;
        self.records += (trace.event_records() + trace.nodes().len()) as u64;
        self.running += start.elapsed();
    }

    /// Adds the reading of a trace into a path.
    pub(crate) fn add_reading(&mut self, trace: Trace<'_>) {
        self.read += (trace.event_records() + trace.nodes().len()) as u64;
    }

    /// Adds what a solver has done since it had done this.
    pub(crate) fn add_solving(&mut self, before: &Statistics, after: &Statistics) {
        self.queries += after.total().count() - before.total().count();
        self.operations += after.operations - before.operations;
        self.smt += after.smt - before.smt;
        self.solving += after.total().time.saturating_sub(before.total().time);
    }
}

impl Add for Expense {
    type Output = Expense;

    fn add(self, other: Expense) -> Expense {
        Expense {
            runs: self.runs + other.runs,
            printed: self.printed + other.printed,
            records: self.records + other.records,
            read: self.read + other.read,
            queries: self.queries + other.queries,
            operations: self.operations + other.operations,
            smt: self.smt + other.smt,
            running: self.running + other.running,
            solving: self.solving + other.solving,
            reading: self.reading + other.reading,
        }
    }
}

impl AddAssign for Expense {
    fn add_assign(&mut self, other: Expense) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_were_measured_weigh_nothing() {
        let counted = Expense { runs: 2, records: 10, ..Expense::default() };
        let measured = Expense { running: Duration::from_secs(9), ..counted };
        assert_eq!(counted.weighed(), measured.weighed());
        assert_eq!((counted + counted).weighed(), 2 * counted.weighed());
    }
}
