//! Attribution: the changes, of those that a test executes, whose effects its difference shows.
//!
//! A change that a test executes need not be the reason for its difference: the search goes on for
//! changes whose effect does not reach an output. With one change there is nothing to attribute.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use parallax_deadline::{Deadline, OutOfTime};
use parallax_effect::Sight;
use parallax_report::check;
use parallax_run::TestCase;

use crate::{fate::Follow, recorder::EffectsOfTest};

/// Time for following tests while the search waits. A search with a number of runs waits as long as
/// it takes.
pub(crate) const MOST: Duration = Duration::from_secs(10);

/// Tests like a finding that are followed in any case.
const ALL: u64 = 16;

/// The changes that a difference is attributed to, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Credit {
    pub(crate) changes: Vec<usize>,
    pub(crate) attribution: check::Attribution,
}

impl Credit {
    pub(crate) fn exact(changes: Vec<usize>) -> Credit {
        Credit { changes, attribution: check::Attribution::Exact }
    }

    /// A guess: at least one of these changes causes the difference.
    pub(crate) fn guess(changes: Vec<usize>) -> Credit {
        Credit { changes, attribution: check::Attribution::Guess }
    }

    /// The changes that certainly cause the difference: none if several are guessed.
    pub(crate) fn certain(&self) -> &[usize] {
        let is_certain = self.attribution == check::Attribution::Exact || self.changes.len() == 1;
        if is_certain { &self.changes } else { &[] }
    }
}

/// Attributes differences to changes by following their effects.
#[derive(Debug)]
pub(crate) struct Attribution {
    /// Time for following all tests.
    most: Duration,
    /// Number of differing tests with the same executed changes since one was a finding.
    like_found: BTreeMap<Vec<usize>, u64>,
    /// Whether the builds for following tests are ready.
    pub(crate) has_begun: bool,
    /// Time that preparing them took so far.
    pub(crate) building: Duration,
    spent: Duration,
    /// The reason why attribution failed.
    pub(crate) trouble: Option<String>,
}

impl Attribution {
    pub(crate) fn within(most: Duration) -> Attribution {
        Attribution {
            most,
            like_found: BTreeMap::new(),
            has_begun: false,
            building: Duration::ZERO,
            spent: Duration::ZERO,
            trouble: None,
        }
    }

    /// Whether to follow a test that executes these changes: tests that likely show a known finding
    /// are followed ever less often.
    pub(crate) fn is_due(&mut self, executed: &[usize]) -> bool {
        self.like_found.get_mut(executed).is_none_or(|count| {
            *count += 1;
            *count <= ALL || count.isqrt().pow(2) == *count
        })
    }

    /// Records that a test that executes these changes became a finding.
    pub(crate) fn found(&mut self, executed: &[usize]) {
        if executed.len() > 1 {
            self.like_found.entry(executed.to_vec()).or_default();
        }
    }

    /// The executed changes whose effects reach an output on a test that shows a difference; a
    /// guess of all of them if that is unknown.
    pub(crate) fn of(
        &mut self,
        follower: &mut dyn Follow,
        test: &TestCase,
        executed: &[usize],
        deadline: Deadline,
    ) -> Credit {
        if executed.len() < 2 {
            return Credit::exact(executed.to_vec());
        }
        let Some(effects) = self.effects(follower, test, deadline) else {
            return Credit::guess(executed.to_vec());
        };
        let seen: Vec<usize> =
            executed.iter().copied().filter(|it| is_seen(&effects, *it)).collect();
        // An effect that was not followed to its end may reach an output, too.
        let is_known = !effects.is_cut && !effects.is_unexplained || seen.len() == executed.len();
        if seen.is_empty() || !is_known {
            return Credit::guess(executed.to_vec());
        }
        let is_certain = seen.len() == 1 || seen.iter().all(|it| effects.changes[*it].certain);
        if is_certain { Credit::exact(seen) } else { Credit::guess(seen) }
    }

    /// Whether the effect of one of some changes reaches an output on a test that shows a
    /// difference, as far as is known.
    pub(crate) fn shows(
        &mut self,
        follower: &mut dyn Follow,
        test: &TestCase,
        changes: &[usize],
        deadline: Deadline,
    ) -> bool {
        let effects = self.effects(follower, test, deadline);
        effects.is_some_and(|effects| changes.iter().any(|change| is_seen(&effects, *change)))
    }

    /// The effects of the changes; `None` if they cannot be followed.
    fn effects(
        &mut self,
        follower: &mut dyn Follow,
        test: &TestCase,
        deadline: Deadline,
    ) -> Option<EffectsOfTest> {
        let left = self.most.saturating_sub(self.spent);
        if left.is_zero() || deadline.is_over() {
            self.trouble.get_or_insert_with(|| OutOfTime.to_string());
            return None;
        }
        let start = Instant::now();
        // The first call has to build something.
        let has_begun = self.has_begun;
        let deadline = if has_begun { deadline.within(left) } else { deadline };
        let followed = follower.follow(test, Sight::Different, deadline);
        match has_begun {
            true => self.spent += start.elapsed(),
            false => self.building += start.elapsed(),
        }
        match followed {
            Ok(effects) => {
                self.has_begun = true;
                Some(effects)
            }
            Err(trouble) => {
                self.trouble.get_or_insert(trouble.to_string());
                None
            }
        }
    }
}

/// Whether the effect of a change reaches an output.
fn is_seen(effects: &EffectsOfTest, change: usize) -> bool {
    effects.changes.get(change).is_some_and(|effect| effect.propagated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckError;
    use crate::recorder::EffectOfChange;

    /// Follows a test that executes three changes: the effect of the second reaches an output, and
    /// that of the third may.
    #[derive(Clone, Copy, Default)]
    struct Second {
        is_cut: bool,
        is_unexplained: bool,
        third: bool,
    }

    impl Follow for Second {
        fn follow(
            &mut self,
            _: &TestCase,
            _: Sight,
            _: Deadline,
        ) -> Result<EffectsOfTest, CheckError> {
            let effect = |propagated, certain| EffectOfChange {
                reached: true,
                infected: propagated,
                propagated,
                certain,
                variable: None,
                lines: 1,
                stopped_at: None,
            };
            let changes = vec![effect(false, false), effect(true, true), effect(self.third, false)];
            let Second { is_cut, is_unexplained, .. } = *self;
            Ok(EffectsOfTest { changes, is_cut, is_unexplained })
        }
    }

    fn credit(mut second: Second, executed: &[usize]) -> Credit {
        let mut attribution = Attribution::within(MOST);
        let (test, deadline) = (TestCase::default(), Deadline::NEVER);
        attribution.of(&mut second, &test, executed, deadline)
    }

    #[test]
    fn a_run_that_was_not_recorded_to_its_end_leaves_a_guess() {
        let cut = Second { is_cut: true, ..Second::default() };
        assert_eq!(credit(Second::default(), &[0, 1, 2]), Credit::exact(vec![1]));
        assert_eq!(credit(cut, &[0, 1, 2]), Credit::guess(vec![0, 1, 2]));
        assert_eq!(
            credit(Second::default(), &[0, 2]),
            Credit::guess(vec![0, 2]),
            "neither is seen"
        );
    }

    #[test]
    fn what_is_not_known_to_be_seen_leaves_a_guess() {
        let third = Second { third: true, ..Second::default() };
        assert_eq!(credit(third, &[0, 1, 2]), Credit::guess(vec![1, 2]));
        assert_eq!(credit(third, &[0, 2]), Credit::exact(vec![2]), "there is no other");
        let unexplained = Second { is_unexplained: true, ..Second::default() };
        assert_eq!(credit(unexplained, &[0, 1]), Credit::guess(vec![0, 1]));
    }

    #[test]
    fn tests_like_one_that_was_found_are_looked_at_less_and_less() {
        let mut attribution = Attribution::within(MOST);
        assert!((0..9).all(|_| attribution.is_due(&[0, 1])), "nothing was found yet");
        attribution.found(&[0, 1]);
        let due: Vec<u32> = (1..=50).filter(|_| attribution.is_due(&[0, 1])).collect();
        assert_eq!(due[15..], [16, 25, 36, 49]);
        assert!(attribution.is_due(&[0, 2]), "it executes something else");
        attribution.found(&[3]);
        assert!((0..9).all(|_| attribution.is_due(&[3])), "one change need not be told apart");
    }
}
