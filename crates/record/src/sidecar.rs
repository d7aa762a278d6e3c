//! The sidecar: a file beside the recorder with its instructions.
//!
//! Instructions are not environment variables: a suite is free to clear those (`env -i`), and the
//! program must not see ours. The fields end with a zero byte, which no path and no environment
//! entry can hold. The recording keeps the file locked, so a lock that can be had means that the
//! recording is dead, or that the file is a copy: it names its program, and only beside that is it
//! the recording's.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::environment::Environment;
use crate::sys::{self, Lock};

const FORMAT: &[u8] = b"parallax-record 2";

/// The file beside the recorder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sidecar {
    /// The program whose place the recorder takes.
    pub(crate) program: PathBuf,
    /// The recorder's contents, to tell it from a program that was built meanwhile.
    pub(crate) recorder: Digest,
    /// The directory that the monitors write to, see [`crate::journal::Journal`].
    pub(crate) state: PathBuf,
    /// The directory for the tests.
    pub(crate) out: PathBuf,
    /// The environment the suite was started in.
    pub(crate) baseline: Environment,
}

impl Sidecar {
    /// Reads the sidecar at `path`.
    pub(crate) fn read(path: &Path) -> io::Result<Sidecar> {
        Sidecar::decode(&std::fs::read(path)?)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "not a recording's file"))
    }

    /// Creates the sidecar at `path`, locked for as long as the file returned is open.
    pub(crate) fn create(&self, path: &Path) -> io::Result<File> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        sys::try_lock(&file, Lock::Exclusive)?;
        file.write_all(&self.encode())?;
        Ok(file)
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let digest = self.recorder.to_string();
        let paths = [&self.program, &self.state, &self.out].map(|path| path.as_os_str().as_bytes());
        for field in [FORMAT, digest.as_bytes()].into_iter().chain(paths) {
            bytes.extend_from_slice(field);
            bytes.push(0);
        }
        for (name, value) in &self.baseline {
            bytes.extend([name.as_slice(), b"=", value, b"\0"].concat());
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Sidecar> {
        let mut fields = bytes.strip_suffix(b"\0")?.split(|&byte| byte == 0);
        if fields.next()? != FORMAT {
            return None;
        }
        let recorder = Digest::parse(fields.next()?)?;
        let mut path = || Some(PathBuf::from(OsString::from_vec(fields.next()?.to_vec())));
        let (program, state, out) = (path()?, path()?, path()?);
        let baseline = fields.filter_map(split_entry).collect::<BTreeMap<_, _>>();
        Some(Sidecar { program, recorder, state, out, baseline })
    }
}

/// Takes over the sidecar of a recording that is dead; `None` while that recording lives.
pub(crate) fn take_over(path: &Path, wait: Duration) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    Ok(sys::lock_within(&file, Lock::Exclusive, wait)?.then_some(file))
}

/// A file's contents in sixteen bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest {
    length: u64,
    hash: u64,
}

impl Digest {
    /// The digest of some contents.
    pub(crate) fn of(bytes: &[u8]) -> Digest {
        // FNV-1a: the same on every machine and in every release, unlike the standard hasher.
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Digest { length: bytes.len() as u64, hash }
    }

    /// Whether the file at `path` has these contents.
    pub(crate) fn matches(self, path: &Path) -> bool {
        let same_length = path.metadata().is_ok_and(|metadata| metadata.len() == self.length);
        same_length && std::fs::read(path).is_ok_and(|bytes| Digest::of(&bytes) == self)
    }

    /// A short name for the contents.
    pub(crate) fn name(self) -> String {
        format!("{:016x}", self.hash)
    }

    fn parse(text: &[u8]) -> Option<Digest> {
        let (length, hash) = std::str::from_utf8(text).ok()?.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        Some(Digest { length: number(length)?, hash: number(hash)? })
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x}-{:016x}", self.length, self.hash)
    }
}

fn split_entry(entry: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let equals = entry.iter().position(|&byte| byte == b'=')?;
    Some((entry[..equals].to_vec(), entry[equals + 1..].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sidecar(baseline: &[(&str, &str)]) -> Sidecar {
        Sidecar {
            program: "/tmp/program".into(),
            recorder: Digest::of(b"recorder"),
            state: "/tmp/a state".into(),
            out: "/tmp/out\n".into(),
            baseline: baseline.iter().map(|&(n, v)| (n.into(), v.into())).collect(),
        }
    }

    #[test]
    fn reads_what_it_wrote() {
        for baseline in [&[][..], &[("A", ""), ("B", "x=y\nz")]] {
            let sidecar = sidecar(baseline);
            assert_eq!(Sidecar::decode(&sidecar.encode()), Some(sidecar));
        }
    }

    #[test]
    fn refuses_what_is_cut_short_or_foreign() {
        let bytes = sidecar(&[]).encode();
        assert_eq!(Sidecar::decode(&bytes[..bytes.len() - 20]), None);
        assert_eq!(Sidecar::decode(b"something else\0"), None);
        assert_eq!(Sidecar::decode(b""), None);
    }

    #[test]
    fn a_digest_tells_contents_apart() {
        assert_ne!(Digest::of(b"a"), Digest::of(b"b"));
        assert_eq!(Digest::parse(Digest::of(b"a").to_string().as_bytes()), Some(Digest::of(b"a")));
    }
}
