//! The ranks and their members: nodes, and the lanes of edges that pass.
//!
//! An edge that leads down has a lane in each rank between its ends. One that leads back has
//! lanes in the ranks of its ends as well, since it goes round both of them: the first and the
//! last of its lanes stand beside a node, at which they hook into it.

use super::rank::Pair;

/// The most lanes. Edges beyond that, the longest ones, are drawn across the rest: a picture with
/// more is unreadable, but it should not take minutes either.
const MOST_LANES: usize = 30_000;

/// A node or a lane. Nodes come first and keep their numbers.
pub(super) type Vertex = usize;

/// Ranks from above, each from the left.
pub(super) struct Layers {
    pub(super) nodes: usize,
    pub(super) ranks: Vec<Vec<Vertex>>,
    /// The rank of each vertex.
    pub(super) rank: Vec<usize>,
    /// The neighbours of each vertex in the rank above.
    pub(super) above: Vec<Vec<Vertex>>,
    /// The neighbours of each vertex in the rank below.
    pub(super) below: Vec<Vec<Vertex>>,
    /// The vertices that each vertex hooks into in its own rank: lanes into one node, nodes into
    /// many lanes.
    pub(super) hooks: Vec<Vec<Vertex>>,
    /// The way of each edge.
    pub(super) ways: Vec<Way>,
}

/// The vertices that an edge passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Down through these lanes, from above.
    Down(Vec<Vertex>),
    /// Up through these lanes, from above as well.
    Back(Vec<Vertex>),
    /// From a node to itself.
    Loop,
    /// Without lanes.
    Across,
}

impl Layers {
    /// The layers of nodes with these ranks, in the order of a walk along the edges.
    pub(super) fn new(rank: Vec<usize>, edges: &[Pair], back: &[bool]) -> Self {
        let nodes = rank.len();
        let mut layers = Self {
            nodes,
            ranks: vec![Vec::new(); rank.iter().max().map_or(0, |&last| last + 1)],
            rank,
            above: vec![Vec::new(); nodes],
            below: vec![Vec::new(); nodes],
            hooks: vec![Vec::new(); nodes],
            ways: vec![Way::Across; edges.len()],
        };
        layers.add_lanes(edges, back);
        layers.walk();
        layers
    }

    pub(super) fn is_lane(&self, vertex: Vertex) -> bool {
        vertex >= self.nodes
    }

    /// The place of each vertex in its rank.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.rank.len()];
        for rank in &self.ranks {
            rank.iter().enumerate().for_each(|(position, &vertex)| positions[vertex] = position);
        }
        positions
    }

    /// The short edges first, so that the long ones are those that get no lanes.
    fn add_lanes(&mut self, edges: &[Pair], back: &[bool]) {
        let span = |edge: usize| self.rank[edges[edge].0].abs_diff(self.rank[edges[edge].1]);
        let mut by_span: Vec<_> = (0..edges.len()).map(|edge| (span(edge), edge)).collect();
        by_span.sort_unstable();
        let mut lanes = 0;
        by_span.retain(|&(span, _)| {
            lanes += span;
            lanes <= MOST_LANES.max(self.nodes * 4)
        });
        let mut kept: Vec<_> = by_span.into_iter().map(|(_, edge)| edge).collect();
        kept.sort_unstable();
        for edge in kept {
            let (from, to) = edges[edge];
            self.ways[edge] = match (back[edge], from == to) {
                (_, true) => Way::Loop,
                (true, _) => Way::Back(self.hooked(to, from)),
                (false, _) => Way::Down(self.chain(from, to)),
            };
        }
    }

    fn chain(&mut self, from: Vertex, to: Vertex) -> Vec<Vertex> {
        let lanes = self.lanes(self.rank[from] + 1, self.rank[to]);
        let ends = std::iter::once(from).chain(lanes.iter().copied()).chain([to]);
        self.connect(ends.collect());
        lanes
    }

    fn hooked(&mut self, top: Vertex, bottom: Vertex) -> Vec<Vertex> {
        let lanes = self.lanes(self.rank[top], self.rank[bottom] + 1);
        self.connect(lanes.clone());
        for (node, lane) in [(top, lanes.first()), (bottom, lanes.last())] {
            if let Some(&lane) = lane {
                self.hooks[node].push(lane);
                self.hooks[lane].push(node);
            }
        }
        lanes
    }

    fn lanes(&mut self, first: usize, end: usize) -> Vec<Vertex> {
        (first..end).map(|rank| self.lane(rank)).collect()
    }

    fn lane(&mut self, rank: usize) -> Vertex {
        self.rank.push(rank);
        for links in [&mut self.above, &mut self.below, &mut self.hooks] {
            links.push(Vec::new());
        }
        self.rank.len() - 1
    }

    fn connect(&mut self, vertices: Vec<Vertex>) {
        for pair in vertices.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
    }

    /// Puts the vertices into their ranks in the order in which a walk meets them.
    fn walk(&mut self) {
        let mut met = vec![false; self.rank.len()];
        for root in 0..self.rank.len() {
            let mut open = vec![root];
            while let Some(vertex) = open.pop() {
                if std::mem::replace(&mut met[vertex], true) {
                    continue;
                }
                self.ranks[self.rank[vertex]].push(vertex);
                open.extend(self.hooks[vertex].iter().copied());
                open.extend(self.below[vertex].iter().rev().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_edges_and_edges_back_have_lanes() {
        let edges = [(0, 1), (1, 2), (0, 2), (2, 0), (1, 1)];
        let layers = Layers::new(vec![0, 1, 2], &edges, &[false, false, false, true, true]);
        assert_eq!(layers.ways[0], Way::Down(vec![]));
        assert_eq!(layers.ways[2], Way::Down(vec![3]));
        assert_eq!(layers.ways[3], Way::Back(vec![4, 5, 6]));
        assert_eq!(layers.ways[4], Way::Loop);
        assert_eq!(layers.hooks[0], [4]);
        assert_eq!(layers.hooks[6], [2]);
        assert_eq!(layers.ranks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3, 2]);
    }
}
