//! Whether directories of the lab are as they were: what each run would cost to make them anew is
//! saved after all the runs that have not touched them.

use std::{ffi::CStr, io};

use super::{sys, walk};

/// What a run cannot change without its being seen: the state of some directories, and how much there
/// is in their file system.
#[derive(Debug, PartialEq)]
pub(super) struct Look {
    directories: Vec<Directory>,
    free: (u64, u64),
}

#[derive(Debug, PartialEq)]
struct Directory {
    place: (u64, u64),
    owner: (u32, u32),
    mode: u32,
    links: u64,
    /// Of a tmpfs it grows with each name.
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Look {
    /// How these directories, all in one file system, look now.
    pub(super) fn at(paths: &[&CStr]) -> io::Result<Look> {
        let first = paths.first().copied().unwrap_or(c"/");
        let free = sys::free_space(&walk::open_directory(libc::AT_FDCWD, first)?)?;
        let directory = |path: &&CStr| sys::stat_at(libc::AT_FDCWD, path).map(Directory::new);
        Ok(Look { directories: paths.iter().map(directory).collect::<Result<_, _>>()?, free })
    }
}

impl Directory {
    fn new(stat: libc::stat) -> Directory {
        Directory {
            place: (stat.st_dev, stat.st_ino),
            owner: (stat.st_uid, stat.st_gid),
            mode: stat.st_mode,
            links: stat.st_nlink,
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }
}
