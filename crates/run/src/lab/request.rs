//! The request to a server: a test case made ready for `execve`, or refused.
//!
//! All errors of a test case are found here, in Parallax, so that the server deals with well-formed
//! data only.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
    time::Duration,
};

use super::{
    RunError,
    wire::{Decoder, Encoder},
};
use crate::{Addresses, Entry, Limits, MemoryLimit, Subject, TestCase};

/// The paths of runs in a lab.
#[derive(Debug, Default)]
pub(super) struct Home {
    /// The working directory.
    pub(super) work: Vec<u8>,
    /// The directory in which a program is found by its name, or nothing.
    pub(super) names: Vec<u8>,
}

/// One run.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    /// An absolute path.
    pub(super) program: Vec<u8>,
    pub(super) arguments: Vec<Vec<u8>>,
    /// `NAME=value`, by name.
    pub(super) environment: Vec<Vec<u8>>,
    pub(super) stdin: Vec<u8>,
    /// By path, so that parents come before what is in them.
    pub(super) files: Vec<(Vec<u8>, Entry)>,
    pub(super) memory: MemoryLimit,
    pub(super) addresses: Addresses,
    /// Whether memory for a trace comes along.
    pub(super) traced: bool,
    /// Whether the program can be started once and forked for each run.
    pub(super) forked: bool,
    pub(super) limits: Limits,
}

impl Request {
    /// Makes `test` ready to be run in a lab.
    pub(super) fn new(
        subject: &Subject,
        test: &TestCase,
        limits: &Limits,
        home: &Home,
    ) -> Result<Request, RunError> {
        let program = absolute(&subject.program)?;
        let arguments = [&subject.name].into_iter().chain(&test.args).cloned().collect::<Vec<_>>();
        arguments.iter().try_for_each(|argument| no_nul("an argument", argument))?;
        check_files(&test.files)?;
        check_size(&test.files, limits.disk)?;
        Ok(Request {
            program,
            arguments,
            environment: environment(subject, test, home)?,
            stdin: test.stdin.clone().unwrap_or_default(),
            files: test.files.clone().into_iter().collect(),
            memory: subject.memory,
            addresses: subject.addresses,
            traced: false,
            forked: subject.forks,
            limits: limits.clone(),
        })
    }

    /// The same to be traced: at fixed addresses, which the shadow of the memory needs, and without
    /// a limit of addresses, of which it needs terabytes.
    pub(super) fn traced(self) -> Request {
        let (MemoryLimit::AddressSpace(bytes) | MemoryLimit::Resident(bytes)) = self.memory;
        let memory = MemoryLimit::Resident(bytes);
        Request { memory, addresses: Addresses::Fixed, traced: true, ..self }
    }

    /// The names in `/tmp` that the program's path, its arguments and its environment mention.
    pub(super) fn mentions_in_tmp(&self) -> Vec<OsString> {
        const START: &[u8] = b"/tmp/";
        let given = self.arguments.iter().chain(&self.environment).chain([&self.program]);
        let mut names = Vec::new();
        for text in given {
            let starts = text.windows(START.len()).enumerate().filter(|(_, part)| *part == START);
            for (at, _) in starts {
                let rest = text[at + START.len()..].split(|byte| matches!(byte, b'/' | b':'));
                names.extend(rest.take(1).filter(|name| is_plain(name)).map(OsStr::from_bytes));
            }
        }
        names.into_iter().map(OsStr::to_os_string).collect()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.bytes(&self.program).bytes(&self.stdin);
        encoder.list(&self.arguments, |encoder, bytes| {
            encoder.bytes(bytes);
        });
        encoder.list(&self.environment, |encoder, bytes| {
            encoder.bytes(bytes);
        });
        encoder.list(&self.files, |encoder, (path, entry)| {
            encode_entry(encoder.bytes(path), entry);
        });
        encode_memory(&mut encoder, self.memory);
        encoder.number(u64::from(self.addresses == Addresses::Random));
        encoder.number(u64::from(self.traced)).number(u64::from(self.forked));
        encode_limits(&mut encoder, &self.limits);
        encoder.finish()
    }

    pub(super) fn decode(message: &[u8]) -> Option<Request> {
        let decoder = &mut Decoder(message);
        Some(Request {
            program: decoder.bytes()?,
            stdin: decoder.bytes()?,
            arguments: decoder.list(Decoder::bytes)?,
            environment: decoder.list(Decoder::bytes)?,
            files: decoder.list(|decoder| Some((decoder.bytes()?, decode_entry(decoder)?)))?,
            memory: decode_memory(decoder)?,
            addresses: match decoder.number()? {
                0 => Addresses::Fixed,
                _ => Addresses::Random,
            },
            traced: decoder.number()? != 0,
            forked: decoder.number()? != 0,
            limits: decode_limits(decoder)?,
        })
    }
}

fn encode_entry(encoder: &mut Encoder, entry: &Entry) {
    match entry {
        Entry::File { data, executable: false } => encoder.number(0).bytes(data),
        Entry::File { data, executable: true } => encoder.number(1).bytes(data),
        Entry::Symlink(target) => encoder.number(2).bytes(target),
        Entry::Directory => encoder.number(3),
    };
}

fn decode_entry(decoder: &mut Decoder) -> Option<Entry> {
    match decoder.number()? {
        0 => Some(Entry::File { data: decoder.bytes()?, executable: false }),
        1 => Some(Entry::File { data: decoder.bytes()?, executable: true }),
        2 => decoder.bytes().map(Entry::Symlink),
        3 => Some(Entry::Directory),
        _ => None,
    }
}

fn encode_memory(encoder: &mut Encoder, memory: MemoryLimit) {
    match memory {
        MemoryLimit::AddressSpace(bytes) => encoder.number(0).number(bytes),
        MemoryLimit::Resident(bytes) => encoder.number(1).number(bytes),
    };
}

fn decode_memory(decoder: &mut Decoder) -> Option<MemoryLimit> {
    match decoder.number()? {
        0 => decoder.number().map(MemoryLimit::AddressSpace),
        1 => decoder.number().map(MemoryLimit::Resident),
        _ => None,
    }
}

fn encode_limits(encoder: &mut Encoder, limits: &Limits) {
    let nanoseconds = u64::try_from(limits.time.as_nanos()).unwrap_or(u64::MAX);
    encoder.number(nanoseconds).number(limits.keep).number(limits.output).number(limits.disk);
    encoder.number(limits.processes.into()).number(limits.open_files.into());
}

fn decode_limits(decoder: &mut Decoder) -> Option<Limits> {
    Some(Limits {
        time: Duration::from_nanos(decoder.number()?),
        keep: decoder.number()?,
        output: decoder.number()?,
        disk: decoder.number()?,
        processes: u32::try_from(decoder.number()?).ok()?,
        open_files: u32::try_from(decoder.number()?).ok()?,
    })
}

fn absolute(program: &Path) -> Result<Vec<u8>, RunError> {
    let path = std::path::absolute(program)
        .map_err(|source| RunError::Execute { program: program.to_owned(), source })?;
    let path = path.into_os_string().into_vec();
    no_nul("the program's path", &path)?;
    Ok(path)
}

/// The directories in which programs are found, after that of the subject.
const PATH: &[u8] = b"/usr/local/bin:/usr/bin:/bin";

/// The fixed environment, below that of the subject, below that of the test.
fn environment(subject: &Subject, test: &TestCase, home: &Home) -> Result<Vec<Vec<u8>>, RunError> {
    let path = [&home.names[..], PATH].join(&b':');
    let path = path.strip_prefix(b":").unwrap_or(&path);
    let mut variables: BTreeMap<&[u8], &[u8]> = BTreeMap::from([
        (&b"PATH"[..], path),
        (b"LC_ALL", b"C"),
        (b"LANG", b"C"),
        (b"TZ", b"UTC"),
        (b"HOME", &home.work),
        (b"TMPDIR", &home.work),
        (b"PWD", &home.work),
    ]);
    let libraries = library_path(subject);
    if !libraries.is_empty() {
        variables.insert(b"LD_LIBRARY_PATH", &libraries);
    }
    variables.extend(subject.env.iter().map(|(name, value)| (&name[..], &value[..])));
    variables.extend(test.env.iter().map(|(name, value)| (&name[..], &value[..])));
    variables.into_iter().map(|(name, value)| variable(name, value)).collect()
}

fn library_path(subject: &Subject) -> Vec<u8> {
    let directories = subject
        .library_path
        .iter()
        .map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()).into_os_string());
    let directories: Vec<_> = directories.collect();
    directories.iter().map(|path| path.as_bytes()).collect::<Vec<_>>().join(&b':')
}

fn variable(name: &[u8], value: &[u8]) -> Result<Vec<u8>, RunError> {
    no_nul("an environment variable", name)?;
    no_nul("an environment variable", value)?;
    if name.is_empty() || name.contains(&b'=') {
        let name = name.escape_ascii();
        return Err(RunError::LayOut(format!("`{name}` cannot name an environment variable")));
    }
    Ok([name, b"=", value].concat())
}

fn no_nul(what: &str, bytes: &[u8]) -> Result<(), RunError> {
    if bytes.contains(&0) {
        let bytes = bytes.escape_ascii();
        return Err(RunError::LayOut(format!("{what} holds a NUL byte: `{bytes}`")));
    }
    Ok(())
}

/// Every path must stay below the working directory, and below directories of the test itself: a
/// file that lies "in" a link would be written where the link points.
fn check_files(files: &BTreeMap<Vec<u8>, Entry>) -> Result<(), RunError> {
    for (path, entry) in files {
        no_nul("a file's path", path)?;
        if let Entry::Symlink(target) = entry {
            no_nul("a link's target", target)?;
        }
        if !path.split(|&byte| byte == b'/').all(is_plain) || path.len() >= libc::PATH_MAX as usize
        {
            let path = path.escape_ascii();
            return Err(RunError::LayOut(format!("`{path}` is not a plain relative path")));
        }
        if let Some(parent) = parents(path).find(|parent| blocks(files.get(*parent))) {
            let (path, parent) = (path.escape_ascii(), parent.escape_ascii());
            let message = format!("`{path}` lies in `{parent}`, which is no directory");
            return Err(RunError::LayOut(message));
        }
    }
    Ok(())
}

/// The inputs of a test count towards the disk it may fill.
fn check_size(files: &BTreeMap<Vec<u8>, Entry>, most: u64) -> Result<(), RunError> {
    let sizes = files.values().map(|entry| match entry {
        Entry::File { data, .. } => data.len() as u64,
        Entry::Symlink(_) | Entry::Directory => 0,
    });
    match sizes.sum::<u64>() {
        size if size > most => Err(RunError::LayOut(format!(
            "its files hold {size} bytes, and {most} are the most a run may write"
        ))),
        _ => Ok(()),
    }
}

fn is_plain(component: &[u8]) -> bool {
    !matches!(component, b"" | b"." | b"..") && component.len() <= 255
}

fn blocks(entry: Option<&Entry>) -> bool {
    !matches!(entry, None | Some(Entry::Directory))
}

/// The directories above a relative path, from the top.
pub(super) fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.map(|(index, _)| &path[..index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> Subject {
        Subject {
            program: "/bin/true".into(),
            name: b"true".to_vec(),
            library_path: vec!["/lib/a".into(), "/lib/b".into()],
            env: vec![(b"LANG".to_vec(), b"subject".to_vec())],
            memory: MemoryLimit::Resident(1 << 20),
            addresses: Default::default(),
            forks: false,
        }
    }

    fn home() -> Home {
        Home { work: b"/home".to_vec(), names: b"/names".to_vec() }
    }

    fn with_files(files: &[(&str, Entry)]) -> Result<Request, RunError> {
        let files = files.iter().map(|(path, entry)| (path.as_bytes().to_vec(), entry.clone()));
        let test = TestCase { files: files.collect(), ..TestCase::default() };
        Request::new(&subject(), &test, &Limits::default(), &home())
    }

    #[test]
    fn a_request_survives_the_journey() {
        let file = |executable| Entry::File { data: b"x\0".to_vec(), executable };
        let request = with_files(&[
            ("a", file(false)),
            ("b", file(true)),
            ("c", Entry::Symlink(b"a".to_vec())),
            ("d", Entry::Directory),
        ]);
        let request = request.unwrap();
        assert_eq!(Request::decode(&request.encode()).as_ref(), Some(&request));
        let request = request.traced();
        assert_eq!(Request::decode(&request.encode()), Some(request));
    }

    #[test]
    fn paths_that_leave_the_working_directory_are_refused() {
        for path in ["", "/a", "..", "a/../b", "a//b", "a/", "./a", "a/.", "a\0b"] {
            assert!(with_files(&[(path, Entry::Directory)]).is_err(), "{path}");
        }
        let link = Entry::Symlink(b"/etc".to_vec());
        assert!(with_files(&[("a", link), ("a/b/c", Entry::Directory)]).is_err());
        assert!(with_files(&[("a", Entry::Directory), ("a/b/c", Entry::Directory)]).is_ok());
    }

    #[test]
    fn the_environment_of_the_test_goes_above_the_subjects() {
        let mut test = TestCase::default();
        test.env.insert(b"TZ".to_vec(), b"test".to_vec());
        let environment = environment(&subject(), &test, &home()).unwrap();
        let environment: Vec<_> =
            environment.iter().map(|bytes| str::from_utf8(bytes).unwrap()).collect();
        assert_eq!(
            environment.join(" "),
            "HOME=/home LANG=subject LC_ALL=C LD_LIBRARY_PATH=/lib/a:/lib/b \
             PATH=/names:/usr/local/bin:/usr/bin:/bin PWD=/home TMPDIR=/home TZ=test"
        );
        test.env.insert(b"A=B".to_vec(), b"".to_vec());
        assert!(super::environment(&subject(), &test, &home()).is_err());
    }
}
