//! Files that arguments name.
//!
//! An argument names a file as a whole (`in.txt`) or after its first equals sign (`--file=in.txt`).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The absolute paths that the arguments may name, seen from `directory`.
pub(crate) fn named<'a>(
    args: &'a [Vec<u8>],
    directory: &'a Path,
) -> impl Iterator<Item = PathBuf> + 'a {
    let parts =
        args.iter().flat_map(|arg| [Some(arg.as_slice()), split(arg).map(|(_, path)| path)]);
    let parts = parts.flatten().filter(|part| !part.is_empty());
    parts.map(|part| normalised(&directory.join(OsStr::from_bytes(part))))
}

/// The argument with an absolute path below `directory` made relative, if `known` has the file.
pub(crate) fn made_relative(
    arg: &[u8],
    directory: &Path,
    known: impl Fn(&[u8]) -> bool,
) -> Vec<u8> {
    let relative = |path| relative_to(directory, path).filter(|path| known(path));
    if let Some(path) = relative(arg) {
        return path;
    }
    match split(arg).and_then(|(option, path)| Some((option, relative(path)?))) {
        Some((option, path)) => [option, b"=", &path].concat(),
        None => arg.to_vec(),
    }
}

/// The path without `.`, `..` and doubled slashes, by its text alone.
pub(crate) fn normalised(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

fn relative_to(directory: &Path, path: &[u8]) -> Option<Vec<u8>> {
    let path = Path::new(OsStr::from_bytes(path));
    let inside = path.is_absolute().then(|| normalised(path))?;
    match inside.strip_prefix(directory).ok()?.as_os_str().as_bytes() {
        b"" => Some(b".".to_vec()),
        path => Some(path.to_vec()),
    }
}

fn split(arg: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = arg.iter().position(|&byte| byte == b'=')?;
    Some((&arg[..equals], &arg[equals + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arg: &str, expected: &str) {
        let known = |path: &[u8]| path == b"a.txt" || path == b"d/b.txt";
        let found = made_relative(arg.as_bytes(), Path::new("/w"), known);
        assert_eq!(String::from_utf8_lossy(&found), expected);
    }

    #[test]
    fn only_known_files_are_made_relative() {
        check("/w/a.txt", "a.txt");
        check("/w/./d/../d//b.txt", "d/b.txt");
        check("--file=/w/a.txt", "--file=a.txt");
        check("/w/other", "/w/other");
        check("/w", "/w");
        check("/wa.txt", "/wa.txt");
        check("a.txt", "a.txt");
        check("", "");
    }

    #[test]
    fn arguments_name_files_whole_or_after_an_equals_sign() {
        let args = ["-f", "x/../y", "--in=z", ""].map(|arg| arg.as_bytes().to_vec());
        let found: Vec<_> = named(&args, Path::new("/w")).collect();
        assert_eq!(found, ["/w/-f", "/w/y", "/w/--in=z", "/w/z"].map(PathBuf::from));
    }
}
