//! Running the suite, and passing on the signals that are meant to end it.
//!
//! The command gets a process group of its own, so that a signal to the recording alone reaches
//! every process of the suite and the recording itself lives to restore the program. On a terminal
//! the group is put in the foreground, and stopping it stops the recording with it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};

use crate::sys::{self, Pid};

const PASSED_ON: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

static GROUP: AtomicI32 = AtomicI32::new(0);
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// Catches the signals that end a program, from creation until it is dropped.
pub(crate) struct Signals {
    previous: Vec<(libc::c_int, libc::sigaction)>,
}

impl Signals {
    /// Starts catching. A signal that is ignored stays so, as `nohup` wants it.
    pub(crate) fn catch() -> Signals {
        GROUP.store(0, Ordering::SeqCst);
        CAUGHT.store(0, Ordering::SeqCst);
        let previous = PASSED_ON.iter().filter_map(|&signal| Some((signal, catch(signal)?)));
        Signals { previous: previous.collect() }
    }

    /// The signal that arrived last.
    pub(crate) fn caught(&self) -> Option<i32> {
        Some(CAUGHT.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Runs the command to its end.
    pub(crate) fn run(&self, command: &[OsString]) -> io::Result<ExitStatus> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let terminal = Terminal::in_foreground();
        let mut process = Command::new(program);
        process.args(arguments);
        // SAFETY: the closure makes system calls only and allocates nothing.
        unsafe { process.pre_exec(move || terminal.start_group()) };
        let group = process.spawn()?.id() as Pid;
        GROUP.store(group, Ordering::SeqCst);
        if let Some(signal) = self.caught() {
            send(group, signal);
        }
        let status = terminal.wait(group);
        GROUP.store(0, Ordering::SeqCst);
        status
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for (signal, action) in &self.previous {
            // SAFETY: puts back an action that the kernel itself reported.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}

/// Whether there is a terminal to hand over.
#[derive(Clone, Copy)]
enum Terminal {
    /// Standard input is one, and this process is in its foreground.
    Ours,
    None,
}

impl Terminal {
    fn in_foreground() -> Terminal {
        // SAFETY: plain numbers.
        match unsafe { libc::tcgetpgrp(0) == libc::getpgrp() } {
            true => Terminal::Ours,
            false => Terminal::None,
        }
    }

    /// Runs in the child, before it becomes the command.
    fn start_group(self) -> io::Result<()> {
        // SAFETY: plain numbers.
        sys::check(unsafe { libc::setpgid(0, 0) }.into())?;
        self.hand_to(sys::pid());
        Ok(())
    }

    fn wait(self, group: Pid) -> io::Result<ExitStatus> {
        loop {
            let mut status = 0;
            // SAFETY: stores one `int`.
            let result = unsafe { libc::waitpid(group, &mut status, libc::WUNTRACED) };
            match sys::check(result.into()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(_) if libc::WIFSTOPPED(status) => self.stop_with(group),
                Ok(_) => {
                    // SAFETY: plain numbers.
                    self.hand_to(unsafe { libc::getpgrp() });
                    return Ok(ExitStatus::from_raw(status));
                }
            }
        }
    }

    /// Stops as the command has stopped, so that the user's shell takes over, and continues with
    /// it.
    fn stop_with(self, group: Pid) {
        if matches!(self, Terminal::Ours) {
            // SAFETY: plain numbers.
            self.hand_to(unsafe { libc::getpgrp() });
            // SAFETY: as above; returns when this process is continued.
            unsafe { libc::raise(libc::SIGSTOP) };
            self.hand_to(group);
            send(group, libc::SIGCONT);
        }
    }

    fn hand_to(self, group: Pid) {
        if matches!(self, Terminal::Ours) {
            // SAFETY: plain numbers and a set that lives for the calls. The signal is blocked
            // because a process that is not in the foreground would be stopped by it.
            unsafe {
                let mut set: libc::sigset_t = std::mem::zeroed();
                libc::sigaddset(&mut set, libc::SIGTTOU);
                libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
                libc::tcsetpgrp(0, group);
                libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
            }
        }
    }
}

fn catch(signal: libc::c_int) -> Option<libc::sigaction> {
    // SAFETY: the handler calls only functions that are safe in a signal handler, and both
    // structures live for the calls.
    unsafe {
        let mut previous: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut previous);
        if previous.sa_sigaction == libc::SIG_IGN {
            return None;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = pass_on as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut());
        Some(previous)
    }
}

extern "C" fn pass_on(signal: libc::c_int) {
    CAUGHT.store(signal, Ordering::SeqCst);
    let group = GROUP.load(Ordering::SeqCst);
    if group > 0 {
        send(group, signal);
    }
}

/// Signals a whole group. It is no error if there is none any more.
fn send(group: Pid, signal: libc::c_int) {
    // SAFETY: plain numbers; `errno` belongs to this thread and is left as a handler found it.
    unsafe {
        let errno = *libc::__errno_location();
        libc::kill(-group, signal);
        *libc::__errno_location() = errno;
    }
}
