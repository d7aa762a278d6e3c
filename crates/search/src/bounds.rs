//! How far inputs may grow.

use parallax_run::{Entry, TestCase};
use parallax_solve::Origin;

/// How far inputs may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most arguments.
    pub arguments: u32,
    /// The most bytes of each argument.
    pub argument_bytes: u32,
    /// The most bytes of standard input and of each file.
    pub bytes: u32,
    /// Whether they hold for all inputs, also for those that were not solved for.
    pub are_strict: bool,
}

impl Bounds {
    /// At least twice as much as there is of anything in these tests.
    pub fn around(self, seeds: &[TestCase]) -> Bounds {
        let twice = |least: u32, sizes: &mut dyn Iterator<Item = usize>| {
            let most = sizes.max().unwrap_or(0).saturating_mul(2);
            least.max(u32::try_from(most).unwrap_or(u32::MAX))
        };
        let arguments = &mut seeds.iter().map(|seed| seed.args.len());
        let lengths = &mut seeds.iter().flat_map(|seed| seed.args.iter().map(Vec::len));
        let texts = &mut seeds.iter().flat_map(|seed| {
            let stdin = seed.stdin.iter().map(Vec::len);
            stdin.chain(seed.files.keys().map(|name| file_length(seed, name)))
        });
        Bounds {
            arguments: twice(self.arguments, arguments),
            argument_bytes: twice(self.argument_bytes, lengths),
            bytes: twice(self.bytes, texts),
            ..self
        }
    }

    /// Whether a test that was not solved for is within them; or not far beyond, if they are not strict.
    pub(crate) fn admit(&self, test: &TestCase) -> bool {
        let length = test.stdin.as_ref().map_or(0, Vec::len);
        let (arguments, bytes) = (self.arguments as usize, self.bytes as usize);
        if !self.are_strict {
            return test.args.len() <= 4 * arguments && length <= bytes;
        }
        let mut files = test.files.keys().map(|name| file_length(test, name));
        test.args.len() <= arguments
            && test.args.iter().all(|argument| argument.len() <= self.argument_bytes as usize)
            && length <= bytes
            && files.all(|length| length <= bytes)
    }

    /// The least and the most that an input may be long; as long as it is in the test at least.
    pub(crate) fn of(&self, origin: &Origin, test: &TestCase) -> (u128, u128) {
        let most = |bound: u32, now: usize| u128::from(bound).max(now as u128);
        match origin {
            // The name of the program is one of them.
            Origin::Count => (1, most(self.arguments, test.args.len()) + 1),
            // They end at their first zero byte, and have as much room as the trace gives them.
            Origin::Argument(_) | Origin::Environment(_) => (0, self.argument_bytes.into()),
            Origin::Unwritten => (0, u64::MAX.into()),
            Origin::Stdin => (0, most(self.bytes, test.stdin.as_ref().map_or(0, Vec::len))),
            Origin::File(name) => (0, most(self.bytes, file_length(test, name))),
        }
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { arguments: 16, argument_bytes: 64, bytes: 4096, are_strict: false }
    }
}

fn file_length(test: &TestCase, name: &[u8]) -> usize {
    match test.files.get(name) {
        Some(Entry::File { data, .. }) => data.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test() -> TestCase {
        TestCase {
            args: vec![vec![b'a'; 100], Vec::new()],
            stdin: Some(vec![b'x'; 3000]),
            files: [(b"in".to_vec(), Entry::file(vec![b'y'; 5000]))].into(),
            ..TestCase::default()
        }
    }

    #[test]
    fn large_seeds_have_room_to_grow() {
        assert_eq!(Bounds::default().around(&[]), Bounds::default());
        assert_eq!(
            Bounds::default().around(&[TestCase::default(), test()]),
            Bounds { argument_bytes: 200, bytes: 10000, ..Bounds::default() }
        );
    }

    #[test]
    fn what_was_not_solved_for_is_within_strict_bounds() {
        let bounds = Bounds { arguments: 2, argument_bytes: 100, bytes: 5000, are_strict: true };
        assert!(bounds.admit(&test()));
        for smaller in [
            Bounds { arguments: 1, ..bounds },
            Bounds { argument_bytes: 99, ..bounds },
            Bounds { bytes: 4999, ..bounds },
            Bounds { bytes: 2999, ..bounds },
        ] {
            assert!(!smaller.admit(&test()), "{smaller:?}");
        }
        assert!(
            Bounds { arguments: 1, argument_bytes: 1, are_strict: false, ..bounds }.admit(&test())
        );
    }

    #[test]
    fn a_test_beyond_the_bounds_is_possible() {
        let bounds = Bounds { arguments: 1, argument_bytes: 8, bytes: 16, are_strict: true };
        let of = |origin: Origin| bounds.of(&origin, &test());
        assert_eq!(of(Origin::Count), (1, 3));
        assert_eq!(of(Origin::Argument(2)), (0, 8));
        assert_eq!(of(Origin::Stdin), (0, 3000));
        assert_eq!(of(Origin::File(b"in"[..].into())), (0, 5000));
        assert_eq!(of(Origin::File(b"none"[..].into())), (0, 16));
    }
}
