//! An example of noise: a variation between two runs of one version.

use parallax_run::Observation;

use crate::{Aspect, Runs, Version, lines};

/// Two lines, of two runs of one version, in the place where these differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The version that varies.
    pub version: Version,
    /// The aspect that varies.
    pub aspect: Aspect,
    /// The line of one run; empty if it has none there.
    pub one: Vec<u8>,
    /// The line of the other.
    pub other: Vec<u8>,
}

impl Variation {
    /// The first variation of the streams of some runs, if there is any.
    pub fn of(runs: &Runs) -> Option<Variation> {
        let versions = [(Version::Old, &runs.old), (Version::New, &runs.new)];
        versions.into_iter().find_map(|(version, runs)| {
            let (first, others) = runs.split_first()?;
            others.iter().find_map(|other| between(version, first, other))
        })
    }
}

fn between(version: Version, one: &Observation, other: &Observation) -> Option<Variation> {
    let streams = [
        (Aspect::Stdout, &one.stdout.bytes, &other.stdout.bytes),
        (Aspect::Stderr, &one.stderr.bytes, &other.stderr.bytes),
    ];
    streams.into_iter().find_map(|(aspect, one, other)| {
        let (one, other) = (lines::split(one), lines::split(other));
        let place = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))?;
        let line = |lines: &[&[u8]]| lines.get(place).map(|line| line.to_vec()).unwrap_or_default();
        Some(Variation { version, aspect, one: line(&one), other: line(&other) })
    })
}

#[cfg(test)]
mod tests {
    use parallax_run::{Captured, Ending};

    use super::*;

    #[test]
    fn the_first_lines_that_vary_are_an_example() {
        let run = |text: &str| Observation {
            ending: Ending::Exit(0),
            stdout: Captured::whole(text),
            stderr: Captured::default(),
            files: Default::default(),
        };
        let same = vec![run("a\nb\n"), run("a\nb\n")];
        let runs = Runs { old: same.clone(), new: vec![run("a\nc\n"), run("a\nd\n")] };
        let expected = Variation {
            version: Version::New,
            aspect: Aspect::Stdout,
            one: b"c\n".to_vec(),
            other: b"d\n".to_vec(),
        };
        assert_eq!(Variation::of(&runs), Some(expected));
        assert_eq!(Variation::of(&Runs { old: same.clone(), new: same }), None);
    }
}
