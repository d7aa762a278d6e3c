//! From a captured program to an instrumented one.

use std::{io, path::Path};

use inkwell::builder::BuilderError;
use parallax_capture::{Build, CaptureError, Code, Image, RebuildError, Rebuilt, link_rebuilt};
use parallax_deadline::{Deadline, OutOfTime};
use parallax_module::{Binding, Module, ModuleError};

use crate::{sanitize, sanitize::watch_memory, symbolic::ToolkitError};

/// Why there is no instrumented build.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// The program's bitcode is incomplete.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The bitcode does not make a module.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// LLVM refused an instruction.
    #[error("instrument the module: {0}")]
    Build(#[from] BuilderError),
    /// The instrumented module does not link.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// The runtime is missing.
    #[error(transparent)]
    Toolkit(#[from] ToolkitError),
    /// The program handles exceptions, for which there are no labels.
    #[error(
        "trace the program: it handles exceptions, which is not supported, at {0} (compare, minimize, replay and \
         changes work for it; a build with -fno-exceptions can be traced)"
    )]
    Exceptions(String),
    /// The program cannot be instrumented.
    #[error("instrument the program: {0}")]
    Refused(String),
    /// There is no room for temporary files.
    #[error("make a temporary directory: {0}")]
    Scratch(#[from] io::Error),
    /// The deadline passed.
    #[error("make a build: there is no time left")]
    OutOfTime(#[from] OutOfTime),
}

impl InstrumentError {
    /// Whether the only problem is the deadline.
    pub fn is_out_of_time(&self) -> bool {
        match self {
            InstrumentError::OutOfTime(_) => true,
            InstrumentError::Rebuild(RebuildError::Start(error))
            | InstrumentError::Scratch(error) => {
                error.get_ref().is_some_and(|error| error.is::<OutOfTime>())
            }
            _ => false,
        }
    }
}

/// The module of a captured program with the shared libraries that were captured with it.
pub fn whole_program(build: &Build) -> Result<Module, InstrumentError> {
    let images: Result<Vec<_>, _> = build.images.iter().map(bitcode_image).collect();
    Ok(Module::assemble(&images?)?)
}

/// Description of an image for the whole-program module.
fn bitcode_image(image: &Image) -> Result<parallax_module::Image, CaptureError> {
    Ok(parallax_module::Image {
        parts: image.bitcode()?,
        exported: image.exported()?,
        referenced: image.referenced()?,
        binding: match image {
            image if image.is_symbolic() => Binding::Own,
            image if image.has_symbolic_functions() => Binding::OwnFunctions,
            _ => Binding::Interposable,
        },
        wrapped: image.wrapped(),
        rank: image.rank,
    })
}

/// Makes a build of the program at `output` that reports memory errors and undefined arithmetic.
pub fn sanitizer_build(build: &Build, output: &Path) -> Result<(), InstrumentError> {
    let module = whole_program(build)?;
    sanitize(&module)?;
    make_sanitized(build, &module, output, Deadline::NEVER)
}

/// Makes a build of the program at `output` that reports memory errors and nothing else.
pub fn memory_build(
    build: &Build,
    output: &Path,
    deadline: Deadline,
) -> Result<(), InstrumentError> {
    let module = whole_program(build)?;
    watch_memory(&module);
    make_sanitized(build, &module, output, deadline)
}

fn make_sanitized(
    build: &Build,
    module: &Module,
    output: &Path,
    deadline: Deadline,
) -> Result<(), InstrumentError> {
    let scratch = tempfile::tempdir()?;
    let path = scratch.path().join("module.bc");
    module.write(&path)?;
    match link_sanitized(build, &path, "-O0", output, deadline) {
        // Some programs only link once calls that are never made are optimised away.
        Err(RebuildError::Refused { .. }) => {
            Ok(link_sanitized(build, &path, "-O1", output, deadline)?)
        }
        linked => Ok(linked?),
    }
}

/// Unoptimised if possible: inlining and removed allocations hide errors. Each function has its own
/// section because a link that relies on `--gc-sections` relies on that.
fn link_sanitized(
    build: &Build,
    module: &Path,
    level: &str,
    output: &Path,
    deadline: Deadline,
) -> Result<(), RebuildError> {
    let options = [
        level,
        "-g",
        "-fno-omit-frame-pointer",
        "-ffunction-sections",
        "-fdata-sections",
        "-fsanitize=address",
    ];
    let code = Code::Module(module);
    link_rebuilt(build, Rebuilt { code, options: &options, objects: &[], deadline }, output)
}
