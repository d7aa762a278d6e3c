//! A written test case is read back exactly, an error names its line, and a shell line gives a
//! program the same bytes.

use std::{fs, path::Path, process::Command};

use proptest::{collection, prelude::*};

use super::*;

fn parse(text: &str) -> Result<TestCase, String> {
    TestCase::parse(text, Path::new("tests/a.toml")).map_err(|error| error.to_string())
}

fn check_error(text: &str, expected: &str) {
    assert_eq!(parse(text), Err(String::from(expected)), "{text}");
}

fn check_written(test_case: &TestCase, expected: &str) {
    let toml = test_case.to_toml();
    assert_eq!(toml, expected);
    assert_eq!(parse(&toml).as_ref(), Ok(test_case));
}

#[test]
fn the_example_of_the_design_is_read() {
    let text = r#"
args = ["-b", "2-3,7-"]
stdin = "hello world\n"      # stdin_hex for bytes that are not text
env = { LC_ALL = "C" }
[files]                      # created in the fresh working directory before the run
"in.txt" = "a,b,c\n"
"#;
    let expected = TestCase {
        args: vec![b"-b".to_vec(), b"2-3,7-".to_vec()],
        stdin: Some(b"hello world\n".to_vec()),
        env: [(b"LC_ALL".to_vec(), b"C".to_vec())].into(),
        files: [(b"in.txt".to_vec(), Entry::file("a,b,c\n"))].into(),
        fixed: Vec::new(),
    };
    assert_eq!(parse(text), Ok(expected));
}

#[test]
fn nothing_is_a_test_case_too() {
    assert_eq!(parse(""), Ok(TestCase::default()));
    check_written(&TestCase::default(), "args = []\n");
}

#[test]
fn every_kind_of_entry_is_written_and_read() {
    let files = [
        ("empty", Entry::file("")),
        ("link", Entry::Symlink(b"empty".to_vec())),
        ("noise", Entry::file(b"\xff\x00".as_slice())),
        ("run.sh", Entry::File { data: b"#!/bin/sh\necho \"\"\" \n".to_vec(), executable: true }),
        ("sub", Entry::Directory),
    ];
    let mut files: BTreeMap<Vec<u8>, Entry> =
        files.into_iter().map(|(name, entry)| (name.as_bytes().to_vec(), entry)).collect();
    files.insert(b"\xe9t\xe9".to_vec(), Entry::file("summer\n"));
    let test_case = TestCase {
        args: vec![b"\xff".to_vec(), "é\u{1}".as_bytes().to_vec()],
        stdin: Some(b"one\ntwo\n".to_vec()),
        env: [(b"A".to_vec(), b"\xfe".to_vec()), (b"\xff".to_vec(), b"1".to_vec())].into(),
        files,
        fixed: vec![Fixed::Argument(0), Fixed::Files, Fixed::File(b"\xe9t\xe9".to_vec())],
    };
    check_written(
        &test_case,
        r##"args = [{ hex = "ff" }, "é\u0001"]
stdin = """
one
two
"""
env = { A = { hex = "fe" } }
fixed = ["args[0]", "files.*", { hex = "66696c65732ee974e9" }]

[files]
empty = ""
link = { symlink = "empty" }
noise = { hex = "ff00" }
"run.sh" = { text = """
#!/bin/sh
echo \"\""\u0020
""", executable = true }
"sub/" = {}

[[raw_env]]
name_hex = "ff"
value = "1"

[[raw_files]]
name_hex = "e974e9"
text = "summer\n"
"##,
    );
}

#[test]
fn long_arguments_and_environments_take_a_line_each() {
    let long = "x".repeat(50);
    let test_case = TestCase {
        args: vec![long.clone().into_bytes(), long.clone().into_bytes()],
        env: ["A", "B"].map(|name| (name.as_bytes().to_vec(), long.clone().into_bytes())).into(),
        ..TestCase::default()
    };
    let expected = format!(
        "args = [\n    \"{long}\",\n    \"{long}\",\n]\n\n[env]\nA = \"{long}\"\nB = \"{long}\"\n"
    );
    check_written(&test_case, &expected);
}

#[test]
fn mistyped_keys_are_named_with_their_line() {
    check_error(
        "args = []\n\nstdni = \"x\"\n",
        "tests/a.toml:3: key \"stdni\" is not known; did you mean \"stdin\"?",
    );
    check_error(
        "[files]\nrun = { txt = \"x\" }\n",
        "tests/a.toml:2: key \"txt\" is not known in files.\"run\"; did you mean \"text\"? (if the name of \
         the file is \"run.txt\", quote it)",
    );
    check_error(
        "[files]\nin.csv = \"x\"\n",
        "tests/a.toml:2: key \"csv\" is not known in files.\"in\"; known here: text, hex, \
         executable, symlink, symlink_hex (if the name of the file is \"in.csv\", quote it)",
    );
}

#[test]
fn all_problems_are_reported_in_order() {
    check_error(
        "stdin = 1\nargs = [1, \"a\\u0000\"]\n",
        "tests/a.toml:1: stdin must be a string or { hex = \"…\" }, not an integer\n\
         tests/a.toml:2: args[0] must be a string or { hex = \"…\" }, not an integer\n\
         tests/a.toml:2: args[1] has a NUL byte, which no program can be given",
    );
}

#[test]
fn wrong_values_are_explained() {
    for (text, message) in [
        ("args = \"a\"", "args must be an array, not a string"),
        ("env = []", "env must be a table, not an array"),
        ("args = [{ hex = \"f\" }]", "args[0].hex needs two hexadecimal digits for each byte"),
        ("stdin_hex = \"0g\"", "stdin_hex has 'g', which is not a hexadecimal digit"),
        ("stdin = \"\"\nstdin_hex = \"\"", "\"stdin\" and \"stdin_hex\" are both given"),
        ("args = [{}]", "args[0] needs one of \"text\" and \"hex\""),
        ("[env]\n\"A=B\" = \"\"", "the name of env.A=B has a \"=\""),
        ("[env]\n\"\" = \"\"", "env. has an empty name"),
        ("[env]\nA = \"\\u0000\"", "env.A has a NUL byte, which no program can be given"),
        (
            "[files]\n\"/etc/x\" = \"\"",
            "files.\"/etc/x\": a file name must be relative to the working directory",
        ),
        (
            "[files]\n\"a/../../x\" = \"\"",
            "files.\"a/../../x\": a file name must stay in the working directory, so \"..\" \
             cannot be part of it",
        ),
        (
            "[files]\n\"./x\" = \"\"",
            "files.\"./x\": a file name has one spelling only, without \".\" or \"//\"",
        ),
        ("[files]\n\"\" = \"\"", "files.\"\": a file name cannot be empty"),
        ("[files]\n\"a/\" = \"text\"", "files.\"a/\" is a directory and can only be {}"),
        ("[files]\na = { text = \"\", hex = \"\" }", "files.\"a\" has both \"text\" and \"hex\""),
        (
            "[files]\na = { symlink = \"b\", executable = true }",
            "files.\"a\" is a symlink and cannot be executable",
        ),
        (
            "[files]\na = { text = \"\", executable = 1 }",
            "files.\"a\".executable must be true or false, not an integer",
        ),
        ("[files]\na = \"\"\n\"a/\" = {}", "files.\"a/\" is given twice"),
        (
            "[[raw_files]]\nname_hex = \"612f2e2e\"\ntext = \"\"",
            "raw_files[0]: a file name must stay in the working directory, so \"..\" cannot be \
             part of it",
        ),
        ("[[raw_env]]\nvalue = \"\"", "raw_env[0] has no \"name_hex\""),
    ] {
        let error = parse(text).expect_err(text);
        let (_, found) = error.split_once(": ").expect("an error names its place");
        assert_eq!(found, message, "{text}");
    }
}

#[test]
fn parts_can_be_fixed() {
    let text = r#"
args = ["a", "b"]
fixed = ["args[1]", "args", "argc", "stdin", "files.*", "files.sub/x.txt", "files.sub/", "env.*", "env.A"]
"#;
    let expected = [
        Fixed::Argument(1),
        Fixed::Arguments,
        Fixed::Count,
        Fixed::Stdin,
        Fixed::Files,
        Fixed::File(b"sub/x.txt".to_vec()),
        Fixed::File(b"sub".to_vec()),
        Fixed::Variables,
        Fixed::Variable(b"A".to_vec()),
    ];
    assert_eq!(parse(text).map(|test_case| test_case.fixed), Ok(expected.to_vec()));
}

#[test]
fn parts_that_cannot_be_fixed_are_explained() {
    for (part, message) in [
        ("1", "must be a string or { hex = \"…\" }, not an integer"),
        ("\"sdtin\"", "is \"sdtin\", which is no part of a test; did you mean \"stdin\"?"),
        ("\"files\"", "is \"files\", which is no part of a test; did you mean \"files.*\"?"),
        (
            "\"args[-1]\"",
            "is \"args[-1]\", which is no part of a test; what can be fixed: args, args[0], argc, \
             stdin, files.*, files.NAME, env.*, env.NAME",
        ),
        ("\"args[2]\"", "fixes args[2], and there are 2 arguments"),
        ("\"argc\", \"argc\"", "fixes \"argc\" a second time"),
        (
            "\"files.../x\"",
            ": a file name must stay in the working directory, so \"..\" cannot be part of it",
        ),
        ("\"files.\"", ": a file name cannot be empty"),
        ("\"env.\"", "has an empty name"),
    ] {
        let text = format!("args = [\"a\", \"b\"]\nfixed = [{part}]\n");
        let error = parse(&text).expect_err(&text);
        let (_, found) = error.split_once("]").expect("an error names the part");
        assert_eq!(found.trim_start(), message, "{text}");
        assert!(error.starts_with("tests/a.toml:2: fixed["), "{error}");
    }
}

#[test]
fn syntax_errors_name_their_line() {
    let error = parse("args = []\nstdin = \"open\n").expect_err("the string is not closed");
    assert!(error.starts_with("tests/a.toml:2: "), "{error}");
    let error = parse("stdin = \"\"\nstdin = \"\"\n").expect_err("the key is there twice");
    assert!(error.starts_with("tests/a.toml:2: "), "{error}");
}

#[test]
fn a_file_that_is_not_text_is_an_error() {
    let error = TestCase::parse_bytes(b"args = []\nstdin = \"\xff\"\n", Path::new("a.toml"))
        .expect_err("it is not UTF-8");
    assert!(error.to_string().starts_with("a.toml:2: this is not UTF-8"));
}

/// Bytes that are text, bytes that are not, and text with everything that needs an escape.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        collection::vec(any::<u8>(), 0..12),
        any::<String>().prop_map(String::into_bytes),
        "[ab\"' \\\\\n\r\t%$`-]{0,12}".prop_map(String::into_bytes),
    ]
}

fn without_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.retain(|&byte| byte != 0);
    bytes
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let component = bytes().prop_map(|mut bytes| {
        bytes.retain(|byte| !matches!(byte, 0 | b'/'));
        match bytes.as_slice() {
            b"" | b"." | b".." => b"name".to_vec(),
            _ => bytes,
        }
    });
    collection::vec(component, 1..3).prop_map(|components| components.join(&b'/'))
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        (bytes(), any::<bool>()).prop_map(|(data, executable)| Entry::File { data, executable }),
        name().prop_map(Entry::Symlink),
        Just(Entry::Directory),
    ]
}

fn variable() -> impl Strategy<Value = Vec<u8>> {
    bytes().prop_map(|name| {
        let mut name = without_nul(name);
        name.retain(|&byte| byte != b'=');
        name.insert(0, b'V');
        name
    })
}

fn fixed() -> impl Strategy<Value = Fixed> {
    prop_oneof![
        (0..4_usize).prop_map(Fixed::Argument),
        name().prop_filter("`*` is all files", |name| name != b"*").prop_map(Fixed::File),
        variable().prop_map(Fixed::Variable),
        proptest::sample::select(fixed::PLAIN.map(|(_, part)| part).to_vec()),
    ]
}

fn test_case() -> impl Strategy<Value = TestCase> {
    (
        collection::vec(bytes().prop_map(without_nul), 0..4),
        proptest::option::of(bytes()),
        collection::btree_map(variable(), bytes().prop_map(without_nul), 0..3),
        collection::btree_map(name(), entry(), 0..4),
        collection::btree_set(fixed(), 0..4),
    )
        .prop_map(|(args, stdin, env, files, fixed)| {
            let fixed = fixed.into_iter();
            let exists =
                |part: &Fixed| !matches!(part, Fixed::Argument(index) if *index >= args.len());
            let fixed = fixed.filter(exists).collect();
            TestCase { args, stdin, env, files, fixed }
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(test_case in test_case()) {
        let toml = test_case.to_toml();
        prop_assert_eq!(parse(&toml), Ok(test_case), "{}", toml);
    }

    #[test]
    fn any_text_is_read_or_explained(text in any::<String>()) {
        let _ = parse(&text);
    }
}

/// Runs the shell line with a program that prints all its inputs, with a NUL after each part. It is
/// a shell too, which drops variables that it could not name, so it asks the kernel.
fn given_by_shell(test_case: &TestCase, variable: &str) -> Vec<u8> {
    let home = tempfile::tempdir().expect("a temporary directory can be made");
    let script = format!(
        "printf '%s\\0' \"$@\"\ngrep -az '^{variable}=' /proc/$$/environ\ncat\n\
         for file in *; do [ -f \"$file\" ] && cat \"./$file\"; done\n"
    );
    fs::write(home.path().join("show"), script).expect("the program can be written");
    let work = home.path().join("work");
    fs::create_dir(&work).expect("a working directory can be made");
    let mut test_case = test_case.clone();
    test_case.args.insert(0, b"../show".to_vec());
    let line = test_case.shell_line("sh");
    assert!(!line.contains('\n'), "{line}");
    let output = Command::new("sh")
        .arg("-c")
        .arg(&line)
        .current_dir(&work)
        .output()
        .expect("sh can be started");
    assert!(output.stderr.is_empty(), "{line}: {output:?}");
    output.stdout
}

fn expected_of_shell(test_case: &TestCase) -> Vec<u8> {
    let variables = test_case.env.iter();
    let variables = variables.map(|(name, value)| [name.as_slice(), b"=", value].concat());
    let values = test_case.args.iter().cloned().chain(variables);
    let mut expected: Vec<u8> =
        values.flat_map(|value| [value.as_slice(), b"\0"].concat()).collect();
    expected.extend(test_case.stdin.iter().flatten());
    for entry in test_case.files.values() {
        if let Entry::File { data, .. } = entry {
            expected.extend(data);
        }
    }
    expected
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_shell_gives_the_same_bytes(
        first in bytes(),
        args in collection::vec(bytes(), 0..3),
        stdin in proptest::option::of(bytes()),
        value in bytes(),
        (name, data) in (name(), bytes()),
    ) {
        let name = name.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
        let mut name = name.expect("a split has a last part");
        // The program looks for its files by a glob, which leaves out hidden ones.
        if name.starts_with(b".") {
            name.insert(0, b'x');
        }
        for variable in ["VALUE", "not-a-shell-name"] {
            let test_case = TestCase {
                args: [first.clone()].into_iter().chain(args.clone()).map(without_nul).collect(),
                stdin: stdin.clone(),
                env: [(variable.as_bytes().to_vec(), without_nul(value.clone()))].into(),
                files: [(name.clone(), Entry::file(data.clone()))].into(),
                fixed: Vec::new(),
            };
            let given = given_by_shell(&test_case, variable);
            prop_assert_eq!(given, expected_of_shell(&test_case), "{}", test_case.shell_line("p"));
        }
    }
}

#[test]
fn a_shell_line_is_readable() {
    let test_case = TestCase {
        args: vec![b"-b".to_vec(), b"2-3,7-".to_vec(), b"it's".to_vec(), b"".to_vec()],
        stdin: Some(b"hello 100%\n\xff".to_vec()),
        env: [(b"LC_ALL".to_vec(), b"C".to_vec())].into(),
        files: [
            (b"sub/in.txt".to_vec(), Entry::file("a,b\n")),
            (b"sub/link".to_vec(), Entry::Symlink(b"in.txt".to_vec())),
        ]
        .into(),
        fixed: Vec::new(),
    };
    assert_eq!(
        test_case.shell_line("./cut"),
        "mkdir -p sub && printf 'a,b\\n' > sub/in.txt && ln -s in.txt sub/link && \
         printf 'hello 100%%\\n\\377' | LC_ALL=C ./cut -b 2-3,7- 'it'\\''s' ''"
    );
    assert_eq!(TestCase::default().shell_line("./a b"), "'./a b' < /dev/null");
}

#[test]
fn what_is_fixed_is_kept_by_tests_that_have_it() {
    let fixed = |part: &str| {
        let text = format!(
            "args = [\"a\", \"b\"]\nstdin = \"in\"\nfixed = [\"{part}\"]\n\
             [env]\nX = \"1\"\n[files]\nf = \"text\"\n"
        );
        TestCase::parse(&text, Path::new("test.toml")).expect("it is a test")
    };
    let empty = TestCase::default();
    for part in ["args", "args[1]", "argc", "stdin", "files.*", "files.f", "env.*", "env.X"] {
        let test = fixed(part);
        assert!(test.is_kept_by(&test), "{part}");
        assert!(!test.is_kept_by(&empty), "{part}");
    }
    for part in ["files.none", "env.NONE"] {
        assert!(fixed(part).is_kept_by(&empty), "{part}: it is in neither");
    }
    let shorter = TestCase { args: vec![b"a".to_vec()], ..fixed("args[0]") };
    assert!(fixed("args[0]").is_kept_by(&shorter));
}
