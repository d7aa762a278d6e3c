//! What has to hold for two paths to print something else, or to end with another status.

use std::collections::HashMap;

use parallax_path::{Output, Path, Printed};
use parallax_solve::{Binary, ExprId, Graph, Ternary};

/// One thing that is printed.
enum Unit<'o> {
    Byte(u8, Option<ExprId>),
    Value { conversion: &'o [u8], value: u64, expression: Option<ExprId> },
}

/// What has to hold for something else to be printed, or for another status; and whether all that is
/// printed could be compared.
pub(super) fn outputs_differ(graph: &mut Graph, old: &Path, new: &Path) -> (Option<ExprId>, bool) {
    let mut differ = Vec::new();
    let mut is_complete = true;
    let descriptors =
        |path: &Path| -> Vec<u16> { path.outputs.iter().map(|output| output.descriptor).collect() };
    let mut all: Vec<u16> = descriptors(old).into_iter().chain(descriptors(new)).collect();
    all.sort_unstable();
    all.dedup();
    for descriptor in all {
        let (left, right) = (units(&old.outputs, descriptor), units(&new.outputs, descriptor));
        match streams_differ(graph, &left, &right) {
            Some(conditions) => differ.extend(conditions),
            None => is_complete = false,
        }
    }
    match (&old.ending, &new.ending) {
        (Some(old), Some(new)) if old.exit == new.exit => {
            differ.push(values_differ(
                graph,
                8,
                (old.status, old.expression),
                (new.status, new.expression),
            ));
        }
        _ => is_complete = false,
    }
    differ.retain(|condition| graph.as_constant(*condition) != Some(0));
    let goal = differ.into_iter().reduce(|one, other| graph.binary(Binary::Or, one, other));
    (goal, is_complete)
}

/// The most printed values that are asked to change one by one.
const MOST_OTHERS: usize = 3;

/// Conditions under which the versions print something else than they do now, on the same paths: first that
/// all symbolic output changes at once, then that single values do, for when not all can change together.
pub(super) fn outputs_change(graph: &mut Graph, old: &Path, new: &Path) -> Vec<ExprId> {
    let mut all = Vec::new();
    for path in [old, new] {
        for output in &path.outputs {
            match &output.printed {
                Printed::Bytes { bytes, symbolic } => {
                    all.extend(symbolic.iter().filter_map(|(at, expression)| {
                        Some((*expression, u64::from(*bytes.get(*at as usize)?), 8))
                    }))
                }
                Printed::Formatted { conversion, value, expression } => {
                    let bits = shown_bits(conversion);
                    all.extend(expression.map(|expression| (expression, *value, bits)));
                }
            }
        }
        let ending = path.ending.as_ref();
        all.extend(ending.and_then(|it| Some((it.expression?, it.status, 8))));
    }
    let mut goals = Vec::new();
    for (expression, value, bits) in all {
        let goal = values_differ(graph, bits, (value, Some(expression)), (value, None));
        if graph.as_constant(goal).is_none() && !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    let whole = goals.iter().copied().reduce(|one, other| graph.binary(Binary::And, one, other));
    let mut wanted: Vec<ExprId> = whole.into_iter().collect();
    wanted.extend(goals.into_iter().take(MOST_OTHERS).filter(|goal| Some(*goal) != whole));
    wanted
}

fn units(outputs: &[Output], descriptor: u16) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for output in outputs.iter().filter(|output| output.descriptor == descriptor) {
        match &output.printed {
            Printed::Bytes { bytes, symbolic } => {
                let symbolic: HashMap<u32, ExprId> = symbolic.iter().copied().collect();
                let bytes = (0..).zip(bytes);
                units.extend(bytes.map(|(at, byte)| Unit::Byte(*byte, symbolic.get(&at).copied())));
            }
            Printed::Formatted { conversion, value, expression } => {
                units.push(Unit::Value { conversion, value: *value, expression: *expression });
            }
        }
    }
    units
}

/// What has to hold for two streams to look different, one of these conditions; `None` if that is unknown.
fn streams_differ(graph: &mut Graph, old: &[Unit<'_>], new: &[Unit<'_>]) -> Option<Vec<ExprId>> {
    let mut conditions = Vec::new();
    let (mut old, mut new) = (old, new);
    while let (Some(left), Some(right)) = (old.first(), new.first()) {
        let (condition, taken) = match (left, right) {
            (Unit::Value { .. }, Unit::Byte(..)) => {
                let (condition, length) = value_against_bytes(graph, left, new)?;
                (condition, (1, length))
            }
            (Unit::Byte(..), Unit::Value { .. }) => {
                let (condition, length) = value_against_bytes(graph, right, old)?;
                (condition, (length, 1))
            }
            _ => (unit_differs(graph, left, right)?, (1, 1)),
        };
        conditions.push(condition);
        (old, new) = (&old[taken.0..], &new[taken.1..]);
    }
    (old.is_empty() && new.is_empty()).then_some(conditions)
}

/// What has to hold for a value to look different from bytes that look the same now, and how many
/// bytes that are.
fn value_against_bytes(
    graph: &mut Graph,
    value: &Unit<'_>,
    bytes: &[Unit<'_>],
) -> Option<(ExprId, usize)> {
    let Unit::Value { conversion, value, expression } = value else { return None };
    let text = shown(conversion, *value)?;
    let bytes = bytes.get(..text.len())?;
    let is_same =
        |(unit, shown): (&Unit<'_>, u8)| matches!(unit, Unit::Byte(byte, _) if *byte == shown);
    if !bytes.iter().zip(text.bytes()).all(is_same) {
        return None;
    }
    let bits = shown_bits(conversion);
    if bytes.iter().all(|unit| matches!(unit, Unit::Byte(_, None))) {
        return Some((
            values_differ(graph, bits, (*value, *expression), (*value, None)),
            text.len(),
        ));
    }
    let number = low_bits(graph, bits, *value, *expression)?;
    let mut same = has_length(graph, number, conversion, &text)?;
    for (unit, digit) in bytes.iter().zip(digits(graph, number, conversion, &text)?) {
        let Unit::Byte(byte, expression) = unit else { return None };
        let byte = low_bits(graph, 8, u64::from(*byte), *expression)?;
        let is_digit = graph.binary(Binary::Eq, byte, digit);
        same = graph.binary(Binary::And, same, is_digit);
    }
    Some((graph.not(same), text.len()))
}

/// The base of a conversion.
fn base(conversion: &[u8]) -> Option<u128> {
    match conversion.last()? {
        b'd' | b'i' | b'u' => Some(10),
        b'x' | b'X' => Some(16),
        b'o' => Some(8),
        _ => None,
    }
}

/// The magnitude of a number of which `text` is shown.
fn magnitude(graph: &mut Graph, number: ExprId, text: &str) -> ExprId {
    if !text.starts_with('-') {
        return number;
    }
    let zero = graph.constant(graph.width(number), 0);
    graph.binary(Binary::Sub, zero, number)
}

/// What has to hold for a number to be shown with as many digits and with the same sign as in `text`.
fn has_length(graph: &mut Graph, number: ExprId, conversion: &[u8], text: &str) -> Option<ExprId> {
    let (base, width) = (base(conversion)?, graph.width(number));
    let count = text.trim_start_matches('-').len() as u32;
    let magnitude = magnitude(graph, number, text);
    let mut all = graph.constant(1, 1);
    if matches!(conversion.last(), Some(b'd' | b'i')) {
        let zero = graph.constant(width, 0);
        let is_negative = graph.binary(Binary::SLt, number, zero);
        all = if text.starts_with('-') { is_negative } else { graph.not(is_negative) };
    }
    if let Some(least) = base.checked_pow(count - 1).filter(|_| count > 1) {
        let least = graph.constant(width, least);
        let is_long = graph.binary(Binary::ULe, least, magnitude);
        all = graph.binary(Binary::And, all, is_long);
    }
    let most = base.checked_pow(count).filter(|most| most >> width == 0);
    if let Some(most) = most {
        let most = graph.constant(width, most);
        let is_short = graph.binary(Binary::ULt, magnitude, most);
        all = graph.binary(Binary::And, all, is_short);
    }
    Some(all)
}

/// The characters (8 bits each) that a number is shown as, if its digits are as many as those of `text`.
fn digits(graph: &mut Graph, number: ExprId, conversion: &[u8], text: &str) -> Option<Vec<ExprId>> {
    let (base, width) = (base(conversion)?, graph.width(number));
    let magnitude = magnitude(graph, number, text);
    let letters = if conversion.last() == Some(&b'X') { b'A' } else { b'a' };
    let mut shown = Vec::new();
    if text.starts_with('-') {
        shown.push(graph.constant(8, u128::from(b'-')));
    }
    let count = text.trim_start_matches('-').len() as u32;
    for place in (0..count).rev() {
        let unit = graph.constant(width, base.checked_pow(place)?);
        let quotient = graph.binary(Binary::UDiv, magnitude, unit);
        let all = graph.constant(width, base);
        let digit = graph.binary(Binary::URem, quotient, all);
        let digit = graph.resize(digit, 8);
        let zero = graph.constant(8, u128::from(b'0'));
        let character = graph.binary(Binary::Add, digit, zero);
        if base <= 10 {
            shown.push(character);
            continue;
        }
        let ten = graph.constant(8, 10);
        let is_letter = graph.binary(Binary::ULe, ten, digit);
        // What a letter is further than the digits would be.
        let gap = graph.constant(8, u128::from(letters - b'0' - 10));
        let letter = graph.binary(Binary::Add, character, gap);
        shown.push(graph.ternary(Ternary::Ite, is_letter, letter, character));
    }
    Some(shown)
}

/// The lowest bits of a value; `None` if its expression has fewer.
fn low_bits(
    graph: &mut Graph,
    bits: u32,
    value: u64,
    expression: Option<ExprId>,
) -> Option<ExprId> {
    match expression {
        Some(expression) if graph.width(expression) > bits => {
            Some(graph.extract(expression, 0, bits))
        }
        Some(expression) => (graph.width(expression) == bits).then_some(expression),
        None => Some(graph.constant(bits, u128::from(value) & ((1u128 << bits) - 1))),
    }
}

/// How a plain conversion shows a value.
fn shown(conversion: &[u8], value: u64) -> Option<String> {
    let (last, before) = conversion.split_last()?;
    let is_plain = before.split_first()?.1.iter().all(|byte| b"hlzjtq".contains(byte));
    let bits = shown_bits(conversion);
    let low = if bits == 64 { value } else { value & ((1 << bits) - 1) };
    let signed = (low << (64 - bits)) as i64 >> (64 - bits);
    match last {
        b'd' | b'i' if is_plain => Some(signed.to_string()),
        b'u' if is_plain => Some(low.to_string()),
        b'x' if is_plain => Some(format!("{low:x}")),
        b'X' if is_plain => Some(format!("{low:X}")),
        b'o' if is_plain => Some(format!("{low:o}")),
        _ => None,
    }
}

/// What has to hold for two things to look different; `None` if that is unknown.
fn unit_differs(graph: &mut Graph, old: &Unit<'_>, new: &Unit<'_>) -> Option<ExprId> {
    match (old, new) {
        (Unit::Byte(old, left), Unit::Byte(new, right)) => {
            Some(values_differ(graph, 8, (u64::from(*old), *left), (u64::from(*new), *right)))
        }
        (
            Unit::Value { conversion, value: old, expression: left },
            Unit::Value { conversion: other, value: new, expression: right },
        ) => {
            let bits = shown_bits(conversion);
            let differ = values_differ(graph, bits, (*old, *left), (*new, *right));
            if conversion == other {
                return Some(differ);
            }
            // With and without a sign the same number looks the same unless it is negative.
            let unsigned = |conversion: &[u8]| -> Vec<u8> {
                let sign = |byte: &u8| if b"di".contains(byte) { b'u' } else { *byte };
                conversion.iter().map(sign).collect()
            };
            if unsigned(conversion) != unsigned(other) {
                return None;
            }
            let top = shifted(graph, *left, bits);
            let sign = values_differ(graph, 1, (*old >> (bits - 1), top), (0, None));
            Some(graph.binary(Binary::Or, differ, sign))
        }
        _ => None,
    }
}

/// The bits of an expression from the sign of what is shown of it on.
fn shifted(graph: &mut Graph, expression: Option<ExprId>, bits: u32) -> Option<ExprId> {
    let expression = expression?;
    let width = graph.width(expression);
    Some(match width >= bits {
        true => graph.extract(expression, bits - 1, 1),
        false => graph.constant(1, 0),
    })
}

/// How many bits of a value a conversion shows.
fn shown_bits(conversion: &[u8]) -> u32 {
    let longs = conversion.iter().filter(|byte| **byte == b'l').count();
    let halves = conversion.iter().filter(|byte| **byte == b'h').count();
    match conversion.last() {
        Some(b'c') => 8,
        Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => match (longs, halves) {
            (0, 0) if !conversion.iter().any(|byte| b"zjtqL".contains(byte)) => 32,
            (0, 1) => 16,
            (0, 2) => 8,
            _ => 64,
        },
        _ => 64,
    }
}

fn values_differ(
    graph: &mut Graph,
    bits: u32,
    (old, left): (u64, Option<ExprId>),
    (new, right): (u64, Option<ExprId>),
) -> ExprId {
    let mut low = |value: u64, expression: Option<ExprId>| match expression {
        Some(expression) if graph.width(expression) > bits => graph.extract(expression, 0, bits),
        Some(expression) => expression,
        None => graph.constant(bits, u128::from(value) & ((1u128 << bits) - 1)),
    };
    let (left, right) = (low(old, left), low(new, right));
    match graph.width(left) == graph.width(right) {
        true => graph.binary(Binary::Ne, left, right),
        // A value that is narrower than what is shown of it does not occur.
        false => graph.constant(1, 1),
    }
}

#[cfg(test)]
mod tests {
    use parallax_solve::{Origin, Part, Variable};

    use super::*;

    /// Whether a number that is printed looks different from bytes, as the condition says that is made where
    /// both look the same, and as it is.
    fn looks_different(conversion: &str, now: u64, then: u64, text: &str) -> (bool, bool) {
        let mut graph = Graph::new();
        let conversion = conversion.as_bytes();
        let mut number = None;
        for at in 0..shown_bits(conversion) / 8 {
            let byte = graph.variable_expr(&Variable::byte(Origin::Argument(1), at));
            number = Some(number.map_or(byte, |low| graph.concat(byte, low)));
        }
        let shown_now = shown(conversion, now).expect("the conversion is plain");
        let bytes: Vec<_> = (0..)
            .zip(shown_now.bytes())
            .map(|(at, byte)| {
                let variable = Variable::byte(Origin::Stdin, at);
                Unit::Byte(byte, Some(graph.variable_expr(&variable)))
            })
            .collect();
        let value = Unit::Value { conversion, value: now, expression: number };
        let (differs, length) =
            value_against_bytes(&mut graph, &value, &bytes).expect("both look the same");
        assert_eq!(length, shown_now.len());
        let values = |variable: &Variable| match (&variable.origin, variable.part) {
            (Origin::Stdin, Part::Byte(at)) => {
                text.as_bytes().get(at as usize).copied().map(u128::from)
            }
            (_, Part::Byte(at)) => Some(u128::from(then >> (8 * at) & 0xff)),
            _ => None,
        };
        let differs = graph.evaluate(differs, &values).expect("all bytes are given");
        (differs == 1, shown(conversion, then).as_deref() != Some(text))
    }

    #[test]
    fn all_that_is_printed_changes_at_once_and_then_one_by_one() {
        let mut graph = Graph::new();
        let byte = |graph: &mut Graph, at| graph.variable_expr(&Variable::byte(Origin::Stdin, at));
        let (first, second) = (byte(&mut graph, 0), byte(&mut graph, 1));
        let concrete = graph.constant(8, u128::from(b'!'));
        let printed = Printed::Bytes {
            bytes: b"ab!".to_vec(),
            symbolic: vec![(0, first), (1, second), (2, concrete)],
        };
        let path = |printed| Path {
            outputs: vec![Output { site: 1, descriptor: 1, printed }],
            ..Path::default()
        };
        let (old, new) = (path(printed.clone()), path(printed));
        let goals = outputs_change(&mut graph, &old, &new);
        let holds = |goal: &ExprId, text: &[u8]| {
            let value = |variable: &Variable| match variable.part {
                Part::Byte(at) => text.get(at as usize).copied().map(u128::from),
                _ => None,
            };
            graph.evaluate(*goal, &value) == Ok(1)
        };
        let tell = |text: &[u8]| goals.iter().map(|goal| holds(goal, text)).collect::<Vec<_>>();
        assert_eq!(tell(b"ab"), [false, false, false], "what is printed now");
        assert_eq!(tell(b"xb"), [false, true, false]);
        assert_eq!(tell(b"xy"), [true, true, true]);
    }

    #[test]
    fn a_number_looks_like_the_bytes_that_are_its_digits() {
        let numbers = [0, 7, 9, 10, 42, 99, 100, 255, 4711, u64::MAX, -7_i64 as u64, 0x8000_0000];
        let conversions = ["%d", "%u", "%x", "%X", "%o", "%hhd", "%ld"];
        let mut alike = 0;
        for conversion in conversions {
            for now in numbers {
                for then in numbers {
                    let shows = |number| shown(conversion.as_bytes(), number);
                    for text in numbers.into_iter().filter_map(shows) {
                        let length = shows(now).map(|text| text.len());
                        if Some(text.len()) != length {
                            continue;
                        }
                        let (said, is) = looks_different(conversion, now, then, &text);
                        // A sign in the place of a digit is another path.
                        let has_sign = |number| shows(number).is_some_and(|it| it.starts_with('-'));
                        let expected = is || has_sign(now) != has_sign(then);
                        assert_eq!(said, expected, "{conversion} {now} {then} {text}");
                        alike += usize::from(!is);
                    }
                }
            }
        }
        assert!(alike > 100, "{alike}");
    }
}
