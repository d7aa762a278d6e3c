//! Linking a program again from its changed whole-program module.
//!
//! The module replaces every captured object; what is left of the original link (libraries,
//! objects that were not captured, options of the linker) stays as it was, in its order.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    build::{Build, CaptureError, Image},
    note::LinkNote,
    section, toolchain,
};

/// Why a program cannot be linked again.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// There is no compiler.
    #[error(transparent)]
    NoClang(#[from] toolchain::NoClang),
    /// What was captured is incomplete.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The compiler cannot be started.
    #[error("run clang: {0}")]
    Start(#[from] io::Error),
    /// The compiler or the linker refused.
    #[error("link {} again:\n{stderr}", .program.display())]
    Refused {
        /// The program.
        program: PathBuf,
        /// What they said.
        stderr: String,
    },
}

/// Compiles `module` (bitcode of the whole program) with `options` and links it like `build`.
pub fn link_rebuilt(
    build: &Build,
    module: &Path,
    options: &[&str],
    output: &Path,
) -> Result<(), RebuildError> {
    let link = build.images[0].link.as_ref();
    let mut command = Command::new(toolchain::clang()?);
    if link.is_some_and(|link| link.cxx) {
        command.arg("--driver-mode=g++");
    }
    if let Some(link) = link {
        command.current_dir(existing_or_root(&link.directory));
    }
    command.arg("-w").args(options).args(["-x", "ir"]).arg(module).args(["-x", "none"]);
    for image in &build.images {
        command.args(image.objects()?);
        command.args(kept_words(image, build));
    }
    let result = command.arg("-o").arg(output).output()?;
    if result.status.success() {
        return Ok(());
    }
    Err(RebuildError::Refused {
        program: build.program.clone(),
        stderr: String::from_utf8_lossy(&result.stderr).into_owned(),
    })
}

fn existing_or_root(directory: &Path) -> &Path {
    if directory.is_dir() { directory } else { Path::new("/") }
}

/// The words of an image's link that still matter: for a shared library only the libraries that
/// it needs in its turn.
fn kept_words(image: &Image, build: &Build) -> Vec<OsString> {
    let Some(link) = &image.link else { return Vec::new() };
    let is_program = image.path == build.images[0].path;
    let words = link.words.iter().filter(|word| is_program || is_library(word));
    words.filter(|word| !is_replaced(word, link, build)).map(|word| absolute(word, link)).collect()
}

fn is_library(word: &OsStr) -> bool {
    word.as_bytes().starts_with(b"-l") || word.as_bytes().starts_with(b"-L")
}

/// Whether the module, or the kind of build that is made, takes the place of this word.
fn is_replaced(word: &OsStr, link: &LinkNote, build: &Build) -> bool {
    let bytes = word.as_bytes();
    if matches!(bytes, b"-static" | b"-s" | b"-static-pie") || bytes.starts_with(b"-Wl,-Map") {
        return true;
    }
    if let Some(name) = bytes.strip_prefix(b"-l") {
        let file = [b"lib", name, b".so"].concat();
        return build.images[1..].iter().any(|image| file_name(&image.path).starts_with(&file));
    }
    if bytes.starts_with(b"-") {
        return false;
    }
    let path = link.directory.join(word);
    let captured = build.images[1..].iter().any(|image| same_file(&image.path, &path));
    captured || is_captured_object(&path)
}

fn is_captured_object(path: &Path) -> bool {
    let object = matches!(path.extension().map(OsStr::as_bytes), Some(b"o" | b"lo"));
    object
        && section::read(path)
            .map_or(true, |notes| notes.is_some_and(|notes| !notes.units.is_empty()))
}

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

fn file_name(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_bytes()
}

/// A relative input as an absolute path, for a build directory that may be gone.
fn absolute(word: &OsStr, link: &LinkNote) -> OsString {
    if word.as_bytes().starts_with(b"-") || !link.directory.join(word).exists() {
        return word.to_os_string();
    }
    link.directory.join(word).into_os_string()
}
