//! Landlock: a subject may write below its own directory and to harmless devices, nowhere else.
//!
//! Reading and executing are not handled, so they stay as they are. The rules are made once for
//! each lab: they name the directory that working directories are mounted in, and Landlock looks
//! upwards through mounts. Features that the kernel's version does not know yet are left out, and
//! reported.

use std::{
    ffi::CStr,
    io,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
};

use super::sys;

const WRITE_FILE: u64 = 1 << 1;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
/// `MAKE_CHAR` to `MAKE_SYM`.
const MAKE_ANY: u64 = 0b111_1111 << 6;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
/// Binding and connecting TCP.
const NET: u64 = 0b11;
/// Abstract sockets and signals.
const SCOPES: u64 = 0b11;

/// Devices that discard their input.
const DEVICES: [&CStr; 4] = [c"/dev/null", c"/dev/zero", c"/dev/full", c"/dev/tty"];

#[repr(C)]
struct RulesetAttributes {
    handled_fs: u64,
    handled_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// The features of Landlock on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(u32);

impl Version {
    /// The features of this kernel, or fewer if told so.
    pub(super) fn of_kernel(at_most: Option<u32>) -> Version {
        let none = std::ptr::null::<RulesetAttributes>();
        // SAFETY: with this flag (1) the call reads no memory.
        let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, 1) };
        let version = u32::try_from(version).unwrap_or(0);
        Version(version.min(at_most.unwrap_or(u32::MAX)))
    }

    /// Whether it is there at all.
    pub(super) fn exists(self) -> bool {
        self.0 > 0
    }

    /// Whether files can be moved from one directory to another.
    pub(super) fn can_move_files(self) -> bool {
        self.0 >= 2
    }

    /// Whether it keeps files outside from being emptied by name.
    pub(super) fn guards_truncation(self) -> bool {
        self.0 >= 3
    }

    /// Whether it keeps signals in.
    pub(super) fn scopes_signals(self) -> bool {
        self.0 >= 6
    }

    fn file_rights(self) -> u64 {
        let truncate = if self.guards_truncation() { TRUNCATE } else { 0 };
        let ioctl = if self.0 >= 5 { IOCTL_DEV } else { 0 };
        WRITE_FILE | truncate | ioctl
    }

    fn rights(self) -> u64 {
        let refer = if self.can_move_files() { REFER } else { 0 };
        self.file_rights() | REMOVE_DIR | REMOVE_FILE | MAKE_ANY | refer
    }

    fn attributes(self) -> RulesetAttributes {
        RulesetAttributes {
            handled_fs: self.rights(),
            handled_net: if self.0 >= 4 { NET } else { 0 },
            scoped: if self.scopes_signals() { SCOPES } else { 0 },
        }
    }
}

/// Rules by which a subject may write below `writable`. A process that is to use them calls
/// [`restrict`].
pub(super) fn rules(version: Version, writable: &CStr) -> io::Result<OwnedFd> {
    let attributes = version.attributes();
    let size = size_of::<RulesetAttributes>();
    // SAFETY: the structure is laid out as the kernel has it, and valid for its size.
    let rules = sys::check_long(unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0)
    })?;
    // SAFETY: the call has just made this descriptor.
    let rules = unsafe { OwnedFd::from_raw_fd(rules) };
    allow(&rules, writable, version.rights())?;
    for device in DEVICES {
        match allow(&rules, device, version.file_rights()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => result?,
        }
    }
    Ok(rules)
}

fn allow(rules: &OwnedFd, path: &CStr, allowed: u64) -> io::Result<()> {
    let parent = sys::open(path, libc::O_PATH)?;
    let rule = PathBeneath { allowed, parent: parent.as_raw_fd() };
    let beneath = 1;
    // SAFETY: the structure is laid out as the kernel has it.
    sys::check_long(unsafe {
        let rules = rules.as_raw_fd();
        libc::syscall(libc::SYS_landlock_add_rule, rules, beneath, &raw const rule, 0)
    })
    .map(drop)
}

/// Puts this process under the rules, for good. System calls only.
pub(super) fn restrict(rules: i32) -> bool {
    // SAFETY: the call takes numbers only.
    unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules, 0) == 0 }
}
