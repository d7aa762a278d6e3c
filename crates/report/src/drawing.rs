//! Graphs as pictures: for Graphviz, or drawn by ourselves.
//!
//! A picture should not require an installation of Graphviz, so the svg comes from a layout of our
//! own, the layered one that is usual for control flow graphs: cycles are broken, nodes get ranks,
//! ranks an order with few crossings, boxes a place below those they hang on. One decision makes
//! the result easy to trust: edges bend only in the gaps between ranks and pass each rank in a lane
//! of their own, so that none runs through a box. An edge that leads back leaves its box below like
//! all others, goes up in a lane and arrives from above.

mod dot;
mod geometry;
mod layers;
mod layout;
mod order;
mod paint;
mod place;
mod rank;
mod route;
mod straight;
mod svg;
mod text;

/// A graph to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The title, in one line.
    pub title: String,
    /// Remarks that are needed to read it, below the title.
    pub notes: Vec<String>,
    /// The boxes; the first one is where reading starts.
    pub nodes: Vec<DrawnNode>,
    /// The arrows. One that starts or ends at no node is left out.
    pub edges: Vec<DrawnEdge>,
}

/// A box with text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnNode {
    /// The text of the box, its first line is its heading. Lines that are too long are cut, and
    /// so is what would be line thirteen; the svg shows all of it when the mouse rests there.
    pub lines: Vec<String>,
    /// The kind of this node.
    pub look: Look,
}

/// An arrow from one box to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The index of the node that it leaves.
    pub from: usize,
    /// The index of the node that it enters.
    pub to: usize,
    /// The label beside its start: a condition, a variable, or nothing.
    pub label: String,
    /// The kind of this edge.
    pub look: EdgeLook,
}

/// The kinds of boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Nothing special.
    #[default]
    Plain,
    /// Code that differs between the versions.
    Changed,
    /// Code that a change may act on.
    Affected,
    /// Not relevant here.
    Faded,
    /// A start.
    Entry,
    /// An end.
    Exit,
    /// Visible from outside.
    Output,
    /// A place where paths or versions join.
    Meeting,
}

/// The kinds of arrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeLook {
    /// Nothing special.
    #[default]
    Plain,
    /// Of another kind than the plain ones.
    Dashed,
    /// Not relevant here.
    Faded,
    /// Most important.
    Strong,
}

impl Drawing {
    /// As text for Graphviz.
    pub fn to_dot(&self) -> String {
        dot::dot(self)
    }

    /// As a picture.
    pub fn to_svg(&self) -> String {
        svg::svg(self)
    }

    /// The edges that can be drawn, each with its index.
    fn drawn_edges(&self) -> Vec<(usize, &DrawnEdge)> {
        let nodes = 0..self.nodes.len();
        let drawn = |edge: &DrawnEdge| nodes.contains(&edge.from) && nodes.contains(&edge.to);
        self.edges.iter().enumerate().filter(|(_, edge)| drawn(edge)).collect()
    }
}
