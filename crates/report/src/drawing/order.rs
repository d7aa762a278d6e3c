//! The order within the ranks, so that few edges cross.
//!
//! Finding the best one is hard; sweeping down and up, with each vertex moved to the middle of its
//! neighbours, and neighbours in a rank swapped where that helps, gets close. A sweep can make
//! things worse, so the best order seen is kept.

use std::cmp::Ordering;

use super::layers::{Layers, Vertex};

/// Above this many vertices, neighbours are no longer swapped.
const MOST_TO_SWAP: usize = 6_000;
/// Rounds of swapping after a sweep.
const SWAPS: usize = 6;

/// Puts the ranks into an order with few crossings.
pub(super) fn untangle(layers: &mut Layers) {
    let vertices = layers.rank.len();
    let sweeps = if vertices < 2_000 { 30 } else { 8 };
    let mut best = layers.ranks.clone();
    let mut least = tangle(layers);
    for sweep in 0..sweeps {
        if least == 0 {
            break;
        }
        sweep_once(layers, sweep);
        if vertices <= MOST_TO_SWAP {
            swap_neighbours(layers);
        }
        let now = tangle(layers);
        if now < least {
            (best, least) = (layers.ranks.clone(), now);
        }
    }
    layers.ranks = best;
    if reads_backwards(layers) {
        layers.ranks.iter_mut().for_each(|rank| rank.reverse());
    }
}

/// Whether the first way out of nodes is on the right more often than on the left: the mirror
/// image has as many crossings, and people expect what comes first on the left.
fn reads_backwards(layers: &Layers) -> bool {
    let positions = layers.positions();
    let pairs = layers.below[..layers.nodes].iter().flat_map(|below| below.windows(2));
    let (left, right) = pairs.fold((0, 0), |(left, right), pair| {
        match positions[pair[0]].cmp(&positions[pair[1]]) {
            Ordering::Less => (left + 1, right),
            Ordering::Equal => (left, right),
            Ordering::Greater => (left, right + 1),
        }
    });
    right > left
}

/// Number of crossing edges, and of vertices between lanes and the nodes they hook into.
fn tangle(layers: &Layers) -> usize {
    let positions = layers.positions();
    let crossings: usize =
        layers.ranks.iter().map(|rank| crossings(layers, rank, &positions)).sum();
    let lanes = layers.nodes..layers.rank.len();
    let hook = |lane: Vertex, &node: &Vertex| positions[lane].abs_diff(positions[node]) - 1;
    let hooks = lanes.flat_map(|lane| layers.hooks[lane].iter().map(move |node| hook(lane, node)));
    crossings + hooks.sum::<usize>()
}

/// Crossings between a rank and the one below: pairs of edges whose ends are in opposite order.
fn crossings(layers: &Layers, rank: &[Vertex], positions: &[usize]) -> usize {
    let mut ends = Vec::new();
    for &vertex in rank {
        let first = ends.len();
        ends.extend(layers.below[vertex].iter().map(|&to| positions[to]));
        ends[first..].sort_unstable();
    }
    inversions(&ends)
}

/// Pairs of which the larger one comes first, counted in a tree of sums.
fn inversions(values: &[usize]) -> usize {
    let size = values.iter().max().map_or(0, |&most| most + 1);
    let mut sums = vec![0_usize; size + 1];
    let mut count = 0;
    for (seen, &value) in values.iter().enumerate() {
        let (mut index, mut not_larger) = (value + 1, 0);
        while index > 0 {
            not_larger += sums[index];
            index &= index - 1;
        }
        count += seen - not_larger;
        index = value + 1;
        while index <= size {
            sums[index] += 1;
            index += index & index.wrapping_neg();
        }
    }
    count
}

/// One sweep, down or up in turn; every other pair of sweeps reverses what is equal.
fn sweep_once(layers: &mut Layers, sweep: usize) {
    let mut positions = layers.positions();
    let ranks = layers.ranks.len();
    let down = sweep.is_multiple_of(2);
    let order: Vec<_> = if down { (0..ranks).collect() } else { (0..ranks).rev().collect() };
    for rank in order {
        let fixed = if down { rank.checked_sub(1) } else { Some(rank + 1) };
        let width = fixed.and_then(|fixed| layers.ranks.get(fixed)).map_or(1, Vec::len);
        let mut members = std::mem::take(&mut layers.ranks[rank]);
        if (sweep / 2) % 2 == 1 {
            members.reverse();
        }
        let links = if down { &layers.above } else { &layers.below };
        let scale = width as f64 / members.len().max(1) as f64;
        let key = |vertex: Vertex| {
            let own = positions[vertex] as f64 * scale;
            let hooked = || layers.hooks[vertex].first().and_then(|&v| mean(&links[v], &positions));
            mean(&links[vertex], &positions).or_else(hooked).unwrap_or(own)
        };
        let mut keyed: Vec<_> = members.into_iter().map(|vertex| (key(vertex), vertex)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let members: Vec<_> = keyed.into_iter().map(|(_, vertex)| vertex).collect();
        members.iter().enumerate().for_each(|(position, &vertex)| positions[vertex] = position);
        layers.ranks[rank] = members;
    }
}

fn mean(of: &[Vertex], positions: &[usize]) -> Option<f64> {
    let sum: usize = of.iter().map(|&vertex| positions[vertex]).sum();
    (!of.is_empty()).then(|| sum as f64 / of.len() as f64)
}

fn swap_neighbours(layers: &mut Layers) {
    let mut positions = layers.positions();
    for _ in 0..SWAPS {
        let mut better = false;
        for rank in 0..layers.ranks.len() {
            for left in 1..layers.ranks[rank].len() {
                let (a, b) = (layers.ranks[rank][left - 1], layers.ranks[rank][left]);
                if gain(layers, &positions, a, b) > 0 {
                    layers.ranks[rank].swap(left - 1, left);
                    positions.swap(a, b);
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// The reduction of crossings if these neighbours, now `a` left of `b`, change places.
fn gain(layers: &Layers, positions: &[usize], a: Vertex, b: Vertex) -> isize {
    let mut gain = 0;
    for links in [&layers.above, &layers.below] {
        for &of_a in &links[a] {
            for &of_b in &links[b] {
                gain += match positions[of_a].cmp(&positions[of_b]) {
                    Ordering::Less => -1,
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                };
            }
        }
    }
    let rightwards = |of: Vertex, other: Vertex, from: usize| -> isize {
        let others = layers.hooks[of].iter().filter(|&&hook| hook != other);
        others.map(|&hook| if positions[hook] > from { 1 } else { -1 }).sum()
    };
    gain + rightwards(a, b, positions[a]) - rightwards(b, a, positions[b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversions_are_counted() {
        assert_eq!(inversions(&[]), 0);
        assert_eq!(inversions(&[0, 1, 1, 2]), 0);
        assert_eq!(inversions(&[3, 2, 1, 0]), 6);
        assert_eq!(inversions(&[1, 0, 1, 0]), 3);
    }

    #[test]
    fn what_need_not_cross_does_not() {
        let edges = [(0, 4), (0, 5), (1, 3), (2, 3), (2, 4)];
        let mut layers = Layers::new(vec![0, 0, 0, 1, 1, 1], &edges, &[false; 5]);
        untangle(&mut layers);
        assert_eq!(tangle(&layers), 0);
    }
}
