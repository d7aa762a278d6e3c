//! Noise that a search has learnt, so that it does not propose it again.
//!
//! A search compares builds of its own, each with its own addresses, and runs them once: a printed
//! address differs between the versions on every input. Plain builds show that this is no
//! difference, but running them each time costs more than the search. So the variation between two
//! runs is *explained* by rules, each of which says that one kind of text may vary: addresses on a
//! stream, the number after a certain word, the order of lines. When plain builds refute a
//! difference, its rules are learnt, and a difference that the learnt rules explain as a whole is
//! noise.
//!
//! A rule is more general than the runs that it was learnt from: a mask for whole lines was
//! rejected, as the names and values beside an address differ for each input. So a rule may hide a
//! real difference. Therefore some of the explained differences are proposed all the same
//! ([`Noise::is_due`]), and a rule that turns out to hide a difference is not used any more.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::zip,
};

use parallax_run::Observation;

use crate::{
    Aspect, Ignore, Sample,
    aspect::Place,
    difference::{contents, happened, sample},
    lines,
};

/// The most rules that are learnt.
const MOST_LEARNT: usize = 4096;
/// The most rules that explain one difference.
const MOST_AT_ONCE: usize = 256;
/// The least number of digits of an address in hexadecimal notation.
const FEWEST_DIGITS: usize = 4;
/// The number of digits from which on a number is an address, whatever its notation.
const MANY_DIGITS: usize = 12;

/// One kind of text that may vary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    place: Place,
    varies: Varies,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Varies {
    /// Addresses, wherever they are.
    Addresses,
    /// A number in a certain position.
    Number(Position),
    /// Any letters and digits in a certain position.
    Word(Position),
    /// The order of lines.
    Order,
}

/// A position within lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    /// So many tokens after a word.
    After(Vec<u8>, usize),
    /// So many tokens before a word.
    Before(Vec<u8>, usize),
    /// A token of a line without words, by the numbers of both.
    At { line: usize, token: usize },
}

/// The reason why two runs may look different although they are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    rules: BTreeSet<Rule>,
    /// The first lines that differ.
    pub example: Example,
}

/// Two lines that differ in the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The aspect they are in.
    pub aspect: Aspect,
    /// The line of one run.
    pub one: Vec<u8>,
    /// The line of the other.
    pub other: Vec<u8>,
}

impl Explanation {
    /// The rules under which two runs that look different are the same; `None` if there are none.
    pub fn of(one: &Observation, other: &Observation, ignore: &Ignore) -> Option<Explanation> {
        if one.ending != other.ending || !one.files.keys().eq(other.files.keys()) {
            return None;
        }
        let mut search = Search { place: Place::Aspect(Aspect::Stdout), found: None };
        search.samples(
            &sample(one, &one.stdout, Aspect::Stdout, ignore),
            &sample(other, &other.stdout, Aspect::Stdout, ignore),
        )?;
        search.place = Place::Aspect(Aspect::Stderr);
        search.samples(
            &sample(one, &one.stderr, Aspect::Stderr, ignore),
            &sample(other, &other.stderr, Aspect::Stderr, ignore),
        )?;
        for path in one.files.keys() {
            if happened(one.files.get(path)) != happened(other.files.get(path)) {
                return None;
            }
            search.place = Place::File(path.clone());
            match (contents(one, path, ignore), contents(other, path, ignore)) {
                (Some(one), Some(other)) => search.samples(&one, &other)?,
                (None, None) => {}
                _ => return None,
            }
        }
        search.found
    }
}

/// The explanation of two runs so far.
struct Search {
    place: Place,
    found: Option<Explanation>,
}

impl Search {
    /// Explains the differences between two samples; `None` if that is impossible.
    fn samples(&mut self, one: &Sample<'_>, other: &Sample<'_>) -> Option<()> {
        if one == other {
            return Some(());
        }
        // The bytes that were not kept may vary as well, and so may their digest.
        if one.beyond.map(|it| it.length) != other.beyond.map(|it| it.length) {
            return None;
        }
        let (one, other) = (lines::split(&one.bytes), lines::split(&other.bytes));
        let first = zip(&one, &other).find(|(one, other)| one != other);
        let (first, second) = first.filter(|_| one.len() == other.len())?;
        let aspect = self.place.aspect();
        self.found.get_or_insert_with(|| Explanation {
            rules: BTreeSet::new(),
            example: Example { aspect, one: first.to_vec(), other: second.to_vec() },
        });
        if sorted(one.iter().map(|line| line.to_vec()))
            == sorted(other.iter().map(|line| line.to_vec()))
        {
            return self.add(Varies::Order);
        }
        if let Some(varying) = in_place(&one, &other) {
            return varying.into_iter().try_for_each(|varies| self.add(varies));
        }
        let masked = |lines: &[&[u8]]| sorted(lines.iter().map(|line| without_addresses(line)));
        if masked(&one) != masked(&other) {
            return None;
        }
        self.add(Varies::Addresses)?;
        self.add(Varies::Order)
    }

    fn add(&mut self, varies: Varies) -> Option<()> {
        let rules = &mut self.found.as_mut()?.rules;
        rules.insert(Rule { place: self.place.clone(), varies });
        (rules.len() <= MOST_AT_ONCE).then_some(())
    }
}

fn sorted(lines: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut lines: Vec<_> = lines.collect();
    lines.sort_unstable();
    lines
}

/// The variation if each line is compared with the line in the same place.
fn in_place(one: &[&[u8]], other: &[&[u8]]) -> Option<BTreeSet<Varies>> {
    let mut varying = BTreeSet::new();
    for (number, (one, other)) in
        zip(one, other).enumerate().filter(|(_, (one, other))| one != other)
    {
        in_line(number, &tokens(one), &tokens(other), &mut varying)?;
    }
    Some(varying)
}

/// Adds the variation in one line.
fn in_line(
    line: usize,
    one: &[Token<'_>],
    other: &[Token<'_>],
    varying: &mut BTreeSet<Varies>,
) -> Option<()> {
    if one.len() != other.len() {
        return None;
    }
    let differs = |at: usize| one[at].text != other[at].text;
    for at in (0..one.len()).filter(|at| differs(*at)) {
        let position = || {
            let is_label = |at: &usize| one[*at].kind == Kind::Word && !differs(*at);
            let between = |range: std::ops::Range<usize>| {
                one[range].iter().filter(|token| token.kind != Kind::Blank).count()
            };
            if let Some(label) = (0..at).rev().find(is_label) {
                return Position::After(one[label].without_digits(), between(label + 1..at));
            }
            match (at + 1..one.len()).find(is_label) {
                Some(label) => {
                    Position::Before(one[label].without_digits(), between(at + 1..label))
                }
                None => Position::At { line, token: between(0..at) },
            }
        };
        if varying.len() > MOST_AT_ONCE {
            return None;
        }
        use Kind::{Address, Blank, Mark, Number, Word};
        varying.insert(match (one[at].kind, other[at].kind) {
            (Address, Address) => Varies::Addresses,
            (Number | Address, Number | Address) => Varies::Number(position()),
            (Number | Address | Word, Number | Address | Word) => Varies::Word(position()),
            // Numbers are padded.
            (Blank, Blank)
                if at > 0 && differs(at - 1) || at + 1 < one.len() && differs(at + 1) =>
            {
                continue;
            }
            (Mark | Blank, _) | (_, Mark | Blank) => return None,
        });
    }
    Some(())
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'l> {
    text: &'l [u8],
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Spaces and tabs.
    Blank,
    /// Decimal digits, also with a sign, and short hexadecimal ones with `0x`.
    Number,
    /// Digits that are too many for anything but an address.
    Address,
    /// Other letters and digits.
    Word,
    /// Any other byte.
    Mark,
}

impl Token<'_> {
    /// The text with one digit in place of each number in it.
    fn without_digits(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len());
        for byte in self.text {
            match byte.is_ascii_digit() {
                true if text.last() == Some(&b'0') => {}
                true => text.push(b'0'),
                false => text.push(*byte),
            }
        }
        text
    }
}

fn tokens(line: &[u8]) -> Vec<Token<'_>> {
    let (mut rest, mut tokens) = (line, Vec::new());
    let mut before = None;
    while let Some(first) = rest.first() {
        let is_signed = *first == b'-'
            && before != Some(Kind::Word)
            && before != Some(Kind::Number)
            && rest.get(1).is_some_and(u8::is_ascii_digit);
        let length = |is_part: fn(&u8) -> bool, from: usize| {
            from + rest[from..].iter().take_while(|byte| is_part(byte)).count()
        };
        let (length, kind) = match first {
            b' ' | b'\t' => (length(|byte| matches!(byte, b' ' | b'\t'), 0), Kind::Blank),
            _ if is_signed => (length(is_alphanumeric, 1), Kind::Word),
            _ if is_alphanumeric(first) => (length(is_alphanumeric, 0), Kind::Word),
            _ => (1, Kind::Mark),
        };
        let (text, after) = rest.split_at(length);
        let kind = if kind == Kind::Word { kind_of(text) } else { kind };
        tokens.push(Token { text, kind });
        (rest, before) = (after, Some(kind));
    }
    tokens
}

/// The kind of a token of letters and digits.
fn kind_of(text: &[u8]) -> Kind {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.iter().all(u8::is_ascii_digit) {
        return if digits.len() >= MANY_DIGITS { Kind::Address } else { Kind::Number };
    }
    let marked = digits.strip_prefix(b"0x").or_else(|| digits.strip_prefix(b"0X"));
    let is_hexadecimal = marked.unwrap_or(digits).iter().all(u8::is_ascii_hexdigit);
    let has_digit = digits.iter().any(u8::is_ascii_digit);
    match marked {
        Some(digits) if is_hexadecimal && digits.len() >= FEWEST_DIGITS => Kind::Address,
        Some(digits) if is_hexadecimal && !digits.is_empty() => Kind::Number,
        None if is_hexadecimal && has_digit && digits.len() >= MANY_DIGITS => Kind::Address,
        _ => Kind::Word,
    }
}

/// Letters beyond ASCII are several bytes in UTF-8, all of them of 128 and more.
fn is_alphanumeric(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte >= 0x80
}

fn without_addresses(line: &[u8]) -> Vec<u8> {
    let text = |token: Token<'_>| match token.kind {
        Kind::Address => b"0x0".to_vec(),
        _ => token.text.to_vec(),
    };
    tokens(line).into_iter().flat_map(text).collect()
}

/// The learnt noise of two versions.
#[derive(Clone, Debug, Default)]
pub struct Noise {
    learnt: BTreeSet<Rule>,
    /// Rules that hide differences.
    refuted: BTreeSet<Rule>,
    /// How often each rule explained a difference in runs that execute a change.
    used: BTreeMap<(Rule, Option<usize>), u64>,
}

impl Noise {
    /// Whether two runs with this explanation differ in nothing but noise.
    pub fn explains(&self, explanation: &Explanation) -> bool {
        explanation.rules.is_subset(&self.learnt)
    }

    /// Whether the rules of the explanation are all learnt or can be.
    pub fn can_learn(&self, explanation: &Explanation) -> bool {
        self.learnt.len() < MOST_LEARNT && self.refuted.is_disjoint(&explanation.rules)
    }

    /// Records that runs with this explanation do not differ.
    pub fn learn(&mut self, explanation: &Explanation) {
        if self.can_learn(explanation) {
            self.learnt.extend(explanation.rules.iter().cloned());
        }
    }

    /// Records that runs with this explanation do differ.
    pub fn refute(&mut self, explanation: &Explanation) {
        self.learnt.retain(|rule| !explanation.rules.contains(rule));
        self.refuted.extend(explanation.rules.iter().cloned());
    }

    /// Whether a difference that the learnt rules explain is proposed all the same, to check
    /// whether they still hold: the less often, the more often each rule has explained runs that
    /// execute one of these changes.
    pub fn is_due(&mut self, explanation: &Explanation, changes: &[usize]) -> bool {
        let changes: Vec<Option<usize>> = match changes {
            [] => vec![None],
            changes => changes.iter().copied().map(Some).collect(),
        };
        let mut fewest = u64::MAX;
        for rule in &explanation.rules {
            for change in &changes {
                let used = self.used.entry((rule.clone(), *change)).or_default();
                *used += 1;
                fewest = fewest.min(*used);
            }
        }
        fewest.is_power_of_two() && fewest.trailing_zeros().is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests;
