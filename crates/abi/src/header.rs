//! The definitions of this crate as a C header.

use std::{
    fmt::{self, Write},
    mem::size_of,
};

use crate::{
    Blob, Counter, Event, EventKind, Flags, Header, Input, InputKind, LABEL_BYTE_SHIFT,
    LABEL_NODE_MASK, Layout, MAGIC, Node, Op, OutputKind, POINTER, PinReason, SERVE_FD, SERVE_ROOM,
    SURVEY, Serve, ServeCommand, Share, TRACE_FD, Undefined, VERSION,
};

/// The header that the C part of the runtime includes as `abi.h`.
pub fn c_header() -> String {
    let mut text = String::from(STRUCTURES);
    let written = write_constants(&mut text);
    debug_assert!(written.is_ok(), "a String takes all that is written to it");
    text
}

/// The records again, with a size for each that the compiler checks; their fields are compared by
/// a test of the crate that carries the C sources.
const STRUCTURES: &str = r"#pragma once
#include <stdint.h>

typedef uint32_t plx_label;

struct plx_node { uint8_t op, width, flags, extra; uint32_t a, b, c; };
struct plx_event { uint8_t kind, flag; uint16_t extra; uint32_t site, label, other; };
struct plx_blob { uint64_t address; uint32_t length, labelled; };
struct plx_input { uint32_t kind, index, name, fixed; };
struct plx_serve { uint32_t command, arguments; uint64_t bytes; };
struct plx_layout {
    uint64_t total, sites, sites_room, shares, shares_room, inputs, inputs_room, nodes, nodes_room, events, events_room,
        blobs, blobs_room;
};
struct plx_header {
    uint64_t magic;
    uint32_t version, attached;
    struct plx_layout layout;
    uint32_t argument_room, arguments_room, object_room, quiet;
    uint64_t record_from;
    uint32_t inputs, nodes;
    uint64_t events, blobs;
    uint64_t counters[PLX_COUNTER_ROOM];
};
";

fn write_constants(text: &mut String) -> fmt::Result {
    let structures = std::mem::take(text);
    let (start, structures) = structures.split_at(structures.find("typedef").unwrap_or_default());
    text.push_str(start);
    for op in Op::ALL {
        writeln!(text, "#define PLX_OP_{} {}", op.c_name(), *op as u8)?;
    }
    for kind in EventKind::ALL {
        writeln!(text, "#define {} {}", kind.c_name(), *kind as u8)?;
    }
    for kind in OutputKind::ALL {
        writeln!(text, "#define {} {}", kind.c_name(), *kind as u8)?;
    }
    for reason in PinReason::ALL {
        writeln!(text, "#define {} {}", reason.c_name(), *reason as u16)?;
    }
    for kind in Undefined::ALL {
        writeln!(text, "#define {} {}", kind.c_name(), *kind as u8)?;
    }
    for counter in Counter::ALL {
        writeln!(text, "#define {} {}", counter.c_name(), *counter as u16)?;
    }
    let numbers = [
        ("MAGIC", MAGIC),
        ("VERSION", VERSION.into()),
        ("TRACE_FD", TRACE_FD as u64),
        ("SERVE_FD", SERVE_FD as u64),
        ("SERVE_ROOM", SERVE_ROOM),
        ("SURVEY", SURVEY),
        ("SHARE_NOTHING", Share::Nothing as u64),
        ("SERVE_RUN", ServeCommand::Run as u64),
        ("SERVE_END_OTHERS", ServeCommand::EndOthers as u64),
        ("LABEL_BYTE_SHIFT", LABEL_BYTE_SHIFT.into()),
        ("LABEL_NODE_MASK", LABEL_NODE_MASK.into()),
        ("COUNTER_ROOM", Counter::ROOM as u64),
        ("POINTER", POINTER.into()),
        ("LEFT_CONSTANT", Flags::LEFT_CONSTANT.into()),
        ("RIGHT_CONSTANT", Flags::RIGHT_CONSTANT.into()),
        ("NODE_PINNED", Flags::PINNED.into()),
        ("OFFSET_SHIFT", Flags::OFFSET_SHIFT.into()),
        ("INPUT_ARGUMENT", InputKind::Argument as u64),
        ("INPUT_STDIN", InputKind::Stdin as u64),
        ("INPUT_FILE", InputKind::File as u64),
        ("INPUT_ENVIRONMENT", InputKind::Environment as u64),
        ("INPUT_COUNT", InputKind::Count as u64),
    ];
    for (name, number) in numbers {
        let suffix = if number > u64::from(u32::MAX) { "ull" } else { "" };
        writeln!(text, "#define PLX_{name} {number}{suffix}")?;
    }
    text.push_str(structures);
    let sizes = [
        ("node", size_of::<Node>()),
        ("event", size_of::<Event>()),
        ("blob", size_of::<Blob>()),
        ("input", size_of::<Input>()),
        ("serve", size_of::<Serve>()),
        ("layout", size_of::<Layout>()),
        ("header", size_of::<Header>()),
    ];
    for (name, size) in sizes {
        writeln!(text, "_Static_assert(sizeof(struct plx_{name}) == {size}, \"plx_{name}\");")?;
    }
    Ok(())
}
