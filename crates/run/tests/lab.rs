//! Ordinary programs in the lab: inputs arrive, effects are observed.
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, time::Duration};

use parallax_run::{
    Captured, Contents, Ending, Entry, FileChange, FileState, Limits, TestCase,
    lab::{Isolation, Lab, RunError},
};
use support::*;

const ALL: [Kind; 4] = [FULL, OLD_LANDLOCK, NO_NAMESPACES, OPEN];

fn each_lab(check: impl Fn(Kind, &mut Lab)) {
    for kind in ALL {
        check(kind, &mut kind.start());
    }
}

fn file(data: &str) -> Entry {
    Entry::File { data: data.as_bytes().to_vec(), executable: false }
}

fn captured(text: &str) -> Captured {
    Captured { bytes: text.as_bytes().to_vec(), total: text.len() as u64, rest: 0 }
}

#[test]
fn a_run_ends_with_a_status_or_a_signal() {
    let endings = [
        (&["exit", "0"][..], Ending::Exit(0)),
        (&["exit", "255"], Ending::Exit(255)),
        (&["raise", "9"], Ending::Signal(9)),
        (&["raise", "15"], Ending::Signal(15)),
        (&["raise", "24"], Ending::Signal(24)),
        (&["segfault"], Ending::Signal(11)),
        (&["abort"], Ending::Signal(6)),
        (&["threads"], Ending::Exit(7)),
    ];
    each_lab(|kind, lab| {
        for (args, ending) in endings {
            assert_eq!(run(lab, "ordinary", args).ending, ending, "{args:?} in {}", kind.name);
        }
    });
}

#[test]
fn stdin_and_arguments_hold_any_byte() {
    let any: Vec<u8> = (0..=255).collect();
    each_lab(|_, lab| {
        let mut test = test_case(&["cat"]);
        assert_eq!(run_test(lab, "ordinary", &test).unwrap().stdout, captured("<0>"));
        test.stdin = Some(any.clone());
        let seen = run_test(lab, "ordinary", &test).unwrap();
        assert_eq!(seen.stdout.bytes, [&any[..], b"<256>"].concat());
        let mut test = test_case(&["args", ""]);
        test.args.push(any[1..].to_vec());
        let seen = run_test(lab, "ordinary", &test).unwrap();
        assert_eq!(seen.stdout.bytes, [b"subject\0args\0\0", &any[1..], b"\0"].concat());
    });
}

#[test]
fn a_large_stdin_arrives_whole() {
    let mut test = test_case(&["cat"]);
    test.stdin = Some(vec![b'x'; 3 << 20]);
    let seen = run_test(&mut FULL.start(), "ordinary", &test).unwrap();
    assert_eq!(seen.stdout.total, (3 << 20) + "<3145728>".len() as u64);
    assert_eq!(seen.stdout.bytes.len() as u64, Limits::default().keep);
}

#[test]
fn the_environment_is_fixed() {
    each_lab(|kind, lab| {
        let home = text(&run(lab, "ordinary", &["world"]).stdout.bytes);
        let home = home.lines().next().unwrap().strip_prefix("cwd ").unwrap().to_owned();
        let mut test = test_case(&["env"]);
        test.env =
            BTreeMap::from([(b"TZ".to_vec(), b"CET".to_vec()), (b"A".to_vec(), b"".to_vec())]);
        let mut subject = subject(&program("ordinary"));
        subject.env = vec![(b"ASAN_OPTIONS".to_vec(), b"x=1".to_vec())];
        subject.library_path = vec!["/one".into(), "/two".into()];
        let seen = lab.run(&subject, &test, &limits()).unwrap();
        let names = if kind.has_namespaces(lab) { "/parallax/program/path:" } else { "" };
        let expected = format!(
            "A=\nASAN_OPTIONS=x=1\nHOME={home}\nLANG=C\nLC_ALL=C\nLD_LIBRARY_PATH=/one:/two\n\
             PATH={names}/usr/local/bin:/usr/bin:/bin\nPWD={home}\nTMPDIR={home}\nTZ=CET\n"
        );
        assert_eq!(text(&seen.stdout.bytes), expected, "{}", kind.name);
    });
}

#[test]
fn the_world_is_the_same_in_every_run_and_lab() {
    let mut labs = [FULL.start(), FULL.start()];
    if !FULL.has_namespaces(&labs[0]) {
        println!("skipped: {:?}", labs[0].missing());
        return;
    }
    let expected = "cwd /parallax/run/work\npid 2 ppid 1 session 2\nhost parallax\numask 022\n\
                    stdin file 1 stdout fifo 1 stack 8388608 sigchld blocked 0\n";
    for round in 0..40 {
        // A run with many processes must not move the numbers of the next.
        run(&mut labs[round % 2], "ordinary", &["shell"]);
        let seen = run(&mut labs[round % 2], "ordinary", &["world"]);
        assert_eq!(text(&seen.stdout.bytes), expected);
    }
}

#[test]
fn addresses_are_the_same_in_every_run() {
    each_lab(|_, lab| {
        let first = run(lab, "ordinary", &["addresses"]);
        assert!(first.stdout.total > 20);
        assert_eq!(run(lab, "ordinary", &["addresses"]), first);
    });
}

#[test]
fn a_tests_files_are_laid_out() {
    let tool = Entry::File { data: b"#!/bin/sh\necho tool\n".to_vec(), executable: true };
    let mut test = test_case(&["read-files"]);
    test.files = BTreeMap::from([
        (b"in/a.txt".to_vec(), file("abc")),
        (b"in/tool".to_vec(), tool),
        (b"link".to_vec(), Entry::Symlink(b"in/a.txt".to_vec())),
        (b"empty".to_vec(), Entry::Directory),
    ]);
    each_lab(|kind, lab| {
        let seen = run_test(lab, "ordinary", &test).unwrap();
        let expected = "100644 946684800 3 40755 946684800 mine 1 tool\nin/a.txt\n";
        assert_eq!(text(&seen.stdout.bytes), expected, "{}", kind.name);
        assert_eq!(seen.files, BTreeMap::new(), "{}", kind.name);
    });
}

#[test]
fn changes_of_files_are_seen() {
    let mut test = test_case(&["files"]);
    let names =
        ["changed", "same", "closed", "removed", "becomes-link", "tree/inner/leaf", "moved"];
    for name in names {
        test.files.insert(name.as_bytes().to_vec(), file("same"));
    }
    let created = |contents, mode| FileChange::Created(FileState { contents, mode });
    let changed = |contents, mode| FileChange::Changed(FileState { contents, mode });
    let expected = BTreeMap::from([
        (&b"created"[..], created(Contents::File(captured("new")), 0o644)),
        (b"changed", changed(Contents::File(captured("other")), 0o644)),
        (b"closed", changed(Contents::File(captured("same")), 0o600)),
        (b"removed", FileChange::Removed),
        (b"directory", created(Contents::Directory, 0o700)),
        (b"directory/inner", created(Contents::File(captured("")), 0o644)),
        (b"directory/moved", created(Contents::File(captured("same")), 0o644)),
        (b"moved", FileChange::Removed),
        (b"link", created(Contents::Symlink(b"/nowhere".to_vec()), 0o777)),
        (b"becomes-link", changed(Contents::Symlink(b"same".to_vec()), 0o777)),
        (b"tree", changed(Contents::Directory, 0o750)),
        (b"tree/inner", FileChange::Removed),
        (b"tree/inner/leaf", FileChange::Removed),
        (b"odd\n\xff name", created(Contents::File(captured("x")), 0o644)),
        (b"fifo", created(Contents::Special, 0o600)),
    ]);
    let expected = expected.into_iter().map(|(path, change)| (path.to_vec(), change)).collect();
    each_lab(|kind, lab| {
        let seen = run_test(lab, "ordinary", &test).unwrap();
        assert_eq!(text(&seen.stderr.bytes), "", "{}", kind.name);
        assert_eq!(seen.files, expected, "{}", kind.name);
        let next = run(lab, "ordinary", &["exit", "0"]);
        assert_eq!(next.files, BTreeMap::new(), "the directory is fresh: {}", kind.name);
    });
}

#[test]
fn what_is_cut_off_is_counted() {
    let limits = Limits { keep: 5, output: 1000, ..limits() };
    each_lab(|_, lab| {
        let seen = run_within(lab, "ordinary", &["print", "30"], &limits);
        assert_eq!((&seen.stdout.bytes[..], seen.stdout.total), (&b"abcde"[..], 30));
        assert_eq!(seen.stderr, captured("done"));
        let seen = run_within(lab, "ordinary", &["print", "1000"], &limits);
        assert_eq!((seen.ending, seen.stdout.total), (Ending::Exit(0), 1000));
        let seen = run_within(lab, "ordinary", &["print", "1001"], &limits);
        assert_eq!((seen.ending, seen.stdout.total), (Ending::OutputLimit, 1000));
        let seen = run_within(lab, "ordinary", &["big-file", "3000000"], &limits);
        let Some(big) = seen.files.get(&b"big"[..]).and_then(FileChange::captured) else {
            panic!("{:?}", seen.files)
        };
        assert_eq!((&big.bytes[..], big.total), (&b"abcde"[..], 3_000_000));
    });
}

#[test]
fn a_large_file_that_stays_as_it_was_is_no_change() {
    let data: String = (0..3_000_000).map(|i| char::from(b'a' + (i % 26) as u8)).collect();
    let mut test = test_case(&["big-file", "3000000"]);
    test.files.insert(b"big".to_vec(), file(&data));
    let mut lab = FULL.start();
    assert_eq!(run_test(&mut lab, "ordinary", &test).unwrap().files, BTreeMap::new());
    test.files.insert(b"big".to_vec(), file(&data.replace("yz", "zy")));
    assert_eq!(run_test(&mut lab, "ordinary", &test).unwrap().files.len(), 1);
}

#[test]
fn harmless_devices_work() {
    each_lab(|kind, lab| {
        let mut test = test_case(&["devices"]);
        test.stdin = Some(b"x".to_vec());
        let seen = run_test(lab, "ordinary", &test).unwrap();
        assert_eq!(text(&seen.stdout.bytes), "fine x", "{}", kind.name);
        assert_eq!(text(&run(lab, "ordinary", &["self"]).stdout.bytes), "/ordinary\n");
        assert_eq!(text(&run(lab, "ordinary", &["shell"]).stdout.bytes), "a\nb\n");
    });
}

/// By its name, by the path that the system tells, and by what lies beside it.
#[test]
fn a_program_finds_itself_at_the_same_place_in_all_versions() {
    let mut lab = FULL.start();
    if !FULL.has_namespaces(&lab) {
        println!("skipped: {:?}", lab.missing());
        return;
    }
    let versions = ["old", "new"].map(|version| {
        let directory = tempfile::tempdir().unwrap();
        let bin = directory.path().join(version).join(format!("bin-{version}"));
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir(directory.path().join(version).join("share")).unwrap();
        for file in [bin.join("beside"), bin.join("../share/above")] {
            fs::write(file, "data").unwrap();
        }
        fs::copy(program("ordinary"), bin.join("subject")).unwrap();
        let script = bin.join("script");
        fs::write(&script, "#!/bin/sh\ncat `dirname $0`/beside; echo; echo $0\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        (directory, bin)
    });
    let here = "/parallax/program/above/here";
    for round in 0..6 {
        let (_, bin) = &versions[round % 2];
        let seen =
            lab.run(&subject(&bin.join("subject")), &test_case(&["finds-itself"]), &limits());
        let seen = seen.unwrap();
        let expected = format!("{here}/subject data data\nagain\nagain\n");
        assert_eq!((text(&seen.stdout.bytes), text(&seen.stderr.bytes)), (expected, String::new()));
        let seen = lab.run(&subject(&bin.join("script")), &test_case(&[]), &limits()).unwrap();
        assert_eq!(text(&seen.stdout.bytes), format!("data\n{here}/script\n"));
    }
}

#[test]
fn a_program_that_cannot_be_executed_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let plain = directory.path().join("plain");
    fs::write(&plain, "text").unwrap();
    let garbage = directory.path().join("garbage");
    fs::write(&garbage, "\x7fELF garbage").unwrap();
    fs::set_permissions(&garbage, fs::Permissions::from_mode(0o755)).unwrap();
    let cases = [
        (directory.path().join("missing"), libc::ENOENT),
        (plain, libc::EACCES),
        (garbage, libc::ENOEXEC),
        (directory.path().to_owned(), libc::EACCES),
    ];
    each_lab(|kind, lab| {
        for (path, errno) in &cases {
            let error = lab.run(&subject(path), &TestCase::default(), &limits()).unwrap_err();
            let RunError::Execute { program, source } = error else { panic!("{error}") };
            assert_eq!((&program, source.raw_os_error()), (path, Some(*errno)), "{}", kind.name);
        }
        assert_eq!(run(lab, "ordinary", &["exit", "3"]).ending, Ending::Exit(3));
    });
}

#[test]
fn a_test_that_cannot_be_laid_out_is_refused() {
    let with_file = |path: &str, entry: Entry| {
        let mut test = test_case(&[]);
        test.files.insert(path.as_bytes().to_vec(), entry);
        test
    };
    let mut nul = test_case(&[]);
    nul.args.push(b"a\0b".to_vec());
    let too_large = Entry::File { data: vec![0; 2 << 20], executable: false };
    let tests = [
        nul,
        with_file("/etc/x", file("")),
        with_file("a/../../x", file("")),
        with_file("big", too_large),
    ];
    let limits = Limits { disk: 1 << 20, ..limits() };
    let mut lab = FULL.start();
    for test in tests {
        let error = lab.run(&subject(&program("ordinary")), &test, &limits).unwrap_err();
        assert!(matches!(error, RunError::LayOut(_)), "{error}");
    }
    assert_eq!(run(&mut lab, "ordinary", &["exit", "3"]).ending, Ending::Exit(3));
}

#[test]
fn a_program_below_a_closed_home_can_be_run() {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy");
    fs::copy(program("ordinary"), &copy).unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let seen = FULL.start().run(&subject(&copy), &test_case(&["exit", "4"]), &limits()).unwrap();
    assert_eq!(seen.ending, Ending::Exit(4));
}

#[test]
fn arguments_that_are_too_long_are_an_error_of_execution() {
    let long = "x".repeat(200 << 10);
    let result = run_test(&mut FULL.start(), "ordinary", &test_case(&[&long]));
    let Err(RunError::Execute { source, .. }) = result else { panic!("{result:?}") };
    assert_eq!(source.raw_os_error(), Some(libc::E2BIG));
}

#[test]
fn labs_serve_threads_side_by_side() {
    std::thread::scope(|scope| {
        for worker in 0..4 {
            scope.spawn(move || {
                let mut lab = Lab::start(Isolation::Sandboxed).unwrap();
                for status in 0..20 {
                    let status = (worker * 20 + status).to_string();
                    let seen = run(&mut lab, "ordinary", &["exit", &status]);
                    assert_eq!(seen.ending, Ending::Exit(status.parse().unwrap()));
                }
            });
        }
    });
}

#[test]
fn a_lab_outlives_the_thread_that_started_it() {
    let mut lab = std::thread::spawn(|| FULL.start()).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(run(&mut lab, "ordinary", &["exit", "1"]).ending, Ending::Exit(1));
}

#[test]
fn a_lab_without_a_sandbox_misses_nothing_that_was_wanted() {
    let sandbox = OPEN.start();
    assert!(sandbox.missing().iter().all(|sentence| !sentence.contains("Landlock")));
    let weak = NO_NAMESPACES.start();
    assert!(weak.missing().iter().any(|sentence| sentence.contains("namespaces")));
}

#[test]
fn shared_places_are_a_runs_own_and_observed() {
    let mut lab = FULL.start();
    if !FULL.has_namespaces(&lab) {
        println!("without namespaces they are the system's, and read-only");
        return;
    }
    let state = |contents, mode| FileChange::Created(FileState { contents, mode });
    let expected = BTreeMap::from([
        (b"/dev/shm/shared".to_vec(), state(Contents::File(captured("shared")), 0o600)),
        (b"/tmp/left".to_vec(), state(Contents::Directory, 0o755)),
        (b"/tmp/left/file".to_vec(), state(Contents::File(captured("temporary")), 0o644)),
    ]);
    for _ in 0..2 {
        let seen = run(&mut lab, "ordinary", &["shared-places"]);
        assert_eq!((text(&seen.stderr.bytes), seen.files), (String::new(), expected.clone()));
    }
}

#[test]
fn each_run_has_a_tmp_of_its_own() {
    let mut lab = FULL.start();
    if !FULL.has_namespaces(&lab) {
        println!("without namespaces /tmp is the system's, and read-only");
        return;
    }
    for _ in 0..2 {
        let seen = run(&mut lab, "ordinary", &["temporary"]);
        assert_eq!(text(&seen.stderr.bytes), "");
    }
    assert!(!std::path::Path::new("/tmp/parallax-ordinary").exists());
}

#[test]
fn addresses_can_be_as_they_are_for_users() {
    let mut lab = FULL.start();
    let subject = parallax_run::Subject {
        addresses: parallax_run::Addresses::Random,
        ..subject(&program("ordinary"))
    };
    let mut see = || lab.run(&subject, &test_case(&["addresses"]), &limits()).unwrap().stdout.bytes;
    assert_ne!(see(), see());
}

#[test]
fn programs_that_are_not_there_are_told_once() {
    let mut lab = FULL.start();
    let tells = |lab: &mut Lab| lab.take_absent().into_iter().collect::<Vec<_>>();
    run(&mut lab, "ordinary", &["execute", "./none", "none-such", "true", "/etc/passwd"]);
    assert_eq!(tells(&mut lab), [&b"./none"[..], b"/etc/passwd", b"none-such"]);
    assert!(tells(&mut lab).is_empty());
    run(&mut lab, "ordinary", &["execute", "true"]);
    assert!(tells(&mut lab).is_empty());
}
