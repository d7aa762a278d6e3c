//! From what the user typed for OLD, NEW or PROGRAM to something that runs.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
};

use anyhow::{Context, anyhow};
use parallax_capture::{Build, BuildOptions, Progress, Submodules, Version};
use parallax_deadline::OutOfTime;
use parallax_instrument::InstrumentError;
use parallax_run::{Addresses, MemoryLimit, Subject, lab::RunError};

use crate::{cli::Building, screen::Screen};

/// The two sides of a comparison.
pub(crate) struct Pair {
    pub(crate) old: Build,
    pub(crate) new: Build,
    /// What both are called when they run.
    pub(crate) name: OsString,
}

impl Pair {
    /// Builds both versions.
    pub(crate) fn build(
        old: &OsStr,
        new: &OsStr,
        building: &Building,
        screen: &Screen,
    ) -> anyhow::Result<Pair> {
        let mut options = options(building)?;
        let [old, new] = [named(old, &options)?, named(new, &options)?];
        let name = new.program_name(&options);
        options.source_name = source_name(&new);
        Ok(Pair { old: build(&old, &options, screen)?, new: build(&new, &options, screen)?, name })
    }
}

/// Builds a single version.
pub(crate) fn build_one(
    text: &OsStr,
    building: &Building,
    screen: &Screen,
) -> anyhow::Result<(Build, OsString)> {
    let options = options(building)?;
    let version = named(text, &options)?;
    Ok((build(&version, &options, screen)?, version.program_name(&options)))
}

/// As [`build_one`], but an executable need not be captured: it is only run.
pub(crate) fn runnable(
    text: &OsStr,
    building: &Building,
    screen: &Screen,
) -> anyhow::Result<(Build, OsString)> {
    let options = options(building)?;
    match named(text, &options)? {
        Version::Program(path) => {
            let build = Build::open_native(&path).map_err(failed_to)?;
            Ok((build, Version::Program(path).program_name(&options)))
        }
        version => Ok((build(&version, &options, screen)?, version.program_name(&options))),
    }
}

/// The native program of a build, to be run under `name`.
pub(crate) fn subject(build: &Build, name: &OsStr, memory: u64) -> anyhow::Result<Subject> {
    build.starts_anywhere().map_err(failed_to)?;
    // Sanitizers map terabytes of addresses that hold nothing.
    let (memory, env) = match build.has_shadow() {
        true => (MemoryLimit::Resident(memory), vec![sanitizer_options("detect_leaks=0")]),
        false => (MemoryLimit::AddressSpace(memory), Vec::new()),
    };
    Ok(Subject {
        program: build.program.clone(),
        name: name.as_bytes().to_vec(),
        library_path: build.library_path.clone(),
        env,
        memory,
        addresses: Addresses::Fixed,
        forks: false,
    })
}

/// Settings of AddressSanitizer. Its search for leaks needs ptrace, which the sandbox forbids.
pub(crate) fn sanitizer_options(options: &str) -> (Vec<u8>, Vec<u8>) {
    (b"ASAN_OPTIONS".to_vec(), options.as_bytes().to_vec())
}

/// A program that ships beside this one.
pub(crate) fn companion(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("failed to find the parallax executable")?;
    let path = own.with_file_name(name);
    if path.is_file() {
        return Ok(path);
    }
    Err(anyhow!(
        "failed to find {}: it belongs beside parallax (./x install puts it there)",
        path.display()
    ))
}

fn named(text: &OsStr, options: &BuildOptions) -> anyhow::Result<Version> {
    Version::named(text, options).map_err(failed_to)
}

fn build(version: &Version, options: &BuildOptions, screen: &Screen) -> anyhow::Result<Build> {
    let mut progress = |progress: Progress| match progress {
        Progress::Building(name) => screen.status(&format!("building {name}")),
        Progress::Note(note) => screen.say_once(note),
        Progress::Cached(_) => {}
    };
    let build = version.build(options, &mut progress).map_err(failed_to)?;
    screen.clear();
    for (unit, why) in build.missing() {
        screen.say(&format!("note: no bitcode of {}: {why}", unit.source.display()));
    }
    Ok(build)
}

/// Errors of the libraries are fragments: this makes sentences of them.
///
/// What caused an error is added where its own text does not tell.
pub(crate) fn failed_to(error: impl std::error::Error) -> anyhow::Error {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        cause = error.source();
    }
    anyhow!("failed to {text}")
}

/// The same for runs: that there was no time for one is an [`OutOfTime`], which is no trouble.
pub(crate) fn failed_to_run(error: RunError) -> anyhow::Error {
    match error {
        RunError::OutOfTime => OutOfTime.into(),
        error => failed_to(error),
    }
}

/// The same for instrumented builds.
pub(crate) fn failed_to_build(error: InstrumentError) -> anyhow::Error {
    match error.is_out_of_time() {
        true => OutOfTime.into(),
        false => failed_to(error),
    }
}

/// What `__FILE__` says in both versions of a program of one file.
fn source_name(new: &Version) -> Option<OsString> {
    match new {
        Version::Sources(files) => files[0].file_name().map(OsStr::to_os_string),
        _ => None,
    }
}

fn options(building: &Building) -> anyhow::Result<BuildOptions> {
    Ok(BuildOptions {
        build: building.build.clone(),
        bin: building.bin.clone(),
        cflags: words(building.cflags.as_deref()),
        ldflags: words(building.ldflags.as_deref()),
        compiler: if building.build.is_some() { companion("parallax-cc")? } else { PathBuf::new() },
        submodules: match building.no_submodules {
            true => Submodules::Ignored,
            false => Submodules::Wanted,
        },
        rebuild: building.rebuild,
        source_name: None,
    })
}

fn words(flags: Option<&str>) -> Vec<OsString> {
    flags.unwrap_or_default().split_whitespace().map(OsString::from).collect()
}
