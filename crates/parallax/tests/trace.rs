//! Tracing as a user sees it: each C file in `tests/trace` has the tests to trace, and the expected
//! output of `parallax trace`.
//!
//! `// TEST: args = ["ab"], stdin = "x"` is a test case; several of them are traced in turn by one
//! build. `// FLAGS:` are further words of the command line. The text behind each `// CHECK:` has to
//! occur in what is printed, in this order, spaces and columns of places aside; that behind a
//! `// CHECK-NOT:` must not occur at all. `@` is the place of the line that a check stands in.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use parallax_abi::Counter;
use parallax_instrument::symbolic_build;
use parallax_path::Path;
use parallax_run::{
    Addresses, Ending, Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::{Isolation, Lab},
    trace::{TraceMemory, TraceOptions},
};
use parallax_solve::Graph;
use place::Place;

/// A program with its expected trace.
#[derive(Default)]
struct Traced {
    name: String,
    text: String,
    tests: Vec<String>,
    flags: Vec<String>,
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

#[test]
fn programs_are_traced_as_they_say() {
    let only = std::env::var("TRACE").unwrap_or_default();
    let mut programs: Vec<_> = sources().iter().map(Traced::read).collect();
    programs.retain(|program| program.name.contains(&only));
    assert!(!programs.is_empty(), "there is no {only} among the programs");
    let place = Place::new();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = program.check(&place) {
                failures.lock().unwrap().push(format!("=== {}: {why}", program.name));
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} fail\n{}", failures.len(), failures.join("\n"));
}

fn sources() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/trace");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

impl Traced {
    fn read(path: &PathBuf) -> Traced {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(path).unwrap();
        let mut traced = Traced { name, text: text.clone(), ..Traced::default() };
        for (line, text) in (1..).zip(text.lines()) {
            traced.note(line, text);
        }
        assert!(text.starts_with("// "), "{} does not say why it exists", traced.name);
        assert!(!traced.wanted.is_empty(), "{} expects nothing", traced.name);
        traced
    }

    fn note(&mut self, line: usize, text: &str) {
        let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim());
        if let Some(test) = after("// TEST:") {
            self.tests.push(toml_lines(test));
        } else if let Some(flags) = after("// FLAGS:") {
            self.flags.extend(flags.split_whitespace().map(str::to_owned));
        } else if let Some(wanted) = after("// CHECK:") {
            let place = format!("{}:{line}", self.name);
            self.wanted.push(squeezed(&wanted.replace('@', &place)));
        } else if let Some(unwanted) = after("// CHECK-NOT:") {
            self.unwanted.push(squeezed(unwanted));
        }
    }

    fn check(&self, place: &Place) -> Result<(), String> {
        let stem = self.name.trim_end_matches(".c");
        let tests = format!("{stem}.tests");
        place.write(&self.name, &self.text);
        for (index, test) in self.tests.iter().enumerate() {
            place.write(&format!("{tests}/{index:02}.toml"), test);
        }
        let mut words = vec!["trace", &self.name, &tests];
        words.extend(self.flags.iter().map(String::as_str));
        let printed = place.parallax(&words);
        let said = format!("{}{}", printed.stdout, printed.stderr);
        if printed.status != 0 {
            return Err(format!("exit status {}\n{said}", printed.status));
        }
        self.compare(&printed.stdout).map_err(|why| format!("{why}\n{said}"))
    }

    fn compare(&self, printed: &str) -> Result<(), String> {
        let printed = self.without_columns(&squeezed(printed));
        let mut rest = printed.as_str();
        for wanted in &self.wanted {
            match rest.split_once(wanted.as_str()) {
                Some((_, after)) => rest = after,
                None if printed.contains(wanted) => {
                    return Err(format!("out of order: {wanted}"));
                }
                None => return Err(format!("missing: {wanted}")),
            }
        }
        let always = "not as it runs without being traced";
        let mut unwanted = self.unwanted.iter().map(String::as_str).chain([always]);
        match unwanted.find(|unwanted| printed.contains(unwanted)) {
            Some(unwanted) => Err(format!("unwanted: {unwanted}")),
            None => Ok(()),
        }
    }

    /// The optimiser decides which part of a line a condition belongs to.
    fn without_columns(&self, printed: &str) -> String {
        let place = format!("{}:", self.name);
        let mut text = String::new();
        let mut rest = printed;
        while let Some((before, after)) = rest.split_once(&place) {
            let digits =
                |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (line, after) = after.split_at(digits(after));
            text += &format!("{before}{place}{line}");
            rest = match after.strip_prefix(':') {
                Some(column) => &column[digits(column)..],
                None => after,
            };
        }
        text + rest
    }
}

/// Runs of spaces as one, so that columns may move.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        writeln!(squeezed, "{}", words.join(" ")).unwrap();
    }
    squeezed.trim_end().to_owned()
}

/// A test case of one line as a TOML document: commas outside of everything end lines.
fn toml_lines(test: &str) -> String {
    let (mut lines, mut depth, mut quoted, mut escaped) = (String::new(), 0, false, false);
    for character in test.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                lines.push('\n');
                continue;
            }
            _ => {}
        }
        lines.push(character);
    }
    lines + "\n"
}

/// Traces a program that was built by hand and returns the output.
#[track_caller]
fn trace(place: &Place, program: &str, test: &str) -> String {
    place.write("test.toml", test);
    let printed = place.parallax(&["trace", program, "test.toml"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
    squeezed(&printed.stdout)
}

const GREETING: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) { if (argc > 1 && !strcmp(argv[1], "hi")) puts("hello"); }
"#;

#[test]
fn programs_are_traced_however_they_were_linked() {
    let place = Place::new();
    place.write("hello.c", GREETING);
    for flags in ["-static", "-static-pie", "-no-pie", "-O0", "-O3 -flto -g"] {
        place.sh(&format!("$CC {flags} hello.c -o hello"));
        let printed = trace(&place, "hello", "args = [\"hi\"]\n");
        assert!(printed.contains("strcmp arg[1][1] == 'i'"), "{flags}: {printed}");
        assert!(printed.contains("\"hello\""), "{flags}: {printed}");
    }
}

#[test]
fn a_library_of_the_program_is_traced_with_it() {
    let place = Place::new();
    place.write("part.c", "int seen[4]; int part(char *t) { seen[1]++; return t[0] == 'x'; }\n");
    place.write(
        "main.c",
        "extern int seen[4]; int part(char *);\n\
         int main(int argc, char **argv) { if (part(argv[1])) return seen[1]; return 9; }\n",
    );
    place.sh("$CC -fPIC -shared part.c -o libpart.so");
    place.sh("$CC main.c -L. -lpart -Wl,-rpath,$PWD -o main");
    let printed = trace(&place, "main", "args = [\"xyz\"]\n");
    assert!(printed.contains("exit status 1\n"), "{printed}");
    assert!(printed.contains("main.c:2:39 arg[1][0] == 'x'"), "{printed}");
    assert!(!printed.contains("not modelled"), "{printed}");
}

#[test]
fn a_trace_comes_as_json_and_as_a_script() {
    let place = Place::new();
    place.write("hello.c", GREETING);
    place.write("test.toml", "args = [\"hi\"]\n");
    let json = place.parallax(&["trace", "hello.c", "test.toml", "--json"]);
    assert!(json.stdout.contains("\"place\": \"hello.c:4:"), "{}", json.stdout);
    assert!(json.stdout.contains("\"model\": \"strcmp\""), "{}", json.stdout);
    let script = place.parallax(&["trace", "hello.c", "test.toml", "--smt2"]);
    assert!(script.stdout.contains("(check-sat)"), "{}", script.stdout);
}

#[test]
fn what_cannot_be_traced_is_said() {
    let place = Place::new();
    place.write("broken.c", "int main(void) { return x; }\n");
    place.write("library.c", "int f(void) { return 1; }\n");
    place.write("test.toml", "args = []\n");
    place.sh("printf '#!/bin/sh\\n' > script; chmod +x script");
    for (program, wanted) in [
        ("broken.c", "use of undeclared identifier 'x'"),
        ("library.c", "undefined reference to `main'"),
        ("missing.c", "missing.c"),
        ("script", "script"),
    ] {
        let printed = place.parallax(&["trace", program, "test.toml"]);
        assert_eq!(printed.status, 2, "{program}: {}", printed.stdout);
        assert!(printed.stderr.contains(wanted), "{program}: {}", printed.stderr);
    }
}

/// Traces a program with this much room and returns the counters of the trace.
fn counted(options: TraceOptions) -> (Observation, BTreeMap<Counter, u64>, Path) {
    const SOURCE: &str = r#"
    #include <stdio.h>
    int main(int argc, char **argv) {
        unsigned hash = 5381;
        for (int i = 0; i < 20000; i++) {
            hash = hash * 33 + (unsigned char)argv[1][i % 4];
            if (hash % 7 == 3) putchar('a' + hash % 26);
        }
        printf("%u\n", hash);
        return 3;
    }
    "#;
    let place = Place::new();
    place.write("hash.c", SOURCE);
    place.sh("$CC hash.c -o hash");
    let build = parallax_capture::Build::open(&place.path("hash")).unwrap();
    let symbolic = symbolic_build(&build, &place.path("traced")).unwrap();
    let subject = Subject {
        program: symbolic.program.clone(),
        name: b"hash".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::Resident(1 << 30),
        addresses: Addresses::Fixed,
        forks: true,
    };
    let test = TestCase { args: vec![b"abcd".to_vec()], ..TestCase::default() };
    let options = TraceOptions { sites: symbolic.places.size(), ..options };
    let mut memory = TraceMemory::new(options).unwrap();
    let mut lab = Lab::start(Isolation::Sandboxed).unwrap();
    let seen = lab.trace(&subject, &test, &Limits::default(), &mut memory).unwrap();
    let mut graph = Graph::new();
    let path = parallax_path::read(memory.trace(), &mut graph, &|site| symbolic.cases(site));
    (seen, path.approximations.counters.clone(), path)
}

#[test]
fn beyond_its_limits_a_run_goes_on() {
    let (whole, counters, path) = counted(TraceOptions::default());
    assert_eq!(whole.ending, Ending::Exit(3));
    assert!(!counters.contains_key(&Counter::NodeLimit), "{counters:?}");
    assert!(path.ending.is_some());
    for (options, limit) in [
        (TraceOptions { nodes: 3000, ..TraceOptions::default() }, Counter::NodeLimit),
        (TraceOptions { events: 50, ..TraceOptions::default() }, Counter::EventLimit),
        (TraceOptions { blobs: 4096, ..TraceOptions::default() }, Counter::BlobLimit),
        (TraceOptions { inputs: 3, ..TraceOptions::default() }, Counter::InputLimit),
    ] {
        let (seen, counters, path) = counted(options);
        assert_eq!((&seen.ending, &seen.stdout.bytes), (&whole.ending, &whole.stdout.bytes));
        assert!(counters.contains_key(&limit), "{limit:?}: {counters:?}");
        assert_eq!(path.approximations.damaged, 0, "{limit:?}");
    }
}
