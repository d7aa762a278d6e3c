//! Shared helpers of the tests of the lab: building programs, starting labs, looking for leftovers.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(unreachable_pub, reason = "it is a module of several crates")]
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{
    env, fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use parallax_run::{
    Limits, MemoryLimit, Observation, Subject, TestCase,
    lab::{Isolation, Lab, RunError, Weakened},
};

/// Names a directory with programs that are built already, for a test that is another user.
pub const PROGRAMS: &str = "PARALLAX_TEST_PROGRAMS";

/// The program `tests/programs/<name>.c`.
pub fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let directory = BUILT.get_or_init(|| match env::var_os(PROGRAMS) {
        Some(directory) => directory.into(),
        None => build_all(),
    });
    directory.join(name)
}

fn build_all() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned();
    let fresh = target.join(format!("abi-{}", std::process::id()));
    fs::write(&fresh, parallax_abi::c_header()).unwrap();
    fs::rename(&fresh, target.join("abi.h")).unwrap();
    for name in ["ordinary", "hostile", "mutate", "traced"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
        let fresh = target.join(format!("{name}-{}", std::process::id()));
        let mut clang = Command::new("clang-19");
        clang.arg("-O1").arg("-I").arg(&target).arg("-o").args([&fresh, &source]);
        assert!(clang.status().unwrap().success(), "clang-19 cannot build {name}.c");
        // Another test binary may be running the old one.
        fs::rename(&fresh, target.join(name)).unwrap();
    }
    target
}

/// A kind of lab and its name, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub name: &'static str,
    pub isolation: Isolation,
    pub weakened: Weakened,
}

const fn sandboxed(name: &'static str, no_namespaces: bool, landlock: Option<u32>) -> Kind {
    let weakened = Weakened { no_namespaces, landlock_at_most: landlock, random_addresses: false };
    Kind { name, isolation: Isolation::Sandboxed, weakened }
}

pub const FULL: Kind = sandboxed("full", false, None);
pub const OLD_LANDLOCK: Kind = sandboxed("Landlock 2", false, Some(2));
pub const NO_LANDLOCK: Kind = sandboxed("no Landlock", false, Some(0));
pub const NEITHER_NEW: Kind = sandboxed("no namespaces, Landlock 2", true, Some(2));
pub const NO_NAMESPACES: Kind = sandboxed("no namespaces", true, None);
pub const NO_SIGNAL_SCOPE: Kind = sandboxed("no namespaces, Landlock 3", true, Some(3));
pub const OPEN: Kind = Kind { isolation: Isolation::Open, ..sandboxed("open", false, None) };

impl Kind {
    pub fn start(self) -> Lab {
        Lab::start_weakened(self.isolation, self.weakened).unwrap()
    }

    /// Whether anything keeps the subject from writing outside: either part does.
    pub fn guards_files(self, lab: &Lab) -> bool {
        self.has_namespaces(lab)
            || !lab.missing().iter().any(|sentence| sentence.contains("no Landlock"))
    }

    /// Whether namespaces are wanted and there.
    pub fn has_namespaces(self, lab: &Lab) -> bool {
        self.isolation == Isolation::Sandboxed
            && !lab.missing().iter().any(|sentence| sentence.contains("no namespaces"))
    }
}

pub fn subject(program: &Path) -> Subject {
    Subject {
        program: program.to_owned(),
        name: b"subject".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::AddressSpace(1 << 30),
        addresses: Default::default(),
        forks: false,
    }
}

pub fn limits() -> Limits {
    Limits { time: Duration::from_secs(10), ..Limits::default() }
}

pub fn test_case(args: &[&str]) -> TestCase {
    TestCase {
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        ..TestCase::default()
    }
}

/// Runs a command of one of the test programs.
pub fn run(lab: &mut Lab, name: &str, args: &[&str]) -> Observation {
    run_within(lab, name, args, &limits())
}

pub fn run_within(lab: &mut Lab, name: &str, args: &[&str], limits: &Limits) -> Observation {
    lab.run(&subject(&program(name)), &test_case(args), limits).unwrap()
}

pub fn run_test(lab: &mut Lab, name: &str, test: &TestCase) -> Result<Observation, RunError> {
    lab.run(&subject(&program(name)), test, &limits())
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a process with `marker` in its command line is there.
pub fn is_running(marker: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.windows(marker.len()).any(|part| part == marker.as_bytes()))
}

/// A string that no other process has in its command line.
pub fn marker(name: &str) -> String {
    format!("parallax-{name}-{}", std::process::id())
}

/// Waits a moment for something to become true.
pub fn soon(mut condition: impl FnMut() -> bool) -> bool {
    (0..200).any(|_| {
        let met = condition();
        if !met {
            std::thread::sleep(Duration::from_millis(10));
        }
        met
    })
}

pub fn path_text(path: &Path) -> String {
    text(path.as_os_str().as_bytes())
}

/// Runs all tests of this binary once more, as a user without privileges who leaves nothing behind.
pub fn run_as_ordinary_user(programs: &[&str]) {
    const ORDINARY_USER: u32 = 1000;
    // SAFETY: it cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        println!("skipped: this is an ordinary user already");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    chown(&temporary, Some(ORDINARY_USER), Some(ORDINARY_USER)).unwrap();
    let copy = place.path().join("tests");
    fs::copy(env::current_exe().unwrap(), &copy).unwrap();
    for name in programs {
        fs::copy(program(name), place.path().join(name)).unwrap();
    }
    let output = Command::new(&copy)
        .uid(ORDINARY_USER)
        .gid(ORDINARY_USER)
        .env(PROGRAMS, place.path())
        .env("TMPDIR", &temporary)
        .current_dir("/")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}
