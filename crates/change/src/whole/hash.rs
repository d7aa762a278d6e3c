//! Hashes used as identities.
//!
//! Instructions are compared millions of times, so everything about them is hashed to 64 bits once.
//! That two different ones collide in a program of a million has odds of one in ten million.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The hash of a value, the same in every run.
pub(crate) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
