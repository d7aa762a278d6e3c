//! The parts of a run that were not compared, and the reasons.

use parallax_run::Ending;

use crate::{Aspect, Version};

/// A part of a run that was not compared, or not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// The part.
    pub aspect: Aspect,
    /// The versions whose own runs vary in it. Only one is a finding of a kind: a program that
    /// reads memory it never wrote looks like that. None means that the difference is beyond the
    /// kept bytes, where the rules that matched before it can take nothing out.
    pub varies_in: Vec<Version>,
    /// The endings seen of the versions that vary, if the aspect is `exit`.
    pub endings: Vec<Ending>,
}

impl Masked {
    /// The version that varies, if the other does not.
    pub fn only_in(&self) -> Option<Version> {
        match self.varies_in[..] {
            [version] => Some(version),
            _ => None,
        }
    }
}
