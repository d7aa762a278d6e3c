//! The position of each vertex in its rank.
//!
//! Every vertex wants to stand below or above the middle of its neighbours in the next rank; a rank
//! comes as close to its members' wishes as the gaps between them allow, which is a regression with
//! an order to keep and has an exact answer in one pass. Since that pass decides every rank, boxes
//! cannot overlap whatever the wishes were.

use super::{
    layers::{Layers, Vertex},
    straight::straighten,
};

/// The extent of a vertex to the left and to the right of its position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    pub(super) left: f64,
    pub(super) right: f64,
}

#[derive(Clone, Copy)]
enum Toward {
    Above,
    Below,
    Both,
    /// Lanes stay where they are.
    BothButLanes,
}

const STRAIGHTENINGS: usize = 4;
/// Much more than any other weight.
const STAYS: f64 = 1e6;
const NODE_GAP: f64 = 30.0;
const NODE_LANE_GAP: f64 = 16.0;
const LANE_GAP: f64 = 13.0;

/// The place of each vertex, counted from the left.
pub(super) fn place(layers: &Layers, reach: &[Reach]) -> Vec<f64> {
    let mut placing = Placing { layers, reach, x: vec![0.0; layers.rank.len()] };
    let ranks = layers.ranks.len();
    (0..ranks).for_each(|rank| placing.pack(rank));
    let rounds = if layers.rank.len() < 4_000 { 30 } else { 8 };
    for _ in 0..rounds {
        (1..ranks).for_each(|rank| placing.align(rank, Toward::Above));
        (0..ranks.saturating_sub(1)).rev().for_each(|rank| placing.align(rank, Toward::Below));
    }
    for _ in 0..rounds / 2 {
        (0..ranks).for_each(|rank| placing.align(rank, Toward::Both));
        (0..ranks).rev().for_each(|rank| placing.align(rank, Toward::Both));
    }
    for _ in 0..STRAIGHTENINGS {
        placing.straighten();
        (0..ranks).for_each(|rank| placing.align(rank, Toward::BothButLanes));
        (0..ranks).rev().for_each(|rank| placing.align(rank, Toward::BothButLanes));
    }
    placing.straighten();
    placing.moved_to_zero()
}

struct Placing<'a> {
    layers: &'a Layers,
    reach: &'a [Reach],
    x: Vec<f64>,
}

impl Placing<'_> {
    /// The least distance between neighbours.
    fn apart(&self, left: Vertex, right: Vertex) -> f64 {
        let gap = match (self.layers.is_lane(left), self.layers.is_lane(right)) {
            (false, false) => NODE_GAP,
            (true, true) => LANE_GAP,
            _ => NODE_LANE_GAP,
        };
        self.reach[left].right + gap + self.reach[right].left
    }

    /// The place of each member of a rank if they stand as close as they may.
    fn packed(&self, rank: &[Vertex]) -> Vec<f64> {
        let mut packed = Vec::with_capacity(rank.len());
        let mut at = 0.0;
        for (index, &vertex) in rank.iter().enumerate() {
            at += if index == 0 { 0.0 } else { self.apart(rank[index - 1], vertex) };
            packed.push(at);
        }
        packed
    }

    fn pack(&mut self, rank: usize) {
        let members = &self.layers.ranks[rank];
        let packed = self.packed(members);
        let middle = packed.last().map_or(0.0, |last| last / 2.0);
        members.iter().zip(packed).for_each(|(&vertex, x)| self.x[vertex] = x - middle);
    }

    fn straighten(&mut self) {
        let mut x = std::mem::take(&mut self.x);
        straighten(self.layers, &mut x, &|left, right| self.apart(left, right));
        self.x = x;
    }

    /// Moves the members of a rank as close to their wishes as possible.
    fn align(&mut self, rank: usize, toward: Toward) {
        let members = &self.layers.ranks[rank];
        let packed = self.packed(members);
        let wishes = members.iter().zip(&packed).map(|(&vertex, packed)| {
            let (x, weight) = self.wish(vertex, toward);
            (x - packed, weight)
        });
        let placed = ascending(wishes);
        for ((&vertex, packed), x) in members.iter().zip(packed).zip(placed) {
            self.x[vertex] = x + packed;
        }
    }

    /// The wish of a vertex, and its weight.
    fn wish(&self, vertex: Vertex, toward: Toward) -> (f64, f64) {
        let (above, below) = (&self.layers.above[vertex], &self.layers.below[vertex]);
        let mut linked = match toward {
            Toward::Above => above.clone(),
            Toward::Below => below.clone(),
            Toward::BothButLanes if self.layers.is_lane(vertex) => return (self.x[vertex], STAYS),
            Toward::Both | Toward::BothButLanes => [above.as_slice(), below].concat(),
        };
        let straight = linked.iter().filter(|&&other| self.layers.is_lane(other)).count();
        let weight = match (self.layers.is_lane(vertex), linked.len()) {
            (_, 0) => return self.wish_beside(vertex),
            (true, links) if links == straight => 8.0,
            (true, _) => 2.0,
            (false, links) => 1.0 + links as f64,
        };
        (self.median(&mut linked), weight)
    }

    /// A vertex without neighbours there stays, but a lane wants to be close to the vertex it hooks
    /// into.
    fn wish_beside(&self, vertex: Vertex) -> (f64, f64) {
        let x = self.x[vertex];
        match self.layers.hooks[vertex].first() {
            Some(&node) if self.layers.is_lane(vertex) && self.x[node] < x => {
                (self.x[node] + self.apart(node, vertex), 1.0)
            }
            Some(&node) if self.layers.is_lane(vertex) => {
                (self.x[node] - self.apart(vertex, node), 1.0)
            }
            _ => (x, 0.1),
        }
    }

    fn median(&self, of: &mut [Vertex]) -> f64 {
        of.sort_by(|&a, &b| self.x[a].total_cmp(&self.x[b]));
        let (low, high) = (of[(of.len() - 1) / 2], of[of.len() / 2]);
        (self.x[low] + self.x[high]) / 2.0
    }

    fn moved_to_zero(self) -> Vec<f64> {
        let left = self.x.iter().zip(self.reach).map(|(x, reach)| x - reach.left);
        let least = left.fold(f64::INFINITY, f64::min);
        self.x.iter().map(|x| x - least).collect()
    }
}

/// The ascending numbers that are closest to the wishes, by the squares of what they miss: wishes
/// that contradict each other share their mean.
fn ascending(wishes: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (wish, weight) in wishes {
        let mut block = (wish, weight, 1);
        while let Some(before) = blocks.pop_if(|before| before.0 > block.0) {
            let weight = before.1 + block.1;
            let mean = (before.0 * before.1 + block.0 * block.1) / weight;
            block = (mean, weight, before.2 + block.2);
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(x, _, count)| std::iter::repeat_n(x, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_that_contradict_share_their_mean() {
        let even = |wishes: &[f64]| ascending(wishes.iter().map(|&wish| (wish, 1.0)));
        assert_eq!(even(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(even(&[3.0, 1.0, 4.0]), [2.0, 2.0, 4.0]);
        assert_eq!(even(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn a_node_stands_above_the_middle_of_its_two() {
        let layers = Layers::new(vec![0, 1, 1], &[(0, 1), (0, 2)], &[false; 2]);
        let x = place(&layers, &[Reach { left: 10.0, right: 10.0 }; 3]);
        assert!((x[0] - (x[1] + x[2]) / 2.0).abs() < 0.01);
        assert!(x[2] - x[1] > 49.9);
    }
}
