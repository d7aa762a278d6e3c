//! The records of a run, with the sites of the program as it was compiled.

use parallax_program::SiteId;

/// An action of a recorded function. A later [`Record::Read`] refers to it by `number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The function that this instruction belongs to is entered.
    Enter {
        /// Its first instruction, or any other.
        site: SiteId,
    },
    /// The function is left.
    Leave {
        /// The place.
        site: SiteId,
    },
    /// A branch on a condition.
    Branch {
        /// The place.
        site: SiteId,
        /// Whether the condition held.
        taken: bool,
    },
    /// A switch.
    Switch {
        /// The place.
        site: SiteId,
        /// The value it is on.
        value: u64,
    },
    /// A value was computed, stored or returned by a call.
    Value {
        /// The place.
        site: SiteId,
        /// The number of the record.
        number: u32,
        /// The lowest 64 bits.
        value: u64,
        /// Its number of bits; 0 if it has no number.
        width: u8,
    },
    /// A call begins.
    Called {
        /// The place.
        site: SiteId,
        /// The number of the record.
        number: u32,
    },
    /// The instance before has read memory that this record had written.
    Read {
        /// The place.
        site: SiteId,
        /// The number of the record that wrote it.
        writer: u32,
    },
    /// The current call printed something.
    Printed {
        /// The descriptor.
        descriptor: u16,
        /// The bytes, or the first of them.
        bytes: Vec<u8>,
        /// The number of bytes.
        length: usize,
    },
}
