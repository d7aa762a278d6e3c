//! A version of a program, as a user names it, and how it becomes a [`Build`].

use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use crate::{
    build::{Build, CaptureError},
    checkout::Submodules,
    project, sources, toolchain,
};

/// A version of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// C files that make up the program.
    Sources(Vec<PathBuf>),
    /// An executable that `parallax-cc` built.
    Program(PathBuf),
    /// A source tree, built by a command in a copy.
    Directory(PathBuf),
    /// A commit of the git repository that the user is in.
    Revision(String),
}

/// The options for building versions.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The command that builds a tree.
    pub build: Option<OsString>,
    /// The program that the command leaves there, relative to the tree.
    pub bin: Option<PathBuf>,
    /// Flags for compiling C files.
    pub cflags: Vec<OsString>,
    /// Flags for linking them.
    pub ldflags: Vec<OsString>,
    /// The `parallax-cc` to build trees with.
    pub compiler: PathBuf,
    /// Whether to build again even if the build is in the cache.
    pub rebuild: bool,
    /// The treatment of the submodules of a revision.
    pub submodules: Submodules,
    /// The value of `__FILE__` in a program of one C file, the same for both versions.
    pub source_name: Option<OsString>,
}

/// Progress of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Compiling or running the build command; it may take a while.
    Building(String),
    /// The build is in the cache.
    Cached(String),
    /// A note for the user.
    Note(String),
}

/// The reason why there is no build of a version.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// No path, file or revision has that name.
    #[error("find {0:?}: there is no such file or directory{1}")]
    Missing(OsString, &'static str),
    /// A tree needs a build command.
    #[error("build {}: a directory or a git revision needs --build CMD and --bin PATH", .0.to_string_lossy())]
    NeedsCommand(OsString),
    /// `--bin` must name something that the build makes.
    #[error("use --bin {}: give the program's path relative to the tree that is built", .0.display())]
    BinOutside(PathBuf),
    /// There is no such commit.
    #[error("find revision {revision:?}: {why}")]
    Revision {
        /// As the user wrote it.
        revision: String,
        /// The message of git.
        why: String,
    },
    /// The compiler refused the sources.
    #[error("compile {name}:\n{stderr}")]
    Compile {
        /// The version.
        name: String,
        /// The message of the compiler.
        stderr: String,
    },
    /// The build command failed.
    #[error("build {name} with `{command}` ({status}):\n{tail}")]
    Command {
        /// The version.
        name: String,
        /// The command.
        command: String,
        /// Its ending.
        status: String,
        /// The last lines it printed.
        tail: String,
    },
    /// The build command did not make the program.
    #[error("find {} after building {name}: the build command did not make it", .bin.display())]
    NoProgram {
        /// The version.
        name: String,
        /// The value of `--bin`.
        bin: PathBuf,
    },
    /// The program was there before the build.
    #[error(
        "capture {name}: the build compiled nothing with parallax-cc (if its tree holds objects of an earlier build, let --build clean first, as in --build 'make clean && make'; if it names a compiler by its path, let it use $CC; llvm-strip takes away what is needed, strip does not)"
    )]
    NothingCaptured {
        /// The version.
        name: String,
    },
    /// The executable cannot be used.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// There is no compiler.
    #[error(transparent)]
    NoClang(#[from] toolchain::NoClang),
    /// The cache or a tree cannot be read or written.
    #[error("build {name}: {source}")]
    Io {
        /// The version.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl Version {
    /// The version that `text` names: an existing path before a revision, C files by their names.
    pub fn named(text: &OsStr, options: &BuildOptions) -> Result<Version, VersionError> {
        let path = PathBuf::from(text);
        if path.is_dir() {
            return Ok(Version::Directory(path));
        }
        if let Some(files) = source_files(text) {
            return match files.iter().find(|file| !file.is_file()) {
                Some(missing) => Err(VersionError::Missing(missing.into(), "")),
                None => Ok(Version::Sources(files)),
            };
        }
        if path.exists() {
            return Ok(Version::Program(path));
        }
        match options.build {
            Some(_) => Ok(Version::Revision(text.to_string_lossy().into_owned())),
            None => Err(VersionError::Missing(
                text.into(),
                " (a git revision needs --build CMD and --bin PATH)",
            )),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Version::Sources(files) => {
                let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                names.join(",")
            }
            Version::Program(path) | Version::Directory(path) => path.display().to_string(),
            Version::Revision(revision) => revision.clone(),
        }
    }

    /// The name of the program, under which both versions are run.
    pub fn program_name(&self, options: &BuildOptions) -> OsString {
        let path = match (self, &options.bin) {
            (Version::Sources(files), _) => files[0].with_extension(""),
            (Version::Program(path), _) => path.clone(),
            (_, Some(bin)) => bin.clone(),
            (_, None) => PathBuf::new(),
        };
        path.file_name().unwrap_or(OsStr::new("program")).to_os_string()
    }

    /// Builds it, or finds it built.
    pub fn build(
        &self,
        options: &BuildOptions,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Build, VersionError> {
        match self {
            Version::Program(path) => Ok(Build::open(path)?),
            Version::Sources(files) => sources::build(self, files, options, progress),
            Version::Directory(path) => project::build_directory(self, path, options, progress),
            Version::Revision(revision) => {
                project::build_revision(self, revision, options, progress)
            }
        }
    }
}

/// `a.c`, or `a.c,b.c`: a list only if every part is a source by its name.
fn source_files(text: &OsStr) -> Option<Vec<PathBuf>> {
    let whole = Path::new(text);
    if is_source(whole) && (whole.is_file() || !text.as_bytes().contains(&b',')) {
        return Some(vec![whole.into()]);
    }
    let parts = text.as_bytes().split(|&byte| byte == b',');
    let files: Vec<PathBuf> = parts.map(|part| OsStr::from_bytes(part).into()).collect();
    files.iter().all(|file| is_source(file)).then_some(files)
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("c" | "i" | "cc" | "cpp" | "cxx" | "C" | "s" | "S"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &Path) -> Result<Version, VersionError> {
        Version::named(text.as_os_str(), &BuildOptions::default())
    }

    #[test]
    fn a_version_is_what_its_name_is_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            std::fs::write(dir.path().join(name), "").unwrap();
            dir.path().join(name)
        };
        let (source, comma, program) = (file("a.c"), file("x,y.c"), file("prog"));
        assert_eq!(named(&source).unwrap(), Version::Sources(vec![source.clone()]));
        assert_eq!(named(&comma).unwrap(), Version::Sources(vec![comma.clone()]));
        assert_eq!(named(&program).unwrap(), Version::Program(program));
        assert_eq!(named(dir.path()).unwrap(), Version::Directory(dir.path().into()));
        let both = PathBuf::from(format!("{0},{0}", source.display()));
        assert_eq!(named(&both).unwrap(), Version::Sources(vec![source.clone(), source]));
    }

    #[test]
    fn a_name_that_is_nothing_is_a_revision_only_with_a_build_command() {
        let missing = named(Path::new("HEAD~1")).unwrap_err().to_string();
        assert!(missing.contains("\"HEAD~1\"") && missing.contains("--build"), "{missing}");
        let options = BuildOptions { build: Some("make".into()), ..BuildOptions::default() };
        let revision = Version::named(OsStr::new("HEAD~1"), &options).unwrap();
        assert_eq!(revision, Version::Revision("HEAD~1".into()));
        let missing = Version::named(OsStr::new("gone.c"), &options).unwrap_err().to_string();
        assert_eq!(missing, "find \"gone.c\": there is no such file or directory");
    }
}
