//! The directory of results, written as they arrive.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use parallax_compare::Difference;
use parallax_report::{Style, check::Check, observation};
use parallax_run::TestCase;

pub(super) struct Folder {
    root: PathBuf,
    /// Held while the directory is in use.
    _lock: File,
}

impl Folder {
    /// Makes the directory; what was there is kept beside it.
    pub(super) fn prepare(root: &Path) -> anyhow::Result<Folder> {
        let cannot = || format!("failed to prepare {}", root.display());
        if root.exists() {
            lock(root)?;
            let old = root.with_added_extension("old");
            if old.exists() {
                fs::remove_dir_all(&old).with_context(cannot)?;
            }
            fs::rename(root, &old).with_context(cannot)?;
        }
        fs::create_dir_all(root.join("findings")).with_context(cannot)?;
        Ok(Folder { root: root.to_owned(), _lock: lock(root)? })
    }

    /// Writes a finding, and says where its test is.
    pub(super) fn add(
        &self,
        id: &str,
        test: &TestCase,
        difference: &Difference,
    ) -> anyhow::Result<String> {
        let inside = Path::new("findings").join(id);
        let folder = self.root.join(&inside);
        let cannot = || format!("failed to write {}", folder.display());
        fs::create_dir_all(&folder).with_context(cannot)?;
        let files = [
            ("test.toml", test.to_toml()),
            ("old.txt", observation(&difference.old, Style::Plain)),
            ("new.txt", observation(&difference.new, Style::Plain)),
            ("repro.sh", repro(test)),
        ];
        for (name, text) in files {
            fs::write(folder.join(name), text).with_context(cannot)?;
        }
        Ok(inside.join("test.toml").display().to_string())
    }

    /// Writes the result.
    pub(super) fn finish(&self, result: &Check) -> anyhow::Result<()> {
        let path = self.root.join("result.json");
        fs::write(&path, result.to_json())
            .with_context(|| format!("failed to write {}", path.display()))
    }
}

/// A script that runs a program as the test does.
fn repro(test: &TestCase) -> String {
    const PROGRAM: &str = "./PROGRAM";
    let line = test.shell_line(PROGRAM).replace(PROGRAM, "\"$1\"");
    format!("#!/bin/sh\n# usage: repro.sh PROGRAM, in a directory of its own\n{line}\n")
}

/// Has nobody else use a directory at the same time.
fn lock(root: &Path) -> anyhow::Result<File> {
    let path = root.join(".lock");
    let cannot = || format!("failed to lock {}", root.display());
    let file = File::create(&path).with_context(cannot)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(anyhow!("failed to lock {}: another search uses it", root.display()))
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(cannot),
    }
}
