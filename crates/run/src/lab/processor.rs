//! The processor that a lab is on.
//!
//! A worker, its lab and its subject take turns, and never work at the same time. On one processor
//! the next of them goes on at once; elsewhere another processor has to be woken up each time,
//! which in a virtual machine takes longer than a short run does.

use std::{fs, io, mem::MaybeUninit, thread, time::Duration};

use super::sys;

/// The time for which processors are watched to measure their load.
const WATCHED: Duration = Duration::from_millis(60);

/// `count` processors for a worker each, the least busy ones. There are none if this process may
/// not use as many: then the system knows better where to run them.
pub fn idle_processors(count: usize) -> Vec<usize> {
    let mut usable = usable().unwrap_or_default();
    if count == 0 || usable.len() < count {
        return Vec::new();
    }
    if usable.len() > count {
        let before = idle_times();
        thread::sleep(WATCHED);
        let after = idle_times();
        let idle = |processor: &usize| {
            let at = |times: &[(usize, u64)]| {
                times.iter().find(|(number, _)| number == processor).map_or(0, |(_, time)| *time)
            };
            at(&after).saturating_sub(at(&before))
        };
        usable.sort_by_cached_key(|processor| std::cmp::Reverse(idle(processor)));
    }
    usable.truncate(count);
    usable
}

/// Keeps the calling thread, and all that it starts, on this processor. If that is not permitted,
/// nothing changes.
pub fn stay_on(processor: usize) {
    // SAFETY: a set of no processors is all zeros; the macro's function checks the number; the set
    // is valid for its size.
    unsafe {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init();
        libc::CPU_SET(processor, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

fn usable() -> io::Result<Vec<usize>> {
    // SAFETY: a set of no processors is all zeros, and is valid for its size.
    let set = unsafe {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init();
        sys::check(libc::sched_getaffinity(0, size_of_val(&set), &mut set))?;
        set
    };
    // SAFETY: all these numbers are within the set.
    let has = |number: &usize| unsafe { libc::CPU_ISSET(*number, &set) };
    Ok((0..libc::CPU_SETSIZE as usize).filter(has).collect())
}

/// The idle time of each processor, in ticks.
fn idle_times() -> Vec<(usize, u64)> {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix("cpu"));
    lines
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let number = fields.next()?.parse().ok()?;
            // User, nice, system, idle.
            Some((number, fields.nth(3)?.parse().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_processors_as_there_are_can_be_had_and_no_more() {
        let all = usable().unwrap();
        assert!(!all.is_empty());
        let mut found = idle_processors(all.len());
        found.sort_unstable();
        assert_eq!(found, all);
        assert_eq!(idle_processors(all.len() + 1), Vec::<usize>::new());
        let one = idle_processors(1);
        assert!(all.contains(&one[0]));
    }

    #[test]
    fn a_thread_stays_where_it_is_put() {
        thread::spawn(|| {
            let last = *usable().unwrap().last().unwrap();
            stay_on(last);
            assert_eq!(usable().unwrap(), [last]);
        })
        .join()
        .unwrap();
    }
}
