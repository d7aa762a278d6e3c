//! What both versions print, although each does so in code or in calls that the other one does not execute.
//!
//! Calls that correspond divide the output of both versions into parts. In such a part, what comes first in
//! both, and what comes last in both, is no difference, whoever has printed it: a change that only prints the
//! same in another way cannot be seen.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::{
    align::Alignment,
    run::{Print, Run, StepId},
};

/// Calls that print what the other version prints at the same place of its output.
#[derive(Debug, Default)]
pub(super) struct Shared {
    old: FxHashSet<StepId>,
    new: FxHashSet<StepId>,
}

/// What a part of a run prints, call by call.
type Part<'r> = Vec<(StepId, &'r Print)>;

impl Shared {
    pub(super) fn of(old: &Run, new: &Run, alignment: &Alignment) -> Shared {
        let (olds, mut news) = (by_descriptor(old), by_descriptor(new));
        let mut shared = Shared::default();
        for (descriptor, olds) in olds {
            let news = news.remove(&descriptor).unwrap_or_default();
            shared.add(&olds, &news, alignment);
        }
        shared
    }

    pub(super) fn has_old(&self, step: StepId) -> bool {
        self.old.contains(&step)
    }

    pub(super) fn has_new(&self, step: StepId) -> bool {
        self.new.contains(&step)
    }

    /// Looks at the parts between calls that correspond and come in the same order.
    fn add(&mut self, olds: &Part<'_>, news: &Part<'_>, alignment: &Alignment) {
        let (mut next_old, mut next_new) = (0, 0);
        for (at, (step, _)) in news.iter().enumerate() {
            let Some(counterpart) = alignment.old_of(*step) else { continue };
            let rest = &olds[next_old..];
            if let Ok(found) = rest.binary_search_by_key(&counterpart, |(step, _)| *step) {
                self.add_part(&rest[..found], &news[next_new..at]);
                (next_old, next_new) = (next_old + found + 1, at + 1);
            }
        }
        self.add_part(&olds[next_old..], &news[next_new..]);
    }

    fn add_part(&mut self, olds: &[(StepId, &Print)], news: &[(StepId, &Print)]) {
        let is_known = olds.iter().chain(news).all(|(_, print)| print.is_whole());
        if olds.is_empty() || news.is_empty() || !is_known {
            return;
        }
        let text = |calls: &[(StepId, &Print)]| -> Vec<u8> {
            calls.iter().flat_map(|(_, print)| print.bytes.iter().copied()).collect()
        };
        let (old, new) = (text(olds), text(news));
        let same = |(old, new): &(&u8, &u8)| old == new;
        let first = old.iter().zip(&new).take_while(same).count();
        let rests = (&old[first..], &new[first..]);
        let last = rests.0.iter().rev().zip(rests.1.iter().rev()).take_while(same).count();
        self.old.extend(within(olds, first, old.len() - last));
        self.new.extend(within(news, first, new.len() - last));
    }
}

/// The calls that print nothing of what lies from `first` to `last`.
fn within(calls: &[(StepId, &Print)], first: usize, last: usize) -> impl Iterator<Item = StepId> {
    let ends = calls.iter().scan(0, |end, (step, print)| {
        *end += print.bytes.len();
        Some((*step, *end - print.bytes.len(), *end))
    });
    ends.filter(move |(_, from, to)| *to <= first || *from >= last).map(|(step, ..)| step)
}

fn by_descriptor(run: &Run) -> BTreeMap<u16, Part<'_>> {
    let mut parts: BTreeMap<u16, Part<'_>> = BTreeMap::new();
    for (step, print) in &run.printed {
        if let Some(descriptor) = print.descriptor {
            parts.entry(descriptor).or_default().push((*step, print));
        }
    }
    parts.values_mut().for_each(|part| part.sort_unstable_by_key(|(step, _)| *step));
    parts
}
