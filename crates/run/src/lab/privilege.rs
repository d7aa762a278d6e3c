//! The identity of a subject.
//!
//! An ordinary user's subject is that user, without any capability. Root's subject is the user
//! `nobody` (65534), because the kernel does not limit the processes of root and lets root change
//! what it likes; it keeps the one capability of reading everything, as the program or its
//! libraries may lie below a home that only root may enter. Ambient capabilities pass `execve`
//! without making the loader distrust `LD_LIBRARY_PATH`.

use std::ptr;

use libc::c_int;

use super::{Isolation, sys};

const NOBODY: u32 = 65534;
/// `CAP_DAC_READ_SEARCH`.
const READ_SEARCH: u32 = 2;
/// The version that has two words of capabilities.
const CAPABILITY_VERSION: u32 = 0x2008_0522;

/// The owner of files of the working directory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    Ourselves,
    Other { user: u32, group: u32 },
}

/// The identity of a subject.
#[derive(Clone, Copy, Debug)]
pub(super) enum Identity {
    /// As Parallax is, with all it may do.
    Unchanged,
    /// The same user, without capabilities.
    Unprivileged,
    /// The user `nobody`, with the right to read everything if we can give it.
    Nobody { read_all: bool },
}

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct CapabilityWord {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

impl Identity {
    /// The identity for subjects of this process.
    pub(super) fn choose(isolation: Isolation) -> Identity {
        match isolation {
            Isolation::Open => Identity::Unchanged,
            Isolation::Sandboxed if sys::user() != 0 => Identity::Unprivileged,
            Isolation::Sandboxed => Identity::Nobody { read_all: may_read_all() },
        }
    }

    /// The owner of their files.
    pub(super) fn owner(self) -> Owner {
        match self {
            Identity::Nobody { .. } => Owner::Other { user: NOBODY, group: NOBODY },
            Identity::Unchanged | Identity::Unprivileged => Owner::Ourselves,
        }
    }

    /// The number of that user.
    pub(super) fn user(self) -> u32 {
        match self {
            Identity::Nobody { .. } => NOBODY,
            Identity::Unchanged | Identity::Unprivileged => sys::user(),
        }
    }

    /// Takes on this identity. Called between `vfork` and `execve`: system calls only.
    pub(super) fn assume(self) -> Result<(), ()> {
        match self {
            Identity::Unchanged => Ok(()),
            Identity::Unprivileged => set_capabilities(0),
            Identity::Nobody { read_all } => become_nobody(read_all),
        }
    }
}

fn become_nobody(read_all: bool) -> Result<(), ()> {
    let keep = if read_all { 1 << READ_SEARCH } else { 0 };
    sys::prctl(libc::PR_SET_KEEPCAPS, 1).map_err(drop)?;
    let id = NOBODY;
    // The C library's own functions would do this to all threads of a process; here, to the one
    // that shares memory with the server.
    // SAFETY: an empty list of groups needs no memory, and the other calls take numbers.
    let refused = unsafe {
        libc::syscall(libc::SYS_setgroups, 0, ptr::null::<u32>()) != 0
            || libc::syscall(libc::SYS_setresgid, id, id, id) != 0
            || libc::syscall(libc::SYS_setresuid, id, id, id) != 0
    };
    if refused {
        return Err(());
    }
    set_capabilities(keep)?;
    if read_all { raise_ambient() } else { Ok(()) }
}

fn set_capabilities(low: u32) -> Result<(), ()> {
    let header = CapabilityHeader { version: CAPABILITY_VERSION, pid: 0 };
    let word = CapabilityWord { effective: low, permitted: low, inheritable: low };
    let words = [word, CapabilityWord::default()];
    // SAFETY: both structures are laid out as this version of the call has them.
    match unsafe { libc::syscall(libc::SYS_capset, &raw const header, words.as_ptr()) } {
        0 => Ok(()),
        _ => Err(()),
    }
}

fn raise_ambient() -> Result<(), ()> {
    let (raise, capability) = (libc::PR_CAP_AMBIENT_RAISE as libc::c_ulong, READ_SEARCH);
    let none: libc::c_ulong = 0;
    let capability = libc::c_ulong::from(capability);
    // SAFETY: the option takes numbers only.
    match unsafe { libc::prctl(libc::PR_CAP_AMBIENT, raise, capability, none, none) } {
        0 => Ok(()),
        _ => Err(()),
    }
}

fn may_read_all() -> bool {
    let header = CapabilityHeader { version: CAPABILITY_VERSION, pid: 0 };
    let mut words = [CapabilityWord::default(); 2];
    // SAFETY: both structures are laid out as this version of the call has them.
    let result = unsafe { libc::syscall(libc::SYS_capget, &raw const header, words.as_mut_ptr()) };
    result == 0 && words[0].permitted & (1 << READ_SEARCH) != 0
}
