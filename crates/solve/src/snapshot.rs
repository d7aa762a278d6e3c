//! Content of memory when a program read from it at a symbolic address.
//!
//! Contents are stored once for all reads that share them, and compared by value: two runs that
//! index the same table get the same snapshot, and so the same expressions.

use crate::ExprId;

/// A snapshot of a [`Graph`](crate::Graph).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u32);

/// Bytes, some of which may be expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    address: u64,
    bytes: Box<[u8]>,
    symbolic: Box<[(u32, ExprId)]>,
}

/// A byte of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Concrete(u8),
    Symbolic(ExprId),
}

impl Snapshot {
    /// Bytes from `address` on. At each offset of `symbolic` (in ascending order) the byte is the
    /// expression beside it, 8 bits wide.
    pub fn new(address: u64, bytes: &[u8], symbolic: Vec<(u32, ExprId)>) -> Snapshot {
        let mut bytes: Box<[u8]> = bytes.into();
        for (offset, _) in &symbolic {
            // The concrete value of a symbolic byte is irrelevant, and would make equal contents
            // differ.
            if let Some(byte) = bytes.get_mut(*offset as usize) {
                *byte = 0;
            }
        }
        Snapshot { address, bytes, symbolic: symbolic.into() }
    }

    /// The address of the first byte.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The bytes; zero where they are symbolic.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The offsets of symbolic bytes and their expressions.
    pub fn symbolic(&self) -> &[(u32, ExprId)] {
        &self.symbolic
    }

    /// The offset of `count` bytes from `address` on, if all of them are here.
    pub(crate) fn locate(&self, address: u64, count: u32) -> Option<u32> {
        let offset = address.wrapping_sub(self.address);
        let end = offset.checked_add(count.into())?;
        if end <= self.bytes.len() as u64 { u32::try_from(offset).ok() } else { None }
    }

    /// The byte at an offset that [`Snapshot::locate`] has found.
    pub(crate) fn cell(&self, offset: u32) -> Cell {
        match self.symbolic.binary_search_by_key(&offset, |(offset, _)| *offset) {
            Ok(found) => Cell::Symbolic(self.symbolic[found].1),
            Err(_) => Cell::Concrete(self.bytes[offset as usize]),
        }
    }
}
