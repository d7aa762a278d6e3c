//! Constants in the notation that fits their place.

use crate::arithmetic::{mask, signed};

/// The role of a constant for its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Style {
    /// An operand of arithmetic.
    #[default]
    Signed,
    /// An operand of unsigned arithmetic.
    Unsigned,
    /// Equal to a byte, or not.
    Character,
    /// More or less than a byte.
    Letter,
    /// A pattern of bits.
    Mask,
    /// A float.
    Float,
}

/// Numbers from here on are most likely addresses.
const ADDRESSES: u128 = 1 << 32;

pub(super) fn number(width: u32, value: u128, style: Style) -> String {
    match style {
        _ if width == 1 => (value == 1).to_string(),
        Style::Float if width == 32 => format!("{:?}", f32::from_bits(value as u32)),
        Style::Float if width == 64 => format!("{:?}", f64::from_bits(value as u64)),
        Style::Character => character(value),
        Style::Letter if (0x20..0x7f).contains(&value) => character(value),
        Style::Mask if value > 9 => format!("{value:#x}"),
        Style::Signed | Style::Float => signed_number(width, value),
        _ => plain(value),
    }
}

/// The absolute value of a number that is negative, unless it is the least one.
pub(super) fn negated(width: u32, value: u128) -> Option<u128> {
    let negative = value.wrapping_neg() & mask(width);
    (width > 1 && signed(value, width) < 0 && negative != value).then_some(negative)
}

fn signed_number(width: u32, value: u128) -> String {
    match negated(width, value) {
        Some(negative) if negative < ADDRESSES => format!("-{negative}"),
        _ => plain(value),
    }
}

fn plain(value: u128) -> String {
    if value < ADDRESSES { value.to_string() } else { format!("{value:#x}") }
}

fn character(value: u128) -> String {
    match value as u8 {
        b'\'' => r"'\''".into(),
        b'"' => "'\"'".into(),
        byte @ (b'\n' | b'\t' | b'\r' | b' '..=b'~') => format!("'{}'", byte.escape_ascii()),
        byte => byte.to_string(),
    }
}
