//! A comparison as JSON, for programs.
//!
//! The types here are the contract; the internal types can change without breaking scripts. Bytes
//! are a string if they are text and `{ "hex": "…" }` if they are not, as in a test case, so
//! nothing is lost. Names of files can be bytes too, so files are a list and not an object.

use parallax_compare::{Compared, Comparison, Difference, Masked, Outcome, Verdict};
use parallax_run::{Captured, FileChange};
use serde::Serialize;

use crate::{details::version_name, ending::signal_name, visible::harmless};

/// The comparison as a JSON document that ends in a newline.
pub fn to_json(comparison: &Comparison) -> String {
    text(&Document::from(comparison))
}

/// A document as text that ends in a newline.
pub(crate) fn text(document: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(document);
    ascii_where_hidden(json.expect("strings, numbers and lists can always be JSON")) + "\n"
}

/// The same JSON with every character escaped that a terminal may obey or that cannot be seen. JSON has such
/// characters in strings only.
fn ascii_where_hidden(json: String) -> String {
    if harmless(&json) == json {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if harmless(c.encode_utf8(&mut [0; 4])).len() == c.len_utf8() {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped += &format!("\\u{unit:04x}");
            }
        }
    }
    escaped
}

/// The result of `parallax compare`.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// The version of this format.
    pub schema: u32,
    /// The verb: `compare`.
    pub verb: &'static str,
    /// `different`, `same`, or `trouble` if nothing was found and not all tests could be run.
    pub verdict: &'static str,
    /// Number of tests with each outcome.
    pub counts: Counts,
    /// All tests, in the order of the suite.
    pub tests: Vec<Test>,
}

/// Number of tests with each outcome.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Counts {
    /// Tests on which nothing tells the versions apart.
    pub same: usize,
    /// Tests that tell the versions apart.
    pub different: usize,
    /// Tests that could not be run, or not for long enough to tell.
    pub trouble: usize,
    /// Tests that there was no time for.
    pub out_of_time: usize,
}

/// The outcome of one test.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// `same`, `different`, `trouble` or `out of time`.
    pub outcome: &'static str,
    /// The test case, as the text of a TOML file.
    pub test: String,
    /// The aspects in which the versions differ: `stdout`, `stderr`, `exit` (however it ended),
    /// `files`.
    pub differs_in: Vec<&'static str>,
    /// The aspects that varied from run to run, in the same words, and were not compared, or only
    /// in part.
    pub masked: Vec<&'static str>,
    /// For each masked part, the known reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Noise>,
    /// The files that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differing_files: Vec<Bytes>,
    /// The observation of *old*, if the versions differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Observation>,
    /// The observation of *new*, if the versions differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Observation>,
    /// The reason why it could not be run, or not for long enough to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// The known reasons for a masked part.
#[derive(Clone, Debug, Serialize)]
pub struct Noise {
    /// The part, in the same words.
    pub aspect: &'static str,
    /// The versions whose own runs vary in it: `old`, `new`. Neither, if the bytes beyond the kept
    /// ones differ, and may be ones to ignore.
    pub varies_in: Vec<&'static str>,
    /// The endings that were seen, if the ending varies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<Ending>,
}

/// The observation of one run.
#[derive(Clone, Debug, Serialize)]
pub struct Observation {
    /// Its ending.
    pub ending: Ending,
    /// Its standard output.
    pub stdout: Contents,
    /// Its standard error.
    pub stderr: Contents,
    /// Its changes to files, by path.
    pub files: Vec<File>,
}

/// The ending of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With this exit status.
    Exit(i32),
    /// By this signal.
    Signal(Signal),
    /// At a limit: `time`, `memory` or `output`.
    Limit(&'static str),
}

/// A signal.
#[derive(Clone, Debug, Serialize)]
pub struct Signal {
    /// Its number.
    pub number: i32,
    /// Its name, such as `SIGSEGV`.
    pub name: String,
}

/// Bytes of which only the first may be kept.
#[derive(Clone, Debug, Serialize)]
pub struct Contents {
    /// The kept bytes.
    pub kept: Bytes,
    /// The number of all bytes.
    pub total: u64,
    /// A digest of the bytes that were not kept, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

/// Text, or bytes that are not text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Bytes {
    /// Text.
    Text(String),
    /// Any other bytes, in hexadecimal digits.
    Hex {
        /// Two digits for each byte.
        hex: String,
    },
}

/// The change of one path of the working directory.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    /// The path.
    pub path: Bytes,
    /// `created`, `changed` or `removed`.
    pub change: &'static str,
    /// The kind of the entry that is there now: `file`, `symlink`, `directory` or `special`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Its permission bits, in octal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The contents of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contents: Option<Contents>,
    /// The target of a symbolic link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Bytes>,
}

impl From<&Comparison> for Document {
    fn from(comparison: &Comparison) -> Document {
        let summary = comparison.summary();
        Document {
            schema: 1,
            verb: "compare",
            verdict: match comparison.verdict() {
                Verdict::Same => "same",
                Verdict::Different => "different",
                Verdict::Trouble => "trouble",
            },
            counts: Counts {
                same: summary.same,
                different: summary.different,
                trouble: summary.trouble,
                out_of_time: summary.out_of_time,
            },
            tests: comparison.tests.iter().map(Test::from).collect(),
        }
    }
}

impl From<&Compared> for Test {
    fn from(compared: &Compared) -> Test {
        let masked = compared.masked.iter().map(|masked| masked.aspect.name()).collect();
        let test = Test {
            name: compared.name.clone(),
            outcome: "same",
            test: compared.case.to_toml(),
            differs_in: Vec::new(),
            masked,
            noise: compared.masked.iter().map(Noise::from).collect(),
            differing_files: Vec::new(),
            old: None,
            new: None,
            trouble: None,
        };
        match &compared.outcome {
            Outcome::Same => test,
            Outcome::Different(difference) => test.with_difference(difference),
            Outcome::Trouble(why) => {
                Test { outcome: "trouble", trouble: Some(format!("failed to {why}")), ..test }
            }
            Outcome::OutOfTime { .. } => Test { outcome: "out of time", ..test },
        }
    }
}

impl Test {
    fn with_difference(self, difference: &Difference) -> Test {
        Test {
            outcome: "different",
            differs_in: difference.differs_in.iter().map(|aspect| aspect.name()).collect(),
            differing_files: difference.files.iter().map(|path| Bytes::new(path)).collect(),
            old: Some(Observation::from(&difference.old)),
            new: Some(Observation::from(&difference.new)),
            ..self
        }
    }
}

impl From<&Masked> for Noise {
    fn from(masked: &Masked) -> Noise {
        Noise {
            aspect: masked.aspect.name(),
            varies_in: masked.varies_in.iter().copied().map(version_name).collect(),
            endings: masked.endings.iter().copied().map(Ending::from).collect(),
        }
    }
}

impl From<&parallax_run::Observation> for Observation {
    fn from(observation: &parallax_run::Observation) -> Observation {
        Observation {
            ending: Ending::from(observation.ending),
            stdout: Contents::from(&observation.stdout),
            stderr: Contents::from(&observation.stderr),
            files: observation.files.iter().map(|(path, change)| File::new(path, change)).collect(),
        }
    }
}

impl From<parallax_run::Ending> for Ending {
    fn from(ending: parallax_run::Ending) -> Ending {
        match ending {
            parallax_run::Ending::Exit(status) => Ending::Exit(status),
            parallax_run::Ending::Signal(number) => {
                Ending::Signal(Signal { number, name: signal_name(number) })
            }
            parallax_run::Ending::TimeLimit => Ending::Limit("time"),
            parallax_run::Ending::MemoryLimit => Ending::Limit("memory"),
            parallax_run::Ending::OutputLimit => Ending::Limit("output"),
        }
    }
}

impl From<&Captured> for Contents {
    fn from(captured: &Captured) -> Contents {
        let all_kept = captured.total == captured.bytes.len() as u64;
        Contents {
            kept: Bytes::new(&captured.bytes),
            total: captured.total,
            rest: (!all_kept).then(|| format!("{:016x}", captured.rest)),
        }
    }
}

impl Bytes {
    /// Text if the bytes are UTF-8, hexadecimal digits if not.
    pub fn new(bytes: &[u8]) -> Bytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::Text(String::from(text)),
            Err(_) => Bytes::Hex { hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect() },
        }
    }
}

impl File {
    fn new(path: &[u8], change: &FileChange) -> File {
        use parallax_run::Contents as Left;
        let happened = match change {
            FileChange::Created(_) => "created",
            FileChange::Changed(_) => "changed",
            FileChange::Removed => "removed",
        };
        let state = change.state();
        let (kind, target) = match state.map(|state| &state.contents) {
            None => (None, None),
            Some(Left::File(_)) => (Some("file"), None),
            Some(Left::Symlink(target)) => (Some("symlink"), Some(Bytes::new(target))),
            Some(Left::Directory) => (Some("directory"), None),
            Some(Left::Special) => (Some("special"), None),
        };
        File {
            path: Bytes::new(path),
            change: happened,
            kind,
            mode: state.map(|state| format!("{:04o}", state.mode)),
            contents: change.captured().map(Contents::from),
            target,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn the_format_is_a_contract() {
        let json = to_json(&fixture::comparison());
        fixture::check("comparison.json", &json);
    }

    #[test]
    fn bytes_are_text_where_they_can_be() {
        assert_eq!(Bytes::new("é\0".as_bytes()), Bytes::Text(String::from("é\0")));
        assert_eq!(Bytes::new(b"\xff\x01"), Bytes::Hex { hex: String::from("ff01") });
    }
}
