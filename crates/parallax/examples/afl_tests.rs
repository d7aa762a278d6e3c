//! The corpus of AFL++ as test cases: `afl_tests QUEUE FOLDER`.
//!
//! Its inputs are arguments and standard input in one file, as `bench/coverage/shim.c` takes them.

use std::{fs, path::PathBuf};

use anyhow::Context;
use parallax_run::TestCase;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (queue, folder) = arguments.next().zip(arguments.next()).context("QUEUE and FOLDER")?;
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(queue)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let name =
                format!("{}.toml", entry.file_name().to_string_lossy().replace([':', ','], "-"));
            fs::write(folder.join(name), test(&fs::read(entry.path())?).to_toml())?;
        }
    }
    Ok(())
}

fn test(bytes: &[u8]) -> TestCase {
    const MOST_ARGUMENTS: usize = 16;
    let mut test = TestCase::default();
    let mut rest = bytes;
    while !rest.is_empty() && rest[0] != 0 && test.args.len() < MOST_ARGUMENTS {
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        test.args.push(rest[..end].to_vec());
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    test.stdin = rest.get(1..).map(<[u8]>::to_vec);
    test
}
