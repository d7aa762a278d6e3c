//! Telling two versions of a program apart by the observations of their runs.
//!
//! A difference is something that *old* never does and *new* always does, or the other way round.
//! Programs print the time, addresses and random numbers, so every test runs several times on each
//! version, and differences between two runs of the same version are noise. A false finding costs
//! more trust than a difference that is missed beside noise, so every doubt counts as noise, and
//! the noise is reported.
//!
//! The judgement is pure ([`judge`]); running the tests is behind [`Runner`], so that all of it can
//! be tested without a process.

mod aspect;
mod comparison;
mod confirmation;
mod difference;
mod ignore;
mod lines;
mod masked;
mod memory;
mod noise;
mod runner;
mod shown;
mod template;
mod variation;

pub use aspect::Aspect;
pub use comparison::{
    Compared, Comparison, Event, Options, Outcome, Summary, Verdict, compare_suite,
};
pub use confirmation::{Experience, RISK, Rigour, Runs, confirm};
pub use difference::{Difference, Judgement, judge};
pub use ignore::{Ignore, IgnoreError};
pub use masked::Masked;
pub use memory::{MEMORY_ERROR_STATUS, MemoryError};
pub use noise::{Example, Explanation, Noise};
pub use runner::{Failure, LabRunner, Runner, Version};
pub use template::{Beyond, Sample, Template};
pub use variation::Variation;
