//! From any C build to the code that was really built.
//!
//! Three parts. *The compiler*: `parallax-cc` runs the user's own compile unchanged, compiles once
//! more to bitcode and leaves a note in a section of the object ([`driver`]). *The program*: those
//! notes, read back from an executable and its shared libraries, say which bitcode makes up the
//! whole program ([`Build`]). *The version*: sources, a directory, a git revision or an executable
//! all become a [`Build`] ([`Version`]), through a cache.
//!
//! Nothing here analyses code or knows LLVM's data structures: bitcode is bytes.

mod arguments;
pub mod driver;
mod flags;
mod foreign;
mod imprint;
mod note;
mod section;
mod store;
pub mod toolchain;

mod build;
mod child;
mod libtool;
mod loader;
mod rebuild;

mod cache;
mod checkout;
mod harness;
mod project;
mod sources;
mod version;

pub use build::{Build, CaptureError, Image};
pub use cache::{forget_old, made_once, slot_of};
pub use checkout::Submodules;
pub use child::output_by;
pub use harness::HARNESS_MAIN;
pub use note::{LinkNote, Unit};
pub use rebuild::{Code, RebuildError, Rebuilt, link_rebuilt};
pub use store::Store;
pub use version::{BuildOptions, Progress, Version, VersionError};
