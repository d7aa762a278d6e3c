//! Builds of the OLD, NEW or PROGRAM that the user named.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use anyhow::{Context, anyhow};
use parallax_capture::{Build, BuildOptions, Progress, Submodules, Version};
use parallax_check::{CheckError, Pair};

use crate::{cli::Building, screen::Screen};

/// Builds both versions.
pub(crate) fn build_pair(
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

/// A program that is installed beside this one.
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

/// Errors of the libraries are fragments: this makes sentences of them, with their causes.
pub(crate) fn failed_to(error: impl std::error::Error) -> anyhow::Error {
    failed(CheckError::of(error))
}

/// The same for errors that include running out of time, which is no failure.
pub(crate) fn failed(error: impl Into<CheckError>) -> anyhow::Error {
    match error.into() {
        CheckError::OutOfTime(out_of_time) => out_of_time.into(),
        CheckError::Failed(why) => anyhow!("failed to {why}"),
    }
}

/// The value of `__FILE__` in both versions of a program of one file.
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
        cflags: flags("--cflags", building.cflags.as_deref())?,
        ldflags: flags("--ldflags", building.ldflags.as_deref())?,
        compiler: if building.build.is_some() { companion("parallax-cc")? } else { PathBuf::new() },
        submodules: match building.no_submodules {
            true => Submodules::Ignored,
            false => Submodules::Wanted,
        },
        rebuild: building.rebuild,
        source_name: None,
    })
}

/// The flags in an option, quoted as in a shell.
fn flags(option: &str, text: Option<&str>) -> anyhow::Result<Vec<OsString>> {
    let flags = shlex::split(text.unwrap_or_default())
        .ok_or_else(|| anyhow!("failed to read {option}: a quote is not closed"))?;
    Ok(flags.into_iter().map(OsString::from).collect())
}
