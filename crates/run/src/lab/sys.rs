//! The system calls of the lab, as plain functions that return `io::Result`.
//!
//! Everything here may be called in the server, which is a fork of a process with threads: nothing
//! takes a lock of the standard library, nothing prints.

use std::{
    ffi::{CStr, CString},
    io,
    mem::MaybeUninit,
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    ptr,
    time::Duration,
};

use libc::{c_int, c_long, c_ulong, pid_t};

/// Turns the -1 of a system call into an error.
pub(super) fn check(result: c_int) -> io::Result<c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// The same for `syscall`, whose results here all fit an `int`.
pub(super) fn check_long(result: c_long) -> io::Result<c_int> {
    check(if result < 0 { -1 } else { result as c_int })
}

/// Adds the failed action to an error.
pub(super) fn doing(what: &str) -> impl FnOnce(io::Error) -> String {
    move |error| format!("{what}: {error}")
}

/// A string for the kernel; its maker has refused the NUL byte before.
pub(super) fn c_string(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn owned(result: io::Result<c_int>) -> io::Result<OwnedFd> {
    // SAFETY: every caller passes the result of a call that has just made this descriptor.
    result.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}

/// A connected pair of stream sockets.
pub(super) fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
    // SAFETY: `fds` has room for the two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) })?;
    Ok((owned(Ok(fds[0]))?, owned(Ok(fds[1]))?))
}

/// A pipe: where to read, where to write.
pub(super) fn pipe(flags: c_int) -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: `fds` has room for the two descriptors.
    check(unsafe { libc::pipe2(fds.as_mut_ptr(), flags | libc::O_CLOEXEC) })?;
    Ok((owned(Ok(fds[0]))?, owned(Ok(fds[1]))?))
}

/// Makes reads of this descriptor return at once.
pub(super) fn set_nonblocking(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: no memory is passed.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) }).map(drop)
}

/// A nameless file in memory.
pub(super) fn memory_file(name: &CStr) -> io::Result<OwnedFd> {
    // SAFETY: `name` is a C string.
    owned(check(unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) }))
}

/// Opens `path` relative to the directory `at`; always close-on-exec.
pub(super) fn open_at(at: RawFd, path: &CStr, flags: c_int, mode: u32) -> io::Result<OwnedFd> {
    // SAFETY: `path` is a C string.
    owned(check(unsafe { libc::openat(at, path.as_ptr(), flags | libc::O_CLOEXEC, mode) }))
}

/// Opens an absolute path, or one that is relative to the current directory.
pub(super) fn open(path: &CStr, flags: c_int) -> io::Result<OwnedFd> {
    open_at(libc::AT_FDCWD, path, flags, 0)
}

/// Makes `to` another name of the open file `from`.
pub(super) fn duplicate_to(from: RawFd, to: RawFd) -> io::Result<()> {
    // SAFETY: no memory is passed.
    check(unsafe { libc::dup2(from, to) }).map(drop)
}

/// Makes `to` another name of the open file `from`, one that stays open on `execve`, even if `to` is
/// above the limit of open files that will be set.
pub(super) fn hand_down(from: RawFd, to: RawFd) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` has room for the answer.
    check(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) })?;
    if limit.rlim_cur <= to as u64 {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: `limit` is initialised.
        check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) })?;
    }
    duplicate_to(from, to)?;
    // If it is the same descriptor, nothing was duplicated.
    // SAFETY: no memory is passed.
    check(unsafe { libc::fcntl(to, libc::F_SETFD, 0) }).map(drop)
}

/// The identity of an open file, and its size.
pub(super) fn stat(fd: &OwnedFd) -> io::Result<libc::stat> {
    let mut stat = MaybeUninit::uninit();
    // SAFETY: `stat` has room for the answer.
    check(unsafe { libc::fstat(fd.as_raw_fd(), stat.as_mut_ptr()) })?;
    // SAFETY: the call succeeded and so has filled it.
    Ok(unsafe { stat.assume_init() })
}

/// Closes all descriptors from `first` to `last`.
pub(super) fn close_range(first: u32, last: u32) -> io::Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: only descriptors that no owner in this process relies on are in the range.
    check_long(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }).map(drop)
}

/// Reads once; 0 is the end.
pub(super) fn read(fd: RawFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the buffer is valid for its length.
    unsafe { read_at(fd, buffer.as_mut_ptr(), buffer.len()) }
}

/// Reads once into the unused capacity of a buffer.
pub(super) fn read_into(fd: RawFd, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let room = buffer.spare_capacity_mut();
    // SAFETY: the capacity is valid for its length; the kernel has written the bytes that are added.
    unsafe {
        let count = read_at(fd, room.as_mut_ptr().cast(), room.len())?;
        buffer.set_len(buffer.len() + count);
        Ok(count)
    }
}

/// Reads once, and again if a signal has come between.
///
/// # Safety
///
/// `buffer` has room for `length` bytes.
unsafe fn read_at(fd: RawFd, buffer: *mut u8, length: usize) -> io::Result<usize> {
    loop {
        // SAFETY: as the caller promises.
        let count = unsafe { libc::read(fd, buffer.cast(), length) };
        if count >= 0 {
            return Ok(count as usize);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Writes everything to a file.
pub(super) fn write_all(fd: RawFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: the buffer is valid for its length.
        let count = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        bytes = &bytes[written(count)?..];
    }
    Ok(())
}

/// Writes to the start of a file, as files of `/proc` want it.
pub(super) fn write_at_start(fd: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the buffer is valid for its length.
    let count = unsafe { libc::pwrite(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), 0) };
    written(count).map(drop)
}

/// Sends everything to a socket, without a signal if the other end is closed.
pub(super) fn send_all(fd: RawFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: the buffer is valid for its length.
        let count =
            unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
        bytes = &bytes[written(count)?..];
    }
    Ok(())
}

/// Room for a control message with a few descriptors, aligned as such a message is.
type Control = [u64; 4];
const CONTROL: usize = size_of::<Control>();

/// Sends bytes and, along with the first of them, up to four descriptors; returns how many bytes
/// went.
pub(super) fn send_with(socket: RawFd, bytes: &[u8], passed: &[BorrowedFd]) -> io::Result<usize> {
    let mut control: Control = [0; 4];
    debug_assert!(passed.len() <= 4, "there is room for four");
    let size = size_of_val(passed) as u32;
    with_message(bytes.as_ptr().cast_mut(), bytes.len(), &mut control, |message| {
        // SAFETY: `message` has room for a control message with the descriptors, which is written
        // here; the kernel only reads the bytes.
        unsafe {
            message.msg_controllen = libc::CMSG_SPACE(size) as usize;
            let head = libc::CMSG_FIRSTHDR(message);
            (*head).cmsg_level = libc::SOL_SOCKET;
            (*head).cmsg_type = libc::SCM_RIGHTS;
            (*head).cmsg_len = libc::CMSG_LEN(size) as usize;
            let data = libc::CMSG_DATA(head).cast::<RawFd>();
            for (number, passed) in passed.iter().enumerate() {
                data.add(number).write_unaligned(passed.as_raw_fd());
            }
            libc::sendmsg(socket, message, libc::MSG_NOSIGNAL)
        }
    })
}

/// Receives bytes, and a descriptor if one came along; 0 bytes are the end.
pub(super) fn receive_with(
    socket: RawFd,
    buffer: &mut [u8],
) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut control: Control = [0; 4];
    let mut passed = None;
    let count = with_message(buffer.as_mut_ptr(), buffer.len(), &mut control, |message| {
        // SAFETY: the buffer and the room for control messages are valid for their lengths.
        let count = unsafe { libc::recvmsg(socket, message, libc::MSG_CMSG_CLOEXEC) };
        if count >= 0 {
            passed = passed_descriptor(message);
        }
        count
    })?;
    Ok((count, passed))
}

/// The descriptor in a message that was received. Only one is ever sent at a time.
fn passed_descriptor(message: &libc::msghdr) -> Option<OwnedFd> {
    // SAFETY: the kernel has filled the control messages; the first one, if it is of this kind and
    // this long, holds a descriptor that was made for us to own.
    unsafe {
        let head = libc::CMSG_FIRSTHDR(message).as_ref()?;
        let whole = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
        let is_descriptor = (head.cmsg_level, head.cmsg_type)
            == (libc::SOL_SOCKET, libc::SCM_RIGHTS)
            && head.cmsg_len == whole;
        let fd = || libc::CMSG_DATA(head).cast::<RawFd>().read_unaligned();
        is_descriptor.then(|| OwnedFd::from_raw_fd(fd()))
    }
}

/// Calls `transfer` with a message made of these parts until no signal interrupts it.
fn with_message(
    bytes: *mut u8,
    length: usize,
    control: &mut Control,
    mut transfer: impl FnMut(&mut libc::msghdr) -> isize,
) -> io::Result<usize> {
    let mut part = libc::iovec { iov_base: bytes.cast(), iov_len: length };
    loop {
        // SAFETY: null pointers and zeros are a message without anything.
        let mut message = unsafe { MaybeUninit::<libc::msghdr>::zeroed().assume_init() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = CONTROL;
        let count = transfer(&mut message);
        if count >= 0 {
            return Ok(count as usize);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Whether this process may execute what is at a path.
pub(super) fn is_executable(path: &CStr) -> io::Result<()> {
    // SAFETY: the path is a C string.
    check(unsafe { libc::access(path.as_ptr(), libc::X_OK) }).map(drop)
}

/// Whether what is at a path is mounted read-only.
pub(super) fn is_read_only(path: &CStr) -> io::Result<bool> {
    let mut stat = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path is a C string, and `stat` has room for the answer.
    check(unsafe { libc::statvfs(path.as_ptr(), stat.as_mut_ptr()) })?;
    // SAFETY: the call succeeded and so has filled it.
    Ok(unsafe { stat.assume_init() }.f_flag & libc::ST_RDONLY != 0)
}

fn written(count: isize) -> io::Result<usize> {
    if count >= 0 {
        return Ok(count as usize);
    }
    let error = io::Error::last_os_error();
    if error.kind() == io::ErrorKind::Interrupted { Ok(0) } else { Err(error) }
}

/// Mounts; an empty string stands for none.
pub(super) fn mount(
    source: &CStr,
    target: &CStr,
    kind: &CStr,
    flags: c_ulong,
    data: &CStr,
) -> io::Result<()> {
    let (source, target) = (source.as_ptr(), target.as_ptr());
    // SAFETY: all of them are C strings, and the kernel only reads them.
    check(unsafe { libc::mount(source, target, kind.as_ptr(), flags, data.as_ptr().cast()) })
        .map(drop)
}

/// Takes a mount, with all that is mounted below it, out of sight.
pub(super) fn unmount(target: &CStr) -> io::Result<()> {
    // SAFETY: `target` is a C string.
    check(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) }).map(drop)
}

/// Flags of `open_tree` and `move_mount`.
const OPEN_TREE_CLONE: c_int = 1;
const MOVE_FROM_EMPTY_PATH: c_int = 0x04;
const MOVE_TO_EMPTY_PATH: c_int = 0x40;

/// Makes a directory a mount of its own; it is mounted nowhere yet.
pub(super) fn clone_mount(directory: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC | libc::AT_EMPTY_PATH;
    // SAFETY: the path is a C string.
    owned(check_long(unsafe {
        libc::syscall(libc::SYS_open_tree, directory.as_raw_fd(), c"".as_ptr(), flags)
    }))
}

/// Moves the mount at `from` in one directory to `to` in another; an empty path is the directory.
pub(super) fn move_mount(from_at: RawFd, from: &CStr, to_at: RawFd, to: &CStr) -> io::Result<()> {
    let from_flag = if from.is_empty() { MOVE_FROM_EMPTY_PATH } else { 0 };
    let flags = from_flag | if to.is_empty() { MOVE_TO_EMPTY_PATH } else { 0 };
    let (from, to) = (from.as_ptr(), to.as_ptr());
    // SAFETY: both paths are C strings.
    check_long(unsafe { libc::syscall(libc::SYS_move_mount, from_at, from, to_at, to, flags) })
        .map(drop)
}

/// Makes a directory.
pub(super) fn make_directory_at(at: RawFd, path: &CStr, mode: u32) -> io::Result<()> {
    // SAFETY: `path` is a C string.
    check(unsafe { libc::mkdirat(at, path.as_ptr(), mode) }).map(drop)
}

/// Calls a closure with a mask of 0, so that file modes are exactly as given.
pub(super) fn without_mask<T>(make: impl FnOnce() -> T) -> T {
    // SAFETY: it cannot fail.
    let mask = unsafe { libc::umask(0) };
    let made = make();
    // SAFETY: it cannot fail.
    unsafe { libc::umask(mask) };
    made
}

/// Makes a symbolic link.
pub(super) fn make_symlink_at(target: &CStr, at: RawFd, path: &CStr) -> io::Result<()> {
    // SAFETY: both are C strings.
    check(unsafe { libc::symlinkat(target.as_ptr(), at, path.as_ptr()) }).map(drop)
}

/// Gives a path away, never following a link.
pub(super) fn change_owner_at(at: RawFd, path: &CStr, user: u32, group: u32) -> io::Result<()> {
    let flags = libc::AT_SYMLINK_NOFOLLOW;
    // SAFETY: `path` is a C string.
    check(unsafe { libc::fchownat(at, path.as_ptr(), user, group, flags) }).map(drop)
}

/// Gives an open file away.
pub(super) fn change_owner(fd: &OwnedFd, user: u32, group: u32) -> io::Result<()> {
    // SAFETY: no memory is passed.
    check(unsafe { libc::fchown(fd.as_raw_fd(), user, group) }).map(drop)
}

/// Changes the mode of a path that is known not to be a link.
pub(super) fn change_mode_at(at: RawFd, path: &CStr, mode: u32) -> io::Result<()> {
    // SAFETY: `path` is a C string.
    check(unsafe { libc::fchmodat(at, path.as_ptr(), mode, 0) }).map(drop)
}

/// Changes the mode of an open file.
pub(super) fn change_mode(fd: &OwnedFd, mode: u32) -> io::Result<()> {
    // SAFETY: no memory is passed.
    check(unsafe { libc::fchmod(fd.as_raw_fd(), mode) }).map(drop)
}

/// Sets both times of a path, never following a link.
pub(super) fn set_times_at(at: RawFd, path: &CStr, seconds: i64) -> io::Result<()> {
    let time = libc::timespec { tv_sec: seconds, tv_nsec: 0 };
    let times = [time, time];
    let flags = libc::AT_SYMLINK_NOFOLLOW;
    // SAFETY: `path` is a C string and `times` holds the two values the call reads.
    check(unsafe { libc::utimensat(at, path.as_ptr(), times.as_ptr(), flags) }).map(drop)
}

/// The status of a path, never following a link.
pub(super) fn stat_at(at: RawFd, path: &CStr) -> io::Result<libc::stat> {
    let mut stat = MaybeUninit::uninit();
    let flags = libc::AT_SYMLINK_NOFOLLOW;
    // SAFETY: `stat` has room for the answer.
    check(unsafe { libc::fstatat(at, path.as_ptr(), stat.as_mut_ptr(), flags) })?;
    // SAFETY: the call succeeded and so has filled it.
    Ok(unsafe { stat.assume_init() })
}

/// The status of a path, or of the target of a link there.
pub(super) fn stat_following(path: &CStr) -> io::Result<libc::stat> {
    let mut stat = MaybeUninit::uninit();
    // SAFETY: `path` is a C string, and `stat` has room for the answer.
    check(unsafe { libc::stat(path.as_ptr(), stat.as_mut_ptr()) })?;
    // SAFETY: the call succeeded and so has filled it.
    Ok(unsafe { stat.assume_init() })
}

/// The target of a symbolic link.
pub(super) fn read_link_at(at: RawFd, path: &CStr) -> io::Result<Vec<u8>> {
    let mut target = vec![0; libc::PATH_MAX as usize];
    // SAFETY: the buffer is valid for its length.
    let length =
        unsafe { libc::readlinkat(at, path.as_ptr(), target.as_mut_ptr().cast(), target.len()) };
    check_long(length as c_long)?;
    target.truncate(length as usize);
    Ok(target)
}

/// Removes a name; `AT_REMOVEDIR` is the flag for a directory.
pub(super) fn unlink_at(at: RawFd, path: &CStr, flags: c_int) -> io::Result<()> {
    // SAFETY: `path` is a C string.
    check(unsafe { libc::unlinkat(at, path.as_ptr(), flags) }).map(drop)
}

/// Makes an open directory the current one.
pub(super) fn change_directory(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: no memory is passed.
    check(unsafe { libc::fchdir(fd.as_raw_fd()) }).map(drop)
}

/// Number of bytes that the file system at a path has in use.
pub(super) fn bytes_in_use(path: &CStr) -> io::Result<u64> {
    let mut stat = MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: `path` is a C string, and `stat` has room for the answer.
    check(unsafe { libc::statfs(path.as_ptr(), stat.as_mut_ptr()) })?;
    // SAFETY: the call succeeded and so has filled it.
    let stat = unsafe { stat.assume_init() };
    Ok((stat.f_blocks - stat.f_bfree) * stat.f_bsize as u64)
}

/// `prctl` with one number.
pub(super) fn prctl(option: c_int, value: c_ulong) -> io::Result<()> {
    const NONE: c_ulong = 0;
    // SAFETY: the options used here take numbers only.
    check(unsafe { libc::prctl(option, value, NONE, NONE, NONE) }).map(drop)
}

/// Sends a signal; a process that is gone is no error.
pub(super) fn kill(pid: pid_t, signal: c_int) {
    // SAFETY: no memory is passed.
    unsafe { libc::kill(pid, signal) };
}

/// A child that has ended.
pub(super) struct Reaped {
    pub(super) pid: pid_t,
    pub(super) status: c_int,
    /// Processor time it has used.
    pub(super) processor: Duration,
}

/// Reaps a child that has ended. `Ok(None)`: there are children, but none has ended.
pub(super) fn reap() -> io::Result<Option<Reaped>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both places have room for the answer.
    let pid = check(unsafe { libc::wait4(-1, &mut status, libc::WNOHANG, usage.as_mut_ptr()) })?;
    // SAFETY: it was zeroed, which is a valid value, before the call could fill it.
    let usage = unsafe { usage.assume_init() };
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    let processor = duration(usage.ru_utime) + duration(usage.ru_stime);
    Ok((pid > 0).then_some(Reaped { pid, status, processor }))
}

/// Waits until this child has ended.
pub(super) fn wait_for(pid: pid_t) {
    // SAFETY: a null status is allowed.
    while unsafe { libc::waitpid(pid, ptr::null_mut(), 0) } < 0 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

/// A descriptor that becomes readable when a child ends; blocks the signal itself.
pub(super) fn child_events() -> io::Result<OwnedFd> {
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: an all-zero set is valid for `sigemptyset`, and the calls get pointers to it.
    owned(check(unsafe {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed().assume_init();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_SETMASK, &set, ptr::null_mut());
        libc::signalfd(-1, &set, flags)
    }))
}

/// All signals to their default action, none blocked.
pub(super) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: the default action needs no handler; numbers that cannot be set are refused.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: an all-zero set is valid for `sigemptyset`, which gets a pointer to it.
    unsafe {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed().assume_init();
        libc::sigemptyset(&mut set);
        libc::sigprocmask(libc::SIG_SETMASK, &set, ptr::null_mut());
    }
}

/// Waits for an event on one of these, at most as long as given.
pub(super) fn poll(fds: &mut [libc::pollfd], timeout: std::time::Duration) -> io::Result<()> {
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // SAFETY: the array is valid for its length, the time outlives the call, a null mask is allowed.
    let result =
        unsafe { libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, &timeout, ptr::null()) };
    match check(result) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(()),
    }
}

/// Leaves the process without any clean-up of the one it was forked from.
pub(super) fn exit(status: c_int) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}

/// The user that this process acts for.
pub(super) fn user() -> u32 {
    // SAFETY: it cannot fail.
    unsafe { libc::geteuid() }
}

/// The group that this process acts for.
pub(super) fn group() -> u32 {
    // SAFETY: it cannot fail.
    unsafe { libc::getegid() }
}
