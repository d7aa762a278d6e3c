//! Tracing as a user meets it: each C file in `tests/trace` says which tests it is traced on, and
//! what `parallax trace` has to print.
//!
//! `// TEST: args = ["ab"], stdin = "x"` is a test case; several of them are traced in turn by one
//! build. `// FLAGS:` are further words of the command line. The text behind each `// CHECK:` has to
//! occur in what is printed, in this order, spaces aside; that behind a `// CHECK-NOT:` must not
//! occur at all. Checks are lines, so they can name the line they stand beside as `@`.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    fmt::Write,
    fs,
    path::PathBuf,
    sync::{Mutex, atomic::AtomicUsize, atomic::Ordering},
    thread,
};

use place::Place;

/// A program with what is expected of its trace.
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
            let place = format!("{}:{line}:", self.name);
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
        let printed = squeezed(printed);
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
        match self.unwanted.iter().find(|unwanted| printed.contains(unwanted.as_str())) {
            Some(unwanted) => Err(format!("unwanted: {unwanted}")),
            None => Ok(()),
        }
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
