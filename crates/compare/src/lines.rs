//! Lines, and the lines that several runs have in common.
//!
//! The lines in common are a longest common subsequence where that is cheap to find, and an
//! approximation from below where it is not (anchors that occur once, as in a patience diff). A
//! shorter one only means wider gaps, that is, more that counts as noise. No time limit decides:
//! the same runs give the same lines on every machine.

use std::{collections::HashMap, ops::Range};

/// Up to this many pairs of lines, the longest common subsequence is computed.
const EXACT_PAIRS: usize = 1 << 20;

/// The depth to which ranges between anchors are searched for further anchors.
const MAX_DEPTH: usize = 16;

/// The lines, each with its newline; the last may have none.
pub(crate) fn split(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Pairs of indices of equal lines, ascending in both.
pub(crate) fn common<T: AsRef<[u8]>>(left: &[T], right: &[&[u8]]) -> Vec<(usize, usize)> {
    let left: Vec<&[u8]> = left.iter().map(AsRef::as_ref).collect();
    let mut pairs = Vec::new();
    let whole = (0..left.len(), 0..right.len());
    Aligner { left: &left, right }.align(whole.0, whole.1, MAX_DEPTH, &mut pairs);
    pairs
}

struct Aligner<'a> {
    left: &'a [&'a [u8]],
    right: &'a [&'a [u8]],
}

type Pairs = Vec<(usize, usize)>;

impl Aligner<'_> {
    fn align(&self, left: Range<usize>, right: Range<usize>, depth: usize, pairs: &mut Pairs) {
        let prefix = self.equal_lines(left.clone(), right.clone());
        pairs.extend((0..prefix).map(|i| (left.start + i, right.start + i)));
        let left = left.start + prefix..left.end;
        let right = right.start + prefix..right.end;
        let suffix = self.equal_lines(left.clone().rev(), right.clone().rev());
        let middle_left = left.start..left.end - suffix;
        let middle_right = right.start..right.end - suffix;
        self.align_middle(middle_left, middle_right, depth, pairs);
        pairs.extend((1..=suffix).rev().map(|i| (left.end - i, right.end - i)));
    }

    fn equal_lines(
        &self,
        left: impl Iterator<Item = usize>,
        right: impl Iterator<Item = usize>,
    ) -> usize {
        left.zip(right).take_while(|&(i, j)| self.left[i] == self.right[j]).count()
    }

    fn align_middle(
        &self,
        left: Range<usize>,
        right: Range<usize>,
        depth: usize,
        pairs: &mut Pairs,
    ) {
        if left.is_empty() || right.is_empty() || depth == 0 {
            return;
        }
        if left.len().saturating_mul(right.len()) <= EXACT_PAIRS {
            return self.longest(left, right, pairs);
        }
        let anchors = ascending(&self.lines_that_occur_once(left.clone(), right.clone()));
        if anchors.is_empty() {
            return;
        }
        let (mut from_left, mut from_right) = (left.start, right.start);
        for (i, j) in anchors {
            self.align(from_left..i, from_right..j, depth - 1, pairs);
            pairs.push((i, j));
            (from_left, from_right) = (i + 1, j + 1);
        }
        self.align(from_left..left.end, from_right..right.end, depth - 1, pairs);
    }

    /// The longest common subsequence, by the textbook table.
    fn longest(&self, left: Range<usize>, right: Range<usize>, pairs: &mut Pairs) {
        let width = right.len() + 1;
        let mut lengths = vec![0_u32; (left.len() + 1) * width];
        for i in (0..left.len()).rev() {
            for j in (0..right.len()).rev() {
                let equal = self.left[left.start + i] == self.right[right.start + j];
                lengths[i * width + j] = match equal {
                    true => lengths[(i + 1) * width + j + 1] + 1,
                    false => lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            if self.left[left.start + i] == self.right[right.start + j] {
                pairs.push((left.start + i, right.start + j));
                (i, j) = (i + 1, j + 1);
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    fn lines_that_occur_once(&self, left: Range<usize>, right: Range<usize>) -> Pairs {
        let in_right = positions(self.right, right);
        let in_left = positions(self.left, left.clone());
        left.filter(|&i| in_left.get(self.left[i]) == Some(&Some(i)))
            .filter_map(|i| Some((i, (*in_right.get(self.left[i])?)?)))
            .collect()
    }
}

/// The position of each line, or `None` if it occurs more than once.
fn positions<'a>(lines: &[&'a [u8]], range: Range<usize>) -> HashMap<&'a [u8], Option<usize>> {
    let mut positions = HashMap::new();
    for i in range {
        positions.entry(lines[i]).and_modify(|position| *position = None).or_insert(Some(i));
    }
    positions
}

/// The longest subsequence that ascends on the right too, by patience sorting.
fn ascending(pairs: &[(usize, usize)]) -> Pairs {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, right)) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < right);
        before.push(pile.checked_sub(1).map(|previous| piles[previous]));
        match piles.get_mut(pile) {
            Some(top) => *top = index,
            None => piles.push(index),
        }
    }
    let mut chain = Vec::with_capacity(piles.len());
    let mut next = piles.last().copied();
    while let Some(index) = next {
        chain.push(pairs[index]);
        next = before[index];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expected: &str) {
        let (left, right) = (split(left.as_bytes()), split(right.as_bytes()));
        let pairs = common(&left, &right);
        let kept: Vec<u8> = pairs.iter().flat_map(|&(i, _)| left[i].to_vec()).collect();
        assert_eq!(String::from_utf8_lossy(&kept), expected);
        assert!(pairs.iter().all(|&(i, j)| left[i] == right[j]));
        assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
    }

    #[test]
    fn common_lines_are_the_most_there_can_be() {
        check("a\nb\nc\n", "a\nc\n", "a\nc\n");
        check("x\na\nb\n", "a\ny\nb\nz\n", "a\nb\n");
        check("a\n", "a", "");
        check("", "a\n", "");
    }

    #[test]
    fn many_lines_are_aligned_by_anchors() {
        let text = |noise: &str| -> String {
            (0..5000).map(|i| format!("line {i}\n\n{noise}{}\n", i % 7)).collect()
        };
        let (left, right) = (text("x"), text("y"));
        let kept: String = (0..5000).map(|i| format!("line {i}\n\n")).collect();
        check(&left, &right, &kept);
    }
}
