//! Pairs of tests that are still to be done one after the other.
//!
//! What one test leaves behind may be what another one needs: to come to a change, or to show what a change
//! has done to the state.

use std::{collections::VecDeque, sync::Arc};

use parallax_run::TestCase;

use crate::knowledge::Approach;

/// Pairs that wait.
const MOST_PAIRS: usize = 20_000;
/// Tests that came as near to a change as any and that others are to come before.
const MOST_NEARBY: usize = 8;
/// Tests on which the versions diverge and that others are to follow.
const MOST_DIVERGENT: usize = 64;

type Pair = (Arc<TestCase>, Arc<TestCase>);

#[derive(Default)]
pub(crate) struct Pairs {
    /// Those that came last are the first.
    all: Vec<Pair>,
    /// Those with a test that came as near to a change as any before it.
    near: Vec<Pair>,
    /// The last tests that came as near as any.
    nearby: VecDeque<Arc<TestCase>>,
    /// Tests on which the versions diverge and look alike, and those that are to follow them.
    divergent: Followed,
    /// The same for those that only execute a change.
    executing: Followed,
    /// Tests that only execute a change, on a path that no test has taken before, and those that are to follow
    /// them; and those with a test that does something in a new way.
    followed: VecDeque<Pair>,
    /// Which of these is next.
    flip: usize,
    /// How many of the tests that were kept execute a change.
    kept_executing: usize,
}

/// Tests that are kept, and pairs with what is to follow them; those that came last are the first.
#[derive(Default)]
struct Followed {
    tests: VecDeque<Arc<TestCase>>,
    pairs: Vec<Pair>,
}

impl Followed {
    fn add(&mut self, test: &Arc<TestCase>, kept: &[Arc<TestCase>]) {
        if self.tests.contains(test) {
            return;
        }
        if self.tests.len() == MOST_DIVERGENT {
            self.tests.pop_front();
        }
        self.tests.push_back(Arc::clone(test));
        self.pairs.extend(kept.iter().map(|other| (Arc::clone(test), Arc::clone(other))));
    }

    fn follow(&mut self, new: &Arc<TestCase>) {
        self.pairs.extend(self.tests.iter().map(|test| (Arc::clone(test), Arc::clone(new))));
    }
}

/// A pair that may lead to a change, or show what it does.
pub(crate) struct Urgent {
    pub(crate) pair: Pair,
    /// Whether the versions diverge on the first of them, so that the second decides what is seen of it.
    pub(crate) is_divergent: bool,
}

impl Pairs {
    /// Has a new test be followed by all that were kept, and follow them if it is one of them.
    pub(crate) fn add(&mut self, new: &Arc<TestCase>, is_kept: bool, kept: &[Arc<TestCase>]) {
        for other in kept {
            if is_kept {
                self.all.push((Arc::clone(other), Arc::clone(new)));
            }
            self.all.push((Arc::clone(new), Arc::clone(other)));
        }
        self.all.drain(..self.all.len().saturating_sub(MOST_PAIRS));
        if is_kept {
            self.divergent.follow(new);
            self.executing.follow(new);
        }
    }

    /// Has a test that came as near to a change as any be followed by all that were kept, and follow them.
    pub(crate) fn add_near(
        &mut self,
        test: &Arc<TestCase>,
        Approach { is_nearer }: Approach,
        kept: &[Arc<TestCase>],
    ) {
        if is_nearer {
            self.near.clear();
            self.nearby.clear();
        }
        for other in kept {
            self.near.push((Arc::clone(other), Arc::clone(test)));
            self.near.push((Arc::clone(test), Arc::clone(other)));
        }
        self.near.truncate(MOST_PAIRS);
        self.nearby.truncate(MOST_NEARBY - 1);
        self.nearby.push_front(Arc::clone(test));
    }

    /// Has a test that does something in a new way, without being one that is kept, come before those that came
    /// near to a change, and after those that show nothing of one.
    pub(crate) fn add_notable(&mut self, test: &Arc<TestCase>) {
        let before = self.nearby.iter().map(|nearby| (Arc::clone(test), Arc::clone(nearby)));
        let after = self.divergent.tests.iter().chain(&self.executing.tests);
        let after = after.map(|divergent| (Arc::clone(divergent), Arc::clone(test)));
        self.followed.extend(before.chain(after));
        self.followed.truncate(MOST_PAIRS);
    }

    /// Has a test on which the versions diverge be followed by all that were kept, if it is one of them: those
    /// that do what others did as well show what others do.
    pub(crate) fn add_divergent(&mut self, test: &Arc<TestCase>, kept: &[Arc<TestCase>]) {
        if kept.contains(test) {
            self.divergent.add(test, kept);
        }
    }

    /// Has a test that executes a change be followed by all that were kept, unless most tests do: what the
    /// change has done to the state may be for others to show.
    pub(crate) fn add_executing(&mut self, test: &Arc<TestCase>, kept: &[Arc<TestCase>]) {
        let is_kept = kept.contains(test);
        self.kept_executing += usize::from(is_kept);
        if 2 * self.kept_executing > kept.len() {
            return;
        }
        match is_kept {
            true => self.executing.add(test, kept),
            false => {
                let pairs = kept.iter().map(|other| (Arc::clone(test), Arc::clone(other)));
                self.followed.extend(pairs);
                self.followed.truncate(MOST_PAIRS);
            }
        }
    }

    /// The next pair that may lead to a change, or show what it does.
    pub(crate) fn next_urgent(&mut self) -> Option<Urgent> {
        (0..4).find_map(|_| {
            self.flip += 1;
            let is_divergent = self.flip % 4 == 1;
            let pair = match self.flip % 4 {
                0 => self.followed.pop_front(),
                1 => self.divergent.pairs.pop(),
                2 => self.near.pop(),
                _ => self.executing.pairs.pop(),
            };
            Some(Urgent { pair: pair?, is_divergent })
        })
    }

    /// The next pair of any two.
    pub(crate) fn next(&mut self) -> Option<Pair> {
        self.all.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests<const N: usize>(names: [&str; N]) -> [Arc<TestCase>; N] {
        let test = |name: &str| TestCase { args: vec![name.into()], ..TestCase::default() };
        names.map(|name| Arc::new(test(name)))
    }

    #[test]
    fn what_executes_a_change_is_followed_by_others_as_long_as_few_do() {
        let kept = tests(["a", "b", "c", "d"]);
        let mut pairs = Pairs::default();
        pairs.add_executing(&kept[0], &kept);
        let followed: Vec<_> =
            std::iter::from_fn(|| pairs.next_urgent()).map(|urgent| urgent.pair).collect();
        assert_eq!(followed.len(), kept.len());
        assert!(followed.iter().all(|(first, _)| *first == kept[0]));
        for test in &kept[1..] {
            pairs.add_executing(test, &kept);
        }
        let followed: Vec<_> =
            std::iter::from_fn(|| pairs.next_urgent()).map(|urgent| urgent.pair).collect();
        assert!(followed.iter().all(|(first, _)| *first == kept[1]), "{followed:?}");
    }

    #[test]
    fn only_what_follows_a_divergent_test_is_said_to_show_it() {
        let kept = tests(["a", "b", "c", "d"]);
        let mut pairs = Pairs::default();
        pairs.add_executing(&kept[0], &kept);
        pairs.add_divergent(&kept[1], &kept);
        let all: Vec<_> = std::iter::from_fn(|| pairs.next_urgent()).collect();
        assert_eq!(all.len(), 2 * kept.len());
        assert!(all.iter().all(|urgent| urgent.is_divergent == (urgent.pair.0 == kept[1])));
    }

    #[test]
    fn what_is_notable_comes_before_those_that_are_near_and_after_those_that_show_nothing() {
        let [near, divergent, new] = tests(["near", "divergent", "new"]);
        let mut pairs = Pairs::default();
        pairs.add_near(&near, Approach { is_nearer: true }, &[]);
        pairs.add_divergent(&divergent, &[Arc::clone(&divergent)]);
        while pairs.next_urgent().is_some() {}
        pairs.add_notable(&new);
        let mut made = [pairs.next_urgent(), pairs.next_urgent()]
            .map(|next| next.expect("there are two").pair);
        made.sort_by_key(|(first, _)| first.args.clone());
        assert_eq!(made, [(divergent, Arc::clone(&new)), (new, near)]);
        assert!(pairs.next_urgent().is_none());
    }
}
