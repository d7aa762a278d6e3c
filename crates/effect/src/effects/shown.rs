//! Output that both versions print, although each does so in code or in calls that the other one
//! does not execute.
//!
//! Calls that correspond divide the output of both versions into parts. The common beginning and
//! the common end of such a part are no difference, whichever call has printed them: a change that
//! only prints the same in another way is not visible.

use std::{borrow::Cow, collections::BTreeMap};

use rustc_hash::FxHashSet;

use crate::{
    align::Alignment,
    code::Code,
    infect::Runs,
    run::{Print, Run, StepId},
};

/// Functions that put the character that they return into the buffer of stdout, of which nothing
/// else is recorded until the next call.
const BUFFERED: [&str; 2] = ["putchar", "putchar_unlocked"];
const STDOUT: u16 = 1;

/// Calls that print what the other version prints at the same place of its output.
#[derive(Debug, Default)]
pub(super) struct Shared {
    old: FxHashSet<StepId>,
    new: FxHashSet<StepId>,
}

/// The output of a part of a run, call by call.
type Part<'r> = Vec<(StepId, Cow<'r, Print>)>;

impl Shared {
    pub(super) fn of(runs: &Runs<'_, '_>) -> Shared {
        let (olds, mut news) = (by_descriptor(runs.old), by_descriptor(runs.new));
        let mut shared = Shared::default();
        for (descriptor, olds) in olds {
            let news = news.remove(&descriptor).unwrap_or_default();
            shared.add(&olds, &news, runs.alignment);
        }
        shared
    }

    pub(super) fn has_old(&self, step: StepId) -> bool {
        self.old.contains(&step)
    }

    pub(super) fn has_new(&self, step: StepId) -> bool {
        self.new.contains(&step)
    }

    /// Compares the parts between calls that correspond and come in the same order.
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

    fn add_part(&mut self, olds: &[(StepId, Cow<'_, Print>)], news: &[(StepId, Cow<'_, Print>)]) {
        let is_known = olds.iter().chain(news).all(|(_, print)| print.is_whole());
        if olds.is_empty() || news.is_empty() || !is_known {
            return;
        }
        let text = |calls: &[(StepId, Cow<'_, Print>)]| -> Vec<u8> {
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

/// The calls that print nothing of the bytes from `first` to `last`.
fn within(
    calls: &[(StepId, Cow<'_, Print>)],
    first: usize,
    last: usize,
) -> impl Iterator<Item = StepId> {
    let ends = calls.iter().scan(0, |end, (step, print)| {
        *end += print.bytes.len();
        Some((*step, *end - print.bytes.len(), *end))
    });
    ends.filter(move |(_, from, to)| *to <= first || *from >= last).map(|(step, ..)| step)
}

fn by_descriptor<'r>((code, run): (&Code<'_>, &'r Run)) -> BTreeMap<u16, Part<'r>> {
    let mut parts: BTreeMap<u16, Part<'_>> = BTreeMap::new();
    #[expect(clippy::iter_over_hash_type, reason = "each part is sorted below")]
    for (step, print) in &run.printed {
        if let Some(descriptor) = print.descriptor {
            parts.entry(descriptor).or_default().push((*step, Cow::Borrowed(print)));
        }
    }
    let silent = run.ids().filter(|step| !run.printed.contains_key(step));
    let buffered = silent.filter_map(|step| Some((step, Cow::Owned(character(code, run, step)?))));
    parts.entry(STDOUT).or_default().extend(buffered);
    parts.values_mut().for_each(|part| part.sort_unstable_by_key(|(step, _)| *step));
    parts
}

/// The bytes that a call has put into the buffer of stdout, as far as they are recorded.
fn character(code: &Code<'_>, run: &Run, step: StepId) -> Option<Print> {
    let at = run.at(step);
    let name = code.callee(code.instruction(at.site)?)?;
    let byte = at.value.filter(|_| BUFFERED.contains(&name) && !at.entered)? as u8;
    Some(Print { descriptor: Some(STDOUT), bytes: vec![byte], length: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of calls, the first of them at this step.
    fn part(first: u32, texts: &[&str]) -> Part<'static> {
        let print = |text: &&str| Print {
            descriptor: Some(STDOUT),
            bytes: text.as_bytes().to_vec(),
            length: text.len(),
        };
        (first..).map(StepId).zip(texts.iter().map(|text| Cow::Owned(print(text)))).collect()
    }

    /// The positions of the calls that print what the other version prints.
    fn shared(old: &[&str], new: &[&str]) -> (Vec<u32>, Vec<u32>) {
        let mut shared = Shared::default();
        shared.add_part(&part(0, old), &part(10, new));
        let sorted = |steps: FxHashSet<StepId>, first: u32| {
            let mut steps: Vec<u32> = steps.into_iter().map(|step| step.0 - first).collect();
            steps.sort_unstable();
            steps
        };
        (sorted(shared.old, 0), sorted(shared.new, 10))
    }

    #[test]
    fn what_comes_first_or_last_in_both_is_shared() {
        let none = (vec![], vec![]);
        assert_eq!(shared(&["a\n", "b\n"], &["a\n", "b\n"]), (vec![0, 1], vec![0, 1]));
        assert_eq!(shared(&["one\n", "x\n"], &["two\n", "x\n"]), (vec![1], vec![1]));
        assert_eq!(shared(&["x", "y", "z"], &["xy", "!", "z"]), (vec![0, 1, 2], vec![0, 2]));
        assert_eq!(shared(&["a", "a"], &["a"]).0.len(), 1, "one of them is missing");
        assert_eq!(shared(&["a"], &["b"]), none);
        assert_eq!(shared(&["a"], &[]), none, "only one version prints");
    }

    #[test]
    fn what_is_known_in_part_is_not_shared() {
        let (mut old, new) = (part(0, &["long", "x"]), part(10, &["long", "x"]));
        old[0].1.to_mut().length += 1;
        let mut shared = Shared::default();
        shared.add_part(&old, &new);
        assert!(shared.old.is_empty() && shared.new.is_empty());
    }
}
