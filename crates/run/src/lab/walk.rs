//! A walk through a directory that a hostile program has left behind.
//!
//! No link is followed and nothing but directories is opened. One descriptor is held at a time
//! (down by name, up by `..`, which is safe as no process is left that could move things), so depth
//! costs nothing; names may hold any byte; directories whose mode shuts their owner out are opened
//! up.

use std::{
    ffi::{CStr, CString},
    io,
    os::fd::{AsRawFd, OwnedFd, RawFd},
    vec,
};

use super::sys;

/// A walk in the order of names, parents before their entries.
pub(super) struct Walk {
    directory: OwnedFd,
    /// The path of the last visit.
    path: Vec<u8>,
    /// For each open level: the length of its directory's path, and the names still to visit.
    levels: Vec<(usize, vec::IntoIter<CString>)>,
}

/// A step of a walk.
pub(super) enum Visit {
    /// An entry that is not a directory, in [`Walk::directory`].
    Leaf(CString, libc::stat),
    /// A directory that the walk has just entered, as the run has left it.
    Enter(libc::stat),
    /// A directory in [`Walk::directory`] that the walk has just left.
    Leave(CString),
}

impl Walk {
    /// A walk through the contents of `directory`.
    pub(super) fn new(directory: OwnedFd) -> io::Result<Walk> {
        let names = names(directory.as_raw_fd())?;
        Ok(Walk { directory, path: Vec::new(), levels: vec![(0, names)] })
    }

    /// The directory that holds the last visited entry.
    pub(super) fn directory(&self) -> RawFd {
        self.directory.as_raw_fd()
    }

    /// The path, from the start of the walk, of the last visited entry.
    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The next step, if there is one.
    pub(super) fn step(&mut self) -> io::Result<Option<Visit>> {
        let Some((length, names)) = self.levels.last_mut() else { return Ok(None) };
        self.path.truncate(*length);
        match names.next() {
            Some(name) => self.visit(name).map(Some),
            None => self.leave(),
        }
    }

    fn visit(&mut self, name: CString) -> io::Result<Visit> {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend(name.as_bytes());
        let stat = sys::stat_at(self.directory(), &name)?;
        if stat.st_mode & libc::S_IFMT != libc::S_IFDIR {
            return Ok(Visit::Leaf(name, stat));
        }
        if stat.st_mode & 0o700 != 0o700 {
            sys::change_mode_at(self.directory(), &name, 0o700)?;
        }
        self.directory = open_directory(self.directory(), &name)?;
        self.levels.push((self.path.len(), names(self.directory())?));
        Ok(Visit::Enter(stat))
    }

    fn leave(&mut self) -> io::Result<Option<Visit>> {
        self.levels.pop();
        if self.levels.is_empty() {
            return Ok(None);
        }
        self.directory = open_directory(self.directory(), c"..")?;
        let name = self.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        sys::c_string(name).map(|name| Some(Visit::Leave(name)))
    }
}

/// Opens a directory, and nothing else.
pub(super) fn open_directory(at: RawFd, path: &CStr) -> io::Result<OwnedFd> {
    sys::open_at(at, path, libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW, 0)
}

/// Removes the contents of a directory.
pub(super) fn clear(directory: OwnedFd) -> io::Result<()> {
    let mut walk = Walk::new(directory)?;
    while let Some(visit) = walk.step()? {
        match visit {
            Visit::Enter(_) => {}
            Visit::Leaf(name, _) => sys::unlink_at(walk.directory(), &name, 0)?,
            Visit::Leave(name) => sys::unlink_at(walk.directory(), &name, libc::AT_REMOVEDIR)?,
        }
    }
    Ok(())
}

/// The names in a directory, in order.
fn names(directory: RawFd) -> io::Result<vec::IntoIter<CString>> {
    let mut names = Vec::new();
    let mut buffer = [0_u8; 8192];
    loop {
        // SAFETY: the buffer is valid for its length.
        let length = sys::check_long(unsafe {
            libc::syscall(libc::SYS_getdents64, directory, buffer.as_mut_ptr(), buffer.len())
        })?;
        if length == 0 {
            names.sort_unstable();
            return Ok(names.into_iter());
        }
        collect_names(&buffer[..length as usize], &mut names);
    }
}

/// Takes the names out of records of `getdents64`: inode (8), offset (8), length (2), type (1), name.
fn collect_names(mut records: &[u8], names: &mut Vec<CString>) {
    while let Some(&[low, high]) = records.get(16..18) {
        let (record, rest) = records.split_at(usize::from(u16::from_le_bytes([low, high])));
        records = rest;
        if let Ok(name) = CStr::from_bytes_until_nul(&record[19..])
            && !matches!(name.to_bytes(), b"." | b"..")
        {
            names.push(name.to_owned());
        }
    }
}
