//! Results as people and programs read them.
//!
//! One small renderer for each format, all from the same values, all returning text: nothing here
//! prints, opens a file or asks whether there is a terminal. Whatever bytes a program printed, a
//! report for people shows them in characters that can be seen and cannot move a cursor.

pub mod changes;
pub mod check;
mod counted;
pub mod coverage;
mod details;
mod diff;
mod drawing;
pub mod earlier;
mod ending;
pub mod explanation;
pub mod exploration;
mod html;
pub mod json;
mod junit;
pub mod minimized;
mod observation;
mod schema;
pub mod stats;
mod style;
mod terminal;
pub mod trace;
mod visible;

pub use counted::counted;
pub use drawing::{Drawing, DrawnEdge, DrawnNode, EdgeLook, Look};
pub use exploration::Exploration;
pub use json::to_json;
pub use junit::junit;
pub use observation::{disturbed, ended, observation};
pub use schema::check_schema;
pub use style::Style;
pub use terminal::terminal;
pub use trace::TracedRun;
pub use visible::{harmless, harmless_line};

#[cfg(test)]
mod fixture;
