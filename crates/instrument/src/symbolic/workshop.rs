//! Compiling a program group by group.
//!
//! All cores work at once, each on a group of its own in an LLVM of its own, and only on groups
//! that are not in the cache: of the next version of a program most are there already.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use parallax_capture::{forget_old, made_once, output_by, toolchain};
use parallax_deadline::Deadline;
use parallax_module::Module;

use super::{
    groups::{Group, Groups, distribute},
    normal::forget_sources,
    part::Part,
    record::Recording,
    toolkit::{Toolkit, ToolkitError},
    weave::weave,
};
use crate::{build::InstrumentError, llvm::Handle};

/// How much of a program the cache did not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Groups of functions that the program consists of.
    pub groups: usize,
    /// Those that were compiled.
    pub compiled: usize,
}

/// Options for compiling a group.
const TO_OBJECT: &[&str] = &["-fPIE", "-w", "-c", "-x", "ir"];
/// Optimisation of a group. A recorded one calls the runtime for each instruction, so that more
/// than the least costs time to compile and saves none to run.
const OPTIMISED: &str = "-O2";
const OPTIMISED_RECORDING: &str = "-O0";
/// The kind of entries in the cache, and their limit before the oldest are removed.
const KIND: &str = "groups";
const MOST_KEPT: usize = 4000;
/// The file name of a group's object in its entry.
const OBJECT: &str = "part.o";

/// The digest of this crate, which the generated code depends on besides the program.
pub(crate) const MAKER: &str = env!("PARALLAX_INSTRUMENT");

/// A program in groups, with the tools to compile them.
pub(crate) struct Workshop<'t> {
    toolkit: &'t Toolkit,
    clang: PathBuf,
    bitcode: Vec<u8>,
    groups: Groups,
    recording: Recording,
    nothing: Recording,
    deadline: Deadline,
}

impl<'t> Workshop<'t> {
    /// Splits a program in its normal form into groups.
    pub(crate) fn new(
        module: Module,
        recording: &Recording,
        toolkit: &'t Toolkit,
        deadline: Deadline,
    ) -> Result<Workshop<'t>, InstrumentError> {
        let handle = Handle::new(module.llvm());
        forget_sources(&handle);
        let groups = distribute(&handle);
        let bitcode = module.llvm().write_bitcode_to_memory().as_slice().to_vec();
        let clang = toolchain::clang().map_err(ToolkitError::from)?;
        let (recording, nothing) = (recording.clone(), Recording::default());
        Ok(Workshop { toolkit, clang, bitcode, groups, recording, nothing, deadline })
    }

    /// The objects of all groups, in their order.
    pub(crate) fn compile_all(&self) -> Result<(Vec<PathBuf>, Effort), InstrumentError> {
        let count = self.groups.all.len();
        let workers = thread::available_parallelism().map_or(1, usize::from).min(count);
        let next = AtomicUsize::new(0);
        let work = || {
            let numbers = std::iter::from_fn(|| {
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count)
            });
            numbers.map(|number| Ok((number, self.compile(&self.groups.all[number])?))).collect()
        };
        let done: Result<Vec<_>, InstrumentError> = thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let results = workers.into_iter().map(|worker| {
                let gone = || InstrumentError::Refused("a thread ended early".to_owned());
                worker.join().map_err(|_| gone())?
            });
            results.collect::<Result<Vec<Vec<_>>, _>>()
        })
        .map(|done| done.into_iter().flatten().collect());
        let mut done = done?;
        done.sort_by_key(|(number, _)| *number);
        let compiled = done.iter().filter(|(_, made)| made.compiled).count();
        if compiled > 0 {
            forget_old(KIND, MOST_KEPT)?;
        }
        let objects = done.into_iter().map(|(_, made)| made.object).collect();
        Ok((objects, Effort { groups: count, compiled }))
    }

    /// The object of a group: from the cache, if possible.
    fn compile(&self, group: &Group) -> Result<Made, InstrumentError> {
        self.deadline.check()?;
        let refused = InstrumentError::Refused;
        let part = Part::extract(&self.bitcode, &self.groups, group).map_err(refused)?;
        let toolkit = self.toolkit.version();
        let text = part.text();
        let mut key: Vec<&[u8]> = vec![MAKER.as_bytes(), toolkit.as_bytes()];
        key.extend(TO_OBJECT.iter().map(|option| option.as_bytes()));
        // The text marks recorded functions; every function records its writes if anything is
        // recorded.
        let recording = self.recording_of(group);
        let mark: &[u8] = if recording.is_empty() { b"" } else { b"recording" };
        key.extend([mark, optimisation(recording).as_bytes(), text.as_bytes()]);
        let mut compiled = false;
        let folder = made_once(KIND, &key, |folder| {
            compiled = true;
            self.make_object(&part, recording, folder)
        })?;
        Ok(Made { object: folder.join(OBJECT), compiled })
    }

    /// The recording for a group.
    fn recording_of(&self, group: &Group) -> &Recording {
        let is_idle = group.functions.iter().all(|name| self.recording.idle.contains(name));
        if is_idle { &self.nothing } else { &self.recording }
    }

    fn make_object(
        &self,
        part: &Part,
        recording: &Recording,
        folder: &Path,
    ) -> Result<(), InstrumentError> {
        let refused = InstrumentError::Refused;
        let probes = self.toolkit.probes(part.llvm().get_context())?;
        weave(part, probes, recording).map_err(refused)?;
        let module = folder.join("part.bc");
        fs::write(&module, part.llvm().write_bitcode_to_memory().as_slice())?;
        let mut command = Command::new(&self.clang);
        command
            .arg(optimisation(recording))
            .args(TO_OBJECT)
            .arg(&module)
            .arg("-o")
            .arg(folder.join(OBJECT));
        let output = output_by(&mut command, self.deadline)?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(refused(format!("compile a part of it:\n{stderr}")));
        }
        Ok(fs::remove_file(module)?)
    }
}

fn optimisation(recording: &Recording) -> &'static str {
    if recording.is_empty() { OPTIMISED } else { OPTIMISED_RECORDING }
}

/// A compiled group.
struct Made {
    object: PathBuf,
    compiled: bool,
}
