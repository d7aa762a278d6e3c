//! The heights of the ranks, and the routes of the edges between the boxes.
//!
//! An edge runs straight down (or up) its lane while it passes a rank and bends in the gaps only;
//! the gaps are as high as their contents need. Edges of one box leave and enter it at ports of
//! their own, in the order of their targets, so that they do not cross at once.

use super::{
    geometry::{HEAD, Heading, Piece, Point, Rect, Route},
    layers::{Layers, Way},
    layout::{Layout, Link, Sketch},
    text::LABEL_FONT,
};

/// All that is known when edges get their routes.
pub(super) struct Links<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) layers: &'a Layers,
    /// The position of each vertex.
    pub(super) x: &'a [f64],
    pub(super) back: &'a [bool],
}

const GAP: f64 = 34.0;
const GAP_FOR_LABELS: f64 = 18.0;
const GAP_FOR_HOOKS: f64 = 12.0;
/// The additional height of a gap for each pixel that an edge goes sideways in it, and the most.
const GAP_SLOPE: f64 = 0.09;
const MOST_GAP_FOR_SLOPE: f64 = 90.0;
/// From one port to the next; ports with labels are spaced by these.
const PORT_STEP: f64 = 18.0;
/// Between labels side by side.
pub(super) const LABEL_GAP: f64 = 6.0;
/// Between the sides of a box and its ports.
pub(super) const CORNER: f64 = 12.0;
/// The visible part of an edge above its label.
const STUB: f64 = 5.0;
const LABEL_HEIGHT: f64 = LABEL_FONT + 3.0;

/// Boxes and routes of one connected part.
pub(super) fn route(links: &Links) -> Layout {
    let rows = Rows::new(links);
    let boxes: Vec<_> = (0..links.sketch.sizes.len()).map(|node| rows.rect(links, node)).collect();
    let ports = Ports::new(links, &boxes);
    let routing = Routing { links, rows: &rows, boxes: &boxes, ports: &ports };
    let mut routes: Vec<_> = (0..links.sketch.links.len()).map(|l| routing.route(l)).collect();
    place_labels(links, &rows, &boxes, &mut routes);
    let bounds = bounds(&boxes, &routes, &links.sketch.links);
    Layout { boxes, routes, bounds }
}

/// The width that each node needs so that the labels of the links that leave it fit side by side.
pub(super) fn widths_for_labels(nodes: usize, links: &[Link]) -> Vec<f64> {
    let mut leaving = vec![(0.0_f64, 0.0_f64); nodes];
    for link in links.iter().filter(|link| link.from != link.to) {
        let (count, widest) = &mut leaving[link.from];
        *count += 1.0;
        *widest = widest.max(link.label);
    }
    let width = |(count, widest): (f64, f64)| match widest > 0.0 {
        true => count * (widest + LABEL_GAP) + 2.0 * CORNER,
        false => 0.0,
    };
    leaving.into_iter().map(width).collect()
}

fn bounds(boxes: &[Rect], routes: &[Route], links: &[Link]) -> Rect {
    let labels = routes.iter().zip(links).filter_map(|(route, link)| {
        route.label.map(|middle| Rect::around(middle, link.label, LABEL_HEIGHT))
    });
    let all = boxes.iter().copied().chain(routes.iter().map(Route::bounds)).chain(labels);
    all.reduce(Rect::with).unwrap_or_default()
}

/// The beginnings and ends of the ranks.
struct Rows {
    tops: Vec<f64>,
    bottoms: Vec<f64>,
    /// The gap above each rank, and the one below the last.
    gaps: Vec<f64>,
}

impl Rows {
    fn new(links: &Links) -> Self {
        let gaps = gaps(links);
        let mut rows = Self { tops: Vec::new(), bottoms: Vec::new(), gaps };
        let mut y = 0.0;
        for (rank, members) in links.layers.ranks.iter().enumerate() {
            y += rows.gaps[rank];
            rows.tops.push(y);
            let nodes = members.iter().filter(|&&vertex| !links.layers.is_lane(vertex));
            y += nodes.map(|&node| links.sketch.sizes[node].1).fold(0.0, f64::max);
            rows.bottoms.push(y);
        }
        rows
    }

    fn rect(&self, links: &Links, node: usize) -> Rect {
        let (width, height) = links.sketch.sizes[node];
        let y = self.tops[links.layers.rank[node]];
        Rect { x: links.x[node] - width / 2.0, y, width, height }
    }
}

/// The height that the gap above each rank needs.
fn gaps(links: &Links) -> Vec<f64> {
    let Links { layers, x, .. } = links;
    let ranks = layers.ranks.len();
    let mut gaps = vec![GAP; ranks + 1];
    let mut far = vec![0.0_f64; ranks + 1];
    for (vertex, below) in layers.below.iter().enumerate() {
        let gap = layers.rank[vertex] + 1;
        let farthest = below.iter().map(|&to| (x[to] - x[vertex]).abs()).fold(0.0, f64::max);
        far[gap] = far[gap].max(farthest);
    }
    let (mut hooked, mut labelled) = (vec![false; ranks + 1], vec![false; ranks + 1]);
    for (link, way) in links.sketch.links.iter().zip(&layers.ways) {
        let below = layers.rank[link.from] + 1;
        labelled[below] |= link.label > 0.0 && *way != Way::Loop;
        if matches!(way, Way::Back(_)) {
            hooked[below] = true;
            hooked[layers.rank[link.to]] = true;
        }
    }
    for gap in 0..=ranks {
        gaps[gap] += (far[gap] * GAP_SLOPE).min(MOST_GAP_FOR_SLOPE)
            + if hooked[gap] { GAP_FOR_HOOKS } else { 0.0 }
            + if labelled[gap] { GAP_FOR_LABELS } else { 0.0 };
    }
    gaps
}

/// The x at which each link leaves its first box and enters its last.
struct Ports {
    leave: Vec<f64>,
    enter: Vec<f64>,
}

impl Ports {
    fn new(links: &Links, boxes: &[Rect]) -> Self {
        let count = links.sketch.links.len();
        let (mut leaving, mut entering) =
            (vec![Vec::new(); boxes.len()], vec![Vec::new(); boxes.len()]);
        for (index, link) in links.sketch.links.iter().enumerate() {
            if links.layers.ways[index] != Way::Loop {
                leaving[link.from].push(index);
                entering[link.to].push(index);
            }
        }
        let mut ports = Self { leave: vec![0.0; count], enter: vec![0.0; count] };
        for (node, rect) in boxes.iter().enumerate() {
            let labels = leaving[node].iter().map(|&link| links.sketch.links[link].label);
            let step = labels.fold(PORT_STEP, |step, label| step.max(label + LABEL_GAP));
            spread(links, rect, step, &mut leaving[node], End::Leave, &mut ports.leave);
            spread(links, rect, PORT_STEP, &mut entering[node], End::Enter, &mut ports.enter);
        }
        ports
    }
}

#[derive(Clone, Copy)]
enum End {
    Leave,
    Enter,
}

/// Gives the links at one side of a box their ports.
fn spread(links: &Links, rect: &Rect, step: f64, of: &mut [usize], end: End, ports: &mut [f64]) {
    let middle = rect.x + rect.width / 2.0;
    of.sort_by(|&a, &b| {
        let (a, b) = (side(links, a, end, middle), side(links, b, end, middle));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let between = of.len().saturating_sub(1) as f64;
    let step = step.min((rect.width - 2.0 * CORNER).max(0.0) / between.max(1.0));
    for (place, &link) in of.iter().enumerate() {
        ports[link] = middle + (place as f64 - between / 2.0) * step;
    }
}

/// The sort key of ports: links that hook round the box are outermost, and the one that goes
/// farthest is the innermost of them, so that it passes below the others.
fn side(links: &Links, link: usize, end: End, middle: f64) -> (u8, f64) {
    let Link { from, to, .. } = links.sketch.links[link];
    let next = |lane: Option<&usize>, node: usize| links.x[lane.copied().unwrap_or(node)];
    match (&links.layers.ways[link], end) {
        (Way::Back(lanes), end) => {
            let lane = match end {
                End::Leave => next(lanes.last(), from),
                End::Enter => next(lanes.first(), to),
            };
            (if lane < middle { 0 } else { 2 }, -lane)
        }
        (Way::Down(lanes), End::Leave) => (1, next(lanes.first(), to)),
        (Way::Down(lanes), End::Enter) => (1, next(lanes.last(), from)),
        (Way::Loop | Way::Across, End::Leave) => (1, links.x[to]),
        (Way::Loop | Way::Across, End::Enter) => (1, links.x[from]),
    }
}

struct Routing<'a> {
    links: &'a Links<'a>,
    rows: &'a Rows,
    boxes: &'a [Rect],
    ports: &'a Ports,
}

impl Routing<'_> {
    fn route(&self, link: usize) -> Route {
        match &self.links.layers.ways[link] {
            Way::Down(lanes) => self.down(link, lanes),
            Way::Back(lanes) => self.up(link, lanes),
            Way::Loop => self.round(link),
            Way::Across => self.down(link, &[]),
        }
    }

    fn down(&self, link: usize, lanes: &[usize]) -> Route {
        let mut pen = self.leave(link);
        for &lane in lanes {
            let rank = self.links.layers.rank[lane];
            pen.bend(Point { x: self.links.x[lane], y: self.rows.tops[rank] });
            pen.straight(self.rows.bottoms[rank]);
        }
        let tip = self.enter(link);
        pen.bend(Point { y: tip.y - HEAD, ..tip });
        pen.route(tip, Heading::Down, self.links.back[link])
    }

    fn up(&self, link: usize, lanes: &[usize]) -> Route {
        let mut pen = self.leave(link);
        for (index, &lane) in lanes.iter().rev().enumerate() {
            let rank = self.links.layers.rank[lane];
            let bottom = Point { x: self.links.x[lane], y: self.rows.bottoms[rank] };
            match index {
                0 => pen.hook(bottom, self.rows.gaps[rank + 1]),
                _ => pen.bend(bottom),
            }
            pen.straight(self.rows.tops[rank]);
        }
        let tip = self.enter(link);
        let rank = self.links.layers.rank[self.links.sketch.links[link].to];
        pen.hook(Point { y: tip.y - HEAD, ..tip }, -self.rows.gaps[rank]);
        pen.route(tip, Heading::Down, true)
    }

    /// A loop at the right of its box; several of them are nested.
    fn round(&self, link: usize) -> Route {
        let links = &self.links.sketch.links;
        let node = links[link].from;
        let rect = self.boxes[node];
        let inner = links[..link].iter().filter(|l| l.from == node && l.to == node);
        let (nested, reach) =
            inner.fold((0.0_f64, 30.0), |(n, reach), l| (n + 1.0, reach + 30.0 + l.label));
        let (x, middle) = (rect.right(), rect.y + rect.height / 2.0);
        let half = (7.0 + 4.0 * nested).min(rect.height / 2.0 - 3.0);
        let (from, to) = (middle + half, middle - half);
        let tip = Point { x, y: to };
        let out = x + reach;
        let curve = Piece::Curve(
            Point { x: out, y: from + 8.0 },
            Point { x: out, y: to - 8.0 },
            Point { x: x + HEAD, y: to },
        );
        let mut pen = Pen { start: Point { x, y: from }, pieces: Vec::new() };
        pen.pieces.push(curve);
        pen.route(tip, Heading::Left, true)
    }

    /// A pen that has left the first box and the rank in which it stands.
    fn leave(&self, link: usize) -> Pen {
        let node = self.links.sketch.links[link].from;
        let start = Point { x: self.ports.leave[link], y: self.boxes[node].bottom() };
        let mut pen = Pen { start, pieces: Vec::new() };
        pen.straight(self.rows.bottoms[self.links.layers.rank[node]]);
        pen
    }

    fn enter(&self, link: usize) -> Point {
        let node = self.links.sketch.links[link].to;
        Point { x: self.ports.enter[link], y: self.boxes[node].y }
    }
}

/// A pen that draws a route.
struct Pen {
    start: Point,
    pieces: Vec<Piece>,
}

impl Pen {
    fn at(&self) -> Point {
        self.pieces.last().map_or(self.start, Piece::end)
    }

    /// Straight up or down; a piece that is straight already becomes longer.
    fn straight(&mut self, y: f64) {
        let at = self.at();
        let end = Point { y, ..at };
        match self.pieces.last_mut() {
            Some(Piece::Line(last)) => *last = end,
            _ if end == at => {}
            _ => self.pieces.push(Piece::Line(end)),
        }
    }

    /// Through a gap, upright at both ends.
    fn bend(&mut self, end: Point) {
        let at = self.at();
        if (at.x - end.x).abs() < 0.5 {
            self.pieces.push(Piece::Line(end));
            return;
        }
        let half = (end.y - at.y) / 2.0;
        self.pieces.push(Piece::Curve(
            Point { x: at.x, y: at.y + half },
            Point { x: end.x, y: end.y - half },
            end,
        ));
    }

    /// Into a gap and out on the same side; the gap is below if `gap` is positive.
    fn hook(&mut self, end: Point, gap: f64) {
        let at = self.at();
        let sideways = (at.x - end.x).abs();
        let deep = gap.signum() * (18.0 + 0.2 * sideways).min(gap.abs() * 0.9 - HEAD);
        self.pieces.push(Piece::Curve(
            Point { x: at.x, y: at.y + deep },
            Point { x: end.x, y: end.y + deep },
            end,
        ));
    }

    fn route(self, tip: Point, heading: Heading, back: bool) -> Route {
        Route { start: self.start, pieces: self.pieces, tip, heading, back, label: None }
    }
}

/// Puts each label on its edge, as close to the start as other labels and boxes allow. Where more
/// labels leave a box than there is room for below it, they go to where the edges have separated.
fn place_labels(links: &Links, rows: &Rows, boxes: &[Rect], routes: &mut [Route]) {
    let needed = widths_for_labels(boxes.len(), &links.sketch.links);
    let mut taken: Vec<Vec<Rect>> = vec![Vec::new(); rows.tops.len()];
    for (index, link) in links.sketch.links.iter().enumerate().filter(|(_, l)| l.label > 0.0) {
        let rank = links.layers.rank[link.from];
        let route = &mut routes[index];
        if links.layers.ways[index] == Way::Loop {
            let out = route.pieces.first().map_or(route.start, |piece| piece.at(route.start, 0.5));
            route.label = Some(Point { x: out.x + link.label / 2.0 + 3.0, ..out });
            continue;
        }
        let home = boxes[link.from];
        let floor = rows.tops.get(rank + 1).map_or(f64::INFINITY, |top| top - HEAD - 2.0);
        let around = |middle| Rect::around(middle, link.label, LABEL_HEIGHT);
        let allowed = |label: &Rect| {
            let below_home = label.x >= home.x && label.right() <= home.right();
            label.y >= home.bottom() + STUB
                && (below_home || label.y >= rows.bottoms[rank])
                && label.bottom() <= floor
        };
        let mut candidates = spots(route);
        if home.width < needed[link.from] {
            candidates.reverse();
        }
        let free = candidates.iter().copied().find(|&middle| {
            let label = around(middle);
            allowed(&label) && taken[rank].iter().all(|other| !other.overlaps(&label))
        });
        let somewhere = || candidates.iter().copied().find(|&middle| allowed(&around(middle)));
        let middle = free.or_else(somewhere).or(candidates.first().copied());
        taken[rank].extend(middle.map(around));
        route.label = middle;
    }
}

/// Places for a label along the first two pieces of a route.
fn spots(route: &Route) -> Vec<Point> {
    const STEPS: u32 = 24;
    let along = |(start, piece): (Point, &Piece)| {
        let piece = *piece;
        (0..STEPS).map(move |step| piece.at(start, f64::from(step) / f64::from(STEPS)))
    };
    route.legs().take(2).flat_map(along).collect()
}
