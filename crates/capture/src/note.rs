//! Notes that a build leaves in its outputs for us to find, one JSON line each.
//!
//! Text, so that `readelf -p .parallax prog` shows it and so that the linker may concatenate the
//! notes of any number of objects. Paths that are not UTF-8 are percent-encoded.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One translation unit that went into an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unit {
    /// The source, as an absolute path.
    #[serde(with = "encoded")]
    pub source: PathBuf,
    /// The store that holds its bitcode.
    #[serde(with = "encoded")]
    pub store: PathBuf,
    /// Its bitcode, by content, or the reason why there is none.
    pub bitcode: Result<String, String>,
    /// The native object, kept where there is no bitcode to make it from again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The digest of the assembler text that carries this note, if it went through `-S`: text that
    /// was edited since no longer matches the bitcode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<String>,
}

/// The link of an executable or a shared library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkNote {
    /// The directory in which the linker ran.
    #[serde(with = "encoded")]
    pub directory: PathBuf,
    /// Whether it was linked as C++.
    pub cxx: bool,
    /// The words of the link without sources and output.
    #[serde(with = "encoded_words")]
    pub words: Vec<OsString>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Note {
    Unit(Unit),
    Link(LinkNote),
}

/// The notes in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    pub(crate) units: Vec<Unit>,
    pub(crate) link: Option<LinkNote>,
}

impl Notes {
    /// Writes the notes as the contents of a section.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let units = self.units.iter().cloned().map(Note::Unit);
        let mut bytes = Vec::new();
        for note in units.chain(self.link.clone().map(Note::Link)) {
            bytes.extend(serde_json::to_vec(&note).expect("notes hold only strings"));
            bytes.push(b'\n');
        }
        bytes
    }

    /// Reads the contents of one or several sections; linkers may pad between them with zeros.
    ///
    /// The last link is the one that made the file: earlier ones come from `ld -r`.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        for line in bytes.split(|byte| matches!(byte, b'\n' | 0)) {
            match serde_json::from_slice(line) {
                Ok(Note::Unit(unit)) => self.units.push(unit),
                Ok(Note::Link(link)) => self.link = Some(link),
                _ => {}
            }
        }
    }
}

fn encode(bytes: &[u8]) -> String {
    let plain = std::str::from_utf8(bytes).ok().filter(|text| !text.contains(['%', '\0']));
    plain.map_or_else(
        || {
            let hex = bytes.iter().map(|&byte| match byte {
                b'%' | 0 | 0x80.. => format!("%{byte:02x}"),
                plain => char::from(plain).to_string(),
            });
            hex.collect()
        },
        str::to_string,
    )
}

fn decode(text: &str) -> OsString {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| byte == b'%');
        let coded = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(coded.unwrap_or(byte));
        rest = if coded.is_some() { &tail[2..] } else { tail };
    }
    OsString::from_vec(bytes)
}

mod encoded {
    use super::*;

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(path.as_os_str().as_bytes()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(PathBuf::from(decode(&String::deserialize(from)?)))
    }
}

mod encoded_words {
    use super::*;

    pub(super) fn serialize<S: Serializer>(words: &[OsString], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(words.iter().map(|word: &OsString| encode(OsStr::as_bytes(word))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<OsString>, D::Error> {
        Ok(Vec::<String>::deserialize(from)?.iter().map(|word| decode(word)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(source: &[u8]) -> Unit {
        Unit {
            source: OsStr::from_bytes(source).into(),
            store: "/store".into(),
            bitcode: Err("assembler".into()),
            object: Some("00".into()),
            assembly: None,
        }
    }

    #[test]
    fn notes_survive_concatenation_padding_and_odd_names() {
        let first =
            Notes { units: vec![unit(b"a\n%41\xff.c"), unit("ä.c".as_bytes())], link: None };
        let link = LinkNote { directory: "/d".into(), cxx: false, words: vec!["-l\u{e9}".into()] };
        let second = Notes { units: vec![unit(b"b.s")], link: Some(link) };
        let bytes = [first.to_bytes(), vec![0; 5], second.to_bytes()].concat();
        let mut read = Notes::default();
        read.read(&bytes);
        assert_eq!(read.units, [first.units, second.units].concat());
        assert_eq!(read.link, second.link);
    }
}
