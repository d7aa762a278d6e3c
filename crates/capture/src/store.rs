//! The store of bitcode: files named by their content, below the user's cache directory.
//!
//! By content rather than beside the object, because objects are moved, renamed, archived and
//! deleted by builds while a note in them keeps its meaning; and because two versions of a program
//! share most of their bitcode. The store can be deleted at any time; programs captured before
//! then have to be built again.

use std::{
    env, fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// A directory of files named by their content.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store that builds write to: `PARALLAX_STORE`, or one in the cache directory.
    pub fn default_location() -> Store {
        let root = env::var_os("PARALLAX_STORE").filter(|named| !named.is_empty());
        Store { root: root.map_or_else(|| cache_directory().join("bitcode"), PathBuf::from) }
    }

    /// The store at `root`.
    pub fn at(root: impl Into<PathBuf>) -> Store {
        Store { root: root.into() }
    }

    /// The directory of the store.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Stores `contents`; returns their name.
    pub(crate) fn put(&self, contents: &[u8]) -> io::Result<String> {
        let name = digest(&[contents]);
        let path = self.path(&name);
        if self.find(&name).is_none() {
            let folder = path.parent().expect("every name is inside a folder");
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(contents)?;
            file.persist(&path).map_err(|error| error.error)?;
        }
        Ok(name)
    }

    /// The path of the contents with this name, if they are there and undamaged.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.path(name);
        let is_whole = path.is_file() && digest(&[&fs::read(&path).ok()?]) == name;
        is_whole.then_some(path)
    }

    /// The path for the contents with this name.
    pub fn path(&self, name: &str) -> PathBuf {
        let (folder, file) = name.split_at(name.len().min(2));
        self.root.join(folder).join(file)
    }
}

/// The digest of several byte strings, each kept apart from the next.
pub(crate) fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The directory for data that Parallax can make again: `PARALLAX_CACHE`, or the user's cache
/// directory, or (for the build daemons that have no home) a directory of the user's own below the
/// temporary one.
pub(crate) fn cache_directory() -> PathBuf {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(cache) = named("PARALLAX_CACHE") {
        return cache;
    }
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    match cache.map(|cache| cache.join("parallax")) {
        Some(cache) if fs::create_dir_all(&cache).is_ok() => cache,
        _ => shared_temporary(),
    }
}

/// A directory of the user's own in a directory where every user can make directories.
fn shared_temporary() -> PathBuf {
    let named = env::temp_dir().join(format!("parallax-cache-{}", user_id()));
    let made = fs::DirBuilder::new().mode(0o700).create(&named);
    let owner =
        fs::symlink_metadata(&named).ok().filter(fs::Metadata::is_dir).map(|data| data.uid());
    match owner {
        Some(owner) if owner == user_id() => named,
        // Another user was there first, or nothing can be made: writing there will fail, and is
        // reported where it does.
        _ if made.is_ok() => named,
        _ => named.join("not-ours"),
    }
}

fn user_id() -> u32 {
    // SAFETY: getuid has no preconditions and cannot fail.
    unsafe { libc::getuid() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_contents_have_one_name_and_are_kept_once() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(dir.path().join("new"));
        let name = store.put(b"bitcode").unwrap();
        assert_eq!(store.put(b"bitcode").unwrap(), name);
        assert_eq!(fs::read(store.path(&name)).unwrap(), b"bitcode");
        assert_ne!(store.put(b"other").unwrap(), name);
        fs::write(store.path(&name), b"bitc").unwrap();
        assert_eq!(store.find(&name), None, "it is damaged");
        assert_eq!(store.put(b"bitcode").unwrap(), name);
        assert_eq!(store.find(&name), Some(store.path(&name)));
    }

    #[test]
    fn a_digest_keeps_its_parts_apart() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
    }
}
