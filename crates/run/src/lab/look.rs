//! Whether directories and files of the lab are as they were: what it costs to make them anew is
//! saved after all the runs that have not touched them.

use std::{ffi::CStr, io};

use super::{sys, walk};

/// What a run cannot change without its being seen: the state of some directories and files, and how
/// much there is in their file system.
#[derive(Debug, PartialEq)]
pub(super) struct Look {
    files: Vec<File>,
    free: (u64, u64),
}

#[derive(Debug, PartialEq)]
struct File {
    place: (u64, u64),
    owner: (u32, u32),
    mode: u32,
    links: u64,
    /// That of a directory grows with each name in it.
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Look {
    /// How these, a directory first and all in one file system, look now.
    pub(super) fn at(paths: &[&CStr]) -> io::Result<Look> {
        let first = paths.first().copied().unwrap_or(c"/");
        let free = sys::free_space(&walk::open_directory(libc::AT_FDCWD, first)?)?;
        let file = |path: &&CStr| sys::stat_at(libc::AT_FDCWD, path).map(File::new);
        Ok(Look { files: paths.iter().map(file).collect::<Result<_, _>>()?, free })
    }
}

impl File {
    fn new(stat: libc::stat) -> File {
        File {
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
