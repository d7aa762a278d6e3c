//! What a run has created, changed or removed in its working directory.
//!
//! A fifo is never opened, a link never followed, and of a file only as much is kept as the limits
//! say. Paths that are longer than the kernel lets anybody name are left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::CStr,
    io,
    os::fd::{AsRawFd, OwnedFd},
};

use super::{
    layout::Before,
    sys,
    walk::{Visit, Walk},
};
use crate::{Captured, Entry, FileChange, FileState};

type Changes = BTreeMap<Vec<u8>, FileChange>;

/// Compares what is in `directory` now with what was there `before`.
pub(super) fn changes(directory: OwnedFd, before: &Before, keep: u64) -> io::Result<Changes> {
    let mut changes = Changes::new();
    let mut seen = BTreeSet::new();
    let mut walk = Walk::new(directory)?;
    while let Some(visit) = walk.step()? {
        if walk.path().len() >= libc::PATH_MAX as usize {
            continue;
        }
        let expected = before.get_key_value(walk.path());
        seen.extend(expected.map(|(path, _)| *path));
        if let Some(change) = compare(&walk, &visit, expected.map(|(_, entry)| *entry), keep)? {
            changes.insert(walk.path().to_vec(), change);
        }
    }
    let gone = before.keys().filter(|path| !seen.contains(*path));
    changes.extend(gone.map(|path| (path.to_vec(), FileChange::Removed)));
    Ok(changes)
}

/// All that was there `before` is gone, and the directory with it.
pub(super) fn all_removed(before: &Before) -> Changes {
    before.keys().map(|path| (path.to_vec(), FileChange::Removed)).collect()
}

fn compare(
    walk: &Walk,
    visit: &Visit,
    expected: Option<&Entry>,
    keep: u64,
) -> io::Result<Option<FileChange>> {
    let state = match visit {
        Visit::Leave(_) => return Ok(None),
        Visit::Enter => FileState::Directory,
        Visit::Leaf(name, stat) => match leaf(walk, name, stat, expected, keep)? {
            Some(state) => state,
            None => return Ok(None),
        },
    };
    Ok(match (expected, state) {
        (None, state) => Some(FileChange::Created(state)),
        (Some(Entry::Directory), FileState::Directory) => None,
        (Some(Entry::Symlink(before)), FileState::Symlink(now)) if *before == now => None,
        (Some(_), state) => Some(FileChange::Changed(state)),
    })
}

/// The state of something that is no directory; `None` for a file that is as it was.
fn leaf(
    walk: &Walk,
    name: &CStr,
    stat: &libc::stat,
    expected: Option<&Entry>,
    keep: u64,
) -> io::Result<Option<FileState>> {
    match stat.st_mode & libc::S_IFMT {
        libc::S_IFREG => {
            let file = open_file(walk, name, stat)?;
            let before = match expected {
                Some(Entry::File { data, .. }) => Some(&data[..]),
                _ => None,
            };
            Ok(read_file(&file, stat.st_size as u64, before, keep)?.map(FileState::File))
        }
        libc::S_IFLNK => {
            sys::read_link_at(walk.directory(), name).map(|target| Some(FileState::Symlink(target)))
        }
        _ => Ok(Some(FileState::Special)),
    }
}

fn open_file(walk: &Walk, name: &CStr, stat: &libc::stat) -> io::Result<OwnedFd> {
    if stat.st_mode & 0o400 == 0 {
        sys::change_mode_at(walk.directory(), name, 0o600)?;
    }
    sys::open_at(walk.directory(), name, libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK, 0)
}

/// Reads the first `keep` bytes, unless the whole file is what it was `before`.
fn read_file(
    file: &OwnedFd,
    size: u64,
    before: Option<&[u8]>,
    keep: u64,
) -> io::Result<Option<Captured>> {
    let comparable = before.filter(|data| data.len() as u64 == size);
    let wanted = if comparable.is_some() { size } else { size.min(keep) };
    let mut bytes = read_up_to(file, wanted as usize)?;
    if comparable == Some(&bytes[..]) {
        return Ok(None);
    }
    bytes.truncate(usize::try_from(keep).unwrap_or(usize::MAX));
    Ok(Some(Captured { bytes, total: size }))
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
