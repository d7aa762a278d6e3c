//! The events of a run, put together from its records.
//!
//! Some events need more than one record. One whose records are incomplete is the last of a run
//! that was cut off, and is left out. Records that make no sense are left out, too, and counted: a
//! program that writes to wild addresses can hit its own trace.

use std::slice;

use parallax_abi::{Counter, Event, EventKind, Label, OutputKind, PinReason, Undefined};

/// An event. `site` is a slot of the program's sites; blobs are given by number, for
/// [`Trace::blob`](super::Trace::blob).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// A branch on a symbolic condition; in recorded functions also on concrete ones.
    Branch {
        /// The place.
        site: u32,
        /// The direction.
        taken: bool,
        /// The condition.
        label: Label,
        /// The slot of the branch inside the model of a library function that `site` calls; 0 if
        /// the branch is the program's own.
        model_site: u32,
        /// A number for the callers of its function.
        callers: u16,
    },
    /// A switch on a symbolic value.
    Switch {
        /// The place.
        site: u32,
        /// The value.
        label: Label,
        /// Its number of bits.
        width: u8,
        /// The concrete value.
        value: u64,
        /// The slot of the switch inside the model of a library function that `site` calls; 0 if
        /// the switch is the program's own.
        model_site: u32,
        /// A number for the callers of its function.
        callers: u16,
    },
    /// A symbolic value was pinned from here on.
    Pin {
        /// The place.
        site: u32,
        /// The reason.
        reason: PinReason,
        /// The value.
        label: Label,
        /// The number of its bits that are pinned.
        width: u8,
        /// The concrete value.
        value: u64,
    },
    /// A load at a symbolic address, from what looked like blob `object`.
    Load {
        /// The place.
        site: u32,
        /// The number of bytes that are loaded.
        size: u16,
        /// Whether `object` is only a part of one that is too large.
        part: bool,
        /// The address.
        label: Label,
        /// The object, as it was.
        object: u32,
    },
    /// A store at a symbolic address.
    Store {
        /// The place.
        site: u32,
        /// The number of bytes that are stored.
        size: u16,
        /// Whether the object is only a part of one that is too large.
        part: bool,
        /// The remainder of the offset divided by `size`.
        residue: u8,
        /// The distance from the start of the object.
        offset: Label,
        /// The size of the object in bytes.
        object_size: u32,
    },
    /// Bytes were printed.
    Output {
        /// The place.
        site: u32,
        /// The descriptor.
        descriptor: u16,
        /// The blob of what was printed.
        blob: u32,
    },
    /// A value was printed by a conversion.
    Formatted {
        /// The place.
        site: u32,
        /// The descriptor.
        descriptor: u16,
        /// The blob of the conversion, such as `%5d`.
        conversion: u32,
        /// The value.
        label: Label,
        /// The concrete value.
        value: u64,
    },
    /// Something was approximated at this site for the first time.
    Approximated {
        /// The place.
        site: u32,
        /// The approximation.
        counter: Counter,
        /// The blob of the name of an unmodelled function; 0 if it is something else.
        name: u32,
    },
    /// Two strings or memories were compared.
    Compare {
        /// The blob of the first one.
        site: u32,
        /// The blob of the second one.
        left: u32,
        /// The blob of the other.
        right: u32,
        /// Whether they are equal.
        equal: bool,
        /// Whether case is ignored.
        ignores_case: bool,
    },
    /// A division by a symbolic value, which was not zero.
    Divisor {
        /// The place.
        site: u32,
        /// The divisor.
        label: Label,
        /// Its number of bits.
        width: u8,
    },
    /// In proof builds: behaviour is undefined if a condition holds.
    Obligation {
        /// The place.
        site: u32,
        /// The kind of undefined behaviour.
        kind: Undefined,
        /// The condition; of no meaning if it held in this run.
        label: Label,
        /// Whether it held in this run.
        holds: bool,
    },
    /// The program ends.
    End {
        /// The place.
        site: u32,
        /// The way in which it ends.
        exit: Exit,
        /// The status.
        label: Label,
        /// The concrete status.
        status: u64,
    },
    /// In recorded functions: the function is entered.
    Enter {
        /// The function.
        site: u32,
    },
    /// In recorded functions: the function is left.
    Leave {
        /// The function.
        site: u32,
    },
    /// In recorded functions: an instruction defines a value or stores it.
    Instance {
        /// The place.
        site: u32,
        /// The value.
        label: Label,
        /// Its number of bits.
        width: u8,
        /// The concrete value.
        value: u64,
    },
    /// After an instance that loads, or a call: the last writer of the memory that is read there.
    Writer {
        /// The place.
        site: u32,
        /// The number of a record, as [`Events::numbered`] counts them.
        record: u32,
    },
    /// In recorded functions: a call begins.
    Called {
        /// The place.
        site: u32,
    },
    /// A text was read as a number.
    Number {
        /// The place.
        site: u32,
        /// The blob of the text, with the byte behind it.
        text: u32,
        /// Its base.
        base: u8,
        /// Whether it may be negative.
        signed: bool,
        /// The number (64 bits).
        label: Label,
        /// The number that was read.
        value: u64,
    },
}

/// The way in which a program ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By `exit` or by returning from `main`.
    Exit,
    /// By `_exit`.
    Immediate,
    /// By starting another program in its place.
    Replaced,
}

/// The events of a trace, in order.
#[derive(Clone, Debug)]
pub struct Events<'m> {
    records: slice::Iter<'m, Event>,
    unknown: u64,
    total: usize,
    last: usize,
}

impl<'m> Events<'m> {
    pub(super) fn new(records: &'m [Event]) -> Events<'m> {
        Events { records: records.iter(), unknown: 0, total: records.len(), last: 0 }
    }

    /// Number of records that made no sense, of those read so far.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// The events with the numbers of their first records, counted from 1.
    pub fn numbered(mut self) -> impl Iterator<Item = (u32, TraceEvent)> {
        std::iter::from_fn(move || {
            let event = self.next()?;
            Some((self.last as u32, event))
        })
    }
}

impl Iterator for Events<'_> {
    type Item = TraceEvent;

    fn next(&mut self) -> Option<TraceEvent> {
        loop {
            let head = self.records.next()?;
            self.last = self.total - self.records.len();
            let Some(values) = values(head) else {
                self.unknown += 1;
                continue;
            };
            let rest = self.records.as_slice();
            let complete = rest.len() >= values;
            let rest = &rest[..values.min(rest.len())];
            if !rest.iter().all(|record| record.kind == EventKind::Value as u8) {
                self.unknown += 1;
                continue;
            }
            if !complete {
                self.records = [].iter();
                return None;
            }
            self.records = self.records.as_slice()[values..].iter();
            match assemble(head, rest) {
                Some(event) => return Some(event),
                None => self.unknown += 1 + values as u64,
            }
        }
    }
}

/// Number of values that follow; `None` if no event starts here.
fn values(head: &Event) -> Option<usize> {
    match EventKind::from_code(head.kind)? {
        EventKind::Value => None,
        EventKind::Switch
        | EventKind::Pin
        | EventKind::End
        | EventKind::Instance
        | EventKind::Number => Some(1),
        EventKind::Output if head.flag == OutputKind::Formatted as u8 => Some(1),
        _ => Some(0),
    }
}

/// Marks in a size that the object is only a part.
const PART: u16 = 0x8000;

fn assemble(head: &Event, rest: &[Event]) -> Option<TraceEvent> {
    let &Event { flag, extra, site, label, other, .. } = head;
    let value = rest.first().map_or(0, Event::value);
    let (number, label) = (label, Label(label));
    let event = match EventKind::from_code(head.kind)? {
        EventKind::Branch => {
            TraceEvent::Branch { site, taken: flag != 0, label, model_site: other, callers: extra }
        }
        EventKind::Switch => TraceEvent::Switch {
            site,
            label,
            width: flag,
            value,
            model_site: other,
            callers: extra,
        },
        EventKind::Pin => TraceEvent::Pin {
            site,
            reason: PinReason::from_code(extra)?,
            label,
            width: flag,
            value,
        },
        EventKind::Address if flag == 0 => TraceEvent::Load {
            site,
            size: extra & !PART,
            part: extra & PART != 0,
            label,
            object: other,
        },
        EventKind::Address => TraceEvent::Store {
            site,
            size: extra & !PART,
            part: extra & PART != 0,
            residue: flag - 1,
            offset: label,
            object_size: other,
        },
        EventKind::Output => match OutputKind::from_code(flag)? {
            OutputKind::Bytes => TraceEvent::Output { site, descriptor: extra, blob: other },
            OutputKind::Formatted => {
                TraceEvent::Formatted { site, descriptor: extra, conversion: other, label, value }
            }
        },
        EventKind::Value => return None,
        EventKind::Approximated => {
            TraceEvent::Approximated { site, counter: Counter::from_code(extra)?, name: other }
        }
        EventKind::Compare => TraceEvent::Compare {
            site,
            left: number,
            right: other,
            equal: flag != 0,
            ignores_case: extra != 0,
        },
        EventKind::Obligation => TraceEvent::Obligation {
            site,
            kind: Undefined::from_code(flag)?,
            label,
            holds: extra != 0,
        },
        EventKind::Divisor => TraceEvent::Divisor { site, label, width: flag },
        EventKind::End => TraceEvent::End { site, exit: exit(flag)?, label, status: value },
        EventKind::Enter => TraceEvent::Enter { site },
        EventKind::Leave => TraceEvent::Leave { site },
        EventKind::Instance => TraceEvent::Instance { site, label, width: flag, value },
        EventKind::Writer => TraceEvent::Writer { site, record: other },
        EventKind::Called => TraceEvent::Called { site },
        EventKind::Number => {
            TraceEvent::Number { site, text: other, base: flag, signed: extra != 0, label, value }
        }
    };
    Some(event)
}

fn exit(flag: u8) -> Option<Exit> {
    match flag {
        0 => Some(Exit::Exit),
        1 => Some(Exit::Immediate),
        2 => Some(Exit::Replaced),
        _ => None,
    }
}
