//! Bytes as text in which every byte can be seen.
//!
//! Printable characters are printed, all others are escaped as in C. Two kinds of text need that.
//! The output of a program is evidence: its backslashes are escaped, too, so that two different
//! lines never look the same. Sources, names and messages are quoted for orientation and keep their
//! backslashes; they only must not move a cursor, change a title or reverse the direction of a
//! line.

use std::borrow::Cow;

/// The bytes in visible characters, on one line.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push(&mut text, c);
        }
        for byte in chunk.invalid() {
            text += &format!("\\x{byte:02x}");
        }
    }
    text
}

/// The same for a line whose end matters: white space there is escaped too.
pub(crate) fn visible_to_the_end(line: &[u8]) -> String {
    let text = visible(line);
    match text.strip_suffix(' ') {
        Some(rest) => format!("{rest}\\x20"),
        None => text,
    }
}

/// A quoted text of one or more lines, with no character in it that a terminal obeys.
pub fn harmless(text: &str) -> Cow<'_, str> {
    replaced(text, |c| matches!(c, '\n' | '\t') || is_printable(c))
}

/// The same for a text that takes one line whatever is in it, such as a name of a file.
pub fn harmless_line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c == '\t' || is_printable(c))
}

fn replaced(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_kept(c) { replaced.push(c) } else { push(&mut replaced, c) }
    }
    Cow::Owned(replaced)
}

/// Whether a character stands for itself within a line. A combining mark does, behind another character.
fn is_printable(c: char) -> bool {
    let is_plain = matches!(c, '\\' | '"' | '\'') || c.escape_debug().len() == 1;
    is_plain || (!c.is_ascii() && format!("a{c}").escape_debug().count() == 2)
}

fn push(text: &mut String, c: char) {
    match c {
        '\\' => *text += "\\\\",
        '\t' => *text += "\\t",
        '\r' => *text += "\\r",
        '\n' => *text += "\\n",
        '"' | '\'' => text.push(c),
        c if c.escape_debug().len() == 1 => text.push(c),
        c if c.is_ascii() => *text += &format!("\\x{:02x}", u32::from(c)),
        c => *text += &format!("\\u{{{:x}}}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_can_be_seen() {
        assert_eq!(visible("héllo \"x\" 'y'".as_bytes()), "héllo \"x\" 'y'");
        assert_eq!(visible(b"\x1b[31m\0\xff\t\\"), "\\x1b[31m\\x00\\xff\\t\\\\");
        assert_eq!(visible("a\u{202e}b".as_bytes()), "a\\u{202e}b");
        assert_eq!(visible_to_the_end(b"a b "), "a b\\x20");
    }

    #[test]
    fn a_quoted_text_keeps_what_it_says_and_loses_what_it_does() {
        let plain = "\tputs(\"a\\n\"); // é 漢 e\u{301} हिन्दी";
        assert!(matches!(harmless_line(plain), Cow::Borrowed(same) if same == plain));
        for (hostile, seen) in [
            ("\x1b[2J", "\\x1b[2J"),
            ("\x1b]8;;http://x\x07y", "\\x1b]8;;http://x\\x07y"),
            ("a\r\x08b\x7f", "a\\r\\x08b\\x7f"),
            ("\u{9b}2J\u{202e}\u{2066}\u{feff}", "\\u{9b}2J\\u{202e}\\u{2066}\\u{feff}"),
        ] {
            assert_eq!(harmless(hostile), seen);
            assert_eq!(harmless_line(hostile), seen);
            assert_eq!(harmless(seen), seen, "what is harmless stays as it is");
        }
        assert_eq!((harmless("a\nb"), harmless_line("a\nb")), ("a\nb".into(), "a\\nb".into()));
    }
}
