//! Reading files that may be anything but regular files.
//!
//! Opening a FIFO waits for a writer and reading a device may never end. So files are opened
//! without waiting, and a file that is not regular, or is larger than the caller wants, is refused
//! before it is read.

use std::{
    fs::{File, FileType, OpenOptions},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
};

/// Reads a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path, OpenOptions::new().read(true), oddity)?;
    let mut bytes = Vec::new();
    let size = file.metadata()?.len();
    // It may still grow while it is read.
    if size <= most && file.take(most + 1).read_to_end(&mut bytes)? as u64 <= most {
        return Ok(bytes);
    }
    let why = format!("it has more than {} MiB", most >> 20);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, why))
}

/// Opens a file for writing with these options. A device accepts writes at once.
pub fn open_for_writing(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let is_device = |kind: FileType| kind.is_char_device() || kind.is_block_device();
    open(path, options, |kind| oddity(kind).filter(|_| !is_device(kind)))
}

fn open(
    path: &Path,
    options: &mut OpenOptions,
    oddity: impl Fn(FileType) -> Option<&'static str>,
) -> io::Result<File> {
    let odd = |what| io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}"));
    // A FIFO without a reader cannot be opened for writing, and the error would not say why.
    if let Ok(metadata) = path.metadata()
        && let Some(what) = oddity(metadata.file_type())
    {
        return Err(odd(what));
    }
    let file = options.custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC).open(path)?;
    match oddity(file.metadata()?.file_type()) {
        Some(what) => Err(odd(what)),
        None => Ok(file),
    }
}

/// The kind of a file that is not a regular one.
pub fn oddity(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a directory"),
        kind if kind.is_fifo() => Some("a fifo"),
        kind if kind.is_socket() => Some("a socket"),
        _ => Some("a device"),
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::CString, fs, os::unix::ffi::OsStrExt};

    use super::*;

    #[test]
    fn only_regular_files_of_a_sensible_size_are_read() {
        let folder = tempfile::tempdir().expect("a directory can be made");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("plain"), "abc").expect("a file can be written");
        let fifo = CString::new(path("fifo").as_os_str().as_bytes()).expect("it has no zero byte");
        // SAFETY: the path is a string that ends in a zero byte and lives through the call.
        assert_eq!(unsafe { libc::mkfifo(fifo.as_ptr(), 0o600) }, 0);
        assert_eq!(read(&path("plain"), 3).expect("it is there"), b"abc");
        for (path, most, why) in [
            (path("plain"), 2, "more than 0 MiB"),
            (path("fifo"), 3, "it is a fifo"),
            (folder.path().to_owned(), 3, "it is a directory"),
            ("/dev/zero".into(), 3, "it is a device"),
        ] {
            let error = read(&path, most).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
        let write = |path: &Path| open_for_writing(path, OpenOptions::new().write(true));
        let error = write(&path("fifo")).expect_err("it is a fifo");
        assert_eq!(error.to_string(), "it is a fifo");
        assert!(write(Path::new("/dev/full")).is_ok(), "what is written there fails, and is told");
    }
}
