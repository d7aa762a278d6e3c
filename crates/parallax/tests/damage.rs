//! Damaged cache entries are made again, and the result is the same.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use place::Place;

const WORDS: [&str; 5] = ["check", "old.c", "new.c", "--budget", "2s"];

fn place() -> Place {
    let place = Place::with_own_cache();
    for (name, bound) in [("old.c", 1), ("new.c", 2)] {
        let text = format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  (void)argv;\n  \
             printf(\"%d\\n\", argc > {bound});\n  return 0;\n}}\n"
        );
        place.write(name, &text);
    }
    place
}

/// The files of one kind of entry, without markers and locks.
fn kept(place: &Place, kind: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![place.cache().join(kind)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.retain(|path| path.extension().is_none_or(|extension| extension != "lock"));
    assert!(!files.is_empty(), "there is nothing in {kind}");
    files
}

/// A way to damage a file.
type Damage = fn(&Path);

fn truncate(path: &Path) {
    let contents = fs::read(path).unwrap();
    fs::write(path, &contents[..contents.len() / 2]).unwrap();
}

fn garble(path: &Path) {
    let contents = fs::read(path).unwrap();
    fs::write(path, contents.iter().map(|byte| byte ^ 0x5a).collect::<Vec<_>>()).unwrap();
}

fn empty(path: &Path) {
    fs::write(path, "").unwrap();
}

fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[track_caller]
fn assert_finds(place: &Place, what: &str) {
    let printed = place.parallax(&WORDS);
    assert_eq!(printed.status, 1, "{what}: {}{}", printed.stdout, printed.stderr);
    assert!(!printed.stderr.contains("failed"), "{what}: {}", printed.stderr);
}

#[test]
fn what_is_damaged_is_made_again() {
    let place = place();
    assert_finds(&place, "nothing is damaged");
    let ways: [(&str, Damage); 4] =
        [("truncated", truncate), ("garbled", garble), ("emptied", empty), ("removed", remove)];
    // The damaged entry, and the entries made from it, which are removed so that it is needed.
    let kinds: [(&[&str], &[&str]); 4] = [
        (&["builds", "groups"], &["symbolic"]),
        (&["bitcode", "symbolic"], &[]),
        (&["runtime", "bitcode"], &["symbolic", "groups"]),
        (&["builds", "symbolic", "groups"], &[]),
    ];
    for ((way, damage), (kinds, above)) in ways.into_iter().zip(kinds) {
        for above in above {
            fs::remove_dir_all(place.cache().join(above)).unwrap();
        }
        let files: Vec<_> = kinds.iter().flat_map(|kind| kept(&place, kind)).collect();
        files.iter().for_each(|path| damage(path));
        assert_finds(&place, &format!("{kinds:?} {way}"));
    }
}

#[test]
fn two_processes_make_it_again_at_once() {
    let place = place();
    assert_finds(&place, "nothing is damaged");
    for kind in ["builds", "bitcode", "symbolic", "groups"] {
        kept(&place, kind).iter().for_each(|path| truncate(path));
    }
    let start = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
        command.args(WORDS).args(["--out", out]).current_dir(place.path("."));
        command.env("PARALLAX_CACHE", place.cache()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let both = [start("one"), start("two")];
    for child in both {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("failed"), "{said}");
    }
}
