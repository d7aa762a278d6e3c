//! Templates: the common parts of the runs of one version, which other runs can be matched against.
//!
//! The shapes, from the most exact to the least; the first that fits is taken:
//!
//! 1. All runs are the same.
//! 2. They have the same lines in varying order: the order does not count.
//! 3. They have as many lines, and lines that are in the same place are the best pairs that can be
//!    found: each line is a pattern in which the tokens that vary are wildcards.
//! 4. The lines that all of them have in this order, with gaps where any lines can be. If there
//!    are no such lines, that is one gap, and everything is noise. This is also for runs of which
//!    only the beginning is known: where it was cut depends on the noise before.
//!
//! Every run matches the template it went into. Edit distance to the nearest run was rejected: a
//! threshold would be needed, and no threshold tells a wrong digit from a new time stamp.

mod gaps;
mod pattern;

use std::borrow::Cow;

use crate::lines;
use gaps::Gaps;
use pattern::Pattern;

/// The output of one run in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<'a> {
    /// The bytes that were kept.
    pub bytes: Cow<'a, [u8]>,
    /// The bytes after those; `None` if the run was ended early, so that they are unknown.
    pub beyond: Option<Beyond>,
}

/// The known properties of bytes that were not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// Their number.
    pub length: u64,
    /// Their digest, as in [`parallax_run::Captured`].
    pub digest: u64,
}

/// The common parts of the runs of one version.
#[derive(Clone, Debug)]
pub struct Template {
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Same { bytes: Vec<u8>, beyond: Option<Beyond> },
    AnyOrder(Vec<Vec<u8>>),
    Lines(Vec<Pattern>),
    Gaps(Gaps),
}

impl Template {
    /// The template of these runs.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn of(runs: &[Sample<'_>]) -> Template {
        let (first, others) = runs.split_first().expect("a template is made from runs");
        if others.iter().all(|run| run.bytes == first.bytes) {
            let agreed = others.iter().all(|run| run.beyond == first.beyond);
            return Template {
                shape: Shape::Same {
                    bytes: first.bytes.to_vec(),
                    beyond: first.beyond.filter(|_| agreed),
                },
            };
        }
        let all_is_here = runs.iter().all(|run| run.beyond == Some(Beyond::default()));
        let runs: Vec<Vec<&[u8]>> = runs.iter().map(|run| lines::split(&run.bytes)).collect();
        let shape = match all_is_here {
            true => any_order(&runs).unwrap_or_else(|| lines_or_gaps(&runs)),
            false => Shape::Gaps(Gaps::of_beginnings(&runs)),
        };
        Template { shape }
    }

    /// Whether a run fits the runs that the template was made from.
    pub fn matches(&self, run: &Sample<'_>) -> bool {
        match &self.shape {
            Shape::Same { bytes, beyond } => {
                *bytes == *run.bytes
                    && (beyond.is_none() || run.beyond.is_none() || *beyond == run.beyond)
            }
            Shape::AnyOrder(sorted) => sorted_lines(&lines::split(&run.bytes)) == *sorted,
            Shape::Lines(patterns) => {
                let lines = lines::split(&run.bytes);
                lines.len() == patterns.len()
                    && patterns.iter().zip(lines).all(|(pattern, line)| pattern.matches(line))
            }
            Shape::Gaps(gaps) => gaps.matches(&lines::split(&run.bytes)),
        }
    }
}

impl Template {
    /// The common parts of the runs, with marks where they vary. A line that matches a pattern of
    /// the other template is shown as that pattern: it may vary as well.
    pub(crate) fn text_beside(&self, other: &Template) -> Vec<u8> {
        let patterns = other.patterns();
        let masked = |line: &[u8]| {
            let pattern = patterns.iter().copied().find(|pattern| pattern.matches(line));
            pattern.map_or_else(|| line.to_vec(), Pattern::text)
        };
        match &self.shape {
            Shape::Same { bytes, .. } => lines::split(bytes).into_iter().flat_map(masked).collect(),
            Shape::AnyOrder(sorted) => sorted.concat(),
            Shape::Lines(patterns) => {
                let text = |pattern: &Pattern| match pattern.varies() {
                    true => pattern.text(),
                    false => masked(&pattern.text()),
                };
                patterns.iter().flat_map(text).collect()
            }
            Shape::Gaps(gaps) => gaps.text(),
        }
    }

    /// The lines of which only a part varies.
    fn patterns(&self) -> Vec<&Pattern> {
        match &self.shape {
            Shape::Lines(patterns) => {
                patterns.iter().filter(|it| it.varies() && it.is_known()).collect()
            }
            Shape::Same { .. } | Shape::AnyOrder(_) | Shape::Gaps(_) => Vec::new(),
        }
    }
}

fn any_order(runs: &[Vec<&[u8]>]) -> Option<Shape> {
    let same_length = runs.iter().all(|run| run.len() == runs[0].len());
    if !same_length {
        return None;
    }
    let sorted = sorted_lines(&runs[0]);
    let others = &runs[1..];
    others
        .iter()
        .all(|run| sorted_lines(run) == sorted)
        .then(|| Shape::AnyOrder(sorted.into_iter().map(<[u8]>::to_vec).collect()))
}

fn sorted_lines<'a>(lines: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let mut lines = lines.to_vec();
    lines.sort_unstable();
    lines
}

fn lines_or_gaps(runs: &[Vec<&[u8]>]) -> Shape {
    let gaps = Gaps::of(runs);
    match in_place(runs) {
        Some(equal) if equal >= gaps.line_count() => Shape::Lines(patterns(runs)),
        _ => Shape::Gaps(gaps),
    }
}

/// Number of lines that are the same in the same place, if the runs have as many lines.
fn in_place(runs: &[Vec<&[u8]>]) -> Option<usize> {
    let (first, others) = runs.split_first()?;
    let same_length = others.iter().all(|run| run.len() == first.len());
    let equal = |place: &usize| others.iter().all(|run| run[*place] == first[*place]);
    same_length.then(|| (0..first.len()).filter(equal).count())
}

fn patterns(runs: &[Vec<&[u8]>]) -> Vec<Pattern> {
    (0..runs[0].len())
        .map(|place| {
            let lines: Vec<&[u8]> = runs.iter().map(|run| run[place]).collect();
            Pattern::of(&lines)
        })
        .collect()
}

#[cfg(test)]
mod tests;
