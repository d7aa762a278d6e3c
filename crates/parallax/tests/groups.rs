//! The symbolic build is made group by group: only changed groups are compiled again.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::fs;

use place::Place;

/// A program in two files with features that a linker can distinguish.
struct Sources {
    place: Place,
}

const HEADER: &str = r#"
#include <stdio.h>
struct pair { int first; int second; };
static inline int helped(int x) { return x * 3 + 1; }
extern struct pair shared;
extern _Thread_local int per_thread;
int many(int x);
int from_alias(int x);
int replaced(int x);
int jump(int x);
int other(int x);
extern int constructed;
"#;

const OTHER: &str = r#"
#include "all.h"
static int count = 5;
static const char *const words[] = {"zero", "one", "two"};
static int same(int x) { return helped(x) - count; }
struct pair shared = {10, 20};
_Thread_local int per_thread = 7;
int constructed;
__attribute__((constructor)) static void start(void) { constructed = 99; }
__attribute__((weak)) int replaced(int x) { return x + 1; }
static int original(int x) { return x * 2 + shared.second; }
int from_alias(int x) __attribute__((alias("original")));
int jump(int x) {
    static void *const targets[] = {&&a, &&b, &&c};
    goto *targets[x % 3];
a: return 1;
b: return 20;
c: return 300;
}
int other(int x) { puts(words[x % 3]); return same(x) + count++; }
"#;

const MAIN: &str = r#"
#include "all.h"
static int count = 1000;
static int same(int x) { return helped(x) + count++; }
int main(int argc, char **argv) {
    int (*called)(int) = argc > 7 ? same : from_alias;
    shared.first += argc;
    per_thread += shared.first;
    printf("%d %d %d\n", same(argc), other(argc), many(argc));
    printf("%d %d %d %d\n", from_alias(3), called(4), replaced(5), constructed);
    printf("%d %d %d %d\n", jump(0), jump(1), jump(2), per_thread);
    printf("%s\n", "a string");
    return argv[0] == 0;
}
"#;

/// Enough code for several groups.
fn many() -> String {
    let mut text = "#include \"all.h\"\n".to_owned();
    let mut calls = String::new();
    for number in 0..60 {
        let mut body = String::new();
        for step in 0..20 {
            body += &format!("if (x % {} == {step}) x = x * {number} + {step};\n", step + 2);
        }
        text += &format!("static int part_{number}(int x) {{\n{body}return x;\n}}\n");
        calls += &format!("x = part_{number}(x) & 0xffff;\n");
    }
    text + &format!("int many(int x) {{\n{calls}return x;\n}}\n")
}

impl Sources {
    fn new() -> Sources {
        let place = Place::with_own_cache();
        place.write("all.h", HEADER);
        place.write("other.c", OTHER);
        place.write("main.c", MAIN);
        place.write("many.c", &many());
        Sources { place }
    }

    #[track_caller]
    fn change(&self, file: &str, old: &str, new: &str) {
        let text = self.place.read(file);
        assert!(text.contains(old), "{file} has no {old}");
        self.place.write(file, &text.replacen(old, new, 1));
    }

    /// Builds it, checks that it behaves like the native program, and returns how many groups were
    /// compiled.
    #[track_caller]
    fn build(&self) -> usize {
        self.place.sh("$CC -g -O1 main.c other.c many.c -o program");
        self.traced("program")
    }

    #[track_caller]
    fn traced(&self, program: &str) -> usize {
        let before = self.groups();
        let made = self.place.parallax(&["module", program, "--symbolic-build", "traced"]);
        assert_eq!(made.status, 0, "{}", made.stderr);
        let native = self.place.output(&format!("./{program}"));
        assert_eq!(self.place.output("setarch -R ./traced"), native);
        self.groups() - before
    }

    fn groups(&self) -> usize {
        let Ok(entries) = fs::read_dir(self.place.cache().join("groups")) else { return 0 };
        entries.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }
}

#[test]
fn only_what_changed_is_compiled_again() {
    let sources = Sources::new();
    let all = sources.build();
    assert!(all > 5, "{all} groups");
    assert_eq!(sources.build(), 0, "nothing changed");

    sources.change("many.c", "x = x * 30 + 7;", "x = x * 30 + 8;");
    assert_eq!(sources.build(), 1, "the body of a function");
    sources.change("many.c", "static int part_20", "\n\n// moved\nstatic int part_20");
    assert_eq!(sources.build(), 0, "lines that moved");
    sources.change("other.c", "count = 5;", "count = 6;");
    assert_eq!(sources.build(), 1, "what a variable starts with");
    sources.change("main.c", "\"a string\"", "\"another string\"");
    assert_eq!(sources.build(), 1, "a string");
    sources.change("all.h", "{ int first;", "{ char tag; long first;");
    sources.change("other.c", "{10, 20}", "{'t', 10, 20}");
    sources.change("main.c", "shared.first += argc;", "shared.first += argc + shared.tag;");
    assert!((2..=3).contains(&sources.build()), "a structure: its users and the variable");
    sources.change("all.h", "x * 3 + 1", "x * 5 + 2");
    assert!((1..=2).contains(&sources.build()), "a function that is in two files");
    sources.change(
        "many.c",
        "static int part_10",
        "int added(int x) { return x; }\nstatic int part_10",
    );
    assert!((1..=3).contains(&sources.build()), "a function more");
    sources.change(
        "main.c",
        "static int same",
        "int replaced(int x) { return x - 1; }\nstatic int same",
    );
    assert!(sources.build() > 0, "another definition of a weak function");
    libraries_of_the_program_are_in_its_groups(&sources);
}

/// In the cache of another test: compiling the runtime takes longer than all the rest.
fn libraries_of_the_program_are_in_its_groups(sources: &Sources) {
    sources.place.sh("$CC -g -O1 -shared -fPIC other.c many.c -o libother.so");
    sources.place.sh("$CC -g -O1 main.c -L. -lother -Wl,-rpath,$PWD -o program");
    assert!(sources.traced("program") > 0);
    assert_eq!(sources.traced("program"), 0);
}
