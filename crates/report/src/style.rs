//! Colour in texts for a terminal.

/// Whether a text is for a terminal that shows colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    Plain,
    /// Text with the escape sequences of a terminal.
    Colour,
}

/// The role of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The name of a test.
    Heading,
    /// A label, or text for orientation only.
    Faint,
    /// Text that only *old* has.
    Old,
    /// Text that only *new* has.
    New,
    /// An error.
    Trouble,
}

impl Style {
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Heading => "1",
            Ink::Faint => "2",
            Ink::Old | Ink::Trouble => "31",
            Ink::New => "32",
        };
        match self {
            Style::Plain => String::from(text),
            Style::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
