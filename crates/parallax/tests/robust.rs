//! Errors around a search, or inside it, never show up as results.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use place::Place;
use serde_json::Value;

fn result(place: &Place) -> Value {
    serde_json::from_str(&place.read("parallax.out/result.json")).unwrap()
}

/// A sum in two ways, which takes an SMT solver to see; and a status for an input that is too
/// short.
fn sum(expression: &str, status: u8) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{\n  unsigned x = 0, y = 0;\n  \
         if (fread(&x, 4, 1, stdin) != 1 || fread(&y, 4, 1, stdin) != 1) return {status};\n  \
         printf(\"%d\\n\", {expression} > 1000000u);\n  return 0;\n}}\n"
    )
}

#[test]
fn a_solver_that_fails_proves_nothing_and_spoils_nothing() {
    let place = Place::new();
    let words = |solver| {
        let words = ["check", "old.c", "new.c", "--budget", "3s", "--bounds", "args=0,bytes=8"];
        [&words[..], &["--all", "--solver", solver]].concat()
    };
    let names = "names=$(sed -n 's/^(get-value (\\(.*\\)))$/\\1/p')\n";
    let wrong = "echo sat\nfor name in $names; do printf '(%s #x07) ' \"$name\"; done";
    place.write("dies.sh", "kill -9 $$\n");
    place.write("hangs.sh", "exec sleep 1000\n");
    place.write("rubbish.sh", "cat > /dev/null; echo unsatisfactory; echo '((('\n");
    place.write("wrong.sh", &format!("{names}{wrong} | sed 's/^/(/; s/$/)/'\n"));
    place.write("old.c", &sum("(x & y) + (x | y)", 2));
    let all = ["sh dies.sh", "sh hangs.sh", "sh rubbish.sh", "sh wrong.sh"];
    for (status, verdict, solvers) in
        [(2, "no-difference-found", &all[..]), (3, "different", &all[..2])]
    {
        place.write("new.c", &sum("x + y", status));
        for solver in solvers {
            let printed = place.parallax(&words(solver));
            assert_ne!(printed.status, 2, "{solver}: {}", printed.stderr);
            let result = result(&place);
            assert_eq!(result["verdict"], verdict, "{solver}: {}", printed.stdout);
            if verdict != "different" {
                assert_ne!(result["queries"]["unknown"], 0, "{solver} was not asked");
                assert_ne!(result["unproved"].as_array().unwrap().len(), 0, "{solver}");
            }
        }
    }
    // With a working solver there is a proof.
    place.write("new.c", &sum("x + y", 2));
    let words = ["check", "old.c", "new.c", "--bounds", "args=0,bytes=8"];
    assert!(place.parallax(&words).stdout.contains("the versions do the same"));
    let missing = place.parallax(&[&words[..], &["--solver", "no-such-solver"]].concat());
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("failed to start the solver no-such-solver"));
}

#[test]
fn a_version_that_runs_out_of_memory_is_different() {
    let place = Place::new();
    let program = |most: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             int main(int argc, char **argv) {{\n  if (argc < 2 || argv[1][0] != 'm') return 0;\n  \
             for (long i = 0; i < {most}; i++) {{\n    char *p = malloc(1 << 20);\n    \
             if (!p) {{ puts(\"no memory\"); return 3; }}\n    memset(p, 1, 1 << 20);\n  }}\n  \
             puts(\"done\");\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", &program("1"));
    place.write("new.c", &program("1000000"));
    let words = ["check", "old.c", "new.c", "--memory-limit", "64", "--budget", "20s"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    let result = result(&place);
    let aspects = result["findings"][0]["differs_in"].as_array().unwrap();
    assert!(aspects.contains(&"exit".into()), "{aspects:?}");
}

/// The directories of the symbolic builds in the cache that a search runs.
fn symbolic_builds(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.cache().join("symbolic")).unwrap();
    let entries = entries.map(|entry| entry.unwrap().path());
    let mut builds: Vec<_> = entries.filter(|entry| entry.join("model.bc").is_file()).collect();
    builds.sort();
    builds
}

/// Copies one entry of the cache over another one, so that it looks as made.
fn replace(entry: &Path, by: &Path) {
    for file in fs::read_dir(by).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), entry.join(file.file_name())).unwrap();
    }
}

/// The program beside the model that it was made from.
fn program_in(build: &Path) -> PathBuf {
    let files = fs::read_dir(build).unwrap().map(|file| file.unwrap());
    let is_program = |file: &fs::DirEntry| {
        let mode = file.metadata().unwrap().permissions().mode();
        file.file_type().unwrap().is_file() && mode & 0o111 != 0
    };
    files.into_iter().find(is_program).unwrap().path()
}

#[test]
fn an_engine_that_is_wrong_is_caught() {
    let place = Place::new();
    let program = |word: &str, twice: &str| {
        format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  int n = {twice};\n  \
             if (n > 2) puts(\"{word}\");\n  return 0;\n}}\n"
        )
    };
    let words = ["check", "old.c", "new.c", "--runs", "100"];
    // The output of the old version on a wrong engine.
    place.write("old.c", &program("evil", "argc * 2"));
    place.write("new.c", &program("good", "argc << 1"));
    assert_eq!(place.parallax(&words).status, 1);
    let builds = symbolic_builds(&place);
    assert_eq!(builds.len(), 2, "{builds:?}");
    let is_evil = |build: &PathBuf| {
        let bytes = fs::read(program_in(build)).unwrap();
        bytes.windows(4).any(|part| part == b"evil")
    };
    let evil = builds.iter().find(|build| is_evil(build)).unwrap().clone();
    // The real output of the old version.
    place.write("old.c", &program("good", "argc * 2"));
    let right = place.parallax(&words);
    assert_eq!(right.status, 0, "{}{}", right.stdout, right.stderr);
    assert_eq!(result(&place)["verdict"], "equivalent");
    let good = symbolic_builds(&place).into_iter().find(|build| !builds.contains(build)).unwrap();
    replace(&good, &evil);
    let wrong = place.parallax(&words);
    assert_eq!(wrong.status, 0, "{}{}", wrong.stdout, wrong.stderr);
    let result = result(&place);
    assert_eq!(
        (&result["verdict"], &result["findings"]),
        (&"no-difference-found".into(), &Value::Array(Vec::new()))
    );
    assert!(result["unconfirmed"].as_u64().unwrap() > 0, "the engine was right: {result}");
    assert!(wrong.stdout.contains("looked different and did not on plain builds"));
}
