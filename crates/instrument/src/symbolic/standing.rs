//! The standing of library functions in a proof.
//!
//! The rule is closed: functions known to be modelled may be part of a proof, all others are
//! obstacles and are named.

use std::collections::HashMap;

/// The standing of a call of a library function in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may be part of one.
    Exact,
    /// It reads the environment, which the proof is about then.
    World,
    /// It may be part of one about code that is not optimised.
    Unoptimised,
    /// It may be part of one; of optimised code only if its result is only compared with zero,
    /// since a compiler's own version of it returns other numbers.
    Zeroness,
    /// It rules a proof out.
    Against,
}

/// The functions of the runtime's list.
#[derive(Debug, Default)]
pub(crate) struct Standings(HashMap<String, Standing>);

impl Standings {
    /// Reads the list: a function on each line, with `~`, `?`, `=` or `-` before it.
    pub(crate) fn parse(text: &str) -> Standings {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let entry = |line: &str| match line.split_once(' ') {
            Some(("~", name)) => (name.trim().to_owned(), Standing::World),
            Some(("?", name)) => (name.trim().to_owned(), Standing::Unoptimised),
            Some(("=", name)) => (name.trim().to_owned(), Standing::Zeroness),
            Some(("-", name)) => (name.trim().to_owned(), Standing::Against),
            _ => (line.to_owned(), Standing::Exact),
        };
        Standings(lines.filter(|line| !line.is_empty()).map(entry).collect())
    }

    /// The standing of a function, which may have a model.
    pub(crate) fn of(&self, name: &str, has_model: bool) -> Standing {
        let otherwise = if has_model { Standing::Exact } else { Standing::Against };
        self.0.get(name).copied().unwrap_or(otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_stands_against_a_proof_unless_it_has_a_model() {
        let standings = Standings::parse("# a comment\nclose\n~ getpid # who asks\n- fork\n");
        assert_eq!(standings.of("close", false), Standing::Exact);
        assert_eq!(standings.of("getpid", false), Standing::World);
        assert_eq!(standings.of("fork", true), Standing::Against);
        assert_eq!(standings.of("strlen", true), Standing::Exact);
        assert_eq!(standings.of("pipe", false), Standing::Against);
    }

    #[test]
    fn the_list_of_the_runtime_is_read() {
        let standings = Standings::parse(parallax_runtime::STANDINGS);
        assert_eq!(standings.of("sendfile", true), Standing::Against);
        assert_eq!(standings.of("isatty", false), Standing::World);
        assert_eq!(standings.of("cos", false), Standing::Exact);
    }
}
