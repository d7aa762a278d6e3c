//! System V shared memory, semaphores and message queues.
//!
//! They outlive the process that made them. A lab has an IPC namespace of its own, and gets a new
//! one after each run that has left something in it: nearly no program does, and three questions
//! are cheaper than a namespace for each run.

use std::io;

use super::sys;

/// `SHM_INFO`, `MSG_INFO`, `SEM_INFO`: how much is in use now.
const SHM_INFO: i32 = 14;
const MSG_INFO: i32 = 12;
const SEM_INFO: i32 = 19;

/// Gives this process an empty namespace if somebody has left something in the old one, and tells
/// whether that was so.
pub(super) fn renew_if_used() -> io::Result<bool> {
    if !in_use() {
        return Ok(false);
    }
    // SAFETY: no memory is passed.
    sys::check(unsafe { libc::unshare(libc::CLONE_NEWIPC) }).map(|_| true)
}

fn in_use() -> bool {
    // Each answer is a structure of less than 64 bytes.
    let (mut memory, mut queues, mut semaphores) = ([0_i32; 16], [0_i32; 16], [0_i32; 16]);
    // SAFETY: each buffer has room for the answer.
    unsafe {
        libc::syscall(libc::SYS_shmctl, 0, SHM_INFO, memory.as_mut_ptr());
        libc::syscall(libc::SYS_msgctl, 0, MSG_INFO, queues.as_mut_ptr());
        libc::syscall(libc::SYS_semctl, 0, 0, SEM_INFO, semaphores.as_mut_ptr());
    }
    // The first field of `shm_info` and of `msginfo`, and `semusz` of `seminfo`, count what exists.
    memory[0] != 0 || queues[0] != 0 || semaphores[7] != 0
}
