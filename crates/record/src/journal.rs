//! The journal: how the monitors of one recording report to it.
//!
//! A directory inside the output directory, so that a test can be renamed into place, with a log to
//! which all processes append whole lines and a lock that every monitor shares until it has
//! written. Parallel suites need nothing more, and a monitor that is killed leaves nothing locked.
//! A second lock is the recording's own while it lives: no other process removes the directory
//! under it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parallax_run::TestCase;

use crate::sidecar::Digest;
use crate::sys::{self, Lock};

/// The file that the recording keeps locked.
const ALIVE: &str = "alive";

/// The reason why an invocation of the program did not become a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// Its inputs are larger than 4 MiB together.
    TooLarge,
    /// Its standard input was a device or a directory, which no test can hold.
    StdinNotRecordable,
    /// The recorder could not start its monitor.
    NotMonitored,
    /// The test could not be written to the output directory.
    NotWritten,
}

impl SkipReason {
    const ALL: [(SkipReason, &str); 4] = [
        (SkipReason::TooLarge, "inputs larger than 4 MiB together"),
        (SkipReason::StdinNotRecordable, "standard input is a device or a directory"),
        (SkipReason::NotMonitored, "the monitor did not start"),
        (SkipReason::NotWritten, "the test could not be written"),
    ];

    fn parse(text: &str) -> Option<SkipReason> {
        SkipReason::ALL.iter().find(|(_, said)| *said == text).map(|(reason, _)| *reason)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = SkipReason::ALL.iter().find(|(reason, _)| reason == self);
        f.write_str(said.map_or("", |(_, said)| said))
    }
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The program was started.
    Seen,
    /// The files of this invocation come from its arguments alone.
    Unobserved,
    /// A test was written under this name.
    Wrote(String),
    /// No test was written.
    Skipped(SkipReason),
}

impl Event {
    fn parse(line: &str) -> Option<Event> {
        match line.split_once(' ') {
            None if line == "seen" => Some(Event::Seen),
            None if line == "unobserved" => Some(Event::Unobserved),
            Some(("wrote", name)) => Some(Event::Wrote(name.to_string())),
            Some(("skipped", reason)) => SkipReason::parse(reason).map(Event::Skipped),
            _ => None,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Seen => f.write_str("seen"),
            Event::Unobserved => f.write_str("unobserved"),
            Event::Wrote(name) => write!(f, "wrote {name}"),
            Event::Skipped(reason) => write!(f, "skipped {reason}"),
        }
    }
}

/// The totals of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) names: BTreeSet<String>,
    pub(crate) seen: usize,
    pub(crate) ended: usize,
    pub(crate) unobserved: usize,
    pub(crate) skipped: BTreeMap<SkipReason, usize>,
}

impl Tally {
    fn of(log: &str) -> Tally {
        let mut tally = Tally::default();
        log.lines().filter_map(Event::parse).for_each(|event| tally.add(event));
        tally
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Seen => self.seen += 1,
            Event::Unobserved => self.unobserved += 1,
            Event::Wrote(name) => {
                self.ended += 1;
                self.names.insert(name);
            }
            Event::Skipped(reason) => {
                self.ended += 1;
                *self.skipped.entry(reason).or_default() += 1;
            }
        }
    }
}

/// Whether the recording that made this journal is running.
pub(crate) fn is_alive(directory: &Path) -> bool {
    // If that is unknown, leaving everything as it is does no harm.
    File::open(directory.join(ALIVE))
        .is_ok_and(|file| !sys::try_lock(&file, Lock::Shared).unwrap_or(false))
}

/// Removes the journal of a recording that was killed, and of no other. One of its monitors may
/// still be writing there, which makes a directory that was just emptied full again: that is over
/// soon.
pub(crate) fn clear(directory: &Path) {
    const TRIES: u32 = 100;
    if is_alive(directory) {
        return;
    }
    for _ in 0..TRIES {
        match std::fs::remove_dir_all(directory) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(Duration::from_millis(20));
            }
            _ => return,
        }
    }
}

/// The directory that a recording and its monitors share.
#[derive(Debug)]
pub(crate) struct Journal {
    directory: PathBuf,
    log: File,
    lock: File,
    /// Locked by the recording; a monitor has none.
    _alive: Option<File>,
}

impl Journal {
    /// Makes the journal of a new recording inside `out`.
    pub(crate) fn create(out: &Path) -> io::Result<Journal> {
        // Process numbers are reused, and containers that share a directory have the same ones.
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let directory = out.join(format!(".recording-{}-{time:x}", sys::pid()));
        std::fs::create_dir(&directory)?;
        let alive = File::create_new(directory.join(ALIVE))?;
        sys::try_lock(&alive, Lock::Exclusive)?;
        File::create_new(directory.join("log"))?;
        File::create_new(directory.join("lock"))?;
        Ok(Journal { _alive: Some(alive), ..Journal::open(&directory)? })
    }

    /// Opens the journal of a running recording and keeps it open while this value lives.
    pub(crate) fn join(directory: &Path) -> io::Result<Journal> {
        let journal = Journal::open(directory)?;
        if !sys::lock_within(&journal.lock, Lock::Shared, Duration::from_secs(1))? {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(journal)
    }

    fn open(directory: &Path) -> io::Result<Journal> {
        Ok(Journal {
            directory: directory.to_path_buf(),
            log: OpenOptions::new().append(true).open(directory.join("log"))?,
            lock: OpenOptions::new().read(true).open(directory.join("lock"))?,
            _alive: None,
        })
    }

    /// The directory of the journal.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The descriptors that a monitor must keep open.
    pub(crate) fn files(&self) -> [&File; 2] {
        [&self.log, &self.lock]
    }

    /// Adds a line to the log. A failure cannot be reported.
    pub(crate) fn note(&self, event: &Event) {
        let _ = (&self.log).write_all(format!("{event}\n").as_bytes());
    }

    /// Writes a test under a name made of its contents, so the same invocation twice is one file.
    pub(crate) fn write(&self, out: &Path, test: &TestCase) -> io::Result<String> {
        let text = test.to_toml();
        let name = format!("{}.toml", Digest::of(text.as_bytes()).name());
        let draft = self.directory.join(sys::pid().to_string());
        std::fs::write(&draft, text)?;
        std::fs::rename(&draft, out.join(&name))?;
        Ok(name)
    }

    /// Lets the recording end without waiting for this process any longer.
    pub(crate) fn leave(&self) {
        let _ = sys::unlock(&self.lock);
    }

    /// Waits until no monitor has anything left to write, but no longer than `wait`.
    pub(crate) fn settle(&self, wait: Duration) -> io::Result<bool> {
        sys::lock_within(&self.lock, Lock::Exclusive, wait)
    }

    /// The totals of the monitors' reports so far.
    pub(crate) fn tally(&self) -> io::Result<Tally> {
        Ok(Tally::of(&std::fs::read_to_string(self.directory.join("log"))?))
    }

    /// Removes the journal.
    pub(crate) fn remove(&self) -> io::Result<()> {
        std::fs::remove_dir_all(&self.directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_survives_the_log() {
        let skips = SkipReason::ALL.iter().map(|(reason, _)| Event::Skipped(*reason));
        let others = [Event::Seen, Event::Unobserved, Event::Wrote("a.toml".into())];
        for event in others.into_iter().chain(skips) {
            assert_eq!(Event::parse(&event.to_string()), Some(event));
        }
    }

    #[test]
    fn a_log_adds_up() {
        let log = "seen\nwrote a\nseen\nwrote a\nseen\nskipped the monitor did not start\nseen\n";
        let tally = Tally::of(log);
        assert_eq!((tally.seen, tally.ended, tally.names.len()), (4, 3, 1));
        assert_eq!(tally.skipped, BTreeMap::from([(SkipReason::NotMonitored, 1)]));
    }
}
