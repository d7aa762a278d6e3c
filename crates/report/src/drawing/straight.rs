//! Lanes without needless bends.
//!
//! Once everything has a place, an edge's lanes are moved within the room that their neighbours
//! leave them: as many of them as can stand in one line do, from above, and an edge that leads
//! back comes as close to its loop as it can. Nothing else moves, so nothing can overlap.

use super::layers::{Layers, Vertex, Way};

/// Moves the lanes of all edges. `apart` is the least distance between two neighbours.
pub(super) fn straighten(layers: &Layers, x: &mut [f64], apart: &dyn Fn(Vertex, Vertex) -> f64) {
    let mut straightening = Straightening { layers, positions: layers.positions(), x, apart };
    for way in &layers.ways {
        match way {
            Way::Down(lanes) => straightening.down(lanes),
            Way::Back(lanes) => straightening.back(lanes),
            Way::Loop | Way::Across => {}
        }
    }
}

struct Straightening<'a> {
    layers: &'a Layers,
    positions: Vec<usize>,
    x: &'a mut [f64],
    apart: &'a dyn Fn(Vertex, Vertex) -> f64,
}

impl Straightening<'_> {
    /// Starts below the node that the edge leaves.
    fn down(&mut self, lanes: &[Vertex]) {
        let above = lanes.first().and_then(|&lane| self.layers.above[lane].first());
        if let Some(&from) = above {
            self.align(lanes, self.x[from]);
        }
    }

    /// Wants to be beside both nodes that the edge connects.
    fn back(&mut self, lanes: &[Vertex]) {
        let ends = [lanes.first(), lanes.last()].into_iter().flatten();
        let (sum, count) =
            ends.fold((0.0, 0.0), |(sum, count), &lane| (sum + self.beside(lane), count + 1.0));
        if count > 0.0 {
            self.align(lanes, sum / count);
        }
    }

    /// The position of a lane as close as possible to the vertex it hooks into, on its side.
    fn beside(&self, lane: Vertex) -> f64 {
        match self.layers.hooks[lane].first() {
            Some(&node) if self.x[node] < self.x[lane] => self.x[node] + (self.apart)(node, lane),
            Some(&node) => self.x[node] - (self.apart)(lane, node),
            None => self.x[lane],
        }
    }

    /// Puts lanes into as few lines as there can be, the first one as close to `wish` as it goes.
    fn align(&mut self, lanes: &[Vertex], mut wish: f64) {
        let mut rest = lanes;
        while !rest.is_empty() {
            let (line, (least, most)) = self.line(rest);
            wish = wish.max(least).min(most);
            rest[..line].iter().for_each(|&lane| self.x[lane] = wish);
            rest = &rest[line..];
        }
    }

    /// Number of lanes that can stand in one line, and the room that they have together.
    fn line(&self, lanes: &[Vertex]) -> (usize, (f64, f64)) {
        let mut all = (f64::NEG_INFINITY, f64::INFINITY);
        for (count, &lane) in lanes.iter().enumerate() {
            let room = self.room(lane);
            let both = (room.0.max(all.0), room.1.min(all.1));
            if count > 0 && both.0 > both.1 {
                return (count, all);
            }
            all = both;
        }
        (lanes.len(), all)
    }

    /// The room in which a lane can move.
    fn room(&self, lane: Vertex) -> (f64, f64) {
        let rank = &self.layers.ranks[self.layers.rank[lane]];
        let position = self.positions[lane];
        let left = position.checked_sub(1).and_then(|left| rank.get(left));
        let least = left.map_or(f64::NEG_INFINITY, |&v| self.x[v] + (self.apart)(v, lane));
        let right = rank.get(position + 1);
        let most = right.map_or(f64::INFINITY, |&v| self.x[v] - (self.apart)(lane, v));
        (least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_line_up_where_they_can() {
        let edges = [(0, 1), (1, 2), (2, 3), (0, 3)];
        let layers = Layers::new(vec![0, 1, 2, 3], &edges, &[false; 4]);
        let mut x = vec![0.0, 0.0, -40.0, 0.0, 50.0, 70.0];
        straighten(&layers, &mut x, &|_, _| 20.0);
        assert_eq!(x[4..], [20.0, 20.0]);
    }
}
