//! Linked code that was not compiled by us.
//!
//! Objects are named on the command line. Members of an archive are linked on demand; the symbols
//! of the result tell which ones were. Libraries of the system are expected and are not inspected.

use std::{
    collections::HashSet,
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use object::read::{Object, ObjectSection, ObjectSymbol, archive::ArchiveFile};

use crate::section;

/// Objects and archive members without notes that are in `output`.
pub(crate) fn linked(words: &[OsString], directory: &Path, output: &Path) -> Vec<PathBuf> {
    let files = named_files(words, directory);
    let mut found = Vec::new();
    let mut symbols = None;
    for file in files {
        let Ok(data) = fs::read(&file) else { continue };
        match ArchiveFile::parse(&*data) {
            Ok(archive) => {
                let linked = symbols.get_or_insert_with(|| defined_in(output));
                found
                    .extend(members(&archive, &data, linked).map(|name| member_path(&file, &name)));
            }
            Err(_) if is_foreign(&data) => found.push(file),
            Err(_) => {}
        }
    }
    found
}

/// The objects and archives that the words of a link name, by path or by `-l` within a `-L`.
fn named_files(words: &[OsString], directory: &Path) -> Vec<PathBuf> {
    let value = |start: &[u8], word: &OsString| {
        let rest = word.as_bytes().strip_prefix(start)?;
        Some(OsStr::from_bytes(rest).to_os_string())
    };
    let folders: Vec<PathBuf> = words
        .iter()
        .filter_map(|word| value(b"-L", word))
        .map(|folder| directory.join(folder))
        .collect();
    let mut files = Vec::new();
    for word in words {
        if let Some(name) = value(b"-l", word) {
            files.extend(folders.iter().find_map(|folder| static_library(folder, &name)));
        } else if !word.as_bytes().starts_with(b"-") {
            files.push(directory.join(word));
        }
    }
    files
}

fn static_library(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let file = |ending: &str| {
        let mut file = OsString::from("lib");
        file.push(name);
        file.push(ending);
        folder.join(file)
    };
    (!file(".so").exists() && file(".a").is_file()).then(|| file(".a"))
}

fn is_foreign(data: &[u8]) -> bool {
    object::File::parse(data)
        .is_ok_and(|file| file.kind() == object::ObjectKind::Relocatable && !has_notes(&file))
}

fn has_notes(file: &object::File<'_>) -> bool {
    file.sections().any(|section| section.name() == Ok(section::NAME))
}

/// The members without notes of which something is linked.
fn members<'a>(
    archive: &'a ArchiveFile<'a>,
    data: &'a [u8],
    linked: &'a HashSet<Vec<u8>>,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    archive.members().flatten().filter_map(move |member| {
        let contents = member.data(data).ok()?;
        let file = object::File::parse(contents).ok()?;
        let is_linked = globals(&file).any(|name| linked.contains(&name));
        (!has_notes(&file) && is_linked).then(|| member.name().to_vec())
    })
}

fn member_path(archive: &Path, member: &[u8]) -> PathBuf {
    let mut path = archive.as_os_str().to_os_string();
    path.push("(");
    path.push(OsStr::from_bytes(member));
    path.push(")");
    path.into()
}

fn defined_in(output: &Path) -> HashSet<Vec<u8>> {
    let data = fs::read(output).unwrap_or_default();
    object::File::parse(&*data).map(|file| globals(&file).collect()).unwrap_or_default()
}

fn globals<'a>(file: &'a object::File<'a>) -> impl Iterator<Item = Vec<u8>> + 'a {
    let symbols = file.symbols().filter(|symbol| symbol.is_global() && symbol.is_definition());
    symbols.filter_map(|symbol| symbol.name_bytes().ok().map(<[u8]>::to_vec))
}
