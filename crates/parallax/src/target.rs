//! Files that the user names for results.
//!
//! A result goes wherever the user says, a FIFO or a device included; but a search must not end with a result
//! that cannot be written, nor wait for a reader that never comes.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, bail};

/// Refuses a path at which no file can be written, before anything long is begun.
pub(crate) fn check(path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        bail!("failed to write {}: it is a directory", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("failed to write {}: there is no directory {}", path.display(), folder.display());
    }
    Ok(())
}

/// Writes a result.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    try_write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

fn try_write(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    let ready = match options.custom_flags(libc::O_NONBLOCK).open(path) {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) && is_fifo(path) => {
            return Err(io::Error::other("it is a fifo that nothing reads from"));
        }
        opened => opened?,
    };
    // A reader that is there may take its time: this is opened again, for writing that waits.
    let mut file = OpenOptions::new().write(true).open(path)?;
    drop(ready);
    file.write_all(text.as_bytes())
}

fn is_fifo(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}
