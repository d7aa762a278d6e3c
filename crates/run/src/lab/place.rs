//! The path at which a program finds itself.
//!
//! A program may print the path that it was started by, look for its data beside itself, or start
//! itself again: by `/proc/self/exe`, or by its name. Both versions, and traced builds as well,
//! must be at the same path then. So the program's directory is mounted at one place in the lab:
//!
//! ```text
//! /parallax/program/above/here    the program's directory
//! /parallax/program/above         links to what is beside that directory
//! /parallax/program               links to what is beside the directory above
//! /parallax/program/path          a link to the program, by its `argv[0]`; the first part of `PATH`
//! ```
//!
//! With the links, `$ORIGIN/../lib` leads where it leads outside; paths further up do not. Such a
//! tree is made once for each program, and moved away while another one runs. A program has a
//! second one for its runs at random addresses: the numbers that the kernel gives to mounts and to
//! their file systems differ there, so that printed ones vary as addresses do, and are not taken
//! for a difference between versions.

use std::{
    ffi::{CString, OsStr},
    fs, io,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::{
            ffi::{OsStrExt, OsStringExt},
            fs::symlink,
        },
    },
    path::{Path, PathBuf},
};

use super::{namespace, request::Request, sys};
use crate::Addresses;

/// The program's directory, below the place.
const HERE: &str = "above/here";
/// The directory for the program's name, below the place.
const NAMES: &str = "path";
/// The most entries beside a directory that are linked.
const LINKS: usize = 256;
/// The most trees that are kept ready.
const KEPT: usize = 32;

/// The place of the program that runs.
pub(super) struct Place {
    at: CString,
    /// A directory out of every subject's reach, for the trees of the others.
    kept: OwnedFd,
    known: Vec<Known>,
    /// The program whose tree is mounted.
    current: Option<usize>,
}

/// A program with a tree.
struct Known {
    program: Vec<u8>,
    name: Vec<u8>,
    /// The device and the inode of its file.
    file: (u64, u64),
    /// The runs that the tree is for.
    addresses: Addresses,
    /// Its path in the tree.
    path: Vec<u8>,
}

impl Place {
    /// The place `at`, a directory of the lab's own root.
    pub(super) fn new(at: CString, kept: OwnedFd) -> io::Result<Place> {
        for number in 0..KEPT {
            sys::make_directory_at(kept.as_raw_fd(), &slot(number)?, 0o700)?;
        }
        Ok(Place { at, kept, known: Vec::new(), current: None })
    }

    /// The directory in which a program is found by its name.
    pub(super) fn names(&self) -> Vec<u8> {
        self.below(NAMES).into_os_string().into_vec()
    }

    /// Mounts the tree of the requested program, which is at `program` now; returns its path there.
    /// A path that is no file, or does not exist, stays as it is: starting it reports the error.
    pub(super) fn show(&mut self, request: &Request, program: &Path) -> io::Result<Vec<u8>> {
        let Ok(stat) = sys::stat_following(&sys::c_string(program.as_os_str().as_bytes())?) else {
            return Ok(request.program.clone());
        };
        if stat.st_mode & libc::S_IFMT != libc::S_IFREG {
            return Ok(request.program.clone());
        }
        let name = request.arguments.first().map_or(&[][..], Vec::as_slice);
        let is_it = |known: &Known| {
            known.file == (stat.st_dev, stat.st_ino)
                && known.program == request.program
                && known.name == name
                && known.addresses == request.addresses
        };
        let number = self.known.iter().position(is_it);
        if number.is_some() && number == self.current {
            return Ok(self.path_of(number, request));
        }
        self.put_away()?;
        match number {
            Some(number) => {
                sys::move_mount(self.kept.as_raw_fd(), &slot(number)?, libc::AT_FDCWD, &self.at)?;
            }
            None => {
                if self.known.len() == KEPT {
                    self.forget()?;
                }
                // The directory cannot be mounted elsewhere: the program stays where it is.
                let Ok(path) = self.make(program, name) else {
                    return Ok(request.program.clone());
                };
                let (program, name) = (request.program.clone(), name.to_vec());
                let (file, addresses) = ((stat.st_dev, stat.st_ino), request.addresses);
                self.known.push(Known { program, name, file, addresses, path });
            }
        }
        self.current = number.or(Some(self.known.len() - 1));
        Ok(self.path_of(self.current, request))
    }

    fn path_of(&self, number: Option<usize>, request: &Request) -> Vec<u8> {
        let known = number.and_then(|number| self.known.get(number));
        known.map_or_else(|| request.program.clone(), |known| known.path.clone())
    }

    /// Mounts a new tree; returns the program's path in it.
    fn make(&self, program: &Path, name: &[u8]) -> io::Result<Vec<u8>> {
        let options = c"size=1m,mode=0755";
        let flags = libc::MS_NOSUID | libc::MS_NODEV;
        sys::mount(c"parallax", &self.at, c"tmpfs", flags, options)?;
        let path = self.fill(program, name);
        let closed = path.and_then(|path| {
            namespace::set_attributes(&self.at, namespace::MOUNT_READ_ONLY).map(|()| path)
        });
        if closed.is_err() {
            sys::unmount(&self.at)?;
        }
        closed
    }

    fn fill(&self, program: &Path, name: &[u8]) -> io::Result<Vec<u8>> {
        let program = fs::canonicalize(program)?;
        let (Some(directory), Some(file)) = (program.parent(), program.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let here = self.below(HERE);
        fs::create_dir_all(&here)?;
        fs::create_dir(self.below(NAMES))?;
        namespace::bind(directory, &here)?;
        let path = here.join(file);
        let is_plain = !name.is_empty() && !name.contains(&b'/') && name != b"." && name != b"..";
        if is_plain {
            symlink(&path, self.below(NAMES).join(OsStr::from_bytes(name)))?;
        }
        let above = [here.parent(), here.parent().and_then(Path::parent)];
        for (inside, outside) in above.into_iter().zip(directory.ancestors().skip(1)) {
            link_all(outside, inside.unwrap_or(&here))?;
        }
        Ok(path.into_os_string().into_vec())
    }

    /// Moves the tree that is mounted out of the way.
    fn put_away(&mut self) -> io::Result<()> {
        let Some(number) = self.current.take() else { return Ok(()) };
        sys::move_mount(libc::AT_FDCWD, &self.at, self.kept.as_raw_fd(), &slot(number)?)
    }

    /// Unmounts all trees that were put away.
    fn forget(&mut self) -> io::Result<()> {
        sys::change_directory(&self.kept)?;
        for (number, _) in self.known.drain(..).enumerate() {
            sys::unmount(&slot(number)?)?;
        }
        sys::change_directory(&sys::open(c"/", libc::O_PATH | libc::O_DIRECTORY)?)
    }

    fn below(&self, path: &str) -> PathBuf {
        Path::new(OsStr::from_bytes(self.at.to_bytes())).join(path)
    }
}

/// Makes a link in `inside` to each thing in `outside`. A directory that cannot be listed has none; a
/// name that the tree itself has is left alone.
fn link_all(outside: &Path, inside: &Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(outside) else { return Ok(()) };
    for entry in entries.flatten().take(LINKS) {
        match symlink(entry.path(), inside.join(entry.file_name())) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn slot(number: usize) -> io::Result<CString> {
    sys::c_string(number.to_string().as_bytes())
}
