//! Whether an indirect call can call a function, by their types.
//!
//! C programs cast function pointers, so the types need not be equal; but a call that passes fewer
//! arguments than the function takes, or a number where it expects an address, would not have
//! survived its first test.

use crate::model::Type;

/// A function type, as far as it matters for calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    result: Class,
    parameters: Vec<Class>,
    pub(super) is_variadic: bool,
}

/// The register class of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Nothing,
    Address,
    Wide,
    Narrow,
    Real,
    Other,
}

impl Shape {
    /// Reads a type such as `i32 (ptr, {i64, ptr}, ...)`.
    pub(super) fn of(kind: &Type) -> Shape {
        let (result, parameters) = kind.text.split_once(" (").unwrap_or((&kind.text, ""));
        let parameters = parts(parameters.strip_suffix(')').unwrap_or(parameters));
        let is_variadic = parameters.last() == Some(&"...");
        let named = parameters.len() - usize::from(is_variadic);
        Shape {
            result: Class::of(result),
            parameters: parameters[..named].iter().map(|text| Class::of(text)).collect(),
            is_variadic,
        }
    }

    /// Whether a call of this shape with `arguments` can call a function of that shape.
    pub(super) fn can_call(&self, arguments: usize, function: &Shape) -> bool {
        let mut pairs = self.parameters.iter().zip(&function.parameters);
        arguments >= function.parameters.len()
            && pairs.all(|(passed, taken)| passed.can_be(*taken))
            && self.result.can_come_from(function.result)
    }
}

impl Class {
    fn of(text: &str) -> Class {
        match text {
            "void" => Class::Nothing,
            "ptr" => Class::Address,
            "float" | "double" | "x86_fp80" | "fp128" | "half" => Class::Real,
            _ => match text.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok()) {
                Some(bits) if bits < 64 => Class::Narrow,
                Some(_) => Class::Wide,
                None => Class::Other,
            },
        }
    }

    fn can_be(self, taken: Class) -> bool {
        use Class::{Address, Narrow, Real, Wide};
        !matches!(
            (self, taken),
            (Address, Narrow | Real)
                | (Narrow, Address | Real)
                | (Wide, Real)
                | (Real, Address | Narrow | Wide)
        )
    }

    fn can_come_from(self, given: Class) -> bool {
        match (self, given) {
            (Class::Address, Class::Nothing) => false,
            (Class::Nothing, _) | (_, Class::Nothing) => true,
            _ => self.can_be(given),
        }
    }
}

/// The types of a list, of which some have lists of their own.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '[' | '<' | '(' => depth += 1,
            '}' | ']' | '>' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    found.extend((!last.is_empty()).then_some(last));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::of(&Type { text: text.to_owned(), size: 0 })
    }

    #[test]
    fn only_plain_impossibilities_are_excluded() {
        let call = shape("ptr (ptr, i64)");
        for (text, expected) in [
            ("ptr (ptr, i64)", true),
            ("ptr (ptr)", true),
            ("i64 (i64, ptr)", true),
            ("ptr (ptr, ...)", true),
            ("ptr (ptr, i64, i32)", false),
            ("ptr (double, i64)", false),
            ("ptr (i32, i64)", false),
            ("void (ptr, i64)", false),
            ("i32 (ptr, i64)", false),
        ] {
            assert_eq!(call.can_call(2, &shape(text)), expected, "{text}");
        }
        assert!(shape("void (ptr)").can_call(1, &shape("i32 (ptr)")));
        assert!(shape("i32 (...)").can_call(2, &shape("i32 ({i32, ptr}, [2 x i64])")));
        assert!(!shape("i32 (...)").can_call(1, &shape("i32 (ptr, ptr)")));
    }
}
