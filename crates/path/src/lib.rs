//! From a trace to its path conditions and its output, as expressions over the inputs of the test.

mod altered;
mod comparison;
mod given;
mod number;
mod output;
mod path;
mod reader;

pub use altered::Altered;
pub use comparison::Comparison;
pub use given::Given;
pub use number::{GivenNumbers, Number, forget_digits};
pub use output::{Output, Printed};
pub use path::{Approximations, Ending, Obligation, Path, Step, StepKind};
pub use reader::{Numbers, read, read_by};
