//! `parallax module`: the whole program in one piece.

use anyhow::Context;
use parallax_capture::Build;
use parallax_instrument::{sanitizer_build, symbolic_build, whole_program};
use parallax_program::Program;
use parallax_report::harmless_line;

use crate::{
    cli::{self, Status},
    screen::Screen,
    target,
    versions::{build_one, failed_to},
};

pub(crate) fn run(options: &cli::Module, screen: &Screen) -> anyhow::Result<Status> {
    let (build, name) = build_one(&options.program, &options.building, screen)?;
    let module = whole_program(&build).map_err(failed_to)?;
    if let Some(path) = &options.output {
        target::write(path, module.bitcode())?;
    }
    let program = module.program();
    let name = name.to_string_lossy();
    screen.print(&format!("{}: {}\n", harmless_line(&name), describe(&build, &program)))?;
    if let Some(path) = &options.sanitizer_build {
        let path = std::path::absolute(path).context("failed to find the working directory")?;
        sanitizer_build(&build, &path).map_err(failed_to)?;
    }
    if let Some(path) = &options.symbolic_build {
        let path = std::path::absolute(path).context("failed to find the working directory")?;
        symbolic_build(&build, &path).map_err(failed_to)?;
    }
    Ok(Status::Fine)
}

fn describe(build: &Build, program: &Program) -> String {
    let units: usize = build.images.iter().map(|image| image.units.len()).sum();
    let without = match build.missing().count() {
        0 => String::new(),
        missing => format!(" ({missing} without bitcode)"),
    };
    let libraries = match build.images.len() - 1 {
        0 => String::new(),
        1 => ", 1 shared library".into(),
        several => format!(", {several} shared libraries"),
    };
    format!(
        "{units} units{without}{libraries}, {} functions, {} instructions, verified",
        program.defined().count(),
        program.instructions().count()
    )
}
