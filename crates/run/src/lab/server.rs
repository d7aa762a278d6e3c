//! The server of a lab: a process that runs one request after the other.
//!
//! It is a fork of a process with threads, so it must neither print nor touch a lock of the
//! standard library. It leaves when its socket is closed, which the kernel does for a Parallax
//! that was killed, too; in the middle of a run just as between two.

use std::{
    collections::BTreeMap,
    ffi::{CStr, OsStr},
    fs, io,
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use libc::pid_t;

use super::{
    Isolation, Weakened,
    arbiter::{self, Arbiter},
    changes,
    family::{self, Family},
    fork_server::ForkServer,
    landlock,
    launch::{self, Confinement, Failure, Step, Streams},
    layout,
    memory::Shared,
    namespace::{self, Inside},
    place::Place,
    privilege::{Identity, Owner},
    processor,
    request::{Home, Request},
    scratch::{self, Scratch},
    seccomp::{self, Others},
    sys,
    sys::doing,
    tmp, walk,
    watch::{Watch, Watched},
    wire::{self, Answer, Hello},
};
use crate::{FileChange, Observation};

/// Processes that may start outside during a run, where all of a user's processes are counted.
const STRANGERS: u64 = 64;
/// The time for which their number is valid.
const RECENT: Duration = Duration::from_secs(1);

/// The kind of lab to start.
pub(super) struct Plan {
    pub(super) isolation: Isolation,
    pub(super) weakened: Weakened,
    /// The directory in which temporary directories are made.
    pub(super) temporary: PathBuf,
    /// The processor to stay on.
    pub(super) processor: Option<usize>,
}

impl Plan {
    /// A lab with all features of the system.
    pub(super) fn new(isolation: Isolation) -> Plan {
        let temporary = std::env::temp_dir();
        Plan { isolation, weakened: Weakened::default(), temporary, processor: None }
    }
}

/// Starts a server with this end of a socket.
pub(super) fn fork(socket: OwnedFd, plan: Plan) -> io::Result<pid_t> {
    // SAFETY: the child only does what a fork of a process with threads may do; see the module.
    match sys::check(unsafe { libc::fork() })? {
        0 => {
            let served = catch_unwind(AssertUnwindSafe(|| serve(socket, &plan)));
            sys::exit(i32::from(!matches!(served, Ok(Ok(())))))
        }
        pid => Ok(pid),
    }
}

fn serve(socket: OwnedFd, plan: &Plan) -> io::Result<()> {
    let socket = detach(socket)?;
    if let Some(processor) = plan.processor {
        processor::stay_on(processor);
    }
    let mut missing = Vec::new();
    match Server::prepare(plan, &mut missing) {
        Ok(mut server) => {
            let work = server.scratch.work().to_bytes().to_vec();
            let home = Home { work, names: server.place.as_ref().map_or(Vec::new(), Place::names) };
            let addresses_are_fixed = server.addresses_are_fixed;
            let hello = Hello::Ready { home, addresses_are_fixed, missing };
            wire::send(&socket, &hello.encode())?;
            let served = server.serve(&socket);
            server.scratch.close().and(served)
        }
        Err(why) => wire::send(&socket, &Hello::Failed(why).encode()),
    }
}

/// Drops all that the server has inherited: descriptors, signals, the terminal.
fn detach(inherited: OwnedFd) -> io::Result<OwnedFd> {
    // SAFETY: calls that take numbers, and one that makes a descriptor for us to own.
    let socket = unsafe {
        libc::setsid();
        libc::umask(0o022);
        let high = sys::check(libc::fcntl(inherited.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3))?;
        OwnedFd::from_raw_fd(high)
    };
    drop(inherited);
    sys::reset_signals();
    close_all_but(socket.as_raw_fd() as u32);
    for target in 0..3 {
        let null = sys::open(c"/dev/null", libc::O_RDWR)?;
        if null.as_raw_fd() == target {
            std::mem::forget(null);
        } else {
            sys::duplicate_to(null.as_raw_fd(), target)?;
        }
    }
    Ok(socket)
}

fn close_all_but(kept: u32) {
    let closed = sys::close_range(0, kept - 1).and_then(|()| sys::close_range(kept + 1, u32::MAX));
    if closed.is_err() {
        for fd in (0..1 << 16).filter(|fd| *fd != kept as i32) {
            // SAFETY: nothing in this process uses the inherited descriptors.
            unsafe { libc::close(fd) };
        }
    }
}

struct Server {
    addresses_are_fixed: bool,
    scratch: Scratch,
    outside_tmp: Option<tmp::Outside>,
    place: Option<Place>,
    family: Family,
    confinement: Confinement,
    /// The arbiter of calls, if there are namespaces.
    arbiter: Option<Arbiter>,
    /// The number of tasks outside, and when they were counted: counting takes as long as a run.
    strangers: Option<(Instant, u64)>,
}

impl Server {
    fn prepare(plan: &Plan, missing: &mut Vec<String>) -> Result<Server, String> {
        let addresses_are_fixed = fix_addresses(plan, missing);
        let core = core_limit();
        let mut inside = go_inside(plan, missing);
        let scratch = match &inside {
            Some(inside) => {
                let retired = inside.retired.try_clone();
                retired.and_then(|retired| Scratch::mounted(inside.run.clone(), retired))
            }
            None => Scratch::temporary(&plan.temporary),
        };
        let scratch = scratch.map_err(doing("make a place for working directories"))?;
        let identity = Identity::choose(plan.isolation);
        let mut confinement = Confinement { identity, rules: None, filter: None, core };
        let calls = match plan.isolation {
            Isolation::Open => None,
            Isolation::Sandboxed => {
                confine(plan, inside.as_ref(), &scratch, &mut confinement, missing)
            }
        };
        let arbiter = inside.is_some().then(|| Arbiter::new(calls));
        let outside_tmp = inside.as_mut().and_then(|inside| inside.outside_tmp.take());
        let outside_tmp = outside_tmp.map(tmp::Outside::at);
        let place = inside.as_ref().map(|inside| {
            let kept = inside.places.try_clone();
            kept.and_then(|kept| Place::new(inside.program.clone(), kept))
        });
        let place = place.transpose().map_err(doing("make a place for programs"))?;
        let kind = inside.map_or(family::Kind::Descent, |inside| family::Kind::Namespace {
            last_pid: inside.last_pid,
        });
        let family = Family::new(kind).map_err(doing("look after processes"))?;
        Ok(Server {
            addresses_are_fixed,
            scratch,
            outside_tmp,
            place,
            family,
            confinement,
            arbiter,
            strangers: None,
        })
    }

    fn serve(&mut self, socket: &OwnedFd) -> io::Result<()> {
        while let Some((message, trace)) = wire::receive_with(socket)? {
            let Some(request) = Request::decode(&message) else { break };
            let answer = match request.traced && trace.is_none() {
                true => Answer::NotHandedOver("it did not arrive".to_owned()),
                false => self.run(&request, trace, socket)?,
            };
            wire::send(socket, &answer.encode())?;
        }
        Ok(())
    }

    /// Runs one request. An error is one of the lab, which cannot go on.
    fn run(
        &mut self,
        request: &Request,
        trace: Option<OwnedFd>,
        socket: &OwnedFd,
    ) -> io::Result<Answer> {
        let before = layout::before(&request.files);
        // Before the run's own directories are mounted: mounts are listed in this order.
        let program = self.show_program(request)?;
        let links = match self.lay_out(request, &before)? {
            Ok(links) => links,
            Err(why) => return self.scratch.retire().map(|()| Answer::NotLaidOut(why)),
        };
        let answer = match self.watch(request, &program, trace, socket)? {
            Ok(watched) => {
                let absent = self.arbiter.as_mut().map(Arbiter::take_absent).unwrap_or_default();
                Answer::Observed(self.observe(request, &before, &links, watched)?, absent)
            }
            Err(failure) => refusal(failure),
        };
        self.scratch.retire()?;
        if self.arbiter.as_mut().map_or(Ok(false), Arbiter::renew_ipc)? {
            // It would make processes in the old namespace.
            self.family.dismiss_fork_server()?;
        }
        Ok(answer)
    }

    /// Mounts the program at the place of all programs; returns its path.
    fn show_program(&mut self, request: &Request) -> io::Result<Vec<u8>> {
        let Some(place) = &mut self.place else { return Ok(request.program.clone()) };
        let program = Path::new(OsStr::from_bytes(&request.program));
        match &self.outside_tmp {
            Some(outside) => place.show(request, &outside.resolve(program)),
            None => place.show(request, program),
        }
    }

    /// Makes the directories of a run with the files of a request, or tells why they are refused.
    /// Returns the contents of its `/tmp`.
    fn lay_out(
        &mut self,
        request: &Request,
        before: &layout::Before,
    ) -> io::Result<Result<tmp::Links, String>> {
        let owner = self.confinement.identity.owner();
        let run = self.scratch.refresh(request.limits.disk, owner)?;
        if !before.is_empty() {
            let work = walk::open_directory(run.as_raw_fd(), scratch::WORK)?;
            if let Err(why) = layout::lay_out(&work, before, owner) {
                return Ok(Err(why));
            }
        }
        match &self.outside_tmp {
            Some(outside) => outside.link(request, &run).map(Ok),
            None => Ok(Ok(tmp::Links::new())),
        }
    }

    /// Starts the subject and watches it to the end.
    fn watch(
        &mut self,
        request: &Request,
        program: &[u8],
        trace: Option<OwnedFd>,
        socket: &OwnedFd,
    ) -> io::Result<Result<Watched, Failure>> {
        let owner = self.confinement.identity.owner();
        let (stdout, stdout_end) = output(owner)?;
        let (stderr, stderr_end) = output(owner)?;
        let stdin = scratch::stdin(&request.stdin)?;
        let shared = trace.as_ref().map(Shared::of).transpose()?;
        let streams = Streams { stdin, stdout: stdout_end, stderr: stderr_end, trace, serve: None };
        let launched = self.launch(request, program, &streams)?;
        drop(streams);
        match launched {
            Err(failure) => self.family.end().map(|()| Err(failure)),
            Ok(subject) => {
                let (family, arbiter) = (&mut self.family, self.arbiter.as_mut());
                let watch = Watch { family, arbiter, request, subject, shared, socket };
                watch.finish(stdout, stderr).map(Ok)
            }
        }
    }

    fn launch(
        &mut self,
        request: &Request,
        program: &[u8],
        streams: &Streams,
    ) -> io::Result<Result<pid_t, Failure>> {
        let forked = self.fork(request, program, streams)?;
        self.family.begin(forked.is_some());
        if let Some(subject) = forked {
            return Ok(Ok(subject));
        }
        let processes = self.processes(request);
        self.family.restart_numbering(request.addresses);
        let work = self.scratch.work();
        Ok(launch::launch(&mut self.confinement, request, program, streams, work, processes))
    }

    /// Makes the process of a run with a fork server. `None`: no fork server can.
    fn fork(
        &mut self,
        request: &Request,
        program: &[u8],
        streams: &Streams,
    ) -> io::Result<Option<pid_t>> {
        let Some(trace) = &streams.trace else { return Ok(None) };
        if !ForkServer::suits(request) || !self.family.can_have_fork_server() {
            return Ok(None);
        }
        if !self.family.fork_server().is_some_and(|server| server.fits(request, trace)) {
            let processes = self.processes(request);
            let confinement = &mut self.confinement;
            self.family.renew_fork_server(|| {
                ForkServer::start(confinement, request, program, trace, processes)
            })?;
        }
        self.family.restart_numbering(request.addresses);
        let Some(server) = self.family.fork_server() else { return Ok(None) };
        match server.fork(request, streams, self.scratch.work()) {
            Ok(subject) => Ok(Some(subject)),
            Err(_) => self.family.dismiss_fork_server().map(|()| None),
        }
    }

    fn observe(
        &self,
        request: &Request,
        before: &layout::Before,
        links: &tmp::Links,
        watched: Watched,
    ) -> io::Result<Observation> {
        let keep = request.limits.keep;
        let mut files = self.changes_in(self.scratch.work(), before, keep)?;
        for (name, place) in self.scratch.shared() {
            let before = if *name == b"/tmp" { &links[..] } else { &[] };
            for (path, change) in self.changes_in(place, &layout::before(before), keep)? {
                files.insert([name, &b"/"[..], &path].concat(), change);
            }
        }
        let Watched { ending, stdout, stderr } = watched;
        Ok(Observation { ending, stdout, stderr, files })
    }

    /// The changes that a run made to a directory that was as `before`.
    fn changes_in(
        &self,
        directory: &CStr,
        before: &layout::Before,
        keep: u64,
    ) -> io::Result<BTreeMap<Vec<u8>, FileChange>> {
        if before.is_empty() && self.scratch.is_empty(directory) {
            return Ok(BTreeMap::new());
        }
        match scratch::reopen(directory) {
            Some(directory) => changes::changes(directory, before, keep),
            None => Ok(changes::all_removed(before)),
        }
    }

    /// The limit of processes that lets the subject have as many as it is allowed.
    fn processes(&mut self, request: &Request) -> u64 {
        let allowed = u64::from(request.limits.processes);
        match (self.arbiter.is_some(), self.confinement.identity) {
            (true, Identity::Nobody { .. }) => allowed,
            (true, _) => allowed + 1,
            (false, identity) => allowed + self.strangers(identity.user()) + STRANGERS,
        }
    }

    fn strangers(&mut self, user: u32) -> u64 {
        match self.strangers {
            Some((counted, strangers)) if counted.elapsed() < RECENT => strangers,
            _ => {
                let strangers = tasks_of(user);
                self.strangers = Some((Instant::now(), strangers));
                strangers
            }
        }
    }
}

/// A pipe for one output stream; the subject may also open its end by name.
fn output(owner: Owner) -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = sys::pipe(0)?;
    sys::set_nonblocking(&read)?;
    if let Owner::Other { user, group } = owner {
        sys::change_owner(&write, user, group)?;
    }
    Ok((read, write))
}

fn refusal(failure: Failure) -> Answer {
    let error = io::Error::from_raw_os_error(failure.errno);
    let what = match failure.step {
        Step::Execute => return Answer::NotExecuted(failure.errno),
        Step::Trace => return Answer::NotHandedOver(error.to_string()),
        Step::Clone => "start a process",
        Step::Streams => "connect its streams",
        Step::Limits => "limit its resources",
        Step::Directory => "enter its working directory",
        Step::Identity => "give up privileges",
        Step::Landlock => "use Landlock",
        Step::Seccomp => "use seccomp",
    };
    Answer::NotConfined(format!("{what}: {error}"))
}

/// Turns the randomisation of addresses off, for this process and all that it starts; returns
/// whether that worked.
fn fix_addresses(plan: &Plan, missing: &mut Vec<String>) -> bool {
    let fixed = match plan.weakened.random_addresses {
        true => Err(io::Error::from_raw_os_error(libc::EPERM)),
        // SAFETY: no memory is passed.
        false => sys::check(unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as u64) }),
    };
    if let Err(error) = &fixed {
        missing.push(format!("addresses differ from run to run (personality: {error})"));
    }
    fixed.is_ok()
}

/// No core dumps: a handler behind a pipe is kept from starting by a limit of 1 only, and a file
/// from being written by 0 as well as by 1.
fn core_limit() -> u64 {
    let pattern = fs::read("/proc/sys/kernel/core_pattern").unwrap_or_default();
    u64::from(pattern.starts_with(b"|"))
}

fn go_inside(plan: &Plan, missing: &mut Vec<String>) -> Option<Inside> {
    if plan.isolation == Isolation::Open {
        return None;
    }
    let entered = match plan.weakened.no_namespaces {
        true => Err("not wanted".to_owned()),
        false => namespace::enter(),
    };
    let inside = entered.map_err(|why| {
        missing.push(format!(
            "there are no namespaces ({why}): programs see other processes, the path of the working \
             directory differs, files are limited one by one, and their modes and times outside are \
             guarded by their owner only"
        ));
    });
    let inside = inside.ok()?;
    if inside.last_pid.is_none() {
        missing.push("process ids differ from run to run (no ns_last_pid)".to_owned());
    }
    Some(inside)
}

/// Applies Landlock and seccomp, as far as they exist. Returns a descriptor for the calls that the
/// lab decides on.
fn confine(
    plan: &Plan,
    inside: Option<&Inside>,
    scratch: &Scratch,
    confinement: &mut Confinement,
    missing: &mut Vec<String>,
) -> Option<OwnedFd> {
    let mut miss = |what: &str, error: io::Error| missing.push(format!("{what} ({error})"));
    let version = landlock::Version::of_kernel(plan.weakened.landlock_at_most);
    let writable = inside.map_or(scratch.run(), |inside| &inside.ground);
    // The first version forbids moving files between directories; read-only mounts do better.
    if version.can_move_files() || version.exists() && inside.is_none() {
        match landlock::rules(version, writable) {
            Ok(rules) => confinement.rules = Some(rules),
            Err(error) => miss("there is no Landlock", error),
        }
    } else {
        miss("there is no Landlock", io::ErrorKind::Unsupported.into());
    }
    let filtered = sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1).and_then(|()| install_filter(inside));
    match filtered {
        Ok(calls) => {
            confinement.filter = filter_of_runs(inside, version);
            calls
        }
        Err(error) => {
            miss("there is no seccomp: programs can use the network", error);
            None
        }
    }
}

/// Installs the filter that all processes of the lab are under. With namespaces, it also reports
/// some calls.
fn install_filter(inside: Option<&Inside>) -> io::Result<Option<OwnedFd>> {
    let filter = || seccomp::Filter::new().without_outside();
    let Some(inside) = inside else {
        let filter = filter().without_others(Others::AllButSelf);
        return seccomp::install(&mut filter.without_namespaces().without_attributes().finish())
            .map(|()| None);
    };
    let others = match inside.last_pid {
        Some(_) => Others::These([1, family::FORK_SERVER]),
        None => Others::AllButSelf,
    };
    let filter = || filter().without_others(others);
    let asking = filter().asking_about(&arbiter::CALLS).asking_about_commands(&arbiter::LOCKING);
    match seccomp::install_listening(&mut asking.asking_about_programs().finish()) {
        Ok(calls) => Ok(Some(calls)),
        // An older kernel, or a lab within a lab: there is one listener only.
        Err(_) => seccomp::install(&mut filter().finish()).map(|()| None),
    }
}

/// Capabilities that the server needs and the subject must not have.
fn filter_of_runs(
    inside: Option<&Inside>,
    version: landlock::Version,
) -> Option<Vec<libc::sock_filter>> {
    let filter = seccomp::Filter::new();
    match inside {
        Some(inside) if inside.can_nest => Some(filter.without_namespaces().finish()),
        Some(_) => None,
        None if !version.guards_truncation() => {
            Some(filter.without_signals().without_truncation().finish())
        }
        None if !version.scopes_signals() => Some(filter.without_signals().finish()),
        None => None,
    }
}

/// Number of processes and threads of a user on the whole machine.
fn tasks_of(user: u32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let statuses =
        entries.flatten().filter_map(|entry| fs::read_to_string(entry.path().join("status")).ok());
    statuses.filter_map(|status| tasks_in(&status, user)).sum()
}

/// The number of threads, if a process with this status belongs to the user.
fn tasks_in(status: &str, user: u32) -> Option<u64> {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    (field("Uid:")? == u64::from(user)).then(|| field("Threads:"))?
}
