//! The parts of a run in which two versions can differ.

use std::fmt;

/// A visible part of a run.
///
/// Every way a run can end, by an exit status, a signal or a limit, is one aspect, `exit`: the two
/// endings themselves say which. A separate word for each would have to name a pair, since a run
/// can exit in one version and be killed in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
    /// Its ending.
    Exit,
    /// The files it left in its working directory.
    Files,
    /// Whether it accessed memory that is not its own: only builds that check memory accesses show
    /// it, and two plain runs are never said to differ in it.
    Memory,
}

impl Aspect {
    /// Its name in results and messages.
    pub fn name(self) -> &'static str {
        match self {
            Aspect::Stdout => "stdout",
            Aspect::Stderr => "stderr",
            Aspect::Exit => "exit",
            Aspect::Files => "files",
            Aspect::Memory => "memory",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The places in which two versions can differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Aspect(Aspect),
    File(Vec<u8>),
}

impl Place {
    /// The part of a run that it belongs to.
    pub(crate) fn aspect(&self) -> Aspect {
        match self {
            Place::Aspect(aspect) => *aspect,
            Place::File(_) => Aspect::Files,
        }
    }
}
