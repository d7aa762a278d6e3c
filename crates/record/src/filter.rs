//! The seccomp filter: which system calls of the program the monitor is asked about.
//!
//! Opens and renames show which files are inputs. When standard input is fed by the monitor, reads
//! from descriptor 0 show how much is wanted, and all other calls that could wait for it or read
//! from it show that feeding on demand is not enough. Nothing else is delayed.

use std::mem::offset_of;

use libc::{c_long, seccomp_data, sock_filter};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Calls that only some architectures have.
#[cfg(target_arch = "x86_64")]
mod legacy {
    use super::{Rule, always, when_zero};

    pub(super) const FILES: &[Rule] =
        &[always(libc::SYS_open), always(libc::SYS_creat), always(libc::SYS_rename)];
    pub(super) const STDIN: &[Rule] =
        &[always(libc::SYS_poll), always(libc::SYS_select), when_zero(libc::SYS_dup2, 0)];
}

#[cfg(not(target_arch = "x86_64"))]
mod legacy {
    pub(super) const FILES: &[super::Rule] = &[];
    pub(super) const STDIN: &[super::Rule] = &[];
}

const FILES: &[Rule] = &[
    always(libc::SYS_openat),
    always(libc::SYS_openat2),
    always(libc::SYS_renameat),
    always(libc::SYS_renameat2),
];

const STDIN: &[Rule] = &[
    when_zero(libc::SYS_read, 0),
    when_zero(libc::SYS_readv, 0),
    when_zero(libc::SYS_preadv2, 0),
    when_zero(libc::SYS_dup, 0),
    when_zero(libc::SYS_dup3, 0),
    when_zero(libc::SYS_fcntl, 0),
    when_zero(libc::SYS_ioctl, 0),
    when_zero(libc::SYS_splice, 0),
    when_zero(libc::SYS_tee, 0),
    when_zero(libc::SYS_vmsplice, 0),
    when_zero(libc::SYS_sendfile, 1),
    when_zero(libc::SYS_epoll_ctl, 2),
    always(libc::SYS_ppoll),
    always(libc::SYS_pselect6),
    always(libc::SYS_io_uring_setup),
];

/// The part of an invocation that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Opens.
    Files,
    /// Opens, and all calls that concern descriptor 0.
    FilesAndStdin,
}

/// The filter for the kernel.
pub(crate) fn program(watch: Watch) -> Vec<sock_filter> {
    let mut program = vec![
        load(offset_of!(seccomp_data, arch)),
        // Calls of another architecture have other numbers.
        if_equal_skip_one(ARCHITECTURE),
        answer(libc::SECCOMP_RET_ALLOW),
        load(offset_of!(seccomp_data, nr)),
    ];
    let stdin = [STDIN, legacy::STDIN];
    let groups: &[&[Rule]] = match watch {
        Watch::Files => &[],
        Watch::FilesAndStdin => &stdin,
    };
    for rule in [FILES, legacy::FILES].iter().chain(groups).copied().flatten() {
        program.extend(rule.instructions());
    }
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program
}

struct Rule {
    call: c_long,
    /// The argument that must be zero.
    zero: Option<usize>,
}

const fn always(call: c_long) -> Rule {
    Rule { call, zero: None }
}

const fn when_zero(call: c_long, argument: usize) -> Rule {
    Rule { call, zero: Some(argument) }
}

impl Rule {
    /// Answers if the rule applies; otherwise falls through with the call's number still loaded.
    fn instructions(&self) -> Vec<sock_filter> {
        let number = self.call as u32;
        let notify = answer(libc::SECCOMP_RET_USER_NOTIF);
        match self.zero {
            None => vec![unless_equal(number, 1), notify],
            Some(argument) => vec![
                unless_equal(number, 4),
                // Descriptors are 32 bits wide; the upper half may hold anything.
                load(offset_of!(seccomp_data, args) + 8 * argument),
                unless_equal(0, 1),
                notify,
                answer(libc::SECCOMP_RET_ALLOW),
            ],
        }
    }
}

fn load(offset: usize) -> sock_filter {
    sock_filter {
        code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        jt: 0,
        jf: 0,
        k: offset as u32,
    }
}

fn unless_equal(value: u32, skip: u8) -> sock_filter {
    sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt: 0,
        jf: skip,
        k: value,
    }
}

fn if_equal_skip_one(value: u32) -> sock_filter {
    sock_filter { jt: 1, ..unless_equal(value, 0) }
}

fn answer(action: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the filter's answer, by a small interpreter of the three instructions it uses.
    fn run(program: &[sock_filter], arch: u32, call: c_long, args: [u64; 6]) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            match u32::from(code) & 7 {
                libc::BPF_LD if k == 0 => loaded = call as u32,
                libc::BPF_LD if k == 4 => loaded = arch,
                libc::BPF_LD => loaded = args[(k as usize - 16) / 8] as u32,
                libc::BPF_JMP => at += usize::from(if loaded == k { jt } else { jf }),
                _ => return k,
            }
        }
    }

    fn asks(watch: Watch, call: c_long, args: [u64; 6]) -> bool {
        run(&program(watch), ARCHITECTURE, call, args) == libc::SECCOMP_RET_USER_NOTIF
    }

    #[test]
    fn asks_about_opens_always_and_about_descriptor_zero_if_it_is_fed() {
        for watch in [Watch::Files, Watch::FilesAndStdin] {
            assert!(asks(watch, libc::SYS_openat, [9; 6]));
            assert!(asks(watch, libc::SYS_renameat2, [0; 6]));
            assert!(!asks(watch, libc::SYS_write, [0; 6]));
            assert!(!asks(watch, libc::SYS_read, [3, 0, 0, 0, 0, 0]));
        }
        assert!(!asks(Watch::Files, libc::SYS_read, [0; 6]));
        assert!(asks(Watch::FilesAndStdin, libc::SYS_read, [0, 9, 9, 0, 0, 0]));
        assert!(asks(Watch::FilesAndStdin, libc::SYS_sendfile, [1, 0, 9, 9, 0, 0]));
        assert!(!asks(Watch::FilesAndStdin, libc::SYS_sendfile, [0, 1, 0, 0, 0, 0]));
    }

    #[test]
    fn lets_other_architectures_through() {
        let answer = run(&program(Watch::FilesAndStdin), 0x4000_0003, libc::SYS_openat, [0; 6]);
        assert_eq!(answer, libc::SECCOMP_RET_ALLOW);
    }
}
