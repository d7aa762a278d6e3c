//! The decisions of a run, read from its trace without looking at any expression.

use std::collections::BTreeSet;

use parallax_abi::PinReason;
use parallax_run::trace::{Trace, TraceEvent};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Context, Flip, Target, Way};

/// What is read of a trace at most: a run without end decides without end.
const MOST_EVENTS: usize = 100_000;
/// Of the flips of one run to one target, those that are kept: the first few, then fewer and fewer.
const MOST_ALIKE: u32 = 4096;
/// Of the first decisions of a run all are kept: short runs can be gone through to the end.
const SHORT: usize = 128;

/// Longer texts are not looked at.
const MOST_PRINTED: usize = 256;

/// How many places make a context. One decision is made in many places of a program when it is made
/// in a helper function: where the run came from tells them apart.
const CONTEXT: usize = 2;

/// The decisions of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    /// The ways it went, and where it came from.
    pub(crate) gone: FxHashSet<(Target, Context)>,
    /// The hashes of all its prefixes.
    pub(crate) prefixes: Vec<u64>,
    /// The ways that it could have gone.
    pub(crate) flips: Vec<Flip>,
    /// What it has printed that is not from its input, by where and as a hash.
    pub(crate) printed: BTreeSet<(u32, u64)>,
    /// The values that it went on with where any is possible: a hash of the decisions before, and the value.
    pub(crate) values: Vec<(u64, u64)>,
    /// Texts that it has compared with parts of its input.
    pub(crate) wanted: FxHashSet<Vec<u8>>,
    /// Ways that were not noted because there were too many alike, and events that were not read.
    pub(crate) skipped: u64,
    /// All of them, hashed.
    pub(crate) path: u64,
    /// How many decisions there were.
    pub(crate) count: usize,
    /// The last place that it decided at.
    pub(crate) last_site: u32,
}

struct Reader<'r> {
    cases: &'r dyn Fn(u32) -> Vec<u64>,
    known_cases: FxHashMap<u32, Vec<u64>>,
    alike: FxHashMap<(Target, Context), u32>,
    /// The last places that were decided at, each one other than the one before.
    recent: [u32; CONTEXT],
    /// How often each place was decided at.
    met: FxHashMap<(u32, u32), u32>,
    /// A hash of the callers of the function of the last decision.
    callers: u16,
    decisions: Decisions,
    path: u64,
    event: u32,
}

/// Reads the decisions of a run.
pub(crate) fn decisions(trace: Trace<'_>, cases: &dyn Fn(u32) -> Vec<u64>) -> Decisions {
    let mut reader = Reader {
        cases,
        known_cases: FxHashMap::default(),
        alike: FxHashMap::default(),
        recent: [0; CONTEXT],
        met: FxHashMap::default(),
        callers: 0,
        decisions: Decisions::default(),
        path: 0,
        event: 0,
    };
    for (number, event) in trace.events().take(MOST_EVENTS).enumerate() {
        reader.event = number as u32;
        reader.read(&event, trace);
    }
    let unread = trace.events().nth(MOST_EVENTS).is_some();
    let skipped = reader.decisions.skipped + u64::from(unread);
    Decisions { path: reader.path, skipped, ..reader.decisions }
}

impl Reader<'_> {
    fn read(&mut self, event: &TraceEvent, trace: Trace<'_>) {
        match *event {
            TraceEvent::Branch { label, .. } | TraceEvent::Switch { label, .. }
                if label.is_concrete() => {}
            TraceEvent::Branch { site, taken, model_site, callers, .. } => {
                self.callers = callers;
                let target = |taken| Target { site, model_site, way: Way::Branch(taken) };
                self.flip(target(!taken));
                self.go(target(taken));
            }
            TraceEvent::Switch { site, model_site, value, callers, .. } => {
                self.callers = callers;
                self.switch(site, model_site, value);
            }
            TraceEvent::Pin { label, .. } if label.is_concrete() => {}
            TraceEvent::Pin { site, reason: PinReason::Enumerated, value, .. } => {
                self.value(site, value);
            }
            TraceEvent::Pin { site, .. } => {
                self.flip(Target { site, model_site: 0, way: Way::Other })
            }
            TraceEvent::Load { site, .. } | TraceEvent::Store { site, .. } => {
                self.flip(Target { site, model_site: 0, way: Way::Fault });
            }
            TraceEvent::Divisor { site, .. } => {
                self.flip(Target { site, model_site: 0, way: Way::Fault });
            }
            TraceEvent::Compare { site, left, right, equal, .. } => {
                let (Some(left), Some(right)) = (trace.blob(left), trace.blob(right)) else {
                    return;
                };
                // One of them is the input's: it is told by the other what it should be.
                let wanted = match (left.labels, right.labels) {
                    (_, []) => right.bytes,
                    ([], _) => left.bytes,
                    _ => return,
                };
                // The byte that ends a text is no part of a token.
                let word = wanted.strip_suffix(b"\0").unwrap_or(wanted);
                self.decisions.wanted.insert(word.to_vec());
                let target = Target { site, model_site: 0, way: Way::Equal(hash_bytes(wanted)) };
                match equal {
                    true => drop(self.decisions.gone.insert((target, Context::default()))),
                    false => self.flip(target),
                }
            }
            TraceEvent::Output { site, blob, .. } => {
                let blob = trace.blob(blob).filter(|blob| blob.labels.is_empty());
                if let Some(blob) = blob.filter(|blob| blob.bytes.len() <= MOST_PRINTED) {
                    self.decisions.printed.insert((site, hash_bytes(blob.bytes)));
                }
            }
            _ => {}
        }
    }

    /// A value that the run goes on with, and any other one.
    fn value(&mut self, site: u32, value: u64) {
        let target = |way| Target { site, model_site: 0, way };
        let place = hash(self.path, hash_target(&target(Way::Value(0))));
        self.decisions.values.push((place, value));
        let new = target(Way::NewValue(place));
        let (context, event) = (self.context(&new), self.event);
        let path = hash(place, value);
        self.decisions.flips.push(Flip { target: new, context, event, path });
        self.go(target(Way::Value(value)));
    }

    fn switch(&mut self, site: u32, model_site: u32, value: u64) {
        let own_site = if model_site == 0 { site } else { model_site };
        let cases = self.known_cases.entry(own_site).or_insert_with(|| (self.cases)(own_site));
        let cases = cases.clone();
        let way = |value| if cases.contains(&value) { Way::Case(value) } else { Way::Default };
        let gone = way(value);
        let others = cases.iter().map(|case| Way::Case(*case)).chain([Way::Default]);
        for way in others.filter(|way| *way != gone) {
            self.flip(Target { site, model_site, way });
        }
        self.go(Target { site, model_site, way: gone });
    }

    /// Notes what could have been done here.
    fn flip(&mut self, target: Target) {
        let context = self.context(&target);
        let count = self.alike.entry((target, context)).or_default();
        *count += 1;
        let is_long = self.decisions.count > SHORT && *count > 4 && !count.is_power_of_two();
        if *count > MOST_ALIKE || is_long {
            self.decisions.skipped += 1;
            return;
        }
        let path = match target.way {
            Way::Branch(_) | Way::Case(_) | Way::Default => hash(self.path, hash_target(&target)),
            // These are no decisions of the path: several may come one after the other.
            Way::Equal(_) | Way::Fault | Way::Other | Way::Value(_) | Way::NewValue(_) => {
                hash(hash(self.path, hash_target(&target)), u64::from(*count))
            }
        };
        self.decisions.flips.push(Flip { target, context, event: self.event, path });
    }

    /// Where the run came from to this place, and how often it was there, roughly: a loop that goes
    /// round once more is something new.
    fn context(&self, target: &Target) -> Context {
        if let Way::Equal(_) = target.way {
            return Context::default();
        }
        let before = self.recent.iter().filter(|recent| **recent != target.site).take(CONTEXT - 1);
        let met = self.met.get(&(target.site, target.model_site)).copied().unwrap_or(0);
        let rounds = if met < 4 { met } else { 3 + met.ilog2() };
        let before = before.fold(rounds.into(), |state, recent| hash(state, u64::from(*recent)));
        Context { callers: self.callers, rounds: rounds as u8, before: before as u32 }
    }

    /// Goes on.
    fn go(&mut self, target: Target) {
        self.path = hash(self.path, hash_target(&target));
        let context = self.context(&target);
        *self.met.entry((target.site, target.model_site)).or_default() += 1;
        if self.recent[0] != target.site {
            self.recent.rotate_right(1);
            self.recent[0] = target.site;
        }
        let decisions = &mut self.decisions;
        decisions.gone.insert((target, context));
        decisions.prefixes.push(self.path);
        decisions.count += 1;
        decisions.last_site = target.site;
    }
}

fn hash_target(target: &Target) -> u64 {
    let (kind, detail) = match target.way {
        Way::Branch(taken) => (0, u64::from(taken)),
        Way::Case(value) => (1, value),
        Way::Default => (2, 0),
        Way::Equal(texts) => (3, texts),
        Way::Fault => (4, 0),
        Way::Other => (5, 0),
        Way::Value(value) => (6, value),
        Way::NewValue(place) => (7, place),
    };
    let place = u64::from(target.site) | u64::from(target.model_site) << 32;
    hash(hash(place, kind), detail)
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |state, byte| hash(state, u64::from(*byte)))
}

/// Mixes a number into a state; where the results are equal, so were the numbers, in practice.
pub(crate) fn hash(state: u64, number: u64) -> u64 {
    let mixed = (state ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(31);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}
