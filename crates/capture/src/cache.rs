//! Finished builds, by what they were made from.
//!
//! An entry is made in place, under a lock of its own, and counts only once its marker is there:
//! an interrupted build leaves nothing that could be taken for a finished one.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::store::{cache_directory, digest};

/// A folder of the cache that is made once for what `parts` say it is made from.
///
/// `make` fills it; if that fails, nothing is kept.
pub fn made_once<E: From<io::Error>>(
    kind: &str,
    parts: &[&[u8]],
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let slot = Slot::open(kind, &digest(parts))?;
    if slot.is_finished() {
        // Says when it was last of use.
        slot.finish()?;
    } else {
        slot.start()?;
        if let Err(error) = make(slot.folder()) {
            slot.clear()?;
            return Err(error);
        }
        slot.finish()?;
    }
    Ok(slot.folder().to_owned())
}

/// Removes the entries of a kind that were of no use for the longest time, if there are more than
/// `most`. What was used a short while ago may be in use, and stays.
pub fn forget_old(kind: &str, most: usize) -> io::Result<()> {
    const SHORT_WHILE: Duration = Duration::from_secs(3600);
    let mut entries = Vec::new();
    for entry in fs::read_dir(cache_directory().join(kind))? {
        let path = entry?.path();
        let used = fs::metadata(path.join(MARKER)).and_then(|marker| marker.modified());
        entries.extend(used.ok().map(|used| (used, path)));
    }
    let Some(surplus) = entries.len().checked_sub(most) else { return Ok(()) };
    entries.sort();
    let is_old = |used: &SystemTime| used.elapsed().is_ok_and(|age| age > SHORT_WHILE);
    for (_, path) in entries.into_iter().take(surplus).filter(|(used, _)| is_old(used)) {
        let Some(key) = path.file_name().and_then(OsStr::to_str) else { continue };
        let slot = Slot::open(kind, key)?;
        let is_old = slot.last_used().is_ok_and(|used| is_old(&used));
        if is_old {
            slot.clear()?;
        }
    }
    Ok(())
}

/// The tree of ours that a program was built in, if it was: programs may print where they are from.
pub fn tree_of(program: &Path) -> Option<PathBuf> {
    let builds = fs::canonicalize(cache_directory().join(BUILDS)).ok()?;
    let is_tree = |folder: &&Path| {
        folder.file_name() == Some(OsStr::new(TREE))
            && folder.parent().and_then(Path::parent) == Some(&builds)
    };
    program.ancestors().find(is_tree).map(Path::to_path_buf)
}

/// The kind of slots that versions of programs are built in.
pub(crate) const BUILDS: &str = "builds";
/// What the tree of a build is called in its slot.
pub(crate) const TREE: &str = "tree";

/// The file that says that an entry is whole, and when it was last used.
const MARKER: &str = "finished";

/// The place of one build.
pub(crate) struct Slot {
    folder: PathBuf,
    /// Held while the entry is looked at or made.
    _lock: File,
}

impl Slot {
    /// The place for what `key` names; waits if another process is at it.
    pub(crate) fn open(kind: &str, key: &str) -> io::Result<Slot> {
        let all = cache_directory().join(kind);
        fs::create_dir_all(&all)?;
        let lock = File::create(all.join(format!("{key}.lock")))?;
        lock.lock()?;
        Ok(Slot { folder: all.join(key), _lock: lock })
    }

    /// An empty folder in the place of whatever was there.
    pub(crate) fn start(&self) -> io::Result<()> {
        self.clear()?;
        fs::create_dir(&self.folder)
    }

    /// Where the files of this build are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the build is there already.
    pub(crate) fn is_finished(&self) -> bool {
        self.marker().is_file()
    }

    /// Says that the build is whole.
    pub(crate) fn finish(&self) -> io::Result<()> {
        fs::write(self.marker(), "")
    }

    fn last_used(&self) -> io::Result<SystemTime> {
        fs::metadata(self.marker())?.modified()
    }

    /// Removes what a failed build left.
    pub(crate) fn clear(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn marker(&self) -> PathBuf {
        self.folder.join(MARKER)
    }
}
