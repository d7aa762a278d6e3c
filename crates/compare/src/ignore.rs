//! The user's rules for noise.
//!
//! A rule removes text on both sides before they are compared. The alternative, a rule that drops a
//! whole finding, would hide real differences beside an ignored one.

use std::borrow::Cow;

use regex::bytes::{Regex, RegexBuilder};

use crate::Aspect;

/// Rules for text that does not count.
#[derive(Clone, Debug, Default)]
pub struct Ignore {
    rules: Vec<Rule>,
}

/// A rule that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("understand the rule {rule:?}: {source}")]
pub struct IgnoreError {
    /// The rule as it was given.
    pub rule: String,
    /// The error in it.
    #[source]
    pub source: Box<regex::Error>,
}

#[derive(Clone, Debug)]
struct Rule {
    /// The aspect it holds for; `None` is everywhere.
    aspect: Option<Aspect>,
    regex: Regex,
}

impl Ignore {
    /// Rules of the form `REGEX`, for everything that is printed or written, or `stdout:REGEX`,
    /// `stderr:REGEX`, `files:REGEX`. `^` and `$` match at every line.
    pub fn new<S: AsRef<str>>(rules: &[S]) -> Result<Ignore, IgnoreError> {
        let rules: Result<Vec<Rule>, IgnoreError> =
            rules.iter().map(|rule| parse(rule.as_ref())).collect();
        Ok(Ignore { rules: rules? })
    }

    /// These rules and one more: this text, as it is, wherever it stands.
    #[must_use]
    pub fn and_text(mut self, text: &str) -> Ignore {
        let regex = Regex::new(&regex::escape(text));
        self.rules.extend(regex.ok().map(|regex| Rule { aspect: None, regex }));
        self
    }

    /// These rules and one more: each of these numbers, wherever it stands alone.
    #[must_use]
    pub fn and_numbers(mut self, numbers: &[u64]) -> Ignore {
        let numbers: Vec<_> = numbers.iter().map(u64::to_string).collect();
        let regex = Regex::new(&format!(r"(?-u:\b)(?:{})(?-u:\b)", numbers.join("|")));
        let regex = regex.ok().filter(|_| !numbers.is_empty());
        self.rules.extend(regex.map(|regex| Rule { aspect: None, regex }));
        self
    }

    /// The bytes without all matches of the rules for this aspect.
    pub(crate) fn apply<'a>(&self, aspect: Aspect, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut kept = Cow::Borrowed(bytes);
        for rule in &self.rules {
            let everywhere = rule.aspect.is_none();
            if (everywhere || rule.aspect == Some(aspect)) && rule.regex.is_match(&kept) {
                kept = Cow::Owned(rule.regex.replace_all(&kept, &b""[..]).into_owned());
            }
        }
        kept
    }
}

fn parse(rule: &str) -> Result<Rule, IgnoreError> {
    let (aspect, pattern) = [Aspect::Stdout, Aspect::Stderr, Aspect::Files]
        .into_iter()
        .find_map(|aspect| {
            let pattern = rule.strip_prefix(aspect.name())?.strip_prefix(':')?;
            Some((Some(aspect), pattern))
        })
        .unwrap_or((None, rule));
    let regex = RegexBuilder::new(pattern).multi_line(true).build();
    match regex {
        Ok(regex) => Ok(Rule { aspect, regex }),
        Err(source) => Err(IgnoreError { rule: String::from(rule), source: Box::new(source) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &[&str], aspect: Aspect, text: &str, expected: &str) {
        let ignore = Ignore::new(rules).expect("the rules are regular expressions");
        let kept = ignore.apply(aspect, text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&kept), expected, "{rules:?}");
    }

    #[test]
    fn matches_are_taken_out() {
        check(&["[0-9]+"], Aspect::Stdout, "a1b22\n", "ab\n");
        check(&["^#.*\\n"], Aspect::Files, "#x\na\n#y\n", "a\n");
        check(&["a", "b"], Aspect::Stderr, "abc", "c");
    }

    #[test]
    fn a_rule_can_be_for_one_aspect() {
        check(&["stderr:a"], Aspect::Stdout, "a", "a");
        check(&["stderr:a"], Aspect::Stderr, "a", "");
        check(&["(?:)stderr:a"], Aspect::Stdout, "stderr:a", "");
    }

    #[test]
    fn a_number_is_taken_out_where_it_stands_for_itself() {
        let ignore = Ignore::default().and_numbers(&[12, 4711]);
        let kept = ignore.apply(Aspect::Stdout, b"(4711) 14711 47110 4711\n");
        assert_eq!(*kept, *b"() 14711 47110 \n");
    }

    #[test]
    fn a_bad_rule_is_named() {
        let error = Ignore::new(&["stdout:("]).expect_err("the group is not closed");
        assert!(error.to_string().contains("the rule \"stdout:(\": regex"), "{error}");
    }
}
