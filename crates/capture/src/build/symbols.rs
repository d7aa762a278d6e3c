//! The symbols of an image, as its ELF file and its link tell them.
//!
//! Bitcode shows what was compiled, not what the linker made of it: version scripts, lists of
//! exports and `-Bsymbolic` leave their mark only here.

use std::{collections::BTreeSet, fs, os::unix::ffi::OsStringExt, path::Path};

use object::read::{Object, ObjectSymbol, archive::ArchiveFile};

use super::{
    CaptureError, Image,
    link_line::{self, Item},
    unreadable,
};
use crate::{loader, section};

impl Image {
    /// The symbols that other images see.
    pub fn exported(&self) -> Result<BTreeSet<Vec<u8>>, CaptureError> {
        let data = fs::read(&self.path).map_err(|source| unreadable(&self.path, source))?;
        let Ok(file) = object::File::parse(&*data) else { return Ok(BTreeSet::new()) };
        let seen = file.dynamic_symbols().filter(|it| !it.is_undefined() && it.is_global());
        Ok(seen.filter_map(|symbol| Some(symbol.name_bytes().ok()?.to_vec())).collect())
    }

    /// The symbols that objects and archives without bitcode need from elsewhere.
    pub fn referenced(&self) -> Result<BTreeSet<Vec<u8>>, CaptureError> {
        let inputs = self.items().into_iter().filter_map(|item| match item {
            Item::Input(path) => Some(path),
            _ => None,
        });
        let files = self.objects()?.into_iter().chain(inputs);
        Ok(files.flat_map(|path| undefined_in(&path)).collect())
    }

    /// Whether its references to all its own symbols are bound to its own definitions.
    pub fn is_symbolic(&self) -> bool {
        loader::is_symbolic(&self.path)
    }

    /// As [`Image::is_symbolic`], for functions, as far as the words of the link say.
    pub fn has_symbolic_functions(&self) -> bool {
        let option = |item: &Item| matches!(item, Item::Linker(word) if link_line::option_of(word).0 == b"Bsymbolic-functions");
        self.items().iter().any(option)
    }

    /// The symbols that were linked with `--wrap`.
    pub fn wrapped(&self) -> Vec<Vec<u8>> {
        let names = link_line::linker_values(&self.items(), "wrap").into_iter();
        names.map(OsStringExt::into_vec).collect()
    }

    fn items(&self) -> Vec<Item> {
        self.link.as_ref().map(link_line::items).unwrap_or_default()
    }
}

/// The symbols that the machine code in a file refers to. Captured objects are skipped: their
/// bitcode is used.
fn undefined_in(path: &Path) -> Vec<Vec<u8>> {
    let Ok(data) = fs::read(path) else { return Vec::new() };
    let Ok(archive) = ArchiveFile::parse(&*data) else { return undefined_in_object(&data) };
    let members = archive.members().flatten().filter_map(|member| member.data(&*data).ok());
    members.flat_map(undefined_in_object).collect()
}

fn undefined_in_object(data: &[u8]) -> Vec<Vec<u8>> {
    let Ok(file) = object::File::parse(data) else { return Vec::new() };
    if file.section_by_name(section::NAME).is_some() {
        return Vec::new();
    }
    let wanted = file.symbols().filter(|symbol| symbol.is_undefined());
    wanted.filter_map(|symbol| Some(symbol.name_bytes().ok()?.to_vec())).collect()
}
