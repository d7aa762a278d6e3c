//! A program that was built by `parallax-cc`: the executable and the bitcode it is made of.
//!
//! A program that cannot start is refused here. Two versions that both fail to find a library
//! behave alike, and a comparison of nothing would go unnoticed.

pub(crate) mod link_line;
mod symbols;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use object::read::{Object, ObjectKind};

use crate::{
    libtool,
    loader::{self, Loaded, Machine, Missing},
    note::{LinkNote, Unit},
    section,
    store::{Store, digest},
};

/// A captured program.
#[derive(Clone, Debug)]
pub struct Build {
    /// The executable itself (behind a libtool wrapper, if there was one).
    pub program: PathBuf,
    /// Directories in which it finds shared libraries of its own build.
    pub library_path: Vec<PathBuf>,
    /// The executable and the captured shared libraries it loads, in the loader's order.
    pub images: Vec<Image>,
    /// A library that it needs by a path relative to its working directory.
    relative_library: Option<PathBuf>,
}

/// One file that the loader maps: the executable or a shared library.
#[derive(Clone, Debug)]
pub struct Image {
    /// The file.
    pub path: PathBuf,
    /// The translation units that were linked into it.
    pub units: Vec<Unit>,
    /// Its link, if `parallax-cc` did it.
    pub link: Option<LinkNote>,
    /// The shared libraries it needs of which nothing is captured.
    pub needs: Vec<PathBuf>,
    /// The rank at which its constructors run: an image with a lower rank comes first.
    pub rank: u32,
}

/// The reason why a program cannot be used as a captured one.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is no executable.
    #[error("use {}: it is not an ELF executable", .0.display())]
    NotExecutable(PathBuf),
    /// Nothing in it was compiled by `parallax-cc`.
    #[error("use {}: it was not built with parallax-cc (build it with CC=parallax-cc, or give --build and --bin)", .0.display())]
    NotCaptured(PathBuf),
    /// The program would not start.
    #[error("find the shared library {} that {} needs (put its directory into LD_LIBRARY_PATH, or link with -Wl,-rpath)", .library.display(), .program.display())]
    LibraryMissing {
        /// The library.
        library: PathBuf,
        /// The file that needs it: the program, or one of its libraries.
        program: PathBuf,
    },
    /// The program starts only in one directory.
    #[error("run {} in a directory of its own: it needs {} by a relative path (give the library a soname, or link it with -L and -l)", .program.display(), .library.display())]
    RelativeLibrary {
        /// The library.
        library: PathBuf,
        /// The program.
        program: PathBuf,
    },
    /// The bitcode that it names is gone.
    #[error("find the bitcode of {}: it is not in {}, or damaged there (build the program again)", .source_file.display(), .store.display())]
    BitcodeGone {
        /// Its source.
        source_file: PathBuf,
        /// The store that held it.
        store: PathBuf,
    },
}

impl Build {
    /// The captured program at `path`, which may be a libtool wrapper script.
    pub fn open(path: &Path) -> Result<Build, CaptureError> {
        let build = Build::open_native(path)?;
        if build.images.iter().all(|image| image.units.is_empty()) {
            return Err(CaptureError::NotCaptured(path.into()));
        }
        Ok(build)
    }

    /// As [`Build::open`], for a program of which nothing need be captured: it can only be run.
    pub fn open_native(path: &Path) -> Result<Build, CaptureError> {
        let path = &fs::canonicalize(path).map_err(|source| unreadable(path, source))?;
        if !path.is_file() {
            return Err(CaptureError::NotExecutable(path.clone()));
        }
        let (program, mut library_path) = match libtool::unwrap(path) {
            Some(wrapped) => (wrapped.program, wrapped.library_path),
            None => (path.clone(), Vec::new()),
        };
        let inherited = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        library_path.extend(env::split_paths(&inherited).filter(|folder| folder.is_absolute()));
        let first =
            Image::open(&program)?.ok_or_else(|| CaptureError::NotExecutable(path.clone()))?;
        let (images, relative_library) = load_images(first, &mut library_path)?;
        Ok(Build { program, library_path, images, relative_library })
    }

    /// Refuses a program that finds its libraries only from one working directory: in any other,
    /// as in the lab, it does not start.
    pub fn starts_anywhere(&self) -> Result<(), CaptureError> {
        let Some(library) = self.relative_library.clone() else { return Ok(()) };
        Err(CaptureError::RelativeLibrary { library, program: self.program.clone() })
    }

    /// As [`Build::open`], if all its bitcode is still in the store.
    pub(crate) fn open_whole(path: &Path) -> Result<Build, CaptureError> {
        let build = Build::open(path)?;
        build.images.iter().try_for_each(|image| {
            image.objects()?;
            image.bitcode().map(drop)
        })?;
        Ok(build)
    }

    /// Whether the program maps a shadow of its memory: the user built it with a sanitizer.
    pub fn has_shadow(&self) -> bool {
        const INITIALISERS: [&[u8]; 4] =
            [b"__asan_init", b"__msan_init", b"__tsan_init", b"__hwasan_init"];
        let data = fs::read(&self.program).unwrap_or_default();
        INITIALISERS.iter().any(|name| data.windows(name.len()).any(|window| window == *name))
    }

    /// A digest of the program and its captured libraries: the same until something else is built.
    pub fn digest(&self) -> Result<String, CaptureError> {
        let read =
            |image: &Image| fs::read(&image.path).map_err(|source| unreadable(&image.path, source));
        let contents = self.images.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(digest(&contents.iter().map(Vec::as_slice).collect::<Vec<_>>()))
    }

    /// The units without bitcode: what the whole-program module lacks.
    pub fn missing(&self) -> impl Iterator<Item = (&Unit, &str)> {
        let units = self.images.iter().flat_map(|image| &image.units);
        units.filter_map(|unit| Some((unit, unit.bitcode.as_ref().err()?.as_str())))
    }
}

/// The captured images of a program, and a library that it needs by a relative path. Folders of
/// libraries that only its link knew join the `library_path`.
fn load_images(
    program: Image,
    library_path: &mut Vec<PathBuf>,
) -> Result<(Vec<Image>, Option<PathBuf>), CaptureError> {
    let machine = Machine::of(&program.path);
    loop {
        let loaded = loader::load(&program.path, library_path, &relative_to(&program));
        let files = open_files(&program, &loaded)?;
        let missing = loaded.missing.first().filter(|_| machine.is_some_and(Machine::is_here));
        let Some(missing) = missing else {
            return Ok((captured(files, &loaded), loaded.relative_library()));
        };
        match folder_of(missing, files.iter().flatten(), machine) {
            Some(folder) if !library_path.contains(&folder) => library_path.push(folder),
            _ => {
                return Err(CaptureError::LibraryMissing {
                    library: missing.library.clone(),
                    program: missing.needed_by.clone(),
                });
            }
        }
    }
}

/// Folders for a library that a program needs by a relative path: most likely it was linked there.
fn relative_to(program: &Image) -> Vec<PathBuf> {
    let linked = program.link.as_ref().map(|link| link.directory.clone());
    linked.into_iter().chain([env::current_dir().unwrap_or_default()]).collect()
}

/// The images in the files that are loaded, as far as anything in them is captured.
fn open_files(program: &Image, loaded: &Loaded) -> Result<Vec<Option<Image>>, CaptureError> {
    let libraries = loaded.files[1..]
        .iter()
        .map(|library| Ok(Image::open(&library.path)?.filter(|image| !image.units.is_empty())));
    std::iter::once(Ok(Some(program.clone()))).chain(libraries).collect()
}

/// The folder of a library that the loader does not find, if the link of an image names it.
fn folder_of<'i>(
    missing: &Missing,
    images: impl Iterator<Item = &'i Image>,
    machine: Option<Machine>,
) -> Option<PathBuf> {
    let fits = |folder: &PathBuf| {
        let path = folder.join(&missing.library);
        path.is_file() && Machine::of(&path) == machine
    };
    let links = images.filter_map(|image| image.link.as_ref());
    let folder = links.flat_map(link_line::library_folders).find(fits)?;
    fs::canonicalize(folder).ok()
}

/// The captured files among the loaded ones, each with its place among them.
fn captured(files: Vec<Option<Image>>, loaded: &Loaded) -> Vec<Image> {
    let foreign: Vec<bool> = files.iter().map(Option::is_none).collect();
    let places = loaded.files.iter().zip(loaded.ranks());
    let placed = files.into_iter().zip(places).filter_map(|(image, (file, rank))| {
        let needs = file.needs.iter().filter(|&&need| foreign[need]);
        let needs = needs.map(|&need| loaded.files[need].path.clone()).collect();
        Some(Image { needs, rank, ..image? })
    });
    placed.collect()
}

impl Image {
    fn open(path: &Path) -> Result<Option<Image>, CaptureError> {
        let notes = section::read(path).map_err(|source| unreadable(path, source))?;
        Ok(notes.map(|notes| Image {
            path: path.into(),
            units: notes.units,
            link: notes.link.filter(|link| !is_partial(link) || is_object(path)),
            needs: Vec::new(),
            rank: 0,
        }))
    }

    /// The files that hold the bitcode of this image, objects before the sources of the link itself.
    pub fn bitcode(&self) -> Result<Vec<PathBuf>, CaptureError> {
        let named = self.units.iter().filter_map(|unit| Some((unit, unit.bitcode.as_ref().ok()?)));
        named.map(|(unit, name)| locate(unit, name)).collect()
    }

    /// The objects of the units that have no bitcode.
    pub(crate) fn objects(&self) -> Result<Vec<PathBuf>, CaptureError> {
        let named = self.units.iter().filter_map(|unit| Some((unit, unit.object.as_ref()?)));
        named.map(|(unit, name)| locate(unit, name)).collect()
    }
}

/// Whether a link only put objects together. Its note stays in the output of another linker.
fn is_partial(link: &LinkNote) -> bool {
    let is_option = |word: &&str| matches!(*word, "-r" | "-Wl,-r" | "--relocatable");
    link.words.iter().filter_map(|word| word.to_str()).any(|word| is_option(&word))
}

fn is_object(path: &Path) -> bool {
    let data = fs::read(path).unwrap_or_default();
    object::File::parse(&*data).is_ok_and(|file| file.kind() == ObjectKind::Relocatable)
}

/// The path of this content in a store: the store it was written to, or the one in use now.
fn locate(unit: &Unit, name: &str) -> Result<PathBuf, CaptureError> {
    let places = [Store::at(&unit.store), Store::default_location()];
    let found = places.iter().find_map(|store| store.find(name));
    found.ok_or_else(|| CaptureError::BitcodeGone {
        source_file: unit.source.clone(),
        store: unit.store.clone(),
    })
}

fn unreadable(path: &Path, source: io::Error) -> CaptureError {
    CaptureError::Unreadable { path: path.into(), source }
}
