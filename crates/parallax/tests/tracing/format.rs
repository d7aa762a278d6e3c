//! The conversions of `printf`, as far as checked programs use them.

/// The bits of a value that a conversion prints.
pub(crate) fn mask(conversion: &[u8]) -> u64 {
    let (modifier, specifier) = split(conversion);
    match (modifier, specifier) {
        (_, b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'p' | b's') => u64::MAX,
        (b"hh", _) => 0xff,
        (b"h", _) => 0xffff,
        (b"", _) => 0xffff_ffff,
        _ => u64::MAX,
    }
}

/// The output of a conversion without flags, width and precision; `None` if it has any of them.
pub(crate) fn format(conversion: &[u8], value: u64) -> Option<Vec<u8>> {
    let (modifier, specifier) = split(conversion);
    if conversion.len() != 2 + modifier.len() {
        return None;
    }
    let value = value & mask(conversion);
    let bits = mask(conversion).count_ones();
    let signed = ((value << (64 - bits)) as i64) >> (64 - bits);
    Some(match specifier {
        b'd' | b'i' => signed.to_string().into_bytes(),
        b'u' => value.to_string().into_bytes(),
        b'x' => format!("{value:x}").into_bytes(),
        b'X' => format!("{value:X}").into_bytes(),
        b'o' => format!("{value:o}").into_bytes(),
        _ => return None,
    })
}

/// The length modifier and the specifier.
fn split(conversion: &[u8]) -> (&[u8], u8) {
    let specifier = conversion.last().copied().unwrap_or_default();
    let rest = &conversion[..conversion.len().saturating_sub(1)];
    let start = rest.iter().rposition(|byte| !b"hlLjzt".contains(byte)).map_or(0, |at| at + 1);
    (&rest[start..], specifier)
}
