//! Being asked by the kernel before the program opens a file (seccomp's user notifications).
//!
//! The program waits while its monitor looks, and then makes the call itself
//! (`SECCOMP_USER_NOTIF_FLAG_CONTINUE`), so the monitor can be wrong about a call but never change
//! it. Where the kernel supports it, a signal does not interrupt a call that is being looked at:
//! the program does not expect an `open` that fails with `EINTR`.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use libc::{c_long, c_ulong};

use crate::filter::{self, Watch};
use crate::sys::{self, Pid};

/// The first kernel that tells a listener that no process is left to listen to.
const FIRST_KERNEL: (u32, u32) = (5, 9);

/// Puts the filter on this process and its future programs and children; returns the listener.
pub(crate) fn install(watch: Watch) -> io::Result<OwnedFd> {
    if sys::kernel_release().is_none_or(|release| release < FIRST_KERNEL) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let base = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    let killable = base | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let program = filter::program(watch);
    let attempt = |flags| match set_filter(&program, flags) {
        // Only the privileged may do this without promising to gain no privileges.
        Err(error) if error.raw_os_error() == Some(libc::EACCES) => {
            gain_no_privileges()?;
            set_filter(&program, flags)
        }
        other => other,
    };
    match attempt(killable) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => attempt(base),
        other => other,
    }
}

/// Whether the program makes the system calls of this architecture, as far as its first bytes say.
pub(crate) fn speaks_native_calls(program: &Path) -> bool {
    // Class and machine of an ELF file; everything else is a script.
    let identity = |path: &Path| {
        let mut header = [0; 20];
        let read = File::open(path).and_then(|mut file| file.read(&mut header));
        (read.is_ok() && header.starts_with(b"\x7fELF"))
            .then_some((header[4], header[18], header[19]))
    };
    identity(program).is_none_or(|found| Some(found) == identity(Path::new("/proc/self/exe")))
}

/// The monitor's end of the filter.
pub(crate) struct Listener {
    fd: OwnedFd,
    /// The buffer that the kernel fills in; as large as this kernel wants it.
    notification: Vec<u64>,
    response: Vec<u64>,
}

impl Listener {
    /// Listens on what [`install`] returned.
    pub(crate) fn new(fd: OwnedFd) -> Listener {
        let (notification, response) = notification_sizes();
        Listener { fd, notification: vec![0; notification], response: vec![0; response] }
    }

    /// Takes the next question; `None` if it has been withdrawn.
    pub(crate) fn receive(&mut self) -> Option<Call> {
        self.notification.fill(0);
        let buffer = self.notification.as_mut_ptr();
        // SAFETY: the buffer is zeroed, aligned, and as large as the kernel said it must be.
        let result = unsafe {
            libc::ioctl(self.fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, buffer)
        };
        sys::check(result.into()).ok()?;
        // SAFETY: the kernel has filled in a notification, which holds plain numbers.
        let notification = unsafe { buffer.cast::<libc::seccomp_notif>().read() };
        Some(Call {
            id: notification.id,
            task: notification.pid as Pid,
            number: notification.data.nr.into(),
            args: notification.data.args,
        })
    }

    /// Lets the program make the call it asked about.
    pub(crate) fn let_go(&mut self, call: &Call) {
        let response = libc::seccomp_notif_resp {
            id: call.id,
            val: 0,
            error: 0,
            flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        };
        self.response.fill(0);
        let buffer = self.response.as_mut_ptr();
        // SAFETY: the buffer is aligned and at least as large as a response. A failure means that
        // the caller is gone.
        unsafe {
            buffer.cast::<libc::seccomp_notif_resp>().write(response);
            libc::ioctl(self.fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, buffer);
        }
    }

    /// Whether the program still waits: only then was the memory that we read its own.
    pub(crate) fn still_waits(&self, call: &Call) -> bool {
        // SAFETY: reads one number.
        unsafe {
            libc::ioctl(self.fd.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID as _, &call.id) == 0
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// A system call that waits for an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    id: u64,
    /// The thread that makes it.
    pub(crate) task: Pid,
    /// Which call.
    pub(crate) number: c_long,
    /// Its arguments.
    pub(crate) args: [u64; 6],
}

impl Call {
    /// The path at the address in an argument, made absolute by the descriptor in another.
    pub(crate) fn path(&self, directory: Directory, argument: usize) -> io::Result<PathBuf> {
        let path = self.string(self.args[argument])?;
        if path.is_absolute() {
            return Ok(path);
        }
        let base = match directory {
            Directory::Argument(index) if self.args[index] as i32 != libc::AT_FDCWD => {
                format!("/proc/{}/fd/{}", self.task, self.args[index] as i32)
            }
            _ => format!("/proc/{}/cwd", self.task),
        };
        Ok(std::fs::read_link(base)?.join(path))
    }

    /// Numbers at an address.
    pub(crate) fn numbers<const N: usize>(&self, address: u64) -> io::Result<[u64; N]> {
        let mut bytes = [[0; 8]; N];
        let length = sys::read_memory(self.task, address, bytes.as_flattened_mut())?;
        if length < 8 * N {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes.map(u64::from_ne_bytes))
    }

    /// The file behind a descriptor of the caller, as the kernel names it.
    pub(crate) fn descriptor(&self, fd: RawFd) -> Option<PathBuf> {
        std::fs::read_link(format!("/proc/{}/fd/{fd}", self.task)).ok()
    }

    /// Whether it is about descriptor 0 rather than about a file.
    pub(crate) fn concerns_stdin(&self) -> bool {
        self.number == libc::SYS_readv
    }

    /// The string at an address, read page by page: the one after its end may not be there.
    fn string(&self, mut address: u64) -> io::Result<PathBuf> {
        const PAGE: u64 = 4096;
        let mut text = Vec::new();
        while text.len() <= libc::PATH_MAX as usize {
            let mut page = vec![0; (PAGE - address % PAGE) as usize];
            let length = sys::read_memory(self.task, address, &mut page)?;
            match page[..length].iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&page[..end]);
                    return Ok(std::ffi::OsString::from_vec(text).into());
                }
                None => text.extend_from_slice(&page[..length]),
            }
            address += length as u64;
        }
        Err(io::ErrorKind::InvalidFilename.into())
    }
}

/// The directory that a relative path of a call is relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Directory {
    /// The working directory.
    Working,
    /// The descriptor in this argument.
    Argument(usize),
}

fn gain_no_privileges() -> io::Result<()> {
    // SAFETY: plain numbers.
    sys::check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into()).map(drop)
}

fn set_filter(program: &[libc::sock_filter], flags: c_ulong) -> io::Result<OwnedFd> {
    let program =
        libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: `program` describes the slice, which the kernel only reads.
    let result = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER as c_ulong, flags, &program)
    };
    let fd = sys::check(result)?;
    // SAFETY: the kernel has just made this descriptor for us; it closes on `exec`.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// The most words of a notification and of a response on this kernel.
fn notification_sizes() -> (usize, usize) {
    let mut sizes =
        libc::seccomp_notif_sizes { seccomp_notif: 0, seccomp_notif_resp: 0, seccomp_data: 0 };
    // SAFETY: the kernel fills in the structure; if it cannot, the zeroes stay.
    unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_NOTIF_SIZES as c_ulong, 0, &mut sizes)
    };
    let words = |kernel: u16, ours: usize| usize::from(kernel).max(ours).div_ceil(8);
    (
        words(sizes.seccomp_notif, size_of::<libc::seccomp_notif>()),
        words(sizes.seccomp_notif_resp, size_of::<libc::seccomp_notif_resp>()),
    )
}
