//! A traced program that is started once and forked for each run.
//!
//! Its start, with the loader and terabytes of shadow to map, takes several times as long as a
//! short run. So the program itself stays at a point where none of its code has run yet and makes
//! the processes of the runs, as children of the lab's server: for all other code a run looks as if
//! the server had started it. It is under the same limits and the same confinement as they are.
//! Properties that a run cannot be given afterwards (its environment, say) are those that the
//! program was started with: where they differ, it is started anew.

use std::{
    ffi::CStr,
    io,
    os::fd::{AsFd, AsRawFd, OwnedFd},
    time::{Duration, Instant},
};

use libc::pid_t;
use parallax_abi::{SERVE_ROOM, Serve, ServeCommand};

use super::{
    launch::{self, Confinement, Streams},
    request::Request,
    sys,
};
use crate::{Limits, MemoryLimit};

/// The time that the program may take to get ready.
const START: Duration = Duration::from_secs(10);
/// The time that it may take to answer; it takes longer if a run has stopped it.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The most that is sent to it: with a pointer for each byte, it has room for that.
const MOST_BYTES: usize = (SERVE_ROOM / 16) as usize;

/// A program that waits to be forked.
pub(super) struct ForkServer {
    socket: OwnedFd,
    pid: pid_t,
    made_for: Kind,
}

/// The properties that all runs of one fork server share.
#[derive(PartialEq)]
struct Kind {
    program: Vec<u8>,
    /// The program's file and that of the trace.
    files: [Option<Identity>; 2],
    environment: Vec<Vec<u8>>,
    /// The limit on time is one of the processor, which is what the process is limited to.
    limits: Limits,
    memory: MemoryLimit,
}

/// A version of a file, as far as it can be told without reading it.
type Identity = (u64, u64, i64, i64);

impl ForkServer {
    /// Whether a fork server could make a request at all.
    pub(super) fn suits(request: &Request) -> bool {
        request.traced && request.forked && bytes(c"", request).len() <= MOST_BYTES
    }

    /// Starts the program of `request`, which is at `program`; `None` if it is not ready to be forked.
    pub(super) fn start(
        confinement: &mut Confinement,
        request: &Request,
        program: &[u8],
        trace: &OwnedFd,
        processes: u64,
    ) -> io::Result<Option<ForkServer>> {
        let (socket, theirs) = sys::socket_pair()?;
        let null = || sys::open(c"/dev/null", libc::O_RDWR);
        let streams = Streams {
            stdin: null()?,
            stdout: null()?,
            stderr: null()?,
            trace: Some(trace.try_clone()?),
            serve: Some(theirs),
        };
        let Ok(pid) = launch::launch(confinement, request, program, &streams, c"/", processes + 1)
        else {
            return Ok(None);
        };
        drop(streams);
        let server = ForkServer { socket, pid, made_for: Kind::of(request, trace) };
        Ok(server.answer(START).is_ok_and(|hello| hello == 0).then_some(server))
    }

    /// Its process.
    pub(super) fn pid(&self) -> pid_t {
        self.pid
    }

    /// Whether it was started for requests like this one.
    pub(super) fn fits(&self, request: &Request, trace: &OwnedFd) -> bool {
        self.made_for == Kind::of(request, trace)
    }

    /// Makes the process of a run.
    pub(super) fn fork(
        &self,
        request: &Request,
        streams: &Streams,
        directory: &CStr,
    ) -> io::Result<pid_t> {
        let bytes = bytes(directory, request);
        let head = Serve {
            command: ServeCommand::Run as u32,
            arguments: request.arguments.len() as u32,
            bytes: bytes.len() as u64,
        };
        let passed = [&streams.stdin, &streams.stdout, &streams.stderr].map(AsFd::as_fd);
        let head = encode(head);
        let sent = sys::send_with(self.socket.as_raw_fd(), &head, &passed)?;
        sys::send_all(self.socket.as_raw_fd(), &head[sent..])?;
        sys::send_all(self.socket.as_raw_fd(), &bytes)?;
        match self.answer(LONGEST_WAIT)? {
            pid if pid > 0 => Ok(pid),
            error => Err(io::Error::from_raw_os_error(-error)),
        }
    }

    /// Kills all other processes in the lab that it has made; tells whether there were none.
    pub(super) fn end_others(&self) -> io::Result<bool> {
        let head = Serve { command: ServeCommand::EndOthers as u32, arguments: 0, bytes: 0 };
        sys::send_all(self.socket.as_raw_fd(), &encode(head))?;
        Ok(self.answer(LONGEST_WAIT)? == 1)
    }

    fn answer(&self, wait: Duration) -> io::Result<i32> {
        let start = Instant::now();
        let mut answer = [0; 4];
        let mut got = 0;
        while got < answer.len() {
            let fd = self.socket.as_raw_fd();
            let mut event = [libc::pollfd { fd, events: libc::POLLIN, revents: 0 }];
            sys::poll(&mut event, wait.saturating_sub(start.elapsed()))?;
            if event[0].revents == 0 {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match sys::read(fd, &mut answer[got..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => got += count,
            }
        }
        Ok(i32::from_ne_bytes(answer))
    }
}

impl Kind {
    fn of(request: &Request, trace: &OwnedFd) -> Kind {
        let program = sys::c_string(&request.program);
        let program = program.and_then(|path| sys::stat_at(libc::AT_FDCWD, &path));
        let trace = sys::stat(trace).map(|stat| (stat.st_dev, stat.st_ino, 0, 0));
        let version =
            |stat: libc::stat| (stat.st_dev, stat.st_ino, stat.st_mtime, stat.st_mtime_nsec);
        Kind {
            program: request.program.clone(),
            files: [program.map(version).ok(), trace.ok()],
            environment: request.environment.clone(),
            limits: Limits {
                time: Duration::from_secs(launch::processor_seconds(request)),
                ..request.limits.clone()
            },
            memory: request.memory,
        }
    }
}

/// The directory and the arguments as a child takes them.
fn bytes(directory: &CStr, request: &Request) -> Vec<u8> {
    let mut bytes = directory.to_bytes_with_nul().to_vec();
    for argument in &request.arguments {
        bytes.extend(argument);
        bytes.push(0);
    }
    bytes
}

fn encode(head: Serve) -> [u8; size_of::<Serve>()] {
    let mut bytes = [0; size_of::<Serve>()];
    bytes[..4].copy_from_slice(&head.command.to_ne_bytes());
    bytes[4..8].copy_from_slice(&head.arguments.to_ne_bytes());
    bytes[8..].copy_from_slice(&head.bytes.to_ne_bytes());
    bytes
}
