//! The time of each phase besides the search.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Times of phases; at most one is running.
#[derive(Debug, Default)]
pub(super) struct Phases {
    times: BTreeMap<&'static str, Duration>,
    current: Option<(&'static str, Instant)>,
}

impl Phases {
    /// Ends the current phase and begins another one.
    pub(super) fn begin(&mut self, phase: &'static str) {
        self.end();
        self.current = Some((phase, Instant::now()));
    }

    /// Ends the current phase.
    pub(super) fn end(&mut self) {
        if let Some((phase, start)) = self.current.take() {
            *self.times.entry(phase).or_default() += start.elapsed();
        }
    }

    /// The seconds of each phase.
    pub(super) fn seconds(&self) -> BTreeMap<&'static str, f64> {
        self.times.iter().map(|(phase, time)| (*phase, time.as_secs_f64())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_lasts_until_the_next_one_begins_or_it_ends() {
        let mut phases = Phases::default();
        phases.begin("one");
        phases.begin("other");
        phases.end();
        phases.end();
        let names: Vec<_> = phases.seconds().into_keys().collect();
        assert_eq!(names, ["one", "other"]);
        let before = phases.seconds();
        phases.begin("one");
        phases.end();
        assert!(phases.seconds()["one"] >= before["one"]);
        assert_eq!(phases.seconds()["other"], before["other"]);
    }
}
