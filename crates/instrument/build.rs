//! Tells the crate what it is made from: objects in the cache are only as good as the code that made
//! them.

use std::{
    collections::BTreeSet,
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = DefaultHasher::new();
    for source in sources(&folder.join("src"))?.into_iter().chain([folder.join("Cargo.toml")]) {
        fs::read(&source)?.hash(&mut hash);
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=PARALLAX_INSTRUMENT={:016x}", hash.finish());
    Ok(())
}

fn sources(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => all.extend(sources(&path)?),
            false => drop(all.insert(path)),
        }
    }
    Ok(all)
}
