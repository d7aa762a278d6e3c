//! A test case under construction.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use parallax_run::TestCase;

use crate::arguments;
use crate::environment::Environment;
use crate::inputs::Inputs;
use crate::journal::SkipReason;

/// The largest input: a larger one is no seed for a search.
pub(crate) const MAX_INPUT: usize = 4 << 20;

/// The known parts of an invocation so far.
#[derive(Debug)]
pub(crate) struct Draft {
    args: Vec<Vec<u8>>,
    env: Environment,
    /// The files.
    pub(crate) inputs: Inputs,
}

impl Draft {
    /// The draft of an invocation in `directory`; `not_inputs` are never among its files.
    pub(crate) fn new(
        args: Vec<Vec<u8>>,
        env: Environment,
        directory: PathBuf,
        not_inputs: Vec<PathBuf>,
    ) -> Draft {
        let inputs = Inputs::new(directory, &args, not_inputs);
        Draft { args, env, inputs }
    }

    /// The test case, with the bytes that were read from standard input.
    pub(crate) fn finish(self, stdin: Vec<u8>) -> Result<TestCase, SkipReason> {
        if stdin.len() + self.inputs.size() > MAX_INPUT {
            return Err(SkipReason::TooLarge);
        }
        let known = |path: &[u8]| self.inputs.knows(Path::new(OsStr::from_bytes(path)));
        let root = self.inputs.root();
        let args = self.args.iter().map(|arg| arguments::made_relative(arg, root, known)).collect();
        Ok(TestCase {
            args,
            stdin: Some(stdin).filter(|stdin| !stdin.is_empty()),
            env: self.env,
            files: self.inputs.into_files(),
            ..TestCase::default()
        })
    }
}
