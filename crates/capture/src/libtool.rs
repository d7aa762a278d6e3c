//! libtool's wrapper scripts: where the real program is and what it needs to find its libraries.
//!
//! Before installation libtool leaves a shell script in the place of a program that is linked to
//! shared libraries of the same build. Running the script in the lab would let it relink; so the
//! two facts it holds are read instead.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

/// The program behind a wrapper script.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrapped {
    pub(crate) program: PathBuf,
    pub(crate) library_path: Vec<PathBuf>,
}

/// The program behind the script at `path`, if it is a libtool wrapper.
pub(crate) fn unwrap(path: &Path) -> Option<Wrapped> {
    const LONGEST: u64 = 1 << 20;
    let mut start = [0; 2];
    let mut file = fs::File::open(path).ok()?;
    file.read_exact(&mut start).ok().filter(|()| start == *b"#!")?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    text.contains("temporary wrapper script for").then(|| read_script(path, &text)).flatten()
}

fn read_script(path: &Path, text: &str) -> Option<Wrapped> {
    let folder = path.parent()?.join(".libs");
    let mut names = text.lines().rev().filter_map(|line| line.trim().strip_prefix("program='"));
    let name = names.find_map(|rest| rest.strip_suffix('\''))?;
    // After the first run of a `--fast-install` build the program is called `lt-…`.
    let plain = name.strip_prefix("lt-").unwrap_or(name);
    let program = [name, plain].iter().map(|name| folder.join(name)).find(|file| file.is_file())?;
    Some(Wrapped { program, library_path: library_path(text) })
}

fn library_path(text: &str) -> Vec<PathBuf> {
    let values = text.lines().filter_map(|line| line.trim().strip_prefix("LD_LIBRARY_PATH=\""));
    let folders = values.flat_map(|value| value.split([':', '"']));
    folders.filter(|folder| folder.starts_with('/')).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_script_tells_its_program_and_its_libraries() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("tool");
        let text = "#! /bin/bash\n# tool - temporary wrapper script for .libs/tool\n  program='tool'\n\
                    \x20   LD_LIBRARY_PATH=\"/b/lib/.libs:/b/other/.libs:$LD_LIBRARY_PATH\"\n";
        fs::write(&script, text).unwrap();
        assert_eq!(unwrap(&script), None, "the program itself is not there yet");
        fs::create_dir(dir.path().join(".libs")).unwrap();
        fs::write(dir.path().join(".libs/tool"), "").unwrap();
        let wrapped = unwrap(&script).unwrap();
        assert_eq!(wrapped.program, dir.path().join(".libs/tool"));
        assert_eq!(wrapped.library_path, [Path::new("/b/lib/.libs"), Path::new("/b/other/.libs")]);
    }

    #[test]
    fn any_other_script_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("tool");
        fs::write(&script, "#!/bin/sh\nexec true\n").unwrap();
        assert_eq!(unwrap(&script), None);
    }
}
