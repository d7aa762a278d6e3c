//! A program that was built by `parallax-cc`: the executable and the bitcode it is made of.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    libtool, loader,
    note::{LinkNote, Unit},
    section,
    store::Store,
};

/// A captured program.
#[derive(Clone, Debug)]
pub struct Build {
    /// The executable itself (behind a libtool wrapper, if there was one).
    pub program: PathBuf,
    /// Where it finds shared libraries of its own build.
    pub library_path: Vec<PathBuf>,
    /// The executable and the captured shared libraries it loads, in the loader's order.
    pub images: Vec<Image>,
}

/// One file that the loader maps: the executable or a shared library.
#[derive(Clone, Debug)]
pub struct Image {
    /// The file.
    pub path: PathBuf,
    /// The translation units that were linked into it.
    pub units: Vec<Unit>,
    /// How it was linked, if `parallax-cc` did that.
    pub link: Option<LinkNote>,
}

/// Why a program cannot be taken as a captured one.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no executable.
    #[error("use {}: it is not an ELF executable", .0.display())]
    NotExecutable(PathBuf),
    /// Nothing in it was compiled by `parallax-cc`.
    #[error("use {}: it was not built with parallax-cc (build it with CC=parallax-cc, or give --build and --bin)", .0.display())]
    NotCaptured(PathBuf),
    /// The bitcode that it names is gone.
    #[error("find the bitcode of {}: it is not in {} (build the program again)", .source_file.display(), .store.display())]
    BitcodeGone {
        /// The source it was made of.
        source_file: PathBuf,
        /// Where it was kept.
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
        let (program, mut library_path) = match libtool::unwrap(path) {
            Some(wrapped) => (wrapped.program, wrapped.library_path),
            None => (path.clone(), Vec::new()),
        };
        let inherited = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        library_path.extend(env::split_paths(&inherited).filter(|folder| folder.is_absolute()));
        let first =
            Image::open(&program)?.ok_or_else(|| CaptureError::NotExecutable(path.clone()))?;
        let mut images = vec![first];
        for library in loader::libraries(&program, &library_path) {
            images.extend(Image::open(&library)?.filter(|image| !image.units.is_empty()));
        }
        Ok(Build { program, library_path, images })
    }

    /// As [`Build::open`], if all its bitcode is still in the store.
    pub(crate) fn open_whole(path: &Path) -> Result<Build, CaptureError> {
        let build = Build::open(path)?;
        build.images.iter().try_for_each(|image| image.bitcode().map(drop))?;
        Ok(build)
    }

    /// The units without bitcode: what the whole-program module lacks.
    pub fn missing(&self) -> impl Iterator<Item = (&Unit, &str)> {
        let units = self.images.iter().flat_map(|image| &image.units);
        units.filter_map(|unit| Some((unit, unit.bitcode.as_ref().err()?.as_str())))
    }
}

impl Image {
    fn open(path: &Path) -> Result<Option<Image>, CaptureError> {
        let notes = section::read(path).map_err(|source| unreadable(path, source))?;
        Ok(notes.map(|notes| Image { path: path.into(), units: notes.units, link: notes.link }))
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

/// Where the store has this content: the store it was written to, or the one in use now.
fn locate(unit: &Unit, name: &str) -> Result<PathBuf, CaptureError> {
    let places = [Store::at(&unit.store), Store::default_location()];
    let found = places.iter().map(|store| store.path(name)).find(|path| path.is_file());
    found.ok_or_else(|| CaptureError::BitcodeGone {
        source_file: unit.source.clone(),
        store: unit.store.clone(),
    })
}

fn unreadable(path: &Path, source: io::Error) -> CaptureError {
    CaptureError::Unreadable { path: path.into(), source }
}
