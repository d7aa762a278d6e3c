//! Traced programs in the lab: their trace can be read however they end; nothing that they write
//! there does harm.
#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod support;

use std::time::{Duration, Instant};

use parallax_abi::{Counter, InputKind, Label, Op};
use parallax_run::{
    Addresses, Ending, Fixed, Limits, MemoryLimit, Observation, Subject,
    lab::{Lab, RunError},
    trace::{Trace, TraceEvent, TraceMemory, TraceOptions},
};
use support::*;

const LABS: [Kind; 7] =
    [FULL, OLD_LANDLOCK, NO_LANDLOCK, NO_NAMESPACES, NO_SIGNAL_SCOPE, NEITHER_NEW, OPEN];

fn memory() -> TraceMemory {
    TraceMemory::new(TraceOptions::default()).unwrap()
}

fn traced() -> Subject {
    Subject { memory: MemoryLimit::Resident(64 << 20), ..subject(&program("traced")) }
}

fn trace(lab: &mut Lab, args: &[&str], memory: &mut TraceMemory) -> Observation {
    trace_within(lab, args, &limits(), memory)
}

fn trace_within(
    lab: &mut Lab,
    args: &[&str],
    limits: &Limits,
    memory: &mut TraceMemory,
) -> Observation {
    lab.trace(&traced(), &test_case(args), limits, memory).unwrap()
}

/// Checks that the trace is the one that the program writes.
fn check(trace: &Trace<'_>, what: &str) {
    assert!(trace.attached(), "{what}");
    let operators: Vec<_> = trace.nodes().iter().map(|node| node.operator()).collect();
    assert_eq!(operators, [None, Some(Op::Input), Some(Op::Eq)], "{what}");
    assert_eq!(trace.node(Label(2)).unwrap().constant(), 65, "{what}");
    let mut events = trace.events();
    let found: Vec<_> = events.by_ref().collect();
    let [
        TraceEvent::Branch { site: 7, taken: true, label: Label(2), model_site: 9, callers: 0 },
        TraceEvent::Switch { site: 8, label: Label(1), value: 65, .. },
        TraceEvent::Output { site: 10, descriptor: 1, blob },
    ] = found[..]
    else {
        panic!("{what}: {found:?}");
    };
    assert_eq!(events.unknown(), 0, "{what}");
    let blob = trace.blob(blob).unwrap();
    assert_eq!((blob.address, blob.bytes), (0x1234567890, &b"hello"[..]), "{what}");
    assert_eq!(blob.labels, [Label(1); 5], "{what}");
    let inputs = trace.inputs();
    let [file] = inputs[..] else { panic!("{what}: {inputs:?}") };
    assert_eq!((file.kind, file.name, file.fixed), (Some(InputKind::File), &b"in.txt"[..], false));
    let covered: Vec<_> = (0..).zip(trace.coverage()).filter(|(_, byte)| **byte != 0).collect();
    assert_eq!(covered, [(7, &1)], "{what}");
    assert_eq!(trace.counters().collect::<Vec<_>>(), [(Counter::Unmodelled, 3)], "{what}");
}

#[test]
fn a_trace_is_readable_however_the_run_ends() {
    let limits = |command| {
        let time = Duration::from_millis(if command == "spin" { 300 } else { 10_000 });
        Limits { time, disk: 1 << 20, ..support::limits() }
    };
    let endings = [
        ("exit", Ending::Exit(0)),
        ("_exit", Ending::Exit(3)),
        ("abort", Ending::Signal(6)),
        ("kill", Ending::Signal(9)),
        ("spin", Ending::TimeLimit),
        ("disk", Ending::Exit(0)),
        ("child", Ending::Exit(0)),
        ("cut", Ending::Exit(0)),
    ];
    let mut memory = memory();
    for kind in LABS {
        let mut lab = kind.start();
        for (command, ending) in endings {
            let seen = trace_within(&mut lab, &[command], &limits(command), &mut memory);
            let what = format!("{command} in {}: {}", kind.name, text(&seen.stderr.bytes));
            assert_eq!(seen.ending, ending, "{what}");
            check(&memory.trace(), &what);
        }
    }
}

#[test]
fn a_trace_can_be_kept() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    trace(&mut lab, &["exit"], &mut memory);
    let kept = memory.trace().to_owned();
    trace(&mut lab, &["scribble", "1"], &mut memory);
    check(&kept.view(), "kept");
}

#[test]
fn the_next_run_sees_nothing_of_the_last() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    for command in [&["exit"][..], &["scribble", "1"], &["much"]] {
        trace(&mut lab, command, &mut memory);
        assert_eq!(trace(&mut lab, &["fresh"], &mut memory).ending, Ending::Exit(0));
        let trace = memory.trace();
        assert!(trace.attached());
        assert_eq!((trace.nodes().len(), trace.events().count()), (1, 0));
        assert_eq!(trace.counters().count(), 0);
    }
}

#[test]
fn a_program_without_instrumentation_is_not_attached() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    assert_eq!(trace(&mut lab, &["nothing"], &mut memory).ending, Ending::Exit(0));
    assert!(!memory.trace().attached());
    assert_eq!(memory.trace().events().count(), 0);
}

#[test]
fn the_memory_is_the_only_further_descriptor() {
    let mut memory = memory();
    for kind in LABS {
        let mut lab = kind.start();
        for open_files in [16, 240, 241, 256, 4096] {
            let limits = Limits { open_files, ..limits() };
            let seen = trace_within(&mut lab, &["descriptors"], &limits, &mut memory);
            assert_eq!(text(&seen.stdout.bytes), "0 1 2 240 ", "{open_files}, {}", kind.name);
            assert_eq!(
                trace_within(&mut lab, &["exit"], &limits, &mut memory).ending,
                Ending::Exit(0)
            );
            check(&memory.trace(), kind.name);
        }
        let seen = run(&mut lab, "traced", &["descriptors"]);
        assert_eq!(text(&seen.stdout.bytes), "0 1 2 ", "{}", kind.name);
    }
}

#[test]
fn a_shadow_of_terabytes_can_be_mapped() {
    let mut memory = memory();
    for kind in LABS {
        let mut subject = traced();
        subject.memory = MemoryLimit::AddressSpace(64 << 20);
        subject.addresses = Addresses::Random;
        let seen =
            kind.start().trace(&subject, &test_case(&["shadow"]), &limits(), &mut memory).unwrap();
        let what = format!("{}: {}", kind.name, text(&seen.stderr.bytes));
        assert_eq!(
            (seen.ending, &seen.stdout.bytes[..]),
            (Ending::Exit(0), &b"mapped\n"[..]),
            "{what}"
        );
        check(&memory.trace(), &what);
    }
}

#[test]
fn a_trace_does_not_count_as_the_programs_memory() {
    let mut memory = memory();
    for kind in [FULL, NO_NAMESPACES] {
        let mut lab = kind.start();
        for command in ["much", "hidden-much"] {
            let seen = trace(&mut lab, &[command], &mut memory);
            assert_eq!(seen.ending, Ending::Exit(0), "{command}, {}", kind.name);
            assert_eq!(memory.trace().nodes().len(), (200 << 20) / 16, "{}", kind.name);
        }
        let seen = trace(&mut lab, &["hide"], &mut memory);
        assert_eq!(seen.ending, Ending::MemoryLimit, "{}", kind.name);
    }
}

#[test]
fn memory_is_given_back() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    trace(&mut lab, &["much"], &mut memory);
    assert!(memory.allocated().unwrap() >= 200 << 20);
    memory.give_back(64 << 20).unwrap();
    let allocated = memory.allocated().unwrap();
    assert!((64 << 20..66 << 20).contains(&allocated), "{allocated}");
    trace(&mut lab, &["exit"], &mut memory);
    check(&memory.trace(), "after giving back");
    memory.give_back(0).unwrap();
    assert!(memory.allocated().unwrap() < 1 << 20);
    trace(&mut lab, &["exit"], &mut memory);
    check(&memory.trace(), "after giving all back");
}

#[test]
fn the_size_of_the_memory_cannot_be_changed() {
    let mut memory = memory();
    for kind in LABS {
        let mut lab = kind.start();
        let seen = trace(&mut lab, &["size"], &mut memory);
        assert_eq!((seen.ending, seen.stdout.total), (Ending::Exit(0), 0), "{}", kind.name);
        assert!(!memory.trace().attached());
        trace(&mut lab, &["exit"], &mut memory);
        check(&memory.trace(), kind.name);
    }
}

#[test]
fn noise_in_the_memory_does_no_harm() {
    let mut lab = FULL.start();
    let options = TraceOptions { nodes: 1000, events: 5000, blobs: 1 << 20, ..Default::default() };
    let mut memory = TraceMemory::new(options).unwrap();
    for seed in 0..50 {
        let seen = trace(&mut lab, &["scribble", &seed.to_string()], &mut memory);
        assert_eq!(seen.ending, Ending::Exit(0));
        read_everything(&memory.trace());
        read_everything(&memory.trace().to_owned().view());
    }
}

fn read_everything(trace: &Trace<'_>) {
    let labels = trace.nodes().iter().map(|node| Label(node.a));
    labels.filter_map(|label| trace.node(label)).for_each(drop);
    trace.inputs().iter().for_each(|input| assert!(input.name.len() <= 1 << 20));
    let mut events = trace.events();
    let count = events.by_ref().count() as u64 + events.unknown();
    assert!(count <= 5000);
    for id in (0..70_000).chain([u32::MAX - 1, u32::MAX]) {
        if let Some(blob) = trace.blob(id) {
            assert!(blob.labels.is_empty() || blob.labels.len() == blob.bytes.len());
        }
    }
    trace.counters().for_each(drop);
}

#[test]
fn a_program_learns_what_the_test_fixes() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    let mut test = test_case(&["exit"]);
    test.fixed = vec![
        Fixed::Argument(0),
        Fixed::Arguments,
        Fixed::Count,
        Fixed::Stdin,
        Fixed::File(b"a file with a long name".to_vec()),
        Fixed::Files,
        Fixed::Variable(b"HOME".to_vec()),
        Fixed::Variables,
    ];
    lab.trace(&traced(), &test, &limits(), &mut memory).unwrap();
    let trace = memory.trace();
    let inputs = trace.inputs();
    let all = u32::MAX;
    let expected: [(InputKind, u32, &str); 9] = [
        (InputKind::Argument, 1, ""),
        (InputKind::Argument, all, ""),
        (InputKind::Count, 0, ""),
        (InputKind::Stdin, 0, ""),
        (InputKind::File, 0, "a file with a long name"),
        (InputKind::File, all, ""),
        (InputKind::Environment, 0, "HOME"),
        (InputKind::Environment, all, ""),
        (InputKind::File, 0, "in.txt"),
    ];
    let found: Vec<_> =
        inputs.iter().map(|input| (input.kind.unwrap(), input.index, text(input.name))).collect();
    let expected: Vec<_> =
        expected.iter().map(|(kind, index, name)| (*kind, *index, (*name).to_owned())).collect();
    assert_eq!(found, expected);
    let fixed: Vec<_> = inputs.iter().map(|input| input.fixed).collect();
    assert_eq!(fixed, [&[true; 8][..], &[false]].concat());
}

#[test]
fn what_cannot_be_fixed_for_want_of_room_is_an_error() {
    let options = TraceOptions { inputs: 1, ..TraceOptions::default() };
    let mut memory = TraceMemory::new(options).unwrap();
    let mut test = test_case(&["exit"]);
    test.fixed = vec![Fixed::Stdin, Fixed::Count];
    let error = FULL.start().trace(&traced(), &test, &limits(), &mut memory).unwrap_err();
    assert_eq!(error.to_string(), "name the fixed inputs: there is no room for 2 of them");
}

#[test]
fn a_program_that_is_missing_is_an_error_of_a_traced_run_too() {
    let (mut lab, mut memory) = (FULL.start(), memory());
    let missing = subject("/does/not/exist".as_ref());
    let error = lab.trace(&missing, &test_case(&[]), &limits(), &mut memory).unwrap_err();
    assert!(matches!(error, RunError::Execute { .. }), "{error}");
    assert!(!memory.trace().attached());
    trace(&mut lab, &["exit"], &mut memory);
    check(&memory.trace(), "afterwards");
}

/// So many that a descriptor which is not closed after a run would use up those that there are.
#[test]
fn a_lab_does_not_hold_on_to_memory() {
    let mut lab = FULL.start();
    let start = Instant::now();
    for _ in 0..1500 {
        let options = TraceOptions { sites: 16, ..TraceOptions::default() };
        let mut memory = TraceMemory::new(options).unwrap();
        trace(&mut lab, &["exit"], &mut memory);
        check(&memory.trace(), "one of many");
        if start.elapsed() > Duration::from_secs(60) {
            println!("ended early: this machine is slow");
            break;
        }
    }
}

#[test]
fn all_this_holds_for_an_ordinary_user() {
    run_as_ordinary_user(&["traced"]);
}
