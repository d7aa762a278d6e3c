//! Dependences that a run shows are in the static graph, too, on random programs: each decision of
//! a traced run that depends on an input byte is in the slice of the line that reads the byte; and
//! each line with another output after a line was changed is affected by the change.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use parallax_change::{Before, Definitions, Impact, changes, diverted};
use parallax_module::{Image, Module};
use parallax_program::{
    SiteId, Version,
    dependence::{Extent, Follow},
};

const PROGRAMS: u64 = 20;
const INPUTS: u32 = 8;
const STATEMENTS: u32 = 60;
const EDITS: u32 = 12;

/// Pseudorandom numbers that are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.below(INPUTS))
    }

    fn expression(&mut self) -> String {
        let (one, other) = (self.variable(), self.variable());
        match self.below(5) {
            0 => format!("{one} + {other}"),
            1 => format!("{one} ^ ({other} << 1)"),
            2 => format!("{one} - {other} / 3"),
            3 => format!("({one} > {other} ? {one} : 7)"),
            _ => one,
        }
    }

    /// One statement, on one line.
    fn statement(&mut self) -> String {
        let (one, other, third) = (self.variable(), self.variable(), self.variable());
        let value = self.expression();
        match self.below(22) {
            0 => format!("{one} = {value};"),
            1 => format!("a[{one} & 3] = {value};"),
            2 => format!("{one} = a[{other} & 3];"),
            3 => format!("p = ({one} & 1) ? &{other} : &{third};"),
            4 => format!("*p = {value};"),
            5 => format!("{one} = *p + 1;"),
            6 => format!("put(&pairs[{one} & 1], {value});"),
            7 => format!("{one} = get(&pairs[{}], {other} & 1);", self.below(3)),
            8 => format!("{one} = take(&{other}, {third});"),
            9 => format!("globals[{}] = {value};", self.below(4)),
            10 => format!("{one} = globals[{}];", self.below(4)),
            11 => format!("for (int i = 0; i < ({one} & 3); i++) {other} += {third};"),
            12 => format!("sprintf(text, \"%d\", {one} & 63); {other} = atoi(text);"),
            13 => format!("pairs[{}] = pairs[{}];", self.below(3), self.below(3)),
            14 => format!("q->one = {value}; q = q->next ? q->next : &pairs[2];"),
            15 => format!("{one} = q->one + q->two;"),
            16 => format!("{one} = calls[{other} & 1]({third});"),
            17 => format!("memcpy(b, a, sizeof b); {one} = b[{}];", self.below(4)),
            18 => format!("*heap = {value}; heap[1] = *p; {one} = heap[{}];", self.below(2)),
            19 => format!("{one} = count({other} & 7);"),
            20 => format!("check({one});"),
            _ => format!("{one} = walk(&pairs[0], {other} & 3);"),
        }
    }

    /// The program with one line changed.
    fn edited(&mut self, text: &str) -> String {
        const EDITS: &[(&str, &str)] = &[
            (" + ", " - "),
            (" > ", " >= "),
            ("& 3", "& 1"),
            ("1", "2"),
            ("7", "8"),
            ("return n", "return n + 1"),
            ("else ", ""),
            ("if (", "if (!"),
            ("one", "two"),
            ("break;", "continue;"),
        ];
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| line.starts_with("static int take")).unwrap();
        loop {
            let line = first + self.below((lines.len() - first) as u32) as usize;
            let deletes = self.below(4) == 0 && lines[line].trim_end().ends_with(';');
            let (from, to) = EDITS[self.below(EDITS.len() as u32) as usize];
            let made = match deletes && !lines[line].contains("int ") {
                true => ";".to_owned(),
                false => lines[line].replacen(from, to, 1),
            };
            if made != lines[line] && !lines[line].contains("printf(\"") {
                let mut lines = lines.clone();
                lines[line] = &made;
                return lines.join("\n") + "\n";
            }
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(PRELUDE);
        for input in 0..INPUTS {
            text += &format!("    int v{input} = argv[1][{input}];\n");
        }
        text += "    int a[4] = {0}, b[4] = {0}, *p = &v0, *heap = calloc(2, sizeof *heap);\n";
        text += "    struct pair *q = &pairs[0];\n    char text[32];\n";
        text += "    pairs[0].next = &pairs[1]; pairs[1].next = &pairs[2];\n";
        for _ in 0..STATEMENTS {
            text += &format!("    {}\n", self.statement());
            if self.below(2) == 0 {
                text += &format!("    printf(\"%d %d\\n\", __LINE__, {});\n", self.variable());
            }
            if self.below(3) == 0 {
                let condition = self.expression();
                text += &format!("    if (({condition}) > {}) {{\n", self.below(100));
                text += &format!("        {}\n    }}\n", self.statement());
            }
        }
        text + "    return 0;\n}\n"
    }
}

const PRELUDE: &str = r"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { int one, two; struct pair *next; };
static struct pair pairs[3];
static int globals[4];
static int take(int *p, int n) {
    *p = *p + n;
    if (*p > 90) return n;
    return *p ^ n;
}
static void put(struct pair *p, int value) {
    if (value > 50) p->one = value;
    else p->two = value;
}
static int get(const struct pair *p, int which) { return which ? p->one : p->two; }
static int walk(const struct pair *p, int depth) {
    if (depth == 0 || !p->next) return p->one;
    return walk(p->next, depth - 1) + p->two;
}
static int double_it(int n) { return 2 * n; }
static int count(int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (i == 5)
            break;
        found += i;
    }
    return found;
}
static void check(int n) {
    if (n == 77)
        exit(7);
}
static int add_global(int n) { globals[1] += n; return globals[2]; }
static int (*const calls[2])(int) = {double_it, add_global};
int main(int argc, char **argv) {
";

fn analysed(folder: &Path, source: &Path) -> Version {
    let bitcode = folder.join("a.bc");
    let status = Command::new("clang-19")
        .args(["-O1", "-g", "-w", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", "-o"])
        .arg(&bitcode)
        .arg(source)
        .status()
        .unwrap();
    assert!(status.success());
    let image = Image { parts: vec![bitcode], ..Image::default() };
    Version::new(Module::assemble(&[image]).unwrap().program())
}

/// The decisions of a run: their lines, and the bytes that take part.
fn decisions(source: &Path, test: &Path) -> Vec<(u32, Vec<u32>)> {
    let output = Command::new(env!("CARGO_BIN_EXE_parallax"))
        .args(["trace", "--json"])
        .args([source, test])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = Vec::new();
    let mut line = None;
    for entry in text.lines().map(str::trim) {
        if let Some(place) = entry.strip_prefix("\"place\": \"") {
            line = place.split(':').nth(1).and_then(|line| line.parse().ok());
        } else if let Some(condition) = entry.strip_prefix("\"text\": ") {
            let bytes = (0..INPUTS).filter(|byte| condition.contains(&format!("arg[1][{byte}]")));
            found.extend(line.map(|line| (line, bytes.collect())));
        }
    }
    found
}

#[test]
fn what_a_run_depends_on_is_in_the_slice() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for number in 0..PROGRAMS {
        let mut chance = Chance(number + 1);
        let text = chance.program();
        let source = folder.path().join(format!("p{number}.c"));
        let test = folder.path().join("test.toml");
        fs::write(&source, &text).unwrap();
        fs::write(&test, "args = [\"aZ3x!Qm7\"]\n").unwrap();
        let version = analysed(folder.path(), &source);
        let dependence = version.dependence();
        let on_line = |line: u32| -> Vec<SiteId> {
            let all = version.program.instructions();
            let here = all.filter(|it| it.location.is_some_and(|at| at.line == line));
            here.map(|instruction| instruction.site).collect()
        };
        let slices: Vec<_> = (0..INPUTS)
            .map(|input| {
                let read = format!("int v{input} = argv[1][{input}];");
                let line = text.lines().position(|line| line.contains(&read)).unwrap() as u32 + 1;
                dependence.slice(&on_line(line), Follow::Dependents, Extent::All)
            })
            .collect();
        let decisions: BTreeSet<_> = decisions(&source, &test).into_iter().collect();
        for (line, bytes) in decisions {
            for byte in bytes {
                let is_known =
                    on_line(line).iter().any(|site| slices[byte as usize].contains(*site));
                assert!(is_known, "line {line} depends on byte {byte}\n{text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 400, "only {seen} dependences were seen");
}

/// The output of a program, by the line that prints it, `None` if it crashes.
fn printed(folder: &Path, text: &str) -> Option<BTreeMap<u32, Vec<String>>> {
    let (source, program) = (folder.join("run.c"), folder.join("run"));
    fs::write(&source, text).unwrap();
    let mut compiler = Command::new("clang-19");
    let compiler =
        compiler.args(["-w", "-o"]).args([&program, &source]).output().map(|it| it.status);
    // Not every edit gives a valid program.
    if !compiler.unwrap().success() {
        return None;
    }
    let output = Command::new(&program).arg("aZ3x!Qm7").output().unwrap();
    let mut printed: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (place, value) = line.split_once(' ').unwrap();
        printed.entry(place.parse().unwrap()).or_default().push(value.to_owned());
    }
    output.status.code().map(|_| printed)
}

/// The lines of the output that a change between two texts can affect.
fn affected(folder: &Path, old: &str, new: &str) -> BTreeSet<u32> {
    let version = |name: &str, text: &str| {
        fs::create_dir_all(folder.join(name)).unwrap();
        let source = folder.join(name).join("a.c");
        fs::write(&source, text).unwrap();
        analysed(folder, &source)
    };
    let (old, new) = (version("old", old), version("new", new));
    let found = changes(&old.program, &new.program);
    let diverted = diverted(&old, &new, &found);
    let mut lines = BTreeSet::new();
    for (change, diverted) in found.changes.iter().zip(&diverted) {
        let before = Before::of(&old.dependence(), &found.matching, change);
        let impact = Impact::of(
            &new,
            (&new.dependence(), &Definitions::new(&new.program)),
            &before,
            diverted,
            change,
        );
        let affected = new.program.instructions().filter(|it| impact.affected.contains(it.site));
        lines.extend(affected.filter_map(|it| it.location).map(|location| location.line));
    }
    lines
}

#[test]
fn what_prints_something_else_is_affected_by_the_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for number in 0..PROGRAMS / 2 {
        let mut chance = Chance(number + 1000);
        let text = chance.program();
        let Some(before) = printed(folder.path(), &text) else { continue };
        for _ in 0..EDITS {
            let edited = chance.edited(&text);
            let Some(after) = printed(folder.path(), &edited) else { continue };
            let places: BTreeSet<_> = before.keys().chain(after.keys()).collect();
            let differ = places.into_iter().filter(|place| before.get(place) != after.get(place));
            let differ: BTreeSet<u32> = differ.copied().collect();
            if differ.is_empty() {
                continue;
            }
            let affected = affected(folder.path(), &text, &edited);
            let missed: Vec<_> = differ.difference(&affected).collect();
            let edit = text.lines().zip(edited.lines()).enumerate().find(|(_, (x, y))| x != y);
            assert!(missed.is_empty(), "{edit:?}: {missed:?} not in {affected:?}\n{text}");
            seen += differ.len();
        }
    }
    assert!(seen > 60, "only {seen} differences were seen");
}
