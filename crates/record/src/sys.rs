//! The system calls that the standard library does not offer, as safe functions.
//!
//! One file, so that each promise made to the kernel can be read in one place.

use std::ffi::{CStr, CString, c_char, c_int, c_long};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// A process as the kernel numbers it.
pub(crate) type Pid = libc::pid_t;

/// The result of a call that reports an error by a negative number.
pub(crate) fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A path as the kernel takes it.
pub(crate) fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// The id of this process.
pub(crate) fn pid() -> Pid {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::getpid() }
}

/// A copy of this process whose end sends no signal: a `SIGCHLD` that is blocked would stay pending
/// in the program that this process becomes. Zero in the copy.
pub(crate) fn fork_without_signal() -> io::Result<Pid> {
    // SAFETY: no flags and no stack is a plain fork; the process has one thread.
    Ok(check(unsafe { libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0) })? as Pid)
}

/// A copy of this process. Zero in the copy.
pub(crate) fn fork() -> io::Result<Pid> {
    // SAFETY: the process has one thread, so the copy may use all of the standard library.
    Ok(check(unsafe { libc::fork() }.into())? as Pid)
}

/// Waits until a child, of whatever kind, is gone.
pub(crate) fn reap(child: Pid) {
    // SAFETY: a null status is allowed.
    while unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::__WALL) } < 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
}

/// Ends this process without running any exit handlers.
pub(crate) fn exit_now() -> ! {
    // SAFETY: does not return.
    unsafe { libc::_exit(0) }
}

/// A descriptor that becomes readable when the process has ended.
pub(crate) fn pidfd(pid: Pid) -> io::Result<OwnedFd> {
    // SAFETY: plain numbers.
    let fd = check(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// Lets `process` read this one's memory where the kernel asks for permission (Yama).
pub(crate) fn allow_reading_by(process: Pid) {
    // SAFETY: plain numbers; a kernel without Yama answers with an error that does not matter.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, process, 0, 0, 0) };
}

/// Gives up all ties of a process to those that started it: session, signals, name, limits.
pub(crate) fn detach() {
    // SAFETY: plain numbers, and pointers to values that live for the call.
    unsafe {
        libc::setsid();
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::umask(0o022);
        libc::prctl(libc::PR_SET_NAME, c"parallax-record".as_ptr(), 0, 0, 0);
        for resource in [
            libc::RLIMIT_FSIZE,
            libc::RLIMIT_NOFILE,
            libc::RLIMIT_CPU,
            libc::RLIMIT_AS,
            libc::RLIMIT_DATA,
        ] {
            let mut limit: libc::rlimit = std::mem::zeroed();
            libc::getrlimit(resource, &mut limit);
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(resource, &limit);
        }
    }
}

/// Closes every descriptor of this process but `kept`.
pub(crate) fn close_all_but(kept: &[RawFd]) -> io::Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok());
        open.extend(number.filter(|fd| !kept.contains(fd)));
    }
    for fd in open {
        // SAFETY: the caller names every descriptor that something in this process still owns.
        unsafe { libc::close(fd) };
    }
    Ok(())
}

/// Makes `target` another name of `fd`, one that an `exec` keeps.
pub(crate) fn duplicate_onto(fd: BorrowedFd<'_>, target: RawFd) -> io::Result<()> {
    // SAFETY: `fd` is open; `target` is a standard descriptor, which no Rust value owns.
    check(unsafe { libc::dup2(fd.as_raw_fd(), target) }.into())?;
    Ok(())
}

/// Closes a standard descriptor.
pub(crate) fn close_standard(fd: RawFd) {
    // SAFETY: no Rust value owns a standard descriptor.
    unsafe { libc::close(fd) };
}

/// The status flags (`O_NONBLOCK`, …) of the file behind a descriptor.
pub(crate) fn status_flags(fd: BorrowedFd<'_>) -> io::Result<c_int> {
    // SAFETY: plain numbers.
    Ok(check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) }.into())? as c_int)
}

/// Sets the status flags of the file behind a descriptor.
pub(crate) fn set_status_flags(fd: BorrowedFd<'_>, flags: c_int) -> io::Result<()> {
    // SAFETY: plain numbers.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags) }.into())?;
    Ok(())
}

/// The number of bytes that wait in a pipe; either end may ask.
pub(crate) fn bytes_waiting(pipe: BorrowedFd<'_>) -> usize {
    let mut waiting: c_int = 0;
    // SAFETY: `FIONREAD` stores one `int`.
    unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut waiting) };
    usize::try_from(waiting).unwrap_or(0)
}

/// The kind of a lock on a whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lock {
    /// Shared with other holders.
    Shared,
    /// Exclusive.
    Exclusive,
}

/// Takes a lock if it is free. It ends with the last copy of the descriptor.
pub(crate) fn try_lock(file: &File, lock: Lock) -> io::Result<bool> {
    let operation = match lock {
        Lock::Shared => libc::LOCK_SH,
        Lock::Exclusive => libc::LOCK_EX,
    };
    // SAFETY: plain numbers.
    match check(unsafe { libc::flock(file.as_raw_fd(), operation | libc::LOCK_NB) }.into()) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// Gives a lock up, for all copies of the descriptor.
pub(crate) fn unlock(file: &File) -> io::Result<()> {
    // SAFETY: plain numbers.
    check(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_UN) }.into()).map(drop)
}

/// Takes a lock, trying until `wait` is used up.
pub(crate) fn lock_within(file: &File, lock: Lock, wait: Duration) -> io::Result<bool> {
    let step = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    while !try_lock(file, lock)? {
        if waited >= wait {
            return Ok(false);
        }
        std::thread::sleep(step);
        waited += step;
    }
    Ok(true)
}

/// Waits for one of `waits` and leaves its events in each.
pub(crate) fn poll(waits: &mut [libc::pollfd], timeout: c_int) -> io::Result<()> {
    // SAFETY: the slice is valid for its length; the kernel writes only to `revents`.
    match check(unsafe { libc::poll(waits.as_mut_ptr(), waits.len() as _, timeout) }.into()) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
        other => other.map(drop),
    }
}

/// The events to wait for on one descriptor.
pub(crate) fn wait_for(fd: BorrowedFd<'_>, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: fd.as_raw_fd(), events, revents: 0 }
}

/// Bytes of another process's memory: as many as can be read, at most `buffer.len()`.
pub(crate) fn read_memory(process: Pid, address: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: buffer.len() };
    // SAFETY: `local` describes `buffer`; the kernel checks the remote address.
    let count =
        check(unsafe { libc::process_vm_readv(process, &local, 1, &remote, 1, 0) } as c_long)?;
    Ok(count as usize)
}

/// Whether the file has capabilities that `exec` grants with it.
pub(crate) fn has_capabilities(path: &CStr) -> bool {
    let name = c"security.capability".as_ptr();
    // SAFETY: strings that end with a zero byte, and no buffer is asked for.
    unsafe { libc::getxattr(path.as_ptr(), name, std::ptr::null_mut(), 0) > 0 }
}

/// Becomes another program with this process's environment. Returns only if that fails.
pub(crate) fn become_program(program: &CStr, arguments: &[CString]) -> io::Error {
    let mut pointers: Vec<*const c_char> = arguments.iter().map(|text| text.as_ptr()).collect();
    pointers.push(std::ptr::null());
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    // SAFETY: all arrays end with a null pointer; nothing in this process changes the environment.
    unsafe { libc::execve(program.as_ptr(), pointers.as_ptr(), environ) };
    io::Error::last_os_error()
}

/// The release of the running kernel, major and minor.
pub(crate) fn kernel_release() -> Option<(u32, u32)> {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
