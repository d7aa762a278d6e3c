//! The fresh working directory of each run.
//!
//! With namespaces it is a directory of a new tmpfs, limited in bytes and in names. The kernel makes
//! a mount go away only after every processor has passed a quiescent state, which on a busy machine
//! takes longer than the run itself. So the mounts of earlier runs stay, covered by the next one, and
//! are taken away together once there are [`STACKED`] of them or one of them is worth the memory.
//! What a run has not touched at all is there for the next one.
//! Without namespaces it is a directory below the system's temporary one.

use std::{
    ffi::{CStr, CString},
    io,
    os::fd::{AsRawFd, OwnedFd},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use super::{look::Look, privilege::Owner, sys, walk};
use crate::Entry;

/// How many mounts may lie on top of each other.
const STACKED: usize = 32;
/// Bytes in use above which a mount does not wait for others to go.
const WORTHWHILE: u64 = 1 << 20;
/// Names that a run may make, whatever its limit in bytes.
const NAMES: u64 = 16 << 10;

/// Where working directories are made.
pub(super) struct Scratch {
    kind: Kind,
    /// What is made new for each run.
    run: CString,
    /// The working directory, in `run`.
    work: CString,
    /// The directory for shared memory, in `run`.
    shm: CString,
    fresh: Option<Fresh>,
}

/// Files with their paths.
pub(super) type Files = Vec<(Vec<u8>, Entry)>;

/// How everything looks before a run, what is in the working directory and what room it has.
struct Fresh {
    look: Look,
    disk: u64,
    files: Files,
}

enum Kind {
    /// Mounts at `run`; the lowest of them, by which all can be taken away, and their number.
    Stack { lowest: Option<OwnedFd>, mounts: usize },
    /// A plain directory at `run`.
    Temporary,
}

impl Scratch {
    /// Mounts at `run`, a directory of the lab's own root.
    pub(super) fn stack(run: CString) -> io::Result<Scratch> {
        Scratch::new(Kind::Stack { lowest: None, mounts: 0 }, run)
    }

    /// A new directory below `parent` that a subject may pass through.
    pub(super) fn temporary(parent: &Path) -> io::Result<Scratch> {
        let template =
            sys::c_string(&[parent.as_os_str().as_bytes(), b"/parallax-XXXXXX"].concat())?;
        let template = template.into_raw();
        // SAFETY: the template is a C string of our own, and the call changes bytes in place.
        let made = unsafe { libc::mkdtemp(template) };
        // SAFETY: the pointer is the one that `into_raw` gave, and its length is unchanged.
        let path = unsafe { CString::from_raw(template) };
        if made.is_null() {
            return Err(io::Error::last_os_error());
        }
        sys::change_mode_at(libc::AT_FDCWD, &path, 0o711)?;
        Scratch::new(Kind::Temporary, path)
    }

    fn new(kind: Kind, run: CString) -> io::Result<Scratch> {
        let work = sys::c_string(&[run.as_bytes(), b"/work"].concat())?;
        let shm = sys::c_string(&[run.as_bytes(), b"/shm"].concat())?;
        Ok(Scratch { kind, run, work, shm, fresh: None })
    }

    /// The path of the working directory.
    pub(super) fn work(&self) -> &CStr {
        &self.work
    }

    /// The directory that holds all that a run may write.
    pub(super) fn run(&self) -> &CStr {
        &self.run
    }

    /// The files that are in the working directory, if it has this room and nobody has touched it.
    pub(super) fn untouched(&self, disk: u64) -> Option<&Files> {
        let fresh = self.fresh.as_ref().filter(|fresh| fresh.disk == disk)?;
        let now = self.look(&fresh.files).ok()?;
        (now == fresh.look).then_some(&fresh.files)
    }

    /// Takes the files out of a working directory that nobody has touched, and opens it.
    pub(super) fn empty(&mut self) -> io::Result<OwnedFd> {
        let work = open(&self.work)?;
        for (path, _) in self.fresh.take().map(|fresh| fresh.files).into_iter().flatten() {
            sys::unlink_at(work.as_raw_fd(), &sys::c_string(&path)?, 0)?;
        }
        Ok(work)
    }

    /// Says that the working directory is ready for a run, with this room and these files.
    pub(super) fn is_ready(&mut self, disk: u64, files: &Files) -> io::Result<()> {
        // What lies deeper or is no file is made anew each time.
        let is_plain = |(path, entry): &(Vec<u8>, Entry)| {
            matches!(entry, Entry::File { .. }) && !path.contains(&b'/')
        };
        self.fresh = None;
        if let Kind::Stack { .. } = self.kind
            && files.iter().all(is_plain)
        {
            let look = self.look(files)?;
            self.fresh = Some(Fresh { look, disk, files: files.clone() });
        }
        Ok(())
    }

    fn look(&self, files: &Files) -> io::Result<Look> {
        let work = self.work.as_bytes();
        let files = files.iter().map(|(path, _)| sys::c_string(&[work, b"/", path].concat()));
        let files = files.collect::<io::Result<Vec<_>>>()?;
        let directories = [&self.run, &self.work, &self.shm];
        let paths: Vec<&CStr> =
            directories.into_iter().chain(&files).map(CString::as_c_str).collect();
        Look::at(&paths)
    }

    /// Makes an empty working directory for `owner`, with room for `disk` bytes.
    pub(super) fn refresh(&mut self, disk: u64, owner: Owner) -> io::Result<OwnedFd> {
        self.fresh = None;
        match &mut self.kind {
            Kind::Stack { lowest, mounts } => {
                mount(&self.run, disk)?;
                *mounts += 1;
                if lowest.is_none() {
                    *lowest = Some(sys::open(&self.run, libc::O_PATH | libc::O_DIRECTORY)?);
                }
                make(&self.shm, owner)?;
                make(&self.work, owner)?;
            }
            Kind::Temporary => {
                walk::clear(open(&self.run)?)?;
                make(&self.work, owner)?;
            }
        }
        open(&self.work)
    }

    /// Takes away what a run has left, at once or with later ones.
    pub(super) fn retire(&mut self) -> io::Result<()> {
        if let Kind::Stack { mounts, .. } = self.kind
            && mounts < STACKED
            && sys::bytes_in_use(&open(&self.run)?)? < WORTHWHILE
        {
            return Ok(());
        }
        self.clear()
    }

    /// Takes away everything, for good.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.clear()?;
        match self.kind {
            Kind::Stack { .. } => Ok(()),
            Kind::Temporary => sys::unlink_at(libc::AT_FDCWD, &self.run, libc::AT_REMOVEDIR),
        }
    }

    fn clear(&mut self) -> io::Result<()> {
        self.fresh = None;
        match &mut self.kind {
            Kind::Temporary => walk::clear(open(&self.run)?),
            Kind::Stack { lowest, mounts } => {
                let Some(lowest) = lowest.take() else { return Ok(()) };
                *mounts = 0;
                sys::change_directory(&lowest)?;
                sys::unmount(c".")?;
                sys::change_directory(&open(c"/")?)
            }
        }
    }
}

pub(super) fn mount(at: &CStr, disk: u64) -> io::Result<()> {
    let names = (disk / 4096).clamp(1024, NAMES);
    let options =
        sys::c_string(format!("size={},nr_inodes={names},mode=0755", disk.max(4096)).as_bytes())?;
    sys::mount(c"parallax", at, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, &options)
}

fn make(path: &CStr, owner: Owner) -> io::Result<()> {
    sys::make_directory_at(libc::AT_FDCWD, path, 0o755)?;
    match owner {
        Owner::Other { user, group } => sys::change_owner_at(libc::AT_FDCWD, path, user, group),
        Owner::Ourselves => Ok(()),
    }
}

fn open(path: &CStr) -> io::Result<OwnedFd> {
    walk::open_directory(libc::AT_FDCWD, path)
}

/// Opens the working directory as the run has left it; `None` if it is gone.
pub(super) fn reopen(work: &CStr) -> Option<OwnedFd> {
    let opened = open(work);
    if opened.as_ref().is_err_and(|error| error.raw_os_error() == Some(libc::EACCES)) {
        sys::change_mode_at(libc::AT_FDCWD, work, 0o700).ok()?;
        return open(work).ok();
    }
    opened.ok()
}

/// An empty or filled file for standard input, open for reading only.
pub(super) fn stdin(bytes: &[u8]) -> io::Result<OwnedFd> {
    let file = sys::memory_file(c"stdin")?;
    sys::write_all(file.as_raw_fd(), bytes)?;
    // Readable by whoever opens `/dev/stdin` again, and writable by nobody.
    // SAFETY: no memory is passed.
    sys::check(unsafe { libc::fchmod(file.as_raw_fd(), 0o444) })?;
    let name = sys::c_string(format!("/proc/self/fd/{}", file.as_raw_fd()).as_bytes())?;
    sys::open(&name, libc::O_RDONLY)
}
