//! The words of a link, parsed as far as linking again needs it.
//!
//! There is no table of options here: a word is an input if it names a file, or looks like an
//! object or a library that is gone. A file that is the value of an option (`-T script`) keeps its
//! place behind that option and comes out right all the same.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Read,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use crate::note::LinkNote;

/// A part of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A file, as an absolute path.
    Input(PathBuf),
    /// `-l`, by its name.
    Library(OsString),
    /// `-L`, as an absolute path.
    Folder(PathBuf),
    /// A word for the linker itself (`-Wl,…`, `-Xlinker …`).
    Linker(OsString),
    /// Any other word.
    Word(OsString),
}

/// The parts of a link, in their order.
pub(crate) fn items(link: &LinkNote) -> Vec<Item> {
    let mut items = Vec::new();
    let mut words = link.words.iter();
    while let Some(word) = words.next() {
        let bytes = word.as_bytes();
        let mut value = |start: usize| match &bytes[start..] {
            [] => words.next().cloned().unwrap_or_default(),
            joined => OsStr::from_bytes(joined).to_os_string(),
        };
        if bytes == b"-Xlinker" {
            items.push(linker_item(&value(bytes.len()), &link.directory));
        } else if let Some(list) = bytes.strip_prefix(b"-Wl,") {
            let parts = list.split(|&byte| byte == b',').map(OsStr::from_bytes);
            items.extend(parts.map(|part| linker_item(part, &link.directory)));
        } else if bytes.starts_with(b"-L") {
            items.push(Item::Folder(link.directory.join(value(2))));
        } else if bytes.starts_with(b"-l") {
            items.push(Item::Library(value(2)));
        } else {
            items.push(plain_item(word, &link.directory));
        }
    }
    items
}

/// The values of an option of the linker: `--wrap=f`, `--wrap f`, `-wrap f`.
pub(crate) fn linker_values(items: &[Item], option: &str) -> Vec<OsString> {
    let mut words = items.iter().filter_map(|item| match item {
        Item::Linker(word) => Some(word),
        _ => None,
    });
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        match option_of(word) {
            (name, Some(value)) if name == option.as_bytes() => {
                values.push(OsStr::from_bytes(value).to_os_string());
            }
            (name, None) if name == option.as_bytes() => values.extend(words.next().cloned()),
            _ => {}
        }
    }
    values
}

/// The name of an option of the linker without its dashes, and the value that is joined to it.
pub(crate) fn option_of(word: &OsStr) -> (&[u8], Option<&[u8]>) {
    let bytes = word.as_bytes();
    let Some(name) = bytes.strip_prefix(b"--").or_else(|| bytes.strip_prefix(b"-")) else {
        return (b"", None);
    };
    match name.iter().position(|&byte| byte == b'=') {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    }
}

/// Folders in which the link found libraries and which the loader may not know.
pub(crate) fn library_folders(link: &LinkNote) -> Vec<PathBuf> {
    let items = items(link);
    let mut folders: Vec<PathBuf> = items
        .iter()
        .filter_map(|item| match item {
            Item::Folder(folder) => Some(folder.clone()),
            Item::Input(path) => path.parent().map(Path::to_path_buf),
            _ => None,
        })
        .collect();
    for option in ["rpath", "rpath-link", "library-path"] {
        for value in linker_values(&items, option) {
            let parts = value.as_bytes().split(|&byte| byte == b':').map(OsStr::from_bytes);
            folders.extend(parts.map(|part| link.directory.join(part)));
        }
    }
    folders
}

/// Whether the linker links this file: an ELF file or an archive.
pub(crate) fn is_linkable(path: &Path) -> bool {
    let mut magic = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut magic));
    read.is_ok()
        && [&b"\x7fELF"[..], b"!<arch>\n", b"!<thin>\n"].iter().any(|it| magic.starts_with(it))
}

fn linker_item(word: &OsStr, directory: &Path) -> Item {
    if let Some(folder) = word.as_bytes().strip_prefix(b"-L").filter(|it| !it.is_empty()) {
        return Item::Folder(directory.join(OsStr::from_bytes(folder)));
    }
    if let Some(name) = word.as_bytes().strip_prefix(b"-l").filter(|it| !it.is_empty()) {
        return Item::Library(OsStr::from_bytes(name).to_os_string());
    }
    let path = directory.join(word);
    if is_option(word) || !is_linkable(&path) {
        return Item::Linker(word.to_os_string());
    }
    Item::Input(path)
}

fn plain_item(word: &OsStr, directory: &Path) -> Item {
    let path = directory.join(word);
    if !is_option(word) && (path.is_file() || looks_linkable(word)) {
        return Item::Input(path);
    }
    Item::Word(word.to_os_string())
}

fn is_option(word: &OsStr) -> bool {
    word.as_bytes().starts_with(b"-")
}

fn looks_linkable(word: &OsStr) -> bool {
    let name = word.as_bytes();
    let ends = [&b".o"[..], b".obj", b".lo", b".a", b".so"];
    ends.iter().any(|end| name.ends_with(end)) || name.windows(4).any(|part| part == b".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Vec<Item> {
        let words = line.split(' ').map(OsString::from).collect();
        items(&LinkNote { directory: "/no/such".into(), cxx: false, words })
    }

    #[test]
    fn words_for_the_linker_come_in_three_ways() {
        let items = parse("-Wl,--wrap=a -Wl,--wrap,b -Xlinker -wrap -Xlinker c -O2 -Wl,-Map,d");
        assert_eq!(linker_values(&items, "wrap"), ["a", "b", "c"]);
        assert_eq!(linker_values(&items, "Map"), ["d"]);
    }

    #[test]
    fn inputs_are_told_from_values_of_options() {
        let items = parse("-u main gone.o -L lib -lz -Wl,-rpath,/r");
        assert_eq!(items[1], Item::Word("main".into()));
        assert_eq!(items[2], Item::Input("/no/such/gone.o".into()));
        assert_eq!(items[3], Item::Folder("/no/such/lib".into()));
        assert_eq!(items[4], Item::Library("z".into()));
        assert_eq!(items[6], Item::Linker("/r".into()));
    }
}
