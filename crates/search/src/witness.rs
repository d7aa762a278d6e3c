//! Tests that execute each change, for whoever wants to know what became of it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use parallax_run::TestCase;

/// How many tests of each kind are remembered for a change.
const MOST: usize = 3;

/// A few tests for each change.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    /// Those that execute it: what came last did something that no test before it did.
    executing: BTreeMap<usize, VecDeque<Arc<TestCase>>>,
    /// Those of them on which the versions went different ways.
    parting: BTreeMap<usize, VecDeque<Arc<TestCase>>>,
}

impl Witnesses {
    /// Takes note of a test that executes changes.
    pub(crate) fn execute(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        changes.iter().for_each(|change| add(self.executing.entry(*change).or_default(), test));
    }

    /// Takes note of a test that executes changes, and on which the versions went different ways.
    pub(crate) fn part(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        changes.iter().for_each(|change| add(self.parting.entry(*change).or_default(), test));
    }

    /// The tests for a change, those that are likely to show most of it first.
    pub(crate) fn of(&self, change: usize) -> Vec<Arc<TestCase>> {
        let mut tests: Vec<Arc<TestCase>> = Vec::new();
        let known = [&self.parting, &self.executing].into_iter().filter_map(|it| it.get(&change));
        for test in known.flat_map(|tests| tests.iter().rev()) {
            if !tests.contains(test) {
                tests.push(Arc::clone(test));
            }
        }
        tests
    }
}

/// Adds a test; the first one stays, of the others those that came last.
fn add(tests: &mut VecDeque<Arc<TestCase>>, test: &Arc<TestCase>) {
    if tests.contains(test) {
        return;
    }
    if tests.len() == MOST {
        tests.remove(1);
    }
    tests.push_back(Arc::clone(test));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str) -> Arc<TestCase> {
        Arc::new(TestCase { args: vec![name.as_bytes().to_vec()], ..TestCase::default() })
    }

    #[test]
    fn the_first_test_and_the_last_ones_are_remembered_and_those_that_part_come_first() {
        let mut witnesses = Witnesses::default();
        for name in ["a", "b", "c", "d", "d"] {
            witnesses.execute(&[0, 2], &test(name));
        }
        witnesses.part(&[2], &test("c"));
        witnesses.part(&[2], &test("e"));
        assert_eq!(witnesses.of(0), ["d", "c", "a"].map(test));
        assert_eq!(witnesses.of(2), ["e", "c", "d", "a"].map(test));
        assert!(witnesses.of(1).is_empty());
    }
}
