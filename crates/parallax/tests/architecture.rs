//! The map of the code is true, and the seams that hold it up are not blurred.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_map_names_every_crate_and_nothing_that_is_not_there() {
    let map = read("ARCHITECTURE.md");
    for name in crates() {
        assert!(map.contains(&format!("| `{name}` |")), "ARCHITECTURE.md has no row for {name}");
    }
    let rooms = map.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    for room in rooms {
        assert!(crates().iter().any(|name| name == room), "there is no crate {room}");
    }
    let quoted =
        map.split('`').skip(1).step_by(2).filter(|text| text.contains('/') && !text.contains(' '));
    for path in quoted {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}, which does not exist");
    }
}

/// Whether a crate depends on something directly, tests apart.
fn depends(name: &str, on: &str) -> bool {
    let manifest = read(&format!("crates/{name}/Cargo.toml"));
    let Some(start) = manifest.find("[dependencies]") else { return false };
    let section = manifest[start..].lines().skip(1).take_while(|line| !line.starts_with('['));
    section
        .into_iter()
        .any(|line| line.strip_prefix(on).is_some_and(|rest| rest.starts_with(['.', ' ', '='])))
}

#[test]
fn the_shared_records_depend_on_nothing() {
    assert!(!read("crates/abi/Cargo.toml").contains("[dependencies]"));
}

#[test]
fn only_the_crates_at_the_seam_know_llvm() {
    for name in crates() {
        let allowed = ["program", "instrument"].contains(&name.as_str());
        assert!(allowed || !depends(&name, "inkwell"), "{name} must not depend on inkwell");
    }
}

#[test]
fn running_a_program_knows_nothing_of_the_rest() {
    for name in crates() {
        let allowed = ["abi", "deadline"].contains(&name.as_str());
        let depends_on = depends("run", &format!("parallax-{name}"));
        assert!(allowed || !depends_on, "run must not depend on {name}");
        assert!(!depends(&name, "parallax"), "{name} must not depend on the command line");
    }
}

#[test]
fn the_compiler_wrapper_does_not_load_llvm() {
    let wrapper = fs::read(env!("CARGO_BIN_EXE_parallax-cc")).unwrap();
    let loads = wrapper.windows(7).any(|window| window == b"libLLVM");
    assert!(!loads, "parallax-cc starts for every file of a build");
}
