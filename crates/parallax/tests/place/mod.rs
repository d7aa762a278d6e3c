//! A fresh directory with our compilers in it, for tests that use Parallax as a user would.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

pub(crate) struct Place {
    folder: TempDir,
    /// Builds and bitcode are kept beside the directory, not in the user's own cache.
    cache: TempDir,
}

/// The output and exit status of a command.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Place {
    /// A directory whose cache shares the compiled models with all other tests: they are the same for every
    /// program.
    pub(crate) fn new() -> Place {
        let place = Place::with_own_cache();
        for kind in ["runtime", "groups"] {
            let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache").join(kind);
            fs::create_dir_all(&shared).unwrap();
            symlink(shared, place.cache().join(kind)).unwrap();
        }
        place
    }

    /// A directory with an empty cache, for tests of the cache itself.
    pub(crate) fn with_own_cache() -> Place {
        let cache = tempfile::tempdir().unwrap();
        let names = cache.path().join("names");
        fs::create_dir(&names).unwrap();
        fs::create_dir(cache.path().join("tmp")).unwrap();
        for name in ["parallax-cc", "parallax-c++"] {
            symlink(env!("CARGO_BIN_EXE_parallax-cc"), names.join(name)).unwrap();
        }
        Place { folder: tempfile::tempdir().unwrap(), cache }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn cache(&self) -> &Path {
        self.cache.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// All files in the directory.
    pub(crate) fn listing(&self) -> Vec<String> {
        names_in(self.folder.path())
    }

    /// Checks that no temporary file and no unfinished build is left.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        assert_eq!(names_in(&self.cache.path().join("tmp")), [""; 0]);
        for name in names_in(&self.cache.path().join("builds")) {
            let finished = self.cache.path().join("builds").join(&name).join("finished");
            assert!(name.ends_with(".lock") || finished.is_file(), "{name} is half a build");
        }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let names = self.cache.path().join("names");
        command
            .current_dir(self.folder.path())
            .env("CC", names.join("parallax-cc"))
            .env("CXX", names.join("parallax-c++"))
            .env("PARALLAX_CACHE", self.cache.path())
            .env("TMPDIR", self.cache.path().join("tmp"))
            .env("LC_ALL", "C");
        command
    }

    fn run_sh(&self, script: &str) -> Output {
        self.command("sh").arg("-c").arg(script).output().unwrap()
    }

    /// Runs a script that must succeed.
    #[track_caller]
    pub(crate) fn sh(&self, script: &str) {
        let output = self.run_sh(script);
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn status(&self, script: &str) -> i32 {
        self.run_sh(script).status.code().unwrap_or(-1)
    }

    #[track_caller]
    pub(crate) fn output(&self, script: &str) -> String {
        String::from_utf8(self.run_sh(script).stdout).unwrap()
    }

    /// Runs `parallax` itself.
    pub(crate) fn parallax(&self, words: &[&str]) -> Printed {
        let output = self.command(env!("CARGO_BIN_EXE_parallax")).args(words).output().unwrap();
        Printed {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code().unwrap_or(-1),
        }
    }

    /// The sources that a program was linked from, relative to the directory and sorted.
    pub(crate) fn sources(&self, program: &str) -> Vec<String> {
        let build = parallax_capture::Build::open(&self.path(program)).unwrap();
        let units = build.images.iter().flat_map(|image| &image.units);
        let root = self.folder.path().canonicalize().unwrap();
        let mut sources: Vec<_> = units.map(|unit| relative(&unit.source, &root)).collect();
        sources.sort();
        sources
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn relative(source: &Path, root: &Path) -> String {
    source.strip_prefix(root).unwrap_or(source).to_str().unwrap().to_string()
}
