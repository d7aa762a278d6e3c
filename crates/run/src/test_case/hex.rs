//! Bytes as hexadecimal digits, the way out for everything that is not text.

use std::fmt::Write;

pub(super) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}

/// The bytes that the digits stand for; white space between pairs is allowed, so that long values
/// can be grouped. The error fits after the name of the key.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for group in text.split_whitespace() {
        decode_group(group, &mut bytes)?;
    }
    Ok(bytes)
}

fn decode_group(group: &str, bytes: &mut Vec<u8>) -> Result<(), String> {
    let mut high = None;
    for digit in group.chars() {
        let value = digit_value(digit)?;
        match high.take() {
            None => high = Some(value),
            Some(high) => bytes.push(high << 4 | value),
        }
    }
    match high {
        None => Ok(()),
        Some(_) => Err(String::from("needs two hexadecimal digits for each byte")),
    }
}

fn digit_value(digit: char) -> Result<u8, String> {
    match digit.to_digit(16) {
        Some(value) => Ok(u8::try_from(value).expect("a hexadecimal digit is below 16")),
        None => Err(format!("has {digit:?}, which is not a hexadecimal digit")),
    }
}
