//! `parallax-cc`: the user's compiler, with a memory.
//!
//! The user's command runs on clang as it is: its output *is* the native build. Beside it each
//! source is compiled once more to bitcode, as the front end leaves it, and a note of where that
//! is goes into the output. Two compiles rather than one compile to bitcode that is then optimised:
//! the second needs `-g` and the first must not have it unless the user says so, and the object
//! that counts is made by exactly the compiler run that the user asked for.
//!
//! Whatever goes wrong with the second compile is noted and never fails the build.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{self, IsTerminal, Read, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
    thread,
};

use crate::{
    arguments::{Arguments, Input, Language, Stage, expand_response_files},
    flags,
    note::{LinkNote, Notes, Unit},
    section,
    store::Store,
    toolchain,
};

/// What gcc up to 13 takes with a warning and clang refuses: programs older than C99 need it.
/// The words come before the user's own, so that `-Werror=…` still has the last word.
pub(crate) const LENIENT: [&str; 5] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// The variable by which a build of ours makes paths in its tree come out the same in every tree.
pub(crate) const PREFIX_MAP: &str = "PARALLAX_PREFIX_MAP";

/// Runs the compiler called `name` with `words`, and says its exit status.
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

/// The compiler and what goes with it.
pub(crate) struct Compiler {
    clang: PathBuf,
    cxx: bool,
    standard: Option<&'static str>,
    store: Store,
    directory: PathBuf,
}

impl Compiler {
    /// The compiler that goes by `name`: anything with `++` compiles C++, `c89` is C89.
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
        })
    }

    /// Runs the user's command and captures what it makes.
    pub(crate) fn run(&self, words: &[OsString]) -> io::Result<ExitStatus> {
        let expanded = expand_response_files(words);
        let output = self.compile(&expanded)?;
        io::stderr().write_all(&output.stderr)?;
        Ok(output.status)
    }

    /// As [`Compiler::run`], with response files expanded and what is said on stderr handed back.
    pub(crate) fn compile(&self, words: &[OsString]) -> io::Result<Output> {
        let mut words = words.to_vec();
        loop {
            let output = self.attempt(&words)?;
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

    fn attempt(&self, words: &[OsString]) -> io::Result<Output> {
        let arguments = Arguments::parse(words, self.cxx);
        let sources = arguments.sources();
        let piped = read_piped_source(&sources)?;
        if arguments.stage == Stage::Inspect || !arguments.has_inputs() {
            return self.native(words, &sources, piped.as_deref());
        }
        thread::scope(|scope| {
            let bitcode =
                scope.spawn(|| self.bitcode_of_all(&arguments, &sources, piped.as_deref()));
            let output = self.native(words, &sources, piped.as_deref())?;
            if output.status.success() {
                let bitcode = bitcode.join().unwrap_or_default();
                if let Err(error) = self.leave_notes(&arguments, &sources, bitcode) {
                    complain(&format!("warning: this output is not captured: {error}"));
                }
            }
            Ok(output)
        })
    }

    /// The user's own compile. Link-time optimisation is left out: its objects hold no machine code
    /// and no sections, and what is linked in the end is the same program.
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
        if sources.iter().any(|source| matches!(source.language, Language::Source(_))) {
            command.args(LENIENT);
        }
        command.args(words.iter().filter(|word| !word.to_string_lossy().starts_with("-flto")));
        run(&mut command, piped, Stdio::inherit())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.clang);
        command.args(self.cxx.then_some("--driver-mode=g++")).args(self.standard);
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
        let mut command = self.command();
        command
            .args(LENIENT)
            .args(arguments.compile_words())
            .args(["-w", "-g", "-fno-lto", "-Xclang", "-disable-llvm-passes"])
            .args(["-Xclang", "-disable-O0-optnone"])
            .args(["-mllvm", "-write-experimental-debuginfo=false"])
            .args(["-c", "-emit-llvm", "-o", "-", "-x", language])
            .arg(&source.path);
        let output = run(&mut command, piped.filter(|_| source.is_stdin()), Stdio::piped());
        match output {
            Ok(output) if output.status.success() => Ok(output.stdout),
            Ok(output) => Err(first_error(&output.stderr)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Puts notes of the bitcode into what the native compile made.
    fn leave_notes(
        &self,
        arguments: &Arguments,
        sources: &[Input],
        bitcode: Vec<Bitcode>,
    ) -> io::Result<()> {
        let mut units = Vec::new();
        for (source, bitcode) in sources.iter().zip(bitcode) {
            units.push((source, self.unit(source, bitcode)?));
        }
        match arguments.stage {
            Stage::Link => self.note_link(arguments, units),
            Stage::Object => {
                each_output(arguments, units, "o", |output, unit| self.note_object(output, unit))
            }
            Stage::Assembly => each_output(arguments, units, "s", note_assembly),
            Stage::Inspect => Ok(()),
        }
    }

    fn unit(&self, source: &Input, bitcode: Bitcode) -> io::Result<Unit> {
        Ok(Unit {
            source: self.directory.join(&source.path),
            store: self.store.root().to_path_buf(),
            bitcode: match bitcode {
                Ok(bitcode) => Ok(self.store.put(&bitcode)?),
                Err(why) => Err(why),
            },
            object: None,
        })
    }

    fn note_object(&self, object: &Path, mut unit: Unit) -> io::Result<()> {
        if unit.bitcode.is_err() {
            // Assembler that we made ourselves (`-S`) carries its notes along.
            if section::read(object)?.is_some_and(|notes| !notes.units.is_empty()) {
                return Ok(());
            }
            unit.object = Some(self.store.put(&fs::read(object)?)?);
        }
        section::add(object, &Notes { units: vec![unit], link: None })?;
        Ok(())
    }

    fn note_link(&self, arguments: &Arguments, units: Vec<(&Input, Unit)>) -> io::Result<()> {
        let output = arguments.output.clone().unwrap_or_else(|| "a.out".into());
        if !output.is_file() {
            return Ok(());
        }
        let mut noted = Vec::new();
        for (source, mut unit) in units {
            if unit.bitcode.is_err() {
                unit.object = self.object_of(arguments, source)?;
            }
            noted.push(unit);
        }
        let link = LinkNote {
            directory: self.directory.clone(),
            cxx: self.cxx,
            words: arguments.link_words(),
        };
        section::add(&output, &Notes { units: noted, link: Some(link) })?;
        Ok(())
    }

    /// The object of a source that was assembled and linked in one go.
    fn object_of(&self, arguments: &Arguments, source: &Input) -> io::Result<Option<String>> {
        let Language::Assembler(language) = source.language else { return Ok(None) };
        let mut command = self.command();
        command
            .args(arguments.compile_words())
            .args(["-c", "-o", "-", "-x", language])
            .arg(&source.path);
        let output = run(&mut command, None, Stdio::piped())?;
        if !output.status.success() {
            return Ok(None);
        }
        self.store.put(&output.stdout).map(Some)
    }
}

/// Bitcode, or why there is none.
type Bitcode = Result<Vec<u8>, String>;

/// Hands each unit to `note` with the file that was made of it.
fn each_output(
    arguments: &Arguments,
    units: Vec<(&Input, Unit)>,
    extension: &str,
    note: impl Fn(&Path, Unit) -> io::Result<()>,
) -> io::Result<()> {
    for (source, unit) in units {
        let output = arguments.output.clone().unwrap_or_else(|| source.default_output(extension));
        if output.is_file() {
            note(&output, unit)?;
        }
    }
    Ok(())
}

fn note_assembly(output: &Path, unit: Unit) -> io::Result<()> {
    let notes = Notes { units: vec![unit], link: None };
    fs::OpenOptions::new().append(true).open(output)?.write_all(&section::directive(&notes))
}

/// A source on standard input is read once and given to both compiles.
fn read_piped_source(sources: &[Input]) -> io::Result<Option<Vec<u8>>> {
    if !sources.iter().any(Input::is_stdin) {
        return Ok(None);
    }
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    Ok(Some(text))
}

fn run(command: &mut Command, piped: Option<&[u8]>, stdout: Stdio) -> io::Result<Output> {
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
    line.unwrap_or("clang failed without a word").to_string()
}
