//! A `/tmp` of the lab's own.
//!
//! `tmpfile` and many programs write to `/tmp` whatever the environment says. The system's is
//! read-only for them, and cannot be covered, since programs may live there. So the lab's is a
//! tmpfs with a link to each thing in the system's. It is made once and looked at before each run:
//! only if the last one has left or taken something is it made again, as a link takes as long as
//! a hundredth of a run.

use std::{
    collections::BTreeMap,
    ffi::{CString, OsStr, OsString},
    fs, io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirEntryExt, symlink},
    },
    path::Path,
};

use super::{look::Look, privilege::Owner, request::Request, scratch, sys, walk};

/// Bytes that may be in it.
const SIZE: u64 = 256 << 20;
/// How many things of the system's are linked, apart from those that a request mentions.
const LINKS: usize = 1000;

/// The lab's `/tmp`.
pub(super) struct Tmp {
    place: CString,
    outside: CString,
    /// What is in it, by name and inode, as it was made.
    links: BTreeMap<OsString, u64>,
    /// How it looks before a run.
    fresh: Option<Look>,
}

impl Tmp {
    /// Mounts it at `place`; the system's is at `outside`.
    pub(super) fn mount(place: CString, outside: CString) -> io::Result<Tmp> {
        scratch::mount(&place, SIZE)?;
        sys::change_mode_at(libc::AT_FDCWD, &place, 0o1777)?;
        let mut tmp = Tmp { place, outside, links: BTreeMap::new(), fresh: None };
        tmp.fill()?;
        Ok(tmp)
    }

    /// Makes it ready for a run: as it was, and with what the request mentions.
    pub(super) fn refresh(&mut self, request: &Request, owner: Owner) -> io::Result<()> {
        if self.fresh.is_none() || self.fresh != Look::at(&[&self.place]).ok() {
            if self.contents()? != self.links {
                walk::clear(walk::open_directory(libc::AT_FDCWD, &self.place)?)?;
                self.fill()?;
            }
            if let Owner::Other { user, group } = owner {
                sys::change_owner_at(libc::AT_FDCWD, &self.place, user, group)?;
            }
            self.fresh = Some(Look::at(&[&self.place])?);
        }
        for name in request.mentions_in_tmp() {
            if !self.links.contains_key(&name) && self.outside().join(&name).exists() {
                self.link(&name)?;
                self.links = self.contents()?;
                self.fresh = None;
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> io::Result<()> {
        for entry in fs::read_dir(self.outside())?.flatten().take(LINKS) {
            self.link(&entry.file_name())?;
        }
        self.links = self.contents()?;
        Ok(())
    }

    fn link(&self, name: &OsStr) -> io::Result<()> {
        symlink(self.outside().join(name), self.place().join(name))
    }

    fn contents(&self) -> io::Result<BTreeMap<OsString, u64>> {
        let entries = fs::read_dir(self.place())?;
        entries.map(|entry| entry.map(|entry| (entry.file_name(), entry.ino()))).collect()
    }

    fn place(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.place.to_bytes()))
    }

    fn outside(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.outside.to_bytes()))
    }
}
