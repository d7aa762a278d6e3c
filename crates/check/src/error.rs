//! Errors that end a check.

use std::{error::Error, fmt::Display};

use parallax_deadline::OutOfTime;
use parallax_instrument::InstrumentError;
use parallax_run::lab::RunError;

/// An error that ends a check.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Time ran out. Results so far are kept.
    #[error(transparent)]
    OutOfTime(#[from] OutOfTime),
    /// Something failed: a fragment that fits after "failed to".
    #[error("{0}")]
    Failed(String),
}

impl CheckError {
    /// A failure whose text fits after "failed to".
    pub fn failed(what: impl Into<String>) -> CheckError {
        CheckError::Failed(what.into())
    }

    /// A failure with another error as its cause.
    pub fn because(what: impl Display, cause: impl Error) -> CheckError {
        CheckError::Failed(format!("{what}: {}", chain(&cause)))
    }

    /// An error of another library, with causes that its own text does not contain.
    pub fn of(error: impl Error) -> CheckError {
        CheckError::Failed(chain(&error))
    }
}

impl From<RunError> for CheckError {
    fn from(error: RunError) -> CheckError {
        match error {
            RunError::OutOfTime => OutOfTime.into(),
            error => CheckError::of(error),
        }
    }
}

impl From<InstrumentError> for CheckError {
    fn from(error: InstrumentError) -> CheckError {
        match error.is_out_of_time() {
            true => OutOfTime.into(),
            false => CheckError::of(error),
        }
    }
}

/// The result if it was done in time; `None` if time ran out.
pub fn in_time<T>(done: Result<T, CheckError>) -> Result<Option<T>, CheckError> {
    match done {
        Err(CheckError::OutOfTime(_)) => Ok(None),
        done => done.map(Some),
    }
}

/// The text of an error, with each cause that it does not contain.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        cause = error.source();
    }
    text
}

/// Adds what failed to an error that only has the reason.
pub(crate) trait FailedTo<T> {
    /// `what` fits after "failed to".
    fn failed_to(self, what: impl FnOnce() -> String) -> Result<T, CheckError>;
}

impl<T, E: Error> FailedTo<T> for Result<T, E> {
    fn failed_to(self, what: impl FnOnce() -> String) -> Result<T, CheckError> {
        self.map_err(|cause| CheckError::because(what(), cause))
    }
}
