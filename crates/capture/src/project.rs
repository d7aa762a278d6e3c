//! Building a version by the project's own build command, in a tree of our own.
//!
//! The user's tree is never touched: a directory is copied, a revision is checked out elsewhere.
//! `CC` and `CXX` name `parallax-cc`, and the usual names of compilers stand for it on the
//! path, because many a makefile says `gcc`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, symlink},
    },
    path::{Component, Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use crate::{
    build::{Build, CaptureError},
    cache::{BUILDS, Slot, TREE},
    checkout::{self, Submodules},
    driver::PREFIX_MAP,
    store::{cache_directory, digest},
    toolchain,
    version::{BuildOptions, Progress, Version, VersionError},
};

/// The file in the folder of a build that lists what its tree lacks.
const LACKING: &str = "lacking";

/// Names under which builds call the compiler.
const NAMES: [&str; 10] =
    ["parallax-cc", "parallax-c++", "cc", "gcc", "clang", "c89", "c99", "c++", "g++", "clang++"];

/// Variables that say something about the session and nothing about a build; all others may make it
/// another build.
const SESSION_VARIABLES: [&str; 14] = [
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "TERM",
    "COLUMNS",
    "LINES",
    "COLORTERM",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "WINDOWID",
    "TMPDIR",
    "NO_COLOR",
];

pub(crate) fn build_directory(
    version: &Version,
    path: &Path,
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Build, VersionError> {
    let project = Project::new(version, options)?;
    let content = project.io(hash_tree(path))?;
    project.build(&content, progress, |tree| copy_tree(path, tree).map(|()| Vec::new()))
}

pub(crate) fn build_revision(
    version: &Version,
    revision: &str,
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Build, VersionError> {
    let project = Project::new(version, options)?;
    let commit = checkout::resolve(revision)?;
    // The build command runs where the user is, below the top of the repository.
    let folder = project.io(checkout::current_folder())?;
    let project = Project { folder, ..project };
    let content = match options.submodules {
        Submodules::Wanted => commit.clone(),
        Submodules::Ignored => format!("{commit} without submodules"),
    };
    let lay_out = |tree: &Path| checkout::check_out(&commit, tree, options.submodules);
    project.build(&content, progress, lay_out)
}

/// One version with the command that builds it.
struct Project<'a> {
    version: &'a Version,
    command: &'a OsStr,
    bin: &'a Path,
    compiler: &'a Path,
    rebuild: bool,
    /// The place in the tree where the command runs and the program is.
    folder: PathBuf,
}

impl<'a> Project<'a> {
    fn new(version: &'a Version, options: &'a BuildOptions) -> Result<Project<'a>, VersionError> {
        match (&options.build, &options.bin) {
            (Some(_), Some(bin)) if !stays_inside(bin) => {
                Err(VersionError::BinOutside(bin.clone()))
            }
            (Some(command), Some(bin)) => Ok(Project {
                version,
                command,
                bin,
                compiler: &options.compiler,
                rebuild: options.rebuild,
                folder: PathBuf::new(),
            }),
            _ => Err(VersionError::NeedsCommand(version.name().into())),
        }
    }

    fn build(
        &self,
        content: &str,
        progress: &mut dyn FnMut(Progress),
        lay_out: impl FnOnce(&Path) -> io::Result<Vec<String>>,
    ) -> Result<Build, VersionError> {
        let slot = self.io(Slot::open(BUILDS, &self.cache_key(content)?))?;
        let tree = slot.folder().join(TREE);
        if !self.rebuild
            && slot.is_finished()
            && let Ok(build) = Build::open_whole(&tree.join(&self.folder).join(self.bin))
        {
            tell(&slot, progress);
            progress(Progress::Cached(self.version.name()));
            return Ok(build);
        }
        progress(Progress::Building(self.version.name()));
        self.io(slot.start())?;
        let lacking = self.io(lay_out(&tree)
            .and_then(|lacking| fs::write(slot.folder().join(LACKING), lacking.join("\n"))));
        tell(&slot, progress);
        let built = lacking.and_then(|()| self.make(slot.folder(), &tree));
        match built {
            Ok(build) => {
                self.io(slot.finish_with(&own_files(&build, slot.folder()))).map(|()| build)
            }
            Err(error) => {
                self.io(slot.clear())?;
                Err(error)
            }
        }
    }

    fn cache_key(&self, content: &str) -> Result<String, VersionError> {
        let tool = toolchain::version(&toolchain::clang()?).unwrap_or_default();
        let variables = build_variables();
        let mut parts = vec![
            b"project, options noted".as_slice(),
            env!("CARGO_PKG_VERSION").as_bytes(),
            tool.as_bytes(),
            content.as_bytes(),
            self.command.as_bytes(),
            self.bin.as_os_str().as_bytes(),
            self.folder.as_os_str().as_bytes(),
        ];
        for (name, value) in &variables {
            parts.extend([name.as_bytes(), value.as_bytes()]);
        }
        Ok(digest(&parts))
    }

    fn make(&self, folder: &Path, tree: &Path) -> Result<Build, VersionError> {
        let log = folder.join("log");
        let status = self.io(self.run(tree, &log))?;
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

    fn run(&self, tree: &Path, log: &Path) -> io::Result<ExitStatus> {
        let names = disguise(self.compiler)?;
        let log = fs::File::create(log)?;
        let mut map = tree.as_os_str().to_os_string();
        map.push("=.");
        let mut command = Command::new("sh");
        checkout::forget_hooks(&mut command);
        toolchain::fix_time(&mut command);
        command
            .arg("-c")
            .arg(self.command)
            .current_dir(tree.join(&self.folder))
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
        let program = tree.join(&self.folder).join(self.bin);
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

/// Reports what a tree lacks, now and whenever its build is used again.
fn tell(slot: &Slot, progress: &mut dyn FnMut(Progress)) {
    let lacking = fs::read_to_string(slot.folder().join(LACKING)).unwrap_or_default();
    lacking.lines().for_each(|line| progress(Progress::Note(format!("note: {line}"))));
}

/// The files of a build that is used again, as far as they are in its own folder. If a library is
/// found by a link, both count.
fn own_files(build: &Build, folder: &Path) -> Vec<PathBuf> {
    let Ok(folder) = fs::canonicalize(folder) else { return Vec::new() };
    let images = build.images.iter().map(|image| image.path.clone());
    let files = images.flat_map(|path| [fs::canonicalize(&path).ok(), Some(path)]).flatten();
    let own = files.filter_map(|path| path.strip_prefix(&folder).ok().map(Path::to_path_buf));
    let own: BTreeSet<_> = own.chain([PathBuf::from(LACKING)]).collect();
    own.into_iter().collect()
}

/// Whether a path stays below the directory it is relative to.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The environment as far as a build may depend on it, in a fixed order.
fn build_variables() -> BTreeMap<OsString, OsString> {
    let is_session = |name: &OsStr| SESSION_VARIABLES.iter().any(|session| name == *session);
    let is_ours = |name: &OsStr| name.as_bytes().starts_with(b"PARALLAX_");
    env::vars_os().filter(|(name, _)| !is_session(name) && !is_ours(name)).collect()
}

/// A directory in which every usual name of a compiler is ours, and every name with a version or a
/// target (`gcc-12`, `x86_64-linux-gnu-gcc`) that is on the path.
///
/// Configure scripts put the path of the compiler into programs, which may print it: it is one place for all
/// builds, and names are only ever added.
fn disguise(compiler: &Path) -> io::Result<PathBuf> {
    let compiler = fs::canonicalize(compiler)?;
    let place = digest(&[compiler.as_os_str().as_bytes()]);
    let folder = cache_directory().join("compilers").join(place);
    fs::create_dir_all(&folder)?;
    let path = env::var_os("PATH").unwrap_or_default();
    let there = env::split_paths(&path).filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let there = there.flatten().map(|entry| entry.file_name()).filter(|name| is_compiler(name));
    let names: BTreeSet<OsString> = NAMES.iter().map(OsString::from).chain(there).collect();
    for name in names {
        match symlink(&compiler, folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            // The directory is named by the compiler: a link that is there is the same link.
            _ => {}
        }
    }
    Ok(folder)
}

/// Whether this is a name of gcc or clang, with or without a target before and a version behind.
fn is_compiler(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let plain =
        name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    let last = plain.rsplit_once("-linux-gnu-").map_or(plain, |(_, last)| last);
    matches!(last, "gcc" | "g++" | "clang" | "clang++")
}

fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or(path)
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
                // The branch that is checked out does not affect a build from the files.
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

/// The bytes that represent a file's contents in a digest.
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
