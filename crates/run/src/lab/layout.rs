//! Laying out a test's files in the fresh working directory.
//!
//! All properties that a program can query are fixed: modes, owner, and times (a date in the past,
//! the same for all), or its output would depend on when the test was run.

use std::{
    collections::BTreeMap,
    ffi::CStr,
    io,
    os::fd::{AsRawFd, OwnedFd},
};

use super::{privilege::Owner, request::parents, sys};
use crate::Entry;

/// The first second of the year 2000.
pub(super) const TIME: i64 = 946_684_800;

/// The contents of the working directory before the run, with the parents that are only implied.
pub(super) type Before<'a> = BTreeMap<&'a [u8], &'a Entry>;

/// Lists `files` with all their parents.
pub(super) fn before(files: &[(Vec<u8>, Entry)]) -> Before<'_> {
    let implied = files.iter().flat_map(|(path, _)| parents(path));
    let mut before: Before = implied.map(|parent| (parent, &Entry::Directory)).collect();
    before.extend(files.iter().map(|(path, entry)| (&path[..], entry)));
    before
}

/// Makes the entries of `before` in `directory`, for `owner`.
pub(super) fn lay_out(directory: &OwnedFd, before: &Before, owner: Owner) -> Result<(), String> {
    let at = |path: &[u8]| format!("`{}`", path.escape_ascii());
    for (path, entry) in before {
        make(directory, path, entry, owner).map_err(|error| sys::doing(&at(path))(error))?;
    }
    // Making an entry touches its directory, so the times come last, and from below.
    let below_first = before.keys().rev().copied();
    for path in below_first.chain([&b"."[..]]) {
        sys::c_string(path)
            .and_then(|name| set_time(directory, &name))
            .map_err(|error| sys::doing(&at(path))(error))?;
    }
    Ok(())
}

/// The permission bits that an entry gets.
pub(super) fn mode(entry: &Entry) -> u32 {
    match entry {
        Entry::File { executable: false, .. } => 0o644,
        Entry::File { executable: true, .. } | Entry::Directory => 0o755,
        Entry::Symlink(_) => 0o777,
    }
}

fn make(directory: &OwnedFd, path: &[u8], entry: &Entry, owner: Owner) -> io::Result<()> {
    let at = directory.as_raw_fd();
    let path = sys::c_string(path)?;
    match entry {
        Entry::Directory => sys::make_directory_at(at, &path, mode(entry))?,
        Entry::Symlink(target) => sys::make_symlink_at(&sys::c_string(target)?, at, &path)?,
        Entry::File { data, .. } => {
            let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
            let file = sys::open_at(at, &path, flags, mode(entry))?;
            sys::write_all(file.as_raw_fd(), data)?;
        }
    }
    match owner {
        Owner::Other { user, group } => sys::change_owner_at(at, &path, user, group),
        Owner::Ourselves => Ok(()),
    }
}

/// Sets the time of `path` in a directory to that of all things that are laid out.
pub(super) fn set_time(directory: &OwnedFd, path: &CStr) -> io::Result<()> {
    sys::set_times_at(directory.as_raw_fd(), path, TIME)
}
