//! One image of a program, as far as putting its module together needs it.
//!
//! Bitcode does not record how an image was linked: which symbols a version script made local,
//! whether references are bound within the library. The ELF file does; the caller reads it from
//! there.

use std::{collections::BTreeSet, path::PathBuf};

/// The bitcode of an executable or a shared library and how its symbols bind.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// The bitcode files, in the order of the link.
    pub parts: Vec<PathBuf>,
    /// The symbols that other images see.
    pub exported: BTreeSet<Vec<u8>>,
    /// The symbols that machine code without bitcode refers to by name.
    pub referenced: BTreeSet<Vec<u8>>,
    /// How references to its own exported symbols bind.
    pub binding: Binding,
    /// The symbols that were linked with `--wrap`.
    pub wrapped: Vec<Vec<u8>>,
    /// When its constructors run: an image with a lower rank comes first.
    pub rank: u32,
}

/// Whether an earlier image may take the place of an image's own definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Binding {
    /// It may: the rule for shared libraries.
    #[default]
    Interposable,
    /// Only of a variable (`-Bsymbolic-functions`).
    OwnFunctions,
    /// Never (`-Bsymbolic`).
    Own,
}
