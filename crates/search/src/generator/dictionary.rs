//! Tests with tokens of the dictionary, each wherever there is a word.
//!
//! A keyword that is looked for in one place may mean something in another, and a solver is only asked
//! for it where the program compares.

use std::sync::Arc;

use parallax_run::TestCase;

use super::{Generator, Quota, Room, Round, together};
use crate::{
    knowledge::{Knowledge, Observed},
    splice::{Place, text_at, texts},
    worker::Job,
};

/// The most places of a test that are tried.
const MOST_PLACES: usize = 24;

/// Puts tokens into tests: those that were learnt, then the names in the program.
#[derive(Default)]
pub(crate) struct Dictionary {
    learnt: Substitutions,
    names: Substitutions,
}

impl Generator for Dictionary {
    fn name(&self) -> &'static str {
        "dictionary"
    }

    fn purpose(&self) -> &'static str {
        "puts tokens of the program wherever there is a word"
    }

    fn quota(&self) -> Quota {
        Quota { even: 48.0, bounds: 16..=256, room: Room::Unsolved(4) }
    }

    fn observe(&mut self, Observed { test, discovery, .. }: &Observed<'_>, _: &Knowledge) {
        if discovery.is_kept() {
            self.names.add(test);
        }
        // What a library function reads may be what belongs to a word.
        if discovery.is_kept() || discovery.is_first && discovery.novelty.targets > 0 {
            self.learnt.add(test);
        }
    }

    fn propose(&mut self, quota: usize, _round: &Round, knowledge: &mut Knowledge) -> Vec<Job> {
        let Knowledge { tokens, corpus, .. } = knowledge;
        let mut made = self.learnt.next(quota, &tokens.learnt);
        made.extend(self.names.next(quota - made.len(), &tokens.names));
        made.retain(|test| corpus.is_wanted(test));
        together(&made)
    }
}

/// Tests, and which tokens were put into them.
#[derive(Default)]
struct Substitutions {
    tests: Vec<Host>,
}

struct Host {
    test: Arc<TestCase>,
    spots: Vec<Spot>,
    /// How many combinations of a token with a spot were tried.
    tried: usize,
}

/// Where a word can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// Instead of an argument, or as a new one.
    Argument(usize),
    /// Instead of some bytes of an argument.
    InArgument(usize, usize, usize),
    /// Instead of some bytes of a text.
    Text(Place, usize, usize),
    /// At the end of a text, after this byte.
    End(Place, u8),
}

impl Substitutions {
    /// Adds a test.
    fn add(&mut self, test: &Arc<TestCase>) {
        self.tests.push(Host { test: Arc::clone(test), spots: spots(test), tried: 0 });
    }

    /// The next tests, of those that came last first.
    fn next(&mut self, count: usize, tokens: &[Vec<u8>]) -> Vec<TestCase> {
        let mut made = Vec::new();
        for Host { test, spots, tried } in self.tests.iter_mut().rev() {
            let all = spots.len() * tokens.len();
            while *tried < all && made.len() < count {
                let (token, spot) = (*tried / spots.len(), *tried % spots.len());
                made.extend(with_token(test, spots[spot], &tokens[token]));
                *tried += 1;
            }
        }
        made
    }
}

fn spots(test: &TestCase) -> Vec<Spot> {
    let mut spots: Vec<_> = (0..=test.args.len()).map(Spot::Argument).collect();
    for (place, text) in texts(test) {
        spots.extend(words(text).map(|(start, length)| Spot::Text(place, start, length)));
        spots.extend([b' ', b'\n'].map(|after| Spot::End(place, after)));
    }
    for (number, argument) in test.args.iter().enumerate() {
        let parts = words(argument).filter(|(_, length)| *length < argument.len());
        spots.extend(parts.map(|(start, length)| Spot::InArgument(number, start, length)));
    }
    spots.truncate(MOST_PLACES);
    spots
}

/// Where the words of a text are, and how long; also where there could be one, between two signs, and instead
/// of signs that stand alone.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_sign = move |byte: &u8| !is_word(byte) && !byte.is_ascii_whitespace();
    let starts = move |at: usize, is_part: &dyn Fn(&u8) -> bool| at == 0 || !is_part(&text[at - 1]);
    let length = move |start: usize, is_part: &dyn Fn(&u8) -> bool| {
        text[start..].iter().take_while(|byte| is_part(byte)).count()
    };
    let words = (0..text.len())
        .filter(move |at| starts(*at, &is_word))
        .map(move |start| (start, length(start, &is_word)));
    let signs = (0..text.len())
        .filter(move |at| is_sign(&text[*at]) && starts(*at, &is_sign))
        .map(move |start| (start, length(start, &is_sign)));
    words.chain(signs.filter(move |(start, length)| {
        let is_divergent = |at: usize| text.get(at).is_none_or(u8::is_ascii_whitespace);
        (*start == 0 || is_divergent(start - 1)) && is_divergent(start + length)
    }))
}

/// `None` if it is the same test.
fn with_token(test: &TestCase, spot: Spot, word: &[u8]) -> Option<TestCase> {
    let mut made = test.clone();
    match spot {
        Spot::Argument(_) | Spot::InArgument(..) if word.contains(&0) => return None,
        Spot::Argument(number) if number < made.args.len() => made.args[number] = word.to_vec(),
        Spot::Argument(_) => made.args.push(word.to_vec()),
        Spot::InArgument(number, start, length) => {
            made.args[number].splice(start..start + length, word.iter().copied());
        }
        Spot::Text(place, start, length) => {
            text_at(&mut made, place).splice(start..start + length, word.iter().copied());
        }
        Spot::End(place, after) => {
            let text = text_at(&mut made, place);
            text.push(after);
            text.extend(word);
        }
    }
    (made != *test).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_comes_once_to_each_place() {
        let test = TestCase {
            args: vec![b"-t".to_vec()],
            stdin: Some(b"b number\n".to_vec()),
            ..TestCase::default()
        };
        let mut dictionary = Substitutions::default();
        dictionary.add(&Arc::new(test));
        let tokens = [b"integer".to_vec(), b"boolean".to_vec()];
        let mut made = dictionary.next(100, &tokens[..1]);
        assert_eq!(made.len(), 8);
        let texts: Vec<_> = made.iter().filter_map(|test| test.stdin.as_deref()).collect();
        assert!(texts.contains(&&b"b integer\n"[..]) && texts.contains(&&b"integer number\n"[..]));
        assert!(made.iter().any(|test| test.args == [b"-t".to_vec(), b"integer".to_vec()]));
        assert!(dictionary.next(100, &tokens[..1]).is_empty());
        // A token that is learnt later is tried, too.
        made.extend(dictionary.next(4, &tokens));
        made.extend(dictionary.next(100, &tokens));
        assert_eq!(made.len(), 16);
        assert!(made.iter().any(|test| test.stdin.as_deref() == Some(b"b boolean\n")));
    }
}
