//! All processes of a run: membership, and ending them.
//!
//! With a PID namespace the server is its init: every other process in it belongs to the run, and
//! one `kill(-1)` reaches them all. Without, the server adopts the orphans of the subject, and its
//! descendants are the run.

use std::{
    collections::BTreeSet,
    fs,
    hash::{BuildHasher, Hasher, RandomState},
    io,
    ops::Range,
    os::fd::{AsRawFd, OwnedFd},
    time::{Duration, Instant},
};

use libc::pid_t;

use crate::Addresses;

use super::{
    fork_server::ForkServer,
    sys::{self, Reaped},
};

/// The time that the kernel may take to end the processes of a run.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The processes of a run.
pub(super) struct Family {
    kind: Kind,
    /// Readable when a child has ended.
    events: OwnedFd,
    /// The process that makes the processes of runs, and does not belong to any.
    fork_server: Option<ForkServer>,
    /// Whether it has made the current run: other runs are out of its reach.
    is_forked: bool,
}

/// The process id of a fork server, so that those of the runs start where they always do.
pub(super) const FORK_SERVER: pid_t = 300;

/// The process id of a subject: the server is process 1.
const FIRST: pid_t = 2;

/// The process ids of a subject where they vary.
const VARYING: Range<pid_t> = 1000..20_000;

/// The means that holds the processes of a run together.
pub(super) enum Kind {
    /// A PID namespace, and where its next process id can be set.
    Namespace { last_pid: Option<OwnedFd> },
    /// Descent from the server.
    Descent,
}

impl Family {
    pub(super) fn new(kind: Kind) -> io::Result<Family> {
        if let Kind::Descent = kind {
            sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1)?;
        }
        Ok(Family { kind, events: sys::child_events()?, fork_server: None, is_forked: false })
    }

    /// Whether there can be a fork server: the end of a run must be able to spare it.
    pub(super) fn can_have_fork_server(&self) -> bool {
        matches!(self.kind, Kind::Namespace { .. })
    }

    /// The process that makes the processes of runs.
    pub(super) fn fork_server(&self) -> Option<&ForkServer> {
        self.fork_server.as_ref()
    }

    /// Notes whether the fork server has made the run that begins.
    pub(super) fn begin(&mut self, is_forked: bool) {
        self.is_forked = is_forked;
    }

    /// Replaces the fork server; `start` starts the new one.
    pub(super) fn renew_fork_server(
        &mut self,
        start: impl FnOnce() -> io::Result<Option<ForkServer>>,
    ) -> io::Result<()> {
        self.dismiss_fork_server()?;
        self.number_next(FORK_SERVER);
        self.fork_server = start()?;
        match self.fork_server {
            Some(_) => Ok(()),
            None => self.end_all(),
        }
    }

    /// Ends the fork server with all its children.
    pub(super) fn dismiss_fork_server(&mut self) -> io::Result<()> {
        match self.fork_server.take() {
            Some(_) => self.end_all(),
            None => Ok(()),
        }
    }

    /// The descriptor that signals the end of a child.
    pub(super) fn events(&self) -> &OwnedFd {
        &self.events
    }

    /// Makes the next process number 2 again, or where addresses vary from run to run another one
    /// in each run: the number of earlier processes is no part of a program's behaviour.
    pub(super) fn restart_numbering(&self, addresses: Addresses) {
        self.number_next(match addresses {
            Addresses::Fixed => FIRST,
            Addresses::Random => {
                let drawn = RandomState::new().build_hasher().finish();
                VARYING.start + (drawn % VARYING.len() as u64) as pid_t
            }
        });
    }

    fn number_next(&self, pid: pid_t) {
        if let Kind::Namespace { last_pid: Some(file) } = &self.kind {
            // If it fails the numbers differ, which is noise and not a danger.
            let _ = sys::write_at_start(file, (pid - 1).to_string().as_bytes());
        }
    }

    /// Reaps all children that have ended; returns `subject` if it was among them.
    pub(super) fn reap(&self, subject: pid_t) -> Option<Reaped> {
        self.forget_events();
        let mut found = None;
        while let Ok(Some(reaped)) = sys::reap() {
            if reaped.pid == subject {
                found = Some(reaped);
            }
        }
        found
    }

    /// Ends all processes of the run.
    pub(super) fn end(&mut self) -> io::Result<()> {
        let server = self.fork_server.take().filter(|server| self.end_but(server));
        match server {
            Some(server) => {
                self.fork_server = Some(server);
                Ok(())
            }
            None => self.end_all(),
        }
    }

    /// Ends all processes but the fork server, if possible.
    fn end_but(&self, server: &ForkServer) -> bool {
        let start = Instant::now();
        while start.elapsed() < LONGEST_WAIT {
            while let Ok(Some(reaped)) = sys::reap() {
                if reaped.pid == server.pid() {
                    return false;
                }
            }
            match server.end_others() {
                Ok(true) => return true,
                Ok(false) if self.is_forked && self.wait().is_ok() => {}
                _ => return false,
            }
        }
        false
    }

    fn end_all(&self) -> io::Result<()> {
        let start = Instant::now();
        loop {
            match sys::reap() {
                Err(_) => return Ok(()),
                Ok(Some(_)) => continue,
                Ok(None) if start.elapsed() > LONGEST_WAIT => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Ok(None) => self.strike()?,
            }
        }
    }

    /// All processes of the run.
    pub(super) fn members(&self) -> Vec<pid_t> {
        match self.kind {
            Kind::Namespace { .. } => {
                let server = self.fork_server.as_ref().map(ForkServer::pid);
                all_others().into_iter().filter(|pid| Some(*pid) != server).collect()
            }
            // SAFETY: it cannot fail.
            Kind::Descent => descendants(unsafe { libc::getpid() }),
        }
    }

    fn strike(&self) -> io::Result<()> {
        match self.kind {
            Kind::Namespace { .. } => sys::kill(-1, libc::SIGKILL),
            Kind::Descent => self.strike_descendants(),
        }
        self.wait()
    }

    /// Waits a little for a process to end.
    fn wait(&self) -> io::Result<()> {
        let event = libc::pollfd { fd: self.events.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        sys::poll(&mut [event], Duration::from_millis(5))?;
        self.forget_events();
        Ok(())
    }

    /// Stops all processes before killing any: the process id of a killed process is taken by the
    /// next fork, that of a stopped process is not.
    fn strike_descendants(&self) {
        let mut stopped = BTreeSet::new();
        loop {
            let others: Vec<_> =
                self.members().into_iter().filter(|pid| !stopped.contains(pid)).collect();
            if others.is_empty() {
                break;
            }
            others.iter().for_each(|pid| sys::kill(*pid, libc::SIGSTOP));
            stopped.extend(others);
        }
        stopped.iter().for_each(|pid| sys::kill(*pid, libc::SIGKILL));
    }

    fn forget_events(&self) {
        let mut buffer = [0; 1024];
        while sys::read(self.events.as_raw_fd(), &mut buffer)
            .is_ok_and(|count| count == buffer.len())
        {}
    }
}

fn all_others() -> Vec<pid_t> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| name.to_str()?.parse().ok());
    pids.filter(|pid| *pid != 1).collect()
}

fn descendants(ancestor: pid_t) -> Vec<pid_t> {
    let mut found = children(ancestor);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

fn children(pid: pid_t) -> Vec<pid_t> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}
