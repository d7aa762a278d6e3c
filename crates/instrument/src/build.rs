//! From a captured program to an instrumented one.

use std::{io, path::Path};

use inkwell::builder::BuilderError;
use parallax_capture::{Build, CaptureError, RebuildError, link_rebuilt};
use parallax_program::{Module, ModuleError};

use crate::sanitize;

/// Why there is no instrumented build.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// The program's bitcode is not all there.
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
    /// There is no room for temporary files.
    #[error("make a temporary directory: {0}")]
    Scratch(#[from] io::Error),
}

/// The module of a captured program with the shared libraries that were captured with it.
pub fn whole_program(build: &Build) -> Result<Module, InstrumentError> {
    let images = build.images.iter().map(|image| image.bitcode());
    Ok(Module::assemble(&images.collect::<Result<Vec<_>, _>>()?)?)
}

/// Makes a build of the program at `output` that reports memory errors and undefined arithmetic.
pub fn sanitizer_build(build: &Build, output: &Path) -> Result<(), InstrumentError> {
    let module = whole_program(build)?;
    sanitize(&module)?;
    let scratch = tempfile::tempdir()?;
    let path = scratch.path().join("module.bc");
    module.write(&path)?;
    let options = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address"];
    Ok(link_rebuilt(build, &path, &options, output)?)
}
