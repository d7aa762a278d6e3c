//! The files that an invocation was given.
//!
//! A file below the directory the invocation started in is an input if an argument names it at the
//! start, or if it is opened or renamed, not to be emptied, and has not been created, emptied or
//! opened for writing by the invocation itself before. It is kept under the name it was opened by,
//! with the contents it had then; a symbolic link to a file becomes the file. Files that arguments
//! name count unopened, because `stat`, `unlink` and their like are not seen.
//!
//! The program itself and shared libraries that no argument names are not inputs: they are part of
//! how it runs. In the root directory everything is below, so there only files that the arguments
//! name count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use libc::c_int;
use parallax_run::Entry;

use crate::arguments;
use crate::draft::MAX_INPUT;

/// The input files of one invocation, as they become known.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// The directory in which the invocation started.
    root: PathBuf,
    /// Paths that are never inputs, nor is anything below them.
    not_inputs: Vec<PathBuf>,
    /// The paths that the arguments name.
    named: BTreeSet<PathBuf>,
    kept: BTreeMap<PathBuf, Entry>,
    /// The files that the invocation made itself.
    own: BTreeSet<PathBuf>,
    size: usize,
}

impl Inputs {
    /// The inputs of an invocation in `root` with these arguments.
    pub(crate) fn new(root: PathBuf, args: &[Vec<u8>], not_inputs: Vec<PathBuf>) -> Inputs {
        let named = arguments::named(args, &root).collect();
        let (kept, own) = (BTreeMap::new(), BTreeSet::new());
        Inputs { root, not_inputs, named, kept, own, size: 0 }
    }

    /// The file at an absolute path is about to be opened with these flags.
    pub(crate) fn about_to_open(&mut self, path: &Path, flags: c_int) {
        if flags & libc::O_PATH != 0 {
            return;
        }
        let path = plain(path);
        let access = flags & libc::O_ACCMODE;
        let emptied = flags & libc::O_TRUNC != 0;
        let exclusive = libc::O_CREAT | libc::O_EXCL;
        if !emptied && flags & exclusive != exclusive {
            self.keep(&path);
        }
        let creates = flags & libc::O_CREAT != 0 && !path.exists();
        if access != libc::O_RDONLY || emptied || creates {
            self.own.insert(path);
        }
    }

    /// A file is about to get another name.
    pub(crate) fn about_to_rename(&mut self, from: &Path, to: &Path) {
        let from = plain(from);
        let own = self.own.remove(&from);
        if !own && from.is_file() {
            self.keep(&from);
        }
        if own || from.exists() {
            self.own.insert(plain(to));
        }
    }

    /// Before the program runs: keeps the files that the arguments name.
    ///
    /// A file that is too large is left to the invocation, which may never read it.
    pub(crate) fn keep_named(&mut self) {
        for path in self.named.clone() {
            let room = MAX_INPUT.saturating_sub(self.size) as u64;
            if path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= room) {
                self.keep(&path);
            }
        }
    }

    /// The size of all files seen, which is more than is kept once it is too much.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The directory in which the invocation started.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a relative path names something that the invocation opened.
    pub(crate) fn knows(&self, relative: &Path) -> bool {
        let path = self.root.join(relative);
        let inside = self.kept.range(path.clone()..).next();
        self.own.contains(&path) || inside.is_some_and(|(kept, _)| kept.starts_with(&path))
    }

    /// The files by their relative paths; a directory only if no file in it implies it.
    pub(crate) fn into_files(self) -> BTreeMap<Vec<u8>, Entry> {
        let parents: BTreeSet<_> = self
            .kept
            .keys()
            .flat_map(|path| path.ancestors().skip(1))
            .map(Path::to_path_buf)
            .collect();
        let relative = |path: &Path| {
            path.strip_prefix(&self.root).ok().map(|path| path.as_os_str().as_bytes().to_vec())
        };
        let entries = self.kept.into_iter().filter(|(path, _)| !parents.contains(path));
        entries.filter_map(|(path, entry)| Some((relative(&path)?, entry))).collect()
    }

    fn keep(&mut self, path: &Path) {
        let Some(path) = self.below_root(path) else { return };
        if self.own.contains(&path) || self.kept.contains_key(&path) || !self.counts(&path) {
            return;
        }
        if let Some(entry) = read_entry(&path, MAX_INPUT.saturating_sub(self.size)) {
            if let Entry::File { data, .. } = &entry {
                self.size += data.len();
            }
            self.kept.insert(path, entry);
        }
    }

    /// The path if it is below the root, by its own text or by its target.
    fn below_root(&self, path: &Path) -> Option<PathBuf> {
        let below = |path: &Path| path.starts_with(&self.root) && path != self.root;
        if below(path) {
            return Some(path.to_path_buf());
        }
        path.canonicalize().ok().filter(|path| below(path))
    }

    fn counts(&self, path: &Path) -> bool {
        let excluded = self.not_inputs.iter().any(|excluded| path.starts_with(excluded));
        let circumstance = self.root == Path::new("/") || is_library(path);
        !excluded && (!circumstance || self.named.contains(path))
    }
}

/// The path without detours, if that is still the same file.
fn plain(path: &Path) -> PathBuf {
    let identity =
        |path: &Path| path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
    let plain = arguments::normalised(path);
    // A detour through a symbolic link leads elsewhere than its text says.
    if identity(&plain) == identity(path) {
        return plain;
    }
    path.canonicalize().unwrap_or(plain)
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    name.ends_with(b".so") || name.windows(4).any(|part| part == b".so.")
}

/// The entry at the path, if a test can hold it; one byte more than `limit` at most.
fn read_entry(path: &Path, limit: usize) -> Option<Entry> {
    let metadata = path.metadata().ok()?;
    if metadata.is_dir() {
        return Some(Entry::Directory);
    }
    if !metadata.is_file() {
        return None;
    }
    // It may have become a pipe meanwhile; nothing must make the monitor wait.
    let options =
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).clone();
    let file: File = options.open(path).ok()?;
    let mut data = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut data).ok()?;
    Some(Entry::File { data, executable: metadata.mode() & 0o111 != 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: c_int = libc::O_RDONLY;
    const CREATE: c_int = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC;

    /// Files `a`, `b` and `d/c`, a link to the directory, and a library.
    fn workplace() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let root = directory.path().canonicalize().expect("a path");
        std::fs::create_dir(root.join("d")).expect("a directory");
        for name in ["a", "b", "d/c", "libx.so.1"] {
            std::fs::write(root.join(name), name).expect("a file");
        }
        std::os::unix::fs::symlink("d", root.join("link")).expect("a link");
        (directory, root)
    }

    fn check(opens: &[(&str, c_int)], expected: &[&str]) {
        let (_directory, root) = workplace();
        let mut inputs = Inputs::new(root.clone(), &[], vec![root.join("b")]);
        for (path, flags) in opens {
            inputs.about_to_open(&root.join(path), *flags);
        }
        let files = inputs.into_files();
        let names: Vec<_> = files.keys().map(|name| String::from_utf8_lossy(name)).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn keeps_what_is_read_under_the_name_it_was_opened_by() {
        check(&[("a", READ), ("d/c", READ), ("a", READ)], &["a", "d/c"]);
        check(&[("./d/../a", READ)], &["a"]);
        check(&[("link/c", READ)], &["link/c"]);
        check(&[("a", libc::O_RDWR)], &["a"]);
        check(&[("a", libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT)], &["a"]);
        check(&[("d", READ | libc::O_DIRECTORY)], &["d"]);
        check(&[("d", READ | libc::O_DIRECTORY), ("d/c", READ)], &["d/c"]);
    }

    #[test]
    fn leaves_out_what_is_not_given() {
        check(&[("a", CREATE), ("a", READ)], &[]);
        check(&[("a", libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL)], &[]);
        check(&[("new", libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND)], &[]);
        check(&[("new", libc::O_RDWR | libc::O_CREAT), ("new", READ)], &[]);
        check(&[("b", READ), ("missing", READ), ("libx.so.1", READ)], &[]);
        check(&[("a", libc::O_PATH), ("/etc/passwd", READ), (".", READ)], &[]);
    }

    #[test]
    fn a_renamed_file_is_still_its_own() {
        let (_directory, root) = workplace();
        let mut inputs = Inputs::new(root.clone(), &[], Vec::new());
        inputs.about_to_open(&root.join("tmp"), CREATE);
        inputs.about_to_rename(&root.join("tmp"), &root.join("a"));
        inputs.about_to_open(&root.join("a"), READ);
        assert!(inputs.into_files().is_empty());
    }

    #[test]
    fn a_given_file_is_kept_under_the_name_it_was_given() {
        let (_directory, root) = workplace();
        let mut inputs = Inputs::new(root.clone(), &[], Vec::new());
        inputs.about_to_rename(&root.join("a"), &root.join("new"));
        std::fs::rename(root.join("a"), root.join("new")).expect("a new name");
        inputs.about_to_open(&root.join("new"), READ);
        inputs.about_to_rename(&root.join("missing"), &root.join("d/c"));
        inputs.about_to_open(&root.join("d/c"), READ);
        let files = inputs.into_files();
        assert_eq!(files.into_keys().collect::<Vec<_>>(), [b"a".to_vec(), b"d/c".to_vec()]);
    }

    #[test]
    fn a_named_file_that_is_too_large_counts_when_it_is_read() {
        let (_directory, root) = workplace();
        std::fs::write(root.join("large"), vec![0; MAX_INPUT + 1]).expect("a large file");
        let args = ["large", "a"].map(|arg| arg.as_bytes().to_vec());
        let mut inputs = Inputs::new(root.clone(), &args, Vec::new());
        inputs.keep_named();
        assert_eq!(inputs.size(), 1);
        inputs.about_to_open(&root.join("large"), READ);
        assert!(inputs.size() > MAX_INPUT);
    }

    #[test]
    fn keeps_what_arguments_name() {
        let (_directory, root) = workplace();
        let args = ["--in=a", "libx.so.1", "missing", "d"].map(|arg| arg.as_bytes().to_vec());
        let mut inputs = Inputs::new(root, &args, Vec::new());
        inputs.keep_named();
        assert!(inputs.knows(Path::new("a")));
        assert!(!inputs.knows(Path::new("missing")));
        assert_eq!(inputs.into_files().len(), 2);
    }
}
