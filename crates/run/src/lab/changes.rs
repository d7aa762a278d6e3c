//! The files that a run has created, changed or removed in its working directory.
//!
//! A fifo is never opened, a link never followed, and of a file only as much is kept as the limits
//! say; the rest is read for its digest, except holes, and once for all links to a file: a hostile
//! program can make terabytes of either. Paths that are too long for the kernel to name are left
//! out.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::CStr,
    io,
    os::fd::{AsRawFd, OwnedFd},
};

use super::{
    layout::{self, Before},
    sys,
    walk::{Visit, Walk},
};
use crate::{Captured, Contents, Entry, FileChange, FileState, observation::Capture};

/// The mode bits that `chmod` can change.
const PERMISSIONS: u32 = 0o7777;

type Changes = BTreeMap<Vec<u8>, FileChange>;

/// Compares the current contents of `directory` with those `before`.
pub(super) fn changes(directory: OwnedFd, before: &Before, keep: u64) -> io::Result<Changes> {
    let mut changes = Changes::new();
    let mut seen = BTreeSet::new();
    let mut reader = Reader { keep, linked: BTreeMap::new() };
    let mut walk = Walk::new(directory)?;
    while let Some(visit) = walk.step()? {
        if walk.path().len() >= libc::PATH_MAX as usize {
            continue;
        }
        let expected = before.get_key_value(walk.path());
        seen.extend(expected.map(|(path, _)| *path));
        let expected = expected.map(|(_, entry)| *entry);
        if let Some(change) = compare(&walk, &visit, expected, &mut reader)? {
            changes.insert(walk.path().to_vec(), change);
        }
    }
    let gone = before.keys().filter(|path| !seen.contains(*path));
    changes.extend(gone.map(|path| (path.to_vec(), FileChange::Removed)));
    Ok(changes)
}

/// Reports all that was there `before` as gone, and the directory with it.
pub(super) fn all_removed(before: &Before) -> Changes {
    before.keys().map(|path| (path.to_vec(), FileChange::Removed)).collect()
}

fn compare(
    walk: &Walk,
    visit: &Visit,
    expected: Option<&Entry>,
    reader: &mut Reader,
) -> io::Result<Option<FileChange>> {
    let (found, stat) = match visit {
        Visit::Leave(_) => return Ok(None),
        Visit::Enter(stat) => (Found::directory(expected), stat),
        Visit::Leaf(name, stat) => (leaf(walk, name, stat, expected, reader)?, stat),
    };
    let state = FileState { contents: found.contents, mode: stat.st_mode & PERMISSIONS };
    Ok(match expected {
        None => Some(FileChange::Created(state)),
        Some(entry) if found.is_as_before && state.mode == layout::mode(entry) => None,
        Some(_) => Some(FileChange::Changed(state)),
    })
}

/// The contents at a path, and whether they are those that were laid out there.
struct Found {
    contents: Contents,
    is_as_before: bool,
}

impl Found {
    fn directory(expected: Option<&Entry>) -> Found {
        let is_as_before = matches!(expected, Some(Entry::Directory));
        Found { contents: Contents::Directory, is_as_before }
    }

    fn symlink(target: Vec<u8>, expected: Option<&Entry>) -> Found {
        let is_as_before = matches!(expected, Some(Entry::Symlink(before)) if *before == target);
        Found { contents: Contents::Symlink(target), is_as_before }
    }
}

/// The contents of an entry that is not a directory.
fn leaf(
    walk: &Walk,
    name: &CStr,
    stat: &libc::stat,
    expected: Option<&Entry>,
    reader: &mut Reader,
) -> io::Result<Found> {
    match stat.st_mode & libc::S_IFMT {
        libc::S_IFREG => {
            let file = open_file(walk, name, stat)?;
            let before = match expected {
                Some(Entry::File { data, .. }) => Some(&data[..]),
                _ => None,
            };
            reader.read(&file, stat, before)
        }
        libc::S_IFLNK => {
            sys::read_link_at(walk.directory(), name).map(|target| Found::symlink(target, expected))
        }
        _ => Ok(Found { contents: Contents::Special, is_as_before: false }),
    }
}

fn open_file(walk: &Walk, name: &CStr, stat: &libc::stat) -> io::Result<OwnedFd> {
    if stat.st_mode & 0o400 == 0 {
        sys::change_mode_at(walk.directory(), name, 0o600)?;
    }
    sys::open_at(walk.directory(), name, libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK, 0)
}

/// Reads the files of one walk.
struct Reader {
    keep: u64,
    /// The digests of files with several names, by inode: a walk does not leave its file system.
    linked: BTreeMap<libc::ino_t, u64>,
}

impl Reader {
    /// Captures a file; tells whether the whole of it equals `before`.
    fn read(
        &mut self,
        file: &OwnedFd,
        stat: &libc::stat,
        before: Option<&[u8]>,
    ) -> io::Result<Found> {
        let size = stat.st_size as u64;
        let comparable = before.filter(|data| data.len() as u64 == size);
        let wanted = if comparable.is_some() { size } else { size.min(self.keep) };
        let bytes = read_up_to(file, wanted as usize)?;
        let mut capture = Capture::new(self.keep);
        capture.take(&bytes);
        let is_as_before = comparable == Some(&bytes[..]);
        if !is_as_before && !self.linked.contains_key(&stat.st_ino) {
            take_beyond(file, size, &mut capture)?;
        }
        let mut captured = Captured { total: size, ..capture.finish() };
        if stat.st_nlink > 1 && !is_as_before {
            captured.rest = *self.linked.entry(stat.st_ino).or_insert(captured.rest);
        }
        Ok(Found { contents: Contents::File(captured), is_as_before })
    }
}

/// Takes the rest of the file, in pieces and without the holes.
fn take_beyond(file: &OwnedFd, size: u64, capture: &mut Capture) -> io::Result<()> {
    let mut buffer = [0; 64 << 10];
    while capture.total() < size {
        let Some(data) = next_data(file, capture.total())? else { return Ok(()) };
        capture.take_zeros_beyond(data - capture.total());
        match sys::read(file.as_raw_fd(), &mut buffer)? {
            0 => return Ok(()),
            count => capture.take(&buffer[..count]),
        }
    }
    Ok(())
}

/// Seeks to the next place at or after `from` that is not in a hole; `None` if only a hole is left.
fn next_data(file: &OwnedFd, from: u64) -> io::Result<Option<u64>> {
    // SAFETY: the descriptor is open, and no memory is involved.
    let place = unsafe { libc::lseek(file.as_raw_fd(), from as libc::off_t, libc::SEEK_DATA) };
    match u64::try_from(place) {
        Ok(place) => Ok(Some(place)),
        Err(_) => match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::ENXIO) => Ok(None),
            // The file system does not know holes; the file is read where it stands.
            error if error.raw_os_error() == Some(libc::EINVAL) => Ok(Some(from)),
            error => Err(error),
        },
    }
}

fn read_up_to(file: &OwnedFd, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match sys::read(file.as_raw_fd(), &mut bytes[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
