//! Standard input: all of a file, or the part of a pipe that the program took.
//!
//! A file is kept from its current offset on, which is not moved. A pipe cannot be read twice: the
//! program gets a new pipe and the monitor a copy of the old one's reading end. As long as the
//! program only calls `read` and `readv` on descriptor 0, the monitor takes from the old pipe
//! exactly the bytes that such a call asks for, so bytes that the program leaves are still there
//! for the next reader (`{ program; cat; }`) and the contents of a test do not depend on timing. A
//! program that can wait for input in other ways (`poll`, another descriptor, no filter at all) is
//! fed ahead as far as its pipe takes it; bytes that it leaves are lost to the next reader. Only
//! the bytes that the program took are kept.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use libc::{POLLERR, POLLHUP, POLLIN, POLLOUT, c_short, pollfd};

use crate::draft::MAX_INPUT;
use crate::journal::SkipReason;
use crate::sys::{self, Pid};

/// As much as a pipe usually holds.
const AT_ONCE: usize = 64 << 10;
/// The most bytes that are fed ahead in one step.
const AHEAD: usize = 4 << 10;

/// The kind of descriptor 0.
#[derive(Debug)]
pub(crate) enum Stdin {
    /// Known before the program runs; empty for a terminal, `/dev/null` or a closed one.
    Held(Vec<u8>),
    /// A pipe or a socket.
    Stream,
}

impl Stdin {
    /// The standard input of this process.
    pub(crate) fn of_this_process() -> Result<Stdin, SkipReason> {
        let Some((file, metadata)) = open_for_reading() else {
            return Ok(Stdin::Held(Vec::new()));
        };
        let kind = metadata.file_type();
        match () {
            _ if kind.is_file() => Ok(Stdin::Held(rest_of(&file).unwrap_or_default())),
            _ if kind.is_fifo() || kind.is_socket() => Ok(Stdin::Stream),
            _ if kind.is_char_device() && is_silent(&file, metadata.rdev()) => {
                Ok(Stdin::Held(Vec::new()))
            }
            _ => Err(SkipReason::StdinNotRecordable),
        }
    }
}

/// The old pipe, as the monitor sees it.
#[derive(Debug)]
pub(crate) struct Source {
    /// Shared with other processes; only polled.
    shared: OwnedFd,
    /// Opened anew, so that non-blocking mode affects no other process. A socket has only the
    /// first.
    own: Option<File>,
}

impl Source {
    /// The standard input of this process.
    pub(crate) fn of_this_process() -> io::Result<Source> {
        let shared = io::stdin().as_fd().try_clone_to_owned()?;
        let own = reopen_for_reading(shared.as_raw_fd()).ok();
        Ok(Source { shared, own })
    }

    fn descriptors(&self) -> impl Iterator<Item = RawFd> {
        let own = self.own.as_ref().map(AsRawFd::as_raw_fd);
        [self.shared.as_raw_fd()].into_iter().chain(own)
    }

    /// Up to `limit` bytes; `None` if there are none yet. The end is an empty answer.
    fn take(&self, limit: usize) -> Option<Vec<u8>> {
        let mut waits = [sys::wait_for(self.shared.as_fd(), POLLIN)];
        sys::poll(&mut waits, 0).ok()?;
        if waits[0].revents == 0 {
            return None;
        }
        let mut buffer = vec![0; limit];
        match self.read(&mut buffer) {
            Ok(length) => buffer.truncate(length),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return None,
            Err(_) => buffer.clear(),
        }
        Some(buffer)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.own {
            Some(own) => { own }.read(buffer),
            None => File::from(self.shared.try_clone()?).read(buffer),
        }
    }
}

/// Carries the bytes that the program wants from the old pipe to the new one.
#[derive(Debug)]
pub(crate) struct Pump {
    flow: Flow,
    feeding: Feeding,
    /// Taken from the source, and not yet in the program's pipe.
    pending: Vec<u8>,
    /// All that was taken from the source, as far as it is kept.
    seen: Vec<u8>,
    total: usize,
}

#[derive(Debug)]
enum Flow {
    Open {
        source: Source,
        sink: PipeWriter,
    },
    /// The source has ended; the program's pipe is kept to see which bytes it leaves.
    Ended(Option<File>),
    /// The bytes left in the program's pipe can no longer be read.
    Refused {
        unread: usize,
    },
}

#[derive(Debug)]
enum Feeding {
    /// Threads in a read, and how much each wants.
    OnDemand(BTreeMap<Pid, usize>),
    Ahead,
}

impl Pump {
    /// A pump from `source` to the pipe that is the program's descriptor 0.
    pub(crate) fn new(source: Source, sink: PipeWriter) -> io::Result<Pump> {
        sys::set_status_flags(sink.as_fd(), libc::O_NONBLOCK)?;
        Ok(Pump {
            flow: Flow::Open { source, sink },
            feeding: Feeding::OnDemand(BTreeMap::new()),
            pending: Vec::new(),
            seen: Vec::new(),
            total: 0,
        })
    }

    /// The descriptors it needs.
    pub(crate) fn descriptors(&self) -> Vec<RawFd> {
        match &self.flow {
            Flow::Open { source, sink } => source.descriptors().chain([sink.as_raw_fd()]).collect(),
            _ => Vec::new(),
        }
    }

    /// The program's pipe, as the kernel names it.
    pub(crate) fn name(&self) -> Option<PathBuf> {
        match &self.flow {
            Flow::Open { sink, .. } => {
                std::fs::read_link(format!("/proc/self/fd/{}", sink.as_raw_fd())).ok()
            }
            _ => None,
        }
    }

    /// Whether there may be more to carry.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.flow, Flow::Open { .. })
    }

    /// A thread is about to read from the program's pipe.
    pub(crate) fn demand(&mut self, task: Pid, wanted: usize) {
        if matches!(self.feeding, Feeding::Ahead) || wanted == 0 || !self.is_open() {
            return;
        }
        let left_over = self.unread() > 0;
        if (left_over || !self.feed(wanted))
            && let Feeding::OnDemand(demands) = &mut self.feeding
        {
            demands.insert(task, wanted);
        }
    }

    /// From now on the program can wait for input unseen.
    pub(crate) fn feed_ahead(&mut self) {
        self.feeding = Feeding::Ahead;
    }

    /// The descriptors to wait for: the source, and the program's pipe.
    pub(crate) fn waits(&self) -> [pollfd; 2] {
        let Flow::Open { source, sink } = &self.flow else {
            return [pollfd { fd: -1, events: 0, revents: 0 }; 2];
        };
        let mut from = sys::wait_for(source.shared.as_fd(), POLLIN);
        if !self.wants_more() {
            // A source that is not polled cannot answer: the end of a source is reported unasked.
            from.fd = -1;
        }
        let full = if self.pending.is_empty() { 0 } else { POLLOUT };
        [from, sys::wait_for(sink.as_fd(), full)]
    }

    /// Continues after a wait.
    pub(crate) fn turn(&mut self, [from, to]: [c_short; 2]) {
        if to & POLLERR != 0 {
            return self.refuse();
        }
        if to & POLLOUT != 0 {
            self.flush();
        }
        if from & (POLLIN | POLLHUP | POLLERR) != 0 && self.wants_more() {
            self.serve_next();
        }
    }

    /// The bytes that the program has taken so far.
    pub(crate) fn taken(&self) -> Vec<u8> {
        let taken = self.total.saturating_sub(self.unread());
        self.seen[..taken.min(self.seen.len())].to_vec()
    }

    fn wants_more(&self) -> bool {
        let wanted = match &self.feeding {
            Feeding::OnDemand(demands) => !demands.is_empty(),
            Feeding::Ahead => true,
        };
        wanted && self.pending.is_empty()
    }

    fn serve_next(&mut self) {
        match &mut self.feeding {
            Feeding::Ahead => drop(self.feed(AHEAD)),
            Feeding::OnDemand(demands) => {
                let Some((task, wanted)) = demands.pop_first() else { return };
                if !self.feed(wanted) {
                    self.feed_later(task, wanted);
                }
            }
        }
    }

    fn feed_later(&mut self, task: Pid, wanted: usize) {
        if let Feeding::OnDemand(demands) = &mut self.feeding {
            demands.insert(task, wanted);
        }
    }

    /// Moves up to `wanted` bytes, or the end; whether there was either.
    fn feed(&mut self, wanted: usize) -> bool {
        let Flow::Open { source, .. } = &self.flow else { return true };
        let Some(bytes) = source.take(wanted.min(AT_ONCE)) else { return false };
        if bytes.is_empty() {
            self.end();
            return true;
        }
        self.total += bytes.len();
        let room = (MAX_INPUT + 1).saturating_sub(self.seen.len());
        self.seen.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.pending.extend(bytes);
        self.flush();
        true
    }

    fn flush(&mut self) {
        let Flow::Open { sink, .. } = &mut self.flow else { return };
        while !self.pending.is_empty() {
            match sink.write(&self.pending) {
                Ok(length) => drop(self.pending.drain(..length)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => return self.refuse(),
            }
        }
    }

    fn end(&mut self) {
        if let Flow::Open { sink, .. } = &self.flow {
            self.flow = Flow::Ended(reopen_for_reading(sink.as_raw_fd()).ok());
        }
    }

    fn refuse(&mut self) {
        self.flow = Flow::Refused { unread: self.unread() };
    }

    fn unread(&self) -> usize {
        match &self.flow {
            Flow::Open { sink, .. } => sys::bytes_waiting(sink.as_fd()) + self.pending.len(),
            Flow::Ended(pipe) => pipe.as_ref().map_or(0, |pipe| sys::bytes_waiting(pipe.as_fd())),
            Flow::Refused { unread } => *unread,
        }
    }
}

/// Descriptor 0, if something can be read from it.
fn open_for_reading() -> Option<(File, std::fs::Metadata)> {
    let stdin = io::stdin();
    if sys::status_flags(stdin.as_fd()).ok()? & libc::O_ACCMODE == libc::O_WRONLY {
        return None;
    }
    let file = File::from(stdin.as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    Some((file, metadata))
}

/// A terminal is a person's and `/dev/null` is empty; neither says anything.
fn is_silent(file: &File, device: u64) -> bool {
    let null = libc::makedev(1, 3);
    device == null || std::io::IsTerminal::is_terminal(file)
}

/// A file from its offset on; the offset stays. One byte too many says that it is too large.
fn rest_of(mut file: &File) -> io::Result<Vec<u8>> {
    let offset = io::Seek::stream_position(&mut file)?;
    let mut bytes = vec![0; AT_ONCE];
    let mut length = 0;
    loop {
        match file.read_at(&mut bytes[length..], offset + length as u64)? {
            0 => break,
            more => length += more,
        }
        if length > MAX_INPUT {
            break;
        }
        bytes.resize(length + AT_ONCE, 0);
    }
    bytes.truncate(length);
    Ok(bytes)
}

fn reopen_for_reading(pipe: RawFd) -> io::Result<File> {
    let options = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).clone();
    options.open(format!("/proc/self/fd/{pipe}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pump between two pipes, with the source already written and closed.
    fn pump(contents: &[u8]) -> (Pump, io::PipeReader) {
        let (from, mut writer) = io::pipe().expect("a pipe");
        writer.write_all(contents).expect("room in the pipe");
        let (reader, sink) = io::pipe().expect("a pipe");
        let own = reopen_for_reading(from.as_raw_fd()).ok();
        let source = Source { shared: from.into(), own };
        (Pump::new(source, sink).expect("a pump"), reader)
    }

    fn read(reader: &mut io::PipeReader, limit: usize) -> Vec<u8> {
        let mut buffer = vec![0; limit];
        let length = reader.read(&mut buffer).expect("something to read");
        buffer.truncate(length);
        buffer
    }

    #[test]
    fn takes_no_more_than_was_asked_for() {
        let (mut pump, mut reader) = pump(b"hello");
        pump.demand(1, 2);
        assert_eq!(read(&mut reader, 9), b"he");
        assert_eq!(pump.total, 2);
        assert_eq!(pump.taken(), b"he");
    }

    #[test]
    fn what_was_not_read_was_not_taken() {
        let (mut pump, _reader) = pump(b"hello");
        pump.demand(1, 9);
        assert_eq!(pump.taken(), b"");
    }

    #[test]
    fn passes_the_end_on() {
        let (mut pump, mut reader) = pump(b"x");
        pump.feed_ahead();
        while pump.is_open() {
            pump.turn([POLLIN, 0]);
        }
        assert_eq!(read(&mut reader, 9), b"x");
        assert_eq!(read(&mut reader, 9), b"");
        assert_eq!(pump.taken(), b"x");
    }

    #[test]
    fn stops_when_nothing_reads() {
        let (mut pump, reader) = pump(b"x");
        drop(reader);
        pump.demand(1, 9);
        assert!(!pump.is_open());
        assert_eq!(pump.taken(), b"");
    }
}
