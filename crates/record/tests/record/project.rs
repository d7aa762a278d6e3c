//! A C project of our own to record: `tests/project`, compiled into a fresh directory.

use std::collections::BTreeSet;
use std::os::unix::{
    fs::{MetadataExt, PermissionsExt},
    process::CommandExt,
};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use parallax_run::{Entry, TestCase};

/// The project in a directory of its own.
pub(crate) struct Project {
    directory: tempfile::TempDir,
}

/// The properties that must be the same before and after a recording.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    inode: u64,
    mode: u32,
    links: u64,
    modified: (i64, i64),
    contents: Vec<u8>,
    /// The names in the program's directory, which a recording must not add to.
    beside: BTreeSet<String>,
}

impl Project {
    /// Compiles the tool.
    pub(crate) fn new() -> Project {
        Project::compiled_with(&[]).expect("the tool compiles")
    }

    /// Compiles the tool with more flags; `None` if the compiler cannot.
    pub(crate) fn compiled_with(flags: &[&str]) -> Option<Project> {
        let project = Project { directory: tempfile::tempdir().unwrap() };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/project");
        std::fs::create_dir(project.path("data")).unwrap();
        for name in ["tool.c", "suite.sh", "data/a.txt", "data/b.txt"] {
            std::fs::copy(source.join(name), project.path(name)).unwrap();
        }
        let mut compiler = Command::new("clang-19");
        compiler.current_dir(project.root()).args(flags).args(["-o", "tool", "tool.c"]);
        let compiled = compiler.output().unwrap().status.success();
        compiled.then_some(project)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes an executable script.
    pub(crate) fn script(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// A command in the project.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    /// A recording of `bin` while `sh -c script` runs.
    pub(crate) fn recording(&self, bin: &str, script: &str) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_record-harness"));
        command.args([bin, "seeds", "sh", "-c", script]);
        // The user of the tests may ignore signals, as `nohup` does, and child processes would do
        // so, too.
        // SAFETY: `signal` may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                for number in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM, libc::SIGQUIT] {
                    libc::signal(number, libc::SIG_DFL);
                }
                Ok(())
            });
        }
        command
    }

    /// Records the tool to the end.
    pub(crate) fn record(&self, script: &str) -> Recorded {
        Recorded(self.recording("tool", script).output().unwrap())
    }

    pub(crate) fn identity(&self, name: &str) -> Identity {
        let path = self.path(name);
        let metadata = path.metadata().unwrap();
        let names = path.parent().unwrap().read_dir().unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        Identity {
            inode: metadata.ino(),
            mode: metadata.mode(),
            links: metadata.nlink(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            contents: std::fs::read(&path).unwrap(),
            beside: names.filter(|name| name.contains("tool")).collect(),
        }
    }

    /// The recorded tests.
    pub(crate) fn tests(&self) -> BTreeSet<TestCase> {
        let files = self.path("seeds").read_dir().unwrap();
        let read = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).unwrap();
            TestCase::parse(&text, &path).unwrap()
        };
        files.map(|entry| read(entry.unwrap().path())).collect()
    }

    /// Waits until something is in a file.
    pub(crate) fn wait_for(&self, name: &str) {
        eventually(|| self.path(name).metadata().is_ok_and(|metadata| metadata.len() > 0));
    }
}

/// The output of the recording: the suite's output, then the summary.
pub(crate) struct Recorded(pub(crate) Output);

impl Recorded {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// Checks facts of the summary, each a whole line.
    #[track_caller]
    pub(crate) fn says(&self, facts: &[&str]) {
        for fact in facts {
            let (stdout, stderr) = (self.stdout(), self.stderr());
            assert!(stdout.lines().any(|line| line == *fact), "no {fact:?} in\n{stdout}{stderr}");
        }
    }
}

/// A test case, built up.
pub(crate) fn case(args: &[&str]) -> TestCase {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    TestCase { args, ..TestCase::default() }
}

pub(crate) fn with_stdin(stdin: &str, test: TestCase) -> TestCase {
    TestCase { stdin: Some(stdin.into()), ..test }
}

pub(crate) fn with_file(name: &str, contents: &str, mut test: TestCase) -> TestCase {
    let entry = Entry::File { data: contents.into(), executable: false };
    test.files.insert(name.into(), entry);
    test
}

pub(crate) fn with_env(name: &str, value: &str, mut test: TestCase) -> TestCase {
    test.env.insert(name.into(), value.into());
    test
}

/// Compares sets so that a failure names the missing and the surplus entries.
#[track_caller]
pub(crate) fn assert_tests(
    found: &BTreeSet<TestCase>,
    expected: impl IntoIterator<Item = TestCase>,
) {
    let expected: BTreeSet<_> = expected.into_iter().collect();
    let texts = |tests: Vec<&TestCase>| tests.iter().map(|test| test.to_toml()).collect::<Vec<_>>();
    let missing = texts(expected.difference(found).collect());
    let unexpected = texts(found.difference(&expected).collect());
    assert!(
        missing.is_empty() && unexpected.is_empty(),
        "missing {missing:#?}\nunexpected {unexpected:#?}"
    );
}

#[track_caller]
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "it never happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to one process.
pub(crate) fn signal(pid: impl ToString, name: &str) {
    let script = format!("kill -{name} {}", pid.to_string());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
}

/// Waits for a recording that was started in the background.
pub(crate) fn finished(child: Child) -> Recorded {
    Recorded(child.wait_with_output().unwrap())
}
