//! The check in front of a loop whether its copy may run.

use std::collections::HashMap;

use super::{Access, Bound, FastLoop, accessed};
use crate::{llvm::Value, symbolic::weaver::Weaver};

impl Weaver<'_> {
    /// Replaces a marker by the check whether the copy may run.
    pub(crate) fn decide_loop(&self, fast: &FastLoop) {
        self.builder.before(fast.marker);
        let trips = fast.bound.map(|bound| self.trips(fast, bound));
        let mut clean = self.number(1, 1);
        for access in &fast.accesses {
            let (first, last, size) = match *access {
                Access::Object { start, size } => (start, start, size),
                Access::Range { access, size } => {
                    let address = accessed(access);
                    let first = self.at_iteration(fast, address, None);
                    (first, self.at_iteration(fast, address, trips), size)
                }
            };
            let size = self.number(64, size);
            let one = self.probe("plx_range_is_clean", &[first, last, size]);
            clean = self.builder.and(clean, one);
        }
        let mut labels = self.handle.label(0);
        for value in fast.invariants() {
            for label in self.labels_of(value) {
                labels = self.builder.or(labels, label);
            }
        }
        let concrete = self.builder.equal(labels, self.handle.label(0));
        let clean = self.builder.and(clean, concrete);
        fast.marker.replace_with(clean);
        fast.marker.erase();
    }

    /// An upper bound on the iterations of the loop.
    fn trips(&self, fast: &FastLoop, bound: Bound) -> Value {
        let step = fast.counters[&bound.counter].step;
        let start = self.at_iteration(fast, bound.comparison.operand(bound.moving), None);
        let limit = bound.comparison.operand(1 - bound.moving);
        let wide = |value: Value| match value.ty() {
            ty if ty.is_pointer() => self.builder.pointer_to_int(value, self.handle.int(64)),
            ty if ty.bits() >= 64 => self.bits_as(value, 64),
            _ if bound.signed => self.builder.sign_extend(value, self.handle.int(64)),
            _ => self.builder.zero_extend(value, self.handle.int(64)),
        };
        let (start, limit) = (wide(start), wide(limit));
        let (from, to) = if step > 0 { (start, limit) } else { (limit, start) };
        self.probe("plx_trips", &[from, to, self.number(64, step.unsigned_abs())])
    }

    /// A value as it is at the start, or after so many iterations.
    fn at_iteration(&self, fast: &FastLoop, value: Value, trips: Option<Value>) -> Value {
        if let Some(counter) = fast.counters.get(&value) {
            let start = fast.start_of(value).unwrap_or(value);
            let Some(trips) = trips else { return start };
            let step = self.number(64, counter.step as u64);
            let distance = self.builder.multiply(trips, step);
            if value.ty().is_pointer() {
                return self.builder.byte_offset(start, distance);
            }
            let distance = self.bits_as(distance, 64);
            let distance = match value.ty().bits() {
                0..64 => self.builder.truncate(distance, value.ty()),
                64 => distance,
                _ => self.builder.sign_extend(distance, value.ty()),
            };
            return self.builder.add(start, distance);
        }
        let is_inside = value
            .as_instruction()
            .is_some_and(|i| fast.originals.values().any(|block| *block == i.block()));
        if !is_inside {
            return value;
        }
        let operands = value.operands().into_iter();
        let moved: HashMap<_, _> =
            operands.map(|operand| (operand, self.at_iteration(fast, operand, trips))).collect();
        let copy = self.builder.copy(value);
        copy.replace_operands(&|operand| moved.get(&operand).copied().unwrap_or(operand));
        copy
    }
}
