//! Which shared libraries a program loads, by the rules of the dynamic loader.
//!
//! Asking `ldd` would mean running the program's loader on it; reading the dynamic table does not,
//! and works for a program of another machine. Libraries that are opened by name at run time are
//! not seen.

use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use object::{
    Endianness, elf,
    read::elf::{ElfFile, ElfFile32, ElfFile64, FileHeader},
};

/// What the dynamic table of one file says.
#[derive(Debug, Default)]
struct Dynamic {
    needed: Vec<Vec<u8>>,
    rpath: Vec<u8>,
    runpath: Vec<u8>,
}

/// The shared libraries that `program` loads, in the order in which they are searched for symbols.
pub(crate) fn libraries(program: &Path, library_path: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut queue = VecDeque::from([program.to_path_buf()]);
    while let Some(file) = queue.pop_front() {
        let dynamic = read_dynamic(&file).unwrap_or_default();
        let folders = search_path(&file, &dynamic, library_path);
        for name in &dynamic.needed {
            let Some(library) = resolve(name, &folders) else { continue };
            if !found.contains(&library) {
                found.push(library.clone());
                queue.push_back(library);
            }
        }
    }
    found
}

fn resolve(name: &[u8], folders: &[PathBuf]) -> Option<PathBuf> {
    let name = Path::new(OsStr::from_bytes(name));
    folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn search_path(file: &Path, dynamic: &Dynamic, library_path: &[PathBuf]) -> Vec<PathBuf> {
    let origin = file.parent().unwrap_or(Path::new("/"));
    let mut folders = Vec::new();
    if dynamic.runpath.is_empty() {
        folders.extend(expand(&dynamic.rpath, origin));
    }
    folders.extend(library_path.iter().cloned());
    folders.extend(expand(&dynamic.runpath, origin));
    folders.extend(system_folders());
    folders
}

fn expand(paths: &[u8], origin: &Path) -> Vec<PathBuf> {
    let parts = paths.split(|&byte| byte == b':').filter(|part| !part.is_empty());
    parts.map(|part| expand_origin(part, origin)).collect()
}

fn expand_origin(path: &[u8], origin: &Path) -> PathBuf {
    let rest = [&b"$ORIGIN"[..], b"${ORIGIN}"].iter().find_map(|name| path.strip_prefix(*name));
    match rest {
        Some(rest) => origin.join(OsStr::from_bytes(rest.strip_prefix(b"/").unwrap_or(rest))),
        None => OsStr::from_bytes(path).into(),
    }
}

fn system_folders() -> Vec<PathBuf> {
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    ["/usr/local/lib", "/lib", "/usr/lib"]
        .iter()
        .flat_map(|folder| [Path::new(folder).join(&triple), PathBuf::from(folder)])
        .collect()
}

fn read_dynamic(path: &Path) -> Option<Dynamic> {
    let data = fs::read(path).ok()?;
    match ElfFile64::<Endianness>::parse(&*data) {
        Ok(file) => dynamic_of(&file),
        Err(_) => dynamic_of(&ElfFile32::<Endianness>::parse(&*data).ok()?),
    }
}

fn dynamic_of<Elf: FileHeader>(file: &ElfFile<'_, Elf>) -> Option<Dynamic> {
    let table = file.elf_dynamic_table().ok()?;
    let mut dynamic = Dynamic::default();
    for entry in table.iter() {
        let text = || table.string(entry).map(<[u8]>::to_vec).unwrap_or_default();
        match entry.tag {
            elf::DT_NEEDED => dynamic.needed.push(text()),
            elf::DT_RPATH => dynamic.rpath = text(),
            elf::DT_RUNPATH => dynamic.runpath = text(),
            _ => {}
        }
    }
    Some(dynamic)
}
