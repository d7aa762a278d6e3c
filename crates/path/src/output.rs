//! Output of a run.

use parallax_solve::ExprId;

/// The output of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The call.
    pub site: u32,
    /// The descriptor.
    pub descriptor: u16,
    /// Its content.
    pub printed: Printed,
}

/// Bytes, or a value that was formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// Bytes, with the expressions of those that are symbolic.
    Bytes {
        /// The concrete values.
        bytes: Vec<u8>,
        /// The expressions by position.
        symbolic: Vec<(u32, ExprId)>,
    },
    /// A value.
    Formatted {
        /// The conversion of `printf`.
        conversion: Vec<u8>,
        /// The concrete value.
        value: u64,
        /// Its expression (64 bits), if it is symbolic.
        expression: Option<ExprId>,
    },
}

impl Printed {
    /// All expressions in it.
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
