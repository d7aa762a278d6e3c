//! The cost of runs with symbolic shadows, relative to the same native runs.
//!
//! The cost of a pass is the difference between a run with many passes and one with few, so
//! starting and ending cost nothing; each time is the fastest of several runs. The last line is
//! `overhead: concrete 1.6x symbolic 38x kernels 2.4x traced 400/s`.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{anyhow, ensure};
use parallax_abi::Counter;
use parallax_capture::{BuildOptions, Submodules, Version};
use parallax_instrument::symbolic_build;
use parallax_run::{
    Addresses, Ending, Fixed, Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::{Isolation, Lab},
    trace::{TraceMemory, TraceOptions},
};

/// Runs of which the fastest counts.
const REPEATED: usize = 4;
const KERNELS: [&str; 6] = ["sum", "axpy", "sort", "recursion", "tree", "classify"];

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().unwrap_or_else(|| "bench/overhead".into());
    let mut bench = Bench { lab: Lab::start(Isolation::Sandboxed)?, scratch: tempfile::tempdir()? };
    println!("{:12} {:>12} {:>12} {:>8}", "program", "native", "traced", "ratio");
    let mut records = bench.program(&folder.join("records.c"))?;
    let concrete = bench.ratio("concrete", &mut records, &input(true), [2000, 200])?;
    let symbolic = bench.ratio("symbolic", &mut records, &input(false), [260, 10])?;
    bench.say_size(&mut records)?;
    let mut product = 1.0;
    for name in KERNELS {
        let mut program = bench.program(&folder.join(name).with_extension("c"))?;
        product *= bench.ratio(name, &mut program, &argument(), [20_000, 200])?;
    }
    let kernels = f64::powf(product, 1.0 / KERNELS.len() as f64);
    let rate = bench.rate(&folder.join("small.c"))?;
    println!(
        "overhead: concrete {concrete:.1}x symbolic {symbolic:.0}x kernels {kernels:.1}x traced {rate:.0}/s"
    );
    Ok(())
}

struct Bench {
    lab: Lab,
    scratch: tempfile::TempDir,
}

/// A program in both builds.
struct Program {
    native: Subject,
    traced: Subject,
    memory: TraceMemory,
}

/// Standard input of records, of which nothing is symbolic if `fixed`.
fn input(fixed: bool) -> TestCase {
    let mut text = Vec::new();
    let mut number = 1_u32;
    while text.len() < 4000 {
        number = number.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        text.extend(format!("key{}={};[c]\"text\" ", number >> 20, number >> 8).bytes());
    }
    let mut test = TestCase { stdin: Some(text), ..TestCase::default() };
    test.args = vec![b"1".to_vec()];
    test.fixed = vec![Fixed::Argument(0), Fixed::Count];
    if fixed {
        test.fixed.push(Fixed::Stdin);
    }
    test
}

/// An argument that is symbolic, beside the number of passes, which is not.
fn argument() -> TestCase {
    TestCase {
        args: vec![b"1".to_vec(), b"x".to_vec()],
        fixed: vec![Fixed::Argument(0), Fixed::Count],
        ..TestCase::default()
    }
}

impl Bench {
    fn program(&self, source: &Path) -> anyhow::Result<Program> {
        let options = BuildOptions {
            build: None,
            bin: None,
            cflags: vec!["-O2".into()],
            ldflags: Vec::new(),
            compiler: compiler()?,
            submodules: Submodules::default(),
            rebuild: false,
            source_name: None,
        };
        let version = Version::named(source.as_os_str(), &options)?;
        let build = version.build(&options, &mut |_| {})?;
        let name = source.file_stem().unwrap_or(OsStr::new("program"));
        let symbolic = symbolic_build(&build, &self.scratch.path().join(name))?;
        let subject = |program: &Path| Subject {
            program: program.to_owned(),
            name: b"program".to_vec(),
            library_path: Vec::new(),
            env: Vec::new(),
            memory: MemoryLimit::Resident(8 << 30),
            addresses: Addresses::Fixed,
            forks: true,
        };
        let options = TraceOptions {
            sites: symbolic.places.size(),
            nodes: 64 << 20,
            ..TraceOptions::default()
        };
        Ok(Program {
            native: subject(&build.program),
            traced: subject(&symbolic.program),
            memory: TraceMemory::new(options)?,
        })
    }

    /// The factor by which a pass takes longer in a traced run. The native program makes more of
    /// them.
    fn ratio(
        &mut self,
        name: &str,
        program: &mut Program,
        test: &TestCase,
        [many, few]: [u32; 2],
    ) -> anyhow::Result<f64> {
        let native = self.pass(program, test, [many.max(12_000), few], Kind::Native)?;
        let traced = self.pass(program, test, [many, few], Kind::Traced)?;
        let ratio = traced / native;
        println!("{name:12} {:>9.2} us {:>9.2} us {ratio:>7.2}x", native * 1e6, traced * 1e6);
        Ok(ratio)
    }

    /// The seconds of one more pass.
    fn pass(
        &mut self,
        program: &mut Program,
        test: &TestCase,
        [many, few]: [u32; 2],
        kind: Kind,
    ) -> anyhow::Result<f64> {
        let long = self.fastest(program, test, many, kind)?;
        let short = self.fastest(program, test, few, kind)?;
        Ok(long.saturating_sub(short).as_secs_f64() / f64::from(many - few))
    }

    fn fastest(
        &mut self,
        program: &mut Program,
        test: &TestCase,
        passes: u32,
        kind: Kind,
    ) -> anyhow::Result<Duration> {
        let mut test = test.clone();
        test.args[0] = passes.to_string().into_bytes();
        let mut best = Duration::MAX;
        for _ in 0..REPEATED {
            let start = Instant::now();
            let seen = self.run(program, &test, kind)?;
            best = best.min(start.elapsed());
            ensure!(seen.ending == Ending::Exit(0), "the program ended with {:?}", seen.ending);
        }
        Ok(best)
    }

    fn run(
        &mut self,
        program: &mut Program,
        test: &TestCase,
        kind: Kind,
    ) -> anyhow::Result<Observation> {
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        Ok(match kind {
            Kind::Native => self.lab.run(&program.native, test, &limits)?,
            Kind::Traced => self.lab.trace(&program.traced, test, &limits, &mut program.memory)?,
        })
    }

    /// The trace of a symbolic pass; checks that no limit was reached.
    fn say_size(&mut self, program: &mut Program) -> anyhow::Result<()> {
        let mut sizes = Vec::new();
        for passes in ["1", "11"] {
            let mut test = input(false);
            test.args[0] = passes.into();
            self.run(program, &test, Kind::Traced)?;
            let trace = program.memory.trace();
            let limits = [Counter::NodeLimit, Counter::EventLimit, Counter::BlobLimit];
            let hit: u64 = limits.iter().map(|limit| trace.counter(*limit)).sum();
            ensure!(hit == 0, "a limit of the trace was hit {hit} times");
            sizes.push((trace.nodes().len(), trace.event_records()));
        }
        let nodes = (sizes[1].0 - sizes[0].0) / 10;
        let events = (sizes[1].1 - sizes[0].1) / 10;
        let bytes = 16.0 + 16.0 * events as f64 / nodes as f64;
        println!(
            "  {nodes} nodes and {events} event records a pass, {bytes:.1} bytes for each operation"
        );
        Ok(())
    }

    /// Traced runs of a small program in a second.
    fn rate(&mut self, source: &Path) -> anyhow::Result<f64> {
        let mut program = self.program(source)?;
        let test = TestCase { args: vec![b"--hel".to_vec()], ..TestCase::default() };
        let mut rates = [0.0_f64; 2];
        for _ in 0..REPEATED {
            for (rate, kind) in rates.iter_mut().zip([Kind::Native, Kind::Traced]) {
                let start = Instant::now();
                let mut runs = 0;
                while start.elapsed() < Duration::from_millis(400) {
                    self.run(&mut program, &test, kind)?;
                    runs += 1;
                }
                *rate = rate.max(f64::from(runs) / start.elapsed().as_secs_f64());
            }
        }
        println!("{:12} {:>10.0}/s {:>10.0}/s", "small", rates[0], rates[1]);
        Ok(rates[1])
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Native,
    Traced,
}

/// `parallax-cc`, which is built beside this program's folder.
fn compiler() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let compiler = own.ancestors().nth(2).map(|folder| folder.join("parallax-cc"));
    compiler.filter(|path| path.is_file()).ok_or_else(|| anyhow!("failed to find parallax-cc"))
}
