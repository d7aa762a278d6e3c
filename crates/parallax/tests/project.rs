//! The whole workflow with a project of our own: capture its build, record its suite, compare.
//!
//! The same as `./x real` does with Debian packages, small enough for every run of the tests.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;

/// `shout`, a filter with an archive, a shared library, options, files and an environment variable.
fn project() -> Place {
    let place = Place::new();
    place.write(
        "Makefile",
        "CFLAGS = -O2 -fPIC\n\
         shout: main.o libcase.a libmark.so\n\t$(CC) $(CFLAGS) -o $@ main.o libcase.a -L. -lmark -Wl,-rpath,'$$ORIGIN'\n\
         libcase.a: case.o\n\t$(AR) rcs $@ $^\n\
         libmark.so: mark.o\n\t$(CC) -shared -o $@ $^\n\
         check: shout\n\tsh ./suite.sh\n",
    );
    place.write("case.c", "#include <ctype.h>\nint raise_case(int c) { return toupper(c); }\n");
    place.write(
        "mark.c",
        "#include <stdio.h>\nvoid mark(int n) { while (n-- > 0) putchar('!'); }\n",
    );
    place.write(
        "main.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int raise_case(int); void mark(int);\n\
         static int shout(FILE *in, int marks) {\n\
           int c, last = '\\n';\n\
           while ((c = getc(in)) != EOF) { if (c == '\\n') mark(marks); putchar(raise_case(c)); last = c; }\n\
           return last == '\\n';\n}\n\
         int main(int argc, char **argv) {\n\
           const char *env = getenv(\"SHOUT_MARKS\");\n\
           int marks = env ? atoi(env) : 1, whole = 1, i = 1;\n\
           if (i < argc && !strncmp(argv[i], \"-m\", 2)) marks = atoi(argv[i++] + 2);\n\
           if (i == argc) whole = shout(stdin, marks);\n\
           for (; i < argc; i++) {\n\
             FILE *in = fopen(argv[i], \"r\");\n\
             if (!in) { fprintf(stderr, \"shout: no %s\\n\", argv[i]); return 2; }\n\
             whole &= shout(in, marks); fclose(in);\n\
           }\n\
           return whole ? 0 : 1;\n}\n",
    );
    place.write(
        "suite.sh",
        "set -e\n\
         test \"$(echo hello | ./shout)\" = 'HELLO!'\n\
         test \"$(echo hello | ./shout -m3)\" = 'HELLO!!!'\n\
         test \"$(echo hello | SHOUT_MARKS=2 ./shout)\" = 'HELLO!!'\n\
         ./shout << 'END' > out.txt\nfirst line\nsecond line\nEND\n\
         test \"$(wc -l < out.txt)\" -eq 2\n\
         printf 'from a file\\n' > in.txt\n\
         ./shout in.txt > out.txt\n\
         ./shout < in.txt > out2.txt\n\
         cmp out.txt out2.txt\n\
         mkdir -p sub; printf 'deep\\n' > sub/deep.txt\n\
         ./shout -m0 in.txt sub/deep.txt | grep -q DEEP\n\
         ./shout missing.txt 2> err.txt && exit 1\n\
         grep -q 'no missing.txt' err.txt\n\
         printf 'no newline' | ./shout && exit 1\n\
         echo hello | ./shout > /dev/null\n\
         : | ./shout\n\
         cat in.txt sub/deep.txt | ./shout | ./shout -m1 | grep -q 'DEEP!!'\n",
    );
    place
}

#[test]
fn a_suite_becomes_tests_that_see_a_change_and_nothing_else() {
    let place = project();
    place.sh("make -s && ./shout < Makefile > /dev/null; cp shout shout.before");
    let recorded = place
        .parallax(&["record", "--bin", "shout", "--out", "tests", "--", "make", "-s", "check"]);
    assert_eq!(recorded.status, 0, "{}{}", recorded.stdout, recorded.stderr);
    assert!(
        recorded.stderr.contains("recorded 12 distinct tests of 13 calls in tests"),
        "{}",
        recorded.stderr
    );
    place.sh("cmp shout shout.before && rm shout.before && test -x shout && test ! -e shout.parallax-real");

    let same = place.parallax(&["compare", "shout", "shout", "--tests", "tests"]);
    assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);

    let module = place.parallax(&["module", "shout"]);
    assert!(module.stdout.contains("3 units, 1 shared library"), "{}", module.stdout);

    place.sh("mkdir new && cp Makefile *.c new && sed -i 's/return whole ? 0 : 1/return 0/' new/main.c && make -s -C new");
    let changed = place.parallax(&["compare", "shout", "new/shout", "--tests", "tests"]);
    assert_eq!(changed.status, 1, "{}{}", changed.stdout, changed.stderr);
    assert!(
        changed.stdout.starts_with("1 of 12 tests tells the versions apart."),
        "{}",
        changed.stdout
    );
    assert!(changed.stdout.contains("printf 'no newline' | shout"), "{}", changed.stdout);
}

#[test]
fn a_failing_suite_is_recorded_and_its_failure_said() {
    let place = project();
    place.sh("make -s");
    let recorded = place.parallax(&[
        "record",
        "--bin",
        "shout",
        "--out",
        "tests",
        "--",
        "sh",
        "-c",
        "echo a | ./shout; exit 7",
    ]);
    assert_eq!(recorded.status, 2);
    assert!(recorded.stderr.contains("recorded 1 distinct test of 1 call"), "{}", recorded.stderr);
    assert!(recorded.stderr.contains("exited with status 7"), "{}", recorded.stderr);
    place.sh("test ! -e shout.parallax-real && echo b | ./shout");
}
