//! The interface of a comparison to the code that runs a test.
//!
//! A trait, because the comparison depends on observations and not on how they are made: it is
//! tested with scripted runs, and a lab is one way to get real ones. Runners are made before the
//! workers are, since a lab is a fork of the process and must not be forked beside other threads.

use std::collections::BTreeSet;

use parallax_deadline::Deadline;
use parallax_run::{
    Addresses, Limits, Observation, Subject, TestCase,
    lab::{Lab, RunError},
};

/// One of the two versions that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// The version before the changes.
    Old,
    /// The version with the changes.
    New,
}

/// Runs test cases on both versions. Each worker has its own.
pub trait Runner: Send {
    /// Runs a test case once.
    fn run(&mut self, version: Version, test_case: &TestCase) -> Result<Observation, Failure>;

    /// Sets the deadline of all further runs. Runners whose runs take no time need not look at it.
    fn set_deadline(&mut self, _: Deadline) {}

    /// Sets the addresses of programs from now on, in place of the runner's own choice. Runners
    /// without addresses need not look at it.
    fn set_addresses(&mut self, _: Option<Addresses>) {}
}

/// The reason why there is no observation of a run. The texts fit after "failed to".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This test could not be run.
    Test(String),
    /// The runner can run no more tests.
    Runner(String),
    /// There is no time left for it.
    OutOfTime,
}

/// Runs both versions in a lab, alternately at fixed addresses and at random ones: without the
/// first a difference could not be repeated, without the second a printed address would be one.
#[derive(Debug)]
pub struct LabRunner<'a> {
    lab: Lab,
    limits: &'a Limits,
    addresses: Option<Addresses>,
    old: Side,
    new: Side,
}

/// One version, with the settings of its next run.
#[derive(Debug)]
struct Side {
    subject: Subject,
}

impl Side {
    /// The subject for the next run.
    fn next(&mut self, addresses: Option<Addresses>) -> &Subject {
        self.subject.addresses = addresses.unwrap_or(match self.subject.addresses {
            Addresses::Fixed => Addresses::Random,
            Addresses::Random => Addresses::Fixed,
        });
        &self.subject
    }
}

impl<'a> LabRunner<'a> {
    /// A runner for these two versions.
    pub fn new(lab: Lab, old: Subject, new: Subject, limits: &'a Limits) -> LabRunner<'a> {
        LabRunner {
            lab,
            limits,
            addresses: None,
            old: Side { subject: old },
            new: Side { subject: new },
        }
    }
}

impl LabRunner<'_> {
    /// The programs that runs tried to start and that do not exist.
    pub fn take_absent(&mut self) -> BTreeSet<Vec<u8>> {
        self.lab.take_absent()
    }
}

impl Runner for LabRunner<'_> {
    fn run(&mut self, version: Version, test_case: &TestCase) -> Result<Observation, Failure> {
        let subject = match version {
            Version::Old => self.old.next(self.addresses),
            Version::New => self.new.next(self.addresses),
        };
        let observation = self.lab.run(subject, test_case, self.limits);
        observation.map_err(|error| match error {
            RunError::OutOfTime => Failure::OutOfTime,
            RunError::Died => Failure::Runner(error.to_string()),
            _ => Failure::Test(error.to_string()),
        })
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.lab.set_deadline(deadline);
    }

    fn set_addresses(&mut self, addresses: Option<Addresses>) {
        self.addresses = addresses;
    }
}
