//! The source of a program, as far as its files still exist.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use parallax_change::Change;
use parallax_program::{Function, FunctionId, Location, Program, Statement};
use parallax_run::regular_file;

use crate::{CheckError, study::Study};

/// An upper bound for source files, as a program's debug information may name any file.
const MOST: u64 = 1 << 26;

/// The lines of source files.
pub(crate) struct Sources {
    /// The executable: paths of sources built in a tree are relative to the tree.
    program: PathBuf,
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// The sources of a program.
    pub(crate) fn of(program: &Path) -> Sources {
        Sources { program: program.to_owned(), files: HashMap::new() }
    }

    fn read(program: &Path, file: &str) -> Vec<String> {
        let folders = program.ancestors().skip(1);
        let text = folders
            .map(|folder| folder.join(file))
            .find_map(|path| regular_file::read(&path, MOST).ok());
        let text = text.unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// Lines of a file; nothing if it cannot be read.
    pub(crate) fn lines(&mut self, file: &str, first: u32, last: u32) -> Vec<String> {
        let program = &self.program;
        let lines =
            self.files.entry(file.to_owned()).or_insert_with(|| Sources::read(program, file));
        let first = first.saturating_sub(1) as usize;
        let lines = lines.iter().skip(first).take((last as usize).saturating_sub(first));
        lines.cloned().collect()
    }

    /// A trimmed line.
    pub(crate) fn line(&mut self, program: &Program, location: Location) -> String {
        let file = program.files.get(location.file as usize).map_or("", String::as_str);
        let lines = self.lines(file, location.line, location.line);
        lines.first().map(|line| line.trim().to_owned()).unwrap_or_default()
    }
}

/// The last component of a path: the user knows where the program is.
pub(crate) fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A place in the usual form: `cut.c:12`.
pub(crate) fn place(program: &Program, location: Option<Location>) -> String {
    let Some(location) = location else { return "?".to_owned() };
    let file = program.files.get(location.file as usize).map_or("?", String::as_str);
    format!("{}:{}", short(file), location.line)
}

/// The place of a statement. One that the front end added has no line: it gets that of the code
/// before it in its function, or of the function itself.
pub(crate) fn place_of(program: &Program, statement: &Statement) -> String {
    let location = statement.location.or_else(|| nearest(program, statement));
    match location {
        Some(location) => place(program, Some(location)),
        None => format!("instruction {}", statement.sites.start),
    }
}

fn nearest(program: &Program, statement: &Statement) -> Option<Location> {
    let function = program.at(statement.function);
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let known = instructions.filter_map(|it| Some((it.site, it.location.filter(has_line)?)));
    let known: Vec<_> = known.collect();
    let after = known.partition_point(|(site, _)| site.0 < statement.sites.start);
    let before = after.checked_sub(1).map(|last| known[last].1);
    let own = function.location.filter(has_line);
    before.or(own).or_else(|| known.first().map(|(_, location)| *location))
}

fn has_line(location: &Location) -> bool {
    location.line > 0
}

/// The source names of functions. Where several have the same name, each is named with its file:
/// `cut.c:parse`.
pub(crate) struct Names<'p> {
    program: &'p Program,
    /// The number of defined functions with each name.
    counts: HashMap<&'p str, usize>,
}

impl<'p> Names<'p> {
    pub(crate) fn of(program: &'p Program) -> Names<'p> {
        let mut counts = HashMap::new();
        for (_, function) in program.defined() {
            *counts.entry(in_source(&function.name)).or_default() += 1;
        }
        Names { program, counts }
    }

    pub(crate) fn get(&self, function: FunctionId) -> String {
        self.shown(self.program.at(function))
    }

    /// The source name of a function with this name in the program.
    fn called(&self, name: &str) -> String {
        self.program.function(name).map_or_else(|| name.to_owned(), |it| self.shown(it))
    }

    fn shown(&self, function: &Function) -> String {
        let name = in_source(&function.name);
        match self.counts.get(name) {
            Some(2..) => with_file(self.program, function),
            _ => name.to_owned(),
        }
    }

    /// The program's name of a function that the user named, possibly ambiguously or as
    /// `file.c:name`.
    pub(crate) fn find(&self, asked: &str) -> Result<String, CheckError> {
        let defined = || self.program.defined().map(|(_, function)| function);
        let is_asked = |function: &&Function| {
            in_source(&function.name) == asked || with_file(self.program, function) == asked
        };
        let found: Vec<_> = defined().filter(is_asked).collect();
        match found[..] {
            [function] => Ok(function.name.clone()),
            // A name of the program itself, which is unique.
            [] => Ok(asked.to_owned()),
            _ => {
                let mut names: Vec<_> = found.iter().map(|it| self.shown(it)).collect();
                names.dedup();
                if names.len() < found.len() {
                    names = found.iter().map(|it| it.name.clone()).collect();
                }
                let names = names.join(", ");
                Err(CheckError::failed(format!(
                    "draw a graph: several functions are called {asked}: {names}"
                )))
            }
        }
    }
}

/// The source name of a change's function.
pub(crate) fn function_of(study: &Study<'_>, change: &Change) -> String {
    let version = if change.new_function.is_some() { study.new } else { study.old };
    Names::of(&version.program).called(&study.function_name(change))
}

/// A function name without the suffix by which the linker makes it unique.
fn in_source(name: &str) -> &str {
    match name.split_once('.') {
        Some((source, _)) if !source.is_empty() && source != "llvm" => source,
        _ => name,
    }
}

fn with_file(program: &Program, function: &Function) -> String {
    let file = function.location.and_then(|it| program.files.get(it.file as usize));
    match file {
        Some(file) => format!("{}:{}", short(file), in_source(&function.name)),
        None => function.name.clone(),
    }
}
