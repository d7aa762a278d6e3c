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
fn flags_are_quoted_as_in_a_shell() {
    let place = Place::new();
    place.write("a.c", "#include <stdio.h>\nint main(void) { puts(GREETING); return 0; }\n");
    place.write("t.toml", "args = []\n");
    let replay = |flags| place.parallax(&["replay", "t.toml", "a.c", "--cflags", flags]);
    let printed = replay(r#"-w '-DGREETING="good day"'"#);
    assert!(printed.stdout.contains("good day"), "{}{}", printed.stdout, printed.stderr);
    let printed = replay("-w '-DGREETING=1");
    assert!(printed.status == 2 && printed.stderr.contains("--cflags: a quote is not closed"));
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

/// A project whose makefile says gcc, builds an archive and prints the path of its sources.
fn project(place: &Place, folder: &str, answer: i32) {
    place.write(&format!("{folder}/Makefile"), "prog: main.o libanswer.a\n\tgcc -o $@ main.o libanswer.a\nlibanswer.a: answer.o\n\tar rcs $@ answer.o\n%.o: %.c\n\tgcc -O2 -c $(CURDIR)/$<\n");
    place.write(&format!("{folder}/main.c"), "#include <stdio.h>\nint answer(void);\nint main(void) { printf(\"%s %d\\n\", __FILE__, answer()); return 0; }\n");
    place.write(
        &format!("{folder}/answer.c"),
        &format!("int answer(void) {{ return {answer}; }}\n"),
    );
}

/// Commits all there is, to a repository that is made if need be.
fn commit(place: &Place) {
    place.sh("git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -q -m x");
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
    commit(&place);
    project(&place, ".", 2);
    commit(&place);
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

/// As libtool and most makefiles make them.
#[test]
fn libraries_and_programs_may_be_links() {
    let place = Place::new();
    for (folder, answer) in [("one", 1), ("two", 2)] {
        place.write(
            &format!("{folder}/m.c"),
            "#include <stdio.h>\nint f(void); int main(void) { printf(\"%d\\n\", f()); return 0; }\n",
        );
        place.write(&format!("{folder}/f.c"), &format!("int f(void) {{ return {answer}; }}\n"));
    }
    place.write("t.toml", "args = []\n");
    let count = place.cache().join("count");
    let build = format!(
        "$CC -fPIC -shared f.c -Wl,-soname,libf.so.1 -o libf.so.1.0 && ln -s libf.so.1.0 libf.so.1 && \
         $CC m.c libf.so.1 -Wl,-rpath,'$ORIGIN' -o m.1 && ln -s m.1 m && echo built >> {}",
        count.display()
    );
    let words = ["compare", "one", "two", "--build", &build, "--bin", "m", "--tests", "t.toml"];
    for _ in 0..2 {
        let printed = place.parallax(&words);
        assert_eq!(printed.status, 1, "{}", printed.stderr);
        assert!(printed.stdout.contains("-1\n    +2"), "{}", printed.stdout);
    }
    assert_eq!(fs::read_to_string(&count).unwrap(), "built\nbuilt\n", "each tree is built once");
    place.sh(&format!("rm {}/builds/*/tree/libf.so.1", place.cache().display()));
    assert_eq!(place.parallax(&words).status, 1, "what is damaged is built again");
    assert_eq!(fs::read_to_string(&count).unwrap().lines().count(), 4);
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

#[test]
fn a_hook_of_git_does_not_lead_us_to_the_users_repository() {
    let place = Place::new();
    project(&place, ".", 1);
    commit(&place);
    project(&place, ".", 2);
    commit(&place);
    place.write("t.toml", "args = []\n");
    let state = "git status -sb; git rev-parse HEAD; git branch";
    let before = place.output(state);
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let compare = format!("{parallax} compare HEAD~1 HEAD --build make --bin prog --tests t.toml");
    let hook =
        format!("GIT_DIR=$PWD/.git GIT_INDEX_FILE=$PWD/.git/index GIT_WORK_TREE=$PWD {compare}");
    assert_eq!(place.status(&hook), 1);
    assert_eq!(place.output(state), before);
}

#[test]
fn a_folder_of_the_repository_is_built_where_the_user_is() {
    let place = Place::new();
    project(&place, ".", 1);
    project(&place, "sub", 5);
    commit(&place);
    project(&place, "sub", 6);
    commit(&place);
    place.write("t.toml", "args = []\n");
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let compare = format!(
        "cd sub && {parallax} compare HEAD~1 HEAD --build make --bin prog --tests ../t.toml"
    );
    let printed = place.output(&compare);
    assert!(printed.contains("main.c 5") && printed.contains("main.c 6"), "{printed}");
}

#[test]
fn submodules_come_along() {
    let place = Place::new();
    project(&place, "lib", 3);
    let commit = "git -c user.name=a -c user.email=a@b commit -q -a -m";
    place.sh(&format!("cd lib && git init -q . && git add . && {commit} lib"));
    place.write("top/Makefile", "prog:\n\t$(MAKE) -C deps/lib && cp deps/lib/prog .\n");
    place.sh(&format!(
        "cd top && git init -q . && git -c protocol.file.allow=always submodule --quiet add ../lib deps/lib && git add . && {commit} top"
    ));
    place.write("t.toml", "args = []\n");
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let replay = format!("cd top && {parallax} replay ../t.toml HEAD --build make --bin prog");
    assert!(place.output(&replay).contains("main.c 3"), "{}", place.output(&replay));
}

#[test]
fn a_submodule_that_cannot_be_had_is_left_out_if_it_is_not_needed() {
    let place = Place::new();
    project(&place, "top", 3);
    project(&place, "gone", 4);
    let commit = "git -c user.name=a -c user.email=a@b commit -q -a -m";
    place.sh(&format!("cd gone && git init -q . && git add . && {commit} gone"));
    place.sh(&format!(
        "cd top && git init -q . && git -c protocol.file.allow=always submodule --quiet add ../gone deps/gone && git add . && {commit} one && echo >> main.c && {commit} two && rm -rf ../gone deps/gone .git/modules"
    ));
    place.write("t.toml", "args = []\n");
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let compare = |build: &str, more: &str| {
        let line = format!("cd top && {parallax} compare HEAD~1 HEAD --build '{build}' --bin prog");
        place.output(&format!("{line} --tests ../t.toml {more} 2>&1; echo status $?"))
    };
    let told = "the submodule deps/gone cannot be checked out and is left out: ";
    for _ in 0..2 {
        let printed = compare("make", "");
        assert_eq!(printed.matches(told).count(), 1, "{printed}");
        assert!(printed.contains("--no-submodules") && printed.contains("status 0"), "{printed}");
    }
    let printed = compare("make", "--no-submodules");
    assert!(!printed.contains("submodule") && printed.contains("status 0"), "{printed}");
    let printed = compare("make -C deps/gone", "");
    assert!(printed.contains(told) && printed.contains("status 2"), "{printed}");
}

#[test]
fn a_program_outside_the_tree_is_refused() {
    let place = Place::new();
    project(&place, "one", 1);
    place.write("t.toml", "args = []\n");
    for bin in ["/bin/true", "../prog"] {
        let printed = place.parallax(&["replay", "t.toml", "one", "--build", "make", "--bin", bin]);
        assert_eq!(printed.status, 2);
        assert!(printed.stderr.contains("relative to the tree"), "{}", printed.stderr);
    }
}

#[test]
fn what_a_build_depends_on_makes_another_build() {
    let place = Place::new();
    place.write("t.toml", "args = []\n");
    place.write("m.c", "int f(void); int main(void) { return f(); }\n");
    for status in [3, 4] {
        place.write("f.c", &format!("int f(void) {{ return {status}; }}\n"));
        place.sh("clang-19 -S f.c -o f.s && clang-19 -c f.c && rm -f f.a && ar rc f.a f.o");
        for words in [&["m.c,f.s"][..], &["m.c", "--ldflags=f.a"]] {
            let printed = place.parallax(&[&["replay", "t.toml"], words].concat());
            let expected = format!("exit status {status}");
            assert!(
                printed.stdout.contains(&expected),
                "{words:?}: {}{}",
                printed.stdout,
                printed.stderr
            );
        }
    }
    place.write("tree/Makefile", "prog: p.c\n\t$(CC) -DSTATUS=$(STATUS) p.c -o prog\n");
    place.write(
        "tree/p.c",
        "#include \"../outside.h\"\nint main(void) { return STATUS + OUTSIDE; }\n",
    );
    let outside = place.cache().join("builds/outside.h");
    let parallax = env!("CARGO_BIN_EXE_parallax");
    let replay = |setting: &str, flag: &str, number: i32| {
        fs::create_dir_all(outside.parent().unwrap()).unwrap();
        place.write(
            "tree/p.c",
            &format!(
                "#include \"{}\"\nint main(void) {{ return STATUS + OUTSIDE; }}\n",
                outside.display()
            ),
        );
        fs::write(&outside, format!("#define OUTSIDE {number}\n")).unwrap();
        place.output(&format!(
            "{setting} {parallax} replay t.toml tree --build make --bin prog {flag}"
        ))
    };
    assert!(replay("STATUS=3", "", 0).contains("exit status 3"));
    assert!(replay("STATUS=4", "", 0).contains("exit status 4"), "the environment counts");
    assert!(replay("STATUS=4", "--rebuild", 1).contains("exit status 5"), "the user can insist");
}

#[test]
fn the_tree_of_a_build_is_no_difference() {
    let place = Place::new();
    for folder in ["one", "two"] {
        place.write(
            &format!("{folder}/Makefile"),
            "prog: p.c\n\t$(CC) -DWHERE='\"'$$PWD'/share\"' p.c -o prog\n",
        );
        place.write(
            &format!("{folder}/p.c"),
            &format!(
                "/* {folder} */\n#include <stdio.h>\nint main(void) {{ puts(WHERE); return 0; }}\n"
            ),
        );
    }
    place.write("t.toml", "args = []\n");
    let printed = place.parallax(&[
        "compare", "one", "two", "--build", "make", "--bin", "prog", "--tests", "t.toml",
    ]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn a_source_may_have_any_name() {
    let place = Place::new();
    place.write("finished.c", "int main(void) { return 4; }\n");
    place.write("t.toml", "args = []\n");
    for _ in 0..2 {
        let printed = place.parallax(&["replay", "t.toml", "finished.c"]);
        assert!(printed.stdout.contains("exit status 4"), "{}", printed.stderr);
    }
}
