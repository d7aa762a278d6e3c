//! Linking a program again from its changed whole-program module.
//!
//! The module replaces every captured object, whatever its name; the rest of the original link
//! (libraries, objects that were not captured, options of the linker) stays as it was, in its
//! order. Of a program that another compiler linked only the libraries it needs are known.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::Command,
};

use object::{
    elf,
    read::{
        Object, ObjectKind,
        archive::{ArchiveFile, ArchiveMember},
    },
};

use parallax_deadline::Deadline;

use crate::{
    build::{
        Build, CaptureError, Image,
        link_line::{self, Item, is_linkable},
    },
    child::output_by,
    loader,
    note::LinkNote,
    section, toolchain,
};

/// The reason why a program cannot be linked again.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// There is no compiler.
    #[error(transparent)]
    NoClang(#[from] toolchain::NoClang),
    /// The captured code is incomplete.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The compiler cannot be started.
    #[error("run clang: {0}")]
    Start(#[from] io::Error),
    /// The compiler or the linker refused.
    #[error("link {} again:\n{stderr}", .program.display())]
    Refused {
        /// The program.
        program: PathBuf,
        /// Their messages.
        stderr: String,
    },
}

/// The replacement of the captured objects in a link.
#[derive(Clone, Copy, Debug)]
pub struct Rebuilt<'a> {
    /// The program's own code.
    pub code: Code<'a>,
    /// Options for the compiler.
    pub options: &'a [&'a str],
    /// Objects that are linked after everything else.
    pub objects: &'a [PathBuf],
    /// The time at which compiler and linker are killed.
    pub deadline: Deadline,
}

/// The code of a program.
#[derive(Clone, Copy, Debug)]
pub enum Code<'a> {
    /// Bitcode of the whole program.
    Module(&'a Path),
    /// Objects that make up the whole program.
    Objects(&'a [PathBuf]),
}

/// Compiles a whole-program module, if it has to be, and links it like `build`.
pub fn link_rebuilt(
    build: &Build,
    rebuilt: Rebuilt<'_>,
    output: &Path,
) -> Result<(), RebuildError> {
    let link = build.images[0].link.as_ref();
    let mut command = Command::new(toolchain::clang()?);
    if link.is_some_and(|link| link.cxx) {
        command.arg("--driver-mode=g++");
    }
    if let Some(link) = link {
        command.current_dir(existing_or_root(&link.directory));
    }
    command.arg("-w").args(rebuilt.options);
    match rebuilt.code {
        Code::Module(module) => command.args(["-x", "ir"]).arg(module).args(["-x", "none"]),
        Code::Objects(objects) => command.args(objects),
    };
    for image in &build.images {
        command.args(image.objects()?);
        match &image.link {
            Some(link) => {
                let words = kept_words(image, link, build).into_iter();
                command.args(words.filter(|word| !contradicts(rebuilt.options, word)))
            }
            None => command.args(image.needs.iter().filter(|path| !is_implied(path))),
        };
        command.args(run_path(image));
    }
    command.args(rebuilt.objects).arg("-o").arg(output);
    let result = output_by(&mut command, rebuilt.deadline)?;
    if result.status.success() {
        return Ok(());
    }
    Err(RebuildError::Refused {
        program: build.program.clone(),
        stderr: String::from_utf8_lossy(&result.stderr).into_owned(),
    })
}

fn existing_or_root(directory: &Path) -> &Path {
    if directory.is_dir() { directory } else { Path::new("/") }
}

/// The C library and the loader, which are in every link implicitly.
fn is_implied(library: &Path) -> bool {
    let name = file_name(library);
    [&b"libc.so"[..], b"ld-linux", b"ld64.so"].iter().any(|start| name.starts_with(start))
}

/// Options by which the new program, wherever it is put, finds the libraries of its image.
fn run_path(image: &Image) -> Vec<OsString> {
    let system = loader::system_folders();
    let folders: BTreeSet<&Path> = image.needs.iter().filter_map(|path| path.parent()).collect();
    let own = folders.into_iter().filter(|folder| !system.iter().any(|other| other == folder));
    own.flat_map(|folder| {
        [OsStr::new("-Xlinker"), OsStr::new("-rpath"), OsStr::new("-Xlinker"), folder.as_os_str()]
            .map(OsStr::to_os_string)
    })
    .collect()
}

/// The words of an image's link that still matter: for a shared library only its own dependencies.
fn kept_words(image: &Image, link: &LinkNote, build: &Build) -> Vec<OsString> {
    let is_program = image.path == build.images[0].path;
    let mut relink = Relink { libraries: &build.images[1..], whole: false, folders: Vec::new() };
    let mut words = Vec::new();
    let mut items = link_line::items(link).into_iter();
    while let Some(item) = items.next() {
        match item {
            Item::Linker(word) => match relink.linker_word(&word) {
                Fate::Dropped => {}
                Fate::DroppedWithValue => drop(items.next()),
                Fate::Kept if is_program => words.extend(["-Xlinker".into(), word]),
                Fate::Kept => {}
            },
            Item::Word(word) if is_program && !is_replaced_option(&word) => words.push(word),
            Item::Word(_) => {}
            Item::Folder(folder) => {
                words.extend(["-L".into(), folder.clone().into_os_string()]);
                relink.folders.push(folder);
            }
            Item::Library(name) if !relink.replaces_library(&name) => words.push(join("-l", &name)),
            Item::Library(_) => {}
            Item::Input(path) => {
                let wanted = if is_program { path.is_file() } else { is_linkable(&path) };
                if wanted && !relink.replaces_file(&path) {
                    words.push(path.into_os_string());
                }
            }
        }
    }
    words
}

/// The treatment of a word for the linker.
enum Fate {
    Kept,
    Dropped,
    DroppedWithValue,
}

/// The state while a link's words are processed.
struct Relink<'b> {
    /// The captured shared libraries, which are in the module.
    libraries: &'b [Image],
    /// Whether archives are linked with all their members at this point.
    whole: bool,
    folders: Vec<PathBuf>,
}

impl Relink<'_> {
    /// Wrapping is done in the module already, and a map of this link would overwrite the user's.
    fn linker_word(&mut self, word: &OsStr) -> Fate {
        match link_line::option_of(word) {
            (b"wrap" | b"Map", None) => return Fate::DroppedWithValue,
            (b"wrap" | b"Map", Some(_)) | (b"s" | b"strip-all", None) => {
                return Fate::Dropped;
            }
            (b"whole-archive", _) => self.whole = true,
            (b"no-whole-archive", _) => self.whole = false,
            _ => {}
        }
        Fate::Kept
    }

    fn replaces_library(&self, name: &OsStr) -> bool {
        let (shared, archive) = match name.as_bytes().strip_prefix(b":") {
            Some(file) => (file.to_vec(), file.to_vec()),
            None => {
                let stem = [b"lib", name.as_bytes()].concat();
                ([&stem, &b".so"[..]].concat(), [&stem, &b".a"[..]].concat())
            }
        };
        let found = || {
            let file = OsStr::from_bytes(&archive);
            self.folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())
        };
        self.libraries.iter().any(|image| file_name(&image.path).starts_with(&shared))
            || (self.whole && found().is_some_and(|path| is_captured_archive(&path)))
    }

    /// Whether the contents of a file are in the module. Members of an archive are only linked
    /// where something is missing, which is no reason to leave the archive out.
    fn replaces_file(&self, path: &Path) -> bool {
        self.libraries.iter().any(|image| same_file(&image.path, path))
            || fs::read(path).is_ok_and(|data| is_captured(&data))
            || (self.whole && is_captured_archive(path))
    }
}

/// Whether an option of the original link would undo one of the new link.
fn contradicts(options: &[&str], word: &OsStr) -> bool {
    let undone = match word.as_bytes() {
        b"-no-pie" | b"-nopie" | b"-Wl,-no-pie" | b"-Wl,--no-pie" => "-pie",
        bytes if bytes.starts_with(b"-fuse-ld=") => "-fuse-ld=",
        _ => return false,
    };
    options.iter().any(|option| option.starts_with(undone))
}

/// Options that concern the user's compile and kind of build, not this one.
fn is_replaced_option(word: &OsStr) -> bool {
    let bytes = word.as_bytes();
    matches!(bytes, b"-static" | b"-s" | b"-static-pie")
        || bytes.starts_with(b"-O")
        || bytes.starts_with(b"-flto")
}

/// Whether these are the contents of an object that our compiler made.
fn is_captured(data: &[u8]) -> bool {
    object::File::parse(data).is_ok_and(|file| {
        file.kind() == ObjectKind::Relocatable && file.section_by_name(section::NAME).is_some()
    })
}

fn is_captured_archive(path: &Path) -> bool {
    let Ok(data) = fs::read(path) else { return false };
    let Ok(archive) = ArchiveFile::parse(&*data) else { return false };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let is_ours = |member: ArchiveMember<'_>| match archive.is_thin() {
        true => fs::read(folder.join(OsStr::from_bytes(member.name())))
            .is_ok_and(|member| is_captured(&member)),
        false => member.data(&*data).is_ok_and(|member| !is_elf(member) || is_captured(member)),
    };
    archive.members().all(|member| member.is_ok_and(is_ours))
}

fn is_elf(data: &[u8]) -> bool {
    data.starts_with(&elf::ELFMAG)
}

fn same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

fn file_name(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_bytes()
}

fn join(option: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}
