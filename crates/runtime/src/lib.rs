//! The code linked into a traced program: shadow memory, the table of expressions, symbolic inputs
//! and models of library functions.
//!
//! It is written in C, because it is compiled to bitcode by the same clang as the program and its
//! small functions are inlined into it; this crate carries the sources. A model is instrumented
//! like the program, the rest is not.

/// A source file: its name and its text.
pub type Source = (&'static str, &'static str);

macro_rules! sources {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../c/", $name))),)*] };
}

/// The headers that all of them include, apart from `abi.h`.
pub const HEADERS: &[Source] = sources![
    "model.h",
    "probe.h",
    "core/core.h",
    "models/file.h",
    "models/stream.h",
    "models/ctype_classes.h",
    "models/string_parts.h",
    "models/format.h",
];

/// The models of library functions.
pub const MODELS: &[Source] = sources![
    "models/file.c",
    "models/descriptor.c",
    "models/path.c",
    "models/stream_input.c",
    "models/stream_output.c",
    "models/stream.c",
    "models/scan.c",
    "models/print.c",
    "models/environment.c",
    "models/heap.c",
    "models/process.c",
    "models/start.c",
    "models/fuzz.c",
    "models/opaque.c",
    "models/wide.c",
    "models/string.c",
    "models/ctype.c",
    "models/number.c",
    "models/float.c",
    "models/sort.c",
    "models/getopt.c",
    "models/format.c",
];

/// The writes of library functions without a model, as text: a function on each line.
pub const EFFECTS: &str = include_str!("../c/effects.txt");

/// The standing of library functions in a proof, as text: a function on each line.
pub const STANDINGS: &str = include_str!("../c/proof.txt");

/// The probes: inlined into the program.
pub const PROBES: Source = ("probe.c", include_str!("../c/probe.c"));

/// The rest: compiled once and linked to every traced program.
pub const CORE: &[Source] = sources![
    "core/attach.c",
    "core/serve.c",
    "core/trace.c",
    "core/expression.c",
    "core/shadow.c",
    "core/address.c",
    "core/input.c",
    "core/variadic.c",
    "core/record.c",
    "core/proof.c",
];

/// All files, headers included, apart from `abi.h`.
pub fn all_sources() -> impl Iterator<Item = Source> {
    HEADERS.iter().chain(MODELS).chain([&PROBES]).chain(CORE).copied()
}

/// `abi.h`, the records that are shared with the host.
pub fn abi_header() -> String {
    parallax_abi::c_header()
}
