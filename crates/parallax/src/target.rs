//! Files for results that the user named.
//!
//! A result goes wherever the user says, including a FIFO or a device; but a search must not end
//! with a result that cannot be written, nor wait for a reader that never comes.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, bail};

/// Refuses a directory before any long work. Problems that may be repaired meanwhile, such as a
/// missing folder, are reported after the result, which is shown in any case.
pub(crate) fn check(path: Option<&Path>) -> anyhow::Result<()> {
    match path.filter(|path| path.is_dir()) {
        Some(path) => bail!("failed to write {}: it is a directory", path.display()),
        None => Ok(()),
    }
}

/// Writes a result.
pub(crate) fn write(path: &Path, result: impl AsRef<[u8]>) -> anyhow::Result<()> {
    try_write(path, result.as_ref()).with_context(|| format!("failed to write {}", path.display()))
}

fn try_write(path: &Path, result: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    let ready = match options.custom_flags(libc::O_NONBLOCK).open(path) {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) && is_fifo(path) => {
            return Err(io::Error::other("it is a fifo that nothing reads from"));
        }
        opened => opened?,
    };
    // An existing reader may take its time: the file is opened again, for blocking writes.
    let mut file = OpenOptions::new().write(true).open(path)?;
    drop(ready);
    file.write_all(result)
}

fn is_fifo(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}
