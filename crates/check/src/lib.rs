//! Finds inputs on which two builds differ, or proves that there are none.
//!
//! [`check`] takes two captured builds, seeds and [`Options`], sends progress to a [`Sink`], and
//! returns a [`Report`]. It studies the changes ([`study`]), searches, confirms each candidate on
//! plain builds, minimises it, attributes it to changes, and reports how far other changes were
//! followed. The parts that other verbs need are functions of their own: [`explain`], [`minimize`],
//! [`compare`].
//!
//! Nothing here prints, parses arguments or ends the process.
//!
//! ```
//! use std::{fs, time::Duration};
//!
//! use parallax_capture::{BuildOptions, Version};
//! use parallax_check::{Options, Pair, Plan, Silent, check};
//! use parallax_report::check::Verdict;
//!
//! let folder = tempfile::tempdir()?;
//! let build = |name: &str, condition: &str| {
//!     let path = folder.path().join(name);
//!     let program = format!("int main(int argc, char **argv) {{ return argc > 1 && {condition}; }}");
//!     fs::write(&path, program)?;
//!     let options = BuildOptions::default();
//!     let version = Version::named(path.as_os_str(), &options)?;
//!     Ok::<_, Box<dyn std::error::Error>>(version.build(&options, &mut |_| ())?)
//! };
//! let pair = Pair {
//!     old: build("old.c", "argv[1][0] > '6'")?,
//!     new: build("new.c", "argv[1][0] > '5'")?,
//!     name: "above".into(),
//! };
//! let options = Options::new(folder.path().join("out"));
//! let plan = Plan::new(Duration::from_secs(60), &Silent);
//! let report = check(&pair, Vec::new(), &options, plan, &Silent)?;
//! assert_eq!(report.result.verdict, Verdict::Different);
//! assert_eq!(report.result.findings[0].case.args, [b"6"]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod account;
mod attribution;
mod changes;
mod confirm;
mod drawing;
mod engine;
mod error;
mod explain;
mod fate;
mod folder;
mod guide;
mod message;
mod minimize;
mod pair;
mod plan;
mod proof;
mod recorder;
mod sanitizer;
mod solver;
mod source;
mod study;
mod suite;
mod triage;

pub use changes::report as changes_report;
pub use drawing::{Graph, draw};
pub use engine::{Options, Report, check};
pub use error::{CheckError, in_time};
pub use explain::{Explaining, explain};
pub use folder::earlier;
pub use message::{Message, Progress, Silent, Sink};
pub use minimize::{Minimal, Minimizing, minimize};
pub use pair::{Pair, Running, sanitizer_options, subject, traced};
pub use plan::Plan;
pub use solver::{check_solver, code, solver};
pub use study::{Analysed, Study};
pub use suite::{Comparing, compare};
