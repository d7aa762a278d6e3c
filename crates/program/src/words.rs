//! Texts in a program's globals: it often compares its input with them.

use std::collections::BTreeSet;

use crate::Program;

/// Longer texts are messages.
const LONGEST: usize = 24;

impl Program {
    /// Texts without blanks among the initial values of globals, each once.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let values = self.globals.iter().filter_map(|global| {
            Some(self.constants.get(global.initializer?.0 as usize)?.text.as_str())
        });
        let words: BTreeSet<Vec<u8>> =
            values.flat_map(texts).filter(|text| is_word(text)).collect();
        words.into_iter().collect()
    }
}

fn is_word(text: &[u8]) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.iter().all(u8::is_ascii_graphic)
}

/// The texts of a value, as LLVM writes them: `c"…"`, with `\5C` for what is no plain character.
fn texts(value: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for (start, _) in value.match_indices("c\"") {
        let mut bytes = Vec::new();
        let mut rest = value.as_bytes()[start + 2..].iter().copied();
        while let Some(byte) = rest.next().filter(|byte| *byte != b'"') {
            let byte = match byte {
                b'\\' => {
                    let digits = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                    let digits = std::str::from_utf8(&digits).unwrap_or("00");
                    u8::from_str_radix(digits, 16).unwrap_or(0)
                }
                plain => plain,
            };
            bytes.push(byte);
        }
        found.extend(bytes.split(|byte| *byte == 0).map(<[u8]>::to_vec));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_llvm_writes_them() {
        let value = r#"[2 x %s] [%s { [4 x i8] c"let\00" }, %s { [4 x i8] c"a\22b\00" }]"#;
        let words: Vec<_> = texts(value).into_iter().filter(|text| is_word(text)).collect();
        assert_eq!(words, [b"let".to_vec(), b"a\"b".to_vec()]);
    }
}
