//! `parallax changes` as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{fs, path::Path, process::Command};

const OLD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int limit = 10;
static int parse(const char *text) {
    int value = atoi(text);
    if (value > limit)
        value = limit;
    return value;
}
int main(int argc, char **argv) {
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int v = parse(argv[i]);
        if (v < 0)
            continue;
        total += v;
    }
    if (argc > 5)
        puts("many");
    printf("%d\n", total);
    return 0;
}
"#;

/// Two files with functions of the same name that are local to each.
const ONE: &str = "static int full(int n) { return n > 7; }\n\
    int other(int n);\n\
    int main(int argc, char **argv) { return full(argc) + other(argc); }\n";
const OTHER: &str = "static int full(int n) { return n > 9; }\n\
    int other(int n) { return full(n); }\n";

/// Runs `parallax changes` on two texts and returns its output.
fn changes(old: &str, new: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        fs::create_dir(folder.path().join(name)).unwrap();
        let path = folder.path().join(name).join("sum.c");
        fs::write(&path, text).unwrap();
        path
    };
    let (old, new) = (put("old", old), put("new", new));
    run(&old, &new, options)
}

fn run(old: &Path, new: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_parallax"))
        .arg("changes")
        .args([old, new])
        .args(options)
        .env("COLUMNS", "83")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_change_is_shown_with_its_sources_and_effects() {
    let new =
        OLD.replace("value > limit", "value >= limit").replace("total += v", "total += 2 * v");
    let text = changes(OLD, &new, &[]);
    let expected = "\
sum: 2 changes (2 modified)

c1 modified in main, sum.c:17
     17         total += v;               |    17         total += 2 * v;
  can affect 7 of 60 instructions, in 1 function (main)
  seen at 1 output (sum.c:21)
  of 8 branch directions 3 can be skipped: after them it cannot be executed any more

c2 modified in parse, sum.c:7
      7     if (value > limit)            |     7     if (value >= limit)
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with("changes can meet\n  at sum.c:17 in main: c1, c2\n"), "{text}");
}

#[test]
fn what_looks_different_and_is_not_is_no_change() {
    let new = OLD.replace("int total", "/* all of them */\n    int total").replace("total", "sum");
    assert_eq!(changes(OLD, &new, &[]), "sum: unchanged\n");
}

#[test]
fn a_macro_that_changed_is_said_to_hide_behind_the_same_text() {
    let old = OLD.replace("int main", "#define STEP 1\nint main").replace("+= v", "+= v * STEP");
    let text = changes(&old, &old.replace("STEP 1", "STEP 2"), &[]);
    assert!(text.contains("(the text is the same, its meaning is not)"), "{text}");
}

#[test]
fn the_account_can_be_read_by_programs() {
    let text = changes(OLD, &OLD.replace("limit = 10", "limit = 20"), &["--json"]);
    for part in [
        "\"verdict\": \"changed\"",
        "\"kind\": \"modified\"",
        "\"cause\": \"limit has another value, sum.c:4\"",
        "\"outputs\": [",
        "\"reachable\": true",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn code_that_nothing_leads_to_is_said_to_be_out_of_reach() {
    let new = OLD.replace("int main", "int unused(int a) { return a + 1; }\nint main");
    let text = changes(OLD, &new, &[]);
    assert!(text.contains("c1 added in unused"), "{text}");
    assert!(text.contains("cannot be executed: nothing leads to it"), "{text}");
}

#[test]
fn all_graphs_can_be_drawn() {
    let new =
        OLD.replace("value > limit", "value >= limit").replace("total += v", "total += 2 * v");
    for graph in ["cfg", "cdg", "pdg", "csg", "distance", "callgraph"] {
        let text = changes(OLD, &new, &["--graph", graph]);
        assert!(text.starts_with("<svg") || text.starts_with("<?xml"), "{graph}: {text}");
        assert!(text.contains("class=\"node"), "{graph}: {text}");
        let text = changes(OLD, &new, &["--graph", graph, "--format", "dot", "--function", "main"]);
        assert!(text.starts_with("digraph") && text.contains("->"), "{graph}: {text}");
    }
}

#[test]
fn unrelated_and_empty_programs_are_compared_all_the_same() {
    let empty = "int main(void) { return 0; }\n";
    let text = changes(OLD, empty, &[]);
    assert!(text.contains("deleted in parse"), "{text}");
    let text = changes(empty, OLD, &[]);
    assert!(text.contains("added in parse"), "{text}");
    let other = "#include <stdio.h>\nstatic long f(long a, long b) { return a * b; }\n\
        int main(int argc, char **argv) { printf(\"%ld\\n\", f(argc, 7)); return argc; }\n";
    assert!(changes(OLD, other, &[]).contains("modified in main"));
}

#[test]
fn each_revision_is_shown_with_its_own_source() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
            .arg(folder.path())
            .args(arguments)
            .status()
            .unwrap();
        assert!(status.success());
    };
    git(&["init", "-q"]);
    fs::write(folder.path().join("Makefile"), "sum: sum.c\n\t$(CC) -o sum sum.c\n").unwrap();
    for text in [OLD, &OLD.replace("value > limit", "value >= limit")] {
        fs::write(folder.path().join("sum.c"), text).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-qm", "one more"]);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_parallax"))
        .args(["changes", "HEAD~1", "HEAD", "--build", "make", "--bin", "sum"])
        .current_dir(folder.path())
        .env("PARALLAX_CACHE", folder.path().join("cache"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("if (value > limit)"), "{text}");
    assert!(text.contains("if (value >= limit)"), "{text}");
}

/// Both files of a program whose second one has changed.
fn two_files(folder: &Path) -> [String; 2] {
    ["old", "new"].map(|version| {
        let folder = folder.join(version);
        fs::create_dir(&folder).unwrap();
        let other = if version == "old" { OTHER.to_owned() } else { OTHER.replace('9', "8") };
        let files = [("one.c", ONE), ("other.c", &other)].map(|(name, text)| {
            fs::write(folder.join(name), text).unwrap();
            folder.join(name).display().to_string()
        });
        files.join(",")
    })
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = two_files(folder.path());
    let (old, new) = (Path::new(&old), Path::new(&new));
    let text = run(old, new, &[]);
    assert!(text.contains("c1 modified in other.c:full, other.c:1"), "{text}");
    assert!(!text.contains("full."), "{text}");
    let text = run(old, new, &["--graph", "cfg", "--format", "dot"]);
    assert!(text.contains("control flow of other.c:full"), "{text}");
    let text = run(old, new, &["--graph", "cfg", "--format", "dot", "--function", "one.c:full"]);
    assert!(text.contains("control flow of one.c:full"), "{text}");
    let text = refused(old, new, &["--graph", "cfg", "--function", "full"]);
    assert!(text.contains("several functions are called full: one.c:full, other.c:full"), "{text}");
}

#[test]
fn what_has_no_line_of_its_own_is_shown_with_one_nearby() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n\
        static void show(int a) {\n    printf(\"%d\\n\", a);\n}\n\
        int main(int argc, char **argv) {\n\
        \x20   int a = atoi(argv[1]) + 1;\n    puts(\"a\");\n    int b = argc + 1;\n\
        \x20   show(a);\n    show(b);\n    return 0;\n}\n";
    let new = old.replace("+ 1", "+ 2");
    let text = changes(old, &new, &[]);
    assert!(text.contains("at sum.c:3 in show: c1, c2"), "{text}");
    assert!(!text.contains("instruction "), "{text}");
}

#[test]
fn a_function_that_is_gone_cannot_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.c"), folder.path().join("new.c"));
    fs::write(&old, OLD.replace("int main", "int gone(void) { return 3; }\nint main")).unwrap();
    fs::write(&new, OLD).unwrap();
    let text = refused(&old, &new, &["--graph", "cfg"]);
    assert!(text.contains("not in the new version: gone"), "{text}");
}

#[test]
fn a_statement_that_moved_is_said_to_have_moved() {
    let shown = "    puts(\"one\");\n    printf(\"%d\\n\", total);\n";
    let moved = "    printf(\"%d\\n\", total);\n    puts(\"one\");\n";
    let old = OLD.replace("    printf(\"%d\\n\", total);\n", shown);
    let text = changes(&old, &old.replace(shown, moved), &[]);
    assert!(text.contains("(moved: the text is the same, the order is not)"), "{text}");
}

#[test]
fn distances_say_what_they_count_and_how_to_read_them() {
    let new = OLD.replace("value = limit;", "value = limit + 1;");
    let text = changes(OLD, &new, &["--json"]);
    let text: String = text.split_whitespace().collect();
    assert!(text.contains(r#""distances":[{"steps":1,"ways":1},{"steps":2,"ways":1}]"#), "{text}");
    let text = changes(OLD, &new, &["--graph", "distance"]);
    for part in ["∞: does not decide", "never: no change"] {
        assert!(text.contains(part), "{text}");
    }
}

/// Runs `parallax changes` and returns its error message.
fn refused(old: &Path, new: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_parallax"))
        .arg("changes")
        .args([old, new])
        .args(options)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_function_that_is_not_there_is_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.c");
    fs::write(&path, OLD).unwrap();
    let text = refused(&path, &path, &["--graph", "cfg", "--function", "nobody"]);
    assert!(text.contains("no function called nobody"), "{text}");
}
