//! The unknowns: bytes of inputs, their lengths, whether they exist.
//!
//! A trace numbers its inputs in the order of their first use. That number means nothing in another
//! run, so a variable is named by the origin of its bytes instead.

use std::{
    fmt::{self, Display},
    sync::Arc,
};

/// A variable of a [`Graph`](crate::Graph).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// Where the bytes of an input come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An argument, counted as in `argv`.
    Argument(u32),
    /// Standard input.
    Stdin,
    /// The file of this name.
    File(Arc<[u8]>),
    /// The environment variable of this name.
    Environment(Arc<[u8]>),
    /// The number of arguments; its only part is [`Part::Length`].
    Count,
    /// Memory that was never written; its parts are [`Part::Number`], eight bytes each.
    Unwritten,
}

/// Which part of an input a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The byte at this offset.
    Byte(u32),
    /// How many bytes there are.
    Length,
    /// Whether the input exists.
    Exists,
    /// The number that the text at this offset represents, whatever its bytes are.
    Number(u32),
}

/// An unknown whose value a solver may choose.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// The input.
    pub origin: Origin,
    /// The part of it.
    pub part: Part,
}

impl Variable {
    /// The byte of an input at an offset.
    pub fn byte(origin: Origin, offset: u32) -> Variable {
        Variable { origin, part: Part::Byte(offset) }
    }

    /// Bits. A length has those of `size_t`, the number of arguments those of `int`.
    pub fn width(&self) -> u32 {
        match (self.part, &self.origin) {
            (Part::Byte(_), _) => 8,
            (Part::Exists, _) => 1,
            (Part::Length, Origin::Count) => 32,
            (Part::Length | Part::Number(_), _) => 64,
        }
    }
}

impl Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Origin::Argument(index) => write!(formatter, "arg[{index}]"),
            Origin::Stdin => formatter.write_str("stdin"),
            Origin::File(name) => write!(formatter, "file:{}", name.escape_ascii()),
            Origin::Environment(name) => write!(formatter, "env:{}", name.escape_ascii()),
            Origin::Count => formatter.write_str("argc"),
            Origin::Unwritten => formatter.write_str("unwritten"),
        }
    }
}

impl Display for Variable {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match (self.part, &self.origin) {
            (Part::Byte(offset), origin) => write!(formatter, "{origin}[{offset}]"),
            (Part::Exists, origin) => write!(formatter, "{origin}.exists"),
            (Part::Number(offset), origin) => write!(formatter, "{origin}[{offset}].number"),
            (Part::Length, Origin::Count) => formatter.write_str("argc"),
            (Part::Length, origin) => write!(formatter, "{origin}.len"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_by_their_origin() {
        let file = Origin::File(Arc::from(*b"a b\n"));
        let name = |origin: &Origin, part| Variable { origin: origin.clone(), part }.to_string();
        assert_eq!(name(&Origin::Argument(2), Part::Byte(3)), "arg[2][3]");
        assert_eq!(name(&Origin::Stdin, Part::Length), "stdin.len");
        assert_eq!(name(&file, Part::Exists), r"file:a b\n.exists");
        assert_eq!(name(&Origin::Count, Part::Length), "argc");
    }
}
