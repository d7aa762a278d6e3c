//! Finished builds, keyed by what they were made from.
//!
//! An entry is made in place, under a lock of its own, and counts only once its marker is there: an
//! interrupted build leaves nothing that could be taken for a finished one. The marker holds
//! digests of the files that count. A full disk, a crash of the machine or a cleaning tool can
//! damage an entry: an entry that is not as it was made is made again.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::store::{cache_directory, digest};

/// A folder of the cache that is made once for the inputs in `parts`.
///
/// `make` fills it; if that fails, nothing is kept.
pub fn made_once<E: From<io::Error>>(
    kind: &str,
    parts: &[&[u8]],
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let slot = Slot::open(kind, &digest(parts))?;
    if slot.is_finished() {
        slot.is_used()?;
    } else {
        slot.start()?;
        if let Err(error) = make(slot.folder()) {
            slot.clear()?;
            return Err(error);
        }
        slot.finish_with(&files_below(slot.folder())?)?;
    }
    Ok(slot.folder().to_owned())
}

/// Removes the entries of a kind that have not been used for the longest time, if there are more
/// than `most`. Entries used a short while ago may be in use, and stay.
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

/// The cache slot in which a program was built, if it was: programs may print where they are from.
pub fn slot_of(program: &Path) -> Option<PathBuf> {
    let builds = fs::canonicalize(cache_directory().join(BUILDS)).ok()?;
    let is_slot = |folder: &&Path| folder.parent() == Some(&builds);
    program.ancestors().find(is_slot).map(Path::to_path_buf)
}

/// The kind of slots that versions of programs are built in.
pub(crate) const BUILDS: &str = "builds";
/// The name of a build's tree in its slot.
pub(crate) const TREE: &str = "tree";

/// The file that marks an entry as whole, and holds the time of its last use.
const MARKER: &str = "finished";

/// The place of one build.
pub(crate) struct Slot {
    folder: PathBuf,
    /// Held while the entry is inspected or made.
    _lock: File,
}

impl Slot {
    /// The slot of `key`; waits if another process uses it.
    pub(crate) fn open(kind: &str, key: &str) -> io::Result<Slot> {
        let all = cache_directory().join(kind);
        fs::create_dir_all(&all)?;
        let lock = File::create(all.join(format!("{key}.lock")))?;
        lock.lock()?;
        Ok(Slot { folder: all.join(key), _lock: lock })
    }

    /// Replaces whatever was there by an empty folder.
    pub(crate) fn start(&self) -> io::Result<()> {
        self.clear()?;
        fs::create_dir(&self.folder)
    }

    /// The folder with the files of this build.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the build is there already, as it was made.
    pub(crate) fn is_finished(&self) -> bool {
        let Ok(marker) = fs::read(self.marker()) else { return false };
        let Some((digest_of_all, all)) = marker.split_at_checked(DIGITS) else { return false };
        let is_same = |file: &[u8]| {
            file.split_at_checked(DIGITS).is_some_and(|(made, name)| {
                let path = self.folder.join(OsStr::from_bytes(name));
                digest_of_file(&path).is_ok_and(|now| now.as_bytes() == made)
            })
        };
        digest(&[all]).as_bytes() == digest_of_all
            && all.split(|&byte| byte == 0).filter(|file| !file.is_empty()).all(is_same)
    }

    /// Marks the build as whole, and records which of its files have to stay as they are.
    pub(crate) fn finish_with(&self, files: &[PathBuf]) -> io::Result<()> {
        let mut all = Vec::new();
        for file in files {
            all.extend(digest_of_file(&self.folder.join(file))?.into_bytes());
            all.extend(file.as_os_str().as_bytes());
            all.push(0);
        }
        fs::write(self.marker(), [digest(&[&all]).as_bytes(), &all].concat())
    }

    /// Notes the time of the last use.
    fn is_used(&self) -> io::Result<()> {
        File::options().write(true).open(self.marker())?.set_modified(SystemTime::now())
    }

    fn last_used(&self) -> io::Result<SystemTime> {
        fs::metadata(self.marker())?.modified()
    }

    /// Removes the remains of a failed build.
    pub(crate) fn clear(&self) -> io::Result<()> {
        let removed = match fs::symlink_metadata(&self.folder) {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&self.folder),
            Ok(_) => fs::remove_file(&self.folder),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn marker(&self) -> PathBuf {
        self.folder.join(MARKER)
    }
}

/// Number of characters of a digest.
const DIGITS: usize = 64;

/// The digest of a regular file, or of a link's target: anything else, such as a FIFO in its place,
/// is damage.
fn digest_of_file(path: &Path) -> io::Result<String> {
    let kind = fs::symlink_metadata(path)?.file_type();
    match kind.is_file() {
        true => Ok(digest(&[&fs::read(path)?])),
        false if kind.is_symlink() => {
            Ok(digest(&[b"link", fs::read_link(path)?.as_os_str().as_bytes()]))
        }
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// The files below a folder, by their paths within it.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.extend(path.strip_prefix(folder).ok().map(Path::to_path_buf)),
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_is_not_as_it_was_made_does_not_count() {
        let place = tempfile::tempdir().expect("a directory can be made");
        let lock = File::create(place.path().join("lock")).expect("a file can be made");
        let slot = Slot { folder: place.path().join("entry"), _lock: lock };
        let file = |name: &str| slot.folder().join(name);
        let make = || {
            slot.start().expect("it is ours");
            fs::create_dir(file("sub")).expect("it is new");
            for (name, text) in [("a", "one"), ("sub/b\n", "two"), ("empty", "")] {
                fs::write(file(name), text).expect("there is room");
            }
            let files = files_below(slot.folder()).expect("it can be read");
            assert_eq!(files.len(), 3);
            slot.finish_with(&files).expect("there is room");
            assert!(slot.is_finished());
        };
        let damages: &[&dyn Fn() -> io::Result<()>] = &[
            &|| fs::write(file("a"), "on"),
            &|| fs::write(file("a"), "eno"),
            &|| fs::write(file("sub/b\n"), ""),
            &|| fs::write(file("empty"), "x"),
            &|| fs::remove_file(file("a")),
            &|| fs::remove_file(file("a")).and_then(|()| fs::create_dir(file("a"))),
            &|| fs::write(file(MARKER), ""),
            &|| fs::write(file(MARKER), &fs::read(file(MARKER))?[..80]),
            &|| fs::remove_file(file(MARKER)),
            &|| fs::remove_dir_all(slot.folder()).and_then(|()| fs::write(slot.folder(), "x")),
        ];
        for (number, damage) in damages.iter().enumerate() {
            make();
            damage().expect("it is ours");
            assert!(!slot.is_finished(), "damage {number}");
        }
        make();
    }
}
