//! Matching of functions and globals.

pub(crate) mod frame;
pub(crate) mod function;
pub(crate) mod global;
pub(crate) mod hash;
pub(crate) mod identity;
pub(crate) mod name;
pub(crate) mod pairing;
pub(crate) mod similar;
