//! The arguments of the command line and the verbs that they select.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser},
};
use parallax_run::{Limits, TestCase, lab::Isolation};
use parallax_search::{Bounds, Policy, UnknownPart};

use crate::{screen::Screen, verbs};

/// The exit status, as in `diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// No difference, or everything in order.
    Fine,
    /// A confirmed difference.
    Different,
    /// An error.
    Trouble,
}

impl Status {
    /// The status for a shell.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }
}

impl From<Status> for std::process::ExitCode {
    fn from(status: Status) -> std::process::ExitCode {
        status.number().into()
    }
}

/// Finds the inputs that tell two versions of a C program apart.
#[derive(Parser)]
#[command(name = "parallax", version, after_help = VERSIONS_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

macro_rules! versions_help {
    ($status:literal) => {
        concat!(
            "\
A version (OLD, NEW, PROGRAM) is one of
  prog.c              a C file, or several: a.c,b.c   (--cflags, --ldflags)
  src/prog            an executable built with CC=parallax-cc
  DIR                 a source tree                   (needs --build and --bin)
  HEAD~1              a git revision                  (needs --build and --bin)

Exit status: ",
            $status
        )
    };
}

const VERSIONS_HELP: &str = versions_help!("0 no difference, 1 a confirmed difference, 2 trouble.");
const CHECK_HELP: &str = versions_help!(
    "0 no difference was found (unreached changes are listed), 1 a confirmed difference,
2 trouble."
);
const MINIMIZE_HELP: &str = versions_help!(
    "1 the test was printed or written, 0 the versions do not differ on it, 2 trouble."
);
const CHANGES_HELP: &str = versions_help!(
    "0 whether something changed or not (nothing was run that could differ;
\"verdict\" of --json says which), 2 trouble."
);
const EXPLAIN_HELP: &str = versions_help!(
    "0 the test shows no difference, 1 it shows one, 2 trouble.

From each change downwards: the lines that its effect reaches, with the values of variables in the old
and in the new version. Where the effect is masked: the reason, and the condition for it to propagate:
  never used      a value that differs is overwritten before it is used
  swallowed       it is used, and the result is the same: 3 & 1 and 5 & 1
  decided alike   it is compared, and both versions take the same way
  computed alike  the change was executed and computes the same as the old code
  nothing follows a decision takes another way, without an effect there"
);

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Find inputs on which two versions differ
    #[command(after_help = CHECK_HELP)]
    Check(Check),
    /// Find the given tests on which two versions differ
    #[command(after_help = VERSIONS_HELP)]
    Compare(Compare),
    /// Make a test on which two versions differ smaller and simpler
    #[command(after_help = MINIMIZE_HELP)]
    Minimize(Minimize),
    /// Show what changed between two versions and what it can affect, without running anything
    #[command(after_help = CHANGES_HELP)]
    Changes(Changes),
    /// Show how the effect of each change travels through one test, and where it is masked
    #[command(after_help = EXPLAIN_HELP)]
    Explain(Explain),
    /// Run one test case and show what happened
    #[command(after_help = VERSIONS_HELP)]
    Replay(Replay),
    /// Run one test case symbolically and show its path condition and output
    #[command(after_help = VERSIONS_HELP)]
    Trace(Trace),
    /// Find test cases that cover a program, from given ones or from nothing
    #[command(after_help = VERSIONS_HELP)]
    Explore(Explore),
    /// Measure which lines and branches of a program a suite covers
    #[command(after_help = VERSIONS_HELP)]
    Coverage(Coverage),
    /// Convert the calls that a command makes of a program to test cases
    Record(Record),
    /// Assemble and verify the whole-program module of a captured program
    #[command(after_help = VERSIONS_HELP)]
    Module(Module),
    /// Print the JSON Schema of the result.json that `check` writes
    Schema,
    /// Check what Parallax needs on this machine
    Doctor,
    /// Run the verbs on a built-in pair of programs
    Demo,
}

impl Verb {
    pub(crate) fn run(&self, screen: &Screen) -> anyhow::Result<Status> {
        match self {
            Verb::Check(check) => verbs::check::run(check, screen),
            Verb::Compare(compare) => verbs::compare::run(compare, screen),
            Verb::Minimize(minimize) => verbs::minimize::run(minimize, screen),
            Verb::Changes(changes) => verbs::changes::run(changes, screen),
            Verb::Explain(explain) => verbs::explain::run(explain, screen),
            Verb::Replay(replay) => verbs::replay::run(replay, screen),
            Verb::Trace(trace) => verbs::trace::run(trace, screen),
            Verb::Explore(explore) => verbs::explore::run(explore, screen),
            Verb::Coverage(coverage) => verbs::coverage::run(coverage, screen),
            Verb::Record(record) => verbs::record::run(record, screen),
            Verb::Module(module) => verbs::module::run(module, screen),
            Verb::Schema => verbs::schema::run(screen),
            Verb::Doctor => verbs::doctor::run(screen),
            Verb::Demo => verbs::demo::run(screen),
        }
    }
}

#[derive(Args)]
pub(crate) struct Check {
    /// The old version
    pub(crate) old: OsString,
    /// The new version
    pub(crate) new: OsString,
    /// Test cases to start from: a file, or a directory of them; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) seeds: Vec<PathBuf>,
    /// The directory for results; an old one is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "parallax.out")]
    pub(crate) out: PathBuf,
    /// Continue an earlier search for these versions from its directory
    #[arg(long)]
    pub(crate) resume: bool,
    /// Stop after this time, such as 30s, 5m or 1h; the builds of both versions do not count
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) budget: Duration,
    /// Stop after this many runs
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<u64>,
    /// Largest inputs, such as args=16,arg-bytes=64,bytes=4096: arguments, bytes of each, bytes of
    /// standard input and of each file [default: these, or twice the largest seed]
    #[arg(long, value_name = "BOUNDS", default_value = "", hide_default_value = true, value_parser = WantedBounds::read)]
    pub(crate) bounds: WantedBounds,
    /// Keep searching changes that already have a finding
    #[arg(long)]
    pub(crate) all: bool,
    /// Exit with 2 if nothing was found and nothing was proved
    #[arg(long)]
    pub(crate) strict: bool,
    /// Leave out matches before comparing; `stdout:REGEX`, `stderr:REGEX` and `files:REGEX` apply
    /// to one place only; repeatable
    #[arg(long, value_name = "[WHERE:]REGEX")]
    pub(crate) ignore: Vec<String>,
    /// Workers [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Use this SMT solver, a command that reads SMT-LIB from its input, instead of Z3
    #[arg(long, value_name = "CMD")]
    pub(crate) solver: Option<String>,
    /// The order of the search
    #[arg(long, value_name = "STRATEGY", default_value = "full")]
    pub(crate) strategy: Strategy,
    /// Leave out a part of the search, to measure its worth; repeatable
    #[arg(long, value_name = "PART", value_parser = search_part())]
    pub(crate) without: Vec<String>,
    /// Also print the time and work of each part of the search
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the result as JUnit XML, with a test case for each change
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

impl Check {
    /// The policy of the search.
    pub(crate) fn policy(&self) -> Result<Policy, UnknownPart> {
        let policy = Policy::from(parallax_search::Strategy::from(self.strategy));
        self.without.iter().try_fold(policy, |policy, part| policy.without(part))
    }
}

/// The parts of a search, with their descriptions.
fn search_part() -> PossibleValuesParser {
    let parts = parallax_search::parts().into_iter();
    PossibleValuesParser::new(parts.map(|(name, purpose)| PossibleValue::new(name).help(purpose)))
}

/// The order in which a search flips branches.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Strategy {
    /// Uses all knowledge about the changes
    Full,
    /// Flips any branch of any run
    Random,
    /// Flips the last branch of the last run
    Dfs,
    /// Uses coverage, as if nothing had changed
    Coverage,
}

impl From<Strategy> for parallax_search::Strategy {
    fn from(strategy: Strategy) -> parallax_search::Strategy {
        match strategy {
            Strategy::Full => parallax_search::Strategy::Full,
            Strategy::Random => parallax_search::Strategy::Random,
            Strategy::Dfs => parallax_search::Strategy::Dfs,
            Strategy::Coverage => parallax_search::Strategy::Coverage,
        }
    }
}

#[derive(Args)]
pub(crate) struct Changes {
    /// The old version
    pub(crate) old: OsString,
    /// The new version
    pub(crate) new: OsString,
    /// Print the report as JSON
    #[arg(long, conflicts_with = "graph")]
    pub(crate) json: bool,
    /// Print a graph of the new version instead of the report
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: Option<Graph>,
    /// The function to draw, as `name` or `file.c:name` [default: the first changed one]
    #[arg(long, value_name = "NAME", requires = "graph")]
    pub(crate) function: Option<String>,
    /// The format of the graph
    #[arg(long, value_name = "FORMAT", default_value = "svg", requires = "graph")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) building: Building,
}

/// The graphs that can be drawn.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Graph {
    /// Control flow of a function
    Cfg,
    /// Control dependence in a function
    Cdg,
    /// Dependence between statements of a function
    Pdg,
    /// Execution orders of changes, and where they interact
    Csg,
    /// Decisions from each branch of a function to a change, and branches that rule one out
    Distance,
    /// Calls around a function, or from main to the changes
    Callgraph,
}

impl From<Graph> for parallax_check::Graph {
    fn from(graph: Graph) -> parallax_check::Graph {
        match graph {
            Graph::Cfg => parallax_check::Graph::Cfg,
            Graph::Cdg => parallax_check::Graph::Cdg,
            Graph::Pdg => parallax_check::Graph::Pdg,
            Graph::Csg => parallax_check::Graph::Csg,
            Graph::Distance => parallax_check::Graph::Distance,
            Graph::Callgraph => parallax_check::Graph::Callgraph,
        }
    }
}

/// The format of a graph.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Args)]
pub(crate) struct Compare {
    /// The old version
    pub(crate) old: OsString,
    /// The new version
    pub(crate) new: OsString,
    /// Test cases: a file, or a directory of them; repeatable
    #[arg(long, value_name = "PATH", required = true)]
    pub(crate) tests: Vec<PathBuf>,
    /// Leave out matches before comparing; `stdout:REGEX`, `stderr:REGEX` and `files:REGEX` apply
    /// to one place only; repeatable
    #[arg(long, value_name = "[WHERE:]REGEX")]
    pub(crate) ignore: Vec<String>,
    /// Runs of each test on each version before it is judged
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) repeat: u32,
    /// Tests run at the same time [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Stop after this time, such as 30s, 5m or 1h, with the results so far; builds do not count
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Minimize {
    /// The old version
    pub(crate) old: OsString,
    /// The new version
    pub(crate) new: OsString,
    /// The test case: a TOML file, or a file to use as standard input
    pub(crate) test: PathBuf,
    /// Write the test here; the report about it is printed
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Leave out matches before comparing; `stdout:REGEX`, `stderr:REGEX` and `files:REGEX` apply
    /// to one place only; repeatable
    #[arg(long, value_name = "[WHERE:]REGEX")]
    pub(crate) ignore: Vec<String>,
    /// Try at most this many smaller tests (a twentieth of them if a version does not end)
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) tries: u32,
    /// Stop after this time, such as 30s, 5m or 1h, with the results so far; builds do not count
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Replay {
    /// The test case: a TOML file, or a file to use as standard input
    pub(crate) test: PathBuf,
    /// The program to run it on
    pub(crate) program: OsString,
    /// Run it on a build that reports memory errors and undefined arithmetic
    #[arg(long)]
    pub(crate) sanitize: bool,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Explain {
    /// The old version
    pub(crate) old: OsString,
    /// The new version
    pub(crate) new: OsString,
    /// The test case: a TOML file, or a file to use as standard input
    pub(crate) test: PathBuf,
    /// Leave out matches before comparing outputs; `stdout:REGEX`, `stderr:REGEX` and `files:REGEX`
    /// apply to one place only; repeatable
    #[arg(long, value_name = "[WHERE:]REGEX")]
    pub(crate) ignore: Vec<String>,
    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Stop after this time, such as 30s, 5m or 1h, with the results so far; builds do not count
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Trace {
    /// The program
    pub(crate) program: OsString,
    /// The test case: a TOML file, or a file to use as standard input; or a directory of them
    pub(crate) test: PathBuf,
    /// Print it as JSON
    #[arg(long, conflicts_with = "smt2")]
    pub(crate) json: bool,
    /// Print the path condition as a script for SMT solvers
    #[arg(long)]
    pub(crate) smt2: bool,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Explore {
    /// The program
    pub(crate) program: OsString,
    /// Test cases to start from: a file, or a directory of them; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) seeds: Vec<PathBuf>,
    /// The directory for results; an old one is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "parallax.out")]
    pub(crate) out: PathBuf,
    /// Continue from the contents of the directory
    #[arg(long)]
    pub(crate) resume: bool,
    /// Stop after this time, such as 30s, 5m or 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) budget: Duration,
    /// Stop after this many runs: the same number finds the same tests, with any number of workers
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<u64>,
    /// Workers [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Use this SMT solver, a command that reads SMT-LIB from its input, instead of Z3
    #[arg(long, value_name = "CMD")]
    pub(crate) solver: Option<String>,
    /// Write every query that reaches a solver to this directory, as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_queries: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Coverage {
    /// The program
    pub(crate) program: OsString,
    /// Test cases: a file, or a directory of them; repeatable
    #[arg(long, value_name = "PATH", required = true)]
    pub(crate) tests: Vec<PathBuf>,
    /// Also write the result for lcov and genhtml
    #[arg(long, value_name = "FILE")]
    pub(crate) lcov: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Stop after this time, such as 30s, 5m or 1h, with the results so far; builds do not count
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Args)]
pub(crate) struct Record {
    /// The program whose calls are recorded
    #[arg(long, value_name = "PATH")]
    pub(crate) bin: PathBuf,
    /// The directory for the test cases
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The command that calls the program, such as `make check`
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Args)]
pub(crate) struct Module {
    /// The program
    pub(crate) program: OsString,
    /// Write the module here, as bitcode
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Make a build that reports memory errors and undefined arithmetic
    #[arg(long, value_name = "FILE")]
    pub(crate) sanitizer_build: Option<PathBuf>,
    /// Make the build with symbolic shadows at this path, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) symbolic_build: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) building: Building,
}

/// Options for builds.
#[derive(Args)]
#[command(next_help_heading = "Building")]
pub(crate) struct Building {
    /// The command that builds a directory or a revision
    #[arg(long, value_name = "CMD")]
    pub(crate) build: Option<OsString>,
    /// The program that the build makes, relative to its tree
    #[arg(long, value_name = "PATH")]
    pub(crate) bin: Option<PathBuf>,
    /// Flags for compiling C files, as one word: `--cflags='-O2 -DX'`
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) cflags: Option<String>,
    /// Flags for linking C files
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) ldflags: Option<String>,
    /// Check a revision out without its submodules
    #[arg(long)]
    pub(crate) no_submodules: bool,
    /// Build again instead of using the cache (if a build depends on files outside its tree)
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Options for runs.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Running {
    /// Time limit of a run in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub(crate) time_limit: f64,
    /// Memory limit of a run in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub(crate) memory_limit: u64,
    /// Run without the sandbox: the program can then do what you can
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

impl Running {
    /// The isolation of labs.
    pub(crate) fn limited(&self) -> parallax_check::Running {
        let time = Duration::from_secs_f64(self.time_limit);
        parallax_check::Running {
            isolation: if self.no_sandbox { Isolation::Open } else { Isolation::Sandboxed },
            limits: Limits { time, ..Limits::default() },
            memory: self.memory_limit << 20,
        }
    }
}

/// The limits of inputs that the user set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WantedBounds {
    arguments: Option<u32>,
    argument_bytes: Option<u32>,
    bytes: Option<u32>,
}

impl WantedBounds {
    fn read(text: &str) -> Result<WantedBounds, String> {
        let mut wanted = WantedBounds::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, number) = part.split_once('=').ok_or("expected NAME=NUMBER")?;
            let (bound, most) = match name.trim() {
                "args" => (&mut wanted.arguments, 1 << 10),
                "arg-bytes" => (&mut wanted.argument_bytes, 1 << 16),
                "bytes" => (&mut wanted.bytes, 1 << 24),
                _ => return Err(format!("{name} is not one of args, arg-bytes, bytes")),
            };
            match number.trim().parse() {
                Ok(number) if number <= most => *bound = Some(number),
                _ => return Err(format!("{name} must be a number up to {most}")),
            }
        }
        Ok(wanted)
    }

    /// The limits of a search from some tests: by default, large ones can grow, too.
    pub(crate) fn limits(self, seeds: &[TestCase]) -> Bounds {
        let usual = Bounds::default().around(seeds);
        Bounds {
            arguments: self.arguments.unwrap_or(usual.arguments),
            argument_bytes: self.argument_bytes.unwrap_or(usual.argument_bytes),
            bytes: self.bytes.unwrap_or(usual.bytes),
            are_strict: self != WantedBounds::default(),
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time such as 30s, 5m or 1h".to_owned();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * factor;
    if (0.01..=1e7).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(wrong())
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=86400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 86400".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_what_was_said_and_the_usual_ones_else() {
        let limits = |text: &str| WantedBounds::read(text).map(|wanted| wanted.limits(&[]));
        assert_eq!(limits(""), Ok(Bounds::default()));
        let some = Bounds { arguments: 2, bytes: 0, are_strict: true, ..Bounds::default() };
        assert_eq!(limits("args=2,bytes=0"), Ok(some));
        for wrong in ["args", "args=x", "args=5000", "files=3", "bytes=-1"] {
            assert!(limits(wrong).is_err(), "{wrong}");
        }
        let seed = TestCase { args: vec![vec![b'a'; 50]; 20], ..TestCase::default() };
        let wanted = WantedBounds::read("args=3").map(|wanted| wanted.limits(&[seed]));
        assert_eq!(
            wanted,
            Ok(Bounds { arguments: 3, argument_bytes: 100, bytes: 4096, are_strict: true })
        );
    }
}
