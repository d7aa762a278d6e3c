//! The models with effects against the library.
//!
//! They are compiled natively with a runtime that only keeps labels of memory (`c/effects_stub.c`),
//! and called beside the real functions in random sequences: both must read, write, return and
//! position alike. Labels are checked too: they must be those of the right places in the right
//! inputs, and the recorded output must equal the files.
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

use parallax_runtime::{EFFECTS, HEADERS, MODELS, abi_header};
use tempfile::TempDir;

const PARTS: &[&str] = &["stub", "main", "streams", "files", "opaque"];

/// Writes out the sources as the instrumentation does.
fn write_sources(dir: &Path) {
    fs::create_dir_all(dir.join("models")).unwrap();
    fs::create_dir_all(dir.join("core")).unwrap();
    fs::write(dir.join("abi.h"), abi_header()).unwrap();
    for (name, text) in HEADERS.iter().chain(MODELS) {
        fs::write(dir.join(name), text).unwrap();
    }
}

fn clang(dir: &Path) -> Command {
    let mut command = Command::new("clang-19");
    command.args(["-O1", "-fno-builtin", "-I."]).current_dir(dir);
    command
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{:?}\n{said}", output.status);
    output
}

/// The program of `c/effects_main.c`, built once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("effects");
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
        write_sources(&dir);
        let mut command = clang(&dir);
        command.arg("-w").arg("-I").arg(&tests);
        command.args(MODELS.iter().map(|(name, _)| name));
        command.args(PARTS.iter().map(|part| tests.join(format!("effects_{part}.c"))));
        succeed(command.args(["-lm", "-lpthread", "-o", "effects"]));
        dir.join("effects")
    })
}

/// Runs a test of the program in an empty directory, with a file as its standard input.
fn run(name: &str, seed: u32) -> Output {
    let dir = TempDir::new().unwrap();
    let input = dir.path().join(".input");
    fs::write(&input, "text on stdin").unwrap();
    let mut command = Command::new(program());
    command.args([name, &seed.to_string()]).current_dir(dir.path());
    command.stdin(File::open(input).unwrap()).output().unwrap()
}

fn check(name: &str, seeds: u32) {
    for seed in 0..seeds {
        let output = run(name, seed);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} {seed}: {:?}\n{said}", output.status);
    }
}

#[test]
fn streams_of_inputs_are_read_as_the_library_reads_them() {
    check("reading", 60);
}

#[test]
fn other_streams_have_no_labels() {
    check("reading_concrete", 30);
}

#[test]
fn what_is_output_is_what_is_written() {
    check("writing", 60);
}

#[test]
fn streams_may_be_read_and_written() {
    check("updating", 30);
}

#[test]
fn descriptors_read_labels() {
    check("descriptors", 1);
    check("stdin", 1);
}

#[test]
fn names_are_choices_until_the_program_decides() {
    check("names", 1);
    check("own_files", 1);
}

#[test]
fn variables_move_to_labelled_buffers() {
    check("environment", 1);
}

#[test]
fn objects_keep_their_labels_when_they_move() {
    check("heap", 1);
}

#[test]
fn messages_are_those_of_the_library() {
    check("messages", 1);
}

#[test]
fn dates_patterns_and_wide_characters_are_those_of_the_library() {
    check("opaque", 1);
}

#[test]
fn a_program_starts_with_labelled_arguments() {
    let output = run("start", 0);
    assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_function_to_fuzz_gets_standard_input() {
    let output = run("fuzz", 0);
    let expected: Vec<u8> = b"text on stdin".iter().map(|byte| byte ^ 1).collect();
    assert_eq!(output.stdout, expected);
}

/// Compiles the models as for instrumentation; the compiler must print nothing.
#[test]
fn models_are_bitcode_without_warnings() {
    let dir = TempDir::new().unwrap();
    write_sources(dir.path());
    let mut command = clang(dir.path());
    command.args(["-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Wall", "-Wextra"]);
    let output = succeed(command.args(MODELS.iter().map(|(name, _)| name)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The functions that have a model, as far as their names can be read off the sources.
fn modelled() -> BTreeSet<String> {
    let texts = MODELS.iter().map(|(_, text)| text);
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter_map(|word| word.strip_prefix("plx_model_")).map(str::to_owned).collect()
}

#[test]
fn a_function_has_a_model_or_a_line_and_no_second_line() {
    let modelled = modelled();
    let mut seen = BTreeSet::new();
    for line in EFFECTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        assert!(seen.insert(name), "{name} is there twice");
        assert!(!modelled.contains(name), "{name} has a model");
        for word in words {
            let (argument, extent) = word.split_once(':').unwrap();
            assert!(argument.parse::<u32>().is_ok(), "{line}");
            let number = extent.strip_prefix('$').unwrap_or(extent);
            assert!(extent == "*" || number.parse::<u32>().is_ok(), "{line}");
        }
    }
    assert!(seen.len() > 500);
}
