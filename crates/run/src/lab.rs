//! The lab: the place where a program runs a test case and can do no harm.
//!
//! A [`Lab`] is a small server process, forked once and early, that starts one subject after the
//! other. Its decisions, each of which has been measured or prevents a failure that occurred:
//!
//! * **One PID namespace for each lab, not for each run.** The server is its init. A run ends with
//!   `kill(-1, SIGKILL)` and a reaping of all that is left, which is atomic against `fork`, so no
//!   process survives; the next process id is set back, so a subject is always process 2. This
//!   saves a `fork`, a namespace and a mount of `/proc` in each run.
//! * **Subjects are started by `vfork`**, so that it does not matter how large Parallax was when
//!   the lab was forked from it.
//! * **What a run can write to is a new tmpfs** at the same path in every run, worker and version.
//!   Mounting one is cheap and unmounting is not (it waits for every processor), so they are
//!   set aside, and unmounted a few dozen at a time; see `lab/scratch.rs`.
//! * **Seccomp is installed once**, in the server: having the kernel compile a filter for each run
//!   costs a good part of a short run. Calls that the server itself needs (mounts, namespaces) are
//!   refused to a subject for want of capabilities, and the lab's user namespace allows no further
//!   one.
//! * **Standard input is a regular file**, as in `program < file`, and an empty one if the test
//!   gives none: seekable, lossless at any size, and never closed.
//! * **Missing features of the kernel are reported**, by [`Lab::missing`], and the rest is used.

mod arbiter;
mod changes;
mod family;
mod fork_server;
mod landlock;
mod launch;
mod layout;
mod memory;
mod namespace;
mod place;
mod privilege;
mod processor;
mod request;
mod scratch;
mod seccomp;
mod server;
mod sys;
mod tmp;
mod walk;
mod watch;
mod wire;

use std::{
    collections::BTreeSet,
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::PathBuf,
    time::Duration,
};

use parallax_deadline::{Deadline, OutOfTime};

pub use processor::{idle_processors, stay_on};

use crate::{
    Ending, Limits, Observation, Subject, TestCase,
    trace::{Excerpt, TraceError, TraceMemory},
};
use request::{Home, Request};
use wire::{Answer, Hello};

/// The isolation that the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// All isolation that the kernel gives.
    Sandboxed,
    /// Limits and a fresh working directory only: the user asked for it.
    Open,
}

/// Parts of the sandbox to go without, so that tests can show that the others hold alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Weakened {
    /// Pretend that the kernel has no namespaces for us.
    pub no_namespaces: bool,
    /// Pretend that the kernel knows Landlock only up to this version (0: not at all).
    pub landlock_at_most: Option<u32>,
    /// Pretend that the kernel does not let us fix addresses.
    pub random_addresses: bool,
}

/// A place to run test cases in. It serves one run at a time; have one for each worker.
#[derive(Debug)]
pub struct Lab {
    /// `None` once the server was found dead and has been reaped.
    server: Option<libc::pid_t>,
    /// `None` only while dropping: closing it tells the server to leave.
    socket: Option<OwnedFd>,
    home: Home,
    addresses_are_fixed: bool,
    missing: Vec<String>,
    absent: BTreeSet<Vec<u8>>,
    processor: Option<usize>,
    deadline: Deadline,
}

/// The reason why a lab could not be started.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The system refused the process or its socket.
    #[error("start the lab: {0}")]
    Start(#[source] io::Error),
    /// The server could not prepare itself.
    #[error("set up the lab: {0}")]
    SetUp(String),
}

/// The reason why a run could not be made. Any behaviour of a subject is an [`Observation`], not an
/// error.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program is missing, cannot be executed, or its arguments are too long.
    #[error("execute {}: {source}", program.display())]
    Execute {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The test case holds an input that no program can be given.
    #[error("lay out the test case: {0}")]
    LayOut(String),
    /// A part of the sandbox that was there at the start could not be put in place.
    #[error("confine the program: {0}")]
    Confine(String),
    /// The memory for a trace could not be made ready.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The memory for a trace did not reach the program.
    #[error("hand over the trace memory: {0}")]
    HandOver(String),
    /// There is no time left for the run: it was not made, or cut short.
    #[error("run the program in time")]
    OutOfTime,
    /// The server of this lab is gone.
    #[error("reach the lab: it died")]
    Died,
}

impl From<OutOfTime> for RunError {
    fn from(_: OutOfTime) -> RunError {
        RunError::OutOfTime
    }
}

impl Lab {
    /// Starts a lab. Do it early: the server is a fork of the calling process.
    pub fn start(isolation: Isolation) -> Result<Lab, LabError> {
        Lab::start_weakened(isolation, Weakened::default())
    }

    /// Starts a lab that stays on one processor, with all that it runs. Its user should stay there,
    /// too; see [`Lab::processor`].
    pub fn start_on(isolation: Isolation, processor: usize) -> Result<Lab, LabError> {
        let plan = server::Plan { processor: Some(processor), ..server::Plan::new(isolation) };
        Lab::start_as(plan)
    }

    /// Starts a lab without some parts of the sandbox.
    #[doc(hidden)]
    pub fn start_weakened(isolation: Isolation, weakened: Weakened) -> Result<Lab, LabError> {
        Lab::start_as(server::Plan { weakened, ..server::Plan::new(isolation) })
    }

    fn start_as(plan: server::Plan) -> Result<Lab, LabError> {
        let processor = plan.processor;
        let (ours, theirs) = sys::socket_pair().map_err(LabError::Start)?;
        let server = server::fork(theirs, plan).map_err(LabError::Start)?;
        let mut lab = Lab {
            server: Some(server),
            socket: Some(ours),
            home: Home::default(),
            addresses_are_fixed: false,
            missing: Vec::new(),
            absent: BTreeSet::new(),
            processor,
            deadline: Deadline::NEVER,
        };
        let hello = lab.receive().ok().and_then(|bytes| Hello::decode(&bytes));
        match hello {
            Some(Hello::Ready { home, addresses_are_fixed, missing }) => {
                lab.home = home;
                lab.addresses_are_fixed = addresses_are_fixed;
                lab.missing = missing;
                Ok(lab)
            }
            Some(Hello::Failed(why)) => Err(LabError::SetUp(why)),
            None => Err(LabError::SetUp("the server died".to_owned())),
        }
    }

    /// Runs `test` on `subject`; returns the observation.
    pub fn run(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
    ) -> Result<Observation, RunError> {
        let (limits, cut) = self.within_deadline(limits)?;
        let request = Request::new(subject, test, &limits, &self.home)?;
        let answer = self.ask(&request, None)?;
        whole(self.observation(subject, answer)?, cut)
    }

    /// Runs `test` on an instrumented `subject`, which writes its trace to `memory`.
    ///
    /// The memory is reset for that, with what the test fixes. The run is one at fixed addresses,
    /// and its memory is limited by what is resident, whatever the subject says; the
    /// trace does not count. A program that could not map its shadow (under
    /// `vm.overcommit_memory=2`, say) leaves a trace that is not
    /// [`attached`](crate::trace::Trace::attached).
    pub fn trace(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        memory: &mut TraceMemory,
    ) -> Result<Observation, RunError> {
        memory.reset(&test.fixed)?;
        self.run_with(subject, test, limits, memory)
    }

    /// Runs `test` on a recording `subject`, and keeps a part of the records.
    pub fn record(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        (memory, excerpt): (&mut TraceMemory, &Excerpt),
    ) -> Result<Observation, RunError> {
        memory.reset_excerpt(&test.fixed, excerpt)?;
        self.run_with(subject, test, limits, memory)
    }

    /// Runs `test` on a recording `subject`, which leaves when each place was first recorded
    /// ([`Trace::first_record`](crate::trace::Trace::first_record)) and nothing else.
    pub fn survey(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        memory: &mut TraceMemory,
    ) -> Result<Observation, RunError> {
        memory.reset_survey(&test.fixed)?;
        self.run_with(subject, test, limits, memory)
    }

    /// Runs `test` on an instrumented `subject`, which leaves its coverage in `memory` and nothing
    /// else: that takes a fraction of the time.
    pub fn cover(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        memory: &mut TraceMemory,
    ) -> Result<Observation, RunError> {
        memory.reset_quiet()?;
        self.run_with(subject, test, limits, memory)
    }

    fn run_with(
        &mut self,
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        memory: &mut TraceMemory,
    ) -> Result<Observation, RunError> {
        let (limits, cut) = self.within_deadline(limits)?;
        let request = Request::new(subject, test, &limits, &self.home)?.traced();
        let answer = self.ask(&request, Some(memory.as_fd()));
        if answer.is_err() {
            // Without its lab, it is unknown whether the program is still there.
            memory.abandon();
        }
        whole(self.observation(subject, answer?)?, cut)
    }

    /// Sets the deadline of all further runs. A run that is cut short is an error, not an
    /// observation.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// The limits of a run that is over before the deadline, and whether that cuts it short.
    fn within_deadline(&self, limits: &Limits) -> Result<(Limits, Cut), RunError> {
        let left = self.deadline.left();
        if left.is_zero() {
            return Err(RunError::OutOfTime);
        }
        let cut = if left < limits.time { Cut::Short } else { Cut::Not };
        Ok((Limits { time: limits.time.min(left), ..limits.clone() }, cut))
    }

    /// The processor that this lab stays on.
    pub fn processor(&self) -> Option<usize> {
        self.processor
    }

    /// Whether traced runs of one program have it, its stack and its heap at the same addresses.
    pub fn addresses_are_fixed(&self) -> bool {
        self.addresses_are_fixed
    }

    /// The parts of the sandbox that this system does not give, a sentence each.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The programs that runs since the last call tried to start and that do not exist, by path or
    /// by name. A lab without namespaces does not notice them.
    pub fn take_absent(&mut self) -> BTreeSet<Vec<u8>> {
        std::mem::take(&mut self.absent)
    }

    fn observation(&mut self, subject: &Subject, answer: Answer) -> Result<Observation, RunError> {
        if let Answer::Observed(_, absent) = &answer
            && self.absent.len() < MOST_ABSENT
        {
            self.absent.extend(absent.iter().cloned());
        }
        observed(subject, answer)
    }

    fn ask(
        &mut self,
        request: &Request,
        trace: Option<BorrowedFd<'_>>,
    ) -> Result<Answer, RunError> {
        let answer = self.exchange(&request.encode(), trace).ok();
        let answer = answer.and_then(|bytes| Answer::decode(&bytes));
        answer.ok_or_else(|| {
            self.leave();
            // An interrupt takes effect at once: the server ends the run as it goes.
            if self.deadline.is_interrupted() { RunError::OutOfTime } else { RunError::Died }
        })
    }

    fn exchange(&self, request: &[u8], trace: Option<BorrowedFd<'_>>) -> io::Result<Vec<u8>> {
        match trace {
            Some(trace) => wire::send_with(self.socket()?, request, trace),
            None => wire::send(self.socket()?, request),
        }?;
        self.receive()
    }

    fn receive(&self) -> io::Result<Vec<u8>> {
        self.await_message()?;
        wire::receive(self.socket()?)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Waits until there is something to receive, or the user interrupts.
    fn await_message(&self) -> io::Result<()> {
        let fd = self.socket()?.as_raw_fd();
        let mut event = [libc::pollfd { fd, events: libc::POLLIN, revents: 0 }];
        while event[0].revents == 0 {
            if self.deadline.is_interrupted() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            sys::poll(&mut event, LOOK)?;
        }
        Ok(())
    }

    fn socket(&self) -> io::Result<&OwnedFd> {
        self.socket.as_ref().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Closes the socket, at which the server cleans up and exits, and waits for that.
    fn leave(&mut self) {
        self.socket = None;
        if let Some(server) = self.server.take() {
            sys::wait_for(server);
        }
    }
}

/// Whether the limit of a run is the user's or comes from a deadline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Not,
    Short,
}

/// The interval at which the interrupt flag is checked.
const LOOK: Duration = Duration::from_millis(50);

/// The observation of a run, unless the deadline has ended it.
fn whole(seen: Observation, cut: Cut) -> Result<Observation, RunError> {
    match (cut, seen.ending) {
        (Cut::Short, Ending::TimeLimit) => Err(RunError::OutOfTime),
        _ => Ok(seen),
    }
}

/// The approximate number of absent programs that are remembered.
const MOST_ABSENT: usize = 64;

fn observed(subject: &Subject, answer: Answer) -> Result<Observation, RunError> {
    match answer {
        Answer::Observed(observation, _) => Ok(observation),
        Answer::NotExecuted(errno) => Err(RunError::Execute {
            program: subject.program.clone(),
            source: io::Error::from_raw_os_error(errno),
        }),
        Answer::NotLaidOut(why) => Err(RunError::LayOut(why)),
        Answer::NotConfined(why) => Err(RunError::Confine(why)),
        Answer::NotHandedOver(why) => Err(RunError::HandOver(why)),
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryLimit, trace::TraceOptions};

    /// A lab whose server is the process that was forked.
    fn lab() -> Lab {
        let weakened = Weakened { no_namespaces: true, ..Weakened::default() };
        Lab::start_weakened(Isolation::Sandboxed, weakened).unwrap()
    }

    fn subject() -> Subject {
        Subject {
            program: "/bin/true".into(),
            name: b"true".to_vec(),
            library_path: Vec::new(),
            env: Vec::new(),
            memory: MemoryLimit::Resident(1 << 30),
            addresses: Default::default(),
            forks: false,
        }
    }

    #[test]
    fn a_lab_tells_whether_addresses_are_fixed() {
        let random = Weakened { random_addresses: true, ..Weakened::default() };
        let told = |weakened| {
            let lab = Lab::start_weakened(Isolation::Sandboxed, weakened).unwrap();
            let says = |sentence: &String| sentence.contains("addresses differ");
            (lab.addresses_are_fixed(), lab.missing().iter().any(says))
        };
        assert_eq!(told(Weakened::default()), (true, false));
        assert_eq!(told(random), (false, true));
    }

    fn trace(lab: &mut Lab, memory: &mut TraceMemory) -> Result<Observation, RunError> {
        lab.trace(&subject(), &TestCase::default(), &Limits::default(), memory)
    }

    fn limit_descriptors(lab: &Lab, soft: u64, hard: u64) {
        let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
        let server = lab.server.unwrap();
        // SAFETY: the new limit is initialised, and the old one is not asked for.
        let result =
            unsafe { libc::prlimit(server, libc::RLIMIT_NOFILE, &limit, std::ptr::null_mut()) };
        assert_eq!(result, 0);
    }

    #[test]
    fn memory_that_does_not_arrive_is_an_error() {
        let mut lab = lab();
        let request = Request::new(&subject(), &TestCase::default(), &Limits::default(), &lab.home);
        let answer = lab.ask(&request.unwrap().traced(), None).unwrap();
        assert_eq!(answer, Answer::NotHandedOver("it did not arrive".to_owned()));

        let mut memory = TraceMemory::new(TraceOptions::default()).unwrap();
        limit_descriptors(&lab, 3, 1000);
        let error = trace(&mut lab, &mut memory).unwrap_err().to_string();
        assert_eq!(error, "hand over the trace memory: it did not arrive");
        limit_descriptors(&lab, 100, 1000);
        assert!(trace(&mut lab, &mut memory).is_ok(), "the limit can be raised");
        limit_descriptors(&lab, 100, 200);
        let error = trace(&mut lab, &mut memory).unwrap_err().to_string();
        assert!(error.starts_with("hand over the trace memory: Bad file descriptor"), "{error}");
        assert!(lab.run(&subject(), &TestCase::default(), &Limits::default()).is_ok());
    }

    #[test]
    fn memory_is_not_used_again_after_the_death_of_a_lab() {
        let mut memory = TraceMemory::new(TraceOptions::default()).unwrap();
        let mut dead = lab();
        sys::kill(dead.server.unwrap(), libc::SIGKILL);
        assert!(matches!(trace(&mut dead, &mut memory), Err(RunError::Died)));
        assert_eq!(memory.trace().coverage(), []);
        trace(&mut lab(), &mut memory).unwrap();
        assert!(!memory.trace().coverage().is_empty());
    }
}
