//! Checks program after program, each made from its seed, on all processors.

#![allow(dead_code, reason = "each user of this uses a part of it")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::tracing::{Checker, Stats};

/// The interval of progress messages.
const PAUSE: Duration = Duration::from_secs(20);

/// The arguments: `[PROGRAMS [FIRST [FOLDER]]]`.
pub(crate) struct Sweep {
    /// The number of programs to judge; inconclusive ones do not count.
    pub(crate) count: u64,
    pub(crate) first: u64,
    /// The folder for failing programs.
    pub(crate) folder: PathBuf,
}

/// The outcome so far.
#[derive(Default)]
pub(crate) struct Total {
    pub(crate) stats: Stats,
    pub(crate) done: u64,
    pub(crate) wrong: u64,
    /// Inconclusive programs, by reason.
    pub(crate) skipped: std::collections::BTreeMap<&'static str, u64>,
    pub(crate) time: Duration,
}

/// The outcome for one program.
pub(crate) enum Verdict {
    Right(Stats),
    /// Inconclusive.
    Skipped(&'static str),
}

impl Sweep {
    pub(crate) fn from_command_line(count: u64, first: u64, folder: &str) -> Sweep {
        let words: Vec<_> = std::env::args().skip(1).collect();
        let number =
            |index: usize, otherwise| words.get(index).map_or(otherwise, |w| w.parse().unwrap());
        let folder = PathBuf::from(words.get(2).map_or(folder, String::as_str));
        fs::create_dir_all(&folder).unwrap();
        Sweep { count: number(0, count), first: number(1, first), folder }
    }

    /// Checks all programs; `check` gets the seed of one and the folder.
    pub(crate) fn run(
        &self,
        checker: impl Fn() -> Checker,
        check: impl Fn(&mut Checker, u64, &Path) -> Result<Verdict, String> + Sync,
    ) -> Total {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let checkers: Vec<_> = (0..workers).map(|_| checker()).collect();
        let next = AtomicU64::new(self.first);
        let (start, total) = (Instant::now(), Mutex::new(Total::default()));
        let said = Mutex::new(start);
        thread::scope(|scope| {
            for mut checker in checkers {
                let (next, total, said, check) = (&next, &total, &said, &check);
                scope.spawn(move || {
                    loop {
                        if total.lock().unwrap().judged() >= self.count {
                            return;
                        }
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        let verdict = check(&mut checker, seed, &self.folder);
                        let mut total = total.lock().unwrap();
                        total.add(seed, verdict);
                        let mut said = said.lock().unwrap();
                        if said.elapsed() > PAUSE {
                            *said = Instant::now();
                            eprintln!(
                                "{} of {} programs, {} wrong",
                                total.judged(),
                                self.count,
                                total.wrong
                            );
                        }
                    }
                });
            }
        });
        Total { time: start.elapsed(), ..total.into_inner().unwrap() }
    }
}

impl Total {
    fn add(&mut self, seed: u64, verdict: Result<Verdict, String>) {
        self.done += 1;
        match verdict {
            Ok(Verdict::Right(stats)) => self.stats += stats,
            Ok(Verdict::Skipped(why)) => *self.skipped.entry(why).or_default() += 1,
            Err(why) => {
                self.wrong += 1;
                println!("seed {seed}: {why}");
                std::io::stdout().flush().unwrap();
            }
        }
    }

    /// The number of programs that could be judged.
    pub(crate) fn judged(&self) -> u64 {
        self.done - self.skipped.values().sum::<u64>()
    }
}
