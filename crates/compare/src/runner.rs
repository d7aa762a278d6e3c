//! What runs a test, as far as a comparison needs to know.
//!
//! A trait, because the comparison is about what is seen and not about how: it is tested with
//! scripted runs, and a lab is one way to get real ones. Runners are made before the workers are,
//! since a lab is a fork of the process and must not be forked beside other threads.

use parallax_run::{
    Limits, Observation, Subject, TestCase,
    lab::{Lab, RunError},
};

/// One of the two versions that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// What there was.
    Old,
    /// What is to be.
    New,
}

/// Runs test cases on both versions. Each worker has its own.
pub trait Runner: Send {
    /// Runs a test case once.
    fn run(&mut self, version: Version, test_case: &TestCase) -> Result<Observation, Failure>;
}

/// Why there is nothing to see of a run. The texts fit after "failed to".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This test could not be run.
    Test(String),
    /// The runner can run no more tests.
    Runner(String),
}

/// Runs both versions in a lab.
#[derive(Debug)]
pub struct LabRunner<'a> {
    /// The lab.
    pub lab: Lab,
    /// The old version.
    pub old: &'a Subject,
    /// The new version.
    pub new: &'a Subject,
    /// What a run may use up.
    pub limits: &'a Limits,
}

impl Runner for LabRunner<'_> {
    fn run(&mut self, version: Version, test_case: &TestCase) -> Result<Observation, Failure> {
        let subject = match version {
            Version::Old => self.old,
            Version::New => self.new,
        };
        let observation = self.lab.run(subject, test_case, self.limits);
        observation.map_err(|error| match error {
            RunError::Died => Failure::Runner(error.to_string()),
            _ => Failure::Test(error.to_string()),
        })
    }
}
