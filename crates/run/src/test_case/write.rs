//! Writing a test case as TOML.
//!
//! The written form is a function of the test case alone, with one value per line where values are
//! long, so that a diff of two tests shows what differs between them. Text of several lines is
//! written as such; what an editor could lose on the way (white space at the end of a line,
//! carriage returns, control characters) is always escaped.

use super::{Entry, TestCase, hex};

/// An array or table that fits in this many columns stays on one line.
const WIDTH: usize = 80;

pub(super) fn write(test_case: &TestCase) -> String {
    let mut toml = array("args", test_case.args.iter().map(|arg| short(arg)));
    if let Some(stdin) = &test_case.stdin {
        toml += &match std::str::from_utf8(stdin) {
            Ok(text) => format!("stdin = {}\n", long_text(text)),
            Err(_) => format!("stdin_hex = \"{}\"\n", hex::encode(stdin)),
        };
    }
    // The top-level keys end where the first table begins, so a long environment comes last.
    let (inline_env, env_table) = env(test_case);
    toml += &inline_env;
    if !test_case.fixed.is_empty() {
        toml += &array("fixed", test_case.fixed.iter().map(|part| short(&part.written())));
    }
    toml + &env_table + &files(test_case) + &raw_env(test_case) + &raw_files(test_case)
}

fn array(key: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let line = format!("{key} = [{}]\n", items.join(", "));
    match line.chars().count() <= WIDTH {
        true => line,
        false => format!("{key} = [\n    {},\n]\n", items.join(",\n    ")),
    }
}

/// The environment as an inline table, or as a table of its own.
fn env(test_case: &TestCase) -> (String, String) {
    let pairs: Vec<String> = test_case
        .env
        .iter()
        .filter_map(|(name, value)| {
            let name = std::str::from_utf8(name).ok()?;
            Some(format!("{} = {}", key(name), short(value)))
        })
        .collect();
    if pairs.is_empty() {
        return (String::new(), String::new());
    }
    let line = format!("env = {{ {} }}\n", pairs.join(", "));
    match line.chars().count() <= WIDTH {
        true => (line, String::new()),
        false => (String::new(), format!("\n[env]\n{}\n", pairs.join("\n"))),
    }
}

fn files(test_case: &TestCase) -> String {
    let lines: String = test_case
        .files
        .iter()
        .filter_map(|(name, entry)| Some(file(std::str::from_utf8(name).ok()?, entry)))
        .collect();
    match lines.is_empty() {
        true => lines,
        false => format!("\n[files]\n{lines}"),
    }
}

fn file(name: &str, entry: &Entry) -> String {
    match entry {
        Entry::Directory => format!("{} = {{}}\n", key(&format!("{name}/"))),
        Entry::File { data, executable: false } => format!("{} = {}\n", key(name), long(data)),
        Entry::File { .. } | Entry::Symlink(_) => {
            let fields = fields(entry).join(", ");
            format!("{} = {{ {fields} }}\n", key(name))
        }
    }
}

fn raw_env(test_case: &TestCase) -> String {
    let raw = |(name, value): (&Vec<u8>, &Vec<u8>)| match std::str::from_utf8(name) {
        Ok(_) => None,
        Err(_) => Some(format!(
            "\n[[raw_env]]\nname_hex = \"{}\"\n{}\n",
            hex::encode(name),
            text_or_hex("value", "value_hex", value),
        )),
    };
    test_case.env.iter().filter_map(raw).collect()
}

fn raw_files(test_case: &TestCase) -> String {
    let raw = |(name, entry): (&Vec<u8>, &Entry)| match std::str::from_utf8(name) {
        Ok(_) => None,
        Err(_) => Some(raw_file(name, entry)),
    };
    test_case.files.iter().filter_map(raw).collect()
}

fn raw_file(name: &[u8], entry: &Entry) -> String {
    let slash = match entry {
        Entry::Directory => "2f",
        _ => "",
    };
    let name = hex::encode(name);
    let mut lines = vec![format!("\n[[raw_files]]\nname_hex = \"{name}{slash}\"")];
    lines.extend(fields(entry));
    lines.join("\n") + "\n"
}

fn fields(entry: &Entry) -> Vec<String> {
    match entry {
        Entry::Directory => Vec::new(),
        Entry::Symlink(target) => vec![text_or_hex("symlink", "symlink_hex", target)],
        Entry::File { data, executable } => {
            let data = text_or_hex("text", "hex", data);
            let executable = executable.then(|| String::from("executable = true"));
            [data].into_iter().chain(executable).collect()
        }
    }
}

fn text_or_hex(text_key: &str, hex_key: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text_key} = {}", long_text(text)),
        Err(_) => format!("{hex_key} = \"{}\"", hex::encode(bytes)),
    }
}

/// A value that stays on one line.
fn short(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => basic(text),
        Err(_) => format!("{{ hex = \"{}\" }}", hex::encode(bytes)),
    }
}

/// A value that may take several lines.
fn long(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => long_text(text),
        Err(_) => short(bytes),
    }
}

fn long_text(text: &str) -> String {
    match text.lines().count() > 1 {
        true => multi_line(text),
        false => basic(text),
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !name.is_empty() && name.chars().all(bare) {
        true => String::from(name),
        false => basic(name),
    }
}

fn basic(text: &str) -> String {
    let mut string = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => string += "\\\"",
            '\n' => string += "\\n",
            c => push_escaped(&mut string, c),
        }
    }
    string + "\""
}

fn multi_line(text: &str) -> String {
    let mut string = String::from("\"\"\"\n");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek();
        match c {
            '\n' => string.push('\n'),
            // Three in a row would end the string, and so would one before its end.
            '"' if matches!(next, None | Some('"')) => string += "\\\"",
            '"' => string.push('"'),
            ' ' if matches!(next, None | Some('\n')) => string += "\\u0020",
            c => push_escaped(&mut string, c),
        }
    }
    string + "\"\"\""
}

fn push_escaped(string: &mut String, c: char) {
    match c {
        '\\' => string.push_str("\\\\"),
        '\t' => string.push_str("\\t"),
        '\r' => string.push_str("\\r"),
        c if is_printable(c) => string.push(c),
        c if u32::from(c) < 0x1_0000 => string.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => string.push_str(&format!("\\U{:08x}", u32::from(c))),
    }
}

/// The standard library knows which characters are visible: those it does not escape.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}
