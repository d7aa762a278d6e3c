//! Programs that vary from run to run, or that print traces of earlier runs: none of that is a
//! difference.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use place::Place;

/// Two versions of one program that differ in code without effect, and a suite of so many tests.
fn versions(place: &Place, program: &str, tests: usize) {
    for (name, unused) in [("old.c", "1"), ("new.c", "2")] {
        place.write(name, &format!("static volatile int unused = {unused};\n{program}"));
    }
    for test in 0..tests {
        place.write(&format!("tests/{test:04}.toml"), &format!("args = [\"{test}\"]\n"));
    }
}

/// A program whose `main` does this.
fn program(headers: &[&str], body: &str) -> String {
    let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    format!(
        "#define _GNU_SOURCE\n#include <stdio.h>\n{includes}int main(void) {{\n{body}\nreturn unused * 0;\n}}\n"
    )
}

#[track_caller]
fn assert_same(name: &str, program: &str, tests: usize) {
    let place = Place::new();
    versions(&place, program, tests);
    let printed = place.parallax(&["compare", "old.c", "new.c", "--tests", "tests"]);
    assert_eq!(printed.status, 0, "{name}: {}{}", printed.stdout, printed.stderr);
}

const COIN: &str =
    "unsigned char c; if (getrandom(&c, 1, 0) != 1) return 3; printf(\"%d\\n\", c & 1);";

#[test]
fn a_coin_is_no_difference() {
    assert_same("coin", &program(&["sys/random.h"], COIN), 300);
    let bits = "unsigned char c[5]; if (getrandom(c, 5, 0) != 5) return 3;\n\
                for (int i = 0; i < 40; i++) printf(\"bit %d is %d\\n\", i, c[i / 8] >> i % 8 & 1);";
    assert_same("coins", &program(&["sys/random.h"], bits), 60);
}

#[test]
fn addresses_are_no_difference() {
    let whole = "int here; printf(\"%p %p %p\\n\", (void *)&here, (void *)main, (void *)stdout);";
    assert_same("addresses", &program(&[], whole), 20);
    let bit = "int here; printf(\"%d\\n\", (int)((unsigned long)&here >> 21 & 1));";
    assert_same("a bit of an address", &program(&[], bit), 60);
}

#[test]
fn when_versions_were_built_is_no_difference() {
    let body = "puts(__DATE__); puts(__TIME__); puts(__TIMESTAMP__); puts(__BASE_FILE__);";
    let place = Place::new();
    versions(&place, &program(&[], body), 1);
    let new = std::fs::File::options().append(true).open(place.path("new.c")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(7);
    new.set_times(std::fs::FileTimes::new().set_modified(later)).unwrap();
    let printed = place.parallax(&["compare", "old.c", "new.c", "--tests", "tests"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn clocks_are_no_difference() {
    let seconds = "printf(\"%ld\\n\", (long)time(0));";
    assert_same("seconds", &program(&["time.h"], seconds), 60);
    let hundredths = "struct timespec t; clock_gettime(CLOCK_REALTIME, &t);\n\
                      printf(\"%ld\\n\", t.tv_nsec / 10000000 % 4);";
    assert_same("hundredths", &program(&["time.h"], hundredths), 60);
    let uptime = "char text[99]; FILE *f = fopen(\"/proc/uptime\", \"r\");\n\
                  if (f && fgets(text, 99, f)) fputs(text, stdout);";
    assert_same("uptime", &program(&[], uptime), 60);
}

#[test]
fn process_ids_are_no_difference() {
    let body = "printf(\"%d %d\\n\", (int)getpid(), (int)getppid()); fflush(stdout);\n\
                if (fork() == 0) { printf(\"%d\\n\", (int)getpid() % 2); return 0; }\n\
                wait(0);";
    assert_same("pid", &program(&["unistd.h", "sys/wait.h"], body), 60);
}

#[test]
fn one_more_fork_is_no_difference_in_the_pid() {
    let place = Place::new();
    let child = |forks: &str| {
        format!(
            "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\nint main(void) {{\n\
             for (int i = 0; i < {forks}; i++) {{ if (fork() == 0) _exit(0); wait(0); }}\n\
             fflush(stdout);\n\
             if (fork() == 0) {{ printf(\"%d\\n\", (int)getpid()); return 0; }}\n\
             wait(0); return 0;\n}}\n"
        )
    };
    place.write("old.c", &child("1"));
    place.write("new.c", &child("2"));
    for test in 0..20 {
        place.write(&format!("tests/{test}.toml"), &format!("args = [\"{test}\"]\n"));
    }
    let printed = place.parallax(&["compare", "old.c", "new.c", "--tests", "tests"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn places_and_inodes_are_no_difference() {
    let inode = "struct stat s; FILE *f = fopen(\"made\", \"w\"); if (!f) return 3; fclose(f);\n\
                 if (stat(\"made\", &s)) return 3;\n\
                 printf(\"%lu %lu\\n\", (unsigned long)s.st_ino, (unsigned long)s.st_dev);\n\
                 if (stat(\"/proc/self/exe\", &s)) return 3;\n\
                 printf(\"%lu %lu\\n\", (unsigned long)s.st_ino, (unsigned long)s.st_dev);";
    assert_same("inode", &program(&["sys/stat.h"], inode), 40);
    let place = "char name[999]; puts(getcwd(name, 999));\n\
                 ssize_t n = readlink(\"/proc/self/exe\", name, 998); if (n < 0) return 3;\n\
                 name[n] = 0; puts(name);";
    assert_same("place", &program(&["unistd.h"], place), 40);
}

#[test]
fn mounts_and_times_of_the_programs_file_are_no_difference() {
    let file = program(
        &["fcntl.h", "sys/stat.h"],
        "struct statx s; if (statx(AT_FDCWD, \"/proc/self/exe\", 0, 0x1fff, &s)) return 3;\n\
         printf(\"%lld.%u %lld.%u %llu\\n\", s.stx_atime.tv_sec, s.stx_atime.tv_nsec, s.stx_btime.tv_sec, s.stx_btime.tv_nsec, s.stx_mnt_id);",
    );
    assert_same("file", &file, 3);
    let mounts = program(
        &[],
        "FILE *f = fopen(\"/proc/self/mountinfo\", \"r\"); for (int c; (c = getc(f)) != EOF;) putchar(c);",
    );
    assert_same("mounts", &mounts, 3);
}

#[test]
fn the_compiler_of_a_build_is_no_difference() {
    let place = Place::new();
    place.write("Makefile", "prog: prog.c\n\t$(CC) -DCOMPILER=\"\\\"$(CC)\\\"\" -DPLACE=\"\\\"$(CURDIR)\\\"\" -o $@ prog.c\n");
    let program = |unused: &str| {
        format!(
            "#include <stdio.h>\nstatic volatile int unused = {unused};\n\
             int main(void) {{ puts(COMPILER); puts(PLACE); return unused * 0; }}\n"
        )
    };
    let git = "git -c user.name=a -c user.email=a@b";
    place.write("prog.c", &program("1"));
    place.sh(&format!("git init -q . && {git} add . && {git} commit -qm one"));
    place.write("prog.c", &program("2"));
    place.sh(&format!("{git} commit -qam two"));
    place.write("tests/none.toml", "args = []\n");
    let build = ["--build", "make", "--bin", "prog"];
    let arguments = [&["compare", "HEAD~1", "HEAD", "--tests", "tests"][..], &build].concat();
    let printed = place.parallax(&arguments);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn a_difference_beside_noise_is_shown_without_the_noise() {
    let place = Place::new();
    let program = |word: &str| {
        format!(
            "#include <stdio.h>\n#include <time.h>\nint main(void) {{\n\
             struct timespec t; clock_gettime(CLOCK_REALTIME, &t);\n\
             printf(\"it is %09ld now\\n{word}\\nbuild {}\\n\", t.tv_nsec); return 0;\n}}\n",
            word.len()
        )
    };
    place.write("old.c", &program("short"));
    place.write("new.c", &program("longer"));
    place.write("tests/none.toml", "args = []\n");
    let printed = place.parallax(&[
        "compare",
        "old.c",
        "new.c",
        "--tests",
        "tests",
        "--ignore",
        "build [0-9]+",
    ]);
    assert_eq!(printed.status, 1, "{}{}", printed.stdout, printed.stderr);
    let changed = |line: &&str| {
        let line = line.trim_start();
        line.starts_with(['-', '+']) && !line.starts_with("---") && !line.starts_with("+++")
    };
    let lines: Vec<&str> = printed.stdout.lines().filter(changed).map(str::trim).collect();
    assert_eq!(lines, ["-short", "+longer"], "{}", printed.stdout);
    assert!(printed.stdout.contains("it is <varies> now"), "{}", printed.stdout);
}
