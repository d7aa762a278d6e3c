//! Which function and which global of one version is which of the other.

pub(crate) mod frame;
pub(crate) mod function;
pub(crate) mod global;
pub(crate) mod hash;
pub(crate) mod identity;
pub(crate) mod name;
pub(crate) mod pairing;
pub(crate) mod similar;
