//! Tests that execute each change, kept to follow its effects when the search is over.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::Arc,
};

use parallax_run::TestCase;

/// How many tests of each kind are remembered for a change.
const MOST: usize = 3;
/// How many that may access memory that is not the program's own.
const MOST_SUSPECTS: usize = 256;

/// A few tests for each change.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    /// Those that execute it: what came last did something that no test before it did.
    executing: BTreeMap<usize, VecDeque<Arc<TestCase>>>,
    /// Those of them on which the versions diverge.
    divergence: BTreeMap<usize, VecDeque<Arc<TestCase>>>,
    /// Tests that execute changes and were made to leave an object in memory, those that did something that no
    /// test before them did, and others that take different paths, each with the changes.
    leaving: VecDeque<Suspect>,
    telling: VecDeque<Suspect>,
    others: VecDeque<Suspect>,
}

/// A test that may access memory that is not the program's own, and the changes that it executes.
pub type Suspect = (Arc<TestCase>, Vec<usize>);

impl Witnesses {
    /// Takes note of a test that executes changes.
    pub(crate) fn execute(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        changes.iter().for_each(|change| add(self.executing.entry(*change).or_default(), test));
        suspect(&mut self.telling, changes, test);
    }

    /// Takes note of a test that executes changes on a path that no test has taken before.
    pub(crate) fn go(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        suspect(&mut self.others, changes, test);
    }

    /// Takes note of a test that executes changes, and was made to leave an object in memory.
    pub(crate) fn leave(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        suspect(&mut self.leaving, changes, test);
    }

    /// The tests that may access memory that is not the program's own, the most suspicious first: there may be
    /// no time for all of them, so one of each kind follows another.
    pub(crate) fn suspects(&self) -> Vec<Suspect> {
        let mut known = HashSet::new();
        let mut kinds =
            [&self.leaving, &self.telling, &self.others].map(|tests| tests.iter().rev());
        let rounds = (0..MOST_SUSPECTS).flat_map(|_| kinds.each_mut().map(Iterator::next));
        let all: Vec<&Suspect> = rounds.flatten().collect();
        all.into_iter().filter(|(test, _)| known.insert(Arc::clone(test))).cloned().collect()
    }

    /// Takes note of a test that executes changes, and on which the versions diverge.
    pub(crate) fn diverge(&mut self, changes: &[usize], test: &Arc<TestCase>) {
        changes.iter().for_each(|change| add(self.divergence.entry(*change).or_default(), test));
    }

    /// The tests for a change, those that are likely to show most of it first.
    pub(crate) fn of(&self, change: usize) -> Vec<Arc<TestCase>> {
        let mut tests: Vec<Arc<TestCase>> = Vec::new();
        let known =
            [&self.divergence, &self.executing].into_iter().filter_map(|it| it.get(&change));
        for test in known.flat_map(|tests| tests.iter().rev()) {
            if !tests.contains(test) {
                tests.push(Arc::clone(test));
            }
        }
        tests
    }
}

/// Adds a suspect; of many, the first ones and the last ones stay.
fn suspect(tests: &mut VecDeque<Suspect>, changes: &[usize], test: &Arc<TestCase>) {
    if changes.is_empty() {
        return;
    }
    if tests.len() == MOST_SUSPECTS {
        tests.remove(MOST_SUSPECTS / 2);
    }
    tests.push_back((Arc::clone(test), changes.to_vec()));
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
        witnesses.diverge(&[2], &test("c"));
        witnesses.diverge(&[2], &test("e"));
        assert_eq!(witnesses.of(0), ["d", "c", "a"].map(test));
        assert_eq!(witnesses.of(2), ["e", "c", "d", "a"].map(test));
        assert!(witnesses.of(1).is_empty());
    }

    #[test]
    fn tests_that_were_made_to_leave_an_object_are_the_first_suspects() {
        let mut witnesses = Witnesses::default();
        for name in ["a", "b", "c"] {
            witnesses.go(&[1], &test(name));
        }
        witnesses.go(&[], &test("d"));
        witnesses.leave(&[1], &test("b"));
        witnesses.execute(&[1], &test("a"));
        let suspects = witnesses.suspects();
        assert_eq!(suspects, ["b", "a", "c"].map(|name| (test(name), vec![1])));
        for _ in 0..2 * MOST_SUSPECTS {
            witnesses.leave(&[0], &test("e"));
        }
        let kept: Vec<_> = witnesses.leaving.iter().map(|(test, _)| Arc::clone(test)).collect();
        assert_eq!((kept.len(), &kept[0], &kept[1]), (MOST_SUSPECTS, &test("b"), &test("e")));
    }
}
