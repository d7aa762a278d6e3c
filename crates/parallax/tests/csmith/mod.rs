//! Programs that Csmith writes, traced and native.
//!
//! Each is run as generated, and with its variables read from standard input: the bytes are their
//! values, so that the program does the same and labels are everywhere.

use std::{collections::HashMap, fmt::Write, fs, path::Path, process::Command, time::Duration};

use parallax_run::{Ending, Limits, TestCase, trace::TraceOptions};

use crate::tracing::{Checker, Stats, build};

/// Sizes that keep most programs below a second of native running.
const OPTIONS: [&str; 12] = [
    "--concise",
    "--quiet",
    "--max-funcs",
    "6",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "4",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "6",
];
/// The time limit of a native run.
const TIME: Duration = Duration::from_secs(1);
/// The time limit of a traced run: it slows down where everything is symbolic.
const TRACED_TIME: Duration = Duration::from_secs(40);
const LEVELS: [&str; 3] = ["-O1", "-O0", "-O2"];

const ENDLESS: &str = "do not end natively";
const SLOW: &str = "do not end in time when everything is symbolic";

/// The outcome for one program.
pub(crate) enum Verdict {
    Right(Stats),
    /// Inconclusive, for this reason.
    Skipped(&'static str),
}

/// With room for a trace: a program that is symbolic everywhere can fill any.
pub(crate) fn checker() -> Checker {
    Checker::with_room(TraceOptions {
        sites: 4 << 20,
        nodes: 2 << 20,
        events: 2 << 20,
        blobs: 128 << 20,
        ..TraceOptions::default()
    })
}

/// Checks the program of this seed, and leaves it in the folder if something is wrong.
pub(crate) fn check(checker: &mut Checker, seed: u64, folder: &Path) -> Result<Verdict, String> {
    let source = generate(seed);
    let fed = with_variables_from_input(&source);
    let save = |why: String| {
        fs::write(folder.join(format!("{seed}.c")), &fed).unwrap();
        why
    };
    let level = LEVELS[seed as usize % LEVELS.len()];
    let include = "-I/usr/include/csmith";
    let program = build("program", &fed, &[level, include]).map_err(save)?;
    let test =
        |word: &str, stdin| TestCase { args: vec![word.into()], stdin, ..TestCase::default() };
    checker.limits = Limits { time: TIME, ..Limits::default() };
    let native = checker.native(&program, &test("1", None));
    // An endless loop may become anything when optimised: Csmith writes some.
    if !matches!(native.ending, Ending::Exit(_)) {
        return Ok(Verdict::Skipped(ENDLESS));
    }
    let variables = checker.native(&program, &test("variables", None)).stdout.bytes;
    checker.limits = Limits { time: TRACED_TIME, ..Limits::default() };
    let mut stats = Stats::default();
    for stdin in [None, Some(variables)] {
        let test = test("1", stdin);
        let seen = checker.native(&program, &test);
        if seen != native {
            return Err(save("its own variables change what it does".to_owned()));
        }
        match checker.check(&program, &test) {
            Ok(more) => stats += more,
            // The run was cut off: there is nothing to compare.
            Err(_) if checker.is_cut_off(&program, &test) => return Ok(Verdict::Skipped(SLOW)),
            Err(why) => {
                fs::write(folder.join(format!("{seed}.toml")), test.to_toml()).unwrap();
                return Err(save(format!("{level}\n{why}")));
            }
        }
    }
    Ok(Verdict::Right(stats))
}

fn generate(seed: u64) -> String {
    // Csmith leaves a file about the machine in its working directory.
    let output = Command::new("csmith")
        .current_dir(std::env::temp_dir())
        .args(["--seed", &seed.to_string()])
        .args(OPTIONS)
        .output()
        .expect("csmith is installed");
    String::from_utf8(output.stdout).unwrap()
}

/// The program with its variables read at the start of `main`; or, on request, written out.
fn with_variables_from_input(source: &str) -> String {
    let holders = holders_of_pointers(source);
    let mut takes = String::new();
    let mut gives = String::new();
    for name in source.lines().filter_map(|line| variable(line, &holders)) {
        let _ = writeln!(takes, "    take((void *)&{name}, sizeof {name});");
        let _ = writeln!(gives, "    give((void *)&{name}, sizeof {name});");
    }
    let helpers = format!(
        "#include <unistd.h>\n\
         static void take(char *to, unsigned long size) {{\n\
             for (long got; size && (got = read(0, to, size)) > 0; to += got, size -= got);\n\
         }}\n\
         static void give(char *from, unsigned long size) {{\n\
             for (long got; size && (got = write(1, from, size)) > 0; from += got, size -= got);\n\
         }}\n\
         static void variables(int only) {{\n    if (only) {{\n{gives}    _exit(0);\n    }}\n{takes}}}\n"
    );
    let main = source.find("int main (").unwrap();
    let (before, main) = source.split_at(main);
    let call = "    variables(argc == 2 && strcmp(argv[1], \"variables\") == 0);\n    platform_main_begin();";
    format!("{before}{helpers}{}", main.replacen("    platform_main_begin();", call, 1))
}

/// Structures and unions that hold a pointer or something constant, themselves or inside.
fn holders_of_pointers(source: &str) -> HashMap<String, bool> {
    let mut found = HashMap::new();
    let mut current: Option<(String, bool)> = None;
    for line in source.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let [kind @ ("struct" | "union"), name, "{"] = words[..] {
            current = Some((format!("{kind} {name}"), false));
        } else if line.starts_with("};") {
            found.extend(current.take());
        } else if let Some((_, holds)) = &mut current {
            let inner = words.windows(2).any(|pair| found.get(&pair.join(" ")) == Some(&true));
            *holds |= inner || line.contains('*') || words.contains(&"const");
        }
    }
    found
}

/// The name of a variable that may be overwritten, if the line declares one.
fn variable<'l>(line: &'l str, holders: &HashMap<String, bool>) -> Option<&'l str> {
    let declared = line.strip_prefix("static ")?.split(" = ").next()?;
    let words: Vec<_> = declared.split_whitespace().collect();
    let name = words.last()?.split('[').next()?;
    let holds = words.windows(2).any(|pair| holders.get(&pair.join(" ")) == Some(&true));
    let is_plain = !declared.contains(['*', '(']) && !words.contains(&"const") && !holds;
    (name.starts_with("g_") && is_plain).then_some(name)
}
