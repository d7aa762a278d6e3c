//! What a run printed.

use parallax_solve::ExprId;

/// Something that was printed by one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Where it was called.
    pub site: u32,
    /// The descriptor it was printed on.
    pub descriptor: u16,
    /// What was printed.
    pub printed: Printed,
}

/// Bytes, or a value that was formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// Bytes, with the expressions of those that are symbolic.
    Bytes {
        /// As they were printed.
        bytes: Vec<u8>,
        /// By position.
        symbolic: Vec<(u32, ExprId)>,
    },
    /// A value.
    Formatted {
        /// The conversion of `printf`.
        conversion: Vec<u8>,
        /// What it was.
        value: u64,
        /// Its expression (64 bits), if it is symbolic.
        expression: Option<ExprId>,
    },
}

impl Printed {
    /// The expressions that it consists of.
    pub fn expressions(&self) -> Vec<ExprId> {
        match self {
            Printed::Bytes { symbolic, .. } => symbolic.iter().map(|(_, it)| *it).collect(),
            Printed::Formatted { expression, .. } => expression.iter().copied().collect(),
        }
    }
}

impl Output {
    /// Whether it depends on the inputs.
    pub fn is_symbolic(&self) -> bool {
        match &self.printed {
            Printed::Bytes { symbolic, .. } => !symbolic.is_empty(),
            Printed::Formatted { expression, .. } => expression.is_some(),
        }
    }
}
