//! Programs of several images: the module must bind symbols as the linker and the loader do.
//!
//! Each test is a script that leaves `prog`; it is put together as one module, linked again with
//! sanitizers, and must still print what the native program prints.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use parallax_capture::Build;
use place::Place;

const MAIN: &str = "#include <stdio.h>\nint a(void); int b(void);\n\
                    int main(void) { printf(\"%d %d\\n\", a(), b()); return 0; }\n";

/// Writes the files, runs the script, and checks that the program prints `expected`, twice: as the
/// native one and linked again from its module.
#[track_caller]
fn check(files: &[(&str, &str)], script: &str, expected: &str) -> Place {
    let place = Place::new();
    for (name, text) in files {
        place.write(name, text);
    }
    place.sh(script);
    assert_eq!(place.output("LD_LIBRARY_PATH=. ./prog"), expected, "the native program");
    check_rebuilt(&place, expected);
    place
}

#[track_caller]
fn check_rebuilt(place: &Place, expected: &str) {
    let printed = place.parallax(&["module", "prog", "--sanitizer-build", "sane"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let said = place.output("./sane 2>&1");
    assert_eq!(said, expected, "linked again");
}

/// Builds `liba.so` and `libb.so` with these words and `prog` from the two.
fn two_libraries(words: &str) -> String {
    format!(
        "for l in a b; do $CC -fPIC -shared $l.c {words} -o lib$l.so || exit 1; done; \
         $CC main.c -L. -la -lb -Wl,-rpath,$PWD -o prog"
    )
}

const HELPERS: [(&str, &str); 3] = [
    ("main.c", MAIN),
    ("a.c", "int helper(void) { return 1; } int a(void) { return helper(); }\n"),
    ("b.c", "int helper(void) { return 2; } int b(void) { return helper(); }\n"),
];

#[test]
fn of_two_exported_definitions_the_first_wins() {
    check(&HELPERS, &two_libraries(""), "1 1\n");
}

#[test]
fn what_a_version_script_makes_local_stays_in_its_library() {
    let script = "echo '{ global: a; b; local: *; };' > map; ";
    check(&HELPERS, &(script.to_owned() + &two_libraries("-Wl,--version-script=map")), "1 2\n");
}

#[test]
fn a_library_that_is_bound_to_itself_is() {
    check(&HELPERS, &two_libraries("-Wl,-Bsymbolic"), "1 2\n");
    check(&HELPERS, &two_libraries("-Wl,-Bsymbolic-functions"), "1 2\n");
    check(&HELPERS, &two_libraries("-fvisibility=protected"), "1 2\n");
    check(&HELPERS, &two_libraries("-fvisibility=protected -O2"), "1 2\n");
}

#[test]
fn variables_bind_as_functions_do() {
    let files = [
        ("main.c", MAIN),
        ("a.c", "int shared = 1; int a(void) { return shared; }\n"),
        ("b.c", "int shared = 2; int b(void) { return shared; }\n"),
    ];
    check(&files, &two_libraries(""), "1 1\n");
    check(&files, &two_libraries("-Wl,-Bsymbolic"), "1 2\n");
    check(&files, &two_libraries("-Wl,-Bsymbolic-functions"), "1 1\n");
    let common = files.map(|(name, text)| (name, text.replace("shared = 1", "shared")));
    let common: Vec<_> = common.iter().map(|(name, text)| (*name, text.as_str())).collect();
    check(&common, &two_libraries("-fcommon"), "0 0\n");
}

#[test]
fn a_weak_definition_in_the_program_wins_over_a_strong_one_in_a_library() {
    let files = [
        (
            "main.c",
            "#include <stdio.h>\nint a(void); __attribute__((weak)) int helper(void) { return 7; }\n\
             int main(void) { printf(\"%d %d\\n\", a(), helper()); return 0; }\n",
        ),
        ("a.c", "int helper(void) { return 1; } int a(void) { return helper(); }\n"),
        ("b.c", "int unused;\n"),
    ];
    check(&files, &two_libraries(""), "7 7\n");
}

#[test]
fn constructors_of_what_is_depended_on_run_first_and_destructors_last() {
    let text = |name: &str, needs: &str| {
        format!(
            "#include <stdio.h>\n{needs}\n\
             __attribute__((constructor)) static void up(void) {{ puts(\"{name} up\"); }}\n\
             __attribute__((constructor(101))) static void early(void) {{ puts(\"{name} early\"); }}\n\
             __attribute__((destructor)) static void down(void) {{ puts(\"{name} down\"); }}\n"
        )
    };
    let main = text("main", "int a(void); int c(void); int main(void) { return a() + c(); }");
    let files = [
        ("main.c", main.as_str()),
        ("a.c", &text("a", "int b(void); int a(void) { return b(); }")),
        ("b.c", &text("b", "int b(void) { return 0; }")),
        ("c.c", &text("c", "int c(void) { return 0; }")),
    ];
    let script = "$CC -fPIC -shared b.c -o libb.so && $CC -fPIC -shared c.c -o libc1.so && \
                  $CC -fPIC -shared a.c -L. -lb -Wl,-rpath,$PWD -o liba.so && \
                  $CC main.c -L. -la -lc1 -Wl,-rpath,$PWD -Wl,-rpath-link,. -o prog";
    let place = Place::new();
    for (name, text) in files {
        place.write(name, text);
    }
    place.sh(script);
    let native = place.output("./prog");
    assert!(
        native.ends_with("main down\na down\nb down\nc down\n") || native.lines().count() == 12
    );
    check_rebuilt(&place, &native);
}

#[test]
fn aliases_and_ifuncs_of_one_name_do_not_collide() {
    let text = |name: &str, value: i32| {
        format!(
            "static int body(void) {{ return {value}; }}\n\
             int seen(void) __attribute__((alias(\"body\")));\n\
             int hidden(void) __attribute__((alias(\"body\"), visibility(\"hidden\")));\n\
             int aliased(void) {{ return {value} * 10; }}\n\
             int only_{name}(void) __attribute__((alias(\"aliased\")));\n\
             static int (*choose(void))(void) {{ return body; }}\n\
             int chosen(void) __attribute__((ifunc(\"choose\")));\n\
             int {name}(void) {{ return seen() + 100 * hidden() + 10000 * chosen() + 1000 * only_{name}(); }}\n"
        )
    };
    let files = [("main.c", MAIN), ("a.c", &text("a", 1)), ("b.c", &text("b", 2))];
    let place = Place::new();
    for (name, text) in files {
        place.write(name, text);
    }
    place.sh(&two_libraries(""));
    assert_eq!(place.output("./prog"), "20101 30201\n");
    check_rebuilt(&place, "20101 30201\n");
}

#[test]
fn programs_in_cxx_share_inline_definitions_between_images() {
    let library = |name: &str| {
        format!(
            "#include <string>\ntemplate <class T> struct Count {{ static T value; }};\n\
             template <class T> T Count<T>::value = 5;\n\
             inline int next() {{ static int n = 0; return ++n; }}\n\
             struct Base {{ virtual ~Base() {{}} virtual int get() {{ return next(); }} }};\n\
             extern \"C\" int {name}(void) {{ Base b; return b.get() + Count<int>::value++ + \
             (int)std::string(\"{name}\").size(); }}\n"
        )
    };
    let place = Place::new();
    place.write("main.c", MAIN);
    place.write("a.cc", &library("a"));
    place.write("b.cc", &library("b"));
    place.sh("for l in a b; do $CXX -fPIC -shared $l.cc -o lib$l.so || exit 1; done; \
         $CC -c main.c && $CXX main.o -L. -la -lb -Wl,-rpath,$PWD -o prog");
    assert_eq!(place.output("./prog"), "7 9\n");
    check_rebuilt(&place, "7 9\n");
}

#[test]
fn assembler_reaches_what_no_other_code_sees() {
    let assembler = ".globl gate\n.hidden gate\ngate:\n#ifdef __x86_64__\n jmp detail\n#else\n b detail\n#endif\n\
                     .section .note.GNU-stack,\"\",%progbits\n";
    let files = [
        ("main.c", MAIN),
        ("gate.S", assembler),
        (
            "a.c",
            "__attribute__((visibility(\"hidden\"))) int detail(void) { return 4; }\n\
             int gate(void); int a(void) { return gate(); }\n",
        ),
        ("b.c", "int b(void) { return 2; }\n"),
    ];
    let script = "$CC -c gate.S && $CC -fPIC -shared a.c gate.o -o liba.so && $CC -fPIC -shared b.c -o libb.so && \
                  $CC main.c -L. -la -lb -Wl,-rpath,$PWD -o prog";
    check(&files, script, "4 2\n");
}

#[test]
fn a_program_whose_library_is_gone_is_refused() {
    let place = Place::new();
    for (name, text) in HELPERS {
        place.write(name, text);
    }
    place.write("t.toml", "args = []\n");
    place.sh("mkdir lib; for l in a b; do $CC -fPIC -shared $l.c -Wl,-soname,lib$l.so -o lib/lib$l.so || exit 1; done");
    place.sh("$CC main.c -Llib -la lib/libb.so -o prog && mkdir far && mv prog far");
    let printed = place.parallax(&["replay", "t.toml", "far/prog"]);
    assert!(printed.stdout.contains("1 1"), "found where the link found it: {printed:?}");
    place.sh("rm lib/liba.so");
    let printed = place.parallax(&["compare", "far/prog", "far/prog", "--tests", "t.toml"]);
    assert_eq!(printed.status, 2, "{}", printed.stdout);
    assert!(
        printed.stderr.contains("failed to find the shared library liba.so that"),
        "{}",
        printed.stderr
    );
}

#[test]
fn a_relative_run_path_does_not_hide_that_the_program_needs_help() {
    let place = Place::new();
    for (name, text) in HELPERS {
        place.write(name, text);
    }
    place.write("t.toml", "args = []\n");
    place.sh("for l in a b; do $CC -fPIC -shared $l.c -o lib$l.so || exit 1; done");
    place.sh("$CC main.c -L. -la -lb -Wl,-rpath,. -o prog");
    let printed = place.parallax(&["replay", "t.toml", "prog"]);
    assert!(printed.stdout.contains("1 1"), "{printed:?}");
}

#[test]
fn the_old_run_path_is_inherited_and_a_path_is_a_path() {
    let files = [
        ("main.c", MAIN),
        ("a.c", "int b(void); int a(void) { return 40 + b(); }\n"),
        ("b.c", "int b(void) { return 2; }\n"),
    ];
    let script = "mkdir lib; $CC -fPIC -shared b.c -o lib/libb.so && \
                  $CC -fPIC -shared a.c -Llib -lb -o lib/liba.so && \
                  $CC main.c -Llib -la -lb -Wl,--disable-new-dtags,-rpath,$PWD/lib -o prog";
    let place = check(&files, script, "42 2\n");
    assert_eq!(place.sources("prog"), ["a.c", "b.c", "main.c"]);
    let script = "mkdir lib; $CC -fPIC -shared b.c -o lib/libb.so && \
                  $CC -fPIC -shared a.c -o lib/liba.so && \
                  $CC main.c lib/liba.so lib/libb.so -o prog";
    let place = check(&files, script, "42 2\n");
    assert_eq!(place.sources("prog"), ["a.c", "b.c", "main.c"]);
    let build = Build::open(&place.path("prog")).unwrap();
    let error = build.starts_anywhere().unwrap_err().to_string();
    assert!(error.contains("needs lib/liba.so by a relative path"), "{error}");
}

#[test]
fn the_sanitizer_build_is_not_optimised_whatever_the_link_says() {
    let place = Place::new();
    // An optimiser removes the allocation together with the write behind its end.
    place.write(
        "main.c",
        "#include <stdlib.h>\nint main(void) { char *p = malloc(3); p[3] = 1; return 0; }\n",
    );
    place.sh("$CC -O2 main.c -o prog");
    assert_eq!(place.status("./prog"), 0);
    assert_eq!(place.parallax(&["module", "prog", "--sanitizer-build", "sane"]).status, 0);
    assert!(place.output("./sane 2>&1").contains("heap-buffer-overflow"));
}

#[test]
fn a_call_that_only_an_optimiser_removes_does_not_stop_the_sanitizer_build() {
    let text = "#include <stdio.h>\nvoid no_such_function(void);\n\
                int main(void) { if (sizeof(int) > 9) no_such_function(); int x = 0; if (x) no_such_function(); puts(\"fine\"); return 0; }\n";
    check(&[("main.c", text)], "$CC -O2 main.c -o prog", "fine\n");
    let text = "#include <stdio.h>\nvoid no_such_function(void);\n\
                void never(void) { no_such_function(); }\n\
                int main(void) { puts(\"fine\"); return 0; }\n";
    let script = "$CC -O2 -ffunction-sections -Wl,--gc-sections main.c -o prog";
    check(&[("main.c", text)], script, "fine\n");
}

const PAIR: [(&str, &str); 3] = [
    ("main.c", MAIN),
    ("a.c", "int a(void) { return 1; }\n"),
    ("b.c", "int b(void) { return 2; }\n"),
];

#[test]
fn captured_objects_are_known_by_their_notes() {
    check(
        &PAIR,
        "$CC -c a.c -o aa.obj && $CC -c b.c -o bb && $CC main.c aa.obj bb -o prog",
        "1 2\n",
    );
    check(&PAIR, "$CC -c a.c b.c && $CC main.c a.o b.o -o prog && rm a.o b.o", "1 2\n");
}

#[test]
fn archives_that_are_linked_whole_are_not_linked_twice() {
    let archive = "$CC -c a.c b.c && ar rcs libb.a a.o b.o && ";
    for words in [
        "-Wl,--whole-archive libb.a -Wl,--no-whole-archive",
        "-Wl,--whole-archive,libb.a,--no-whole-archive",
        "-L. -Wl,--whole-archive -lb -Wl,--no-whole-archive",
    ] {
        check(&PAIR, &format!("{archive}$CC main.c {words} -o prog"), "1 2\n");
    }
    let thin = "$CC -c a.c b.c && ar rcsT libb.a a.o b.o && ";
    let words = "-Wl,--whole-archive libb.a -Wl,--no-whole-archive";
    check(&PAIR, &format!("{thin}$CC main.c {words} -o prog"), "1 2\n");
}

#[test]
fn a_program_that_another_compiler_linked_is_linked_to_what_it_needs() {
    let files = [(
        "main.c",
        "#include <math.h>\n#include <stdio.h>\nint main(int c, char **v) { printf(\"%.0f\\n\", sqrt(c + 143.0)); return 0; }\n",
    )];
    check(&files, "$CC -c main.c && clang-19 main.o -lm -o prog", "12\n");
    let partial = "$CC -c main.c && $CC -r main.o -o all.o && clang-19 all.o -lm -o prog";
    check(&files, partial, "12\n");
}

#[test]
fn a_programs_own_static_write_is_not_the_librarys() {
    let text = "#include <stdio.h>\n\
                static int write(int x) { return x + 1; }\n\
                static int _exit;\n\
                int main(int c, char **v) { int big = 2147483647; printf(\"%d %d\\n\", write(c), _exit); fflush(stdout); return big + c; }\n";
    let place = Place::new();
    place.write("main.c", text);
    place.sh("$CC -fno-builtin main.c -o prog");
    let printed = place.parallax(&["module", "prog", "--sanitizer-build", "sane"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let said = place.output("./sane 2>&1; echo $?");
    assert!(said.contains("signed integer overflow") && said.ends_with("86\n"), "{said}");
}

#[test]
fn wrapped_symbols_stay_wrapped() {
    let files = [
        ("main.c", MAIN),
        ("a.c", "int b(void); int a(void) { return b(); }\n"),
        ("b.c", "int b(void) { return 2; }\n"),
        ("w.c", "int __real_b(void); int __wrap_b(void) { return 40 + __real_b(); }\n"),
    ];
    for words in ["-Wl,--wrap=b", "-Wl,--wrap,b", "-Xlinker --wrap=b", "-Xlinker --wrap -Xlinker b"]
    {
        check(&files, &format!("$CC {words} main.c a.c b.c w.c -o prog"), "42 42\n");
    }
    let files = [
        (
            "main.c",
            "#include <stdio.h>\n#include <stdlib.h>\nint count; void *__real_malloc(size_t);\n\
             void *__wrap_malloc(size_t n) { count++; return __real_malloc(n); }\n\
             int main(void) { free(malloc(1)); printf(\"%d\\n\", count); return 0; }\n",
        ),
        (
            "m.c",
            "#include <stdlib.h>\nextern int count; void *volatile p; __attribute__((constructor)) void up(void) { p = malloc(1); }\n",
        ),
    ];
    check(&files, "$CC -Wl,--wrap=malloc main.c m.c -o prog", "2\n");
}
