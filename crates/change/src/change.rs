//! A change, and all changes between two versions.

use parallax_program::{FunctionId, SiteId};

use crate::matching::Matching;

/// The matching of two versions and the changes between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The matching of functions, blocks and instructions.
    pub matching: Matching,
    /// The changes, in the order of the new version's code; whole deleted functions come last.
    pub changes: Vec<Change>,
    /// Functions that have another name in the new version.
    pub renamed: Vec<(FunctionId, FunctionId)>,
    /// Functions whose body only the new version has.
    pub added: Vec<FunctionId>,
    /// Functions whose body only the old version has.
    pub deleted: Vec<FunctionId>,
}

impl Changes {
    /// Whether both versions are the same code.
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }
}

/// A maximal run of changed instructions of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The kind of the change.
    pub kind: Kind,
    /// Its function in the old version.
    pub old_function: Option<FunctionId>,
    /// Its function in the new version.
    pub new_function: Option<FunctionId>,
    /// The changed instructions of the old version.
    pub old_sites: Vec<SiteId>,
    /// The changed instructions of the new version.
    pub new_sites: Vec<SiteId>,
    /// Its start in the new version; of a deletion, where it would have run. `None` if the new
    /// version does not have the function.
    pub site: Option<SiteId>,
    /// Its start in the old version; of an addition, where it would have run. `None` if the old
    /// version does not have the function.
    pub old_site: Option<SiteId>,
    /// The source lines of the old version.
    pub old_lines: Option<Lines>,
    /// The source lines of the new version.
    pub new_lines: Option<Lines>,
    /// Why it is a change.
    pub cause: Cause,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Both versions have the code, with differences.
    Modified,
    /// Only the new version has the code.
    Added,
    /// Only the old version has the code.
    Deleted,
}

/// Why something is a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The code differs.
    Code,
    /// The code is the same, but the initial value or size of the global of this name, which it
    /// uses, differs.
    Global(String),
    /// A local variable that is declared here has another size.
    Layout,
    /// The function type differs.
    Signature,
    /// No instruction differs, but another part of the program.
    Frame(String),
}

/// Lines of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lines {
    /// The file, as an index into the files of the program.
    pub file: u32,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}
