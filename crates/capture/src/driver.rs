//! `parallax-cc`: the user's compiler, with a memory.
//!
//! The user's command runs on clang as it is: its output *is* the native build. Beside it each
//! source is compiled once more to bitcode, as the front end leaves it, and a note with the place
//! of the bitcode goes into the output. Two compiles rather than one compile to bitcode that is
//! then optimised: the second needs `-g` and the first must not have it unless the user says so,
//! and the object that counts is made by exactly the compiler run that the user asked for.
//!
//! A failure of the second compile is noted and never fails the build.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, IsTerminal, Read, Write},
    os::unix::{ffi::OsStrExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
    thread,
};

use tempfile::NamedTempFile;

use crate::{
    arguments::{Arguments, Input, Language, Stage, expand_response_files},
    flags,
    store::Store,
    toolchain,
};

/// Options for code that gcc up to 13 takes with a warning and clang refuses: programs older than
/// C99 need them. The words come before the user's own, so that `-Werror=…` still has the last
/// word.
pub(crate) const LENIENT: [&str; 5] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// The variable by which our builds make paths in their tree come out the same in every tree.
pub(crate) const PREFIX_MAP: &str = "PARALLAX_PREFIX_MAP";

/// Runs the compiler called `name` with `words`; returns its exit status.
pub fn main(name: &OsStr, words: &[OsString]) -> u8 {
    let name = Path::new(name).file_name().unwrap_or(name);
    let compiler = match Compiler::new(name) {
        Ok(compiler) => compiler,
        Err(error) => return complain(&format!("failed to {error}")),
    };
    match compiler.run(words) {
        Ok(status) => exit_code(status),
        Err(error) => complain(&format!("failed to run {}: {error}", compiler.clang.display())),
    }
}

fn complain(message: &str) -> u8 {
    // A compiler whose stderr is closed still has its exit status.
    let _ = writeln!(io::stderr(), "parallax-cc: {message}");
    1
}

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}

/// The compiler and its environment.
pub(crate) struct Compiler {
    clang: PathBuf,
    pub(crate) cxx: bool,
    standard: Option<&'static str>,
    pub(crate) store: Store,
    pub(crate) directory: PathBuf,
    /// Whether the time that it tells programs is a fixed one.
    has_fixed_time: bool,
}

impl Compiler {
    /// The compiler with this name: anything with `++` compiles C++, `c89` is C89.
    pub(crate) fn new(name: &OsStr) -> Result<Compiler, toolchain::NoClang> {
        Ok(Compiler {
            clang: toolchain::clang()?,
            cxx: toolchain::is_cxx(name),
            standard: match name.to_str() {
                Some("c89") => Some("-std=c89"),
                Some("c99") => Some("-std=c99"),
                _ => None,
            },
            store: Store::default_location(),
            directory: env::current_dir().unwrap_or_default(),
            has_fixed_time: false,
        })
    }

    /// The same that tells programs a fixed time, unless the user has chosen one.
    pub(crate) fn with_fixed_time(self) -> Compiler {
        Compiler { has_fixed_time: true, ..self }
    }

    /// Runs the user's command and captures its output.
    pub(crate) fn run(&self, words: &[OsString]) -> io::Result<ExitStatus> {
        let expanded = expand_response_files(words);
        let output = self.compile(&expanded)?;
        io::stderr().write_all(&output.stderr)?;
        Ok(output.status)
    }

    /// As [`Compiler::run`], with response files expanded; returns what is said on stderr.
    pub(crate) fn compile(&self, words: &[OsString]) -> io::Result<Output> {
        let piped = read_piped_source(&Arguments::parse(words, self.cxx).sources())?;
        let mut words = words.to_vec();
        loop {
            let output = self.attempt(&words, piped.as_deref())?;
            if output.status.success() {
                return Ok(output);
            }
            let refused = flags::to_leave_out(&words, &output.stderr);
            if refused.is_empty() {
                return Ok(output);
            }
            words.retain(|word| !refused.contains(word));
        }
    }

    fn attempt(&self, words: &[OsString], piped: Option<&[u8]>) -> io::Result<Output> {
        let arguments = Arguments::parse(words, self.cxx);
        let sources = arguments.sources();
        let has_header = sources.iter().any(|source| source.language == Language::Other);
        if arguments.stage == Stage::Inspect || !arguments.has_inputs() || has_header {
            return self.native(words, &sources, piped);
        }
        thread::scope(|scope| {
            let bitcode = scope.spawn(|| self.bitcode_of_all(&arguments, &sources, piped));
            let output = self.native(words, &sources, piped)?;
            if output.status.success() {
                let bitcode = bitcode.join().unwrap_or_default();
                if let Err(error) = self.leave_notes(&arguments, &sources, bitcode) {
                    complain(&format!("warning: this output is not captured: {error}"));
                }
            }
            Ok(output)
        })
    }

    /// The user's own compile.
    fn native(
        &self,
        words: &[OsString],
        sources: &[Input],
        piped: Option<&[u8]>,
    ) -> io::Result<Output> {
        let mut command = self.command();
        if io::stderr().is_terminal() {
            command.arg("-fcolor-diagnostics");
        }
        let compiles = sources.iter().any(|source| matches!(source.language, Language::Source(_)));
        if compiles && !words.iter().any(|word| word == "-Werror") {
            command.args(LENIENT);
        }
        let _file = pass(&mut command, &without_link_time_optimisation(words))?;
        run(&mut command, piped, Stdio::inherit())
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.clang);
        command.args(self.cxx.then_some("--driver-mode=g++")).args(self.standard);
        if self.has_fixed_time {
            toolchain::fix_time(&mut command);
        }
        if let Some(map) = env::var_os(PREFIX_MAP).filter(|map| !map.is_empty()) {
            let mut flag = OsString::from("-ffile-prefix-map=");
            flag.push(map);
            command.arg(flag);
        }
        command
    }

    fn bitcode_of_all(
        &self,
        arguments: &Arguments,
        sources: &[Input],
        piped: Option<&[u8]>,
    ) -> Vec<Bitcode> {
        sources.iter().map(|source| self.bitcode_of(arguments, source, piped)).collect()
    }

    /// The bitcode of one source, as the front end leaves it: the user's optimisation level (it
    /// decides on inline bodies and macros), no pass run, full debug information in the form that
    /// the C API can read.
    fn bitcode_of(&self, arguments: &Arguments, source: &Input, piped: Option<&[u8]>) -> Bitcode {
        let language = match source.language {
            Language::Source(language) => language,
            Language::Assembler(_) => return Err("it is assembler".into()),
            Language::Linkable | Language::Other => {
                return Err("clang has no bitcode for it".into());
            }
        };
        if !source.is_stdin() && !source.path.is_file() {
            return Err("it can be read only once".into());
        }
        let mut command = self.command();
        command.args(LENIENT);
        let file = pass(&mut command, &arguments.compile_words());
        command
            .args(["-w", "-g", "-fno-lto", "-Xclang", "-disable-llvm-passes"])
            .args(["-Xclang", "-disable-O0-optnone"])
            .args(noted(&arguments.words_that_add_code()))
            .args(["-mllvm", "-write-experimental-debuginfo=false"])
            .args(["-c", "-emit-llvm", "-o", "-", "-x", language, "--"])
            .arg(&source.path);
        let piped = piped.filter(|_| source.is_stdin());
        let output = file.and_then(|_file| run(&mut command, piped, Stdio::piped()));
        match output {
            Ok(output) if output.status.success() => Ok(output.stdout),
            Ok(output) => Err(first_error(&output.stderr)),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The prefix of a note in bitcode that names an option which adds code to its object.
pub const ADDS_CODE: &str = "parallax: ";

/// Records in the bitcode the options of its object that the bitcode was compiled without.
fn noted(words: &[OsString]) -> Vec<OsString> {
    if words.is_empty() {
        return Vec::new();
    }
    let mut note = OsString::from(ADDS_CODE);
    note.push(words.join(OsStr::new(" ")));
    ["-Xclang".into(), "-record-command-line".into(), "-Xclang".into(), note].into()
}

/// Bitcode, or the reason why there is none.
pub(crate) type Bitcode = Result<Vec<u8>, String>;

/// Leaves link-time optimisation out, with the options that need it: its objects hold no machine
/// code and no sections, and the linked program is the same.
fn without_link_time_optimisation(words: &[OsString]) -> Vec<OsString> {
    const NEEDS_IT: [&str; 4] = [
        "-fsanitize=cfi",
        "-fwhole-program-vtables",
        "-fvirtual-function-elimination",
        "-fsplit-lto-unit",
    ];
    let starts = |word: &OsString, start: &str| word.as_bytes().starts_with(start.as_bytes());
    if !words.iter().any(|word| starts(word, "-flto")) {
        return words.to_vec();
    }
    let kept = words
        .iter()
        .filter(|word| !starts(word, "-flto") && !NEEDS_IT.iter().any(|flag| starts(word, flag)));
    kept.cloned().collect()
}

/// Passes words to a command: as they are, or in a file (to be kept until it ends) if they are too
/// many for a command line.
fn pass(command: &mut Command, words: &[OsString]) -> io::Result<Option<NamedTempFile>> {
    const MOST: usize = 100_000;
    if words.iter().map(|word| word.len() + 1).sum::<usize>() < MOST {
        command.args(words);
        return Ok(None);
    }
    let mut file = NamedTempFile::new()?;
    for word in words {
        let escaped = word.as_bytes().iter().flat_map(|&byte| match byte {
            b'"' | b'\\' => vec![b'\\', byte],
            other => vec![other],
        });
        file.write_all(&[b"\"".to_vec(), escaped.collect(), b"\"\n".to_vec()].concat())?;
    }
    let mut word = OsString::from("@");
    word.push(file.path());
    command.arg(word);
    Ok(Some(file))
}

/// Reads a source on standard input once, for both compiles.
fn read_piped_source(sources: &[Input]) -> io::Result<Option<Vec<u8>>> {
    if !sources.iter().any(Input::is_stdin) {
        return Ok(None);
    }
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    Ok(Some(text))
}

pub(crate) fn run(
    command: &mut Command,
    piped: Option<&[u8]>,
    stdout: Stdio,
) -> io::Result<Output> {
    command.stdout(stdout).stderr(Stdio::piped());
    let Some(text) = piped else { return command.spawn()?.wait_with_output() };
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().expect("it was just asked for");
    thread::scope(|scope| {
        // A compiler that stops reading has said why on its stderr.
        scope.spawn(move || stdin.write_all(text));
        child.wait_with_output()
    })
}

fn first_error(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| line.contains("error")).or(text.lines().next());
    line.unwrap_or("clang failed without a message").to_string()
}
