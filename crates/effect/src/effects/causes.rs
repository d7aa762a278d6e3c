//! The last change that was executed before an instance that only one version has.
//!
//! A deleted `break` leaves nothing in the new run: the old run has executed it, at the place at
//! which the two runs diverge. Places are compared by corresponding instances.

use crate::{
    infect::Runs,
    run::{Run, StepId},
};

/// A changed instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Old(StepId),
    New(StepId),
}

/// The last executed changes of all instances.
pub(super) struct Causes {
    old: Order,
    new: Order,
    /// The counterpart of the next instance that has one, or the end of the other run.
    next_of_old: Vec<u32>,
    next_of_new: Vec<u32>,
}

/// The order of one run.
struct Order {
    /// The last changed instance before each one, and before the end.
    changed: Vec<Option<StepId>>,
    /// The counterpart of the last instance before each one that has one.
    anchors: Vec<Option<u32>>,
}

impl Causes {
    pub(super) fn new(runs: &Runs<'_, '_>) -> Causes {
        let (old, new) = (runs.old.1, runs.new.1);
        let of_old = |step| runs.alignment.new_of(step).map(|step| step.0);
        let of_new = |step| runs.alignment.old_of(step).map(|step| step.0);
        Causes {
            old: Order::new(old, &of_old),
            new: Order::new(new, &of_new),
            next_of_old: next(old, new.steps.len(), &of_old),
            next_of_new: next(new, old.steps.len(), &of_new),
        }
    }

    /// The cause of an instance of the new run.
    pub(super) fn of_new(&self, step: StepId) -> Option<Cause> {
        let at = step.0 as usize;
        let own = self.new.changed[at];
        let other = self.old.changed[self.next_of_new[at] as usize];
        latest(own, other, &self.old.anchors).map(|is_own| match is_own {
            Ok(step) => Cause::New(step),
            Err(step) => Cause::Old(step),
        })
    }

    /// The cause of an instance of the old run.
    pub(super) fn of_old(&self, step: StepId) -> Option<Cause> {
        let at = step.0 as usize;
        let own = self.old.changed[at];
        let other = self.new.changed[self.next_of_old[at] as usize];
        latest(own, other, &self.new.anchors).map(|is_own| match is_own {
            Ok(step) => Cause::Old(step),
            Err(step) => Cause::New(step),
        })
    }
}

/// The later one of an instance of one run, which is `Ok`, and of one of the other run.
fn latest(
    own: Option<StepId>,
    other: Option<StepId>,
    anchors: &[Option<u32>],
) -> Option<Result<StepId, StepId>> {
    match (own, other) {
        (Some(own), Some(other)) => {
            let anchor = anchors[other.0 as usize];
            Some(if anchor >= Some(own.0) { Err(other) } else { Ok(own) })
        }
        (Some(own), None) => Some(Ok(own)),
        (None, other) => other.map(Err),
    }
}

impl Order {
    fn new(run: &Run, counterpart: &dyn Fn(StepId) -> Option<u32>) -> Order {
        let mut order = Order { changed: Vec::new(), anchors: Vec::new() };
        let (mut changed, mut anchor) = (None, None);
        for step in run.ids() {
            order.changed.push(changed);
            order.anchors.push(anchor);
            if run.at(step).change.is_some() {
                changed = Some(step);
            }
            anchor = counterpart(step).or(anchor);
        }
        order.changed.push(changed);
        order.anchors.push(anchor);
        order
    }
}

fn next(run: &Run, end: usize, counterpart: &dyn Fn(StepId) -> Option<u32>) -> Vec<u32> {
    let mut next = end as u32;
    let mut found = vec![next; run.steps.len()];
    for at in (0..run.steps.len()).rev() {
        next = counterpart(StepId(at as u32)).unwrap_or(next);
        found[at] = next;
    }
    found
}
