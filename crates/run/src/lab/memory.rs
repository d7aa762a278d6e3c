//! How much memory a run holds.
//!
//! Counting twice what processes share would end a program that forks after a large allocation, and
//! an exact count walks through page tables. So the cheap sum is taken first, and only when
//! it is above the limit does the exact one decide.

use std::fs;

use libc::pid_t;

/// Whether these processes together hold more than `limit` bytes.
pub(super) fn exceeds(processes: &[pid_t], limit: u64) -> bool {
    let cheap: u64 = processes.iter().filter_map(|pid| resident(*pid)).sum();
    cheap > limit && exact(processes) > limit
}

fn exact(processes: &[pid_t]) -> u64 {
    processes.iter().filter_map(|pid| proportional(*pid).or_else(|| resident(*pid))).sum()
}

/// All pages that a process has in memory.
fn resident(pid: pid_t) -> Option<u64> {
    let numbers = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = numbers.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: it takes a number and cannot fail.
    Some(pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64)
}

/// The same, each page divided by the number of processes that share it.
fn proportional(pid: pid_t) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}
