//! The source of a program, as far as it is still there.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use parallax_program::{Location, Program, Statement};

/// The lines of source files.
pub(super) struct Sources {
    /// The executable: paths of sources that were built in a tree are relative to the tree.
    program: PathBuf,
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// The sources of a program.
    pub(super) fn of(program: &Path) -> Sources {
        Sources { program: program.to_owned(), files: HashMap::new() }
    }

    fn read(program: &Path, file: &str) -> Vec<String> {
        let folders = program.ancestors().skip(1);
        let text = folders.map(|folder| folder.join(file)).find_map(|path| fs::read(path).ok());
        let text = text.unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// Lines of a file; nothing if it cannot be read.
    pub(super) fn lines(&mut self, file: &str, first: u32, last: u32) -> Vec<String> {
        let program = &self.program;
        let lines =
            self.files.entry(file.to_owned()).or_insert_with(|| Sources::read(program, file));
        let first = first.saturating_sub(1) as usize;
        let lines = lines.iter().skip(first).take((last as usize).saturating_sub(first));
        lines.cloned().collect()
    }

    /// A line, without what is only there for its looks.
    pub(super) fn line(&mut self, program: &Program, location: Location) -> String {
        let file = program.files.get(location.file as usize).map_or("", String::as_str);
        let lines = self.lines(file, location.line, location.line);
        lines.first().map(|line| line.trim().to_owned()).unwrap_or_default()
    }
}

/// The last part of a path: who asks knows where the program is.
pub(super) fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A place as people write it: `cut.c:12`.
pub(super) fn place(program: &Program, location: Option<Location>) -> String {
    let Some(location) = location else { return "?".to_owned() };
    let file = program.files.get(location.file as usize).map_or("?", String::as_str);
    format!("{}:{}", short(file), location.line)
}

/// The place of a statement.
pub(super) fn place_of(program: &Program, statement: &Statement) -> String {
    match statement.location {
        Some(location) => place(program, Some(location)),
        None => format!("instruction {}", statement.sites.start),
    }
}
