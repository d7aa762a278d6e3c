//! The messages between Parallax and a lab's server, and their encoding as bytes.
//!
//! Both ends are the same build of the same program, so there is no version and no schema: numbers
//! are 8 bytes, strings are a length and bytes. A message that does not decode means a dead lab.

use std::{
    collections::BTreeMap,
    io,
    os::fd::{AsRawFd, BorrowedFd, OwnedFd},
};

use super::{request::Home, sys};
use crate::{Captured, Contents, Ending, FileChange, FileState, Observation};

/// The first message of a server.
#[derive(Debug)]
pub(super) enum Hello {
    Ready { home: Home, addresses_are_fixed: bool, missing: Vec<String> },
    Failed(String),
}

/// The answer to a request.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// The observation, and the programs that the run tried to start and that do not exist.
    Observed(Observation, Vec<Vec<u8>>),
    NotExecuted(i32),
    NotLaidOut(String),
    NotConfined(String),
    NotHandedOver(String),
}

/// Sends one message. Its length goes in the same piece, or the receiver would wake up twice.
pub(super) fn send(socket: &OwnedFd, message: &[u8]) -> io::Result<()> {
    sys::send_all(socket.as_raw_fd(), &with_length(message))
}

/// Sends one message and another name of an open file.
pub(super) fn send_with(socket: &OwnedFd, message: &[u8], file: BorrowedFd) -> io::Result<()> {
    let bytes = with_length(message);
    let sent = sys::send_with(socket.as_raw_fd(), &bytes, &[file])?;
    sys::send_all(socket.as_raw_fd(), &bytes[sent..])
}

fn with_length(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u64).to_le_bytes(), message].concat()
}

/// Receives one message; `None` if the other end has closed the socket.
pub(super) fn receive(socket: &OwnedFd) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match fill(socket, &mut length)? {
        true => receive_rest(socket, length),
        false => Ok(None),
    }
}

/// The same with the file, if one came along and could be taken.
pub(super) fn receive_with(socket: &OwnedFd) -> io::Result<Option<(Vec<u8>, Option<OwnedFd>)>> {
    let mut length = [0; 8];
    let (count, file) = sys::receive_with(socket.as_raw_fd(), &mut length)?;
    if count == 0 || !fill(socket, &mut length[count..])? {
        return Ok(None);
    }
    Ok(receive_rest(socket, length)?.map(|message| (message, file)))
}

fn receive_rest(socket: &OwnedFd, length: [u8; 8]) -> io::Result<Option<Vec<u8>>> {
    let mut message = vec![0; u64::from_le_bytes(length) as usize];
    Ok(fill(socket, &mut message)?.then_some(message))
}

fn fill(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        match sys::read(socket.as_raw_fd(), &mut buffer[filled..])? {
            0 => return Ok(false),
            count => filled += count,
        }
    }
    Ok(true)
}

/// Writes a message.
#[derive(Default)]
pub(super) struct Encoder(Vec<u8>);

impl Encoder {
    pub(super) fn number(&mut self, number: u64) -> &mut Encoder {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Encoder {
        self.number(bytes.len() as u64).0.extend(bytes);
        self
    }

    pub(super) fn list<T>(&mut self, list: &[T], each: impl Fn(&mut Encoder, &T)) -> &mut Encoder {
        self.number(list.len() as u64);
        list.iter().for_each(|item| each(self, item));
        self
    }

    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// Reads a message; `None` if it ends too early or makes no sense.
pub(super) struct Decoder<'a>(pub(super) &'a [u8]);

impl Decoder<'_> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub(super) fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn list<T>(&mut self, each: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| each(self)).collect()
    }
}

impl Hello {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Hello::Ready { home, addresses_are_fixed, missing } => encoder
                .number(0)
                .number(u64::from(*addresses_are_fixed))
                .bytes(&home.work)
                .bytes(&home.names)
                .list(missing, |encoder, sentence| {
                    encoder.bytes(sentence.as_bytes());
                }),
            Hello::Failed(why) => encoder.number(1).bytes(why.as_bytes()),
        }
        .finish()
    }

    pub(super) fn decode(message: &[u8]) -> Option<Hello> {
        let mut decoder = Decoder(message);
        match decoder.number()? {
            0 => {
                let addresses_are_fixed = decoder.number()? != 0;
                let home = Home { work: decoder.bytes()?, names: decoder.bytes()? };
                let missing = decoder.list(Decoder::text)?;
                Some(Hello::Ready { home, addresses_are_fixed, missing })
            }
            1 => Some(Hello::Failed(decoder.text()?)),
            _ => None,
        }
    }
}

impl Answer {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Answer::Observed(observation, absent) => {
                encode_observation(encoder.number(0), observation);
                encoder.number(absent.len() as u64);
                absent.iter().for_each(|name| {
                    encoder.bytes(name);
                });
                &mut encoder
            }
            Answer::NotExecuted(errno) => encoder.number(1).number(*errno as u64),
            Answer::NotLaidOut(why) => encoder.number(2).bytes(why.as_bytes()),
            Answer::NotConfined(why) => encoder.number(3).bytes(why.as_bytes()),
            Answer::NotHandedOver(why) => encoder.number(4).bytes(why.as_bytes()),
        }
        .finish()
    }

    pub(super) fn decode(message: &[u8]) -> Option<Answer> {
        let mut decoder = Decoder(message);
        match decoder.number()? {
            0 => {
                let observation = decode_observation(&mut decoder)?;
                Some(Answer::Observed(observation, decoder.list(Decoder::bytes)?))
            }
            1 => Some(Answer::NotExecuted(decoder.number()? as i32)),
            2 => Some(Answer::NotLaidOut(decoder.text()?)),
            3 => Some(Answer::NotConfined(decoder.text()?)),
            4 => Some(Answer::NotHandedOver(decoder.text()?)),
            _ => None,
        }
    }
}

fn encode_observation(encoder: &mut Encoder, observation: &Observation) {
    encode_ending(encoder, observation.ending);
    encode_captured(encoder, &observation.stdout);
    encode_captured(encoder, &observation.stderr);
    encoder.number(observation.files.len() as u64);
    for (path, change) in &observation.files {
        encode_change(encoder.bytes(path), change);
    }
}

fn decode_observation(decoder: &mut Decoder) -> Option<Observation> {
    Some(Observation {
        ending: decode_ending(decoder)?,
        stdout: decode_captured(decoder)?,
        stderr: decode_captured(decoder)?,
        files: BTreeMap::from_iter(
            decoder.list(|decoder| Some((decoder.bytes()?, decode_change(decoder)?)))?,
        ),
    })
}

fn encode_ending(encoder: &mut Encoder, ending: Ending) {
    let (kind, value) = match ending {
        Ending::Exit(status) => (0, status),
        Ending::Signal(signal) => (1, signal),
        Ending::TimeLimit => (2, 0),
        Ending::MemoryLimit => (3, 0),
        Ending::OutputLimit => (4, 0),
    };
    encoder.number(kind).number(value as u64);
}

fn decode_ending(decoder: &mut Decoder) -> Option<Ending> {
    let (kind, value) = (decoder.number()?, decoder.number()? as i32);
    match kind {
        0 => Some(Ending::Exit(value)),
        1 => Some(Ending::Signal(value)),
        2 => Some(Ending::TimeLimit),
        3 => Some(Ending::MemoryLimit),
        4 => Some(Ending::OutputLimit),
        _ => None,
    }
}

fn encode_captured(encoder: &mut Encoder, captured: &Captured) {
    encoder.bytes(&captured.bytes).number(captured.total).number(captured.rest);
}

fn decode_captured(decoder: &mut Decoder) -> Option<Captured> {
    Some(Captured { bytes: decoder.bytes()?, total: decoder.number()?, rest: decoder.number()? })
}

fn encode_change(encoder: &mut Encoder, change: &FileChange) {
    match change {
        FileChange::Created(state) => encode_state(encoder.number(0), state),
        FileChange::Changed(state) => encode_state(encoder.number(1), state),
        FileChange::Removed => {
            encoder.number(2);
        }
    }
}

fn decode_change(decoder: &mut Decoder) -> Option<FileChange> {
    match decoder.number()? {
        0 => decode_state(decoder).map(FileChange::Created),
        1 => decode_state(decoder).map(FileChange::Changed),
        2 => Some(FileChange::Removed),
        _ => None,
    }
}

fn encode_state(encoder: &mut Encoder, state: &FileState) {
    encoder.number(state.mode.into());
    match &state.contents {
        Contents::File(captured) => encode_captured(encoder.number(0), captured),
        Contents::Symlink(target) => {
            encoder.number(1).bytes(target);
        }
        Contents::Directory => {
            encoder.number(2);
        }
        Contents::Special => {
            encoder.number(3);
        }
    }
}

fn decode_state(decoder: &mut Decoder) -> Option<FileState> {
    let mode = u32::try_from(decoder.number()?).ok()?;
    let contents = match decoder.number()? {
        0 => decode_captured(decoder).map(Contents::File),
        1 => decoder.bytes().map(Contents::Symlink),
        2 => Some(Contents::Directory),
        3 => Some(Contents::Special),
        _ => None,
    };
    Some(FileState { contents: contents?, mode })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_observation_survives_the_journey() {
        let file = Captured { bytes: b"ab".to_vec(), total: 7, rest: u64::MAX - 1 };
        let state = |contents, mode| FileState { contents, mode };
        let link = Contents::Symlink(b"a".to_vec());
        let files = [
            (b"a".to_vec(), FileChange::Created(state(Contents::File(file.clone()), 0o4711))),
            (b"b\xff".to_vec(), FileChange::Changed(state(link, 0o777))),
            (b"c".to_vec(), FileChange::Created(state(Contents::Directory, 0))),
            (b"d".to_vec(), FileChange::Created(state(Contents::Special, 0o600))),
            (b"e".to_vec(), FileChange::Removed),
        ];
        for ending in [Ending::Exit(-1), Ending::Signal(11), Ending::TimeLimit] {
            let observation = Observation {
                ending,
                stdout: file.clone(),
                stderr: Captured::default(),
                files: BTreeMap::from(files.clone()),
            };
            let answer = Answer::Observed(observation, vec![b"cc1".to_vec()]);
            assert_eq!(Answer::decode(&answer.encode()), Some(answer));
        }
    }

    #[test]
    fn a_message_that_is_cut_off_does_not_decode() {
        let message = Answer::NotLaidOut("too deep".to_owned()).encode();
        for length in 0..message.len() {
            assert_eq!(Answer::decode(&message[..length]), None);
        }
    }
}
