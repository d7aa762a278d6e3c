//! ARCHITECTURE.md names existing files, and the dependencies between crates keep its promises.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    collections::BTreeSet,
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

/// The direct dependencies of a crate, without those of tests.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(&format!("crates/{name}/Cargo.toml"));
    let Some(start) = manifest.find("\n[dependencies]") else { return Vec::new() };
    let lines = manifest[start..].lines().skip(2).take_while(|line| !line.starts_with('['));
    let named = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    named.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether a crate depends on something, directly or through our other crates.
fn depends(name: &str, on: &str) -> bool {
    let (mut pending, mut known) = (vec![name.to_owned()], BTreeSet::new());
    while let Some(name) = pending.pop() {
        for dependency in dependencies(&name) {
            if dependency == on {
                return true;
            }
            let own = dependency.strip_prefix("parallax-").map(str::to_owned);
            pending.extend(own.filter(|own| known.insert(own.clone())));
        }
    }
    false
}

#[test]
fn the_shared_records_depend_on_nothing() {
    assert!(dependencies("abi").is_empty());
}

#[test]
fn only_the_crates_at_the_seam_know_llvm() {
    for name in crates() {
        let is_at_seam = ["module", "instrument"].contains(&name.as_str());
        let names_it = dependencies(&name).iter().any(|it| it == "inkwell");
        assert!(is_at_seam || !names_it, "{name} must not depend on inkwell");
    }
    assert!(depends("check", "inkwell"), "a dependency by way of another crate is seen");
    for name in ["program", "change", "effect", "search", "solve", "path", "run", "compare"] {
        assert!(!depends(name, "inkwell"), "{name} must not load LLVM");
    }
}

#[test]
fn running_a_program_knows_nothing_of_the_rest() {
    let own = |name: &&String| name.starts_with("parallax-");
    let allowed = ["parallax-abi", "parallax-deadline"];
    for dependency in dependencies("run").iter().filter(own) {
        assert!(allowed.contains(&dependency.as_str()), "run must not depend on {dependency}");
    }
    for name in crates() {
        assert!(!depends(&name, "parallax"), "{name} must not depend on the command line");
    }
}

/// The sources of a crate, with their paths.
fn sources(name: &str) -> Vec<(String, String)> {
    let mut pending = vec![root().join(format!("crates/{name}/src"))];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn only_the_command_line_prints_and_exits() {
    for name in crates().into_iter().filter(|name| name != "parallax") {
        for (path, text) in sources(&name) {
            for call in ["println!(", "print!(", "eprint!(", "process::exit("] {
                assert!(!text.contains(call), "{path} has {call}");
            }
        }
    }
}

#[test]
fn verbs_do_not_know_each_other() {
    for (path, text) in sources("parallax") {
        let is_verb = path.contains("/verbs/");
        assert!(!is_verb || !text.contains("verbs::"), "{path} uses another verb");
    }
    let lines: usize = sources("parallax").iter().map(|(_, text)| text.lines().count()).sum();
    assert!(
        lines <= 3500,
        "the command line has {lines} lines: is it logic that belongs to a library?"
    );
}

#[test]
fn the_compiler_wrapper_does_not_load_llvm() {
    let wrapper = fs::read(env!("CARGO_BIN_EXE_parallax-cc")).unwrap();
    let loads = wrapper.windows(7).any(|window| window == b"libLLVM");
    assert!(!loads, "parallax-cc starts for every file of a build");
}

/// Words of a dialect that this repository gave up, each with what to say instead.
const RETIRED: [(&str, &str); 14] = [
    ("anybody", "any run, any process"),
    ("everybody", "all of them"),
    ("interplay", "splice"),
    ("lexicon", "dictionary"),
    ("mending", "repair"),
    ("nobody", "no run, no process"),
    ("opponent", "counterpart"),
    ("parting", "divergence"),
    ("partings", "divergences"),
    ("patience", "time limit, wait"),
    ("rival", "counterpart"),
    ("somebody", "a run, a process"),
    ("whoever", "a function that"),
    ("wording", "dictionary"),
];

/// Names of other people's things: the user `nobody`, and the algorithms called patience.
const NAMES_OF_OTHERS: [(&str, &str); 2] =
    [("nobody", "lab/privilege.rs"), ("patience", "compare/src/lines.rs")];

/// The words of a name or of a sentence in lower case: `becomeNobody` and `become_nobody` have two.
fn words(line: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    for letter in line.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphabetic() { letter.to_ascii_lowercase() } else { ' ' });
    }
    let shouted = line.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase);
    spaced.split_whitespace().map(str::to_owned).chain(shouted).collect()
}

#[test]
fn names_and_comments_use_the_words_of_the_field() {
    let mut found = Vec::new();
    for (path, text) in crates().iter().flat_map(|name| sources(name)) {
        for (number, line) in (1..).zip(text.lines()) {
            let words = words(line);
            for (word, instead) in RETIRED.iter().filter(|(word, _)| words.contains(*word)) {
                let is_name_of_other = NAMES_OF_OTHERS
                    .iter()
                    .any(|(name, place)| name == word && path.ends_with(place));
                let is_user = *word == "nobody" && line.contains("Identity::Nobody");
                if !is_name_of_other && !is_user {
                    found.push(format!("{path}:{number}: {word}; say: {instead}\n"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.concat());
    assert!(
        words("fn become_nobody(Nobody, PATIENCE)")
            .is_superset(&["nobody", "patience", "become"].map(str::to_owned).into())
    );
}
