//! The whole layout: connected parts one by one, then side by side.

use super::{
    geometry::{Point, Rect, Route},
    layers::Layers,
    order::untangle,
    place::{Reach, place},
    rank::{back_edges, ranks, spread_leaves},
    route::{self, Links},
};

/// A sketch for the layout: sizes, not text.
pub(super) struct Sketch {
    /// Width and height of each node.
    pub(super) sizes: Vec<(f64, f64)>,
    pub(super) links: Vec<Link>,
}

/// An edge with the width of its label; without one, that is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: f64,
}

/// The positions of everything.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) boxes: Vec<Rect>,
    pub(super) routes: Vec<Route>,
    pub(super) bounds: Rect,
}

/// Between parts that are not connected.
const PART_GAP: f64 = 40.0;
/// Ranks wider than that give leaves to the next one.
const WIDEST_RANK: f64 = 1_800.0;
/// The extent of a loop at a node beyond it.
const LOOP_REACH: f64 = 30.0;
/// Half of the width of a lane.
const LANE_REACH: f64 = 2.0;

/// Lays out a sketch.
pub(super) fn layout(sketch: &Sketch) -> Layout {
    let parts = parts(sketch);
    let laid: Vec<_> = parts.iter().map(|part| lay_part(&part.sketch(sketch))).collect();
    let shifts = shelves(&laid.iter().map(|layout| layout.bounds).collect::<Vec<_>>());
    let mut boxes = vec![Rect::default(); sketch.sizes.len()];
    let mut routes: Vec<Option<Route>> = vec![None; sketch.links.len()];
    let mut bounds = Rect::default();
    for ((part, layout), shift) in parts.iter().zip(laid).zip(shifts) {
        for (&node, rect) in part.nodes.iter().zip(layout.boxes) {
            boxes[node] = rect.moved(shift);
        }
        for (&link, route) in part.links.iter().zip(layout.routes) {
            routes[link] = Some(route.moved(shift));
        }
        bounds = bounds.with(layout.bounds.moved(shift));
    }
    Layout { boxes, routes: routes.into_iter().flatten().collect(), bounds }
}

/// One connected part.
fn lay_part(sketch: &Sketch) -> Layout {
    let nodes = sketch.sizes.len();
    let edges: Vec<_> = sketch.links.iter().map(|link| (link.from, link.to)).collect();
    let back = back_edges(nodes, &edges);
    let forward: Vec<_> =
        edges.iter().zip(&back).filter(|(_, back)| !**back).map(|(&edge, _)| edge).collect();
    let mut rank = ranks(nodes, &forward);
    let widths: Vec<_> = sketch.sizes.iter().map(|size| size.0 + PART_GAP).collect();
    spread_leaves(&mut rank, &forward, &widths, WIDEST_RANK);
    let mut layers = Layers::new(rank, &edges, &back);
    untangle(&mut layers);
    let x = place(&layers, &reaches(sketch, &layers));
    route::route(&Links { sketch, layers: &layers, x: &x, back: &back })
}

fn reaches(sketch: &Sketch, layers: &Layers) -> Vec<Reach> {
    let node = |&(width, _): &(f64, f64)| Reach { left: width / 2.0, right: width / 2.0 };
    let mut reaches: Vec<_> = sketch.sizes.iter().map(node).collect();
    reaches.resize(layers.rank.len(), Reach { left: LANE_REACH, right: LANE_REACH });
    for link in sketch.links.iter().filter(|link| link.from == link.to) {
        reaches[link.from].right += LOOP_REACH + link.label;
    }
    reaches
}

/// Nodes that are connected, and the links between them, in the order of the sketch.
#[derive(Default)]
struct Part {
    nodes: Vec<usize>,
    links: Vec<usize>,
}

impl Part {
    fn sketch(&self, whole: &Sketch) -> Sketch {
        let place = |node: usize| self.nodes.partition_point(|&smaller| smaller < node);
        let links = self.links.iter().map(|&link| whole.links[link]);
        Sketch {
            sizes: self.nodes.iter().map(|&node| whole.sizes[node]).collect(),
            links: links
                .map(|link| Link { from: place(link.from), to: place(link.to), ..link })
                .collect(),
        }
    }
}

fn parts(sketch: &Sketch) -> Vec<Part> {
    let mut parent: Vec<_> = (0..sketch.sizes.len()).collect();
    for link in &sketch.links {
        let (a, b) = (root(&mut parent, link.from), root(&mut parent, link.to));
        parent[a.max(b)] = a.min(b);
    }
    let mut parts: Vec<_> = parent.iter().map(|_| Part::default()).collect();
    for node in 0..parent.len() {
        parts[root(&mut parent, node)].nodes.push(node);
    }
    for (index, link) in sketch.links.iter().enumerate() {
        parts[root(&mut parent, link.from)].links.push(index);
    }
    parts.retain(|part| !part.nodes.is_empty());
    parts
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// The offset of each part: they stand side by side, in several rows if there are many.
fn shelves(bounds: &[Rect]) -> Vec<Point> {
    let area: f64 = bounds.iter().map(|b| (b.width + PART_GAP) * (b.height + PART_GAP)).sum();
    let widest = bounds.iter().map(|b| b.width).fold(0.0, f64::max);
    let most = widest.max(area.sqrt() * 1.6).max(WIDEST_RANK);
    let (mut at, mut height) = (Point::default(), 0.0_f64);
    let mut shifts = Vec::with_capacity(bounds.len());
    for part in bounds {
        if at.x > 0.0 && at.x + part.width > most {
            at = Point { x: 0.0, y: at.y + height + PART_GAP };
            height = 0.0;
        }
        shifts.push(Point { x: at.x - part.x, y: at.y - part.y });
        at.x += part.width + PART_GAP;
        height = height.max(part.height);
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_side_by_side() {
        let link = |from, to| Link { from, to, label: 0.0 };
        let sketch = Sketch { sizes: vec![(50.0, 20.0); 4], links: vec![link(0, 2), link(1, 3)] };
        let layout = layout(&sketch);
        assert_eq!(layout.boxes[0].y, layout.boxes[1].y);
        assert_eq!(layout.boxes[2].y, layout.boxes[3].y);
        assert!(layout.boxes[0].right() < layout.boxes[1].x);
        assert_eq!(layout.routes.len(), 2);
    }

    #[test]
    fn nothing_has_a_layout_too() {
        let layout = layout(&Sketch { sizes: vec![], links: vec![] });
        assert!(layout.boxes.is_empty() && layout.routes.is_empty());
    }
}
