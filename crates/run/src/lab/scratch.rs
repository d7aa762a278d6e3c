//! The directories that a run may write to: made new for each run, and never used again.
//!
//! A working directory, a `/tmp` and a `/dev/shm` lie in one tmpfs, limited in bytes and in names.
//! It is new for each run, so that nothing a subject can do to it is there for the next one: no
//! stores through a mapping, no attributes, modes or times, no inode numbers. Earlier versions
//! looked at the directories after a run and used them again if they seemed untouched; times and
//! sizes do not tell.
//!
//! The kernel makes a mount go away only after every processor has passed a quiescent state, which on
//! a busy machine takes longer than the run itself. So mounts of earlier runs are moved to a place
//! that no subject can reach, and are unmounted together once there are [`MOST_RETIRED`] of them or
//! one of them is worth the memory.
//!
//! Without namespaces there is a directory below the system's temporary one, which is emptied and
//! put right before each run; `/tmp` and `/dev/shm` are read-only then.

use std::{
    ffi::{CStr, CString},
    io,
    os::fd::{AsRawFd, OwnedFd},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use super::{layout, privilege::Owner, sys, walk};

/// The most mounts of earlier runs that wait to be unmounted.
const MOST_RETIRED: usize = 64;
/// Bytes in use above which a mount does not wait for others.
const WORTHWHILE: u64 = 1 << 20;
/// Names that a run may make, whatever its limit in bytes.
const NAMES: u64 = 16 << 10;

/// The directories of a run.
pub(super) const WORK: &CStr = c"work";
pub(super) const TMP: &CStr = c"tmp";
const SHM: &CStr = c"shm";

/// The directory in which working directories are made.
pub(super) struct Scratch {
    kind: Kind,
    /// The directory that is made new for each run.
    run: CString,
    /// The working directory, in `run`.
    work: CString,
    /// The directories behind `/tmp` and `/dev/shm`, in `run`, by these names.
    shared: [(&'static [u8], CString); 2],
    /// The size of a directory with nothing in it, where each name adds to the size.
    size_of_empty: Option<libc::off_t>,
}

enum Kind {
    /// A tmpfs that is mounted at `run`.
    Mounted { is_mounted: bool, retired: Retired },
    /// A plain directory at `run`.
    Temporary,
}

impl Scratch {
    /// Mounts at `run`, a directory of the lab's own root; they wait in `retired` to be unmounted.
    pub(super) fn mounted(run: CString, retired: OwnedFd) -> io::Result<Scratch> {
        let kind = Kind::Mounted { is_mounted: false, retired: Retired::new(retired)? };
        Scratch::new(kind, run)
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
        Scratch::new(Kind::Temporary, path)
    }

    fn new(kind: Kind, run: CString) -> io::Result<Scratch> {
        let path = |name: &CStr| sys::c_string(&[run.as_bytes(), b"/", name.to_bytes()].concat());
        let [work, tmp, shm] = [path(WORK)?, path(TMP)?, path(SHM)?];
        let shared: [(&'static [u8], CString); 2] = [(b"/tmp", tmp), (b"/dev/shm", shm)];
        Ok(Scratch { kind, run, work, shared, size_of_empty: None })
    }

    /// The path of the working directory.
    pub(super) fn work(&self) -> &CStr {
        &self.work
    }

    /// The directories of a run besides the working directory, by the paths that the run knows.
    pub(super) fn shared(&self) -> &[(&'static [u8], CString)] {
        match self.kind {
            Kind::Mounted { .. } => &self.shared,
            Kind::Temporary => &[],
        }
    }

    /// The directory that holds all that a run may write.
    pub(super) fn run(&self) -> &CStr {
        &self.run
    }

    /// Makes the directories for a run of `owner`, with room for `disk` bytes; opens the one that
    /// they are in.
    pub(super) fn refresh(&mut self, disk: u64, owner: Owner) -> io::Result<OwnedFd> {
        self.retire()?;
        if let Kind::Mounted { is_mounted, .. } = &mut self.kind {
            mount(&self.run, disk)?;
            *is_mounted = true;
        }
        let run = walk::open_directory(libc::AT_FDCWD, &self.run)?;
        sys::without_mask(|| self.make_directories(&run))?;
        if let (Kind::Mounted { .. }, None) = (&self.kind, self.size_of_empty) {
            self.size_of_empty = Some(sys::stat_at(run.as_raw_fd(), SHM)?.st_size);
        }
        if let Owner::Other { user, group } = owner {
            sys::change_owner_at(run.as_raw_fd(), WORK, user, group)?;
        }
        layout::set_time(&run, WORK)?;
        layout::set_time(&run, c".")?;
        Ok(run)
    }

    /// Directories that every user may write to belong to the lab, as they do elsewhere.
    fn make_directories(&self, run: &OwnedFd) -> io::Result<()> {
        let make = |name: &CStr, mode| sys::make_directory_at(run.as_raw_fd(), name, mode);
        make(WORK, 0o755)?;
        match self.kind {
            Kind::Mounted { .. } => [SHM, TMP].iter().try_for_each(|name| make(name, 0o1777)),
            // A subject of the same user could have changed it.
            Kind::Temporary => sys::change_mode(run, 0o711),
        }
    }

    /// Whether a directory of the run exists and is empty, as far as that can be told at once: of a
    /// tmpfs, each entry adds to the size of its directory.
    pub(super) fn is_empty(&self, directory: &CStr) -> bool {
        let is_empty = |stat: libc::stat| {
            stat.st_mode & libc::S_IFMT == libc::S_IFDIR && Some(stat.st_size) == self.size_of_empty
        };
        self.size_of_empty.is_some() && sys::stat_at(libc::AT_FDCWD, directory).is_ok_and(is_empty)
    }

    /// Removes the remains of a run, at once or with later ones.
    pub(super) fn retire(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Temporary => empty(&self.run),
            Kind::Mounted { is_mounted: false, .. } => Ok(()),
            Kind::Mounted { is_mounted, retired } => {
                let is_large = sys::bytes_in_use(&self.run)? >= WORTHWHILE;
                retired.take(&self.run)?;
                *is_mounted = false;
                if is_large || retired.count == MOST_RETIRED { retired.unmount() } else { Ok(()) }
            }
        }
    }

    /// Removes everything, for good.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.retire()?;
        match &mut self.kind {
            Kind::Mounted { retired, .. } => retired.unmount(),
            Kind::Temporary => sys::unlink_at(libc::AT_FDCWD, &self.run, libc::AT_REMOVEDIR),
        }
    }
}

/// Mounts of earlier runs.
struct Retired {
    /// A directory with a place for each of them, out of every subject's reach.
    place: OwnedFd,
    /// The same directory as a mount, with which they all go.
    mount: Option<OwnedFd>,
    count: usize,
}

impl Retired {
    fn new(place: OwnedFd) -> io::Result<Retired> {
        for number in 0..MOST_RETIRED {
            sys::make_directory_at(place.as_raw_fd(), &name(number)?, 0o700)?;
        }
        Ok(Retired { place, mount: None, count: 0 })
    }

    /// Takes the mount at `run`. Each has a place of its own: a pile of them takes the longer to
    /// search the higher it is.
    fn take(&mut self, run: &CStr) -> io::Result<()> {
        let mount = match self.mount.take() {
            Some(mount) => mount,
            None => {
                let mount = sys::clone_mount(&self.place)?;
                sys::move_mount(mount.as_raw_fd(), c"", self.place.as_raw_fd(), c"")?;
                mount
            }
        };
        let moved = name(self.count)
            .and_then(|name| sys::move_mount(libc::AT_FDCWD, run, mount.as_raw_fd(), &name));
        self.mount = Some(mount);
        self.count += 1;
        moved
    }

    fn unmount(&mut self) -> io::Result<()> {
        self.count = 0;
        let Some(mount) = self.mount.take() else { return Ok(()) };
        sys::change_directory(&mount)?;
        sys::unmount(c".")?;
        sys::change_directory(&walk::open_directory(libc::AT_FDCWD, c"/")?)
    }
}

fn name(number: usize) -> io::Result<CString> {
    sys::c_string(number.to_string().as_bytes())
}

fn mount(at: &CStr, disk: u64) -> io::Result<()> {
    let names = (disk / 4096).clamp(1024, NAMES);
    let options =
        sys::c_string(format!("size={},nr_inodes={names},mode=0755", disk.max(4096)).as_bytes())?;
    sys::mount(c"parallax", at, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, &options)
}

/// Empties a directory, whatever its mode is now.
fn empty(path: &CStr) -> io::Result<()> {
    sys::change_mode_at(libc::AT_FDCWD, path, 0o711)?;
    walk::clear(walk::open_directory(libc::AT_FDCWD, path)?)
}

/// Opens a directory as the run has left it; `None` if it is gone.
pub(super) fn reopen(path: &CStr) -> Option<OwnedFd> {
    let opened = walk::open_directory(libc::AT_FDCWD, path);
    if opened.as_ref().is_err_and(|error| error.raw_os_error() == Some(libc::EACCES)) {
        sys::change_mode_at(libc::AT_FDCWD, path, 0o700).ok()?;
        return walk::open_directory(libc::AT_FDCWD, path).ok();
    }
    opened.ok()
}

/// An empty or filled file for standard input, open for reading only.
pub(super) fn stdin(bytes: &[u8]) -> io::Result<OwnedFd> {
    let file = sys::memory_file(c"stdin")?;
    sys::write_all(file.as_raw_fd(), bytes)?;
    // Readable by all that open `/dev/stdin` again, and writable by none.
    // SAFETY: no memory is passed.
    sys::check(unsafe { libc::fchmod(file.as_raw_fd(), 0o444) })?;
    let name = sys::c_string(format!("/proc/self/fd/{}", file.as_raw_fd()).as_bytes())?;
    sys::open(&name, libc::O_RDONLY)
}
