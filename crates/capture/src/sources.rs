//! Building a version from its C files.
//!
//! Programs of forty years must compile without the user knowing which dialect they are in. If no
//! `-std=` is given and the compiler's own default refuses, later and earlier ones are tried, and
//! the one that worked is reported.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    build::Build,
    cache::{BUILDS, Slot},
    driver::{Compiler, LENIENT},
    harness,
    store::digest,
    toolchain,
    version::{BuildOptions, Progress, Version, VersionError},
};

/// The dialects to try in order. Programs before C99 define `getline` and put variables into
/// headers: strict C89 hides the one, `-fcommon` allows the other.
const DIALECTS: [&[&str]; 4] =
    [&[], &["-std=gnu23"], &["-std=gnu89", "-fcommon"], &["-std=c89", "-fcommon"]];

/// The most bytes of a C file.
const LARGEST: u64 = 256 << 20;

pub(crate) fn build(
    version: &Version,
    files: &[PathBuf],
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Build, VersionError> {
    let io_error = |source| VersionError::Io { name: version.name(), source };
    files.iter().try_for_each(|file| refuse_huge(file)).map_err(io_error)?;
    let words = compile_words(files, options);
    let name = file_name(version, options);
    let slot = Slot::open(BUILDS, &cache_key(version, files, &words, &name)?).map_err(io_error)?;
    let program = slot.folder().join("bin").join(&name);
    if !options.rebuild
        && slot.is_finished()
        && let Ok(build) = Build::open_whole(&program)
    {
        progress(Progress::Cached(version.name()));
        return Ok(build);
    }
    progress(Progress::Building(version.name()));
    slot.start().map_err(io_error)?;
    fs::create_dir(slot.folder().join("bin")).map_err(io_error)?;
    let words = [words, vec!["-o".into(), program.clone().into()]].concat();
    let compiled = match compile(version, &words, progress) {
        Err(VersionError::Compile { stderr, .. }) if is_harness(files, &stderr) => {
            let main = harness::write(slot.folder()).map_err(io_error)?;
            compile(version, &[words, vec![main.into()]].concat(), progress)
        }
        compiled => compiled,
    };
    match compiled {
        Ok(()) => {
            let name = program.strip_prefix(slot.folder()).unwrap_or(&program).to_path_buf();
            slot.finish_with(&[name]).map_err(io_error)?;
            Ok(Build::open(&program)?)
        }
        Err(error) => {
            slot.clear().map_err(io_error)?;
            Err(error)
        }
    }
}

/// Refuses a file too large to be a program's source: it would be read as a whole.
fn refuse_huge(file: &Path) -> io::Result<()> {
    match fs::metadata(file)?.len() > LARGEST {
        true => Err(io::Error::other(format!("it has more than {} MiB", LARGEST >> 20))),
        false => Ok(()),
    }
}

/// Whether only the main is missing that libFuzzer brings.
fn is_harness(files: &[PathBuf], stderr: &str) -> bool {
    let mentions = |file: &PathBuf| {
        let entry = harness::ENTRY.as_bytes();
        fs::read(file).is_ok_and(|text| text.windows(entry.len()).any(|part| part == entry))
    };
    stderr.contains("undefined reference to `main'") && files.iter().any(mentions)
}

fn compile_words(files: &[PathBuf], options: &BuildOptions) -> Vec<OsString> {
    let mut words = options.cflags.clone();
    for file in files {
        let seen = options.source_name.as_deref().filter(|_| files.len() == 1);
        let seen = seen.or(file.file_name()).unwrap_or_default();
        let map = [b"-fmacro-prefix-map=", file.as_os_str().as_bytes(), b"=", seen.as_bytes()];
        words.push(OsStr::from_bytes(&map.concat()).into());
    }
    words.extend(files.iter().map(|file| file.as_os_str().to_os_string()));
    words.extend(options.ldflags.iter().cloned());
    words.push("-lm".into());
    words
}

/// The name of the program's file: a program may print it, so that it is the same for both
/// versions.
fn file_name(version: &Version, options: &BuildOptions) -> OsString {
    let shared = options.source_name.as_ref().map(|name| PathBuf::from(name).with_extension(""));
    shared.map_or_else(|| version.program_name(options), PathBuf::into_os_string)
}

/// The dependencies of the build: the sources with all they include, linked files, the flags and
/// where they are resolved, the compiler.
fn cache_key(
    version: &Version,
    files: &[PathBuf],
    words: &[OsString],
    name: &OsStr,
) -> Result<String, VersionError> {
    let io_error = |source| VersionError::Io { name: version.name(), source };
    let clang = toolchain::clang()?;
    let tool = toolchain::version(&clang).unwrap_or_default();
    let line = words.join(OsStr::new("\0"));
    let directory = env::current_dir().map_err(io_error)?;
    let flags = words.iter().filter(|word| !files.iter().any(|file| file.as_os_str() == *word));
    let mut command = Command::new(&clang);
    toolchain::fix_time(&mut command);
    command.args(["-E", "-w"]).args(LENIENT).args(flags).args(files);
    // The preprocessor may accept in one dialect what it refuses in another: the files themselves
    // are part of the key in any case.
    let text = command.output().map_err(io_error)?.stdout;
    let contents = words.iter().map(|word| fs::read(word).unwrap_or_default()).collect::<Vec<_>>();
    let mut parts = vec![
        b"sources, options noted".as_slice(),
        name.as_bytes(),
        env!("CARGO_PKG_VERSION").as_bytes(),
        tool.as_bytes(),
        directory.as_os_str().as_bytes(),
        line.as_bytes(),
        &text,
    ];
    parts.extend(contents.iter().map(Vec::as_slice));
    Ok(digest(&parts))
}

fn compile(
    version: &Version,
    words: &[OsString],
    progress: &mut dyn FnMut(Progress),
) -> Result<(), VersionError> {
    let chosen = words.iter().any(|word| {
        let word = word.as_bytes();
        word.starts_with(b"-std=") || word == b"-ansi"
    });
    let dialects = if chosen { &DIALECTS[..1] } else { &DIALECTS[..] };
    let mut first_refusal = None;
    for dialect in dialects {
        let stderr = match compile_in(version, dialect, words)? {
            Ok(()) => {
                if !dialect.is_empty() {
                    progress(Progress::Note(format!(
                        "{} compiles only with {}; give --cflags to choose another dialect",
                        version.name(),
                        dialect.join(" ")
                    )));
                }
                return Ok(());
            }
            Err(stderr) => stderr,
        };
        first_refusal.get_or_insert(stderr);
    }
    Err(VersionError::Compile { name: version.name(), stderr: first_refusal.unwrap_or_default() })
}

/// Compiles once; the inner error is the message of the compiler.
fn compile_in(
    version: &Version,
    dialect: &[&str],
    words: &[OsString],
) -> Result<Result<(), String>, VersionError> {
    let name = if is_cxx(words) { "parallax-c++" } else { "parallax-cc" };
    let words: Vec<OsString> =
        dialect.iter().map(OsString::from).chain(words.iter().cloned()).collect();
    let output = Compiler::new(OsStr::new(name))?
        .with_fixed_time()
        .compile(&words)
        .map_err(|source| VersionError::Io { name: version.name(), source })?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    Ok(Err(String::from_utf8_lossy(&output.stderr).trim_end().to_string()))
}

fn is_cxx(words: &[OsString]) -> bool {
    let mut extensions =
        words.iter().filter_map(|word| std::path::Path::new(word).extension()?.to_str());
    extensions.any(|extension| matches!(extension, "cc" | "cpp" | "cxx" | "C"))
}
