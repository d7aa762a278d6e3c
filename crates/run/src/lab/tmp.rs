//! The part of the system's `/tmp` that a run sees in its own.
//!
//! A run's `/tmp` is empty and its own, since `tmpfile` and many programs write there whatever the
//! environment says, and the files of other processes there vary from run to run. But programs may
//! live there, with their libraries and data. So there is a link to each thing in the system's
//! `/tmp` that the request mentions, in its program's path, its arguments or its environment.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    os::fd::{AsRawFd, OwnedFd},
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

use super::{layout, request::Request, scratch, sys, walk};
use crate::Entry;

/// The most entries of the system's `/tmp` that are linked.
const LINKS: usize = 100;

/// The system's `/tmp`, for the runs of a lab.
pub(super) struct Outside(PathBuf);

/// Links in the `/tmp` of a run, by name.
pub(super) type Links = Vec<(Vec<u8>, Entry)>;

impl Outside {
    /// The links for a system `/tmp` that is at `place` here.
    pub(super) fn at(place: PathBuf) -> Outside {
        Outside(place)
    }

    /// The target of a path when there is no run, and so no `/tmp`.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        path.strip_prefix("/tmp").map_or_else(|_| path.to_owned(), |rest| self.0.join(rest))
    }

    /// Makes the links for `request` in the `/tmp` that is in `run`.
    pub(super) fn link(&self, request: &Request, run: &OwnedFd) -> io::Result<Links> {
        let names: BTreeSet<OsString> = request.mentions_in_tmp().into_iter().collect();
        let places = names.into_iter().map(|name| (self.0.join(&name), name));
        let places: Vec<_> = places.filter(|(place, _)| is_plain(place)).take(LINKS).collect();
        let mut links = Links::new();
        if places.is_empty() {
            return Ok(links);
        }
        let tmp = walk::open_directory(run.as_raw_fd(), scratch::TMP)?;
        for (place, name) in places {
            let target = place.into_os_string().into_vec();
            let name = name.into_vec();
            let (c_target, c_name) = (sys::c_string(&target)?, sys::c_string(&name)?);
            sys::make_symlink_at(&c_target, tmp.as_raw_fd(), &c_name)?;
            layout::set_time(&tmp, &c_name)?;
            links.push((name, Entry::Symlink(target)));
        }
        Ok(links)
    }
}

/// A fifo could be emptied, and messages to a socket are heard outside.
fn is_plain(place: &Path) -> bool {
    fs::metadata(place).is_ok_and(|metadata| metadata.is_dir() || metadata.is_file())
}
