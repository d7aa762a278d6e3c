//! The end of a recorder's image, which names the program it stands in for.
//!
//! A suite may copy, install or link the program while it is recorded, and then has a recorder without a
//! sidecar. The image itself must say so, for good: an ELF file may have anything after its end.
//! The path comes first and the mark last, so that one read of the file's tail tells.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const MARK: &[u8; 16] = b"parallax-stand-1";
const LENGTH: usize = size_of::<u32>();

/// The longest trailer: no path that can be opened is longer.
const LONGEST: usize = libc::PATH_MAX as usize + LENGTH + MARK.len();

/// The image with a trailer that names the program.
pub(crate) fn append(mut image: Vec<u8>, program: &Path) -> Vec<u8> {
    let path = program.as_os_str().as_bytes();
    image.extend_from_slice(path);
    image.extend_from_slice(&(path.len() as u32).to_le_bytes());
    image.extend_from_slice(MARK);
    image
}

/// The program that the file is a recorder of; `None` if it is anything else.
pub(crate) fn program_of(file: &Path) -> Option<PathBuf> {
    let file = File::open(file).ok()?;
    let start = file.metadata().ok()?.len().saturating_sub(LONGEST as u64);
    let mut tail = [0; LONGEST];
    let count = file.read_at(&mut tail, start).ok()?;
    decode(&tail[..count])
}

fn decode(tail: &[u8]) -> Option<PathBuf> {
    let (rest, length) = tail.strip_suffix(MARK)?.split_last_chunk::<LENGTH>()?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    Some(PathBuf::from(OsString::from_vec(rest[start..].to_vec())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(contents: &[u8], expected: Option<&str>) {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), contents).expect("contents");
        assert_eq!(program_of(file.path()), expected.map(PathBuf::from));
    }

    #[test]
    fn names_the_program_whatever_the_image() {
        let longest = format!("/{}", "x".repeat(libc::PATH_MAX as usize - 1));
        for image in [vec![], vec![7; 10], vec![0; 3 * LONGEST]] {
            for path in ["/a/tool", "/a/tool (deleted)", &longest] {
                check(&append(image.clone(), Path::new(path)), Some(path));
            }
        }
    }

    #[test]
    fn anything_else_has_none() {
        let whole = append(vec![7; 10], Path::new("/tool"));
        check(&whole[..whole.len() - 1], None);
        check(&whole[whole.len() - MARK.len() - LENGTH..], None);
        check(MARK, None);
        check(b"", None);
        check(&[0; 2 * LONGEST], None);
    }
}
