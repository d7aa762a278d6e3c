//! Starting a subject: the way from the server to the program's first instruction.
//!
//! The child shares the server's memory until `execve`, and the server sleeps as long, so the size
//! of the server does not matter and the child reports a failure by writing it down. For the same
//! reason the child makes system calls only: all that needs memory is prepared before.

use std::{
    ffi::{CStr, CString},
    io,
    os::fd::{AsRawFd, OwnedFd, RawFd},
    ptr,
};

use libc::{c_char, c_int, c_void, pid_t, sock_filter};
use parallax_abi::{SERVE_FD, TRACE_FD};

use super::{landlock, privilege::Identity, request::Request, seccomp, sys};
use crate::{Addresses, MemoryLimit};

const STACK: usize = 64 << 10;
/// The main thread's stack has this size nearly everywhere.
const SUBJECT_STACK: u64 = 8 << 20;
/// Number of retries of a program that is still being written, and the pause between.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// The confinement of every subject of a lab.
pub(super) struct Confinement {
    pub(super) identity: Identity,
    /// Rules of Landlock.
    pub(super) rules: Option<OwnedFd>,
    /// A filter that the server cannot live under.
    pub(super) filter: Option<Vec<sock_filter>>,
    /// The limit for core dumps at which there are none.
    pub(super) core: u64,
}

/// The descriptors that a subject finds open: the three standard streams and, if it is traced,
/// memory for that and, if it is to be forked, a socket.
pub(super) struct Streams {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    pub(super) trace: Option<OwnedFd>,
    pub(super) serve: Option<OwnedFd>,
}

/// A step of a launch that has failed, and the error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) step: Step,
    pub(super) errno: i32,
}

/// The steps that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Clone,
    Streams,
    Trace,
    Limits,
    Directory,
    Identity,
    Landlock,
    Seccomp,
    Execute,
}

/// All that the child needs. Pointers are to data that [`launch`] holds.
struct Launch<'a> {
    program: &'a CStr,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    directory: &'a CStr,
    streams: [RawFd; 3],
    /// Descriptors to hand down, and the numbers that they get.
    handed: [(Option<RawFd>, RawFd); 2],
    limits: &'a [(u32, u64, u64)],
    identity: Identity,
    addresses: Addresses,
    rules: Option<RawFd>,
    filter: Option<&'a mut [sock_filter]>,
    failure: Option<Failure>,
}

/// Starts the program of `request`, which is at `program`, in `directory`; returns its process id.
pub(super) fn launch(
    confinement: &mut Confinement,
    request: &Request,
    program: &[u8],
    streams: &Streams,
    directory: &CStr,
    processes: u64,
) -> Result<pid_t, Failure> {
    let failed = |_| Failure { step: Step::Execute, errno: libc::EINVAL };
    let program = sys::c_string(program).map_err(failed)?;
    let arguments = Strings::new(&request.arguments).map_err(failed)?;
    let environment = Strings::new(&request.environment).map_err(failed)?;
    let limits = limits(request, processes, confinement.core);
    start(&mut Launch {
        program: &program,
        arguments: arguments.pointers.as_ptr(),
        environment: environment.pointers.as_ptr(),
        directory,
        streams: [&streams.stdin, &streams.stdout, &streams.stderr].map(AsRawFd::as_raw_fd),
        handed: [(&streams.trace, TRACE_FD), (&streams.serve, SERVE_FD)]
            .map(|(file, number)| (file.as_ref().map(AsRawFd::as_raw_fd), number)),
        limits: &limits,
        identity: confinement.identity,
        addresses: request.addresses,
        rules: confinement.rules.as_ref().map(AsRawFd::as_raw_fd),
        filter: confinement.filter.as_deref_mut(),
        failure: None,
    })
}

/// Strings as `execve` wants them.
struct Strings {
    pointers: Vec<*const c_char>,
    /// The strings that the pointers point to.
    _strings: Vec<CString>,
}

impl Strings {
    fn new(strings: &[Vec<u8>]) -> io::Result<Strings> {
        let strings = strings.iter().map(|bytes| sys::c_string(bytes));
        let strings = strings.collect::<io::Result<Vec<_>>>()?;
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
        Ok(Strings { pointers, _strings: strings })
    }
}

/// Each resource with its soft and hard limit.
fn limits(request: &Request, processes: u64, core: u64) -> Vec<(u32, u64, u64)> {
    let limits = &request.limits;
    let seconds = processor_seconds(request);
    let mut list = vec![
        (libc::RLIMIT_CPU, seconds, seconds + 1),
        (libc::RLIMIT_FSIZE, limits.disk, limits.disk),
        (libc::RLIMIT_NPROC, processes, processes),
        (libc::RLIMIT_NOFILE, limits.open_files.into(), limits.open_files.into()),
        (libc::RLIMIT_CORE, core, core),
        (libc::RLIMIT_STACK, SUBJECT_STACK, libc::RLIM_INFINITY),
    ];
    if let MemoryLimit::AddressSpace(bytes) = request.memory {
        list.push((libc::RLIMIT_AS, bytes, bytes));
    }
    list
}

/// The limit of processor time: that of wall-clock time, rounded up.
pub(super) fn processor_seconds(request: &Request) -> u64 {
    let time = request.limits.time;
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}

fn start(launch: &mut Launch) -> Result<pid_t, Failure> {
    // 16 bytes at a time, as the top must be aligned.
    let mut stack = Vec::<u128>::with_capacity(STACK / 16);
    let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the child has a stack of its own; it shares memory with this process, which sleeps
    // until the child executes or exits, so `launch` and `stack` outlive its use of them.
    let pid = unsafe { libc::clone(child, top.cast(), flags, ptr::from_mut(launch).cast()) };
    if pid < 0 {
        return Err(last_failure(Step::Clone));
    }
    // SAFETY: a plain read, volatile because the compiler cannot know that the child wrote it.
    match unsafe { ptr::read_volatile(&raw const launch.failure) } {
        Some(failure) => Err(failure),
        None => Ok(pid),
    }
}

extern "C" fn child(launch: *mut c_void) -> c_int {
    // SAFETY: `start` passes a pointer to a `Launch` that has no other user while we run.
    let launch = unsafe { &mut *launch.cast::<Launch>() };
    let failure = prepare(launch).map_or_else(|step| step, |()| execute(launch));
    launch.failure = Some(last_failure(failure));
    sys::exit(127)
}

/// Makes a process a subject, in an order in which each step is still permitted.
fn prepare(launch: &mut Launch) -> Result<(), Step> {
    for (file, number) in launch.handed {
        // Before there are limits: the descriptor stays valid above them.
        let handed = file.map_or(Ok(()), |file| sys::hand_down(file, number));
        handed.map_err(|_| Step::Trace)?;
    }
    set_limits(launch.limits).map_err(|()| Step::Limits)?;
    connect(launch.streams).map_err(|_| Step::Streams)?;
    // SAFETY: system calls with a C string and with numbers.
    unsafe {
        if launch.addresses == Addresses::Random {
            // The server has switched randomisation off; where that failed there is nothing to do.
            libc::personality(0);
        }
        libc::setsid();
        if libc::chdir(launch.directory.as_ptr()) != 0 {
            return Err(Step::Directory);
        }
    }
    launch.identity.assume().map_err(|()| Step::Identity)?;
    if launch.rules.is_some_and(|rules| !landlock::restrict(rules)) {
        return Err(Step::Landlock);
    }
    install(launch.filter.as_deref_mut()).map_err(|_| Step::Seccomp)?;
    close_others(&launch.handed);
    unblock_signals();
    Ok(())
}

fn execute(launch: &Launch) -> Step {
    for _ in 0..BUSY_TRIES {
        // SAFETY: the pointers are to C strings, the lists end with a null pointer.
        unsafe {
            let (program, arguments) = (launch.program.as_ptr(), launch.arguments);
            let start = u64::from(seccomp::START);
            libc::syscall(libc::SYS_execve, program, arguments, launch.environment, start);
        }
        if io::Error::last_os_error().raw_os_error() != Some(libc::ETXTBSY) {
            break;
        }
        // SAFETY: a constant time, and the remainder is not requested.
        unsafe { libc::nanosleep(&BUSY_PAUSE, ptr::null_mut()) };
    }
    Step::Execute
}

/// Sets the limits, or the nearest ones that are permitted.
fn set_limits(limits: &[(u32, u64, u64)]) -> Result<(), ()> {
    for &(resource, soft, hard) in limits {
        if set_limit(resource, soft, hard) {
            continue;
        }
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: `limit` has room for the answer.
        unsafe { libc::getrlimit(resource, &mut limit) };
        let hard = limit.rlim_max.min(hard);
        if !set_limit(resource, hard.min(soft), hard) {
            return Err(());
        }
    }
    Ok(())
}

fn set_limit(resource: u32, soft: u64, hard: u64) -> bool {
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: `limit` is initialised.
    unsafe { libc::setrlimit(resource, &limit) == 0 }
}

fn connect(streams: [RawFd; 3]) -> io::Result<()> {
    for (target, stream) in streams.into_iter().enumerate() {
        sys::duplicate_to(stream, target as RawFd)?;
    }
    Ok(())
}

fn install(filter: Option<&mut [sock_filter]>) -> io::Result<()> {
    let Some(filter) = filter else { return Ok(()) };
    // SAFETY: it cannot fail.
    seccomp::address(filter, unsafe { libc::getpid() });
    seccomp::install(filter)
}

/// Kernels before 5.9 cannot close a range; there, all descriptors of the server are closed on
/// `execve`.
fn close_others(handed: &[(Option<RawFd>, RawFd)]) {
    let mut first = 3;
    for (_, number) in handed.iter().filter(|(file, _)| file.is_some()) {
        let number = *number as u32;
        let _ = sys::close_range(first, number - 1);
        first = number + 1;
    }
    let _ = sys::close_range(first, u32::MAX);
}

fn unblock_signals() {
    let none = 0_u64;
    let size = size_of_val(&none);
    // SAFETY: the kernel's own set has 64 bits, and a null pointer for the old one is allowed.
    unsafe {
        let old = ptr::null_mut::<u64>();
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, old, size)
    };
}

fn last_failure(step: Step) -> Failure {
    Failure { step, errno: io::Error::last_os_error().raw_os_error().unwrap_or(0) }
}
