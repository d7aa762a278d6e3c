//! From C text to a program, as a version of it is captured.

use std::{fs, path::Path, process::Command};

use parallax_module::{Image, Module};
use parallax_program::Program;

/// The options that every version is compiled with.
pub(crate) const DEBUG: &[&str] = &["-g"];

/// Compiles and links some files, of which the `.c` ones are units.
pub(crate) fn program(files: &[(&str, &str)], options: &[&str]) -> Program {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let units = files.iter().filter(|(name, _)| name.ends_with(".c"));
    let parts = units.map(|(name, _)| compile(folder.path(), name, options)).collect();
    let image = Image { parts, ..Image::default() };
    Module::assemble(&[image]).unwrap().program()
}

fn compile(folder: &Path, name: &str, options: &[&str]) -> std::path::PathBuf {
    let output = folder.join(name).with_extension("bc");
    let status = Command::new("clang-19")
        .args(["-O1", "-Xclang", "-disable-llvm-passes", "-w", "-c", "-emit-llvm", "-o"])
        .arg(&output)
        .args(options)
        .arg(folder.join(name))
        .status()
        .unwrap();
    assert!(status.success(), "{name} compiles");
    output
}
