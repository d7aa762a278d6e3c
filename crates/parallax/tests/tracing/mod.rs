//! Compares a traced run with the native one, and the trace with the machine.
//!
//! An expression is right if it has the machine's value for the input that made it, and also for
//! another input that takes the same path: the first finds wrong labels, the second also lost
//! labels.

#![allow(dead_code, reason = "each user of this uses a part of it")]

mod format;

use std::{
    ffi::{OsStr, OsString},
    fmt, fs,
    path::Path as FilePath,
    time::Duration,
};

use parallax_abi::Counter;
use parallax_capture::{Build, driver};
use parallax_instrument::{SymbolicBuild, symbolic_build};
use parallax_path::{Given, Path, Printed};
use parallax_run::{
    Addresses, Ending, Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::{Isolation, Lab},
    trace::{TraceMemory, TraceOptions},
};
use parallax_solve::{Evaluation, ExprId, Graph, Printer};
use tempfile::TempDir;

/// Characters of an expression that a mismatch shows.
const SHOWN: usize = 600;
/// The memory of a subject.
const MEMORY: u64 = 2 << 30;

/// A program in both forms.
pub(crate) struct Program {
    /// As users run it.
    pub(crate) native: Subject,
    /// As it is traced.
    pub(crate) traced: Subject,
    /// The meaning of the numbers in its traces.
    pub(crate) symbolic: SymbolicBuild,
    _folder: TempDir,
}

/// Counts of the checks made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stats {
    /// Conditions of paths.
    pub(crate) conditions: u64,
    /// Values that were formatted, printed bytes and exit statuses that are symbolic.
    pub(crate) values: u64,
    /// Runs whose output was predicted from the trace of another one.
    pub(crate) predictions: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.conditions += other.conditions;
        self.values += other.values;
        self.predictions += other.predictions;
    }
}

/// The mismatches of a run, each with the expected value.
#[derive(Debug)]
pub(crate) struct Mismatch(pub(crate) Vec<String>);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.iter().take(8) {
            writeln!(f, "  {line}")?;
        }
        match self.0.len().saturating_sub(8) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}

/// A traced run and its output.
pub(crate) struct Traced {
    pub(crate) seen: Observation,
    pub(crate) graph: Graph,
    pub(crate) path: Path,
}

/// Compiles programs to be checked.
pub(crate) fn build(name: &str, source: &str, cflags: &[&str]) -> Result<Program, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let file = folder.path().join(format!("{name}.c"));
    fs::write(&file, source).map_err(|why| why.to_string())?;
    let native = folder.path().join(name);
    let build = compile(&file, &native, cflags)?;
    let symbolic = symbolic_build(&build, &folder.path().join(format!("{name}.traced")))
        .map_err(|why| why.to_string())?;
    let native = Subject {
        program: native,
        name: name.as_bytes().to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::Resident(MEMORY),
        addresses: Addresses::Fixed,
        forks: true,
    };
    let traced = Subject { program: symbolic.program.clone(), ..native.clone() };
    Ok(Program { native, traced, symbolic, _folder: folder })
}

fn compile(source: &FilePath, output: &FilePath, cflags: &[&str]) -> Result<Build, String> {
    let mut words: Vec<OsString> = ["-w", "-g0"].iter().chain(cflags).map(OsString::from).collect();
    words.extend([source.into(), "-o".into(), output.into(), "-lm".into()]);
    match driver::main(OsStr::new("parallax-cc"), &words) {
        0 => Build::open(output).map_err(|why| why.to_string()),
        status => Err(format!("the compiler says {status}")),
    }
}

/// A place to check programs in, one at a time.
pub(crate) struct Checker {
    lab: Lab,
    memory: TraceMemory,
    pub(crate) limits: Limits,
}

impl Checker {
    pub(crate) fn new() -> Checker {
        Checker::with_room(TraceOptions { sites: 4 << 20, ..TraceOptions::default() })
    }

    /// With this much room for a trace.
    pub(crate) fn with_room(options: TraceOptions) -> Checker {
        Checker {
            lab: Lab::start(Isolation::Sandboxed).expect("a lab starts"),
            memory: TraceMemory::new(options).expect("there is memory for a trace"),
            limits: Limits { time: Duration::from_secs(20), ..Limits::default() },
        }
    }

    /// The observable behaviour.
    pub(crate) fn native(&mut self, program: &Program, test: &TestCase) -> Observation {
        self.lab.run(&program.native, test, &self.limits).expect("a native run is made")
    }

    /// The trace.
    pub(crate) fn trace(&mut self, program: &Program, test: &TestCase) -> Result<Traced, String> {
        let memory = &mut self.memory;
        let seen = self.lab.trace(&program.traced, test, &self.limits, memory);
        let seen = seen.map_err(|why| why.to_string())?;
        let view = self.memory.trace();
        if !view.attached() {
            return Err("the trace is not attached".to_owned());
        }
        let mut graph = Graph::new();
        let cases = |site| program.symbolic.cases(site);
        let path = parallax_path::read(view, &mut graph, &cases);
        Ok(Traced { seen, graph, path })
    }

    /// Whether a traced run has more to do than its time allows.
    pub(crate) fn is_cut_off(&mut self, program: &Program, test: &TestCase) -> bool {
        let traced = self.trace(program, test);
        traced.is_ok_and(|traced| traced.seen.ending == Ending::TimeLimit)
    }

    /// Runs a test natively and traced, and compares the two and the trace.
    pub(crate) fn check(&mut self, program: &Program, test: &TestCase) -> Result<Stats, Mismatch> {
        self.check_and_keep(program, test).map(|(stats, _)| stats)
    }

    fn check_and_keep(
        &mut self,
        program: &Program,
        test: &TestCase,
    ) -> Result<(Stats, Traced), Mismatch> {
        let native = self.native(program, test);
        let traced = self.trace(program, test).map_err(|why| Mismatch(vec![why]))?;
        let mut wrong = differences(&native, &traced.seen);
        let stats = hold(program, test, &traced, &mut wrong);
        if wrong.is_empty() { Ok((stats, traced)) } else { Err(Mismatch(wrong)) }
    }

    /// As [`Checker::check`]; then, for those `others` that must take the same path, the output
    /// predicted from this trace is compared with the machine.
    pub(crate) fn check_with_neighbours(
        &mut self,
        program: &Program,
        test: &TestCase,
        others: &[TestCase],
    ) -> Result<Stats, Mismatch> {
        let (mut stats, traced) = self.check_and_keep(program, test)?;
        if !is_exact(&traced.path) {
            return Ok(stats);
        }
        for other in others {
            let Some(told) = tell(&traced, other) else { continue };
            let native = self.native(program, other);
            stats.predictions += 1;
            if native.stdout.bytes != told {
                let (at, left, right) = first_difference(&native.stdout.bytes, &told);
                let line = format!(
                    "another input that goes the same way prints {left:?}, not {right:?}, at byte \
                     {at}: {}",
                    other.to_toml()
                );
                return Err(Mismatch(vec![line]));
            }
        }
        Ok(stats)
    }
}

/// Whether the trace claims to be exact except for pins.
fn is_exact(path: &Path) -> bool {
    let counters = &path.approximations.counters;
    counters.iter().all(|(counter, count)| *counter == Counter::Pinned || *count == 0)
        && path.ending.is_some()
}

fn differences(native: &Observation, traced: &Observation) -> Vec<String> {
    let mut wrong = Vec::new();
    if native.ending != traced.ending {
        wrong.push(format!("ends with {:?}, natively with {:?}", traced.ending, native.ending));
    }
    for (name, native, traced) in
        [("stdout", &native.stdout, &traced.stdout), ("stderr", &native.stderr, &traced.stderr)]
    {
        if native != traced {
            let (at, left, right) = first_difference(&native.bytes, &traced.bytes);
            wrong.push(format!("{name} is {right:?}, natively {left:?}, at byte {at}"));
        }
    }
    if native.files != traced.files {
        wrong.push(format!("files are {:?}, natively {:?}", traced.files, native.files));
    }
    wrong
}

/// The first difference of two outputs, with its context.
fn first_difference(left: &[u8], right: &[u8]) -> (usize, String, String) {
    let at = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let around = |bytes: &[u8]| {
        bytes[at.saturating_sub(40)..bytes.len().min(at + 40)].escape_ascii().to_string()
    };
    (at, around(left), around(right))
}

/// Evaluates all expressions of a trace under the test that made it.
fn hold(program: &Program, test: &TestCase, traced: &Traced, wrong: &mut Vec<String>) -> Stats {
    let mut stats = Stats::default();
    let Traced { seen, graph, path } = traced;
    if path.approximations.damaged > 0 {
        wrong.push(format!("{} records make no sense", path.approximations.damaged));
    }
    let given = Given(test);
    let mut evaluation = Evaluation::new(graph, &given);
    let mut expect = |what: &dyn Fn() -> String, id: ExprId, value: u128, mask: u128| {
        match evaluation.value(id) {
            Ok(found) if (found ^ value) & mask == 0 => {}
            found => {
                let found = match found {
                    Ok(found) => format!("{:#x}", found & mask),
                    Err(why) => why.to_string(),
                };
                let text = Printer::with_limit(graph, SHOWN).print(id);
                wrong.push(format!("{}: {found}, not {:#x}: {text}", what(), value & mask));
            }
        };
    };
    let place = |site| {
        let (source, function) =
            (program.symbolic.source_of(site), program.symbolic.function_at(site));
        format!("{source} in {function}")
    };
    for step in &path.steps {
        stats.conditions += 1;
        let what = || {
            let model = match step.model_site {
                0 => String::new(),
                site => format!(" ({})", program.symbolic.function_at(site)),
            };
            format!("{:?} at {}{model}", step.kind, place(step.site))
        };
        expect(&what, step.condition, 1, 1);
    }
    for output in &path.outputs {
        match &output.printed {
            Printed::Bytes { bytes, symbolic } => {
                for (position, id) in symbolic {
                    stats.values += 1;
                    let byte = bytes[*position as usize];
                    let what = || format!("byte printed at {}", place(output.site));
                    expect(&what, *id, byte.into(), 0xff);
                }
            }
            Printed::Formatted { conversion, value, expression: Some(id) } => {
                stats.values += 1;
                let mask = format::mask(conversion);
                let what = || format!("{} at {}", conversion.escape_ascii(), place(output.site));
                expect(&what, *id, (*value).into(), mask.into());
            }
            Printed::Formatted { .. } => {}
        }
    }
    if let Some(ending) = &path.ending {
        if let Some(id) = ending.expression {
            stats.values += 1;
            expect(&|| "the exit status".to_owned(), id, ending.status.into(), 0xffff_ffff);
        }
        if let Ending::Exit(status) = seen.ending
            && (ending.status as i32) & 0xff != status
        {
            wrong.push(format!("exits with {status}, the trace says {}", ending.status));
        }
    }
    stats
}

/// The predicted standard output for another input; `None` if that input takes another path or is
/// formatted in an unsupported way.
fn tell(traced: &Traced, other: &TestCase) -> Option<Vec<u8>> {
    let Traced { graph, path, .. } = traced;
    let given = Given(other);
    let mut evaluation = Evaluation::new(graph, &given);
    for step in &path.steps {
        if evaluation.value(step.condition).ok()? != 1 {
            return None;
        }
    }
    let mut told = Vec::new();
    for output in path.outputs.iter().filter(|output| output.descriptor == 1) {
        match &output.printed {
            Printed::Bytes { bytes, symbolic } => {
                let start = told.len();
                told.extend(bytes);
                for (position, id) in symbolic {
                    told[start + *position as usize] = evaluation.value(*id).ok()? as u8;
                }
            }
            Printed::Formatted { conversion, value, expression } => {
                let value = match expression {
                    Some(id) => evaluation.value(*id).ok()? as u64,
                    None => *value,
                };
                told.extend(format::format(conversion, value)?);
            }
        }
    }
    Some(told)
}
