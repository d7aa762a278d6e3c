//! Building a version by the project's own build command, in a tree of our own.
//!
//! The user's tree is never touched: a directory is copied, a revision is checked out into a clone
//! that borrows the repository's objects (a `git worktree` would leave its mark in the user's
//! `.git`). `CC` and `CXX` name `parallax-cc`, and the usual names of compilers stand for it on the
//! path, because many a makefile says `gcc`.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, symlink},
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use crate::{
    build::{Build, CaptureError},
    cache::Slot,
    driver::PREFIX_MAP,
    store::digest,
    toolchain,
    version::{BuildOptions, Progress, Version, VersionError},
};

/// Names under which builds call the compiler.
const C_NAMES: [&str; 5] = ["cc", "gcc", "clang", "c89", "c99"];
const CXX_NAMES: [&str; 4] = ["parallax-c++", "c++", "g++", "clang++"];

/// Variables that a build may look at and that therefore make it another build.
const BUILD_VARIABLES: [&str; 6] =
    ["CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "LIBS", "MAKEFLAGS"];

pub(crate) fn build_directory(
    version: &Version,
    path: &Path,
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Build, VersionError> {
    let project = Project::new(version, options)?;
    let content = project.io(hash_tree(path))?;
    project.build(&content, progress, |tree| copy_tree(path, tree))
}

pub(crate) fn build_revision(
    version: &Version,
    revision: &str,
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Build, VersionError> {
    let project = Project::new(version, options)?;
    let commit = resolve_revision(revision)?;
    project.build(&commit, progress, |tree| check_out(&commit, tree))
}

/// One version with the command that builds it.
struct Project<'a> {
    version: &'a Version,
    command: &'a OsStr,
    bin: &'a Path,
    compiler: &'a Path,
}

impl<'a> Project<'a> {
    fn new(version: &'a Version, options: &'a BuildOptions) -> Result<Project<'a>, VersionError> {
        match (&options.build, &options.bin) {
            (Some(command), Some(bin)) => {
                Ok(Project { version, command, bin, compiler: &options.compiler })
            }
            _ => Err(VersionError::NeedsCommand(version.name().into())),
        }
    }

    fn build(
        &self,
        content: &str,
        progress: &mut dyn FnMut(Progress),
        lay_out: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<Build, VersionError> {
        let slot = self.io(Slot::open(&self.cache_key(content)?))?;
        let tree = slot.folder().join("tree");
        if slot.is_finished()
            && let Ok(build) = Build::open_whole(&tree.join(self.bin))
        {
            progress(Progress::Cached(self.version.name()));
            return Ok(build);
        }
        progress(Progress::Building(self.version.name()));
        self.io(slot.start())?;
        let built = self.io(lay_out(&tree)).and_then(|()| self.make(slot.folder(), &tree));
        match built {
            Ok(build) => self.io(slot.finish()).map(|()| build),
            Err(error) => {
                self.io(slot.clear())?;
                Err(error)
            }
        }
    }

    fn cache_key(&self, content: &str) -> Result<String, VersionError> {
        let tool = toolchain::version(&toolchain::clang()?).unwrap_or_default();
        let variables = BUILD_VARIABLES.map(|name| env::var_os(name).unwrap_or_default());
        let mut parts = vec![
            b"project".as_slice(),
            env!("CARGO_PKG_VERSION").as_bytes(),
            tool.as_bytes(),
            content.as_bytes(),
            self.command.as_bytes(),
            self.bin.as_os_str().as_bytes(),
        ];
        parts.extend(variables.iter().map(|value| value.as_bytes()));
        Ok(digest(&parts))
    }

    fn make(&self, folder: &Path, tree: &Path) -> Result<Build, VersionError> {
        let log = folder.join("log");
        let status = self.io(self.run(folder, tree, &log))?;
        if !status.success() {
            return Err(VersionError::Command {
                name: self.version.name(),
                command: self.command.to_string_lossy().into_owned(),
                status: status.to_string(),
                tail: self.io(last_lines(&log))?,
            });
        }
        self.open(tree)
    }

    fn run(&self, folder: &Path, tree: &Path, log: &Path) -> io::Result<ExitStatus> {
        let names = folder.join("compilers");
        disguise(self.compiler, &names)?;
        let log = fs::File::create(log)?;
        let mut map = tree.as_os_str().to_os_string();
        map.push("=.");
        Command::new("sh")
            .arg("-c")
            .arg(self.command)
            .current_dir(tree)
            .env("CC", names.join("parallax-cc"))
            .env("CXX", names.join("parallax-c++"))
            .env("PATH", path_with(&names))
            .env(PREFIX_MAP, map)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .status()
    }

    fn open(&self, tree: &Path) -> Result<Build, VersionError> {
        let program = tree.join(self.bin);
        if !program.is_file() {
            return Err(VersionError::NoProgram {
                name: self.version.name(),
                bin: self.bin.into(),
            });
        }
        Build::open(&program).map_err(|error| match error {
            CaptureError::NotCaptured(_) => {
                VersionError::NothingCaptured { name: self.version.name() }
            }
            other => other.into(),
        })
    }

    fn io<T>(&self, result: io::Result<T>) -> Result<T, VersionError> {
        result.map_err(|source| VersionError::Io { name: self.version.name(), source })
    }
}

/// Makes a directory in which every usual name of a compiler is ours.
fn disguise(compiler: &Path, folder: &Path) -> io::Result<()> {
    let compiler = fs::canonicalize(compiler)?;
    fs::create_dir(folder)?;
    let names = C_NAMES.iter().chain(&CXX_NAMES).chain(&["parallax-cc"]);
    names.into_iter().try_for_each(|name| symlink(&compiler, folder.join(name)))
}

fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or(path)
}

/// The commit that the user means, in the repository of the current directory.
fn resolve_revision(revision: &str) -> Result<String, VersionError> {
    let error = |why: String| VersionError::Revision { revision: revision.into(), why };
    if !inside_repository() {
        return Err(error("this is neither a path nor inside a git repository".into()));
    }
    let commit = format!("{revision}^{{commit}}");
    let output = git(None, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    output.map_err(|_| error("the repository has no such revision".into()))
}

fn inside_repository() -> bool {
    git(None, &["rev-parse", "--git-dir"]).is_ok()
}

fn check_out(commit: &str, tree: &Path) -> io::Result<()> {
    let repository = git(None, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    let place = tree.to_string_lossy();
    git(None, &["clone", "--quiet", "--shared", "--no-checkout", &repository, &place])?;
    git(Some(tree), &["-c", "advice.detachedHead=false", "checkout", "--quiet", commit])?;
    Ok(())
}

fn git(directory: Option<&Path>, words: &[&str]) -> io::Result<String> {
    let mut command = Command::new("git");
    command.args(words).stdin(Stdio::null());
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_string());
    }
    let why = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    Err(io::Error::other(format!("git {}: {why}", words[0])))
}

/// Copies a tree as it is: `make` compares times, so they are kept.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let output = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim_end().to_string()))
}

/// A digest of every file of a tree, with its name and mode.
fn hash_tree(root: &Path) -> io::Result<String> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(&folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        entries.sort();
        for path in entries {
            let data = fs::symlink_metadata(&path)?;
            let name = path.strip_prefix(root).unwrap_or(&path);
            if data.is_dir() {
                // Which branch is checked out does not change what is built from the files.
                if name.file_name() != Some(OsStr::new(".git")) {
                    folders.push(path);
                }
                continue;
            }
            parts.push(name.as_os_str().as_bytes().to_vec());
            parts.push(data.mode().to_le_bytes().to_vec());
            parts.push(contents_of(&path, &data)?);
        }
    }
    Ok(digest(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// What stands for a file's contents in a digest.
fn contents_of(path: &Path, data: &fs::Metadata) -> io::Result<Vec<u8>> {
    if data.is_symlink() {
        return Ok(fs::read_link(path)?.into_os_string().as_bytes().to_vec());
    }
    if !data.is_file() {
        return Ok(Vec::new());
    }
    Ok(digest(&[&fs::read(path)?]).into_bytes())
}

fn last_lines(log: &Path) -> io::Result<String> {
    const LINES: usize = 25;
    let mut text = Vec::new();
    fs::File::open(log)?.read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    Ok(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}
