//! The compilers on this machine.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

/// The release of LLVM that everything is built on.
pub const LLVM_RELEASE: &str = "19";

/// No usable compiler was found.
#[derive(Debug, thiserror::Error)]
#[error(
    "find clang-{LLVM_RELEASE}: install it (apt-get install clang-{LLVM_RELEASE}) or name it in PARALLAX_CLANG"
)]
pub struct NoClang;

/// The clang to compile with: `PARALLAX_CLANG`, or `clang-19` on the path or where Debian puts it.
pub fn clang() -> Result<PathBuf, NoClang> {
    if let Some(named) = env::var_os("PARALLAX_CLANG").filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let debian = PathBuf::from(format!("/usr/lib/llvm-{LLVM_RELEASE}/bin/clang"));
    on_path(&format!("clang-{LLVM_RELEASE}"))
        .or_else(|| is_executable(&debian).then_some(debian))
        .ok_or(NoClang)
}

/// The variable that gives reproducible builds the time of a build, and the first second of the
/// year 2000.
const TIME_OF_BUILD: (&str, &str) = ("SOURCE_DATE_EPOCH", "946684800");

/// Makes a build tell programs a fixed time (`__DATE__`, `__TIME__`), unless the user has chosen
/// one: two versions are not built at the same time, and that is no difference between them.
pub(crate) fn fix_time(command: &mut Command) {
    let (name, time) = TIME_OF_BUILD;
    if env::var_os(name).is_none() {
        command.env(name, time);
    }
}

/// The first program of this name on the path that is not Parallax itself in disguise.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let own = env::current_exe().ok().and_then(|path| path.canonicalize().ok());
    let path = env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"));
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file) && file.canonicalize().ok() != own)
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The compiler's version text: the part of every cache key that a new compiler changes. Each
/// process asks the compiler once.
pub fn version(clang: &Path) -> Option<String> {
    static KNOWN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(version) = known.get(clang) {
        return Some(version.clone());
    }
    let output = Command::new(clang).arg("--version").output().ok()?;
    let version = output.status.success().then(|| String::from_utf8_lossy(&output.stdout))?;
    known.insert(clang.to_owned(), version.to_string());
    Some(version.into_owned())
}

/// Whether a compiler of this name (`parallax-c++`, `g++-12`) compiles C++.
pub(crate) fn is_cxx(name: &OsStr) -> bool {
    name.to_string_lossy().contains("++")
}
