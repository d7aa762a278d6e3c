//! The memory that a run holds.
//!
//! Counting shared memory twice would end a program that forks after a large allocation, and an
//! exact count walks through page tables. So the cheap sum is taken first, and only when it is
//! above the limit does the exact one decide. The memory that a traced program writes its trace to
//! is Parallax's own and has limits of its own: where even the exact sum is above the limit, it is
//! taken without that.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    os::fd::OwnedFd,
};

use libc::pid_t;

use super::sys;

/// A file that processes of a run have mapped, and that does not count.
#[derive(Debug)]
pub(super) struct Shared {
    /// Its device, as `/proc` writes it, and its inode.
    place: (String, String),
    /// Bytes that it can have.
    size: u64,
}

impl Shared {
    /// This file.
    pub(super) fn of(file: &OwnedFd) -> std::io::Result<Shared> {
        let stat = sys::stat(file)?;
        let (major, minor) = (libc::major(stat.st_dev), libc::minor(stat.st_dev));
        let place = (format!("{major:02x}:{minor:02x}"), stat.st_ino.to_string());
        Ok(Shared { place, size: stat.st_size as u64 })
    }
}

/// Whether these processes together hold more than `limit` bytes.
pub(super) fn exceeds(processes: &[pid_t], limit: u64, shared: Option<&Shared>) -> bool {
    let sum = |count: &dyn Fn(pid_t) -> Option<u64>| -> u64 {
        processes.iter().filter_map(|pid| count(*pid)).sum()
    };
    sum(&resident) > limit
        && sum(&|pid| proportional(pid).or_else(|| resident(pid))) > limit
        && shared.is_none_or(|shared| sum(&|pid| apart(pid, shared)) > limit)
}

/// All pages that a process has in memory.
fn resident(pid: pid_t) -> Option<u64> {
    pages(pid, 1)
}

/// One of the numbers of `statm`, in bytes: 1 are all pages, 2 are those with a file.
fn pages(pid: pid_t, field: usize) -> Option<u64> {
    let numbers = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = numbers.split(' ').nth(field)?.parse().ok()?;
    // SAFETY: it takes a number and cannot fail.
    Some(pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64)
}

/// The same, each page divided by the number of processes that share it.
fn proportional(pid: pid_t) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    kilobytes(line)
}

/// The same, without the mappings of `shared`.
fn apart(pid: pid_t, shared: &Shared) -> Option<u64> {
    let mappings = File::open(format!("/proc/{pid}/smaps")).ok();
    let sum = mappings.and_then(|mappings| sum_apart(BufReader::new(mappings), shared));
    sum.or_else(|| Some(resident(pid)?.saturating_sub(pages(pid, 2)?.min(shared.size))))
}

/// `None` if it cannot be read; each mapping starts with its place, and is as large as `Pss` says.
/// Pages written to a private mapping of the file are the process's own, and count.
fn sum_apart(mappings: impl BufRead, shared: &Shared) -> Option<u64> {
    let (mut sum, mut counts) = (0, true);
    for line in mappings.split(b'\n') {
        let line = line.ok()?;
        // Only the name of a file, at the end of a line, need not be text.
        let line = String::from_utf8_lossy(&line);
        let mut fields = line.split_ascii_whitespace();
        match fields.next() {
            Some("Pss:") if counts => sum += kilobytes(line.strip_prefix("Pss:")?)?,
            Some(key) if key.ends_with(':') => {}
            _ => {
                let mut field = || fields.next().unwrap_or_default();
                let (mode, _offset, device, inode) = (field(), field(), field(), field());
                let is_place = (device, inode) == (&shared.place.0[..], &shared.place.1[..]);
                counts = !is_place || !mode.ends_with('s');
            }
        }
    }
    Some(sum)
}

fn kilobytes(text: &str) -> Option<u64> {
    let kilobytes: u64 = text.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_of_the_shared_file_do_not_count() {
        let shared = Shared { place: ("00:01".to_owned(), "77".to_owned()), size: 1 << 20 };
        let text = "10-20 rw-s 00000000 00:01 77   /memfd:parallax-trace (deleted)\n\
                    Size:   64 kB\nPss:   4 kB\nPss_Dirty:   4 kB\nVmFlags: rd wr\n\
                    20-30 rw-p 00000000 00:00 0 \nPss:   8 kB\n\
                    30-40 rw-s 00000000 00:01 78   /memfd:parallax-trace (deleted)\nPss:  16 kB\n\
                    40-50 rw-p 00000000 00:01 77   /memfd:parallax-trace (deleted)\nPss:  32 kB\n";
        assert_eq!(sum_apart(text.as_bytes(), &shared), Some(56 << 10));
    }
}
