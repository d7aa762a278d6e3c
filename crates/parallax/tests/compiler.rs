//! `parallax-cc` on the command lines that builds really use.
//!
//! Each test is a shell script in a fresh directory, where `$CC` and `$CXX` are ours, and its
//! expected outcome: the program still works, and the sources that were linked are known.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;

/// Runs a script that leaves `prog`, which must print `42`, and checks its sources.
#[track_caller]
fn check(script: &str, sources: &[&str]) {
    let place = Place::new();
    place.write(
        "main.c",
        "#include <stdio.h>\nint f(void);\nint main(void) { printf(\"%d\\n\", f()); return 0; }\n",
    );
    place.write("f.c", "int f(void) { return 42; }\n");
    place.sh(script);
    assert_eq!(place.output("./prog"), "42\n");
    let mut expected = sources.to_vec();
    expected.sort_unstable();
    assert_eq!(place.sources("prog"), expected);
}

#[test]
fn compile_and_link_apart_and_in_one_go() {
    check(
        "$CC -O2 -c main.c && $CC -g -c f.c -o f.o && $CC main.o f.o -o prog",
        &["main.c", "f.c"],
    );
    check("$CC -O2 main.c f.c -o prog", &["main.c", "f.c"]);
    check("$CC main.c f.c && mv a.out prog", &["main.c", "f.c"]);
    check("$CC -c main.c f.c && $CC -oprog main.o f.o", &["main.c", "f.c"]);
}

#[test]
fn what_is_linked_is_what_counts() {
    let script = "echo 'int unused(void) { return 1; }' > unused.c; $CC -c main.c f.c unused.c; \
                  ar rc lib.a f.o unused.o && $CC main.o lib.a -o prog";
    check(script, &["main.c", "f.c"]);
    check(
        "$CC -c main.c f.c && ld -r main.o f.o -o both.o && $CC both.o -o prog",
        &["main.c", "f.c"],
    );
    check(
        "$CC -ffunction-sections main.c f.c -Wl,--gc-sections -o prog && strip prog",
        &["main.c", "f.c"],
    );
}

#[test]
fn a_shared_library_of_the_build_belongs_to_the_program() {
    let script =
        "$CC -fPIC -shared f.c -o libf.so && $CC main.c -L. -lf -Wl,-rpath,'$ORIGIN' -o prog";
    check(script, &["main.c", "f.c"]);
    check(
        "$CC -fPIC -c f.c && $CC -shared -Wl,-soname,libf.so.1 f.o -o libf.so.1 && \
         $CC main.c libf.so.1 -Wl,-rpath,$PWD -o prog",
        &["main.c", "f.c"],
    );
}

#[test]
fn sources_come_in_many_ways() {
    check("cat main.c | $CC -x c - f.c -x none -o prog", &["-", "f.c"]);
    check(
        "echo '-O1 main.c f.c' > args; echo '-o prog' > more; $CC @args @more",
        &["main.c", "f.c"],
    );
    check("$CC -E f.c > f.i && $CC main.c f.i -o prog", &["main.c", "f.i"]);
    check(
        "cp f.c 'f g.c'; $CC -c 'f g.c' -o 'f g.o' && $CC main.c 'f g.o' -o prog",
        &["main.c", "f g.c"],
    );
    check("mv f.c f.txt; $CC -c -x c f.txt -o f.o && $CC main.c f.o -o prog", &["main.c", "f.txt"]);
    check("$CC -pipe -S f.c && $CC -c f.s && $CC main.c f.o -o prog", &["main.c", "f.c"]);
    check(
        "mkdir d; cp f.c d; $CC -Id -MD -MP -MF d/f.d -c d/f.c -o d/f.o && test -s d/f.d && $CC main.c d/f.o -o prog",
        &["main.c", "d/f.c"],
    );
}

#[test]
fn assembler_is_linked_and_noted_as_without_bitcode() {
    let place = Place::new();
    place.write("main.c", "int f(void); int main(void) { return f(); }\n");
    place.write("f.S", ".globl f\nf:\n#ifdef __x86_64__\n movl $7, %eax\n ret\n#else\n mov w0, #7\n ret\n#endif\n.section .note.GNU-stack,\"\",%progbits\n");
    place.sh("$CC -c f.S && $CC main.c f.o -o apart && $CC main.c f.S -o together");
    for program in ["apart", "together"] {
        assert_eq!(place.status(&format!("./{program}")), 7);
        let missing = place.parallax(&["module", program]);
        assert!(
            missing.stderr.contains("no bitcode of") && missing.stderr.contains("it is assembler"),
            "{}",
            missing.stderr
        );
        assert!(missing.stdout.contains("2 units (1 without bitcode)"), "{}", missing.stdout);
        let rebuilt = place.parallax(&["module", program, "--sanitizer-build", "sane"]);
        assert_eq!(rebuilt.status, 0, "{}", rebuilt.stderr);
        assert_eq!(place.status("./sane"), 7);
    }
}

#[test]
fn flags_of_gcc_do_not_fail_a_build_and_unknown_flags_do() {
    check(
        "$CC -fipa-pta -Wlogical-op -Werror -fno-tree-vrp main.c f.c -o prog",
        &["main.c", "f.c"],
    );
    check("$CC -flto -O2 main.c f.c -o prog", &["main.c", "f.c"]);
    check("$CC -flto -fsanitize=cfi -fvisibility=hidden main.c f.c -o prog", &["main.c", "f.c"]);
    let place = Place::new();
    place.write("f.c", "int f(void) { return 42; }\n");
    assert_ne!(place.status("$CC -fno-such-flag-anywhere -c f.c 2> err"), 0);
    assert!(place.read("err").contains("-fno-such-flag-anywhere"));
    assert_ne!(place.status("test -e f.o"), 0, "nothing was compiled");
}

#[test]
fn assembler_that_was_edited_is_no_longer_its_source() {
    check("$CC -S f.c -o f.s && $CC main.c f.s -o prog", &["f.c", "main.c"]);
    let place = Place::new();
    place.write("main.c", "int f(void);\nint main(void) { return f(); }\n");
    place.write("f.c", "int f(void) { return 7; }\n");
    place.sh("$CC -O1 -S f.c -o f.s && sed -i 's/\\b7\\b/9/' f.s");
    place.sh("$CC -c f.s && $CC main.c f.o -o apart && $CC main.c f.s -o together");
    for program in ["apart", "together"] {
        assert_eq!(place.status(&format!("./{program}")), 9);
        assert_eq!(place.sources(program), ["f.s", "main.c"]);
    }
}

#[test]
fn what_was_not_compiled_by_us_is_said() {
    let place = Place::new();
    place.write("main.c", "int f(void);\nint main(void) { return f(); }\n");
    place.write("f.c", "int f(void) { return 7; }\n");
    place.write("g.c", "int g(void) { return 8; }\n");
    place.sh("clang-19 -c f.c g.c && ar rc libfg.a f.o g.o");
    place.sh("$CC main.c f.o -o object && $CC main.c libfg.a -o archive && $CC main.c -L. -lfg -o library");
    for (program, foreign) in
        [("object", "f.o"), ("archive", "libfg.a(f.o)"), ("library", "libfg.a(f.o)")]
    {
        let printed = place.parallax(&["module", program]);
        let line = format!("{foreign}: it was not compiled with parallax-cc");
        assert!(printed.stderr.contains(&line), "{program}: {}", printed.stderr);
        assert!(!printed.stderr.contains("g.o"), "{program}: {}", printed.stderr);
    }
}

#[test]
fn sources_that_can_be_read_only_once_are_compiled_once() {
    let place = Place::new();
    place.write("f.c", "int main(void) { return 42; }\n");
    place.sh("cat f.c | $CC -x c /dev/stdin -o piped && cat f.c | $CC -fipa-pta -x c - -o flagged");
    place.sh("mkfifo fifo; cat f.c > fifo & $CC -x c fifo -o named");
    for program in ["piped", "flagged", "named"] {
        assert_eq!(place.status(&format!("./{program}")), 42, "{program}");
    }
    assert_eq!(place.sources("flagged"), ["-"]);
}

#[test]
fn command_lines_of_any_length_work() {
    let place = Place::new();
    place.write("f.c", "int main(void) { return LAST; }\n");
    place.sh("i=0; while [ $i -lt 9000 ]; do echo \"-DSOME_LONG_NAME_OF_A_MACRO_$i=$i\"; i=$((i+1)); done > args; echo '-DLAST=42 -o prog f.c' >> args; $CC @args");
    assert_eq!(place.status("./prog"), 42);
    assert_eq!(place.sources("prog"), ["f.c"]);
}

#[test]
fn an_error_that_the_user_asks_for_stays_one() {
    let place = Place::new();
    place.write(
        "q.c",
        "int main(void) { return undeclared(); }\nint undeclared(void) { return 0; }\n",
    );
    assert_eq!(place.status("$CC -c q.c 2> /dev/null"), 0);
    assert_eq!(place.status("$CC -Werror -c q.c 2> /dev/null"), 1);
}

#[test]
fn precompiled_headers_and_saved_temporaries_leave_what_clang_leaves() {
    let place = Place::new();
    place.write("f.c", "#include \"h.h\"\nint main(void) { return X; }\n");
    place.write("h.h", "#define X 42\n");
    place.sh("$CC f.c && $CC h.h && $CC --save-temps -c f.c");
    let ours = place.listing();
    place.sh("rm -f a.out h.h.* f.o f.i f.s f.bc; clang-19 f.c && clang-19 h.h && clang-19 --save-temps -c f.c");
    assert_eq!(ours, place.listing());
}

#[test]
fn probes_of_configure_scripts_get_the_compilers_own_answer() {
    let place = Place::new();
    place.write("conftest.c", "#include <no/such/header.h>\nint main(void) { return 0; }\n");
    assert_eq!(place.status("$CC -c conftest.c 2> err"), 1);
    assert_eq!(
        place
            .status("echo 'int main(void){return missing_function();}' > t.c; $CC t.c -o t 2> err"),
        1
    );
    assert_ne!(place.status("test -e t"), 0);
    assert_eq!(place.status("$CC --version > out && grep -q clang out"), 0);
    assert_eq!(place.status("$CC -dumpmachine > out && test -s out"), 0);
    assert_eq!(
        place.status("echo '#define X 12345' | $CC -E -x c - -dM > out && grep -q 'X 12345' out"),
        0
    );
    assert_eq!(place.status("echo 'int x;' > x.c; $CC -MM x.c > out && grep -q 'x.o: x.c' out"), 0);
    assert_eq!(place.status("$CC -fsyntax-only x.c && test ! -e x.o"), 0);
    assert_eq!(place.status("$CC -c x.c -o /dev/null"), 0);
    assert_eq!(place.status("$CC 2> err"), 1);
    assert_eq!(place.status("$CC -print-prog-name=ld > out && test -s out"), 0);
}

#[test]
fn dialects_of_forty_years_compile() {
    let place = Place::new();
    place.write(
        "old.c",
        "main(argc, argv) char **argv; { return add(argc, 41); }\nadd(a, b) { return a + b; }\n",
    );
    place.sh("$CC -w old.c -o old");
    assert_eq!(place.status("./old"), 42);
    place.write("young.c", "int main() { constexpr bool yes = true; auto x = nullptr; return x == nullptr && yes ? 42 : 0; }\n");
    place.sh("$CC -std=c23 young.c -o young");
    assert_eq!(place.status("./young"), 42);
}

#[test]
fn the_object_is_the_users_own() {
    let place = Place::new();
    place.write(
        "f.c",
        "static int twice(int x) { return 2 * x; }\nint f(int x) { return twice(x) + 1; }\n",
    );
    place.sh("$CC -O2 -c f.c -o ours.o && clang-19 -O2 -c f.c -o theirs.o");
    place.sh("objcopy -R .parallax ours.o stripped.o && objcopy theirs.o plain.o && cmp stripped.o plain.o");
}

#[test]
fn cxx_is_captured_as_well() {
    let place = Place::new();
    place.write(
        "m.cc",
        "#include <vector>\nint main() { std::vector<int> v{20, 22}; return v[0] + v[1]; }\n",
    );
    place.sh("$CXX -O1 m.cc -o prog");
    assert_eq!(place.status("./prog"), 42);
    assert_eq!(place.sources("prog"), ["m.cc"]);
}

#[test]
fn a_parallel_make_with_an_archive_is_captured_whole() {
    let place = Place::new();
    let mut objects = String::new();
    let mut calls = String::new();
    for i in 0..24 {
        place.write(&format!("part{i}.c"), &format!("int part{i}(int x) {{ return x + {i}; }}\n"));
        objects += &format!(" part{i}.o");
        calls += &format!("int part{i}(int); ");
    }
    let sum: String = (0..24).map(|i| format!(" + part{i}(1)")).collect();
    place.write(
        "main.c",
        &format!("#include <stdio.h>\n{calls}\nint main(void) {{ printf(\"%d\\n\", 0{sum}); }}\n"),
    );
    place.write("Makefile", &format!("prog: main.o libp.a\n\t$(CC) $(CFLAGS) -o $@ main.o libp.a\nlibp.a:{objects}\n\t$(AR) rcs $@ $^\n"));
    place.sh("make -j8 CFLAGS=-O1 CC=\"$CC\"");
    assert_eq!(place.output("./prog"), "300\n");
    assert_eq!(place.sources("prog").len(), 25);
    assert!(place.parallax(&["module", "prog"]).stdout.contains("25 units, 25 functions"));
}
