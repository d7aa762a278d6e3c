//! The library directories of the system.
//!
//! The loader reads the cache that `ldconfig` makes, which knows folders that only some
//! `/etc/ld.so.conf.d` names. Without one (musl, containers from scratch) the usual folders are
//! used.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// The files that may be the library called `name`, best first.
pub(crate) fn candidates(name: &Path) -> Vec<PathBuf> {
    static CACHE: OnceLock<Vec<(PathBuf, PathBuf)>> = OnceLock::new();
    let cache = CACHE.get_or_init(|| {
        parse_cache(&fs::read("/etc/ld.so.cache").unwrap_or_default()).unwrap_or_default()
    });
    let cached = cache.iter().filter(|(library, _)| library == name).map(|(_, path)| path.clone());
    cached.chain(folders().into_iter().map(|folder| folder.join(name))).collect()
}

/// The folders that the loader searches by default.
pub(crate) fn folders() -> Vec<PathBuf> {
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut folders: Vec<PathBuf> = ["/usr/local/lib", "/lib", "/usr/lib"]
        .iter()
        .flat_map(|folder| [Path::new(folder).join(&triple), PathBuf::from(folder)])
        .collect();
    folders.extend(["/lib64", "/usr/lib64", "/lib32", "/usr/lib32"].map(PathBuf::from));
    folders
}

/// The names and paths in a cache of the format that glibc has had since 2.2.
fn parse_cache(data: &[u8]) -> Option<Vec<(PathBuf, PathBuf)>> {
    const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
    const HEADER: usize = 48;
    const ENTRY: usize = 24;
    // An older table may come first; offsets count from where this one starts.
    let start = data.windows(MAGIC.len()).position(|window| window == MAGIC)?;
    let table = &data[start..];
    let count = word(table, MAGIC.len())?;
    let entries = table.get(HEADER..)?.chunks_exact(ENTRY).take(count);
    let pair = |entry: &[u8]| Some((text(table, word(entry, 4)?)?, text(table, word(entry, 8)?)?));
    Some(entries.filter_map(pair).collect())
}

fn word(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_ne_bytes(bytes)).ok()
}

fn text(data: &[u8], at: usize) -> Option<PathBuf> {
    let bytes = data.get(at..)?.split(|&byte| byte == 0).next()?;
    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_tells_names_and_paths() {
        let mut cache = b"older table\0glibc-ld.so.cache1.1".to_vec();
        let start = cache.len() - 20;
        cache.extend(1u32.to_ne_bytes());
        cache.resize(start + 48, 0);
        for number in [3u32, 72, 80, 0, 0, 0] {
            cache.extend(number.to_ne_bytes());
        }
        cache.extend(b"libz.so\0/opt/libz.so\0");
        let expected = vec![("libz.so".into(), "/opt/libz.so".into())];
        assert_eq!(parse_cache(&cache), Some(expected));
        assert_eq!(parse_cache(b"nonsense"), None);
        assert_eq!(parse_cache(&cache[..start + 30]), None, "cut short");
    }
}
