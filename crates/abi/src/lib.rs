//! The interface between Parallax and a traced program: the layout of the memory that they share.
//!
//! The program's side of it is written in C and compiled into the program; it includes
//! [`c_header`], which is made from the definitions here, so that the two cannot drift apart.
//!
//! **Labels.** A value or a byte of memory is named by a `u32`: zero if it is concrete, else 28
//! bits that number a [`Node`] and above them 4 bits `k`. It stands for what is left of the node's
//! value without its lowest `k` bytes, and at whatever width it is used, it is cut or extended with
//! zeros to that width. So truncation, most zero extension, storing a value byte by byte and
//! loading any part of it again need no node.

mod header;
mod layout;
mod node;

pub use header::c_header;
pub use layout::{
    Blob, Counter, Event, EventKind, Header, Input, InputKind, Layout, MAGIC, OutputKind,
    PinReason, SERVE_FD, SERVE_ROOM, SURVEY, Serve, ServeCommand, Share, TRACE_FD, Undefined,
    VERSION,
};
pub use node::{Flags, LABEL_BYTE_SHIFT, LABEL_NODE_MASK, Label, Node, Op, POINTER};
