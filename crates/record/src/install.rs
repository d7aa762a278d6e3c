//! A program that a recorder stands in for.
//!
//! The program gets a second name in its own directory, so that `$ORIGIN` and libtool's wrapper
//! scripts go on working, and the recorder is renamed over the first one. Putting it back is one
//! rename of the same inode: mode, times and contents need no restoring, and there is no moment
//! without a program. The recorder has the program's modification time, so `make` sees nothing to
//! do. It has not its set-user-id bits: those would be the recorder's powers, too.
//!
//! A script finds `….parallax-real` in `$0`, because the kernel gives the interpreter the name of the
//! file. Libtool's wrappers only take the directory from it.
//!
//! The file at the program's place is identified by its contents, not by its inode: a linker that
//! removes its output first may well be given the same inode again.

use std::fs::{File, FileTimes, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::journal;
use crate::recording::RecordError;
use crate::sidecar::{self, Digest, Sidecar};
use crate::trailer;

const REAL: &str = ".parallax-real";
const SIDECAR: &str = ".parallax-record";
const INCOMING: &str = ".parallax-new";

/// The state in which the program was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Restoration {
    /// It is as it was: the same inode, contents, mode and times.
    Original,
    /// The command built it anew; the new program was left in place.
    Rebuilt,
}

/// Restores a program whose recording was killed before it could; `None` if there is none.
///
/// # Errors
/// If a recording of the program is running, or it cannot be restored.
pub fn recover(bin: &Path) -> Result<Option<Restoration>, RecordError> {
    let path = resolve(bin)?;
    let names = Names::of(&path);
    if !names.sidecar.exists() && !names.real.exists() {
        return Ok(None);
    }
    let _lock = match sidecar::take_over(&names.sidecar, Duration::from_secs(1)) {
        Ok(None) => return Err(RecordError::Busy { path }),
        Ok(lock) => lock,
        Err(_) => None,
    };
    // A copy of the sidecar that has come back to the recording's place is not locked.
    let alive = |sidecar: Sidecar| sidecar.program == path && journal::is_alive(&sidecar.state);
    if Sidecar::read(&names.sidecar).is_ok_and(alive) {
        return Err(RecordError::Busy { path });
    }
    abandon(&names).map(Some).map_err(|source| RecordError::Restore { path, source })
}

/// The names around one program.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The program, or the recorder in its place.
    pub(crate) path: PathBuf,
    /// The program while the recorder is in its place.
    pub(crate) real: PathBuf,
    /// The recorder's instructions.
    pub(crate) sidecar: PathBuf,
    incoming: PathBuf,
}

impl Names {
    /// The names around the program at `path`, which is absolute and no symbolic link.
    pub(crate) fn of(path: &Path) -> Names {
        let beside = |suffix: &str| {
            let mut name = path.as_os_str().to_os_string();
            name.push(suffix);
            PathBuf::from(name)
        };
        Names {
            path: path.to_path_buf(),
            real: beside(REAL),
            sidecar: beside(SIDECAR),
            incoming: beside(INCOMING),
        }
    }
}

/// Puts the program back after a recording that is dead, whose sidecar the caller has taken over.
///
/// In a copy of the program's directory the sidecar names a recording elsewhere, whose files are
/// left alone.
pub(crate) fn abandon(names: &Names) -> io::Result<Restoration> {
    let sidecar = Sidecar::read(&names.sidecar).ok();
    if let Some(sidecar) = &sidecar
        && sidecar.program == names.path
    {
        journal::clear(&sidecar.state);
    }
    put_back(names, sidecar.map(|sidecar| sidecar.recorder))
}

/// A recorder in the place of a program, until it is restored or dropped.
#[derive(Debug)]
pub(crate) struct Installation {
    names: Names,
    recorder: Digest,
    /// Holds the lock that says this recording lives.
    _sidecar: File,
    restored: bool,
}

impl Installation {
    /// Puts the recorder in the place of the program at `path`.
    pub(crate) fn install(
        path: &Path,
        recorder: &[u8],
        sidecar: &Sidecar,
    ) -> io::Result<Installation> {
        let names = Names::of(path);
        let file = sidecar.create(&names.sidecar)?;
        // From here on the guard cleans up, whatever fails.
        let installation =
            Installation { names, recorder: sidecar.recorder, _sidecar: file, restored: false };
        installation.replace(recorder)?;
        Ok(installation)
    }

    fn replace(&self, recorder: &[u8]) -> io::Result<()> {
        let Names { path, real, incoming, .. } = &self.names;
        copy_in_the_guise_of(&path.metadata()?, recorder, incoming)?;
        // A file system without hard links leaves the name empty for a moment.
        std::fs::hard_link(path, real).or_else(|_| std::fs::rename(path, real))?;
        std::fs::rename(incoming, path)
    }

    /// Puts the program back.
    pub(crate) fn restore(mut self) -> Result<Restoration, RecordError> {
        self.restored = true;
        put_back(&self.names, Some(self.recorder))
            .map_err(|source| RecordError::Restore { path: self.names.path.clone(), source })
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        if !self.restored {
            let _ = put_back(&self.names, Some(self.recorder));
        }
    }
}

/// The file behind a name the user gave.
pub(crate) fn resolve(bin: &Path) -> Result<PathBuf, RecordError> {
    let found = bin.canonicalize().or_else(|error| {
        // Without hard links a killed recording may have left the name empty.
        let parent = bin.parent().filter(|parent| *parent != Path::new(""));
        let name = bin.file_name().ok_or(error)?;
        let path = parent.unwrap_or(Path::new(".")).canonicalize()?.join(name);
        Names::of(&path).real.metadata().map(|_| path)
    });
    found.map_err(|source| RecordError::Program { path: bin.to_path_buf(), source })
}

fn copy_in_the_guise_of(original: &Metadata, contents: &[u8], copy: &Path) -> io::Result<()> {
    std::fs::write(copy, contents)?;
    // Only root may give files away; for all others the owner is right already.
    let _ = std::os::unix::fs::chown(copy, Some(original.uid()), Some(original.gid()));
    // It has to read its own trailer, whatever its user.
    let mode = PermissionsExt::from_mode(original.mode() & 0o777 | 0o444);
    let file = File::options().append(true).open(copy)?;
    file.set_times(FileTimes::new().set_modified(original.modified()?))?;
    file.set_permissions(mode)
}

/// Leaves at the program's place the file that belongs there, and nothing beside it.
fn put_back(names: &Names, recorder: Option<Digest>) -> io::Result<Restoration> {
    let restoration = match names.real.metadata() {
        Err(_) => Restoration::Original,
        Ok(real) => put_real_back(names, &real, recorder)?,
    };
    remove_if_there(&names.incoming)?;
    remove_if_there(&names.sidecar)?;
    Ok(restoration)
}

fn put_real_back(
    names: &Names,
    real: &Metadata,
    recorder: Option<Digest>,
) -> io::Result<Restoration> {
    let Ok(current) = names.path.metadata() else {
        return std::fs::rename(&names.real, &names.path).map(|()| Restoration::Original);
    };
    if (current.dev(), current.ino()) == (real.dev(), real.ino()) {
        // Two names of one inode: a rename would leave both.
        return remove_if_there(&names.real).map(|()| Restoration::Original);
    }
    let is_recorder = match recorder {
        Some(recorder) => recorder.matches(&names.path),
        None => trailer::program_of(&names.path).is_some(),
    };
    if is_recorder {
        return std::fs::rename(&names.real, &names.path).map(|()| Restoration::Original);
    }
    remove_if_there(&names.real).map(|()| Restoration::Rebuilt)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with a program in it and a sidecar for it.
    fn program() -> (tempfile::TempDir, PathBuf, Sidecar) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("program");
        std::fs::write(&path, "old").expect("a program");
        let sidecar = Sidecar {
            program: path.clone(),
            recorder: Digest::of(b"recorder"),
            state: directory.path().join("state"),
            out: directory.path().join("out"),
            baseline: Default::default(),
        };
        (directory, path, sidecar)
    }

    fn contents(directory: &tempfile::TempDir) -> Vec<(String, String)> {
        let entries = directory.path().read_dir().expect("a directory");
        let mut files = entries
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                (name.unwrap_or_default(), std::fs::read_to_string(&path).unwrap_or_default())
            })
            .collect::<Vec<_>>();
        files.sort();
        files
    }

    fn only(contents: &str) -> Vec<(String, String)> {
        vec![("program".to_string(), contents.to_string())]
    }

    #[test]
    fn restoring_leaves_the_same_inode_and_nothing_else() {
        let (directory, path, sidecar) = program();
        let before = path.metadata().expect("metadata");
        let installation = Installation::install(&path, b"recorder", &sidecar).expect("installed");
        assert_eq!(std::fs::read(&path).expect("a recorder"), b"recorder");
        let during = path.metadata().expect("metadata");
        assert_eq!(during.modified().expect("time"), before.modified().expect("time"));
        assert_eq!(installation.restore().expect("restored"), Restoration::Original);
        let after = path.metadata().expect("metadata");
        assert_eq!((after.ino(), after.mode(), after.nlink()), (before.ino(), before.mode(), 1));
        assert_eq!(contents(&directory), only("old"));
    }

    #[test]
    fn dropping_restores() {
        let (directory, path, sidecar) = program();
        drop(Installation::install(&path, b"recorder", &sidecar).expect("installed"));
        assert_eq!(contents(&directory), only("old"));
    }

    #[test]
    fn a_program_built_anew_stays() {
        let (directory, path, sidecar) = program();
        let installation = Installation::install(&path, b"recorder", &sidecar).expect("installed");
        std::fs::write(&path, "new").expect("a new program");
        assert_eq!(installation.restore().expect("restored"), Restoration::Rebuilt);
        assert_eq!(contents(&directory), only("new"));
    }

    #[test]
    fn every_half_done_installation_is_recovered() {
        let steps: [fn(&Names); 4] = [
            |_| (),
            |names| std::fs::write(&names.incoming, "recorder").expect("a copy"),
            |names| std::fs::hard_link(&names.path, &names.real).expect("a link"),
            |names| std::fs::rename(&names.path, &names.real).expect("a rename"),
        ];
        for step in steps {
            let (directory, path, sidecar) = program();
            drop(sidecar.create(&Names::of(&path).sidecar).expect("a sidecar"));
            step(&Names::of(&path));
            assert_eq!(recover(&path).expect("recovered"), Some(Restoration::Original));
            assert_eq!(contents(&directory), only("old"));
            assert_eq!(recover(&path).expect("nothing to do"), None);
        }
    }

    #[test]
    fn a_running_recording_is_left_alone() {
        let (_directory, path, sidecar) = program();
        let _installation = Installation::install(&path, b"recorder", &sidecar).expect("installed");
        assert!(matches!(recover(&path), Err(RecordError::Busy { .. })));
    }
}
