//! Names as in the source.

use parallax_program::{Function, Global, Location, Program};

/// The source name of a function: without the number that distinguishes `static` ones of the same
/// name.
pub(crate) fn of_function(function: &Function) -> &str {
    source_name(&function.name, function.external)
}

/// The source name of a global.
pub(crate) fn of_global(global: &Global) -> &str {
    source_name(&global.name, global.external)
}

fn source_name(name: &str, external: bool) -> &str {
    match name.rsplit_once('.') {
        Some((name, number)) if !external && !name.is_empty() && is_number(number) => name,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The last part of the path of a definition; versions often are in other folders.
pub(crate) fn of_file(program: &Program, location: Option<Location>) -> Option<&str> {
    let path = program.files.get(location?.file as usize)?;
    path.rsplit('/').next()
}
