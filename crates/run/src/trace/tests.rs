//! Any contents of the memory can be read; records that were written are read back.

use std::{fs::File, os::fd::AsFd, os::unix::fs::FileExt};

use parallax_abi::{
    Counter, Event, EventKind, Header, Label, MAGIC, OutputKind, PinReason, VERSION,
};
use proptest::{collection, prelude::*};

use super::{mapping::Plain, *};
use crate::Fixed;

fn small() -> TraceOptions {
    let (sites, inputs, nodes, events, blobs) = (100, 8, 64, 256, 4096);
    TraceOptions { sites, inputs, nodes, events, blobs, ..TraceOptions::default() }
}

fn memory() -> TraceMemory {
    TraceMemory::new(small()).expect("there is memory")
}

/// Writes to the memory as a program would.
fn write<T: Plain>(memory: &TraceMemory, offset: u64, values: &[T]) {
    // SAFETY: the values have no padding.
    let bytes =
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) };
    let file = memory.as_fd().try_clone_to_owned().map(File::from).expect("it can be cloned");
    file.write_all_at(bytes, offset).expect("it can be written");
}

fn header(memory: &TraceMemory) -> Header {
    let layout = small().layout().expect("there is room");
    Header {
        magic: MAGIC,
        version: VERSION,
        attached: 1,
        layout,
        argument_room: memory.options().argument_room,
        arguments_room: 0,
        object_room: 0,
        quiet: 0,
        record_from: 0,
        inputs: 0,
        nodes: 1,
        events: 0,
        blobs: 16,
        counters: [0; Counter::ROOM],
    }
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..300_u64, any::<u64>(), Just(u64::MAX), 4000..4200_u64]
}

/// Noise, or records whose numbers are small enough to mean something.
fn arena() -> impl Strategy<Value = Vec<u8>> {
    let small = collection::vec(0..40_u32, 0..1024)
        .prop_map(|words| words.into_iter().flat_map(u32::to_le_bytes).collect());
    prop_oneof![collection::vec(any::<u8>(), 0..4096), small]
}

proptest! {
    #[test]
    fn any_contents_can_be_read(
        counters in [number(), number(), number(), number(), number()],
        (sites, inputs, events) in (arena(), arena(), arena()),
        blobs in arena(),
    ) {
        let memory = memory();
        let mut header = header(&memory);
        let layout = header.layout;
        header.layout.nodes = counters[4];
        header.layout.blobs_room = counters[4];
        (header.inputs, header.nodes) = (counters[0] as u32, counters[1] as u32);
        (header.events, header.blobs) = (counters[2], counters[3]);
        write(&memory, 0, &[header]);
        for (offset, bytes) in
            [(layout.sites, sites), (layout.inputs, inputs), (layout.events, events), (layout.blobs, blobs)]
        {
            write(&memory, offset, &bytes);
        }
        let trace = memory.trace();
        prop_assert_eq!(trace.nodes().len() as u64, u64::from(header.nodes).min(64));
        prop_assert_eq!(trace.inputs().len() as u64, u64::from(header.inputs).min(8));
        prop_assert_eq!(trace.coverage().len(), 100);
        let mut all = trace.events();
        let found = all.by_ref().count() as u64;
        prop_assert!(found + all.unknown() <= header.events.min(256));
        for id in (0..300).chain([u32::MAX / 4, u32::MAX]) {
            let Some(blob) = trace.blob(id) else { continue };
            prop_assert!(id > 0 && blob.bytes.len() < 4096);
            prop_assert!(blob.labels.is_empty() || blob.labels.len() == blob.bytes.len());
        }
        let copy = trace.to_owned();
        prop_assert_eq!(copy.view().inputs(), trace.inputs());
        prop_assert!(copy.view().events().eq(trace.events()));
    }

    #[test]
    fn noise_in_the_header_can_be_read(noise in collection::vec(any::<u8>(), size_of::<Header>())) {
        let memory = memory();
        write(&memory, 0, &noise);
        let trace = memory.trace();
        prop_assert!(trace.nodes().len() <= 64 && trace.inputs().len() <= 8);
        prop_assert!(trace.events().count() <= 256);
        prop_assert_eq!(trace.coverage().len(), 100);
    }
}

#[test]
fn a_blob_must_be_all_there() {
    let memory = memory();
    let layout = header(&memory).layout;
    // Five bytes, labelled: 16 of head, 16 of bytes, 20 of labels.
    let blob = [1_u32, 2, 5, 1, 0x64636261, 0x65, 0, 0, 10, 11, 12, 13, 14];
    write(&memory, layout.blobs + 16, &blob);
    for end in 0..100 {
        write(&memory, 0, &[Header { blobs: end, ..header(&memory) }]);
        let trace = memory.trace();
        let Some(blob) = trace.blob(1) else {
            assert!(end < 16 + 52);
            continue;
        };
        assert!(end >= 16 + 52);
        assert_eq!((blob.address, blob.bytes), (1 | 2 << 32, &b"abcde"[..]));
        assert_eq!(blob.labels, [10, 11, 12, 13, 14].map(Label));
    }
    assert_eq!(memory.trace().blob(0), None);
}

#[test]
fn memory_that_was_abandoned_is_not_read_and_not_used_again() {
    let mut memory = memory();
    let former = memory.as_fd().try_clone_to_owned().map(File::from).expect("it can be cloned");
    write(&memory, 0, &[header(&memory)]);
    assert!(memory.trace().attached());
    memory.abandon();
    assert!(!memory.trace().attached());
    assert_eq!(memory.trace().coverage(), []);
    memory.reset(&[Fixed::Stdin]).expect("there is memory");
    former.write_all_at(&[1; 1000], 0).expect("it can be written");
    let trace = memory.trace();
    assert!(!trace.attached() && trace.inputs().len() == 1 && trace.coverage().len() == 100);
}

fn event(kind: EventKind, flag: u8, extra: u16) -> Event {
    Event { kind: kind as u8, flag, extra, site: 4, label: 5, other: 6 }
}

fn value(value: u64) -> Event {
    let (label, other) = (value as u32, (value >> 32) as u32);
    Event { label, other, ..event(EventKind::Value, 0, 0) }
}

fn check_events(records: &[Event], expected: &[TraceEvent], unknown: u64) {
    let mut events = Events::new(records);
    assert_eq!(events.by_ref().collect::<Vec<_>>(), expected, "{records:?}");
    assert_eq!(events.unknown(), unknown, "{records:?}");
}

#[test]
fn events_are_put_together() {
    use EventKind as K;
    use TraceEvent as E;
    let (site, label, number) = (4, Label(5), 0x1_0000_0002);
    let formatted = OutputKind::Formatted as u8;
    for (records, expected) in [
        (
            vec![event(K::Branch, 1, 0)],
            E::Branch { site, taken: true, label, model_site: 6, callers: 0 },
        ),
        (
            vec![event(K::Switch, 32, 0), value(number)],
            E::Switch { site, label, width: 32, value: number, model_site: 6, callers: 0 },
        ),
        (
            vec![event(K::Pin, 64, 3), value(number)],
            E::Pin { site, reason: PinReason::Size, label, width: 64, value: number },
        ),
        (vec![event(K::Address, 0, 8)], E::Load { site, size: 8, part: false, label, object: 6 }),
        (
            vec![event(K::Address, 3, 0x8008)],
            E::Store { site, size: 8, part: true, residue: 2, offset: label, object_size: 6 },
        ),
        (vec![event(K::Output, 0, 2)], E::Output { site, descriptor: 2, blob: 6 }),
        (
            vec![event(K::Output, formatted, 2), value(number)],
            E::Formatted { site, descriptor: 2, conversion: 6, label, value: number },
        ),
        (
            vec![event(K::Approximated, 0, 4)],
            E::Approximated { site, counter: Counter::Unmodelled, name: 6 },
        ),
        (
            vec![event(K::Compare, 1, 1)],
            E::Compare { site, left: 5, right: 6, equal: true, ignores_case: true },
        ),
        (vec![event(K::Divisor, 32, 0)], E::Divisor { site, label, width: 32 }),
        (
            vec![event(K::End, 1, 0), value(3)],
            E::End { site, exit: Exit::Immediate, label, status: 3 },
        ),
        (vec![event(K::Enter, 0, 0)], E::Enter { site }),
        (vec![event(K::Leave, 0, 0)], E::Leave { site }),
        (
            vec![event(K::Instance, 32, 0), value(3)],
            E::Instance { site, label, width: 32, value: 3 },
        ),
        (vec![event(K::Writer, 0, 0)], E::Writer { site, record: 6 }),
        (vec![event(K::Called, 0, 0)], E::Called { site }),
    ] {
        check_events(&records, &[expected], 0);
        check_events(&[&records[..], &records].concat(), &[expected, expected], 0);
        check_events(&records[..records.len() - 1], &[], 0);
    }
}

#[test]
fn records_that_make_no_sense_are_counted() {
    let leave = event(EventKind::Leave, 0, 0);
    let after = [TraceEvent::Leave { site: 4 }];
    let unknown = Event { kind: 200, ..leave };
    check_events(&[unknown, leave], &after, 1);
    check_events(&[value(1), leave], &after, 1);
    check_events(&[event(EventKind::Switch, 0, 0), leave], &after, 1);
    check_events(&[event(EventKind::Pin, 0, 99), value(1), leave], &after, 2);
    check_events(&[event(EventKind::End, 9, 0), value(1), leave], &after, 2);
    check_events(&[event(EventKind::Output, 7, 0), leave], &after, 1);
    check_events(&[event(EventKind::Approximated, 0, 99), leave], &after, 1);
}
