//! Parser for the output of a solver program.
//!
//! Programs differ in line breaks, number formats and quoted names. All of them give the values of
//! `get-value` in the order of the request.

/// The word that answers `check-sat`, and the rest of the text.
pub(super) fn verdict(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|character: char| character.is_whitespace()).unwrap_or(text.len());
    text.split_at(end)
}

/// The numbers of the answer to `get-value`, for `count` names.
pub(super) fn values(text: &str, count: usize) -> Option<Vec<u64>> {
    let mut tokens = Tokens(text);
    tokens.expect("(")?;
    let values = (0..count)
        .map(|_| {
            tokens.expect("(")?;
            tokens.next()?;
            let value = number(&mut tokens)?;
            tokens.expect(")")?;
            Some(value)
        })
        .collect::<Option<Vec<u64>>>()?;
    tokens.expect(")")?;
    Some(values)
}

/// `#x2a`, `#b101010` or `(_ bv42 8)`.
fn number(tokens: &mut Tokens) -> Option<u64> {
    let token = tokens.next()?;
    if let Some(digits) = token.strip_prefix("#x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = token.strip_prefix("#b") {
        return u64::from_str_radix(digits, 2).ok();
    }
    if token != "(" {
        return None;
    }
    tokens.expect("_")?;
    let value = tokens.next()?.strip_prefix("bv")?.parse().ok();
    tokens.next()?;
    tokens.expect(")")?;
    value
}

struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    fn expect(&mut self, token: &str) -> Option<()> {
        (self.next()? == token).then_some(())
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let ends = |character: char| character.is_whitespace() || "()".contains(character);
        let length = match text.chars().next()? {
            '(' | ')' => 1,
            '|' => text[1..].find('|')? + 2,
            _ => text.find(ends).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at(length);
        self.0 = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_write_numbers_are_read() {
        let text = "sat\n((|stdin[0] (| #x2a)\n (argc #b101)\n\t(|a b| (_ bv300 64)))\n";
        let (word, rest) = verdict(text);
        assert_eq!(word, "sat");
        assert_eq!(values(rest, 3), Some(vec![42, 5, 300]));
    }

    #[test]
    fn rubbish_has_no_values() {
        for text in ["", "(", "((x", "((x #xzz))", "((|x #x00))", "((x #x00)", "((x true))"] {
            assert_eq!(values(text, 1), None, "{text}");
        }
        assert_eq!(values("((x #x01))", 2), None);
        assert_eq!(verdict("\u{fffd}\u{fffd}").0, "\u{fffd}\u{fffd}");
    }
}
