//! Writes of library functions without a model.

use std::collections::HashMap;

/// The extent of a write through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// So many bytes.
    Bytes(u64),
    /// As many bytes as the value of another argument.
    Argument(u32),
    /// The whole object that is pointed to.
    Object,
}

/// A write of a function: the argument with the address, and the extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) argument: u32,
    pub(crate) extent: Extent,
}

/// The functions of the runtime's list.
#[derive(Debug, Default)]
pub(crate) struct Effects(HashMap<String, Vec<Write>>);

impl Effects {
    /// Reads the list: a function on each line, then its writes, as `argument:extent`.
    pub(crate) fn parse(text: &str) -> Effects {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let entries = lines.filter_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next()?;
            Some((name.to_owned(), words.filter_map(write).collect()))
        });
        Effects(entries.collect())
    }

    /// The writes of a function, if it is in the list.
    pub(crate) fn of(&self, name: &str) -> Option<&[Write]> {
        self.0.get(name).map(Vec::as_slice)
    }
}

fn write(word: &str) -> Option<Write> {
    let (argument, extent) = word.split_once(':')?;
    let extent = match extent.strip_prefix('$') {
        Some(argument) => Extent::Argument(argument.parse().ok()?),
        None if extent == "*" => Extent::Object,
        None => Extent::Bytes(extent.parse().ok()?),
    };
    Some(Write { argument: argument.parse().ok()?, extent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_function_and_what_it_writes() {
        let effects = Effects::parse("# a comment\nclose\npipe 0:8 # two numbers\nread 1:$2 0:*\n");
        assert_eq!(effects.of("close"), Some(&[][..]));
        assert_eq!(
            effects.of("pipe"),
            Some(&[Write { argument: 0, extent: Extent::Bytes(8) }][..])
        );
        let read = [
            Write { argument: 1, extent: Extent::Argument(2) },
            Write { argument: 0, extent: Extent::Object },
        ];
        assert_eq!(effects.of("read"), Some(&read[..]));
        assert_eq!(effects.of("unknown"), None);
    }
}
