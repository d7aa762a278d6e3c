//! Which edges lead back, and the rank of each node.
//!
//! An edge leads back if a depth-first search meets it on the way to a node that it has not left.
//! Such edges have no say in the ranks: their end is above their start anyway, because the
//! search went from there to here along edges that do count.

use std::collections::VecDeque;

/// An edge, as the nodes it leaves and enters.
pub(super) type Pair = (usize, usize);

/// Rounds of pulling; there is hardly anything left to do after the first two.
const PULLS: usize = 6;

/// For each edge, whether it leads back. One from a node to itself does.
pub(super) fn back_edges(nodes: usize, edges: &[Pair]) -> Vec<bool> {
    let mut leaving = vec![Vec::new(); nodes];
    let mut entered = vec![false; nodes];
    for (edge, &(from, to)) in edges.iter().enumerate() {
        leaving[from].push(edge);
        entered[to] |= from != to;
    }
    let mut search =
        Search { edges, leaving, state: vec![State::New; nodes], back: vec![false; edges.len()] };
    let sources = (0..nodes).filter(|&node| !entered[node]);
    for root in (0..nodes.min(1)).chain(sources).chain(0..nodes) {
        search.from(root);
    }
    search.back
}

/// The rank of each node, for edges without a cycle: every edge leads at least one rank down, and
/// no rank is empty.
pub(super) fn ranks(nodes: usize, edges: &[Pair]) -> Vec<usize> {
    let graph = Graph::new(nodes, edges);
    let order = graph.order();
    let mut ranks = vec![0; nodes];
    for &node in &order {
        ranks[node] = graph.highest(node, &ranks);
    }
    for _ in 0..PULLS {
        if !graph.pull(&order, &mut ranks) {
            break;
        }
    }
    without_gaps(ranks)
}

/// Moves nodes that no edge leaves further down when their rank is wider than `most`: a function
/// that calls a hundred others would make a picture that is all width.
pub(super) fn spread_leaves(ranks: &mut [usize], edges: &[Pair], widths: &[f64], most: f64) {
    let mut leaf = vec![true; ranks.len()];
    edges.iter().for_each(|&(from, _)| leaf[from] = false);
    let mut members = vec![Vec::new(); ranks.iter().max().map_or(0, |&last| last + 1)];
    (0..ranks.len()).for_each(|node| members[ranks[node]].push(node));
    let mut rank = 0;
    while rank < members.len() {
        let too_many = overflow(&mut members[rank], &leaf, widths, most);
        if !too_many.is_empty() && rank + 1 == members.len() {
            members.push(Vec::new());
        }
        for node in too_many {
            ranks[node] = rank + 1;
            members[rank + 1].push(node);
        }
        rank += 1;
    }
}

/// Takes leaves out of a rank until the rest fits; something always stays.
fn overflow(rank: &mut Vec<usize>, leaf: &[bool], widths: &[f64], most: f64) -> Vec<usize> {
    let mut used: f64 = rank.iter().filter(|&&node| !leaf[node]).map(|&node| widths[node]).sum();
    let mut kept = 0;
    let (stays, goes) = rank.iter().partition(|&&node| {
        used += if leaf[node] { widths[node] } else { 0.0 };
        let stays = !leaf[node] || kept == 0 || used <= most;
        kept += usize::from(stays);
        stays
    });
    *rank = stays;
    goes
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Left,
}

struct Search<'a> {
    edges: &'a [Pair],
    leaving: Vec<Vec<usize>>,
    state: Vec<State>,
    back: Vec<bool>,
}

impl Search<'_> {
    fn from(&mut self, root: usize) {
        let mut path = Vec::new();
        self.open(root, &mut path);
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = self.leaving[*node].get(*next) else {
                self.state[*node] = State::Left;
                path.pop();
                continue;
            };
            *next += 1;
            let to = self.edges[edge].1;
            self.back[edge] = self.state[to] == State::Open;
            self.open(to, &mut path);
        }
    }

    fn open(&mut self, node: usize, path: &mut Vec<(usize, usize)>) {
        if self.state[node] == State::New {
            self.state[node] = State::Open;
            path.push((node, 0));
        }
    }
}

struct Graph {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

impl Graph {
    fn new(nodes: usize, edges: &[Pair]) -> Self {
        let mut graph = Self { above: vec![Vec::new(); nodes], below: vec![Vec::new(); nodes] };
        for &(from, to) in edges {
            graph.below[from].push(to);
            graph.above[to].push(from);
        }
        graph
    }

    /// The nodes so that each comes after those above it.
    fn order(&self) -> Vec<usize> {
        let mut waits_for: Vec<_> = self.above.iter().map(Vec::len).collect();
        let mut ready: VecDeque<_> =
            (0..waits_for.len()).filter(|&node| waits_for[node] == 0).collect();
        let mut order = Vec::with_capacity(waits_for.len());
        while let Some(node) = ready.pop_front() {
            order.push(node);
            for &to in &self.below[node] {
                waits_for[to] -= 1;
                if waits_for[to] == 0 {
                    ready.push_back(to);
                }
            }
        }
        order
    }

    fn highest(&self, node: usize, ranks: &[usize]) -> usize {
        self.above[node].iter().map(|&from| ranks[from] + 1).max().unwrap_or(0)
    }

    fn lowest(&self, node: usize, ranks: &[usize]) -> usize {
        let below = self.below[node].iter().map(|&to| ranks[to].saturating_sub(1));
        below.min().unwrap_or(ranks[node])
    }

    /// Moves nodes to where their edges are shorter, all in all. The first node stays on top.
    fn pull(&self, order: &[usize], ranks: &mut [usize]) -> bool {
        let before = ranks.to_vec();
        let heavier = |these: &[Vec<usize>], those: &[Vec<usize>], node: usize| {
            node != 0 && these[node].len() > those[node].len()
        };
        for &node in order.iter().rev().filter(|&&node| heavier(&self.below, &self.above, node)) {
            ranks[node] = self.lowest(node, ranks);
        }
        for &node in order.iter().filter(|&&node| heavier(&self.above, &self.below, node)) {
            ranks[node] = self.highest(node, ranks);
        }
        before != ranks
    }
}

fn without_gaps(mut ranks: Vec<usize>) -> Vec<usize> {
    let mut used: Vec<_> = ranks.clone();
    used.sort_unstable();
    used.dedup();
    for rank in &mut ranks {
        *rank = used.partition_point(|&smaller| smaller < *rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some graph: the numbers are as random as they need to be.
    fn some_edges(nodes: usize, edges: usize, seed: usize) -> Vec<Pair> {
        let mut state = seed.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3);
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % nodes
        };
        (0..edges).map(|_| (next(), next())).collect()
    }

    fn forward(nodes: usize, edges: &[Pair]) -> Vec<Pair> {
        let back = back_edges(nodes, edges);
        edges.iter().zip(back).filter(|(_, back)| !back).map(|(&edge, _)| edge).collect()
    }

    #[test]
    fn without_back_edges_there_is_no_cycle() {
        for seed in 0..200 {
            let nodes = 1 + seed % 30;
            let edges = forward(nodes, &some_edges(nodes, nodes * 2, seed));
            assert_eq!(Graph::new(nodes, &edges).order().len(), nodes, "seed {seed}");
        }
    }

    #[test]
    fn a_loop_is_broken_where_it_closes() {
        assert_eq!(back_edges(3, &[(0, 1), (1, 2), (2, 1), (2, 2)]), [false, false, true, true]);
    }

    #[test]
    fn ranks_respect_edges() {
        for seed in 0..200 {
            let nodes = 1 + seed % 30;
            let all = some_edges(nodes, nodes * 2, seed);
            let edges = forward(nodes, &all);
            let mut ranks = ranks(nodes, &edges);
            spread_leaves(&mut ranks, &edges, &vec![10.0; nodes], 50.0);
            assert!(edges.iter().all(|&(from, to)| ranks[from] < ranks[to]), "seed {seed}");
            let back = all.iter().filter(|edge| !edges.contains(edge));
            assert!(back.clone().all(|&(from, to)| ranks[from] >= ranks[to]), "seed {seed}");
            let last = ranks.iter().max().copied().unwrap();
            assert!((0..=last).all(|rank| ranks.contains(&rank)), "seed {seed}");
        }
    }

    #[test]
    fn a_source_stands_just_above_what_it_leads_to() {
        assert_eq!(ranks(5, &[(0, 1), (1, 2), (2, 3), (4, 3)]), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn many_leaves_take_several_ranks() {
        let edges: Vec<_> = (1..10).map(|leaf| (0, leaf)).collect();
        let mut ranks = ranks(10, &edges);
        spread_leaves(&mut ranks, &edges, &[10.0; 10], 40.0);
        assert_eq!(ranks, [0, 1, 1, 1, 1, 2, 2, 2, 2, 3]);
    }
}
