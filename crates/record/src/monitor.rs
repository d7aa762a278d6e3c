//! The monitor: the process beside a recorded program that sees its inputs.
//!
//! It is forked twice and in a session of its own, so the suite neither waits for it nor signals
//! it, and it holds none of the suite's descriptors but the standard input it has to feed. It is
//! forked before the filter is there, because a process that answers questions must not ask them.
//! As long as anything runs under the filter it goes on answering: without it every `open` would
//! fail. So it panics nowhere, and if it did it would still answer.
//!
//! The program proper starts when the monitor says so, and the test is written when it has ended.
//! Processes that it leaves running in the background are served, but no longer recorded.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use libc::{POLLHUP, POLLIN, c_int, pollfd};

use crate::draft::Draft;
use crate::filter::Watch;
use crate::handover::{receive_listener, send_listener};
use crate::journal::{Event, Journal, SkipReason};
use crate::notify::{self, Call, Listener};
use crate::question::{self, Question};
use crate::stdin::{Pump, Source, Stdin};
use crate::sys;

/// The way in which the files of an invocation become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observing {
    /// By the files it opens.
    Opens,
    /// By its arguments: it cannot be put under a filter.
    Arguments,
}

/// Starts a monitor for this process and returns when the program can be started in its place.
pub(crate) fn start(
    draft: Draft,
    stdin: Stdin,
    observing: Observing,
    journal: &Journal,
    out: &Path,
) -> io::Result<()> {
    let program = sys::pidfd(sys::pid())?;
    let (mut ours, theirs) = UnixStream::pair()?;
    let pipe = match stdin {
        Stdin::Stream => Some(io::pipe()?),
        Stdin::Held(_) => None,
    };
    let helper = sys::fork_without_signal()?;
    if helper == 0 {
        if let Ok(0) = sys::fork() {
            drop(ours);
            let sink = pipe.map(|(reader, writer)| (drop(reader), writer).1);
            let _ = run(Beginning { draft, stdin, sink, program, journal, out }, theirs);
        }
        sys::exit_now();
    }
    drop(theirs);
    sys::reap(helper);
    let mut monitor = [0; 4];
    ours.read_exact(&mut monitor)?;
    sys::allow_reading_by(c_int::from_ne_bytes(monitor));
    let watch = match pipe {
        Some((reader, _)) => take_as_stdin(reader).map(|()| Watch::FilesAndStdin)?,
        None => Watch::Files,
    };
    let listener = match observing {
        Observing::Opens => notify::install(watch).ok(),
        Observing::Arguments => None,
    };
    send_listener(&ours, listener)?;
    ours.read_exact(&mut [0])
}

/// The initial state of a monitor.
struct Beginning<'a> {
    draft: Draft,
    stdin: Stdin,
    sink: Option<PipeWriter>,
    program: OwnedFd,
    journal: &'a Journal,
    out: &'a Path,
}

/// The life of a monitor.
fn run(beginning: Beginning<'_>, mut recorder: UnixStream) -> io::Result<()> {
    let Beginning { mut draft, stdin, sink, program, journal, out } = beginning;
    sys::detach();
    let input = match (stdin, sink) {
        (Stdin::Held(contents), _) => Input::Held(contents),
        (Stdin::Stream, Some(sink)) => Input::Pumped(Pump::new(Source::of_this_process()?, sink)?),
        (Stdin::Stream, None) => return Err(io::ErrorKind::InvalidInput.into()),
    };
    let journal_files = journal.files().map(AsRawFd::as_raw_fd);
    let mut kept = vec![program.as_raw_fd(), recorder.as_raw_fd()];
    kept.extend(journal_files);
    kept.extend(input.pump().map(Pump::descriptors).unwrap_or_default());
    sys::close_all_but(&kept)?;
    occupy_standard_descriptors()?;
    std::env::set_current_dir("/")?;

    recorder.write_all(&sys::pid().to_ne_bytes())?;
    let listener = receive_listener(&recorder)?.map(Listener::new);
    draft.inputs.keep_named();
    if listener.is_none() {
        journal.note(&Event::Unobserved);
    }
    let unfinished =
        Unfinished { draft, journal, out: out.to_path_buf(), blind: listener.is_none() };
    let mut monitor = Monitor { unfinished: Some(unfinished), program, listener, input };
    if monitor.listener.is_none() {
        monitor.feed_ahead();
    }
    recorder.write_all(&[1])?;
    drop(recorder);
    if catch_unwind(AssertUnwindSafe(|| monitor.watch())).is_err()
        && let Some(listener) = &mut monitor.listener
    {
        let_everything_go(listener);
    }
    Ok(())
}

struct Monitor<'a> {
    /// `None` once the program has ended.
    unfinished: Option<Unfinished<'a>>,
    program: OwnedFd,
    /// `None` where there is no filter, or nothing under it any more.
    listener: Option<Listener>,
    input: Input,
}

/// The test to be written.
struct Unfinished<'a> {
    draft: Draft,
    journal: &'a Journal,
    out: PathBuf,
    /// Whether not all opens are seen.
    blind: bool,
}

impl Unfinished<'_> {
    fn finish(self, stdin: Vec<u8>) {
        let written = self.draft.finish(stdin).and_then(|test| {
            self.journal.write(&self.out, &test).map_err(|_| SkipReason::NotWritten)
        });
        self.journal.note(&match written {
            Ok(name) => Event::Wrote(name),
            Err(reason) => Event::Skipped(reason),
        });
        self.journal.leave();
    }

    /// Marks that no more files become known from here on.
    fn go_blind(&mut self) {
        if !self.blind {
            self.blind = true;
            self.journal.note(&Event::Unobserved);
        }
    }
}

/// The source of standard input.
enum Input {
    Held(Vec<u8>),
    Pumped(Pump),
}

impl Input {
    fn pump(&self) -> Option<&Pump> {
        match self {
            Input::Held(_) => None,
            Input::Pumped(pump) => Some(pump),
        }
    }

    fn pump_mut(&mut self) -> Option<&mut Pump> {
        match self {
            Input::Held(_) => None,
            Input::Pumped(pump) => Some(pump),
        }
    }

    fn taken(&self) -> Vec<u8> {
        match self {
            Input::Held(contents) => contents.clone(),
            Input::Pumped(pump) => pump.taken(),
        }
    }
}

impl Monitor<'_> {
    fn watch(&mut self) {
        while self.unfinished.is_some()
            || self.listener.is_some()
            || self.input.pump().is_some_and(Pump::is_open)
        {
            let [asked, ended, from, to] = self.wait();
            if asked & POLLIN != 0 {
                self.answer();
            } else if asked & POLLHUP != 0 {
                self.listener = None;
            }
            if let Some(pump) = self.input.pump_mut() {
                pump.turn([from, to]);
            }
            // Questions are answered first, so none that the program asked is missed.
            if ended != 0 && asked & POLLIN == 0 {
                self.finish();
            }
        }
    }

    /// Waits for a question, the end of the program, or standard input.
    fn wait(&self) -> [libc::c_short; 4] {
        let nothing = pollfd { fd: -1, events: 0, revents: 0 };
        let question =
            self.listener.as_ref().map(|listener| sys::wait_for(listener.as_fd(), POLLIN));
        let end = self.unfinished.as_ref().map(|_| sys::wait_for(self.program.as_fd(), POLLIN));
        let [from, to] = self.input.pump().map_or([nothing; 2], Pump::waits);
        let mut waits = [question.unwrap_or(nothing), end.unwrap_or(nothing), from, to];
        if sys::poll(&mut waits, -1).is_err() {
            // The kernel is short of memory; it will not be for ever.
            std::thread::sleep(Duration::from_millis(10));
        }
        waits.map(|wait| wait.revents)
    }

    fn finish(&mut self) {
        if let Some(unfinished) = self.unfinished.take() {
            unfinished.finish(self.input.taken());
        }
    }

    fn answer(&mut self) {
        let Some(call) = self.listener.as_mut().and_then(Listener::receive) else { return };
        if catch_unwind(AssertUnwindSafe(|| self.look_at(&call))).is_err() {
            self.unfinished = None;
        }
        if let Some(listener) = &mut self.listener {
            listener.let_go(&call);
        }
    }

    fn look_at(&mut self, call: &Call) {
        let waits = |listener: &Listener| listener.still_waits(call);
        match Question::of(call) {
            // Bytes read from the memory of a thread that no longer waits may be anything.
            Ok(_) if !self.listener.as_ref().is_some_and(waits) => {}
            Ok(question) => self.consider(call, question),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => self.go_blind(call),
            Err(_) => {}
        }
    }

    fn consider(&mut self, call: &Call, question: Question) {
        let inputs = self.unfinished.as_mut().map(|unfinished| &mut unfinished.draft.inputs);
        match (question, inputs) {
            (Question::Open { path, .. }, _) if question::is_stdin(&path) => self.feed_ahead(),
            (Question::Open { path, flags }, Some(inputs)) => inputs.about_to_open(&path, flags),
            (Question::Rename { from, to }, Some(inputs)) => inputs.about_to_rename(&from, &to),
            (Question::Open { .. } | Question::Rename { .. }, None) => {}
            (Question::Read { wanted }, _) => self.demand(call, wanted),
            (Question::OtherUse, _) => self.feed_ahead(),
            (Question::NoUse, _) => {}
        }
    }

    fn demand(&mut self, call: &Call, wanted: usize) {
        // Descriptor 0 may be another file by now.
        if let Some(pump) = self.input.pump_mut()
            && pump.name().is_some_and(|name| call.descriptor(0) == Some(name))
        {
            pump.demand(call.task, wanted);
        }
    }

    /// The memory of the caller is out of reach, as a child's is under Yama.
    fn go_blind(&mut self, call: &Call) {
        if call.concerns_stdin() {
            self.feed_ahead();
        }
        if let Some(unfinished) = &mut self.unfinished {
            unfinished.go_blind();
        }
    }

    fn feed_ahead(&mut self) {
        if let Some(pump) = self.input.pump_mut() {
            pump.feed_ahead();
        }
    }
}

/// Answers and does nothing else.
fn let_everything_go(listener: &mut Listener) {
    loop {
        let mut waits = [sys::wait_for(listener.as_fd(), POLLIN)];
        let _ = sys::poll(&mut waits, -1);
        match waits[0].revents {
            events if events & POLLIN != 0 => {
                if let Some(call) = listener.receive() {
                    listener.let_go(&call);
                }
            }
            0 => {}
            _ => return,
        }
    }
}

/// Makes a pipe the standard input of this process, waiting or not as the old one.
fn take_as_stdin(pipe: PipeReader) -> io::Result<()> {
    let flags = sys::status_flags(io::stdin().as_fd())?;
    sys::set_status_flags(pipe.as_fd(), flags & libc::O_NONBLOCK)?;
    sys::duplicate_onto(pipe.as_fd(), 0)
}

/// Keeps descriptors 0 to 2 from being given to files that matter.
fn occupy_standard_descriptors() -> io::Result<()> {
    for _ in 0..3 {
        std::mem::forget(File::options().read(true).write(true).open("/dev/null")?);
    }
    Ok(())
}
