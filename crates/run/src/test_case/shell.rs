//! A test case as one line for a POSIX shell.
//!
//! For people to paste, so plain words stay plain; and exact for any byte, so everything else goes
//! through `printf`, whose octal escapes are the only spelling of a byte that every `sh` has. A
//! command substitution drops newlines at its end: those are put back from a variable.

use std::collections::BTreeSet;

use super::{Entry, TestCase, write::is_printable};

/// Variables that a shell keeps for itself: an assignment in front of a command would fail or be
/// overwritten, `env` is not stopped.
const SHELL_OWN: [&[u8]; 7] =
    [b"_", b"BASHOPTS", b"BASH_VERSINFO", b"EUID", b"PPID", b"SHELLOPTS", b"UID"];

pub(super) fn line(test_case: &TestCase, program: &str) -> String {
    let mut steps = files(test_case);
    steps.push(command(test_case, program));
    let line = steps.join(" && ");
    match line.contains("$nl") {
        true => format!("nl=$(printf '\\n.'); nl=${{nl%.}}; {line}"),
        false => line,
    }
}

fn files(test_case: &TestCase) -> Vec<String> {
    let mut made = BTreeSet::new();
    let mut steps = Vec::new();
    for (name, entry) in &test_case.files {
        if let Some(slash) = name.iter().rposition(|&byte| byte == b'/') {
            steps.extend(directory(&name[..slash], &mut made));
        }
        match entry {
            Entry::Directory => steps.extend(directory(name, &mut made)),
            Entry::Symlink(target) => {
                steps.push(utility("ln -s", &[target, name]));
            }
            Entry::File { data, executable } => {
                steps.push(format!("{} > {}", print(data), word(name)));
                steps.extend(executable.then(|| utility("chmod", &[b"+x", name])));
            }
        }
    }
    steps
}

fn directory(name: &[u8], made: &mut BTreeSet<Vec<u8>>) -> Option<String> {
    made.insert(name.to_vec()).then(|| utility("mkdir -p", &[name]))
}

/// A command whose operands cannot be mistaken for options.
fn utility(command: &str, operands: &[&[u8]]) -> String {
    let dashes = match operands.iter().any(|operand| operand.starts_with(b"-")) {
        true => " --",
        false => "",
    };
    let words: Vec<String> = operands.iter().map(|operand| word(operand)).collect();
    format!("{command}{dashes} {}", words.join(" "))
}

fn command(test_case: &TestCase, program: &str) -> String {
    let mut words = env(test_case);
    words.push(word(program.as_bytes()));
    words.extend(test_case.args.iter().map(|arg| word(arg)));
    let command = words.join(" ");
    match test_case.stdin.as_deref() {
        None | Some([]) => format!("{command} < /dev/null"),
        Some(stdin) => format!("{} | {command}", print(stdin)),
    }
}

fn env(test_case: &TestCase) -> Vec<String> {
    let plain = test_case.env.keys().all(|name| can_be_assigned(name));
    let assignments = test_case.env.iter().map(|(name, value)| match plain {
        true => format!("{}={}", String::from_utf8_lossy(name), word(value)),
        false => word(&[name.as_slice(), b"=", value].concat()),
    });
    let env = (!plain).then(|| String::from("env --"));
    env.into_iter().chain(assignments).collect()
}

fn can_be_assigned(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && !name.first().is_none_or(u8::is_ascii_digit)
        && !SHELL_OWN.contains(&name)
}

/// A word that the shell takes as exactly these bytes.
fn word(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && text.bytes().all(is_plain) => String::from(text),
        Ok(text) if text.chars().all(is_printable) => {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
        _ => substituted(bytes),
    }
}

/// A word that `printf` spells, with the newlines at its end that a substitution would lose.
fn substituted(bytes: &[u8]) -> String {
    let kept = bytes.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
    let newlines = "$nl".repeat(bytes.len() - kept);
    match kept {
        0 => format!("\"{newlines}\""),
        _ => format!("\"$({}){newlines}\"", print(&bytes[..kept])),
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte)
}

/// A command that prints exactly these bytes.
fn print(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::from(":");
    }
    let mut format = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(&mut format, c);
        }
        for byte in chunk.invalid() {
            format += &format!("\\{byte:03o}");
        }
    }
    format!("printf '{format}'")
}

fn push_char(format: &mut String, c: char) {
    match c {
        '\n' => *format += "\\n",
        '\t' => *format += "\\t",
        '\r' => *format += "\\r",
        '\\' => *format += "\\\\",
        '%' => *format += "%%",
        '\'' => *format += "\\047",
        // In front it would be mistaken for an option.
        '-' if format.is_empty() => *format += "\\055",
        c if is_printable(c) => format.push(c),
        c => {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                *format += &format!("\\{byte:03o}");
            }
        }
    }
}
