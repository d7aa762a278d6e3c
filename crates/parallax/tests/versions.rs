//! Every way to name a version: files, executables, trees, revisions.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::fs;

use place::Place;

#[test]
fn several_files_with_flags_make_a_program() {
    let place = Place::new();
    place.write("a.c", "#include <math.h>\n#include <stdio.h>\nint limit(void);\nint main(void) { printf(\"%d %.0f\\n\", limit(), sqrt(SQUARE)); return 0; }\n");
    place.write("b1.c", "int limit(void) { return 7; }\n");
    place.write("b2.c", "int limit(void) { return 8; }\n");
    place.write("t.toml", "args = []\n");
    let printed = place.parallax(&[
        "compare",
        "a.c,b1.c",
        "a.c,b2.c",
        "--cflags",
        "-O2 -DSQUARE=144.0",
        "--tests",
        "t.toml",
    ]);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    assert!(
        printed.stdout.contains("-7 12") && printed.stdout.contains("+8 12"),
        "{}",
        printed.stdout
    );
}

#[test]
fn dialects_are_found_out() {
    let place = Place::new();
    // Its own getline clashes with the one of POSIX, as in many programs of the eighties.
    place.write("old.c", "#include <stdio.h>\nint getline(s) char *s; { return s != 0; }\nmain() { return getline(\"x\") + 41; }\n");
    place.write(
        "young.c",
        "#include <stdio.h>\nint main() { bool b = true; return b ? 42 : nullptr == nullptr; }\n",
    );
    place.write("t.toml", "args = []\n");
    let printed = place.parallax(&["compare", "old.c", "young.c", "--tests", "t.toml"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
    assert!(printed.stderr.contains("old.c compiles only with -std=c89"), "{}", printed.stderr);
    assert!(printed.stderr.contains("young.c compiles only with -std=gnu23"), "{}", printed.stderr);
}

#[test]
fn a_header_that_changes_is_another_build() {
    let place = Place::new();
    place.write("p.c", "#include \"p.h\"\nint main(void) { return STATUS; }\n");
    place.write("t.toml", "args = []\n");
    for status in [3, 4] {
        place.write("p.h", &format!("#define STATUS {status}\n"));
        let printed = place.parallax(&["replay", "t.toml", "p.c"]);
        assert!(printed.stdout.contains(&format!("exit status {status}")), "{}", printed.stdout);
    }
}

/// A project whose makefile says gcc, builds an archive and prints where its sources are.
fn project(place: &Place, folder: &str, answer: i32) {
    place.write(&format!("{folder}/Makefile"), "prog: main.o libanswer.a\n\tgcc -o $@ main.o libanswer.a\nlibanswer.a: answer.o\n\tar rcs $@ answer.o\n%.o: %.c\n\tgcc -O2 -c $(CURDIR)/$<\n");
    place.write(&format!("{folder}/main.c"), "#include <stdio.h>\nint answer(void);\nint main(void) { printf(\"%s %d\\n\", __FILE__, answer()); return 0; }\n");
    place.write(
        &format!("{folder}/answer.c"),
        &format!("int answer(void) {{ return {answer}; }}\n"),
    );
}

#[test]
fn trees_are_built_in_copies_and_only_once() {
    let place = Place::new();
    project(&place, "one", 1);
    project(&place, "two", 2);
    place.write("t.toml", "args = []\n");
    let count = place.cache().join("count");
    let build = format!("make && echo built >> {}", count.display());
    let words = ["compare", "one", "two", "--build", &build, "--bin", "prog", "--tests", "t.toml"];
    for _ in 0..2 {
        let printed = place.parallax(&words);
        assert_eq!(printed.status, 1, "{}", printed.stderr);
        assert!(
            printed.stdout.contains("-main.c 1") && printed.stdout.contains("+main.c 2"),
            "{}",
            printed.stdout
        );
    }
    assert_eq!(fs::read_to_string(&count).unwrap(), "built\nbuilt\n", "each tree is built once");
    assert_eq!(
        place.output("ls one"),
        "Makefile\nanswer.c\nmain.c\n",
        "the user's tree is untouched"
    );
}

#[test]
fn a_tree_that_holds_foreign_objects_says_how_to_build_it() {
    let place = Place::new();
    project(&place, "one", 1);
    place.write("t.toml", "args = []\n");
    place.sh("mkdir bin; ln -s $(command -v clang-19) bin/gcc; PATH=$PWD/bin:$PATH make -s -C one");
    let words = ["compare", "one", "one", "--build", "make", "--bin", "prog", "--tests", "t.toml"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("make clean && make"), "{}", printed.stderr);
}

#[test]
fn a_failing_build_shows_its_last_words() {
    let place = Place::new();
    project(&place, "one", 1);
    place.write("t.toml", "args = []\n");
    let words = [
        "compare",
        "one",
        "one",
        "--build",
        "echo about to fail; exit 3",
        "--bin",
        "prog",
        "--tests",
        "t.toml",
    ];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 2);
    assert!(
        printed.stderr.contains("about to fail") && printed.stderr.contains("exit status: 3"),
        "{}",
        printed.stderr
    );
    let words =
        ["compare", "one", "one", "--build", "true", "--bin", "nothing", "--tests", "t.toml"];
    let printed = place.parallax(&words);
    assert!(
        printed.stderr.contains("failed to find nothing after building one"),
        "{}",
        printed.stderr
    );
    place.assert_clean();
}

#[test]
fn revisions_are_built_beside_the_users_tree() {
    let place = Place::new();
    project(&place, ".", 1);
    place.sh("git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -q -m one");
    project(&place, ".", 2);
    place.sh("git -c user.name=a -c user.email=a@b commit -q -a -m two");
    place.write("t.toml", "args = []\n");
    place.write("answer.c", "not even C\n");
    let before = place.output("git status --porcelain; git worktree list; ls .git");
    let words =
        ["compare", "HEAD~1", "HEAD", "--build", "make", "--bin", "prog", "--tests", "t.toml"];
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    assert!(
        printed.stdout.contains("-main.c 1") && printed.stdout.contains("+main.c 2"),
        "{}",
        printed.stdout
    );
    assert_eq!(place.output("git status --porcelain; git worktree list; ls .git"), before);
}

#[test]
fn a_libtool_wrapper_stands_for_the_program_behind_it() {
    let place = Place::new();
    place.write("m.c", "int f(void); int main(void) { return f(); }\n");
    place.write("f.c", "int f(void) { return 5; }\n");
    place.write("t.toml", "args = []\n");
    place.sh("mkdir -p .libs && $CC -fPIC -shared f.c -o .libs/libf.so && $CC m.c -L.libs -lf -o .libs/prog");
    let libs = place.path(".libs");
    let script = format!(
        "#! /bin/sh\n# prog - temporary wrapper script for .libs/prog\n  program='prog'\n    LD_LIBRARY_PATH=\"{}:$LD_LIBRARY_PATH\"\nexec false\n",
        libs.display()
    );
    place.write("prog", &script);
    let printed = place.parallax(&["replay", "t.toml", "prog"]);
    assert!(printed.stdout.contains("exit status 5"), "{}{}", printed.stdout, printed.stderr);
    let module = place.parallax(&["module", "prog"]);
    assert!(
        module.stdout.contains("2 units, 1 shared library, 2 functions"),
        "{}{}",
        module.stdout,
        module.stderr
    );
}

#[test]
fn bitcode_that_was_deleted_is_missed_clearly_and_made_again() {
    let place = Place::new();
    place.write("p.c", "int main(void) { return 0; }\n");
    place.sh("$CC p.c -o prog");
    assert_eq!(place.parallax(&["module", "p.c"]).status, 0);
    fs::remove_dir_all(place.cache().join("bitcode")).unwrap();
    let gone = place.parallax(&["module", "prog"]);
    assert_eq!(gone.status, 2);
    assert!(
        gone.stderr.contains("p.c") && gone.stderr.contains("build the program again"),
        "{}",
        gone.stderr
    );
    assert_eq!(place.parallax(&["module", "p.c"]).status, 0, "a cached build is made again");
}
