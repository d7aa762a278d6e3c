//! Hostile programs in the lab: nothing outside is harmed, nothing stays behind, nothing hangs.
//!
//! Each aims at decoys made here. All of it is done once more as an ordinary user if root runs the
//! tests, which is where the two kinds of user namespace differ.
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use std::{
    env, fs, io,
    net::TcpListener,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::ExitStatusExt,
    },
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use parallax_run::{
    Captured, Contents, Ending, FileChange, FileState, Limits, MemoryLimit, lab::Lab,
};
use support::*;
use tempfile::TempDir;

const SANDBOXES: [Kind; 6] =
    [FULL, OLD_LANDLOCK, NO_LANDLOCK, NO_NAMESPACES, NO_SIGNAL_SCOPE, NEITHER_NEW];
/// Variables by which a test, started once more, knows which lab to use and what to run.
const KIND: &str = "PARALLAX_TEST_KIND";
const MARKER: &str = "PARALLAX_TEST_MARKER";

fn each_sandbox(check: impl Fn(Kind, &mut Lab)) {
    for kind in SANDBOXES {
        let mut lab = kind.start();
        if kind.guards_files(&lab) {
            check(kind, &mut lab);
        } else {
            println!("{}: this kernel gives neither namespaces nor Landlock", kind.name);
        }
    }
}

/// A directory that any program could destroy, were it not for the sandbox.
struct Decoy(TempDir);

impl Decoy {
    fn new() -> Decoy {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("file"), "precious").unwrap();
        fs::create_dir(directory.path().join("empty")).unwrap();
        for (name, mode) in [("file", 0o666), ("empty", 0o777), (".", 0o777)] {
            let path = directory.path().join(name);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        Decoy(directory)
    }

    fn path(&self) -> String {
        path_text(self.0.path())
    }

    /// Everything that a program could have changed.
    fn state(&self) -> Vec<String> {
        let mut paths = vec![self.0.path().to_owned()];
        paths.extend(fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path()));
        paths.sort();
        let state = |path: &Path| {
            let metadata = fs::symlink_metadata(path).unwrap();
            let data = fs::read(path).unwrap_or_default();
            let (mode, time) = (metadata.mode(), metadata.mtime_nsec());
            format!("{path:?} {mode:o} {time} {} {}", metadata.uid(), text(&data))
        };
        paths.iter().map(|path| state(path)).collect()
    }
}

/// So that it can be removed even after an attack that was let through.
impl Drop for Decoy {
    fn drop(&mut self) {
        let _ = fs::set_permissions(self.0.path(), fs::Permissions::from_mode(0o777));
    }
}

/// A process to aim at. It also ends when it gets a signal that is harmless to all others.
struct Target(Child);

impl Target {
    fn new() -> Target {
        let script = "trap exit URG; while :; do sleep 0.05; done";
        Target(Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap())
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn short(milliseconds: u64) -> Limits {
    Limits { time: Duration::from_millis(milliseconds), ..limits() }
}

#[test]
fn nothing_outside_can_be_written() {
    let decoy = Decoy::new();
    let before = decoy.state();
    each_sandbox(|kind, lab| {
        let seen = run(lab, "hostile", &["write-outside", &decoy.path()]);
        assert_eq!(text(&seen.stdout.bytes), "", "{}", kind.name);
        assert_eq!(decoy.state(), before, "{}", kind.name);
    });
}

/// Otherwise the tests here would show nothing.
#[test]
fn the_attacks_succeed_without_a_sandbox() {
    let decoy = Decoy::new();
    let mut lab = OPEN.start();
    let seen = text(&run(&mut lab, "hostile", &["touch-outside", &decoy.path()]).stdout.bytes);
    assert!(seen.lines().any(|line| line == "chmod"), "{seen}");
    let decoy = Decoy::new();
    let seen = text(&run(&mut lab, "hostile", &["write-outside", &decoy.path()]).stdout.bytes);
    for attack in ["open for writing", "truncate", "create", "unlink"] {
        assert!(seen.lines().any(|line| line == attack), "{attack} is not in {seen}");
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let seen = text(&run(&mut lab, "hostile", &["connect", &port]).stdout.bytes);
    assert!(seen.lines().any(|line| line == "connect"), "{seen}");
}

#[test]
fn modes_owners_and_times_outside_stay() {
    let decoy = Decoy::new();
    let before = decoy.state();
    for kind in SANDBOXES {
        let mut lab = kind.start();
        // SAFETY: it cannot fail.
        if !kind.has_namespaces(&lab) && unsafe { libc::geteuid() } != 0 {
            println!("{}: only owners guard these, as the lab says", kind.name);
            continue;
        }
        let seen = run(&mut lab, "hostile", &["touch-outside", &decoy.path()]);
        assert_eq!(text(&seen.stdout.bytes), "", "{}", kind.name);
        assert_eq!(decoy.state(), before, "{}", kind.name);
    }
}

#[test]
fn removing_everything_removes_nothing_outside() {
    let decoy = Decoy::new();
    let before = decoy.state();
    each_sandbox(|kind, lab| {
        let mut test = test_case(&["remove", &decoy.path()]);
        test.files.insert(b"a/b".to_vec(), parallax_run::Entry::Directory);
        let seen = run_test(lab, "hostile", &test).unwrap();
        assert_eq!(seen.ending, Ending::Exit(0));
        assert_eq!(seen.files.get(&b"a/b"[..]), Some(&FileChange::Removed), "{}", kind.name);
        assert_eq!(decoy.state(), before, "{}", kind.name);
    });
}

#[test]
fn no_host_can_be_reached_by_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    each_sandbox(|kind, lab| {
        let seen = run(lab, "hostile", &["connect", &port]);
        assert_eq!(text(&seen.stdout.bytes), "", "{}", kind.name);
        let connection = listener.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(connection, Err(io::ErrorKind::WouldBlock), "{}", kind.name);
    });
}

#[test]
fn system_calls_that_reach_outside_fail() {
    each_sandbox(|kind, lab| {
        let seen = run(lab, "hostile", &["system-calls"]);
        assert_eq!(text(&seen.stdout.bytes), "", "{}", kind.name);
    });
}

#[test]
fn no_process_outside_can_be_signalled() {
    let mut target = Target::new();
    each_sandbox(|kind, lab| {
        let pid = target.0.id().to_string();
        let seen = text(&run(lab, "hostile", &["signals", &pid]).stdout.bytes);
        // In a namespace the parent is its init, which signals from inside do not reach.
        let seen = seen.strip_prefix("kill the parent\n").unwrap_or(&seen);
        assert_eq!(seen, "alive\n", "{}", kind.name);
        assert_eq!(run(lab, "hostile", &[]).ending, Ending::Exit(0), "{}", kind.name);
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(target.is_alive());
}

#[test]
fn forking_has_a_limit() {
    let mut lab = FULL.start();
    if FULL.has_namespaces(&lab) {
        let limits = Limits { processes: 20, ..limits() };
        let seen = run_within(&mut lab, "hostile", &["count-processes"], &limits);
        assert_eq!(text(&seen.stdout.bytes), "20\n");
    }
    let limits = Limits { processes: 16, ..short(300) };
    for kind in [FULL, NO_NAMESPACES] {
        let mut lab = kind.start();
        let start = Instant::now();
        let seen = run_within(&mut lab, "hostile", &["fork-bomb"], &limits);
        assert!(matches!(seen.ending, Ending::TimeLimit | Ending::MemoryLimit), "{seen:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{}", kind.name);
        assert_eq!(run(&mut lab, "hostile", &[]).ending, Ending::Exit(0), "{}", kind.name);
    }
}

#[test]
fn memory_has_a_limit() {
    let attacks = ["memory", "memory-sparse", "memory-shared", "memory-children"];
    for kind in [FULL, NO_NAMESPACES] {
        let mut lab = kind.start();
        let mut subject = subject(&program("hostile"));
        subject.memory = MemoryLimit::Resident(128 << 20);
        for attack in attacks {
            let seen = lab.run(&subject, &test_case(&[attack]), &limits()).unwrap();
            assert_eq!(seen.ending, Ending::MemoryLimit, "{attack}, {}", kind.name);
        }
        let seen = lab.run(&subject, &test_case(&["share-memory"]), &limits()).unwrap();
        assert_eq!(seen.ending, Ending::Exit(0), "{}", kind.name);
        subject.memory = MemoryLimit::AddressSpace(128 << 20);
        let seen = lab.run(&subject, &test_case(&["memory"]), &limits()).unwrap();
        assert_eq!((seen.ending, &seen.stdout.bytes[..]), (Ending::Exit(0), &b"refused\n"[..]));
    }
}

#[test]
fn the_disk_has_a_limit() {
    let limits = Limits { disk: 4 << 20, ..limits() };
    let mut lab = FULL.start();
    let seen = run_within(&mut lab, "hostile", &["disk", "one"], &limits);
    assert_eq!((seen.ending, &seen.stdout.bytes[..]), (Ending::Exit(0), &b"full\n"[..]));
    if FULL.has_namespaces(&lab) {
        let seen = run_within(&mut lab, "hostile", &["disk", "many"], &limits);
        assert_eq!(seen.stdout.bytes, b"full\n");
        assert!(seen.files.len() <= 65, "{}", seen.files.len());
        let seen = run_within(&mut lab, "hostile", &["names"], &limits);
        assert_eq!(seen.ending, Ending::Exit(0));
        assert!((500..1100).contains(&seen.files.len()), "{}", seen.files.len());
    }
}

#[test]
fn output_has_a_limit() {
    let limits = Limits { output: 1 << 20, keep: 10, ..limits() };
    each_sandbox(|_, lab| {
        for stream in ["stdout", "stderr"] {
            let seen = run_within(lab, "hostile", &["print", stream], &limits);
            assert_eq!(seen.ending, Ending::OutputLimit);
            let captured = if stream == "stdout" { seen.stdout } else { seen.stderr };
            assert_eq!((&captured.bytes[..], captured.total), (&b"and on and"[..], 1 << 20));
        }
    });
}

#[test]
fn time_has_a_limit() {
    each_sandbox(|kind, lab| {
        for command in ["stubborn", "spin"] {
            let start = Instant::now();
            let seen = run_within(lab, "hostile", &[command], &short(100));
            assert_eq!(seen.ending, Ending::TimeLimit, "{command}, {}", kind.name);
            assert!(start.elapsed() < Duration::from_secs(2), "{command}, {}", kind.name);
        }
    });
}

#[test]
fn no_process_stays_behind() {
    let marker = marker("stays-behind");
    let program = path_text(&program("hostile"));
    each_sandbox(|kind, lab| {
        let seen = run(lab, "hostile", &["stay-behind", &marker, &program]);
        assert_eq!(seen.ending, Ending::Exit(0), "{}", kind.name);
        assert!(!is_running(&marker), "{}", kind.name);
    });
}

#[test]
fn odd_directories_are_walked() {
    for kind in [FULL, NO_NAMESPACES] {
        let mut lab = kind.start();
        let seen = run(&mut lab, "hostile", &["directories"]);
        assert_eq!(text(&seen.stderr.bytes), "", "{}", kind.name);
        let at = |path: &str| seen.files.get(path.as_bytes());
        let created = |contents, mode| FileChange::Created(FileState { contents, mode });
        let empty = Contents::File(Captured::default());
        assert_eq!(at("closed"), Some(&created(Contents::Directory, 0)));
        assert_eq!(at("closed/file"), Some(&created(empty, 0)));
        assert_eq!(at("closed/inner"), Some(&created(Contents::Directory, 0)));
        assert_eq!(at("fifo"), Some(&created(Contents::Special, 0)));
        let deepest = format!("deep{}", "/d".repeat(999));
        assert_eq!(at(&deepest), Some(&created(Contents::Directory, 0)));
        assert_eq!(seen.files.len(), 1004, "{}", kind.name);
        assert_eq!(run(&mut lab, "hostile", &[]).files.len(), 0, "{}", kind.name);
    }
}

#[test]
fn closed_streams_do_no_harm() {
    each_sandbox(|kind, lab| {
        let seen = run(lab, "hostile", &["close"]);
        assert_eq!((seen.ending, seen.stdout.total), (Ending::Exit(1), 0), "{}", kind.name);
    });
}

#[test]
fn one_run_leaves_no_traces_for_the_next() {
    let mut lab = FULL.start();
    if FULL.has_namespaces(&lab) {
        for _ in 0..3 {
            let seen = run(&mut lab, "hostile", &["traces"]);
            assert_eq!(text(&seen.stdout.bytes), "");
        }
    }
}

#[test]
fn all_that_a_run_can_change_is_as_new_for_the_next() {
    each_sandbox(|kind, lab| {
        let words: &[&str] = if kind.has_namespaces(lab) { &["all"] } else { &[] };
        let mut test = test_case(words);
        test.files.insert(b"given".to_vec(), parallax_run::Entry::file("given\n"));
        let first = run_test(lab, "mutate", &test).unwrap();
        assert_eq!(first.ending, Ending::Exit(0), "{first:?}");
        assert!(text(&first.stdout.bytes).contains("given holds given"), "{first:?}");
        assert!(first.files.contains_key(&b"taken"[..]), "{first:?}");
        for _ in 0..5 {
            let seen = run_test(lab, "mutate", &test).unwrap();
            assert_eq!(text(&seen.stdout.bytes), text(&first.stdout.bytes), "{}", kind.name);
            // Files that stay behind race with the end of the run, by their additions only.
            assert_eq!(seen, first, "{}", kind.name);
        }
    });
}

#[test]
fn nothing_is_left_of_a_lab() {
    if let Some((mut lab, marker)) = second_life() {
        let program = path_text(&program("hostile"));
        run(&mut lab, "hostile", &["stay-behind", &marker, &program]);
        run(&mut lab, "hostile", &["directories"]);
        return;
    }
    let own = tempfile::tempdir().unwrap();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    for kind in SANDBOXES {
        let marker = marker("nothing-left");
        let mut parallax = once_more("nothing_is_left_of_a_lab", kind, &marker, own.path());
        let output = parallax.stdout(Stdio::piped()).output().unwrap();
        assert!(text(&output.stdout).contains("1 passed"), "{}", text(&output.stdout));
        assert!(soon(|| !is_running(&marker)), "{}", kind.name);
        assert_eq!(fs::read_dir(own.path()).unwrap().count(), 0, "{}", kind.name);
    }
    assert_eq!(fs::read_to_string("/proc/self/mountinfo").unwrap(), mounts);
}

#[test]
fn a_killed_parallax_leaves_nothing() {
    if let Some((mut lab, marker)) = second_life() {
        run_within(&mut lab, "hostile", &["stubborn", &marker], &short(60_000));
        return;
    }
    for kind in [FULL, NO_NAMESPACES] {
        let own = tempfile::tempdir().unwrap();
        let marker = marker("killed");
        let mut parallax = once_more("a_killed_parallax_leaves_nothing", kind, &marker, own.path());
        let mut parallax = parallax.spawn().unwrap();
        assert!(soon(|| is_running(&marker)), "{}", kind.name);
        parallax.kill().unwrap();
        assert_eq!(parallax.wait().unwrap().signal(), Some(libc::SIGKILL));
        assert!(soon(|| !is_running(&marker)), "{}", kind.name);
        assert!(soon(|| fs::read_dir(own.path()).unwrap().count() == 0), "{}", kind.name);
    }
}

/// This test binary once more, running only the test `name`, which then is in its [`second_life`].
fn once_more(name: &str, kind: Kind, marker: &str, temporary: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", name])
        .env(PROGRAMS, program("hostile").parent().unwrap())
        .env(KIND, kind.name)
        .env(MARKER, marker)
        .env("TMPDIR", temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The lab and the marker for a test that was started by itself.
fn second_life() -> Option<(Lab, String)> {
    let name = env::var(KIND).ok()?;
    let kind = SANDBOXES.into_iter().find(|kind| kind.name == name).unwrap();
    Some((kind.start(), env::var(MARKER).unwrap()))
}

#[test]
fn all_this_holds_for_an_ordinary_user() {
    run_as_ordinary_user(&["ordinary", "hostile", "mutate"]);
}
