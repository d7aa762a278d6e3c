//! Seccomp: system calls that no subject may make.
//!
//! They fail with an error, as on a system that does not permit them, rather than end the program.
//! The filter is written by hand, as it is the one part of this crate that a reader must be able to
//! check for what is refused. It is installed in the server and inherited; the calls that the
//! server needs are refused apart, by lack of capabilities or, where that does not do, by a second
//! filter for each run.

use std::{
    io,
    os::fd::{FromRawFd, OwnedFd},
};

use libc::{c_int, c_long, c_ulong, sock_filter};

use super::sys;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
/// Calls of x32 have this bit; no other architecture has numbers as high.
const FOREIGN_NUMBERS: u32 = 0x4000_0000;

/// Placeholders for a process that does not exist yet: neither process ids nor actions are as
/// large.
const OWN_PROCESS: u32 = 0xEEEE_0000;
const OWN_GROUP: u32 = 0xEEEE_0001;

/// The first argument that `execve` does not have, and its value when a subject is started: the
/// lab's server sleeps until that is done, and could not be asked.
const UNUSED_ARGUMENT: u32 = 3;
pub(super) const START: u32 = 0xEEEE_0002;

const NUMBER: u32 = 0;
const ARCHITECTURE_OFFSET: u32 = 4;

/// All flags of `clone` that make a namespace.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// Calls that no program in a lab needs: the network, other processes, the machine itself.
const REFUSED: &[c_long] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Processes outside a run, as calls name them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Others {
    /// These two; all others that it can see are its own.
    These([libc::pid_t; 2]),
    /// All others: a process is only recognised as itself by the number 0.
    AllButSelf,
}

/// A filter under construction.
pub(super) struct Filter(Vec<sock_filter>);

impl Filter {
    /// Refuses calls of a foreign architecture, and nothing else so far.
    pub(super) fn new() -> Filter {
        let mut filter = Filter(Vec::new());
        filter.load(ARCHITECTURE_OFFSET);
        filter.skip_unless(libc::BPF_JEQ, ARCHITECTURE, 0, 2);
        filter.load(NUMBER);
        filter.skip_unless(libc::BPF_JGE, FOREIGN_NUMBERS, 0, 1);
        filter.refuse(libc::EPERM);
        filter
    }

    /// Refuses calls that no program in a lab needs.
    pub(super) fn without_outside(mut self) -> Filter {
        for &number in REFUSED {
            self.refuse_call(number, libc::EPERM);
        }
        // A lease on a file outside would delay its other users.
        self.on_call(libc::SYS_fcntl, 4);
        self.load_argument(1);
        self.skip_unless(libc::BPF_JEQ, libc::F_SETLEASE as u32, 0, 1);
        self.refuse(libc::EPERM);
        self.load(NUMBER);
        // A message queue would outlive the run; there is none on this system.
        self.refuse_call(libc::SYS_mq_open, libc::ENOSYS);
        self.only_harmless_socket_pairs();
        self
    }

    /// Makes the lab decide on these calls.
    pub(super) fn asking_about(mut self, calls: &[c_long]) -> Filter {
        for &number in calls {
            self.on_call(number, 1);
            self.push(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0);
        }
        self
    }

    /// Makes the lab decide on `fcntl` with these commands.
    pub(super) fn asking_about_commands(mut self, commands: &[c_int]) -> Filter {
        for &command in commands {
            self.on_call(libc::SYS_fcntl, 4);
            self.load_argument(1);
            self.skip_unless(libc::BPF_JEQ, command as u32, 0, 1);
            self.push(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0);
            self.load(NUMBER);
        }
        self
    }

    /// Reports each `execve` to the lab but that which starts a subject.
    pub(super) fn asking_about_programs(mut self) -> Filter {
        self.on_call(libc::SYS_execve, 4);
        self.load_argument(UNUSED_ARGUMENT);
        self.skip_unless(libc::BPF_JEQ, START, 0, 1);
        self.allow();
        self.push(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0);
        self
    }

    /// Refuses to change limits, priorities and processors of processes that are not the subject's.
    /// The kernel permits that for all processes of the same user, which the lab's own are unless
    /// root has started it.
    pub(super) fn without_others(mut self, others: Others) -> Filter {
        let by_process = [
            libc::SYS_prlimit64,
            libc::SYS_sched_setaffinity,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
        ];
        for number in by_process {
            self.refuse_process(number, 0, others);
        }
        for (number, user) in [(libc::SYS_setpriority, 2), (libc::SYS_ioprio_set, 3)] {
            self.on_call(number, 3);
            self.load_argument(0);
            self.skip_unless(libc::BPF_JEQ, user, 0, 1);
            self.refuse(libc::EPERM);
            self.load(NUMBER);
            self.refuse_process(number, 1, others);
        }
        self
    }

    /// Refuses a call whose argument with this index names one of `others`.
    fn refuse_process(&mut self, number: c_long, index: u32, others: Others) {
        match others {
            Others::These([first, second]) => {
                self.on_call(number, 5);
                self.load_argument(index);
                self.skip_unless(libc::BPF_JEQ, first as u32, 1, 0);
                self.skip_unless(libc::BPF_JEQ, second as u32, 0, 1);
                self.refuse(libc::EPERM);
                self.allow();
            }
            Others::AllButSelf => {
                self.on_call(number, 4);
                self.load_argument(index);
                self.skip_unless(libc::BPF_JEQ, 0, 1, 0);
                self.refuse(libc::EPERM);
                self.allow();
            }
        }
    }

    /// Refuses extended attributes, which Landlock does not guard. File systems without them exist.
    pub(super) fn without_attributes(mut self) -> Filter {
        let set = [libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr];
        let remove = [libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr];
        for number in set.into_iter().chain(remove) {
            self.refuse_call(number, libc::ENOTSUP);
        }
        self
    }

    /// Refuses to empty files by name, which Landlock guards only from its third version on.
    /// Opening a file for writing can still do it.
    pub(super) fn without_truncation(mut self) -> Filter {
        self.refuse_call(libc::SYS_truncate, libc::EPERM);
        // Its flags are in memory; the C library does not use it, and others fall back.
        self.refuse_call(libc::SYS_openat2, libc::ENOSYS);
        #[cfg(target_arch = "x86_64")]
        self.refuse_reading_open_that_truncates(libc::SYS_open, 1);
        self.refuse_reading_open_that_truncates(libc::SYS_openat, 2);
        self
    }

    fn refuse_reading_open_that_truncates(&mut self, number: c_long, flags: u32) {
        let mask = (libc::O_ACCMODE | libc::O_TRUNC) as u32;
        let refused = (libc::O_RDONLY | libc::O_TRUNC) as u32;
        self.on_call(number, 5);
        self.load_argument(flags);
        self.push(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, mask, 0, 0);
        self.skip_unless(libc::BPF_JEQ, refused, 0, 1);
        self.refuse(libc::EPERM);
        self.allow();
    }

    /// Refuses mounts and namespaces, which the server of a lab with namespaces needs itself.
    pub(super) fn without_namespaces(mut self) -> Filter {
        let calls = [
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_move_mount,
            libc::SYS_open_tree,
            libc::SYS_mount_setattr,
            libc::SYS_unshare,
        ];
        for number in calls {
            self.refuse_call(number, libc::EPERM);
        }
        // Its flags are in memory, where no filter can look; the C library falls back to `clone`.
        self.refuse_call(libc::SYS_clone3, libc::ENOSYS);
        self.on_call(libc::SYS_clone, 4);
        self.load_argument(0);
        self.skip_unless(libc::BPF_JSET, NEW_NAMESPACES, 0, 1);
        self.refuse(libc::EPERM);
        self.allow();
        self
    }

    /// Refuses signals to others than the process itself and its group; [`address`] fills in their
    /// numbers.
    pub(super) fn without_signals(mut self) -> Filter {
        for number in [libc::SYS_rt_sigqueueinfo, libc::SYS_pidfd_send_signal] {
            self.refuse_call(number, libc::EPERM);
        }
        self.on_call(libc::SYS_kill, 6);
        self.load_argument(0);
        self.skip_unless(libc::BPF_JEQ, 0, 2, 0);
        self.skip_unless(libc::BPF_JEQ, OWN_PROCESS, 1, 0);
        self.skip_unless(libc::BPF_JEQ, OWN_GROUP, 0, 1);
        self.allow();
        self.refuse(libc::EPERM);
        self
    }

    /// The finished filter: what was not refused is allowed.
    pub(super) fn finish(mut self) -> Vec<sock_filter> {
        self.allow();
        self.0
    }

    /// A pair of stream sockets connects only its ends; one of datagram sockets can be redirected.
    fn only_harmless_socket_pairs(&mut self) {
        self.on_call(libc::SYS_socketpair, 8);
        self.load_argument(0);
        self.skip_unless(libc::BPF_JEQ, libc::AF_UNIX as u32, 0, 4);
        self.load_argument(1);
        self.push(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0xf, 0, 0);
        self.skip_unless(libc::BPF_JEQ, libc::SOCK_STREAM as u32, 2, 0);
        self.skip_unless(libc::BPF_JEQ, libc::SOCK_SEQPACKET as u32, 1, 0);
        self.refuse(libc::EPERM);
        self.allow();
    }

    fn refuse_call(&mut self, number: c_long, errno: i32) {
        self.on_call(number, 1);
        self.refuse(errno);
    }

    /// Skips the next `length` instructions unless the call has this number.
    fn on_call(&mut self, number: c_long, length: u8) {
        self.skip_unless(libc::BPF_JEQ, number as u32, 0, length);
    }

    fn load(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0);
    }

    /// Loads the lower half of an argument.
    fn load_argument(&mut self, index: u32) {
        self.load(16 + 8 * index);
    }

    fn skip_unless(&mut self, test: u32, value: u32, if_true: u8, if_false: u8) {
        self.push(libc::BPF_JMP | test | libc::BPF_K, value, if_true, if_false);
    }

    fn refuse(&mut self, errno: i32) {
        self.push(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | errno as u32, 0, 0);
    }

    fn allow(&mut self) {
        self.push(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0);
    }

    fn push(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.0.push(sock_filter { code: code as u16, jt, jf, k });
    }
}

/// Fills in the process that a filter is for. Called between `vfork` and `execve`.
pub(super) fn address(filter: &mut [sock_filter], own: libc::pid_t) {
    for instruction in filter {
        match instruction.k {
            OWN_PROCESS => instruction.k = own as u32,
            OWN_GROUP => instruction.k = -own as u32,
            _ => {}
        }
    }
}

/// Puts this process under a filter, for good. System calls only.
pub(super) fn install(filter: &mut [sock_filter]) -> io::Result<()> {
    install_with(filter, 0).map(drop)
}

/// The same with a filter that asks about calls; returns the descriptor that reports them.
pub(super) fn install_listening(filter: &mut [sock_filter]) -> io::Result<OwnedFd> {
    let listener = install_with(filter, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    // SAFETY: with this flag the call has just made this descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

fn install_with(filter: &mut [sock_filter], flags: c_ulong) -> io::Result<i32> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // Without this flag old kernels slow the subject down to guard it from itself.
    let flags = flags | libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    let mode = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: the program points to a filter of the length it says, and outlives the call.
    sys::check_long(unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program) })
}
