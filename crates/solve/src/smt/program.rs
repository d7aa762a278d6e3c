//! An external solver program that reads SMT-LIB.
//!
//! Each query has a process of its own. So a crash, a hang or invalid output costs one answer, and
//! programs without incremental solving work as well.

use std::{
    collections::HashMap,
    io::{self, Read, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use parallax_deadline::Deadline;

use super::{Backend, Work, reply};
use crate::{Answer, Graph, Query, Script, Variable, export};

/// More output than any model needs.
const MOST_OUTPUT: u64 = 16 << 20;

/// Interval between looks at the deadline, which the user can cut short.
const PAUSE: Duration = Duration::from_millis(50);

/// Time for a query that even a program keeps that always hangs.
const LEAST_WAIT: Duration = Duration::from_millis(100);

/// A program that reads a script from its standard input.
#[derive(Clone, Debug)]
pub struct SolverProgram {
    name: String,
    words: Vec<String>,
    time: Duration,
    /// Time for the next query: halved after each timeout.
    wait: Duration,
    deadline: Deadline,
    lost: u64,
}

impl SolverProgram {
    /// The program of a command line whose words are separated by spaces. For well-known solvers
    /// the arguments that make them read their input are added.
    pub fn new(command: &str) -> SolverProgram {
        let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let name = words.first().map(|word| base_name(word).to_owned()).unwrap_or_default();
        if words.len() == 1 {
            words.extend(usual_arguments(&name).iter().map(|word| (*word).to_owned()));
        }
        let time = Duration::from_secs(10);
        SolverProgram { name, words, time, wait: time, deadline: Deadline::NEVER, lost: 0 }
    }

    /// Whether the program can be started: without it all answers are unknown.
    pub fn can_start(&self) -> io::Result<()> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no program is named"));
        };
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Process).map(drop)
    }

    /// The same with another time for a query. For most programs it is the only limit: only Z3 has
    /// the limit on work.
    pub fn with_time(self, time: Duration) -> SolverProgram {
        SolverProgram { time, wait: time, ..self }
    }

    /// How many queries got neither an answer nor an explicit "unknown".
    pub fn lost(&self) -> u64 {
        self.lost
    }

    fn script(&self, script: &Script, limit: Work) -> String {
        let mut text = String::from("(set-option :produce-models true)\n");
        if self.name == "z3" {
            let limit = limit.0.clamp(1, u32::MAX.into());
            text += &format!("(set-option :rlimit {limit})\n");
        }
        text += &script.text;
        text += "(check-sat)\n";
        let names: Vec<&str> = script.symbols.iter().map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            text += &format!("(get-value ({}))\n", names.join(" "));
        }
        text += "(exit)\n";
        text
    }

    /// The output of the program, if it ends in time.
    fn run(&mut self, script: String) -> Option<String> {
        let (program, arguments) = self.words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Process(command.spawn().ok()?);
        let (mut input, output) = (process.0.stdin.take()?, process.0.stdout.take()?);
        // A program need not read all of its input.
        let writer = thread::spawn(move || drop(input.write_all(script.as_bytes())));
        let (sender, receiver) = mpsc::channel();
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            let read = output.take(MOST_OUTPUT).read_to_end(&mut text);
            drop(sender.send(read.map(|_| text)));
        });
        let text = answer(&receiver, self.deadline.within(self.wait));
        self.wait = match text {
            Some(_) => self.time,
            // The deadline ended the wait before the time for the query was over.
            None if self.deadline.is_over() => self.wait,
            // A program that always hangs must not use up all time.
            None => (self.wait / 2).max(LEAST_WAIT.min(self.time)),
        };
        // The end of the process closes its pipes, which the two threads then notice.
        drop(process);
        let joined = (writer.join(), reader.join());
        let text = text?.ok()?;
        (joined.0.is_ok() && joined.1.is_ok()).then(|| String::from_utf8_lossy(&text).into_owned())
    }

    fn try_solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Option<Answer> {
        let script = export(graph, &query.conditions);
        let text = self.run(self.script(&script, limit))?;
        match reply::verdict(&text) {
            ("sat", rest) => Some(Answer::Sat(model(graph, query, &script, rest)?)),
            ("unsat", _) => Some(Answer::Unsat),
            ("unknown" | "timeout", _) => Some(Answer::Unknown),
            _ => None,
        }
    }
}

/// The first message before a deadline, which the user can cut short.
fn answer<T>(receiver: &mpsc::Receiver<T>, deadline: Deadline) -> Option<T> {
    while !deadline.is_over() {
        match receiver.recv_timeout(deadline.left().min(PAUSE)) {
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            other => return other.ok(),
        }
    }
    None
}

impl Backend for SolverProgram {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(&mut self, graph: &Graph, query: &Query, limit: Work) -> Answer {
        self.try_solve(graph, query, limit).unwrap_or_else(|| {
            self.lost += u64::from(!self.deadline.is_over());
            Answer::Unknown
        })
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }
}

/// The values of a reply in the order of the query.
fn model(graph: &Graph, query: &Query, script: &Script, reply: &str) -> Option<Vec<u64>> {
    if script.symbols.is_empty() {
        return Some(Vec::new());
    }
    let values = reply::values(reply, script.symbols.len())?;
    let variables = script.symbols.iter().map(|(_, variable)| variable);
    let values: HashMap<&Variable, u64> = variables.zip(values).collect();
    let value = |id| values.get(graph.variable(id)).copied();
    query.variables.iter().map(|id| value(*id)).collect()
}

fn base_name(program: &str) -> &str {
    Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program)
}

/// The arguments that make a solver read SMT-LIB from its standard input.
fn usual_arguments(name: &str) -> &'static [&'static str] {
    match name {
        "z3" => &["-in"],
        "cvc5" | "cvc4" => &["--lang=smt2", "-"],
        "boolector" => &["--smt2", "--smt2-model"],
        "mathsat" => &["-input=smt2"],
        _ => &[],
    }
}

/// A process that is killed on drop, with its descendants in the group.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(group) = i32::try_from(self.0.id()) {
            // SAFETY: the group was made for this process, which was not waited for yet; so the
            // number is not another's.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        // It is dead; this reaps it.
        drop(self.0.wait());
    }
}
