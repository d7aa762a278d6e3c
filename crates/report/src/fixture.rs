//! One comparison with every kind of result, for the tests of all renderers.

use std::{env, fs, path::Path};

use crate::check::{self, Check, CheckedChange, Finding, Stopped};
use parallax_compare::{Aspect, Compared, Comparison, Difference, Masked, Outcome, Version};
use parallax_run::{
    Captured, Contents, Ending, Entry, FileChange, FileState, Observation, TestCase,
};

/// Compares a rendered text with the file that holds it; `BLESS=1` writes the file anew.
pub(crate) fn check(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(file);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, text).expect("the expected text can be written");
    }
    let expected = fs::read_to_string(&path).expect("there is an expected text");
    assert_eq!(text, expected, "{file}");
}

pub(crate) fn comparison() -> Comparison {
    let different = Outcome::Different(Box::new(difference()));
    Comparison {
        tests: vec![
            compared("same.toml", &["-b", "1"], Outcome::Same, &[]),
            compared("noisy.toml", &["--time"], Outcome::Same, &[Aspect::Stdout, Aspect::Files]),
            Compared { masked: vec![unstable()], ..compared("race.toml", &[], Outcome::Same, &[]) },
            Compared {
                case: test_case(),
                ..compared("sub/a & b.toml", &[], different, &[Aspect::Stderr])
            },
            compared(
                "broken.toml",
                &[],
                Outcome::Trouble(String::from("execute ./cut: no such file")),
                &[],
            ),
        ],
    }
}

/// A search that has found a difference of one change of three.
pub(crate) fn search() -> Check {
    let change = |id: &str, line: u32, why: Option<&str>| CheckedChange {
        id: id.to_owned(),
        file: "cut.c".to_owned(),
        function: "parse".to_owned(),
        old_lines: Some((line, line)),
        new_lines: Some((line, line + 1)),
        kind: "modified",
        reachable: true,
        reached: why != Some("no input was found that executes it"),
        infected: why.is_none(),
        propagated: why.is_none(),
        why: why.map(str::to_owned),
        stopped_at: why.map(|why| Stopped { file: "cut.c".to_owned(), line, why: why.to_owned() }),
        ..CheckedChange::default()
    };
    let finding = Finding {
        id: "f1".to_owned(),
        test: "findings/f1/test.toml".to_owned(),
        changes: vec!["c1".to_owned()],
        attribution: check::Attribution::Exact,
        differs_in: vec!["stdout", "exit", "files"],
        confirmed: true,
        others: 2,
        case: test_case(),
        difference: difference(),
    };
    Check {
        schema: 1,
        verb: "check",
        verdict: check::Verdict::Different,
        program: "cut".to_owned(),
        out: "parallax.out".to_owned(),
        changes: vec![
            change("c1", 8, None),
            change("c2", 20, Some("it was executed, and no effect was seen")),
            change("c3", 31, Some("no input was found that executes it")),
        ],
        findings: vec![finding],
        seconds: 1.5,
        ..Check::default()
    }
}

pub(crate) fn difference() -> Difference {
    let old = Observation {
        ending: Ending::Exit(0),
        stdout: captured(b"one\ntwo\nthree\n"),
        stderr: captured(b""),
        files: [(b"log".to_vec(), created(b"done\n")), (b"gone".to_vec(), FileChange::Removed)]
            .into(),
    };
    let new = Observation {
        ending: Ending::Signal(libc::SIGSEGV),
        stdout: captured(b"one\nt\xffo <&>\nthree"),
        stderr: Captured { bytes: b"warning \n".to_vec(), total: 5000, rest: 0xabc },
        files: [
            (b"log".to_vec(), created(b"")),
            (b"link".to_vec(), left(Contents::Symlink(b"log".to_vec()), 0o777)),
            (b"d\xe9".to_vec(), left(Contents::Directory, 0o755)),
            (b"gone".to_vec(), FileChange::Removed),
        ]
        .into(),
    };
    Difference {
        files: vec![b"d\xe9".to_vec(), b"link".to_vec(), b"log".to_vec()],
        ..Difference::between(old, new, vec![Aspect::Stdout, Aspect::Exit, Aspect::Files])
    }
}

fn test_case() -> TestCase {
    TestCase {
        args: vec![b"-b".to_vec(), b"\xff".to_vec()],
        stdin: Some(b"hello\nworld\n".to_vec()),
        files: [(b"in.txt".to_vec(), Entry::file("a,b\n"))].into(),
        ..TestCase::default()
    }
}

pub(crate) fn compared(name: &str, args: &[&str], outcome: Outcome, masked: &[Aspect]) -> Compared {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    Compared {
        name: String::from(name),
        case: TestCase { args, ..TestCase::default() },
        outcome,
        masked: masked.iter().map(|aspect| noise(*aspect)).collect(),
    }
}

/// A new version that sometimes crashes.
fn unstable() -> Masked {
    let endings = vec![Ending::Exit(0), Ending::Signal(libc::SIGSEGV)];
    Masked { aspect: Aspect::Exit, varies_in: vec![Version::New], endings }
}

/// Noise of both versions.
fn noise(aspect: Aspect) -> Masked {
    Masked { aspect, varies_in: vec![Version::Old, Version::New], endings: Vec::new() }
}

fn captured(bytes: &[u8]) -> Captured {
    Captured::whole(bytes)
}

fn created(contents: &[u8]) -> FileChange {
    left(Contents::File(captured(contents)), 0o644)
}

pub(crate) fn left(contents: Contents, mode: u32) -> FileChange {
    FileChange::Created(FileState { contents, mode })
}
