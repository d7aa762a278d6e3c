//! The shared libraries that a program loads, by the rules of the dynamic loader.
//!
//! Asking `ldd` would mean running the program's loader on it; reading the dynamic table does not,
//! and works for a program of another machine. Libraries that are opened by name at run time are
//! not seen, nor is anything that depends on the working directory (a relative run path): the lab
//! runs programs elsewhere.

mod system;

use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs::{self, File},
    io::Read,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use object::{
    Endianness, elf,
    read::elf::{ElfFile, ElfFile32, ElfFile64, FileHeader, ProgramHeader},
};

pub(crate) use system::folders as system_folders;

/// The files that the loader maps for a program, in the order in which it searches for symbols.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The program and its libraries.
    pub(crate) files: Vec<LoadedFile>,
    /// The libraries that were not found.
    pub(crate) missing: Vec<Missing>,
}

/// A mapped file.
#[derive(Debug)]
pub(crate) struct LoadedFile {
    /// Its path.
    pub(crate) path: PathBuf,
    /// The files that it needs, by their position.
    pub(crate) needs: Vec<usize>,
    /// The file that it is loaded for.
    loader: Option<usize>,
    dynamic: Dynamic,
}

/// A library that was not found.
#[derive(Debug)]
pub(crate) struct Missing {
    /// The library, as its user names it.
    pub(crate) library: PathBuf,
    /// The file that needs it.
    pub(crate) needed_by: PathBuf,
}

/// The dynamic table of a file.
#[derive(Debug, Default)]
struct Dynamic {
    needed: Vec<Vec<u8>>,
    rpath: Vec<u8>,
    runpath: Vec<u8>,
    soname: Vec<u8>,
    symbolic: bool,
    interpreter: Vec<u8>,
}

/// The properties that a machine must have to run a file: class, byte order and architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine([u8; 4]);

/// Finds the files that `program` loads. A library that is needed by a relative path is taken from
/// one of the `directories`.
pub(crate) fn load(program: &Path, library_path: &[PathBuf], directories: &[PathBuf]) -> Loaded {
    let mut loader = Loader {
        machine: Machine::of(program),
        library_path,
        directories,
        interpreter: Vec::new(),
        loaded: Loaded { files: Vec::new(), missing: Vec::new() },
    };
    loader.add(program.to_path_buf(), None);
    loader.interpreter.clone_from(&loader.loaded.files[0].dynamic.interpreter);
    loader.load_all();
    loader.loaded
}

/// Whether references of a library to its own symbols are bound to its own definitions.
pub(crate) fn is_symbolic(library: &Path) -> bool {
    read_dynamic(library).is_some_and(|dynamic| dynamic.symbolic)
}

impl Loaded {
    /// A library that is needed by a path relative to the working directory.
    pub(crate) fn relative_library(&self) -> Option<PathBuf> {
        let names = self.files.iter().flat_map(|file| &file.dynamic.needed);
        let mut paths =
            names.filter(|name| name.contains(&b'/')).map(|name| OsStr::from_bytes(name));
        paths.find(|path| Path::new(path).is_relative()).map(PathBuf::from)
    }

    /// The order in which files are initialised: the dependencies of a file come before it, and
    /// otherwise files that are loaded later.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![None; self.files.len()];
        let mut next = 0;
        for file in (0..self.files.len()).rev() {
            self.visit(file, &mut vec![false; self.files.len()], &mut ranks, &mut next);
        }
        ranks.into_iter().map(|rank| rank.unwrap_or(next)).collect()
    }

    /// Ranks a file after those that it needs; `open` are the ones that are being visited.
    fn visit(&self, file: usize, open: &mut [bool], ranks: &mut [Option<u32>], next: &mut u32) {
        if ranks[file].is_some() || open[file] {
            return;
        }
        open[file] = true;
        for &need in &self.files[file].needs {
            self.visit(need, open, ranks, next);
        }
        ranks[file] = Some(*next);
        *next += 1;
    }
}

impl Machine {
    /// The machine that an ELF file is for.
    pub(crate) fn of(path: &Path) -> Option<Machine> {
        let mut header = [0; 20];
        File::open(path).ok()?.read_exact(&mut header).ok()?;
        let machine = [header[4], header[5], header[18], header[19]];
        header.starts_with(&elf::ELFMAG).then_some(Machine(machine))
    }

    /// Whether this machine can be expected to run a program for it.
    pub(crate) fn is_here(self) -> bool {
        const X86_64: Machine = Machine([2, 1, 62, 0]);
        const I386: Machine = Machine([1, 1, 3, 0]);
        let here = Machine::of(Path::new("/proc/self/exe"));
        here == Some(self) || (here == Some(X86_64) && self == I386)
    }
}

struct Loader<'p> {
    machine: Option<Machine>,
    library_path: &'p [PathBuf],
    directories: &'p [PathBuf],
    interpreter: Vec<u8>,
    loaded: Loaded,
}

impl Loader<'_> {
    fn load_all(&mut self) {
        let mut queue = VecDeque::from([0]);
        while let Some(user) = queue.pop_front() {
            for name in self.loaded.files[user].dynamic.needed.clone() {
                let known = self.loaded.files.len();
                match self.find_or_add(&name, user) {
                    Some(file) => self.loaded.files[user].needs.push(file),
                    None if is_interpreter(&name, &self.interpreter) => {}
                    None => self.miss(&name, user),
                }
                queue.extend(known..self.loaded.files.len());
            }
        }
    }

    fn find_or_add(&mut self, name: &[u8], user: usize) -> Option<usize> {
        let files = &self.loaded.files;
        if let Some(known) = files.iter().position(|file| file.dynamic.soname == name) {
            return Some(known);
        }
        let path = self.find(name, user)?;
        let known = files.iter().position(|file| same_file(&file.path, &path));
        Some(known.unwrap_or_else(|| self.add(path, Some(user))))
    }

    fn add(&mut self, path: PathBuf, loader: Option<usize>) -> usize {
        let dynamic = read_dynamic(&path).unwrap_or_default();
        self.loaded.files.push(LoadedFile { path, needs: Vec::new(), loader, dynamic });
        self.loaded.files.len() - 1
    }

    fn miss(&mut self, name: &[u8], user: usize) {
        let library = PathBuf::from(OsStr::from_bytes(name));
        if !self.loaded.missing.iter().any(|missing| missing.library == library) {
            let needed_by = self.loaded.files[user].path.clone();
            self.loaded.missing.push(Missing { library, needed_by });
        }
    }

    /// The path from which `user` gets the library called `name`.
    fn find(&self, name: &[u8], user: usize) -> Option<PathBuf> {
        let path = Path::new(OsStr::from_bytes(name));
        let fits = |path: &PathBuf| path.is_file() && Machine::of(path) == self.machine;
        if name.contains(&b'/') {
            return self.directories.iter().map(|directory| directory.join(path)).find(fits);
        }
        let runpath = self.loaded.files[user].runpath();
        let told = self.inherited_rpath(user).into_iter().chain(self.library_path.iter().cloned());
        let told = told.chain(runpath).map(|folder| folder.join(path));
        told.chain(system::candidates(path)).find(fits)
    }

    /// The run paths of the old kind: a file's own and those of the files that it is loaded for.
    fn inherited_rpath(&self, user: usize) -> Vec<PathBuf> {
        let files = &self.loaded.files;
        if !files[user].dynamic.runpath.is_empty() {
            return Vec::new();
        }
        let chain = std::iter::successors(Some(user), |&file| files[file].loader);
        chain.flat_map(|file| files[file].rpath()).collect()
    }
}

impl LoadedFile {
    fn rpath(&self) -> Vec<PathBuf> {
        if self.dynamic.runpath.is_empty() { self.expand(&self.dynamic.rpath) } else { Vec::new() }
    }

    fn runpath(&self) -> Vec<PathBuf> {
        self.expand(&self.dynamic.runpath)
    }

    fn expand(&self, paths: &[u8]) -> Vec<PathBuf> {
        let origin = self.path.parent().unwrap_or(Path::new("/"));
        let folders = paths.split(|&byte| byte == b':').map(|path| expand_origin(path, origin));
        folders.filter(|folder| folder.is_absolute()).collect()
    }
}

/// The interpreter is there before anything is looked up, and libraries name it as one of them.
fn is_interpreter(name: &[u8], interpreter: &[u8]) -> bool {
    Path::new(OsStr::from_bytes(interpreter)).file_name().is_some_and(|it| it.as_bytes() == name)
}

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

fn expand_origin(path: &[u8], origin: &Path) -> PathBuf {
    let rest = [&b"$ORIGIN"[..], b"${ORIGIN}"].iter().find_map(|name| path.strip_prefix(*name));
    match rest {
        Some(rest) => origin.join(OsStr::from_bytes(rest.strip_prefix(b"/").unwrap_or(rest))),
        None => OsStr::from_bytes(path).into(),
    }
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
    let mut dynamic = Dynamic { interpreter: interpreter_of(file), ..Dynamic::default() };
    for entry in table.iter() {
        let text = || table.string(entry).map(<[u8]>::to_vec).unwrap_or_default();
        match entry.tag {
            elf::DT_NEEDED => dynamic.needed.push(text()),
            elf::DT_RPATH => dynamic.rpath = text(),
            elf::DT_RUNPATH => dynamic.runpath = text(),
            elf::DT_SONAME => dynamic.soname = text(),
            elf::DT_SYMBOLIC => dynamic.symbolic = true,
            elf::DT_FLAGS => dynamic.symbolic |= entry.val & elf::DF_SYMBOLIC.0 != 0,
            _ => {}
        }
    }
    Some(dynamic)
}

fn interpreter_of<Elf: FileHeader>(file: &ElfFile<'_, Elf>) -> Vec<u8> {
    let mut segments = file.elf_program_headers().iter();
    let path = segments.find_map(|it| it.interpreter(file.endian(), file.data()).ok().flatten());
    path.unwrap_or_default().to_vec()
}
