//! Bytes as text in which every byte can be seen.
//!
//! What can be printed is printed, everything else is escaped as C would have it, and so is the
//! backslash: two different lines never look the same.

/// The bytes in characters that can be seen, on one line.
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

/// The same for a line of which the end matters: white space there is escaped too.
pub(crate) fn visible_to_the_end(line: &[u8]) -> String {
    let text = visible(line);
    match text.strip_suffix(' ') {
        Some(rest) => format!("{rest}\\x20"),
        None => text,
    }
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
}
