//! Filler: the bytes of an input that grows, where no condition says what they are.

use parallax_run::{Entry, TestCase};

use crate::decision::{hash, hash_bytes};

/// Bytes that mean something to most programs that read text.
const USUAL: &[u8] = b"a1 \n0,-x=.:;(2)\"b/+[]{}#\t";

/// A byte for each offset: the last one again, all that is there once more, or what is usual.
pub(crate) fn filler(test: &TestCase, salt: u64) -> impl Fn(u32) -> u8 + use<> {
    let mut known: Vec<u8> = test.stdin.clone().unwrap_or_default();
    for entry in test.files.values() {
        if let Entry::File { data, .. } = entry {
            known.extend(data);
        }
    }
    let seed = hash(salt, hash_bytes(&known));
    move |offset| match (&known[..], salt % 4) {
        ([.., last], 0 | 1) => *last,
        ([_, ..], 2) => known[offset as usize % known.len()],
        _ => USUAL[hash(seed, u64::from(offset)) as usize % USUAL.len()],
    }
}
