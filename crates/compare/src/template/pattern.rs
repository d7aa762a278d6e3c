//! One line in which some tokens vary.
//!
//! A token is a maximal run of letters and digits, so that a number or an address varies as a
//! whole, or any other byte alone. A wildcard takes any bytes of its line: the first place where
//! the next literal fits is always the right one, so matching never goes back further than that.

use memchr::memmem;

/// A line with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Literals with a wildcard between each two; a wildcard at an end has an empty literal beside
    /// it. One literal is a line that does not vary.
    Literals(Vec<Vec<u8>>),
    /// Any one line.
    Any,
}

impl Pattern {
    /// The pattern of these lines.
    pub(super) fn of(lines: &[&[u8]]) -> Pattern {
        if lines.iter().all(|line| *line == lines[0]) {
            return Pattern::Literals(vec![lines[0].to_vec()]);
        }
        let lines: Vec<Vec<&[u8]>> = lines.iter().map(|line| tokens(line)).collect();
        let (first, others) = lines.split_first().expect("a pattern is made from lines");
        let newlines_vary = |line: &Vec<&[u8]>| line.last() != first.last() && ends(line, first);
        if others.iter().any(|line| line.len() != first.len() || newlines_vary(line)) {
            return Pattern::Any;
        }
        let mut literals = vec![Vec::new()];
        let mut in_wildcard = false;
        for (place, token) in first.iter().enumerate() {
            let varies = others.iter().any(|line| line[place] != *token);
            match (varies, literals.last_mut()) {
                (false, Some(literal)) => literal.extend_from_slice(token),
                (true, _) if !in_wildcard => literals.push(Vec::new()),
                _ => {}
            }
            in_wildcard = varies;
        }
        Pattern::Literals(literals)
    }

    /// Whether anything of it varies.
    pub(super) fn varies(&self) -> bool {
        !matches!(self, Pattern::Literals(literals) if literals.len() == 1)
    }

    /// Whether some of it does not vary.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Pattern::Literals(literals) => literals.iter().any(|it| !it.is_empty() && it != b"\n"),
            Pattern::Any => false,
        }
    }

    /// The line with a mark in each place that varies.
    pub(super) fn text(&self) -> Vec<u8> {
        match self {
            Pattern::Literals(literals) => literals.join(&b"<varies>"[..]),
            Pattern::Any => b"<varies>\n".to_vec(),
        }
    }

    pub(super) fn matches(&self, line: &[u8]) -> bool {
        let Pattern::Literals(literals) = self else {
            return true;
        };
        let Some((first, rest)) = literals.split_first() else {
            return line.is_empty();
        };
        let Some((last, middle)) = rest.split_last() else {
            return line == first.as_slice();
        };
        let Some(after_first) = line.strip_prefix(first.as_slice()) else {
            return false;
        };
        let Some(mut remaining) = after_first.strip_suffix(last.as_slice()) else {
            return false;
        };
        // The wildcard at the end must not take the newline.
        if last.is_empty() && line.ends_with(b"\n") {
            return false;
        }
        for literal in middle {
            match memmem::find(remaining, literal) {
                Some(at) => remaining = &remaining[at + literal.len()..],
                None => return false,
            }
        }
        true
    }
}

/// Whether one of the two lines ends in a newline.
fn ends(line: &[&[u8]], other: &[&[u8]]) -> bool {
    [line, other].iter().any(|line| line.last() == Some(&&b"\n"[..]))
}

fn tokens(line: &[u8]) -> Vec<&[u8]> {
    let both_alphanumeric = |a: &u8, b: &u8| is_alphanumeric(*a) && is_alphanumeric(*b);
    line.chunk_by(both_alphanumeric).collect()
}

/// Letters beyond ASCII are several bytes in UTF-8, all of them of 128 and more.
fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], matching: &[&str], others: &[&str]) {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        let pattern = Pattern::of(&lines);
        for line in &lines {
            assert!(pattern.matches(line), "{pattern:?} was made from {line:?}");
        }
        for line in matching {
            assert!(pattern.matches(line.as_bytes()), "{pattern:?} and {line:?}");
        }
        for line in others {
            assert!(!pattern.matches(line.as_bytes()), "{pattern:?} and {line:?}");
        }
    }

    #[test]
    fn tokens_that_vary_are_wildcards() {
        check(&["pid 17\n", "pid 4321\n"], &["pid 5\n"], &["pid 5", "Pid 5\n", "pid 5 \nx"]);
        check(
            &["[0x7f01] ok 1\n", "[0x7f99] ok 1\n"],
            &["[0x1] ok 1\n"],
            &["[0x1] ok 2\n", "[0x1] ok 11\n"],
        );
        check(&["a1 b c2\n", "a3 b c4\n"], &[" b \n"], &["a1 B c2\n"]);
    }

    #[test]
    fn literals_do_not_overlap() {
        check(&["aa x aa\n", "aa y aa\n"], &[], &["aa \n", "aa aa\n"]);
    }

    #[test]
    fn lines_of_varying_tokens_are_any_line() {
        check(&["-1\n", "1\n"], &["x y z\n"], &[]);
        check(&["1\n", "1"], &["2"], &[]);
        check(&["1\n", "1!"], &["2"], &[]);
    }
}
