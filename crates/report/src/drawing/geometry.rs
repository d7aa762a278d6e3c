//! Points, boxes and the lines between them, in pixels; y grows downwards.

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The next piece of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece {
    /// Straight to a point.
    Line(Point),
    /// To the last point, with the other two as its handles.
    Curve(Point, Point, Point),
}

/// The direction of an arrow's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    Down,
    Left,
}

/// The route of an edge.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    pub(super) start: Point,
    pub(super) pieces: Vec<Piece>,
    /// The point where its head touches the box; the last piece ends before that.
    pub(super) tip: Point,
    pub(super) heading: Heading,
    /// Whether it leads back to an earlier box.
    pub(super) back: bool,
    /// The middle of its label, if it has one.
    pub(super) label: Option<Point>,
}

/// The length of an arrow's head.
pub(super) const HEAD: f64 = 8.0;

impl Point {
    pub(super) fn moved(self, by: Point) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y }
    }

    fn between(self, other: Self, part: f64) -> Self {
        Self { x: self.x + (other.x - self.x) * part, y: self.y + (other.y - self.y) * part }
    }
}

impl Rect {
    /// The box of that size around a point.
    pub(super) fn around(middle: Point, width: f64, height: f64) -> Self {
        Self { x: middle.x - width / 2.0, y: middle.y - height / 2.0, width, height }
    }

    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub(super) fn moved(self, by: Point) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y, ..self }
    }

    /// The smallest box that holds both.
    pub(super) fn with(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Self { x, y, width: right - x, height: bottom - y }
    }
}

impl Piece {
    pub(super) fn end(&self) -> Point {
        match *self {
            Self::Line(end) | Self::Curve(_, _, end) => end,
        }
    }

    /// The point after a part of its length.
    pub(super) fn at(&self, start: Point, part: f64) -> Point {
        match *self {
            Self::Line(end) => start.between(end, part),
            Self::Curve(first, second, end) => {
                let (a, b) = (start.between(first, part), first.between(second, part));
                let c = second.between(end, part);
                a.between(b, part).between(b.between(c, part), part)
            }
        }
    }

    fn moved(self, by: Point) -> Self {
        match self {
            Self::Line(end) => Self::Line(end.moved(by)),
            Self::Curve(a, b, end) => Self::Curve(a.moved(by), b.moved(by), end.moved(by)),
        }
    }

    fn points(&self) -> Vec<Point> {
        match *self {
            Self::Line(end) => vec![end],
            Self::Curve(first, second, end) => vec![first, second, end],
        }
    }
}

impl Route {
    pub(super) fn moved(self, by: Point) -> Self {
        Self {
            start: self.start.moved(by),
            pieces: self.pieces.into_iter().map(|piece| piece.moved(by)).collect(),
            tip: self.tip.moved(by),
            label: self.label.map(|label| label.moved(by)),
            ..self
        }
    }

    /// A box that holds the line and its head; a curve stays between its handles.
    pub(super) fn bounds(&self) -> Rect {
        let head = Rect::around(self.tip, HEAD * 2.0, HEAD * 2.0);
        let points = self.pieces.iter().flat_map(Piece::points).chain([self.start]);
        points.map(|point| Rect::around(point, 4.0, 4.0)).fold(head, Rect::with)
    }

    /// Each piece with where it starts.
    pub(super) fn legs(&self) -> impl Iterator<Item = (Point, &Piece)> {
        let starts = std::iter::once(self.start).chain(self.pieces.iter().map(Piece::end));
        starts.zip(&self.pieces)
    }
}
