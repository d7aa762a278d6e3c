//! The directory of results, which is written while a search runs.
//!
//! It is readable whatever ends the search: a result is written beside the old one and replaces it
//! atomically.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use parallax_compare::{Aspect, Difference};
use parallax_report::{Style, check::Check, earlier::Earlier, harmless_line, observation};
use parallax_run::{Fixed, TestCase, regular_file, suite::cases};

use crate::{CheckError, error::FailedTo};

const RESULT: &str = "result.json";
const REPORT: &str = "report.html";
const FINDINGS: &str = "findings";
const CORPUS: &str = "corpus";
const UNCONFIRMED: &str = "unconfirmed";
const LOG: &str = "log.txt";
const LOCK: &str = ".lock";
/// An upper bound for the size of a result.
const LARGEST_RESULT: u64 = 1 << 28;

pub(crate) struct Folder {
    root: PathBuf,
    log: File,
    /// The start of the search, and the time of earlier searches.
    start: Instant,
    before: Duration,
    /// The tests in the corpus, and the number of the last one.
    corpus: HashSet<TestCase>,
    last: u32,
    /// A lock, held while the directory is in use.
    _lock: File,
}

impl Folder {
    /// Makes the directory; an old one is renamed.
    pub(crate) fn prepare(root: &Path) -> Result<Folder, CheckError> {
        let cannot = || format!("prepare {}", root.display());
        if root.exists() {
            let old = root.with_added_extension("old");
            for folder in [root, &old].into_iter().filter(|folder| folder.exists()) {
                has_results(folder, cannot)?;
            }
            lock(root)?;
            if old.exists() {
                fs::remove_dir_all(&old).failed_to(cannot)?;
            }
            fs::rename(root, &old).failed_to(cannot)?;
        }
        fs::create_dir_all(root).failed_to(cannot)?;
        Folder::open(root, lock(root)?, Duration::ZERO, HashSet::new(), 0)
    }

    /// Opens the directory of an earlier search to continue it.
    pub(crate) fn go_on(root: &Path, earlier: &Earlier) -> Result<Folder, CheckError> {
        let lock = lock(root)?;
        let corpus = root.join(CORPUS);
        let last = fs::read_dir(&corpus).into_iter().flatten().flatten().filter_map(|entry| {
            Path::new(&entry.file_name()).file_stem()?.to_str()?.parse::<u32>().ok()
        });
        let last = last.max().unwrap_or(0);
        let known = if last > 0 { cases(&[corpus]).map_err(CheckError::of)? } else { Vec::new() };
        Folder::open(root, lock, duration(earlier.seconds), known.into_iter().collect(), last)
    }

    fn open(
        root: &Path,
        lock: File,
        before: Duration,
        corpus: HashSet<TestCase>,
        last: u32,
    ) -> Result<Folder, CheckError> {
        let cannot = || format!("prepare {}", root.display());
        for folder in [FINDINGS, CORPUS] {
            fs::create_dir_all(root.join(folder)).failed_to(cannot)?;
        }
        let mut appending = OpenOptions::new();
        let log =
            regular_file::open_for_writing(&root.join(LOG), appending.create(true).append(true));
        let (log, start) = (log.failed_to(cannot)?, Instant::now());
        Ok(Folder { root: root.to_owned(), log, start, before, corpus, last, _lock: lock })
    }

    /// Starts the clock: the time before was for building.
    pub(crate) fn start(&mut self) {
        self.start = Instant::now();
    }

    /// The tests of the corpus, in a stable order.
    pub(crate) fn corpus(&self) -> Vec<TestCase> {
        let mut tests: Vec<_> = self.corpus.iter().cloned().collect();
        tests.sort();
        tests
    }

    /// The test of an earlier finding.
    pub(crate) fn test(&self, path: &str) -> Result<TestCase, CheckError> {
        let tests = cases(&[self.root.join(path)]).map_err(CheckError::of)?;
        tests.into_iter().next().ok_or_else(|| CheckError::failed(format!("find {path}")))
    }

    /// Logs a line with the time.
    pub(crate) fn log(&mut self, text: &str) -> Result<(), CheckError> {
        let seconds = (self.before + self.start.elapsed()).as_secs_f64();
        let line = format!("{seconds:9.3}s  {}\n", harmless_line(text));
        self.log.write_all(line.as_bytes()).failed_to(|| cannot_write(&self.root.join(LOG)))
    }

    /// Adds a test to the corpus.
    pub(crate) fn keep(&mut self, test: &TestCase) -> Result<(), CheckError> {
        let test = readable(test);
        if !self.corpus.insert(test.clone()) {
            return Ok(());
        }
        self.last += 1;
        let path = self.root.join(CORPUS).join(format!("{:05}.toml", self.last));
        write(&path, &test.to_toml()).failed_to(|| cannot_write(&path))
    }

    /// Keeps a test that there was no time to confirm under this number, and returns its place.
    pub(crate) fn leave(&self, test: &TestCase, number: usize) -> Result<String, CheckError> {
        let inside = Path::new(UNCONFIRMED).join(format!("u{number}.toml"));
        let folder = self.root.join(UNCONFIRMED);
        fs::create_dir_all(&folder).failed_to(|| cannot_write(&folder))?;
        self.replace(&inside, &readable(test).to_toml())?;
        Ok(inside.display().to_string())
    }

    /// Writes a finding, and returns the place of its test.
    pub(crate) fn add(
        &self,
        id: &str,
        test: &TestCase,
        difference: &Difference,
    ) -> Result<String, CheckError> {
        let test = &readable(test);
        let inside = Path::new(FINDINGS).join(id);
        let folder = self.root.join(&inside);
        fs::create_dir_all(&folder).failed_to(|| cannot_write(&folder))?;
        // The test comes last: where it exists, the rest exists.
        let files = [
            ("old.txt", observation(&difference.old, Style::Plain)),
            ("new.txt", observation(&difference.new, Style::Plain)),
            ("repro.sh", repro(test, difference)),
            ("test.toml", test.to_toml()),
        ];
        for (name, text) in files {
            // An improved finding is written again; the old one stays readable meanwhile.
            self.replace(inside.join(name), &text)?;
        }
        Ok(inside.join("test.toml").display().to_string())
    }

    /// Removes a finding.
    pub(crate) fn remove(&self, id: &str) -> Result<(), CheckError> {
        let folder = self.root.join(FINDINGS).join(id);
        fs::remove_dir_all(&folder).failed_to(|| format!("remove {}", folder.display()))
    }

    /// Writes the current result.
    pub(crate) fn write(&self, result: &Check) -> Result<(), CheckError> {
        self.replace(REPORT, &result.html())?;
        self.replace(RESULT, &result.to_json())
    }

    /// Replaces a file atomically: readers see all of it.
    fn replace(&self, name: impl AsRef<Path>, text: &str) -> Result<(), CheckError> {
        let path = self.root.join(name);
        let beside = path.with_added_extension("new");
        write(&beside, text)
            .and_then(|()| fs::rename(&beside, &path))
            .failed_to(|| cannot_write(&path))
    }
}

/// Reads the result of the search to continue.
pub fn earlier(root: &Path) -> Result<Earlier, CheckError> {
    let path = root.join(RESULT);
    let cannot = || format!("go on from {}", path.display());
    let failed = |why: &str| CheckError::failed(format!("{}: {why}", cannot()));
    let bytes = regular_file::read(&path, LARGEST_RESULT).failed_to(cannot)?;
    let text = str::from_utf8(&bytes).map_err(|_| failed("it is not UTF-8"))?;
    Earlier::read(text).map_err(|why| failed(&why.to_string()))
}

/// Writes a regular file of the directory, whatever has its name.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut new = OpenOptions::new();
    regular_file::open_for_writing(path, new.write(true).create(true).truncate(true))?
        .write_all(text.as_bytes())
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

fn cannot_write(path: &Path) -> String {
    format!("write {}", path.display())
}

/// Refuses a directory with other contents, as it would be renamed.
fn has_results(folder: &Path, cannot: impl Fn() -> String) -> Result<(), CheckError> {
    let is_empty = fs::read_dir(folder).failed_to(&cannot)?.next().is_none();
    let is_ours = [LOCK, RESULT, CORPUS, FINDINGS].iter().any(|name| folder.join(name).exists());
    if !is_empty && !is_ours {
        let what =
            format!("{}: {} contains something other than results", cannot(), folder.display());
        return Err(CheckError::failed(what));
    }
    Ok(())
}

/// A test that can be read again, without fixed parts for arguments that it does not have.
fn readable(test: &TestCase) -> TestCase {
    let is_there = |part: &Fixed| !matches!(part, Fixed::Argument(at) if *at >= test.args.len());
    let fixed = test.fixed.iter().filter(|part| is_there(part)).cloned().collect();
    TestCase { fixed, ..test.clone() }
}

/// A script that runs a program as the test does.
fn repro(test: &TestCase, difference: &Difference) -> String {
    const PROGRAM: &str = "./PROGRAM";
    let line = test.shell_line(PROGRAM).replace(PROGRAM, "\"$1\"");
    let note = match difference.differs_in.contains(&Aspect::Memory) {
        true => "# PROGRAM has to be built with -fsanitize=address: what differs is its memory\n",
        false => "",
    };
    format!("#!/bin/sh\n# usage: repro.sh PROGRAM, in a directory of its own\n{note}{line}\n")
}

/// Locks a directory for this process.
fn lock(root: &Path) -> Result<File, CheckError> {
    let path = root.join(LOCK);
    let cannot = || format!("lock {}", root.display());
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    let file = regular_file::open_for_writing(&path, options).failed_to(cannot)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(CheckError::failed(format!("lock {}: another search uses it", root.display())))
        }
        Err(TryLockError::Error(error)) => Err(error).failed_to(cannot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_are_kept_can_be_read_again() {
        let place = tempfile::tempdir().expect("there is room for a directory");
        let root = place.path().join("out");
        let mut folder = Folder::prepare(&root).expect("it is new");
        let fixed = vec![Fixed::Argument(0), Fixed::Argument(1)];
        let test = TestCase { args: vec![b"a".to_vec()], fixed, ..TestCase::default() };
        for _ in 0..2 {
            folder.keep(&test).expect("there is room");
        }
        drop(folder);
        let folder = Folder::go_on(&root, &Earlier::default()).expect("it can be read");
        assert_eq!(folder.corpus(), [TestCase { fixed: vec![Fixed::Argument(0)], ..test }]);
        assert_eq!(folder.last, 1);
    }
}
