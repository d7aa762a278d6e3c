//! Common subsequences of two sequences.
//!
//! [`anchored`] is for long sequences of distinctive elements, lines of code: it starts from
//! elements that occur once on each side, and is hardly ever fooled by a closing brace.
//! [`shortest`] is for short sequences of common elements, the instructions between two anchors:
//! Myers' algorithm, which gives up on being shortest after [`EFFORT`] differences and goes on from
//! the best place it has found, so that its time grows with the length and not with its square.

use std::{collections::HashMap, ops::Range};

/// Limit on differences for an optimal result.
const EFFORT: usize = 400;

/// Positions of equal elements in the old and in the new sequence.
pub(crate) type Common = Vec<(usize, usize)>;

/// A part of the old sequence and one of the new.
type Window = (Range<usize>, Range<usize>);

/// A common subsequence that contains the elements that are unique on both sides, as far as they
/// are in order.
pub(crate) fn anchored(old: &[u64], new: &[u64]) -> Common {
    let mut common = Common::new();
    let mut windows = vec![(0..old.len(), 0..new.len())];
    while let Some(window) = windows.pop() {
        let (left, right) = trim(old, new, window, &mut common);
        if left.is_empty() || right.is_empty() {
            continue;
        }
        let anchors = anchors(&old[left.clone()], &new[right.clone()]);
        if anchors.is_empty() {
            let found = shortest(&old[left.clone()], &new[right.clone()]);
            common.extend(found.into_iter().map(|(x, y)| (left.start + x, right.start + y)));
            continue;
        }
        let anchors = anchors.into_iter().map(|(x, y)| (left.start + x, right.start + y)).collect();
        windows.extend(between(&anchors, left, right));
        common.extend(anchors);
    }
    common.sort_unstable();
    common
}

/// A longest common subsequence, or nearly so where the sequences differ much.
pub(crate) fn shortest(old: &[u64], new: &[u64]) -> Common {
    let mut common = Common::new();
    let (mut left, mut right) = trim(old, new, (0..old.len(), 0..new.len()), &mut common);
    while !left.is_empty() && !right.is_empty() {
        let (found, x, y) = search(&old[left.clone()], &new[right.clone()]);
        common.extend(found.into_iter().map(|(x, y)| (left.start + x, right.start + y)));
        (left.start, right.start) = (left.start + x, right.start + y);
    }
    common.sort_unstable();
    common
}

/// The parts between pairs that are in order, in both sequences.
pub(crate) fn between(common: &Common, old: Range<usize>, new: Range<usize>) -> Vec<Window> {
    let (mut left, mut right) = (old.start, new.start);
    let mut windows = Vec::new();
    for &(x, y) in common.iter().chain([&(old.end, new.end)]) {
        if left < x && right < y {
            windows.push((left..x, right..y));
        }
        (left, right) = (x + 1, y + 1);
    }
    windows
}

/// Removes common elements at both ends.
fn trim(old: &[u64], new: &[u64], window: Window, common: &mut Common) -> Window {
    let (mut left, mut right) = window;
    while !left.is_empty() && !right.is_empty() && old[left.start] == new[right.start] {
        common.push((left.start, right.start));
        (left.start, right.start) = (left.start + 1, right.start + 1);
    }
    while !left.is_empty() && !right.is_empty() && old[left.end - 1] == new[right.end - 1] {
        common.push((left.end - 1, right.end - 1));
        (left.end, right.end) = (left.end - 1, right.end - 1);
    }
    (left, right)
}

/// The elements that occur exactly once on both sides, as far as they are in the same order.
fn anchors(old: &[u64], new: &[u64]) -> Common {
    let mut places: HashMap<u64, [(usize, usize); 2]> = HashMap::new();
    for (side, tokens) in [old, new].into_iter().enumerate() {
        for (place, token) in tokens.iter().enumerate() {
            let (count, at) = &mut places.entry(*token).or_default()[side];
            (*count, *at) = (*count + 1, place);
        }
    }
    let unique = old.iter().enumerate().filter_map(|(x, token)| match places.get(token)? {
        [(1, _), (1, y)] => Some((x, *y)),
        _ => None,
    });
    longest_rising(&unique.collect())
}

/// The longest increasing subsequence of some pairs.
fn longest_rising(pairs: &Common) -> Common {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut rising = Common::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        rising.push(pairs[index]);
        next = before[index];
    }
    rising.reverse();
    rising
}

/// How far each diagonal was followed after `d` differences; diagonal `k` is at `k + d`.
type Reach = Vec<Option<usize>>;

/// Myers' search from the start of both sequences: the pairs on its path and the end of it.
fn search(old: &[u64], new: &[u64]) -> (Common, usize, usize) {
    let mut rounds: Vec<Reach> = Vec::new();
    while rounds.len() <= EFFORT {
        rounds.push(advance(old, new, rounds.last()));
        if let Some(diagonal) = arrival(rounds.last(), old.len(), new.len()) {
            return (retrace(old, new, &rounds, diagonal), old.len(), new.len());
        }
    }
    let d = rounds.len() - 1;
    let ends = rounds[d].iter().enumerate().filter_map(|(k, x)| x.map(|x| (x, x + d - k, k)));
    let (x, y, diagonal) = ends.max_by_key(|(x, y, _)| x + y).unwrap_or((1, 1, 0));
    (retrace(old, new, &rounds, diagonal), x, y)
}

/// Advances the search by one difference: along each diagonal as far as the sequences agree.
fn advance(old: &[u64], new: &[u64], before: Option<&Reach>) -> Reach {
    let d = before.map_or(0, |reach| reach.len() / 2 + 1);
    let mut reach = vec![None; 2 * d + 1];
    for k in (0..=2 * d).step_by(2) {
        let Some(mut x) = start(old, new, before, k) else { continue };
        while x < old.len() && x + d - k < new.len() && old[x] == new[x + d - k] {
            x += 1;
        }
        reach[k] = Some(x);
    }
    reach
}

/// The start of a diagonal: right from the one below or down from the one above, whichever is
/// further and still inside.
fn start(old: &[u64], new: &[u64], before: Option<&Reach>, k: usize) -> Option<usize> {
    let Some(before) = before else { return Some(0) };
    let d = before.len() / 2 + 1;
    let right = k.checked_sub(2).and_then(|k| before.get(k).copied().flatten()).map(|x| x + 1);
    let down = before.get(k).copied().flatten();
    let inside =
        |x: &usize| *x <= old.len() && (x + d).checked_sub(k).is_some_and(|y| y <= new.len());
    right.filter(inside).max(down.filter(inside))
}

fn arrival(reach: Option<&Reach>, old: usize, new: usize) -> Option<usize> {
    let reach = reach?;
    let diagonal = (old + reach.len() / 2).checked_sub(new)?;
    (reach.get(diagonal).copied().flatten() == Some(old)).then_some(diagonal)
}

/// The pairs on the path to the end of a diagonal.
fn retrace(old: &[u64], new: &[u64], rounds: &[Reach], mut k: usize) -> Common {
    let mut common = Common::new();
    for d in (0..rounds.len()).rev() {
        let before = d.checked_sub(1).and_then(|d| rounds.get(d));
        let end = rounds[d].get(k).copied().flatten();
        let Some((from, to)) = start(old, new, before, k).zip(end) else { break };
        common.extend((from..to).map(|x| (x, x + d - k)));
        let down = before.and_then(|before| before.get(k).copied().flatten());
        if down != Some(from) {
            k = k.saturating_sub(2);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The length of a longest common subsequence, by the book.
    fn longest(old: &[u64], new: &[u64]) -> usize {
        let mut before = vec![0; new.len() + 1];
        for x in old {
            let mut row = vec![0];
            for (y, token) in new.iter().enumerate() {
                row.push(if x == token { before[y] + 1 } else { row[y].max(before[y + 1]) });
            }
            before = row;
        }
        before.last().copied().unwrap_or_default()
    }

    fn is_common(common: &Common, old: &[u64], new: &[u64]) -> bool {
        let rises = common.windows(2).all(|it| it[0].0 < it[1].0 && it[0].1 < it[1].1);
        rises && common.iter().all(|&(x, y)| old[x] == new[y])
    }

    fn all(count: usize) -> Common {
        (0..count).map(|place| (place, place)).collect()
    }

    proptest! {
        #[test]
        fn what_is_found_is_common(
            old in prop::collection::vec(0u64..8, 0..60),
            new in prop::collection::vec(0u64..8, 0..60),
        ) {
            prop_assert!(is_common(&anchored(&old, &new), &old, &new));
            prop_assert!(is_common(&shortest(&old, &new), &old, &new));
            prop_assert_eq!(shortest(&old, &new).len(), longest(&old, &new));
        }

        #[test]
        fn equal_sequences_are_all_common(tokens in prop::collection::vec(0u64..5, 0..200)) {
            prop_assert_eq!(anchored(&tokens, &tokens), all(tokens.len()));
            prop_assert_eq!(shortest(&tokens, &tokens), all(tokens.len()));
        }

        #[test]
        fn an_insertion_and_a_deletion_leave_everything_else(
            tokens in prop::collection::vec(any::<u64>(), 2..200),
            at in any::<prop::sample::Index>(),
            gone in any::<prop::sample::Index>(),
        ) {
            let mut new = tokens.clone();
            new.insert(at.index(tokens.len()), 7);
            new.remove(gone.index(new.len()));
            prop_assert!(anchored(&tokens, &new).len() >= tokens.len() - 1);
        }
    }

    #[test]
    fn what_has_nothing_in_common_is_given_up_in_time() {
        let old: Vec<u64> = (0..40_000).map(|it| it * it % 7).collect();
        let new: Vec<u64> = (0..40_000).map(|it| 3 + it * it * it % 11).collect();
        let common = anchored(&old, &new);
        assert!(is_common(&common, &old, &new));
    }

    #[test]
    fn the_parts_between_are_those_that_both_have() {
        let windows = between(&vec![(2, 0), (5, 3)], 0..9, 0..4);
        assert_eq!(windows, [(3..5, 1..3)]);
    }
}
