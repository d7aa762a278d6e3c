//! Watching a run: draining its output, and ending it at a limit.

use std::{
    io,
    os::fd::{AsRawFd, OwnedFd},
    time::{Duration, Instant},
};

use libc::{c_int, pid_t};

use super::{
    arbiter::Arbiter,
    family::Family,
    launch,
    memory::{self, Shared},
    request::Request,
    sys::{self, Reaped},
};
use crate::{Captured, Ending, MemoryLimit, observation::Capture};

/// Most runs are over before their memory is measured for the first time.
const FIRST_LOOK: Duration = Duration::from_millis(20);
/// The pause between two measurements.
const NEXT_LOOK: Duration = Duration::from_millis(10);
/// In traced runs, where exact measurements are the rule and hold the subject up, it is so many
/// times as long as a measurement, within reason.
const LOOK_SHARE: u32 = 8;
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// Most runs are over by then, and their output waits in the pipes until they are: waking up for it
/// would hold them up.
const FIRST_DRAIN: Duration = Duration::from_millis(1);
/// Number of reads of one stream before other work is done.
const READS: usize = 16;

/// A run that is going on.
pub(super) struct Watch<'a> {
    pub(super) family: &'a mut Family,
    /// The arbiter of calls that the run makes.
    pub(super) arbiter: Option<&'a mut Arbiter>,
    pub(super) request: &'a Request,
    pub(super) subject: pid_t,
    /// Memory that is not the subject's own.
    pub(super) shared: Option<Shared>,
    /// Closed by Parallax, even if that is killed.
    pub(super) socket: &'a OwnedFd,
}

/// The observation of a run, files aside.
pub(super) struct Watched {
    pub(super) ending: Ending,
    pub(super) stdout: Captured,
    pub(super) stderr: Captured,
}

impl Watch<'_> {
    /// Watches until the run is over and none of its processes is left.
    pub(super) fn finish(mut self, stdout: OwnedFd, stderr: OwnedFd) -> io::Result<Watched> {
        let mut streams = [self.stream(stdout), self.stream(stderr)];
        let ending = self.wait(&mut streams);
        self.family.end()?;
        let ending = ending?;
        for stream in &mut streams {
            while stream.drain()? {}
        }
        let overflow = streams.iter().any(Stream::overflows);
        let [stdout, stderr] = streams.map(Stream::finish);
        let ending = if overflow { Ending::OutputLimit } else { ending };
        Ok(Watched { ending, stdout, stderr })
    }

    fn stream(&self, pipe: OwnedFd) -> Stream {
        let limits = &self.request.limits;
        Stream {
            pipe: Some(pipe),
            capture: Capture::new(limits.keep.min(limits.output)),
            limit: limits.output,
            overflows: false,
        }
    }

    fn wait(&mut self, streams: &mut [Stream; 2]) -> io::Result<Ending> {
        let start = Instant::now();
        let time = self.request.limits.time;
        let mut look = FIRST_LOOK;
        loop {
            let now = start.elapsed();
            let left = time.saturating_sub(now);
            match FIRST_DRAIN.checked_sub(now) {
                Some(early) => self.pause(None, left.min(early))?,
                None => self.pause(Some(streams), left.min(look.saturating_sub(now)))?,
            }
            if let Some(subject) = self.family.reap(self.subject) {
                return Ok(self.ending(&subject));
            }
            for stream in &mut *streams {
                stream.drain_some()?;
            }
            if streams.iter().any(Stream::overflows) {
                return Ok(Ending::OutputLimit);
            }
            if start.elapsed() >= time {
                return Ok(Ending::TimeLimit);
            }
            if start.elapsed() >= look {
                let before = Instant::now();
                let shared = self.shared.as_ref();
                if memory::exceeds(&self.family.members(), self.memory(), shared) {
                    return Ok(Ending::MemoryLimit);
                }
                let pause = shared.map_or(NEXT_LOOK, |_| before.elapsed() * LOOK_SHARE);
                look = start.elapsed() + pause.clamp(NEXT_LOOK, LONGEST_PAUSE);
            }
        }
    }

    /// Sleeps until something happens or `pause` is over. It is an error if Parallax has left.
    fn pause(&mut self, streams: Option<&[Stream; 2]>, pause: Duration) -> io::Result<()> {
        let event = |fd, events| libc::pollfd { fd, events, revents: 0 };
        let [stdout, stderr] =
            streams.map_or([IGNORED; 2], |pair| pair.each_ref().map(Stream::descriptor));
        let mut events = [
            event(stdout, libc::POLLIN),
            event(stderr, libc::POLLIN),
            event(self.family.events().as_raw_fd(), libc::POLLIN),
            event(self.socket.as_raw_fd(), libc::POLLRDHUP),
            event(
                self.arbiter.as_ref().map_or(IGNORED, |arbiter| arbiter.descriptor()),
                libc::POLLIN,
            ),
        ];
        sys::poll(&mut events, pause)?;
        if events[3].revents != 0 {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        if events[4].revents & libc::POLLIN != 0
            && let Some(arbiter) = &mut self.arbiter
        {
            arbiter.decide()?;
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        match self.request.memory {
            MemoryLimit::AddressSpace(bytes) | MemoryLimit::Resident(bytes) => bytes,
        }
    }

    fn ending(&self, subject: &Reaped) -> Ending {
        if libc::WIFEXITED(subject.status) {
            return Ending::Exit(libc::WEXITSTATUS(subject.status));
        }
        let signal = libc::WTERMSIG(subject.status);
        // The clock that the limit goes by and the one that is reported differ by some ticks.
        let limit = Duration::from_secs(launch::processor_seconds(self.request));
        let spent = subject.processor + Duration::from_millis(100) >= limit;
        if spent && matches!(signal, libc::SIGXCPU | libc::SIGKILL) {
            return Ending::TimeLimit;
        }
        Ending::Signal(signal)
    }
}

/// A descriptor that `poll` ignores.
const IGNORED: c_int = -1;

/// One of the two output streams of a subject.
struct Stream {
    /// `None` once no process can write to it any more.
    pipe: Option<OwnedFd>,
    capture: Capture,
    limit: u64,
    /// Whether there was more than the limit.
    overflows: bool,
}

impl Stream {
    /// The descriptor to wait on.
    fn descriptor(&self) -> c_int {
        self.pipe.as_ref().map_or(IGNORED, AsRawFd::as_raw_fd)
    }

    fn overflows(&self) -> bool {
        self.overflows
    }

    /// Reads the available bytes, but not for ever.
    fn drain_some(&mut self) -> io::Result<()> {
        for _ in 0..READS {
            if !self.drain()? {
                break;
            }
        }
        Ok(())
    }

    /// Reads once, and tells whether there may be more to read.
    fn drain(&mut self) -> io::Result<bool> {
        let Some(pipe) = &self.pipe else { return Ok(false) };
        if self.overflows() {
            return Ok(false);
        }
        let mut bytes = Vec::with_capacity(64 << 10);
        match sys::read_into(pipe.as_raw_fd(), &mut bytes) {
            Ok(0) => self.pipe = None,
            Ok(_) => self.take(&bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(self.pipe.is_some())
    }

    /// The excess over the limit in the pipe is chance, and not reported.
    fn take(&mut self, bytes: &[u8]) {
        let room = self.limit - self.capture.total();
        let within = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.capture.take(&bytes[..within]);
        self.overflows = within < bytes.len();
    }

    fn finish(self) -> Captured {
        self.capture.finish()
    }
}
