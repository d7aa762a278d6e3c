//! The records of requested functions: all that aligning two runs needs.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::{fs, path::PathBuf};

use parallax_capture::{BuildOptions, Version};
use parallax_deadline::Deadline;
use parallax_instrument::{Recording, SymbolicBuild, recording_build};
use parallax_run::{
    Addresses, Limits, MemoryLimit, Subject, TestCase,
    lab::{Isolation, Lab},
    trace::{TraceEvent, TraceMemory, TraceOptions},
};

const PROGRAM: &str = r#"
#include <unistd.h>
static int cell;
static char bytes[4];
__attribute__((noinline)) int first(const char *from) { return from[0]; }
void put(int value) { cell = value; }
__attribute__((noinline)) int chosen(int number) {
    int got = cell + number;
    if (got > 10) got = 10;
    switch (number) { case 3: got += 1; break; case 4: got += 2; break; }
    return got;
}
int other(int number) { return number > 1 ? number * 3 : number; }
int main(int argc, char **argv) {
    put(2);
    if (read(0, bytes, 4) == 4 && first(bytes) == 'z') return 9;
    return chosen(3) + other(2) + (argc > 1 && argv[1][0] == 'x');
}
"#;

struct Recorded {
    build: SymbolicBuild,
    events: Vec<(u32, TraceEvent)>,
}

fn record(functions: &[&str]) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    fs::write(&source, PROGRAM).unwrap();
    let options = BuildOptions {
        compiler: PathBuf::from(env!("CARGO_BIN_EXE_parallax-cc")),
        ..BuildOptions::default()
    };
    let native = Version::Sources(vec![source]).build(&options, &mut |_| {}).unwrap();
    let functions = functions.iter().map(|name| (*name).into()).collect();
    let recording = Recording { functions, ..Recording::default() };
    let build =
        recording_build(&native, &recording, &folder.path().join("program"), Deadline::NEVER);
    let build = build.unwrap();
    let subject = Subject {
        program: build.program.clone(),
        name: b"program".to_vec(),
        library_path: Vec::new(),
        env: Vec::new(),
        memory: MemoryLimit::Resident(1 << 30),
        addresses: Addresses::Fixed,
        forks: false,
    };
    let room = TraceOptions { sites: build.places.size(), ..TraceOptions::default() };
    let mut memory = TraceMemory::new(room).unwrap();
    let mut lab = Lab::start(Isolation::Sandboxed).unwrap();
    let (args, stdin) = (vec![b"y".to_vec()], Some(b"abcd".to_vec()));
    let test = TestCase { args, stdin, ..TestCase::default() };
    lab.trace(&subject, &test, &Limits::default(), &mut memory).unwrap();
    assert!(memory.trace().attached());
    let events = memory.trace().events().numbered().collect();
    Recorded { build, events }
}

impl Recorded {
    fn in_function(&self, name: &str) -> Vec<TraceEvent> {
        let events = self.events.iter().map(|(_, event)| *event);
        events.filter(|event| self.build.function_at(site(event)) == name).collect()
    }

    /// The writers of the memory that a function reads.
    fn writers(&self, name: &str) -> Vec<TraceEvent> {
        let numbers = self.in_function(name).into_iter().filter_map(|event| match event {
            TraceEvent::Writer { record, .. } => Some(record),
            _ => None,
        });
        let found = |number| self.events.iter().find(|(other, _)| *other == number);
        numbers.map(|number| found(number).unwrap().1).collect()
    }
}

fn site(event: &TraceEvent) -> u32 {
    match *event {
        TraceEvent::Branch { site, .. }
        | TraceEvent::Switch { site, .. }
        | TraceEvent::Enter { site }
        | TraceEvent::Leave { site }
        | TraceEvent::Instance { site, .. }
        | TraceEvent::Called { site }
        | TraceEvent::Writer { site, .. } => site,
        _ => u32::MAX,
    }
}

#[test]
fn concrete_branches_and_values_are_recorded_in_order() {
    let recorded = record(&["chosen"]);
    let events = recorded.in_function("chosen");
    assert!(matches!(events.first(), Some(TraceEvent::Enter { .. })), "{events:?}");
    assert!(matches!(events.last(), Some(TraceEvent::Leave { .. })), "{events:?}");
    let branches: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Branch { taken, label, .. } => Some((*taken, label.is_concrete())),
            _ => None,
        })
        .collect();
    assert_eq!(branches, [(false, true)], "5 > 10 is false, and concrete");
    let switches = events.iter().filter(|e| matches!(e, TraceEvent::Switch { value: 3, .. }));
    assert_eq!(switches.count(), 1);
    let values: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Instance { value, label, .. } => Some((*value, label.is_concrete())),
            _ => None,
        })
        .collect();
    assert!(values.contains(&(2, true)) && values.contains(&(5, true)), "{values:?}");
    assert!(values.contains(&(6, true)), "5 and 1 for the case: {values:?}");
}

#[test]
fn a_load_says_who_wrote() {
    let recorded = record(&["chosen", "put"]);
    let functions = |event: &TraceEvent| recorded.build.function_at(site(event)) == "put";
    let writers = recorded.writers("chosen");
    let stores = writers.iter().filter(|event| functions(event));
    let stores: Vec<_> = stores
        .map(|event| match event {
            TraceEvent::Instance { value, .. } => *value,
            _ => panic!("a store is an instance: {event:?}"),
        })
        .collect();
    assert_eq!(stores, [2], "{writers:?}");
}

#[test]
fn what_is_not_recorded_writes_for_the_call_that_led_there() {
    let recorded = record(&["main", "chosen", "first"]);
    let in_main = |event: &TraceEvent| match event {
        TraceEvent::Called { site } => recorded.build.function_at(*site) == "main",
        _ => false,
    };
    // `put` is not recorded, and `read` is a library function.
    for function in ["chosen", "first"] {
        let writers = recorded.writers(function);
        assert!(writers.iter().any(in_main), "{function}: {writers:?}");
    }
}

#[test]
fn symbolic_values_are_recorded_too() {
    let recorded = record(&["first"]);
    let loaded = recorded.in_function("first").into_iter().any(|event| match event {
        TraceEvent::Instance { value, label, .. } => {
            value == u64::from(b'a') && !label.is_concrete()
        }
        _ => false,
    });
    assert!(loaded);
}

#[test]
fn other_functions_say_nothing_of_what_is_concrete() {
    let recorded = record(&["chosen"]);
    assert!(recorded.in_function("other").is_empty());
    let in_main = recorded.in_function("main");
    let is_symbolic = |event: &TraceEvent| match event {
        TraceEvent::Branch { label, .. } => !label.is_concrete(),
        _ => false,
    };
    assert!(!in_main.is_empty() && in_main.iter().all(is_symbolic), "{in_main:?}");
}

#[test]
fn without_anything_to_record_there_are_only_symbolic_events() {
    let recorded = record(&[]);
    assert!(recorded.in_function("chosen").is_empty());
}
