//! Graphs as pictures: for Graphviz, or drawn by ourselves.
//!
//! Whoever asks for a picture should not have to install Graphviz first, so the svg comes from a
//! layout of our own, the layered one that everybody knows from control flow graphs: cycles are
//! broken, nodes get ranks, ranks an order with few crossings, boxes a place below those they
//! hang on. One decision makes the result easy to trust: edges bend only in the gaps between
//! ranks and pass each rank in a lane of their own, so that none runs through a box. What leads
//! back leaves its box below like all others, goes up in a lane and arrives from above.

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
    /// What it shows, in one line.
    pub title: String,
    /// What has to be known to read it, below the title.
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
    /// What kind of node this is.
    pub look: Look,
}

/// An arrow from one box to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The index of the node that it leaves.
    pub from: usize,
    /// The index of the node that it enters.
    pub to: usize,
    /// What stands beside its start: a condition, a variable, or nothing.
    pub label: String,
    /// What kind of edge this is.
    pub look: EdgeLook,
}

/// The kinds of boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Nothing special.
    #[default]
    Plain,
    /// What the versions have different.
    Changed,
    /// What a change may act on.
    Affected,
    /// What does not matter here.
    Faded,
    /// Where it begins.
    Entry,
    /// Where it ends.
    Exit,
    /// What can be seen from outside.
    Output,
    /// Where paths or versions come together.
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
    /// What does not matter here.
    Faded,
    /// What matters most.
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
