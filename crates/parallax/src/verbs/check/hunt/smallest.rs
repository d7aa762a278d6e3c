//! A candidate becomes as small as it can be without losing what made it one.

use parallax_compare::Difference;
use parallax_run::TestCase;

use super::Hunt;
use crate::confirm::Tries;

/// Runs of both versions that are spent on making one test smaller.
const SHRINKING: Tries = Tries { usual: 160, slow: 3 };
/// The same if each smaller test has to be followed, too.
const FOLLOWED: Tries = Tries { usual: 40, slow: 0 };

/// A test that shows a difference each time.
pub(super) struct Smallest {
    pub(super) case: TestCase,
    pub(super) difference: Difference,
    /// The changes whose effects it shows.
    pub(super) seen: Vec<usize>,
}

impl Hunt<'_> {
    /// The smallest test that shows a difference like this one, of a change that this one shows and that was
    /// not seen before.
    pub(super) fn smallest(
        &mut self,
        test: &TestCase,
        difference: &Difference,
        (executed, seen): (&[usize], &[usize]),
    ) -> anyhow::Result<Option<Smallest>> {
        let is_open = |change: &usize| !self.is_shown(*change);
        let open: Vec<usize> = seen.iter().copied().filter(is_open).collect();
        let shrunk = self.confirmer.shrink(test, difference, SHRINKING, &mut |_| true)?;
        let Some((case, found)) = shrunk else { return Ok(None) };
        let smallest = self.attributed(case, found, (test, executed, seen));
        let is_lost = !open.is_empty() && !smallest.seen.iter().any(|it| open.contains(it));
        if !is_lost {
            return Ok(Some(smallest));
        }
        // What is smaller shows something else that looks alike.
        let Hunt { confirmer, follower, attribution, .. } = self;
        let mut shows = |smaller: &TestCase| attribution.shows(follower.as_mut(), smaller, &open);
        let shrunk = confirmer.shrink(test, difference, FOLLOWED, &mut shows)?;
        Ok(shrunk.map(|(case, found)| self.attributed(case, found, (test, executed, seen))))
    }

    fn attributed(
        &mut self,
        case: TestCase,
        difference: Difference,
        (test, executed, seen): (&TestCase, &[usize], &[usize]),
    ) -> Smallest {
        let seen = match case == *test {
            true => seen.to_vec(),
            false => self.attribution.of(self.follower.as_mut(), &case, executed),
        };
        Smallest { case, difference, seen }
    }
}
