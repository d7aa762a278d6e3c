//! What a recorded run says, in the numbers of the program as it was compiled.

use parallax_program::SiteId;

/// Something that a recorded function did. `number` is what a later [`Record::Read`] calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The function that this instruction belongs to is entered.
    Enter {
        /// Its first instruction, or any other.
        site: SiteId,
    },
    /// The function is left.
    Leave {
        /// Where.
        site: SiteId,
    },
    /// A branch on a condition.
    Branch {
        /// Where.
        site: SiteId,
        /// Whether the condition held.
        taken: bool,
    },
    /// A switch.
    Switch {
        /// Where.
        site: SiteId,
        /// On what.
        value: u64,
    },
    /// A value was computed, stored or returned by a call.
    Value {
        /// Where.
        site: SiteId,
        /// The number of the record.
        number: u32,
        /// The lowest 64 bits.
        value: u64,
        /// How many bits it has; 0 if it has no number.
        width: u8,
    },
    /// A call begins.
    Called {
        /// Where.
        site: SiteId,
        /// The number of the record.
        number: u32,
    },
    /// What came before has read memory that this record had written.
    Read {
        /// Where.
        site: SiteId,
        /// The number of the record that wrote it.
        writer: u32,
    },
    /// The call that is under way printed something.
    Printed {
        /// On which descriptor.
        descriptor: u16,
        /// What, or the first part of it.
        bytes: Vec<u8>,
        /// How many bytes it was.
        length: usize,
    },
}
