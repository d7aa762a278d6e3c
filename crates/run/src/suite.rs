//! Suites of test cases.
//!
//! The user names test cases in TOML, or the corpus of a fuzzer, or both in one tree. Either all of
//! it can be read or nothing runs: a suite of which half was skipped would report "no difference"
//! about tests that never ran.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    TestCase, TestCaseError,
    regular_file::{self, oddity},
};

/// Test cases in a fixed order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The tests; directories are read in the order of their names.
    pub tests: Vec<Test>,
}

/// A test case that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The name for users: its path within the suite.
    pub name: String,
    /// The inputs of the program.
    pub case: TestCase,
}

/// The reason why there is no suite.
#[derive(Debug)]
pub enum SuiteError {
    /// No test was found.
    Empty(Vec<PathBuf>),
    /// Some tests cannot be used; each is here.
    Unusable(Vec<UnusableTest>),
}

/// A test that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum UnusableTest {
    /// The file or directory cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The path that could not be read.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// It is neither a file nor a directory.
    #[error("{}: {what} is not a test", path.display())]
    Special {
        /// Its path.
        path: PathBuf,
        /// Its kind, such as "a fifo".
        what: &'static str,
    },
    /// The file is not a test case.
    #[error(transparent)]
    Malformed(#[from] TestCaseError),
}

/// The most bytes of a test: more than any program is given in a test that ends.
const MOST: u64 = 1 << 30;

/// The test cases at these paths, without their names; none if there are no paths.
pub fn cases(paths: &[PathBuf]) -> Result<Vec<TestCase>, SuiteError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    Ok(Suite::load(paths)?.tests.into_iter().map(|test| test.case).collect())
}

impl Suite {
    /// Reads all tests at these paths. A directory is read with all below it; `*.toml` is a test
    /// case, any other file stands for standard input, hidden ones are skipped. Symbolic links are
    /// followed, unless one leads back to a directory that it is in.
    pub fn load(paths: &[PathBuf]) -> Result<Suite, SuiteError> {
        let mut loader = Loader::default();
        for path in paths {
            loader.load_path(path, paths.len() == 1);
        }
        if !loader.unusable.is_empty() {
            return Err(SuiteError::Unusable(loader.unusable));
        }
        match loader.tests.is_empty() {
            true => Err(SuiteError::Empty(paths.to_vec())),
            false => Ok(Suite { tests: loader.tests }),
        }
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::Empty(paths) if paths.is_empty() => {
                write!(f, "find tests: none were given")
            }
            SuiteError::Empty(paths) => {
                let paths: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
                write!(
                    f,
                    "find tests: there is no test in {}: a test is a *.toml file, or any other file that is \
                     not hidden, which stands for standard input",
                    paths.join(", ")
                )
            }
            SuiteError::Unusable(tests) => {
                let lines: Vec<String> = tests.iter().map(UnusableTest::to_string).collect();
                write!(f, "read the tests:\n{}", lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for SuiteError {}

#[derive(Default)]
struct Loader {
    tests: Vec<Test>,
    unusable: Vec<UnusableTest>,
    /// The directories that are being read, each within the one before, without links.
    within: Vec<PathBuf>,
}

impl Loader {
    /// A path that the user named counts even if it is hidden. A suite of one path is named from
    /// within, several are told apart by the paths as they were given.
    fn load_path(&mut self, path: &Path, only_one: bool) {
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(source) => return self.unreadable(path, source),
        };
        if kind.is_dir() {
            return self.load_directory(path, if only_one { path } else { Path::new("") });
        }
        if let Some(what) = oddity(kind) {
            return self.unusable.push(UnusableTest::Special { path: path.to_owned(), what });
        }
        match path.file_name() {
            Some(name) if only_one => self.load_file(path, Path::new(name)),
            _ => self.load_file(path, path),
        }
    }

    fn load_directory(&mut self, directory: &Path, base: &Path) {
        match directory.canonicalize() {
            // A cycle of links: its contents are being read already.
            Ok(place) if self.within.contains(&place) => {}
            Ok(place) => {
                self.within.push(place);
                self.load_entries(directory, base);
                self.within.pop();
            }
            Err(source) => self.unreadable(directory, source),
        }
    }

    fn load_entries(&mut self, directory: &Path, base: &Path) {
        let entries = match sorted_entries(directory) {
            Ok(entries) => entries,
            Err(source) => return self.unreadable(directory, source),
        };
        for path in entries.into_iter().filter(|path| !is_hidden(path)) {
            let name = path.strip_prefix(base).unwrap_or(&path).to_owned();
            match fs::metadata(&path).map(|metadata| metadata.file_type()) {
                Ok(kind) if kind.is_dir() => self.load_directory(&path, base),
                Ok(kind) => match oddity(kind) {
                    None => self.load_file(&path, &name),
                    Some(what) => self.unusable.push(UnusableTest::Special { path, what }),
                },
                Err(source) => self.unreadable(&path, source),
            }
        }
    }

    fn load_file(&mut self, path: &Path, name: &Path) {
        let bytes = match regular_file::read(path, MOST) {
            Ok(bytes) => bytes,
            Err(source) => return self.unreadable(path, source),
        };
        let case = match path.extension().is_some_and(|extension| extension == "toml") {
            true => TestCase::parse_bytes(&bytes, path),
            false => Ok(TestCase { stdin: Some(bytes), ..TestCase::default() }),
        };
        match case {
            Ok(case) => self.tests.push(Test { name: printable(name), case }),
            Err(error) => self.unusable.push(error.into()),
        }
    }

    fn unreadable(&mut self, path: &Path, source: io::Error) {
        let path = path.to_owned();
        self.unusable.push(UnusableTest::Unreadable { path, source });
    }
}

fn sorted_entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries?;
    entries.sort();
    Ok(entries)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// The path as text on one line, whatever its bytes.
fn printable(path: &Path) -> String {
    let text = path.to_string_lossy();
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        for (name, contents) in files {
            let path = directory.path().join(name);
            let parent = path.parent().expect("the path has a parent");
            fs::create_dir_all(parent).expect("the parent can be made");
            fs::write(path, contents).expect("the file can be written");
        }
        directory
    }

    fn names(suite: &Suite) -> Vec<&str> {
        suite.tests.iter().map(|test| test.name.as_str()).collect()
    }

    #[test]
    fn a_tree_is_read_in_order() {
        let tree = directory(&[
            ("b.toml", b"args = [\"x\"]"),
            ("a/id:000", b"\xff"),
            (".hidden", b"no"),
            (".git/config", b"no"),
            ("c", b""),
        ]);
        let suite = Suite::load(&[tree.path().to_owned()]).expect("all tests are fine");
        assert_eq!(names(&suite), ["a/id:000", "b.toml", "c"]);
        assert_eq!(suite.tests[0].case.stdin.as_deref(), Some(&b"\xff"[..]));
        assert_eq!(suite.tests[1].case.args, [b"x"]);
    }

    #[test]
    fn files_and_several_paths_have_names_of_their_own() {
        let tree = directory(&[("a/x.toml", b""), ("b/x.toml", b"")]);
        let (a, b) = (tree.path().join("a"), tree.path().join("b"));
        let single = Suite::load(&[a.join("x.toml")]).expect("one file is a suite");
        assert_eq!(names(&single), ["x.toml"]);
        let both = Suite::load(&[a, b]).expect("all tests are fine");
        assert_ne!(both.tests[0].name, both.tests[1].name);
    }

    #[test]
    fn links_are_followed_but_not_in_a_circle() {
        let (tree, elsewhere) = (directory(&[("a/x", b"")]), directory(&[("sub/z", b"")]));
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(target, tree.path().join(name)).expect("a link can be made");
        };
        link("..", "a/round");
        link("a/x", "y");
        link("a", "b");
        link(&elsewhere.path().to_string_lossy(), "c");
        let suite = Suite::load(&[tree.path().to_owned()]).expect("all tests are fine");
        assert_eq!(names(&suite), ["a/x", "b/x", "c/sub/z", "y"]);
    }

    #[test]
    fn what_is_no_file_is_not_skipped() {
        let tree = directory(&[("a", b"")]);
        let path = tree.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).expect("a socket can be made");
        std::os::unix::fs::symlink("/dev/null", tree.path().join("null")).expect("links can be");
        let error = Suite::load(&[tree.path().to_owned()]).expect_err("two are no tests");
        let text = error.to_string();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].ends_with("/null: a device is not a test"), "{text}");
        assert!(lines[1].ends_with("/socket: a socket is not a test"), "{text}");
    }

    #[test]
    fn an_empty_suite_is_an_error() {
        let tree = directory(&[(".hidden", b"")]);
        let error = Suite::load(&[tree.path().to_owned()]).expect_err("there is no test");
        assert!(error.to_string().starts_with("find tests: there is no test in "), "{error}");
        let error = Suite::load(&[]).expect_err("there is no path");
        assert_eq!(error.to_string(), "find tests: none were given");
    }

    #[test]
    fn every_unusable_test_is_named() {
        let tree = directory(&[("a.toml", b"x = 1"), ("b", b""), ("c.toml", b"\n\"")]);
        std::os::unix::fs::symlink("nowhere", tree.path().join("d")).expect("a link can be made");
        let error = Suite::load(&[tree.path().to_owned()]).expect_err("three tests are unusable");
        let text = error.to_string();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("a.toml:1: key \"x\" is not known"), "{text}");
        assert!(lines[1].contains("c.toml:2: "), "{text}");
        assert!(lines[2].contains("/d: "), "{text}");
    }
}
