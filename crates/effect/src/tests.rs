//! Runs and programs made by hand, of a few instructions each.

mod program;

use std::time::Duration;

use parallax_change::{Changes, changes};
use parallax_deadline::Deadline;
use parallax_program::{Opcode, SiteId, graph::Bits};

use self::program::{Maker, constant, site};
use crate::{Alignment, Code, Effects, Record, Run, Side, Sight, StepId, Why, align::regions};

fn value(number: u32, at: u32, value: u64) -> Record {
    Record::Value { site: SiteId(at), number, value, width: 32 }
}

fn print(text: &str) -> Record {
    Record::Printed { descriptor: 1, bytes: text.into(), length: text.len() }
}

fn branch(at: u32, taken: bool) -> Record {
    Record::Branch { site: SiteId(at), taken }
}

/// Two versions and a run of each.
struct Pair {
    old: Maker,
    new: Maker,
    outputs: Vec<u32>,
}

impl Pair {
    fn check(&self, old: Vec<Record>, new: Vec<Record>, check: impl Fn(&Effects, &Changes)) {
        let changes = changes(&self.old.program, &self.new.program);
        let outputs = || {
            let mut bits = Bits::new(64);
            for output in &self.outputs {
                bits.insert(*output as usize);
            }
            bits
        };
        let old_code = Code::old(&self.old.program, &changes, outputs());
        let new_code = Code::new_version(&self.new.program, &changes, outputs());
        let old = Run::read(&old_code, old.into_iter(), Deadline::NEVER).expect("nothing ends it");
        let new = Run::read(&new_code, new.into_iter(), Deadline::NEVER).expect("nothing ends it");
        let left = Side { code: &old_code, run: &old, died: false };
        let right = Side { code: &new_code, run: &new, died: false };
        let sight = match old.printed.values().eq(new.printed.values()) {
            true => Sight::Same,
            false => Sight::Different,
        };
        let effects = Effects::new(&left, &right, &changes, sight, Deadline::NEVER);
        check(&effects.expect("nothing ends it"), &changes);
    }
}

/// `y = x + added; use(y)`, where the last instruction is what is asked for.
fn arithmetic(added: i64, opcode: Opcode, other: i64) -> Maker {
    let mut maker = Maker::new();
    let input = maker.call("input", &[]);
    let sum = maker.binary(Opcode::Add, site(input), constant(added));
    let used = maker.binary(opcode, site(sum), constant(other));
    maker.call("print", &[site(used)]);
    maker.ret();
    maker
}

fn arithmetic_run(sum: u64, used: u64) -> Vec<Record> {
    vec![
        Record::Enter { site: SiteId(0) },
        Record::Called { site: SiteId(0), number: 1 },
        value(2, 0, 3),
        value(3, 1, sum),
        value(4, 2, used),
        Record::Called { site: SiteId(3), number: 5 },
        print(&used.to_string()),
        value(6, 3, 1),
        Record::Leave { site: SiteId(4) },
    ]
}

#[track_caller]
fn swallowed(opcode: Opcode, other: i64, used: u64, needs: &str) {
    let pair = Pair {
        old: arithmetic(1, opcode, other),
        new: arithmetic(2, opcode, other),
        outputs: vec![3],
    };
    pair.check(arithmetic_run(4, used), arithmetic_run(5, used), |effects, changes| {
        assert_eq!(changes.changes.len(), 1);
        let effect = &effects.changes[0];
        assert!(effect.reached && !effect.propagated, "{effect:?}");
        let stop = effect.stopped_at().expect("it ends somewhere");
        assert_eq!((stop.why, stop.site), (Why::Swallowed, SiteId(2)));
        assert_eq!(stop.needs.as_deref(), Some(needs));
    });
}

#[test]
fn operators_say_what_they_need() {
    swallowed(Opcode::And, 8, 0, "a bit in 0x1 must be set in the other operand (8)");
    swallowed(Opcode::Or, 7, 7, "a bit in 0x1 must be clear in the other operand (7)");
    swallowed(Opcode::Mul, 0, 0, "the other factor (0) must not be 0");
    swallowed(Opcode::LShr, 4, 0, "the shift (4) must leave a bit in 0x1 in the result");
    swallowed(
        Opcode::SDiv,
        9,
        0,
        "the divisor (9) must lead to other quotients: a smaller one does",
    );
    swallowed(Opcode::SRem, 1, 0, "the divisor (1) must not divide the difference, which is 1");
}

#[test]
fn what_is_printed_is_seen() {
    let pair = Pair {
        old: arithmetic(1, Opcode::Xor, 8),
        new: arithmetic(2, Opcode::Xor, 8),
        outputs: vec![3],
    };
    pair.check(arithmetic_run(4, 12), arithmetic_run(5, 13), |effects, _| {
        let effect = &effects.changes[0];
        assert!(effect.infected && effect.propagated && effect.stopped_at().is_none());
        assert!(effect.stops.iter().any(|stop| stop.why == Why::Printed));
    });
}

#[test]
fn what_differs_for_no_reason_is_noise() {
    // The input of the new run is another one, and the change is the same for both.
    let pair = Pair {
        old: arithmetic(1, Opcode::Xor, 8),
        new: arithmetic(1, Opcode::Xor, 8),
        outputs: vec![3],
    };
    pair.check(arithmetic_run(4, 12), arithmetic_run(5, 13), |effects, changes| {
        assert!(changes.is_unchanged());
        assert!(effects.nodes.is_empty());
    });
}

/// `do { body } while (…); after`.
fn rounds() -> Maker {
    let mut maker = Maker::new();
    maker.call("before", &[]);
    maker.jump(1);
    maker.block();
    let body = maker.call("body", &[]);
    maker.branch(site(body), 1, 2);
    maker.block();
    maker.call("after", &[]);
    maker.ret();
    maker
}

fn rounds_run(count: u32) -> Vec<Record> {
    let mut records =
        vec![Record::Enter { site: SiteId(0) }, Record::Called { site: SiteId(0), number: 1 }];
    for round in 0..count {
        records.push(Record::Called { site: SiteId(2), number: 10 + round });
        records.push(branch(3, round + 1 < count));
    }
    records.push(Record::Called { site: SiteId(4), number: 100 });
    records.push(Record::Leave { site: SiteId(5) });
    records
}

fn aligned(old: (&Code<'_>, &Run), new: (&Code<'_>, &Run), changes: &Changes) -> Alignment {
    let matching = &changes.matching;
    let old_regions = regions(old, &|site| matching.new_site(site).is_some());
    let new_regions = regions(new, &|site| matching.old_site(site).is_some());
    let both = ((old.1, &old_regions[..]), (new.1, &new_regions[..]));
    Alignment::new(both.0, both.1, matching, Deadline::NEVER).expect("nothing ends it")
}

#[test]
fn rounds_of_loops_correspond_one_by_one() {
    let (old, new) = (rounds(), rounds());
    let changes = changes(&old.program, &new.program);
    let old_code = Code::old(&old.program, &changes, Bits::new(0));
    let new_code = Code::new_version(&new.program, &changes, Bits::new(0));
    let left =
        Run::read(&old_code, rounds_run(2).into_iter(), Deadline::NEVER).expect("nothing ends it");
    let right =
        Run::read(&new_code, rounds_run(3).into_iter(), Deadline::NEVER).expect("nothing ends it");
    let alignment = aligned((&old_code, &left), (&new_code, &right), &changes);
    let partners: Vec<_> =
        right.ids().map(|step| alignment.old_of(step).map(|StepId(old)| old)).collect();
    // before, two rounds of two instances, a round that the old run does not have, after, the end.
    let expected = [Some(0), Some(1), Some(2), Some(3), Some(4), None, None, Some(5), Some(6)];
    assert_eq!(partners, expected);
}

/// `before; body; after`, without a loop.
fn once() -> Maker {
    let mut maker = Maker::new();
    maker.call("before", &[]);
    maker.jump(1);
    maker.block();
    maker.call("body", &[]);
    maker.jump(2);
    maker.block();
    maker.call("after", &[]);
    maker.ret();
    maker
}

#[test]
fn a_long_loop_of_one_version_takes_no_longer_than_its_length() {
    const ROUNDS: u32 = 300_000;
    let mut once_run = rounds_run(1);
    once_run.retain(|record| !matches!(record, Record::Branch { .. }));
    let (many, pair) = (rounds_run(ROUNDS), Pair { old: once(), new: rounds(), outputs: vec![] });
    let changes = changes(&pair.old.program, &pair.new.program);
    let old_code = Code::old(&pair.old.program, &changes, Bits::new(64));
    let new_code = Code::new_version(&pair.new.program, &changes, Bits::new(64));
    let deadline = Deadline::NEVER.within(Duration::from_secs(20));
    let old = Run::read(&old_code, once_run.into_iter(), deadline).expect("it is short");
    let new = Run::read(&new_code, many.into_iter(), deadline).expect("it is read once");
    let left = Side { code: &old_code, run: &old, died: false };
    let right = Side { code: &new_code, run: &new, died: false };
    // A time that grows with the square of the rounds would be minutes.
    let effects = Effects::new(&left, &right, &changes, Sight::Different, deadline);
    let effects = effects.expect("it grows with the number of rounds");
    assert!(effects.nodes.len() as u32 >= 2 * (ROUNDS - 1), "the other rounds have no counterpart");
}

#[test]
fn what_has_no_time_is_not_done() {
    let old = rounds();
    let changes = changes(&old.program, &old.program);
    let code = Code::old(&old.program, &changes, Bits::new(0));
    let over = Deadline::NEVER.within(Duration::ZERO);
    assert!(Run::read(&code, rounds_run(10_000).into_iter(), over).is_err());
    let run = Run::read(&code, rounds_run(10_000).into_iter(), Deadline::NEVER);
    let run = run.expect("nothing ends it");
    let side = Side { code: &code, run: &run, died: false };
    assert!(Effects::new(&side, &side, &changes, Sight::Same, over).is_err());
}

#[test]
fn a_value_without_uses_is_never_used() {
    let make = |added| {
        let mut maker = Maker::new();
        let input = maker.call("input", &[]);
        maker.binary(Opcode::Add, site(input), constant(added));
        maker.ret();
        maker
    };
    let run = |sum| {
        vec![
            Record::Enter { site: SiteId(0) },
            Record::Called { site: SiteId(0), number: 1 },
            value(2, 0, 3),
            value(3, 1, sum),
            Record::Leave { site: SiteId(2) },
        ]
    };
    let pair = Pair { old: make(1), new: make(2), outputs: Vec::new() };
    pair.check(run(4), run(5), |effects, _| {
        let stop = effects.changes[0].stopped_at().expect("it ends somewhere");
        assert_eq!(stop.why, Why::NeverUsed);
    });
}

#[test]
fn records_of_nothing_are_left_out() {
    let maker = arithmetic(1, Opcode::Add, 1);
    let changes = changes(&maker.program, &maker.program);
    let code = Code::old(&maker.program, &changes, Bits::new(0));
    let wild = [
        Record::Leave { site: SiteId(4) },
        value(1, 99, 1),
        Record::Enter { site: SiteId(99) },
        branch(3, true),
        Record::Read { site: SiteId(1), writer: 77 },
        print(""),
    ];
    let run = Run::read(&code, wild.into_iter(), Deadline::NEVER).expect("nothing ends it");
    assert!(run.steps.is_empty());
}
